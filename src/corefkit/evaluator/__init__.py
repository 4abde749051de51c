"""The same scores, a document or a batch at a time, for loops that train and test.

    evaluator = corefkit.Evaluator()
    for key, response in batches:
        evaluator.update(key, response)
    evaluator.compute().conll

What `compute` returns is what `corefkit.score` returns for all documents at once, bit
for bit, whatever the batches. Partitions wait until there are enough of them, and are
counted together: few documents cost as much time as many do. What is wrong with a
document is raised by the update that brings it, and that update then counts for
nothing.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Unpack, cast

from corefkit.alignment.pipeline import opened_runs
from corefkit.evaluator.gathered import (
    Gathered,
    gathered_from,
    refuse_other_kind,
    refuse_unlike,
)
from corefkit.evaluator.known import Known
from corefkit.evaluator.reading import id_of, in_memory_both, mentions_in, shape_of
from corefkit.evaluator.state import gathered_in, settings_in, state_of
from corefkit.evaluator.waiting import Waiting, are_repeated, may_wait
from corefkit.exceptions import PairingError, SettingsError
from corefkit.formats.memory.partitions import plain_partitions
from corefkit.formats.memory.shapes import Corpus, Shape
from corefkit.metrics import known_metrics
from corefkit.metrics.every import metrics_for
from corefkit.metrics.split import check_metrics
from corefkit.scoring import score
from corefkit.settings.keywords import Keywords, names_settings, settings_from
from corefkit.tally import Tally, counted_runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corefkit.evaluation import Evaluation
    from corefkit.formats.inputs import Input
    from corefkit.formats.memory.partitions import Entities
    from corefkit.metrics.base import Metric


class Evaluator:
    """Scores that grow with every document or batch of them.

    It takes what `corefkit.score` takes, a document or a batch at a time.

    Attributes:
        metrics: the metrics, in the order they were asked for.
        settings: what is computed.

    >>> import corefkit
    >>> evaluator = corefkit.Evaluator(metrics=["muc", "lea"])
    >>> evaluator.update([[(0, 1), (4, 4), (6, 7)]], [[(0, 1), (4, 4)]])
    >>> evaluator.update([["Ann", "she"]], [["Ann", "she"]])
    >>> result = evaluator.compute()
    >>> result.documents, round(result["muc"].recall, 4)
    (('0', '1'), 0.6667)
    """

    @names_settings
    def __init__(
        self,
        *,
        metrics: str | Iterable[str | Metric] | None = None,
        **keywords: Unpack[Keywords],
    ) -> None:
        """Begin without documents.

        Args:
            metrics: names (`all` too) or `Metric` values; else the default set.
            keywords: the settings, by name.
        """
        self.settings = settings_from(**keywords)
        self.metrics, _ = metrics_for(metrics, self.settings, keywords)
        if self.settings.scores_split:
            check_metrics(self.metrics)
        self._may_wait = may_wait(self.metrics, self.settings)
        self._copies_matter = (
            self.settings.counts_copies or self.settings.refuses_copies
        )
        self.reset()

    def reset(self) -> None:
        """Forget all documents, and keep metrics and settings."""
        self._gathered = Gathered(Tally(self.metrics))
        self._waiting = Waiting()
        self._sample = Waiting()  # the first documents, to be looked at again
        self._known = Known(self.settings.joins_documents)

    @property
    def document_count(self) -> int:
        """How many documents have been taken."""
        return len(self._gathered.documents) + len(self._waiting.key)

    def __repr__(self) -> str:
        """Say how many documents there are, and how they are scored."""
        return (
            f"<Evaluator of {self.document_count} documents: {self.settings.signature}>"
        )

    def update(
        self,
        key: Input,
        response: Input,
        *,
        document: str | int | None = None,
        format: str | None = None,
    ) -> None:
        """Take one more document, or a batch of them; both sides of each at once.

        Documents that come without ids are numbered from 0. Where an error is raised
        the update counts for nothing, and others may follow.

        Args:
            key: whatever `corefkit.score` takes.
            response: likewise.
            document: the id of the one document that both are.
            format: the format of files; recognised if not given.

        >>> evaluator = Evaluator()
        >>> evaluator.update({"a": ["xyz"], "b": ["uv"]}, {"a": ["xy"], "b": []})
        >>> evaluator.update(["rst"], ["rst"], document="c")
        >>> evaluator.compute().documents
        ('a', 'b', 'c')
        """
        named = document is not None
        if self._may_wait:
            plain = plain_partitions((key, response))
            if plain is not None:
                name = id_of(document) if named else str(self.document_count)
                self._add({name: plain[0]}, {name: plain[1]}, named=named)
                if not named:
                    self._known.shapes.add(Shape.PARTITION)
                return
        both = in_memory_both(
            key, response, single=named, usual=self._known.usual_shape
        )
        if both is None and named:
            message = "a name is given to what is in files or tables"
            raise PairingError(message, hint="documents there have ids")
        if both is None:
            self._count(key, response, named=True, format=format)
            return
        if named:
            both = both.called(id_of(document))
        elif not both.are_named:
            both = both.numbered_from(self.document_count)
        if self._may_wait and both.are_partitions:
            sides = both.key.documents, both.response.documents
            self._add(*cast("Any", sides), named=both.are_named)
        else:
            self._count(*both, named=both.are_named)
        if not both.are_named:
            self._known.shapes.add(shape_of(both))

    def _add(
        self,
        key: Mapping[str, Entities],
        response: Mapping[str, Entities],
        *,
        named: bool,
    ) -> None:
        """Let partitions wait until there are enough of them."""
        self._known.admit(key, named=named)
        mentions = mentions_in(key) + mentions_in(response)
        if mentions:
            refuse_other_kind("names", self._gathered.mentions)
        if self._copies_matter and any(
            map(are_repeated, (*key.values(), *response.values()))
        ):
            self._count(Corpus(key), Corpus(response), named=named)
            return
        self._waiting.add(key, response, mentions)
        self._known.add_ids(key, named=named)
        if self._waiting.are_enough:
            self._count_waiting()

    def _count_waiting(self) -> None:
        """Count the partitions that wait."""
        waiting = self._waiting
        if not waiting.key:
            return
        self._gathered.take(waiting.counted(self.metrics, self.settings))
        self._waiting = Waiting()
        self._sample.keep(waiting.key, waiting.response)

    def _count(
        self, key: Input, response: Input, *, named: bool, format: str | None = None
    ) -> None:
        """Count documents at once, since something may be wrong with them."""
        settings = self.settings
        with opened_runs(key, [response], settings=settings, format=format) as (run,):
            tally = counted_runs([run], self.metrics)[run.number]
            found = gathered_from(run, tally)
        unpaired, named = found.unpaired, named or settings.joins_documents
        ids = [*found.documents, *unpaired.missing]
        if ids:
            self._known.admit(ids, unpaired.extra, named=named)
        self._count_waiting()
        refuse_other_kind(found.mentions, self._gathered.mentions)
        self._gathered.take(found)
        self._known.add(found, named=named)
        if isinstance(key, Corpus) and isinstance(response, Corpus):
            self._sample.keep(key.documents, response.documents)

    def compute(self) -> Evaluation:
        """Score all documents so far; others may follow.

        >>> evaluator = Evaluator(metrics="muc")
        >>> evaluator.update(["abc"], ["ab"])
        >>> evaluator.compute()["muc"].recall
        0.5
        """
        self._count_waiting()
        if not self._gathered.tally.rows:
            return score({}, {}, metrics=self.metrics, settings=self.settings)
        warnings = self._sample.warnings(self._gathered, self.settings)
        return self._gathered.evaluation(self.settings, warnings)

    def merge(self, other: Evaluator) -> None:
        """Take the documents of another evaluator, behind these.

        Documents without ids are numbered anew; the other stays as it is.

        >>> one, other = Evaluator(), Evaluator()
        >>> one.update(["abc"], ["ab"])
        >>> other.update(["uv"], ["uv"])
        >>> one.merge(other)
        >>> one.compute().documents
        ('0', '1')
        """
        if not isinstance(other, Evaluator) or other is self:
            what = "itself" if other is self else f"a {type(other).__name__}"
            message = f"an evaluator is merged with another, and not with {what}"
            raise SettingsError(message)
        refuse_unlike((self.settings, self.metrics), (other.settings, other.metrics))
        for each in (self, other):
            each._count_waiting()
        found, known = other._gathered, other._known
        refuse_other_kind(found.mentions, self._gathered.mentions)
        if known.named is not None:
            self._known.admit(known.key, known.extra, named=known.named)
        if known.named is False:
            found = found.numbered_from(self.document_count)
        self._gathered.take(found)
        self._known.take(known)
        self._sample = self._sample if self._sample.key else other._sample

    @property
    def state(self) -> dict[str, Any]:
        """All that was counted, as plain values for other processes, or for a file.

        Strings, numbers and arrays of them; JSON once arrays are turned into lists.

        >>> Evaluator(metrics="muc").state["metrics"]
        ['muc']
        """
        self._count_waiting()
        return state_of(self._gathered, self.settings, named=self._known.named)

    @classmethod
    def from_state(
        cls,
        state: Mapping[str, Any],
        *,
        metrics: str | Iterable[str | Metric] | None = None,
    ) -> Evaluator:
        """Make an evaluator of the state of another.

        Args:
            state: what `state` gave, here or elsewhere.
            metrics: those of the state, where some are of your own.

        >>> evaluator = Evaluator(metrics="muc")
        >>> evaluator.update(["abc"], ["ab"])
        >>> Evaluator.from_state(evaluator.state).compute()["muc"].recall
        0.5
        """
        settings = settings_in(state)
        wanted = state.get("metrics") if metrics is None else metrics
        made = cls(metrics=wanted, settings=settings)
        made._gathered = gathered_in(state, made.metrics)
        how = {"joined": settings.joins_documents, "named": state["named"]}
        made._known = Known.of(made._gathered, **how)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Let an evaluator be sent to another process: its state, and own metrics."""
        known = {metric.name: metric for metric in known_metrics()}
        own = any(known.get(metric.name) is not metric for metric in self.metrics)
        metrics = self.metrics if own else None
        return partial(Evaluator.from_state, metrics=metrics), (self.state,)
