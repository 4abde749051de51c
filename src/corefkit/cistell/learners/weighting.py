"""Gain ratio: how much a feature tells about coreference, as TiMBL computes it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.cistell.learners.base import Instances

# TiMBL takes smaller numbers for zero.
EPSILON = float(np.finfo(np.float64).eps)


def gain_ratios(instances: Instances) -> dict[str, float]:
    """Compute the gain ratio of each feature, the same number as TiMBL's.

        gain ratio = (H(class) - sum over values v of P(v) H(class | v)) / H(values)

    A feature with one value has weight 0. The last digits of a small gain depend on
    rounding, so sums are in TiMBL's order too: classes and values as they are first
    seen.

    Source: Quinlan 1993; TiMBL's reference guide, chapter on weighting.

    >>> from corefkit.cistell.learners.base import Column, Instances
    >>> columns = (Column("same", ("no", "yes")), Column("far", ("no", "yes")))
    >>> rows = np.array([[1, 0], [1, 1], [0, 1], [0, 0]], dtype=np.uint8)
    >>> gain_ratios(Instances(columns, rows, np.array([True, True, False, False])))
    {'same': 1.0, 'far': 0.0}
    """
    first = bool(instances.positive[0])
    seen_first = instances.positive == first
    total = len(seen_first)
    classes = [int(seen_first.sum()), total - int(seen_first.sum())]
    entropy = _entropy(classes, total)
    ratios = {}
    for at, column in enumerate(instances.columns):
        counts = _counts(instances.rows[:, at], seen_first)
        ratios[column.name] = _gain_ratio(counts, total, entropy)
    return ratios


def tree_order(rows: np.ndarray, weights: Sequence[float]) -> list[int]:
    """Return TiMBL's order of features: by gain ratio divided by number of values.

    >>> tree_order(np.array([[0, 1, 0], [1, 2, 1], [0, 3, 0]]), [0.1, 0.12, 0.2])
    [2, 0, 1]
    """
    values = [len(np.unique(column)) for column in rows.T]
    worth = [weight / number for weight, number in zip(weights, values, strict=True)]
    return sorted(range(len(worth)), key=lambda at: -worth[at])


def _counts(codes: np.ndarray, seen_first: np.ndarray) -> list[tuple[int, int]]:
    """Count both classes for every value, in the order of the first seen."""
    values, positions = np.unique(codes, return_index=True)
    total = np.bincount(codes, minlength=256)
    of_first = np.bincount(codes[seen_first], minlength=256)
    return [
        (int(of_first[value]), int(total[value] - of_first[value]))
        for value in values[np.argsort(positions)]
    ]


def _gain_ratio(counts: list[tuple[int, int]], total: int, entropy: float) -> float:
    rest = split = 0.0
    for of_value in counts:
        frequency = sum(of_value)
        # In TiMBL's order of multiplying and dividing.
        rest += _entropy(of_value, frequency) * frequency / total
        split += _surprise(frequency / total)
    gain = max(entropy - abs(rest), 0.0)
    return 0.0 if split < EPSILON else gain / split


def _entropy(counts: Sequence[int], total: int) -> float:
    return sum(_surprise(count / total) for count in counts if count)


def _surprise(probability: float) -> float:
    return 0.0 if probability < EPSILON else -probability * math.log2(probability)
