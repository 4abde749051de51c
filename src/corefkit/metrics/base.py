"""What a metric is: counts that add up over documents, and scores made of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

import numpy as np

from corefkit.alignment.table import Overlap
from corefkit.columns import Floats
from corefkit.settings import DEFAULT_SETTINGS, Settings

# The counts of a score, in the order of its fields.
COUNTS = tuple(
    f"{side}_{part}"
    for side in ("recall", "precision")
    for part in ("numerator", "denominator")
)
Counter: TypeAlias = Callable[[Overlap], Floats]


class Scorer(Protocol):
    """Makes a score of one row of counts, under the default settings or others."""

    def __call__(self, counts: Floats, settings: Settings = ..., /) -> Score:
        """Score the counts."""
        ...


@dataclass(frozen=True, slots=True)
class Score:
    """Recall, precision and F1 between 0 and 1, and the counts behind them.

    A ratio with denominator 0 is undefined and given as 0; `undefined` names those.
    ACE-value has a `value` beside, which is at most 1 and can be below 0; for the other
    metrics it is None.
    BLANC has the counts of each kind of links in `coreference` and `non_coreference`,
    which are None for the other metrics, and their sums in its own four: its recall and
    precision are no ratios of these. The CoNLL mean has no counts: they are NaN.

    >>> import corefkit
    >>> score = corefkit.score(["abc"], ["ab"])["muc"]
    >>> score.recall, score.recall_numerator, score.recall_denominator
    (0.5, 1.0, 2.0)
    """

    recall: float
    precision: float
    f1: float
    recall_numerator: float = 0.0
    recall_denominator: float = 0.0
    precision_numerator: float = 0.0
    precision_denominator: float = 0.0
    coreference: Score | None = None
    non_coreference: Score | None = None
    undefined: tuple[str, ...] = ()
    value: float | None = None


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: how documents are counted, and how counts become a score.

    Attributes:
        name: the one spelling in Python, on the command line and in JSON.
        label: how tables head its column.
        count: gives one row of additive numbers for each document of a table.
        score: makes a score of such a row, or of a sum of rows.
        aliases: other spellings that are read, never written.

    >>> import corefkit
    >>> table = corefkit.overlap(["abc"], ["ab"])
    >>> metric = corefkit.METRICS["muc"]
    >>> metric.score(metric.count(table)[0]).recall
    0.5
    """

    name: str
    label: str
    count: Counter
    score: Scorer
    aliases: tuple[str, ...] = ()

    def is_called(self, name: object) -> bool:
        """Say whether this is its name or one of its aliases."""
        return name == self.name or name in self.aliases


def ratio(numerator: float, denominator: float) -> float:
    """Divide; what has no denominator is undefined and counts as 0.

    >>> ratio(1, 4), ratio(0, 0)
    (0.25, 0.0)
    """
    return numerator / denominator if denominator else 0.0


def f1(recall: float, precision: float) -> float:
    """Give the harmonic mean of recall and precision; 0 where both are 0.

    >>> f1(0.5, 1.0), f1(0.0, 0.0)
    (0.6666666666666666, 0.0)
    """
    return ratio(2 * recall * precision, recall + precision)


def ratios(counts: Floats, settings: Settings = DEFAULT_SETTINGS, /) -> Score:
    """Score four counts: the numerator and denominator of recall, then of precision.

    >>> ratios(np.array([2.0, 5.0, 2.0, 4.0])).recall
    0.4
    """
    del settings  # the same for all of them
    recall_numerator, recall_denominator, *others = counts.tolist()
    precision_numerator, precision_denominator = others
    recall = ratio(recall_numerator, recall_denominator)
    precision = ratio(precision_numerator, precision_denominator)
    undefined = []
    if not recall_denominator:
        undefined.append("recall")
    if not precision_denominator:
        undefined.append("precision")
    return Score(
        recall,
        precision,
        f1(recall, precision),
        recall_numerator,
        recall_denominator,
        precision_numerator,
        precision_denominator,
        undefined=tuple(undefined),
    )


def of_links(score: Score, coreference: Score, non_coreference: Score) -> Score:
    """Give a score its two kinds of links, and their counts added up."""
    one, other = coreference, non_coreference
    return replace(
        score,
        recall_numerator=one.recall_numerator + other.recall_numerator,
        recall_denominator=one.recall_denominator + other.recall_denominator,
        precision_numerator=one.precision_numerator + other.precision_numerator,
        precision_denominator=one.precision_denominator + other.precision_denominator,
        coreference=coreference,
        non_coreference=non_coreference,
    )


def rows(*columns: Floats) -> Floats:
    """Set columns of counts side by side, one row a document."""
    return np.array(columns, np.float64).T
