"""The documents that a page walks through: all, or of many those that lose most."""

from __future__ import annotations

from heapq import heappush, heappushpop
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.explain.documents import readings
from corefkit.analysis.explain.explained import explained_document

if TYPE_CHECKING:
    from corefkit.alignment.runs import Run
    from corefkit.analysis.explain.documents import Reading
    from corefkit.analysis.explain.explained import Counted, Explained
    from corefkit.analysis.explain.walks import Chosen
    from corefkit.settings import Settings

# A page of all 350 documents of a corpus would be too long to read. Long documents fill
# it sooner: one is always walked through, further ones while mentions are not too many.
WALKED = 20
MENTIONS = 2000


class Walked(NamedTuple):
    """A document that the page walks through; the one that loses least comes first."""

    loss: float
    earliness: int  # its number below 0: of those that lose the same, the first stay
    reading: Reading
    explained: Explained

    @property
    def number(self) -> int:
        """Its number in the order of the key, from 0."""
        return -self.earliness

    @property
    def anchor(self) -> str:
        """The name of its place on the page."""
        return f"document-{self.number + 1}"


class Walks(NamedTuple):
    """All that a page is made of."""

    chosen: Chosen
    walked: list[Walked]  # in the order of the key
    ids: list[str]  # of all documents
    counted: list[Counted]  # likewise
    settings: Settings

    @property
    def anchors(self) -> list[str]:
        """Where the page walks through each document; empty where it does not."""
        anchors = [""] * len(self.ids)
        for one in self.walked:
            anchors[one.number] = one.anchor
        return anchors


def walks_of(chosen: Chosen, run: Run) -> Walks:
    """Walk through all documents, and keep those that lose most."""
    walks = Walks(chosen, [], [], [], run.settings)
    for number, reading in enumerate(readings(run)):
        if reading.settings.by_characters:
            walks = walks._replace(settings=reading.settings)
        explained = explained_document(chosen, reading, walks.settings)
        walks.ids.append(reading.id)
        walks.counted.append(explained.counted)
        one = Walked(loss(explained.counted), -number, reading, explained)
        keep = heappush if len(walks.walked) < WALKED else heappushpop
        keep(walks.walked, one)
    walked = sorted(_shortened(walks.walked), key=lambda one: one.number)
    return walks._replace(walked=walked)


def _shortened(walked: list[Walked]) -> list[Walked]:
    """Leave out documents that lose less where mentions would be too many."""
    ordered = sorted(walked, reverse=True)
    sizes = accumulate(len(one.explained.scene.names.meanings) for one in ordered)
    fitting = sum(size <= MENTIONS for size in sizes)
    return ordered[: max(fitting, 1)]


def loss(counted: Counted) -> float:
    """Count what a document lacks, in recall and precision of all metrics."""
    return float(
        sum(
            quotient.denominator.value - quotient.numerator.value
            for quotients in counted.quotients
            for quotient in quotients
        )
    )
