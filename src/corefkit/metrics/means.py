"""Means of scores: over metrics, as CoNLL's, and over documents."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.metrics.base import Score

if TYPE_CHECKING:
    from collections.abc import Sequence


def conll_mean(parts: Sequence[Score]) -> Score:
    """Average recall, precision and F1; a mean has no counts."""
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


def averaged(total: Score, scores: Sequence[Score]) -> Score:
    """Average recall, precision and F1 over documents; the counts stay the sums."""
    many = len(scores)
    values = [score.value for score in scores if score.value is not None]
    return replace(
        total,
        recall=math.fsum(score.recall for score in scores) / many,
        precision=math.fsum(score.precision for score in scores) / many,
        f1=math.fsum(score.f1 for score in scores) / many,
        value=math.fsum(values) / many if values else None,
    )
