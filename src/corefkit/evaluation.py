"""What scoring gives back: counts of every document, scores made of them on demand."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np

from corefkit.corpus.declaration import NOTHING_DECLARED, Declaration
from corefkit.corpus.fingerprint import NO_PRINTS, Fingerprint, corpus_print
from corefkit.metrics import CONLL
from corefkit.metrics.base import COUNTS, Metric, Score
from corefkit.settings import VERSION, Settings
from corefkit.strings.escaping import for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.columns import Floats, Hashes

Value = str | int | float | None | list["Value"] | dict[str, "Value"]


@dataclass(frozen=True, slots=True)
class DocumentScores:
    """The scores of one document, by metric name.

    >>> import corefkit
    >>> result = corefkit.score({"d": ["abc"]}, {"d": ["ab"]})
    >>> result.per_document[0].document, result.per_document[0]["muc"].recall
    ('d', 0.5)
    """

    document: str
    scores: Mapping[str, Score]

    def __getitem__(self, name: str) -> Score:
        """Give the score of one metric, or of the CoNLL mean."""
        if name in self.scores:
            return self.scores[name]
        if name not in self:
            raise _not_computed(name, self.scores)
        return _conll_mean([self.scores[part] for part in CONLL])

    def __contains__(self, name: object) -> bool:
        """Say whether a metric, or the CoNLL mean, was computed."""
        mean = name == "conll" and all(part in self.scores for part in CONLL)
        return mean or name in self.scores

    @property
    def conll(self) -> float | None:
        """The mean F1 of MUC, B³ and CEAFe; None unless all three were computed."""
        return self["conll"].f1 if "conll" in self else None


class Scored(Protocol):
    """Scores that can be shown: of an evaluation, or stored as JSON before."""

    @property
    def key(self) -> str:
        """What the user called the key."""
        ...

    @property
    def response(self) -> str:
        """What the user called the response."""
        ...

    @property
    def signature(self) -> str:
        """What was computed, in one line."""
        ...

    @property
    def changed(self) -> Mapping[str, str] | None:
        """The settings that are not the default, by name; None where not known."""
        ...

    @property
    def corpus(self) -> Fingerprint:
        """What it was computed on."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know about the input, one sentence each."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why the scores may not say what they should, one sentence each."""
        ...

    @property
    def labels(self) -> Mapping[str, str]:
        """How tables call each metric."""
        ...

    @property
    def scores(self) -> Mapping[str, Score]:
        """The score of every metric."""
        ...

    @property
    def conll(self) -> float | None:
        """The CoNLL mean, where its three metrics were computed."""
        ...

    @property
    def document_count(self) -> int:
        """How many documents were scored."""
        ...

    @property
    def per_document(self) -> tuple[DocumentScores, ...]:
        """The scores of each document, where they are known."""
        ...


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation:
    """One response scored against the key.

    Attributes:
        key: what the user called the key.
        response: what the user called the response.
        settings: what was computed.
        metrics: the metrics, in the order they were asked for.
        documents: the ids of the scored documents, in the order of the key.
        counts: for each metric its counts, one row a document.
        notes: what a user should know about the input, one sentence each.
        repetitions: what the reference scorer prints about repeated mentions, where its
            policy is followed.
        prints: what the corpus is known by, one row a document.
        declared: what key and response declare of the corpus.
        warnings: why the scores may not say what they should: mentions or words of a
            side that do not meet the other's, with the likely reason.

    >>> import corefkit
    >>> result = corefkit.score(["abc", "defg"], ["ab", "cd", "fghi"])
    >>> round(result["muc"].f1, 4), round(result.conll, 4)
    (0.4, 0.4582)
    """

    key: str
    response: str
    settings: Settings
    metrics: tuple[Metric, ...]
    documents: tuple[str, ...]
    counts: Mapping[str, Floats]
    notes: tuple[str, ...] = ()
    repetitions: tuple[str, ...] = ()
    prints: Hashes = field(default_factory=lambda: NO_PRINTS)
    declared: Declaration = NOTHING_DECLARED
    warnings: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Score:
        """Give the score of one metric, or of the CoNLL mean, over all documents.

        Under `average="macro"`, recall, precision and F1 are the means of the
        documents', and the counts are still the sums.
        """
        metric = self._metric(name)
        if metric is None:
            if name not in self:
                raise _not_computed(name, self)
            return _conll_mean([self[part] for part in CONLL])
        rows = self.counts[metric.name]
        total = metric.score(_totals(rows), self.settings)
        if not self.settings.is_macro or not len(rows):
            return total
        return _mean(total, [metric.score(row, self.settings) for row in rows])

    def _metric(self, name: object) -> Metric | None:
        called = (metric for metric in self.metrics if metric.is_called(name))
        return next(called, None)

    def __iter__(self) -> Iterator[str]:
        """Go through the names of the metrics."""
        return (metric.name for metric in self.metrics)

    def __contains__(self, name: object) -> bool:
        """Say whether a metric, or the CoNLL mean, was computed."""
        mean = name == "conll" and all(part in self.counts for part in CONLL)
        return mean or self._metric(name) is not None

    def __str__(self) -> str:
        """Give the table that `corefkit score` prints, and what it warns of."""
        # Local: reports stand to the right of scoring, and few results are printed.
        from corefkit.report import WRITERS

        warnings = [f"warning: {for_terminal(warning)}" for warning in self.warnings]
        return "\n".join([WRITERS["table"]([self]), *warnings])

    def __repr__(self) -> str:
        """Name what was scored, and how."""
        return f"<Evaluation of {self.response!r}: {self.signature}>"

    @property
    def scores(self) -> dict[str, Score]:
        """The score of every metric."""
        return {name: self[name] for name in self}

    @property
    def conll(self) -> float | None:
        """The mean F1 of MUC, B³ and CEAFe; None unless all three were computed."""
        return self["conll"].f1 if "conll" in self else None

    @property
    def signature(self) -> str:
        """The settings in one line, to be cited with the scores."""
        return self.settings.signature

    @property
    def changed(self) -> dict[str, str]:
        """The settings that are not the default, by name."""
        return self.settings.changed

    @property
    def corpus(self) -> Fingerprint:
        """What the scores were computed on."""
        return replace(corpus_print(self.prints), declared=self.declared)

    @property
    def labels(self) -> dict[str, str]:
        """How tables call each metric."""
        return {metric.name: metric.label for metric in self.metrics}

    @property
    def document_count(self) -> int:
        """How many documents were scored."""
        return len(self.documents)

    @property
    def per_document(self) -> tuple[DocumentScores, ...]:
        """The scores of each document."""
        return tuple(
            DocumentScores(
                document,
                {
                    metric.name: metric.score(
                        self.counts[metric.name][row], self.settings
                    )
                    for metric in self.metrics
                },
            )
            for row, document in enumerate(self.documents)
        )

    def to_dict(self, *, per_document: bool = False) -> dict[str, Value]:
        """Give what `corefkit score --format json` prints, as plain values."""
        return json_values([self], per_document=per_document)

    def to_records(self, *, per_document: bool = False) -> list[dict[str, Value]]:
        """Give a flat record for each metric, or document and metric: data frame rows.

        >>> import corefkit
        >>> result = corefkit.score(["abc"], ["ab"], metrics=["muc"])
        >>> result.to_records()[0]["recall"]
        0.5
        """
        if not per_document:
            return [self._record(name, self[name]) for name in self]
        return [
            {"document": row.document, **self._record(name, row[name])}
            for row in self.per_document
            for name in self
        ]

    def _record(self, name: str, score: Score) -> dict[str, Value]:
        values: dict[str, Value] = {"response": self.response, "metric": name}
        for column, value in score_values(score).items():
            if isinstance(value, dict):
                value.pop("undefined", None)
                values |= {f"{column}_{part}": one for part, one in value.items()}
            elif column != "undefined":
                values[column] = value
        return values | {"signature": self.signature}


def _conll_mean(parts: Sequence[Score]) -> Score:
    """Give the means of recall, precision and F1; a mean has no counts."""
    recall, precision, f1 = (
        math.fsum(getattr(part, ratio) for part in parts) / len(parts)
        for ratio in ("recall", "precision", "f1")
    )
    undefined = [
        ratio
        for ratio in ("recall", "precision")
        if all(ratio in part.undefined for part in parts)
    ]
    counts = (math.nan,) * 4
    return Score(recall, precision, f1, *counts, undefined=tuple(undefined))


def _not_computed(name: object, names: Iterable[str]) -> KeyError:
    return KeyError(f"no metric {name!r} was computed, only {', '.join(names)}")


def json_values(
    results: Sequence[Scored], *, per_document: bool = False
) -> dict[str, Value]:
    """Give the JSON of one or more results, as plain values.

    The first one's key, signature and settings that are not the default stand above
    all; a system of another key or signature, which only stored results bring along,
    has its own too.
    """
    first, *_ = results
    systems: list[Value] = []
    for one in results:
        system = _system(one, per_document=per_document)
        if (one.key, one.signature) != (first.key, first.signature):
            system |= {"key": one.key, "signature": one.signature}
            if one.changed or first.changed:
                system["settings"] = _settings(one)
        systems.append(system)
    settings = {"settings": _settings(first)} if first.changed else {}
    return {
        "corefkit": VERSION,
        "signature": first.signature,
        **settings,
        "key": first.key,
        "systems": systems,
    }


def _settings(result: Scored) -> Value:
    return None if result.changed is None else {**result.changed}


def _system(result: Scored, *, per_document: bool) -> dict[str, Value]:
    """Give one response's part of the JSON."""
    system: dict[str, Value] = {
        "response": result.response,
        "documents": result.document_count,
        "corpus": cast("Value", result.corpus.to_dict()),
        "scores": _every_score(result.scores),
    }
    if result.conll is not None:
        system["conll"] = result.conll
    if result.notes:
        system["notes"] = list(result.notes)
    if result.warnings:
        system["warnings"] = list(result.warnings)
    if per_document:
        system["per_document"] = [
            {"document": row.document, "scores": _every_score(row.scores)}
            for row in result.per_document
        ]
    return system


def _every_score(scores: Mapping[str, Score]) -> dict[str, Value]:
    return {name: score_values(score) for name, score in scores.items()}


def has_values(results: Sequence[Scored]) -> bool:
    """Say whether a metric of any of the results has a value beside F1."""
    scores = (score for result in results for score in result.scores.values())
    return any(score.value is not None for score in scores)


def score_values(score: Score) -> dict[str, Value]:
    """Give a score as plain values; counts that are whole numbers are integers."""
    values: dict[str, Value] = {
        "recall": score.recall,
        "precision": score.precision,
        "f1": score.f1,
    }
    if score.value is not None:
        values["value"] = score.value
    if score.coreference is not None and score.non_coreference is not None:
        values["coreference"] = score_values(score.coreference)
        values["non_coreference"] = score_values(score.non_coreference)
    else:
        for name in COUNTS:
            count = getattr(score, name)
            values[name] = int(count) if count == int(count) else count
    if score.undefined:
        values["undefined"] = list(score.undefined)
    return values


def _totals(rows: Floats) -> Floats:
    """Add the counts of documents up, whose order makes no difference."""
    totals: Floats = rows.sum(axis=0)
    for column in np.flatnonzero((rows % 1 != 0).any(axis=0)).tolist():
        totals[column] = math.fsum(rows[:, column])
    return totals


def _mean(total: Score, scores: list[Score]) -> Score:
    many = len(scores)
    values = [score.value for score in scores if score.value is not None]
    return replace(
        total,
        recall=math.fsum(score.recall for score in scores) / many,
        precision=math.fsum(score.precision for score in scores) / many,
        f1=math.fsum(score.f1 for score in scores) / many,
        value=math.fsum(values) / many if values else None,
    )
