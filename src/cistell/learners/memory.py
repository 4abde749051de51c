"""What memory-based learners store: distinct rows, their votes, and gain ratios."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cistell.learners.base import (
    array_bytes,
    array_of,
    check_instances,
    damaged,
    distinct_rows,
)
from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cistell.learners.base import Codes, Column, Instances


# TiMBL takes smaller numbers for zero.
EPSILON = float(np.finfo(np.float64).eps)


def gain_ratios(instances: Instances) -> dict[str, float]:
    """Compute the gain ratio of each feature, the same number as TiMBL's.

        gain ratio = (H(class) - sum over values v of P(v) H(class | v)) / H(values)

    A feature with one value has weight 0. The last digits of a small gain depend on
    rounding, so sums are in TiMBL's order too: classes and values as they are first
    seen.

    Source: Quinlan 1993; TiMBL's reference guide, chapter on weighting.

    >>> from cistell.learners.base import Column, Instances
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


_ROWS, _VOTES, _WEIGHTS = "memory.rows.bin", "memory.votes.bin", "memory.weights.bin"
_SETTINGS = "memory.json"


@dataclass(frozen=True, slots=True)
class Memory:
    """Training pairs as memory-based learners need them.

    ``votes`` has for every distinct row how often it was negative and positive;
    ``first_positive`` is the class of the first pair, which breaks the last ties; ``k``
    is the number of nearest distances that vote, ``metric`` tells how two values
    differ, ``decay`` how votes lose weight with distance.
    """

    columns: tuple[Column, ...]
    rows: Codes
    votes: NDArray[np.int64]
    weights: NDArray[np.float64]
    first_positive: bool
    k: int = 1
    metric: str = "overlap"
    decay: str = "none"

    def by_name(self) -> dict[str, float]:
        """Return the weight of each feature by its name."""
        names = [column.name for column in self.columns]
        return dict(zip(names, self.weights.tolist(), strict=True))

    def files(self) -> dict[str, bytes]:
        """Return what a model file stores."""
        settings = {
            "first_positive": self.first_positive,
            "k": self.k,
            "metric": self.metric,
            "decay": self.decay,
        }
        return {
            _ROWS: array_bytes(self.rows),
            _VOTES: array_bytes(self.votes),
            _WEIGHTS: array_bytes(self.weights),
            _SETTINGS: json.dumps(settings, sort_keys=True).encode(),
        }


def memory_of(instances: Instances, *, k: int = 1) -> Memory:
    """Store the training pairs, equal rows once, with the gain ratios of features.

    >>> from cistell.learners.base import Column, Instances
    >>> columns = (Column("same", ("no", "yes")),)
    >>> rows = np.array([[1], [0], [1], [1]], dtype=np.uint8)
    >>> memory = memory_of(
    ...     Instances(columns, rows, np.array([True, False, True, False]))
    ... )
    >>> memory.rows.tolist(), memory.votes.tolist()
    ([[0], [1]], [[1, 0], [1, 2]])
    """
    if k < 1:
        message = f"k is {k}, but at least one nearest distance must vote"
        raise SettingsError(message, code="settings/invalid-value")
    check_instances(instances)
    indices, inverse = distinct_rows(instances.rows)
    total = np.bincount(inverse, minlength=len(indices))
    positive = np.bincount(inverse[instances.positive], minlength=len(indices))
    return Memory(
        columns=instances.columns,
        rows=np.ascontiguousarray(instances.rows[indices]),
        votes=np.stack([total - positive, positive], axis=1).astype(np.int64),
        weights=np.array(list(gain_ratios(instances).values())),
        first_positive=bool(instances.positive[0]),
        k=k,
    )


def memory_from(files: Mapping[str, bytes], columns: tuple[Column, ...]) -> Memory:
    """Read what a model file stores."""
    try:
        settings = json.loads(files[_SETTINGS])
        memory = Memory(
            columns=columns,
            rows=array_of(files, _ROWS, "u1", len(columns)),
            votes=array_of(files, _VOTES, "i8", 2),
            weights=array_of(files, _WEIGHTS, "f8"),
            first_positive=bool(settings["first_positive"]),
            k=int(settings["k"]),
            metric=str(settings["metric"]),
            decay=str(settings["decay"]),
        )
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise damaged(_SETTINGS) from error
    if not _is_whole(memory):
        raise damaged(_ROWS)
    return memory


def _is_whole(memory: Memory) -> bool:
    """Return whether the arrays fit each other and the columns."""
    rows, votes, weights = memory.rows, memory.votes, memory.weights
    return (
        len(rows) > 0
        and (len(votes), len(weights)) == (len(rows), len(memory.columns))
        and all(rows.max(axis=0) < [len(column.values) for column in memory.columns])
        and bool((votes >= 0).all() and (votes.sum(axis=1) > 0).all())
        and bool((np.isfinite(weights) & (weights >= 0)).all())
        and memory.k >= 1
    )
