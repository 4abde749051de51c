"""Documents that wait to be counted together, or are kept to be looked at again."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from corefkit.alignment.pairing import Pair
from corefkit.alignment.pipeline import opened_runs, run_of
from corefkit.evaluator.gathered import Gathered
from corefkit.evaluator.reading import mentions_in
from corefkit.formats.memory.partitions import (
    PartitionSource,
    mentions_by_entity,
    new_names,
)
from corefkit.formats.memory.shapes import Corpus
from corefkit.metrics import METRICS
from corefkit.tally import counted_runs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.formats.memory.partitions import Entities
    from corefkit.metrics.base import Metric
    from corefkit.model import Document
    from corefkit.settings import Settings

# As many are looked at again where mentions hardly meet.
_MOST_DOCUMENTS = 256
_MOST_MENTIONS = 1 << 14


@dataclass(slots=True)
class Waiting:
    """Documents of both sides by their ids, and how many mentions these have."""

    key: dict[str, Document | Entities] = field(default_factory=dict)
    response: dict[str, Document | Entities] = field(default_factory=dict)
    mentions: int = 0

    @property
    def are_enough(self) -> bool:
        """Whether more of them would save no more time, and take room."""
        return len(self.key) >= _MOST_DOCUMENTS or self.mentions >= _MOST_MENTIONS

    def add(
        self,
        key: Mapping[str, Document | Entities],
        response: Mapping[str, Document | Entities],
        mentions: int,
    ) -> None:
        """Let documents wait behind the others."""
        self.key.update(key)
        self.response.update(response)
        self.mentions += mentions

    def keep(
        self,
        key: Mapping[str, Document | Entities],
        response: Mapping[str, Document | Entities],
    ) -> None:
        """Add documents unless there are enough."""
        if not self.are_enough:
            self.add(key, response, mentions_in(key) + mentions_in(response))

    def counted(self, metrics: tuple[Metric, ...], settings: Settings) -> Gathered:
        """Count partitions, both sides of each."""
        names = new_names()
        key = PartitionSource("key", self.key, names)
        response = PartitionSource("response", self.response, names)
        pairs = [Pair(number, number) for number in range(len(key.ids))]
        run = run_of(key, response, pairs, settings=settings)
        tally = counted_runs([run], metrics)[run.number]
        mentions = "names" if self.mentions else ""
        return Gathered(tally, run.seen, list(self.key), mentions=mentions)

    def warnings(self, gathered: Gathered, settings: Settings) -> tuple[str, ...]:
        """Say where the mentions of all documents hardly meet, and why.

        Reasons are tried on these documents, the first of them.
        """
        meeting = gathered.seen.meeting
        if meeting.is_sound:
            return ()
        # Imported here because few scores are so bad, and every start would pay.
        from corefkit.alignment.meeting import warnings

        key, response = Corpus(self.key), Corpus(self.response)
        with opened_runs(key, [response], settings=settings) as (run,):
            run.meeting = meeting
            for source, name in zip(run.inputs, gathered.names, strict=True):
                cast("Any", source).name = name
            return warnings(run, documents=len(gathered.documents))


def may_wait(metrics: tuple[Metric, ...], settings: Settings) -> bool:
    """Say whether partitions that could be read can be counted too, whatever they hold.

    A metric of one's own may fail, and so may one that needs more than partitions.
    """
    known = all(METRICS.get(metric.name) is metric for metric in metrics)
    looks_further = settings.joins_documents or settings.scores_split
    return known and settings.is_exact and not looks_further


def are_repeated(document: Entities) -> bool:
    """Say whether a mention of a document stands there more than once."""
    mentions = list(chain.from_iterable(mentions_by_entity(document)))
    return len(set(mentions)) < len(mentions)
