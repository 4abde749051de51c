"""Scores of many rows of counts, of documents, and their means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from corefkit.metrics.metric import (
    Formula,
    LazyImport,
    Ratios,
    Score,
    average_conll,
    compute_mean,
    make_key_error,
)
from corefkit.metrics.registry import CONLL
from corefkit.settings import DEFAULT_SETTINGS, Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.arrays.columns import Flags, Floats
    from corefkit.metrics.metric import Metric

_MAX_CACHED = 1 << 17  # scores of documents


def score_all_rows(
    metric: Metric, counts: Floats, settings: Settings = DEFAULT_SETTINGS
) -> Ratios:
    """Score each row of the counts of a metric; row by row if it is a user's."""
    scorer = metric.score
    if isinstance(scorer, LazyImport):
        scorer = scorer.value
    if isinstance(scorer, Formula):
        return scorer.score_rows(counts, settings)
    return _stack_scores([scorer(row, settings) for row in counts])


def _stack_scores(scores: Sequence[Score]) -> Ratios:
    recall, precision, f1 = (
        np.array([getattr(score, name) for score in scores], float)
        for name in ("recall", "precision", "f1")
    )
    no_recall, no_precision, no_value = (
        np.array([name in score.undefined for score in scores], bool)
        for name in ("recall", "precision", "value")
    )
    value = None
    if any(score.value is not None for score in scores):
        # Rows without a value count as 0.
        value = np.array([score.value or 0.0 for score in scores])
    kinds = [(score.coreference, score.non_coreference) for score in scores]
    parts = tuple(
        _stack_scores(part)
        for column in zip(*kinds, strict=True)
        if len(part := [score for score in column if score is not None]) == len(scores)
    )
    figures = recall, precision, f1, no_recall, no_precision
    return Ratios(*figures, value, no_value, parts)


def collect_mean_scores(
    metric: Metric, counts: Floats, settings: Settings
) -> dict[str, tuple[Floats, Flags]]:
    """Collect the scores of documents that are averaged, and flag those that count.

    The names are `recall`, `precision`, `f1`, and `value` if the metric has one. The
    value of undefined scores is a setting. F1 is undefined only if recall and precision
    are.
    """
    ratios = score_all_rows(metric, counts, settings)
    scores = {name: getattr(ratios, name) for name in ("recall", "precision", "f1")}
    if ratios.value is not None:
        scores["value"] = ratios.value
    every = np.ones(len(ratios.f1), bool)
    undefined_as = settings.undefined_as
    if undefined_as == 0:  # the value of undefined scores already
        return {name: (values, every) for name, values in scores.items()}
    flags = {name: ratios.flag_undefined(name) for name in scores}
    if undefined_as is None:
        return {name: (values, ~flags[name]) for name, values in scores.items()}
    return {
        name: (np.where(flags[name], undefined_as, values), every)
        for name, values in scores.items()
    }


def average_scores(total: Score, scores: Mapping[str, tuple[Floats, Flags]]) -> Score:
    """Average the scores of documents that count; the counts are still the sums."""
    means = {
        name: compute_mean(values[is_counted].tolist())
        for name, (values, is_counted) in scores.items()
    }
    return replace(
        total,
        recall=means["recall"],
        precision=means["precision"],
        f1=means["f1"],
        value=means.get("value"),
    )


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
        if name in self.scores:
            return self.scores[name]
        if name not in self:
            raise make_key_error(name, self.scores)
        return average_conll([self.scores[part] for part in CONLL])

    def __contains__(self, name: object) -> bool:
        has_mean = name == "conll" and all(part in self.scores for part in CONLL)
        return has_mean or name in self.scores

    @property
    def conll(self) -> float | None:
        """The mean F1 of MUC, B³ and CEAFe; None unless all three were computed."""
        if "conll" not in self:
            return None
        return compute_mean([self.scores[part].f1 for part in CONLL])


class DocumentRows(Sequence[DocumentScores]):
    """The scores of documents, in order, computed on access.

    A corpus of many small documents has few different rows: equal rows share a score.
    """

    def __init__(
        self,
        documents: Sequence[str],
        metrics: Sequence[Metric],
        counts: Mapping[str, Floats],
        settings: Settings,
    ) -> None:
        self._documents, self._settings = documents, settings
        self._columns = [(metric, counts[metric.name]) for metric in metrics]
        self._cache: dict[tuple[str, bytes], Score] = {}

    def __len__(self) -> int:
        return len(self._documents)

    @overload
    def __getitem__(self, number: int) -> DocumentScores: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[DocumentScores, ...]: ...
    def __getitem__(self, number: int | slice) -> Any:
        if isinstance(number, slice):
            return tuple([self[row] for row in range(len(self))[number]])
        scores = {
            metric.name: self._score(metric, rows[number])
            for metric, rows in self._columns
        }
        return DocumentScores(self._documents[number], scores)

    def _score(self, metric: Metric, counts: Floats) -> Score:
        key = metric.name, counts.tobytes()
        score = self._cache.get(key)
        if score is None:
            if len(self._cache) >= _MAX_CACHED:
                self._cache.clear()
            score = self._cache[key] = metric.score(counts, self._settings)
        return score

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # as for lists
