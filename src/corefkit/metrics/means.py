"""Means of scores: over metrics, as CoNLL's, and over documents."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.metrics.base import Score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.metrics.many import RowScores


def conll_mean(parts: Sequence[Score]) -> Score:
    """Average recall, precision and F1; a mean has no counts."""
    recall, precision, f1 = (
        mean([getattr(part, ratio) for part in parts])
        for ratio in ("recall", "precision", "f1")
    )
    undefined = [
        ratio
        for ratio in ("recall", "precision")
        if all(ratio in part.undefined for part in parts)
    ]
    counts = (math.nan,) * 4
    return Score(recall, precision, f1, *counts, undefined=tuple(undefined))


def averaged(total: Score, rows: RowScores) -> Score:
    """Average recall, precision and F1 over documents; the counts stay the sums."""
    return replace(
        total,
        recall=mean(rows.recall.tolist()),
        precision=mean(rows.precision.tolist()),
        f1=mean(rows.f1.tolist()),
        # Of a metric of one's own some documents may have none, which counts as 0.
        value=None
        if rows.value is None
        else math.fsum(rows.value.tolist()) / len(rows.f1),
    )


def mean(values: Sequence[float]) -> float:
    """Average numbers, whose order makes no difference.

    >>> mean([0.1] * 10)
    0.1
    """
    return math.fsum(values) / len(values)
