"""Means of scores: over metrics, as CoNLL's, and over documents."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.metrics.base import Score

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.columns import Flags, Floats


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


def averaged(total: Score, scores: Mapping[str, tuple[Floats, Flags]]) -> Score:
    """Average recall, precision and F1 over documents; the counts stay the sums.

    Of each statistic there are the scores of documents, and which of them count.
    """
    means = {
        name: mean(values[counts_in].tolist())
        for name, (values, counts_in) in scores.items()
    }
    return replace(
        total,
        recall=means["recall"],
        precision=means["precision"],
        f1=means["f1"],
        value=means.get("value"),
    )


def mean(values: Sequence[float]) -> float:
    """Average numbers, whose order makes no difference; 0 if there are none.

    >>> mean([0.1] * 10)
    0.1
    """
    return math.fsum(values) / len(values) if values else 0.0
