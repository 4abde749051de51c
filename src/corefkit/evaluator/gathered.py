"""What an evaluator keeps of the documents that it has counted: values that add up."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from corefkit.alignment.blocks import Repeats
from corefkit.alignment.pairing import Unpaired
from corefkit.alignment.seen import Seen
from corefkit.corpus.declaration import (
    NOTHING_DECLARED,
    Declaration,
    clashes,
    scored_on,
)
from corefkit.evaluation import Evaluation, print_rows
from corefkit.exceptions import PairingError, SettingsError
from corefkit.formats.memory.partitions import PartitionSource
from corefkit.tally import Tally, declared_by

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefkit.alignment.runs import Run
    from corefkit.columns import Hashes
    from corefkit.metrics.base import Metric
    from corefkit.settings import Settings

_PARTS = 64  # blocks of counts that are kept apart, before they become one
_SIDES = ("key", "response")
_NOTHING = (NOTHING_DECLARED, NOTHING_DECLARED)
# The number of a document without id, in a place.
_NUMBER = re.compile(
    r"(?<=^key, document ')\d+(?=')|(?<=^response, document ')\d+(?=')"
)


@dataclass(slots=True)
class Gathered:
    """Counts of documents, their ids, and what was noted of them."""

    tally: Tally
    seen: Seen = field(default_factory=Seen)
    documents: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)  # scored without a response
    unpaired: Unpaired = field(default_factory=Unpaired)
    notes: dict[str, None] = field(default_factory=dict)  # others on pairing
    names: tuple[str, str] = _SIDES  # what the user called key and response
    # What the first documents of key and response declare of the corpus.
    declared: tuple[Declaration, Declaration] = _NOTHING
    # How mentions are given: tokens of a text, or names; "" as long as there are none.
    mentions: str = ""

    def take(self, other: Gathered) -> None:
        """Take what was gathered of other documents, behind these."""
        if not self.documents:
            self.names, self.declared = other.names, other.declared
        elif other.documents and other.names != self.names:
            self.names = _SIDES
        self.tally.take(other.tally)
        self._compact()
        self.seen.take(other.seen)
        self.documents += other.documents
        self.missing += other.missing
        self.unpaired.take(other.unpaired)
        self.notes |= other.notes
        self.mentions = self.mentions or other.mentions

    def numbered_from(self, first: int) -> Gathered:
        """Number documents without ids from some number on, in places too."""

        def moved(text: str) -> str:
            return _NUMBER.sub(lambda found: str(int(found[0]) + first), text, count=1)

        seen = replace(
            self.seen,
            text_notes={
                kind: moved(text) for kind, text in self.seen.text_notes.items()
            },
            key_repeats=_moved(self.seen.key_repeats, moved),
            response_repeats=_moved(self.seen.response_repeats, moved),
        )
        numbers = range(first, first + len(self.documents))
        return replace(self, seen=seen, documents=list(map(str, numbers)))

    def _compact(self) -> None:
        """Keep neither the mentions of many blocks, nor many blocks."""
        tally = self.tally
        tally.key_read[:-1] = [print_rows(part) for part in tally.key_read[:-1]]
        if len(tally.rows) > _PARTS:
            tally.join()

    @property
    def prints(self) -> list[Hashes]:
        """What the corpus is known by, rows of documents."""
        return [print_rows(part) for part in self.tally.key_read]

    def evaluation(self, settings: Settings, warnings: tuple[str, ...]) -> Evaluation:
        """Put all together."""
        key, response = self.names
        declared, clashing = NOTHING_DECLARED, list[str]()
        if self.declared is not _NOTHING:
            declared = scored_on(*self.declared)
            clashing = [f"{response}: {clash}" for clash in clashes(*self.declared)]
        notes = (
            *self.notes,
            *self.unpaired.notes(response, settings),
            *self.seen.notes(key, response, settings),
            *self.tally.notes,
            *clashing,
        )
        return Evaluation(
            key,
            response,
            self.seen.effective_settings(settings),
            self.tally.metrics,
            tuple(self.documents),
            self.tally.counts,
            notes,
            tuple(self.tally.repetitions),
            list(self.tally.key_read),
            declared,
            warnings,
            tuple(self.missing),
        )


def gathered_from(run: Run, tally: Tally) -> Gathered:
    """Gather what stays of a run whose documents have been counted."""
    settings, name = run.settings, run.response.source.name
    unpaired = Unpaired() if settings.joins_documents else _unpaired(run)
    worded = unpaired.notes(name, settings)
    return Gathered(
        tally,
        run.seen,
        list(run.documents),
        list(run.missing),
        unpaired,
        dict.fromkeys(note for note in run.pairing_notes if note not in worded),
        (run.key.source.name, name),
        declared_by(run, tally.key_read),
        _kind_of_mentions(run),
    )


def _moved(repeats: Repeats, moved: Callable[[str], str]) -> Repeats:
    return Repeats(repeats.count, moved(repeats.place))


def _unpaired(run: Run) -> Unpaired:
    """Find the documents that only one side of a run has."""
    key, response = run.inputs
    pairs = zip(run.numbers, run.partners, strict=True)
    both = [(ours, theirs) for ours, theirs in pairs if theirs is not None]
    # By id: of documents that a file has twice only the last is paired.
    paired = {key.ids[ours] for ours, _ in both}, {response.ids[at] for _, at in both}
    missing, extra = (
        [number for number, name in enumerate(side.ids) if name not in there]
        for side, there in zip((key, response), paired, strict=True)
    )
    return Unpaired.among(key, missing, response, extra)


def _kind_of_mentions(run: Run) -> str:
    meeting, key = run.seen.meeting, run.inputs[0]
    if not meeting.key and not meeting.response:
        return ""
    named = isinstance(key, PartitionSource) or getattr(key, "named", False)
    return "names" if named else "tokens"


def refuse_other_kind(mentions: str, earlier: str) -> None:
    """Refuse names beside tokens of a text; either may be "" where there are none."""
    if mentions and earlier and mentions != earlier:
        message = f"mentions are {mentions} here, and {earlier} in earlier updates"
        hint = (
            "mentions of documents with words, of files and of `Mention` values are "
            "tokens, and of partitions names: give all documents in one way"
        )
        raise PairingError(message, hint=hint)


def refuse_unlike(
    one: tuple[Settings, tuple[Metric, ...]], other: tuple[Settings, tuple[Metric, ...]]
) -> None:
    """Refuse to add counts under other settings, or of other metrics."""
    hint = "evaluators that are merged have the same settings and metrics"
    if one[0] != other[0]:
        found, expected = other[0].signature, one[0].signature
        message = f"found settings {found}, expected {expected}"
        raise SettingsError(message, hint=hint)
    if one[1] != other[1]:
        found, expected = (", ".join(m.name for m in each[1]) for each in (other, one))
        message = f"found the metrics {found}, expected {expected}"
        raise SettingsError(message, hint=hint)
