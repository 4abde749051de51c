"""Evaluator: scores of documents or batches one at a time, for training loops.

    evaluator = corefkit.Evaluator()
    for key, response in batches:
        evaluator.update(key, response)
    evaluator.compute().conll

`compute` returns the same result, bit for bit, as `corefkit.score` of all documents,
whatever the batches. Partitions are collected and counted in blocks, which is several
times faster than counting them one by one. An invalid document raises an error in the
update that contains it, and this update is not counted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import partial
from itertools import chain, count
from threading import RLock
from typing import TYPE_CHECKING, Any, Unpack, cast

import numpy as np

from corefkit.alignment.pairing import Pair
from corefkit.alignment.pipeline import (
    check_no_window,
    make_run,
    needs_warning,
    open_runs,
)
from corefkit.evaluation import count_runs, evaluate
from corefkit.exceptions import FormatError, PairingError, SettingsError, quoted
from corefkit.formats.in_memory import (
    MemoryCorpus,
    MentionNames,
    PartitionSource,
    check_declaration,
    excerpt,
    is_builtin,
    list_entities,
    read_value,
    settle_lists,
)
from corefkit.metrics.registry import METRICS, iter_metrics, select_metrics
from corefkit.metrics.split import check_split_support
from corefkit.model import Document
from corefkit.scoring import score
from corefkit.settings import (
    VERSION,
    Keywords,
    Settings,
    check_known,
    expand_settings,
    resolve_settings,
)
from corefkit.strings import normalize_id
from corefkit.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.alignment.pipeline import Run
    from corefkit.evaluation import Evaluation
    from corefkit.formats import Input
    from corefkit.formats.in_memory import Entities
    from corefkit.metrics.metric import Metric

    Documents = Mapping[str, Document | Entities]

# Documents and mentions that are counted as one block, and kept to explain warnings.
_MAX_DOCUMENTS = 256
_MAX_MENTIONS = 1 << 14
# The number of a document without id, in a place.
_NUMBER = re.compile(
    r"(?<=^key, document ')\d+(?=')|(?<=^response, document ')\d+(?=')"
)
_STATE_VERSION = 2
_STATE_PLACE = "state"
_DUPLICATES = ("error", "skip")


class DocumentBlock:
    """Documents of both sides by id, with the number of their mentions."""

    def __init__(self) -> None:
        self.key: dict[str, Document | Entities] = {}
        self.response: dict[str, Document | Entities] = {}
        self.mentions = 0

    @property
    def is_full(self) -> bool:
        """Whether more documents would save no time, and take memory."""
        return len(self.key) >= _MAX_DOCUMENTS or self.mentions >= _MAX_MENTIONS

    def add(self, key: Documents, response: Documents) -> None:
        """Add documents, unless the block is full."""
        if not self.is_full:
            self.key.update(key)
            self.response.update(response)
            self.mentions += _count_mentions(key) + _count_mentions(response)

    def count(self, metrics: tuple[Metric, ...], settings: Settings) -> Tally:
        """Count the documents, which are partitions."""
        names = MentionNames()
        key, response = (
            PartitionSource(role, cast("Mapping[str, Entities]", documents), names)
            for role, documents in (("key", self.key), ("response", self.response))
        )
        pairs = [Pair(number, number) for number in range(len(self.key))]
        run = make_run(key, response, pairs, Tally(), settings=settings)
        count_runs([run], metrics)
        if self.mentions:
            run.tally.firsts["mentions"] = "", "names"
        return run.tally

    def find_warnings(self, tally: Tally, settings: Settings) -> tuple[str, ...]:
        """Explain why few mentions of all documents match, from these documents."""
        if not needs_warning(tally):
            return ()
        from corefkit.alignment.mismatch import list_warnings

        key, response = (
            MemoryCorpus(
                role,
                documents,
                any(isinstance(value, Document) for value in documents.values()),
            )
            for role, documents in (("key", self.key), ("response", self.response))
        )
        with open_runs(key, [response], settings=settings) as (run,):
            run.tally = tally
            for source, name in zip(run.inputs, tally.names, strict=True):
                source.name = name
            return list_warnings(run, documents=len(tally.documents))


def _read_pair(
    key: object, response: object, *, single: bool, mentions: str | None
) -> list[MemoryCorpus] | None:
    """Read a key and a response in memory; None if one is a file or table."""
    if _is_stored(key) or _is_stored(response):
        return None
    key_side = read_value(key, "key", mentions)
    response_side = read_value(response, "response", mentions)
    if single:
        _check_single(key, key_side, "key")
        _check_single(response, response_side, "response")
    settled = settle_lists({0: key_side, 1: response_side}, 1 if single else None)
    return [settled[0], settled[1]]


def _is_stored(side: object) -> bool:
    if is_builtin(side) or isinstance(side, MemoryCorpus):
        return isinstance(side, str)
    from corefkit.formats.frames import wrap_frame

    return isinstance(side, os.PathLike) or wrap_frame(side, "key") is not None


def _check_single(value: object, side: MemoryCorpus, role: str) -> None:
    """Raise FormatError unless a side is a single document without another id."""
    if side.items is not None or side.depth is not None:
        is_single = side.depth != 2
    else:
        documents = list(side.documents.values())
        is_single = len(documents) == 1 and isinstance(documents[0], Document)
    if not is_single:
        kind = "a mapping" if isinstance(value, Mapping) else "several documents"
        message = f"found {kind}, expected the one document that is named"
        hint = "a batch of documents is {id: [[mention, ...], ...], ...}"
        raise FormatError(
            message, code="input/several-documents", place=role, hint=hint
        )


def _rename(side: MemoryCorpus, ids: Iterable[str]) -> MemoryCorpus:
    documents = dict(zip(ids, side.documents.values(), strict=False))
    return MemoryCorpus(side.role, documents, *side[2:])


def _are_partitions(key: MemoryCorpus, response: MemoryCorpus) -> bool:
    """Return whether both sides have the same documents, and mentions are names."""
    ids = list(key.documents)
    return (
        not (key.has_spans or response.has_spans)
        and ids == list(response.documents)
        and (len(ids) < 2 or len(set(map(normalize_id, ids))) == len(ids))
    )


def _count_mentions(documents: Documents) -> int:
    entities = chain.from_iterable(map(list_entities, documents.values()))
    return sum(map(len, entities))


def _has_copies(document: Document | Entities) -> bool:
    mentions = list(chain.from_iterable(list_entities(document)))
    return len(set(mentions)) < len(mentions)


def _renumber(tally: Tally, first: int) -> Tally:
    """Number documents without ids from some number on, also in places."""

    def move(text: str) -> str:
        return _NUMBER.sub(lambda match: str(int(match[0]) + first), text, count=1)

    firsts = {
        name: (document, move(text)) for name, (document, text) in tally.firsts.items()
    }
    numbers = range(first, first + len(tally.documents))
    drift = {move(name): row for name, row in tally.drift.items()}
    return replace(tally, firsts=firsts, documents=list(map(str, numbers)), drift=drift)


def _find_mention_type(run: Run) -> str:
    """Return whether mentions are names or tokens of a text; "" without mentions."""
    totals, key = run.tally.totals, run.inputs[0]
    if not totals["mentions/key"] and not totals["mentions/response"]:
        return ""
    is_named = isinstance(key, PartitionSource) or key.has_names
    return "names" if is_named else "tokens"


def _check_mention_type(mentions: str, tally: Tally) -> None:
    _, earlier = tally.firsts.get("mentions", ("", ""))
    if mentions and earlier and mentions != earlier:
        message = f"mentions are {mentions} here, and {earlier} in earlier updates"
        hint = (
            "mentions of documents with words, of files and of `Mention` values are "
            "tokens, and of partitions names: give all documents in one way"
        )
        raise PairingError(message, code="pairing/different-mentions", hint=hint)


def _make_repeated_error(name: str, *, joined: bool) -> PairingError:
    message = f"document {quoted(name)} is repeated"
    hint = "it was counted earlier, here or in a merged evaluator"
    if joined:
        message = f"documents scored as one, {quoted(name)}, are in several updates"
        hint = "give all documents of a topic, or of the corpus, in one update"
    return PairingError(message, code="pairing/repeated-document", hint=hint)


def _make_split_error(name: str) -> PairingError:
    message = f"key and response of document {quoted(name)} are in different updates"
    hint = "give both sides of a document in one update"
    return PairingError(message, code="pairing/missing-document", hint=hint)


def _format_id(document: object) -> str:
    if isinstance(document, str) or hasattr(document, "__index__"):
        return str(document)
    message = f"found {excerpt(document)}, expected the id of a document"
    raise FormatError(message, code="input/not-an-id", place="document")


class Evaluator:
    """Scores that accumulate over documents or batches of them.

    It takes the same inputs as `corefkit.score`, a document or a batch at a time.
    Threads may share it: their updates are counted in the order in which they arrive,
    and `compute` scores complete updates only.

    Attributes:
        metrics: the metrics, in the order of the request.
        settings: the settings of scoring.

    >>> import corefkit
    >>> evaluator = corefkit.Evaluator(metrics=["muc", "lea"])
    >>> evaluator.update([[(0, 1), (4, 4), (6, 7)]], [[(0, 1), (4, 4)]])
    >>> evaluator.update([["Ann", "she"]], [["Ann", "she"]])
    >>> result = evaluator.compute()
    >>> result.documents, round(result["muc"].recall, 4)
    (('0', '1'), 0.6667)
    """

    @expand_settings
    def __init__(
        self,
        *,
        metrics: str | Iterable[str | Metric] | None = None,
        mentions: str | None = None,
        duplicates: str = "error",
        **keywords: Unpack[Keywords],
    ) -> None:
        """Begin without documents.

        Args:
            metrics: names (`all` too) or `Metric` values; the default set if not given.
            mentions: how mentions of lists are declared, as for `corefkit.score`.
            duplicates: what happens to a document that was added before: `error`, or
                `skip`, which ignores it if its counts are the same. Distributed
                samplers repeat documents.
            keywords: the settings, by name.
        """
        self._lock = RLock()
        self.settings = resolve_settings(**keywords)
        check_no_window(self.settings)
        self.metrics, _ = select_metrics(metrics, self.settings, keywords)
        if self.settings.scores_split:
            check_split_support(self.metrics)
        check_declaration(mentions)
        self._mentions = mentions
        message = f"unknown value {duplicates!r} for 'duplicates'"
        check_known(duplicates, _DUPLICATES, message)
        self._duplicates = duplicates
        # Counting partitions cannot fail then, so it can be deferred.
        self._can_wait = (
            all(METRICS.get(metric.name) is metric for metric in self.metrics)
            and duplicates == "error"
            and self.settings.is_exact
            and not self.settings.joins_documents
            and not self.settings.scores_split
            and not self.settings.selects_mentions
        )
        self._copies_matter = (
            self.settings.counts_copies or self.settings.refuses_copies
        )
        self.reset()

    def reset(self) -> None:
        """Remove all documents; metrics and settings are kept."""
        with self._lock:
            self._tally = Tally()
            self._waiting = DocumentBlock()
            self._sample = DocumentBlock()  # the first documents, to explain warnings
            # The ids of documents so far, normalized, with whether the key has them.
            self._ids: dict[str, bool] = {}
            self._is_named: bool | None = None  # None if there are no documents

    @property
    def document_count(self) -> int:
        """The number of documents so far."""
        with self._lock:
            return len(self._tally.documents) + len(self._waiting.key)

    def __repr__(self) -> str:
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
        """Add a document or a batch of documents, with both sides of each.

        Documents without ids are numbered from 0. If an error is raised, the update is
        not counted, and further updates are possible.

        Args:
            key: any input of `corefkit.score`.
            response: any input of `corefkit.score`.
            document: the id of the document, if each side is a single one.
            format: the format of files; recognised if not given.

        >>> evaluator = Evaluator()
        >>> evaluator.update({"a": ["xyz"], "b": ["uv"]}, {"a": ["xy"], "b": []})
        >>> evaluator.update(["rst"], ["rst"], document="c")
        >>> evaluator.compute().documents
        ('a', 'b', 'c')
        """
        with self._lock:
            is_single = document is not None
            pair = _read_pair(key, response, single=is_single, mentions=self._mentions)
            if pair is None and is_single:
                message = "documents in files and tables have ids, and get no other"
                code = "settings/conflict"
                raise PairingError(message, code=code, hint="remove document=")
            if pair is None:
                self._count(key, response, given=True, format=format)
                return
            key_side, response_side = pair
            given = is_single or key_side.is_named or response_side.is_named
            if is_single:
                name = _format_id(document)
                key_side, response_side = (_rename(side, [name]) for side in pair)
            elif not given:
                first = self.document_count
                key_side = _rename(key_side, map(str, count(first)))
                response_side = _rename(response_side, map(str, count(first)))
            if self._can_wait and _are_partitions(key_side, response_side):
                self._add(key_side, response_side, given=given)
            else:
                self._count(key_side, response_side, given=given)

    def _check_ids(
        self, key: Iterable[str], extra: Iterable[str] = (), *, given: bool
    ) -> None:
        """Raise PairingError if documents of the key, or extra ones, were seen."""
        if self._is_named is not None and given is not self._is_named:
            has, had = ("have ids", "have none")[:: 1 if given else -1]
            message = f"documents {has} here, and {had} in earlier updates"
            hint = "give all an id: update(..., document=...), or {id: partition, ...}"
            raise PairingError(message, code="pairing/unnamed-documents", hint=hint)
        if not given:
            return
        for name in key:
            in_key = self._ids.get(normalize_id(name))
            if in_key:
                raise _make_repeated_error(name, joined=self.settings.joins_documents)
            if in_key is not None:
                raise _make_split_error(name)
        for name in extra:
            if self._ids.get(normalize_id(name)):
                raise _make_split_error(name)

    def _add_ids(
        self, key: Iterable[str], extra: Iterable[str] = (), *, given: bool
    ) -> None:
        self._ids |= dict.fromkeys(map(normalize_id, extra), False)
        if given:
            self._ids |= dict.fromkeys(map(normalize_id, key), True)

    def _list_ids(self, tally: Tally) -> tuple[list[str], list[str]]:
        """List the documents of a tally: those of the key, and those without key."""
        if self.settings.joins_documents:  # only the joined ones have an id
            return tally.documents, []
        return [*tally.documents, *tally.key_only], tally.response_only

    def _add(self, key: MemoryCorpus, response: MemoryCorpus, *, given: bool) -> None:
        """Add partitions to the waiting block; count it if it is full."""
        sides = key.documents, response.documents
        self._check_ids(key.documents, given=given)
        if self._tally.firsts and any(map(_count_mentions, sides)):
            _check_mention_type("names", self._tally)
        if self._copies_matter:
            documents = chain.from_iterable(side.values() for side in sides)
            if any(map(_has_copies, documents)):
                self._count(key, response, given=given)
                return
        self._waiting.add(*sides)
        self._is_named = given
        self._add_ids(key.documents, given=given)
        if self._waiting.is_full:
            self._count_waiting()

    def _count_waiting(self) -> None:
        waiting = self._waiting
        if not waiting.key:
            return
        self._tally += waiting.count(self.metrics, self.settings)
        self._waiting = DocumentBlock()
        self._sample.add(waiting.key, waiting.response)

    def _count(
        self, key: Input, response: Input, *, given: bool, format: str | None = None
    ) -> None:
        """Count documents at once, because counting them may fail."""
        settings = self.settings
        with open_runs(key, [response], settings=settings, format=format) as (run,):
            count_runs([run], self.metrics)
            tally, mentions = run.tally, _find_mention_type(run)
        given = given or settings.joins_documents
        if given:
            tally = self._drop_duplicates(tally)
        ids, extra = self._list_ids(tally)
        if ids:
            self._check_ids(ids, extra, given=given)
        self._count_waiting()
        _check_mention_type(mentions, self._tally)
        if mentions:
            tally.firsts["mentions"] = "", mentions
        self._tally += tally
        if ids:
            self._is_named = given
        self._add_ids(ids, extra, given=given)
        if isinstance(key, MemoryCorpus) and isinstance(response, MemoryCorpus):
            self._sample.add(key.documents, response.documents)

    def _drop_duplicates(self, tally: Tally) -> Tally:
        """Drop documents that were added before; raise if their counts differ."""
        known = self._ids if self._duplicates == "skip" else {}
        repeated = {
            name
            for name in (*tally.documents, *tally.key_only)
            if known.get(normalize_id(name))
        }
        if not repeated or self.settings.joins_documents:
            return tally
        rows = {
            normalize_id(name): row for row, name in enumerate(self._tally.documents)
        }
        counts, earlier = tally.joined_counts, self._tally.joined_counts
        new = []
        for row, name in enumerate(tally.documents):
            if name not in repeated:
                new.append(row)
                continue
            first = rows.get(normalize_id(name))
            if first is None or any(
                not np.array_equal(counts[metric][row], earlier[metric][first])
                for metric in counts
            ):
                message = f"document {quoted(name)} is repeated with other counts"
                hint = "`duplicates='skip'` ignores only identical documents"
                code = "pairing/repeated-document"
                raise PairingError(message, code=code, hint=hint)
        if not new:
            return Tally()
        return replace(
            tally,
            documents=[tally.documents[row] for row in new],
            counts=[{name: rows[new] for name, rows in counts.items()}],
            prints=[tally.joined_prints[new]],
            key_only=[name for name in tally.key_only if name not in repeated],
        )

    def compute(self) -> Evaluation:
        """Score all documents so far; more can be added afterwards.

        >>> evaluator = Evaluator(metrics="muc")
        >>> evaluator.update(["abc"], ["ab"])
        >>> evaluator.compute()["muc"].recall
        0.5
        """
        with self._lock:
            self._count_waiting()
            if not self._tally.counts:
                return score({}, {}, metrics=self.metrics, settings=self.settings)
            warnings = self._sample.find_warnings(self._tally, self.settings)
            return evaluate(self._tally, self.metrics, self.settings, warnings)

    def merge(self, other: Evaluator) -> None:
        """Append the documents of another evaluator, which does not change.

        Documents without ids are renumbered.

        >>> evaluator, other = Evaluator(), Evaluator()
        >>> evaluator.update(["abc"], ["ab"])
        >>> other.update(["uv"], ["uv"])
        >>> evaluator.merge(other)
        >>> evaluator.compute().documents
        ('0', '1')
        """
        if not isinstance(other, Evaluator) or other is self:
            found = "itself" if other is self else f"a {type(other).__name__} object"
            message = f"found {found}, expected another evaluator"
            raise SettingsError(message, code="input/not-an-evaluator")
        found, expected = (
            f"{evaluator.settings.signature} with the metrics "
            + ", ".join(metric.name for metric in evaluator.metrics)
            for evaluator in (other, self)
        )
        if (self.settings, self.metrics) != (other.settings, other.metrics):
            message = f"found {found}, expected {expected}"
            hint = "evaluators that are merged have the same settings and metrics"
            code = "pairing/different-evaluators"
            raise SettingsError(message, code=code, hint=hint)
        # In the same order in all threads: two may merge each into the other.
        first, second = sorted((self, other), key=id)
        with first._lock, second._lock:
            for evaluator in (self, other):
                evaluator._count_waiting()
            tally, named = other._tally, other._is_named
            _check_mention_type(tally.firsts.get("mentions", ("", ""))[1], self._tally)
            if named:
                tally = self._drop_duplicates(tally)
            if named is not None:
                self._check_ids(*self._list_ids(tally), given=named)
            if named is False:
                tally = _renumber(tally, self.document_count)
            self._tally += tally
            self._is_named = named if self._is_named is None else self._is_named
            self._ids |= other._ids
            if not self._sample.key:
                self._sample.add(other._sample.key, other._sample.response)

    @property
    def state(self) -> dict[str, Any]:
        """All counts as plain values, for other processes or for a file.

        These are strings, numbers and arrays of numbers: JSON, if arrays are converted
        by `tolist`.

        >>> Evaluator(metrics="muc").state["metrics"]
        ['muc']
        """
        with self._lock:
            self._count_waiting()
            return {
                "corefkit": VERSION,
                "form": _STATE_VERSION,
                "metrics": [metric.name for metric in self.metrics],
                "settings": asdict(self.settings),
                "named": self._is_named,
                **self._tally.to_dict(),
            }

    @classmethod
    def from_state(
        cls,
        state: Mapping[str, Any],
        *,
        metrics: str | Iterable[str | Metric] | None = None,
        mentions: str | None = None,
        duplicates: str = "error",
    ) -> Evaluator:
        """Restore an evaluator from the state of another.

        Args:
            state: the value of `state`, from this process or another one.
            metrics: the metrics of the state, if some are custom ones.
            mentions: as for `Evaluator`; a state does not contain it.
            duplicates: as for `Evaluator`; a state does not contain it.

        >>> evaluator = Evaluator(metrics="muc")
        >>> evaluator.update(["abc"], ["ab"])
        >>> Evaluator.from_state(evaluator.state).compute()["muc"].recall
        0.5
        """
        try:
            form, version = state["form"], state.get("corefkit")
            if (version, form) != (VERSION, _STATE_VERSION):
                message = (
                    f"written by corefkit {version} in form {form}, expected {VERSION} "
                    f"and {_STATE_VERSION}"
                )
                hint = "counts may differ between versions: count the documents again"
                code = "input/other-version"
                raise SettingsError(message, code=code, place=_STATE_PLACE, hint=hint)
            settings, names = Settings(**state["settings"]), list(state["metrics"])
            if asdict(settings) != state["settings"]:
                raise KeyError(*(asdict(settings).keys() - state["settings"]))
            evaluator = cls(
                metrics=state["metrics"] if metrics is None else metrics,
                mentions=mentions,
                duplicates=duplicates,
                settings=settings,
            )
            expected = [metric.name for metric in evaluator.metrics]
            if names != expected:
                message = f"has the metrics {', '.join(names)}, expected "
                message += ", ".join(expected)
                code = "pairing/different-evaluators"
                raise SettingsError(message, code=code, place=_STATE_PLACE)
            evaluator._tally = Tally.from_dict(state, names)
            if state["named"] is not None:
                ids, extra = evaluator._list_ids(evaluator._tally)
                evaluator._is_named = state["named"] if ids else None
                evaluator._add_ids(ids, extra, given=state["named"])
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            message = f"a part is missing or invalid ({error}), expected the state"
            hint = "pass the value of `Evaluator.state` unchanged"
            code = "input/invalid-state"
            raise FormatError(
                message, code=code, place=_STATE_PLACE, hint=hint
            ) from error
        return evaluator

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the state, and custom metrics."""
        registered = {metric.name: metric for metric in iter_metrics()}
        is_custom = any(
            registered.get(metric.name) is not metric for metric in self.metrics
        )
        metrics = self.metrics if is_custom else None
        restore = partial(
            Evaluator.from_state,
            metrics=metrics,
            mentions=self._mentions,
            duplicates=self._duplicates,
        )
        return restore, (self.state,)
