"""Scores of many rows of counts at once, for whoever draws or swaps documents.

The functions here do what the scorers of single rows do, column by column. They take
rows of counts, and are fastest where each column lies together in memory.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.metrics.base import ratios, undefined_fields
from corefkit.settings import DEFAULT_SETTINGS, Settings, by_choice

if TYPE_CHECKING:
    from corefkit.columns import Flags, Floats
    from corefkit.metrics.base import Metric, Score


@dataclass(frozen=True, slots=True)
class RowScores:
    """The scores of rows of counts, in the order of the rows.

    Attributes:
        recall: the recall of each row; 0 where it is undefined.
        precision: likewise.
        f1: likewise.
        no_recall: which rows have a ratio of recall without denominator.
        no_precision: likewise.
        value: of a metric that has a value, that of each row.
        no_value: which rows have no value, where that can be.
    """

    recall: Floats
    precision: Floats
    f1: Floats
    no_recall: Flags
    no_precision: Flags
    value: Floats | None = None
    no_value: Flags | None = None

    def statistic(self, name: str) -> Floats:
        """Look up recall, precision or F1; the value stands for F1 where there is one.

        >>> ratio_rows(np.array([[1.0, 2.0, 1.0, 1.0]])).statistic("recall").tolist()
        [0.5]
        """
        if name == "f1" and self.value is not None:
            return self.value
        found: Floats = getattr(self, name)
        return found

    def undefined(self, name: str) -> Flags:
        """Flag the rows with a ratio behind the statistic that has no denominator."""
        flags = {"recall": self.no_recall, "precision": self.no_precision}
        if name in flags:
            return flags[name]
        either = self.no_recall | self.no_precision
        return either if self.no_value is None else either | self.no_value


def scores_of_rows(
    metric: Metric, counts: Floats, settings: Settings = DEFAULT_SETTINGS
) -> RowScores:
    """Score each row of a metric's counts.

    A metric of one's own that has a way to score, but none for many rows, is scored row
    by row.

    >>> from corefkit import METRICS
    >>> rows = np.array([[2.0, 5.0, 2.0, 4.0], [0.0, 0.0, 0.0, 1.0]])
    >>> scores_of_rows(METRICS["muc"], rows).recall.tolist()
    [0.4, 0.0]
    """
    score_rows = metric.score_rows
    if score_rows is None:
        score_rows = ratio_rows if metric.score is ratios else None
    if score_rows is not None:
        found: RowScores = score_rows(counts, settings)
        return found
    return _row_by_row([metric.score(row, settings) for row in counts])


def scores_in_mean(
    metric: Metric, counts: Floats, settings: Settings
) -> dict[str, tuple[Floats, Flags]]:
    """List the scores of documents that a mean is made of, and which of them count.

    Both stand by the name of the statistic: `recall`, `precision`, `f1`, and `value` of
    a metric that has one. What a document's undefined score counts as is a setting. F1
    is undefined only if recall and precision are.

    >>> from corefkit import METRICS, Settings
    >>> rows = np.array([[2.0, 4.0, 2.0, 4.0], [0.0, 0.0, 0.0, 0.0]])
    >>> skip = Settings(average="macro", undefined="skip")
    >>> values, counts_in = scores_in_mean(METRICS["muc"], rows, skip)["f1"]
    >>> values.tolist(), counts_in.tolist()
    ([0.5, 0.0], [True, False])
    """
    rows = scores_of_rows(metric, counts, settings)
    found = {name: getattr(rows, name) for name in ("recall", "precision", "f1")}
    if rows.value is not None:
        found["value"] = rows.value
    every = np.ones(len(rows.f1), bool)
    counts_as = settings.undefined_as
    if counts_as == 0:  # as the scores have it
        return {name: (values, every) for name, values in found.items()}
    fields = [undefined_fields(metric.score(row, settings)) for row in counts]
    without = {name: np.array([name in one for one in fields], bool) for name in found}
    if counts_as is None:
        return {name: (values, ~without[name]) for name, values in found.items()}
    return {
        name: (np.where(without[name], counts_as, values), every)
        for name, values in found.items()
    }


def _row_by_row(scores: list[Score]) -> RowScores:
    undefined = [
        {name for part in (score, *_kinds(score)) for name in part.undefined}
        for score in scores
    ]
    has_values = any(score.value is not None for score in scores)
    return RowScores(
        np.array([score.recall for score in scores], float),
        np.array([score.precision for score in scores], float),
        np.array([score.f1 for score in scores], float),
        np.array(["recall" in names for names in undefined], bool),
        np.array(["precision" in names for names in undefined], bool),
        # Of a metric of one's own some rows may have none, which counts as 0.
        np.array([score.value or 0.0 for score in scores]) if has_values else None,
        np.array(["value" in names for names in undefined], bool),
    )


def _kinds(score: Score) -> list[Score]:
    kinds = score.coreference, score.non_coreference
    return [kind for kind in kinds if kind is not None]


def ratio_rows(counts: Floats, settings: Settings = DEFAULT_SETTINGS, /) -> RowScores:
    """Score rows of four counts, as `ratios` does one.

    >>> scores = ratio_rows(np.array([[2.0, 5.0, 2.0, 4.0], [0.0, 0.0, 0.0, 1.0]]))
    >>> scores.f1.round(4).tolist(), scores.no_recall.tolist()
    ([0.4444, 0.0], [False, True])
    """
    del settings  # the same for all of them
    return _shares(counts[..., 0], counts[..., 1], counts[..., 2], counts[..., 3])


def blanc_rows(counts: Floats, settings: Settings = DEFAULT_SETTINGS, /) -> RowScores:
    """Score rows of BLANC's counts, as `blanc_score` does one.

    Which kinds of links count is decided for each row by its own sums.

    >>> links = [2.0, 9.0, 2.0, 8.0, 8.0, 12.0, 8.0, 20.0]
    >>> blanc_rows(np.array([[*links, 6.0, 7.0, 8.0]])).f1.round(4).tolist()
    [0.3676]
    """
    # Local: whoever scores other metrics does without it.
    from corefkit.metrics.blanc import BLANC_RULES

    rule = by_choice(settings, "blanc_rule", BLANC_RULES)
    halves = ratio_rows(counts[..., :4]), ratio_rows(counts[..., 4:8])
    no_recall = halves[0].no_recall | halves[1].no_recall
    no_precision = halves[0].no_precision | halves[1].no_precision
    used = [~half.no_recall for half in halves]
    if rule.response_counts:
        used = [
            in_key | ~half.no_precision
            for in_key, half in zip(used, halves, strict=True)
        ]
    without = np.zeros(np.shape(no_recall))
    if rule.same_is_one:
        found = counts[..., 8]
        same = (counts[..., 9] == found) & (counts[..., 10] == found)
        without[(found != 0) & same] = 1.0
    # Without any kind of links there is neither ratio.
    no_precision |= ~(used[0] | used[1])
    recall, precision, f1 = (
        _mean_of_used([getattr(half, name) for half in halves], used, without)
        for name in ("recall", "precision", "f1")
    )
    return RowScores(recall, precision, f1, no_recall, no_precision)


def ace_rows(counts: Floats, settings: Settings = DEFAULT_SETTINGS, /) -> RowScores:
    """Score rows of the counts of ACE-value, as `ace_score` does one.

    >>> ace_rows(np.array([[0.5, 1.0, 0.5, 0.8, 0.2]])).value.tolist()
    [0.3]
    """
    del settings  # its weights have been counted in
    value, whole = counts[..., 0], counts[..., 1]
    claimed, cost = counts[..., 3], counts[..., 4]
    worth = np.maximum(value, 0.0)
    scores = _shares(worth, whole, worth, claimed)
    return replace(scores, value=_ratio(value - cost, whole, scores.no_recall))


def alpha_rows(counts: Floats, settings: Settings = DEFAULT_SETTINGS, /) -> RowScores:
    """Score rows of the counts of α, as `alpha_score` does one.

    >>> alpha_rows(np.array([[10 / 3, 4, 10 / 3, 4, 82 / 3]])).value.round(4).tolist()
    [0.7455]
    """
    scores = ratio_rows(counts[..., :4], settings)
    agreement, units, pairs = counts[..., 0], counts[..., 1], counts[..., 4]
    values = 2 * units
    distance = values * values - pairs
    no_value = (units < 1) | (distance <= 1e-9 * values * values)
    expected = _ratio(distance, values * (values - 1), no_value)
    observed = _ratio(units - agreement, units, units == 0)
    value = np.where(no_value, 0.0, 1 - _ratio(observed, expected, no_value))
    return replace(scores, value=value, no_value=no_value)


def _shares(
    found: Floats, expected: Floats, correct: Floats, returned: Floats
) -> RowScores:
    no_recall, no_precision = expected == 0, returned == 0
    recall = _ratio(found, expected, no_recall)
    precision = _ratio(correct, returned, no_precision)
    # In the order of `f1`, so that the last bit is the same.
    both = recall + precision
    f1 = _ratio(2 * recall * precision, both, both == 0)
    return RowScores(recall, precision, f1, no_recall, no_precision)


def _ratio(numerator: Floats, denominator: Floats, without: Flags) -> Floats:
    """Divide; what has no denominator is 0."""
    if not without.any():
        quotient: Floats = numerator / denominator
        return quotient
    divisor = np.where(without, 1.0, denominator)
    return np.where(without, 0.0, numerator / divisor)


def _mean_of_used(values: list[Floats], used: list[Flags], without: Floats) -> Floats:
    """Average what is used in each row; where nothing is, there is another value."""
    if all(flags.all() for flags in used):
        mean: Floats = (values[0] + values[1]) / 2
        return mean
    number = used[0].astype(float) + used[1]
    total = np.where(used[0], values[0], 0.0) + np.where(used[1], values[1], 0.0)
    return np.where(number == 0, without, total / np.maximum(number, 1.0))
