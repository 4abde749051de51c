"""Arrays of numbers: their types, and what is done with groups of them."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Hashes: TypeAlias = NDArray[np.uint64]
_Number = TypeVar("_Number", np.int64, np.uint64)


def sorting_order(key: Ints) -> Ints:
    """Return the order that sorts numbers, 0 or more; equal ones keep their order.

    >>> sorting_order(np.array([2, 1, 2, 1])).tolist()
    [1, 3, 0, 2]
    """
    bits = len(key).bit_length()
    if int(key.max(initial=0)).bit_length() + bits > 63:
        return np.argsort(key, kind="stable")
    # Numbers sort several times faster than a permutation of them does.
    return np.sort((key << bits) | np.arange(len(key))) & ((1 << bits) - 1)


class Runs(NamedTuple):
    """Stretches of equal numbers: where each begins, and how long it is."""

    first: Ints
    size: Ints


def runs(numbers: Ints) -> Runs:
    """Find the stretches of equal numbers.

    >>> runs(np.array([4, 4, 4, 7, 4])).first.tolist()
    [0, 3, 4]
    """
    new = np.ones(len(numbers), np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=new[1:])
    first = np.flatnonzero(new)
    size = np.empty(len(first), np.int64)
    np.subtract(first[1:], first[:-1], out=size[:-1])
    size[-1:] = len(numbers) - first[-1:]
    return Runs(first, size)


def places_in_runs(numbers: Ints) -> Ints:
    """Count through each stretch of equal numbers.

    >>> places_in_runs(np.array([4, 4, 4, 7, 4])).tolist()
    [0, 1, 2, 0, 0]
    """
    first, size = runs(numbers)
    return np.arange(len(numbers)) - np.repeat(first, size)


def spread(values: NDArray[_Number], size: Ints) -> NDArray[_Number]:
    """Repeat the value of each run for its members; a single one serves all as it is.

    >>> spread(np.array([5, 6]), np.array([2, 1])).tolist()
    [5, 5, 6]
    """
    return values if len(values) == 1 else np.repeat(values, size)


def sums(values: Floats | Ints, group: Ints, groups: int) -> Floats:
    """Add values up for each group.

    >>> sums(np.array([1, 2, 3]), np.array([0, 2, 0]), 3).tolist()
    [4.0, 0.0, 2.0]
    """
    return np.bincount(group, values, groups).astype(np.float64, copy=False)


def expanded(first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """Write ranges out: the number of each range, and each number inside it.

    >>> row, number = expanded(np.array([3, 7]), np.array([5, 8]))
    >>> row.tolist(), number.tolist()
    ([0, 0, 1], [3, 4, 7])
    """
    size = np.maximum(last - first, 0)
    row = np.repeat(np.arange(len(first)), size)
    shift = np.repeat(first - (np.cumsum(size) - size), size)
    return row, np.arange(len(shift)) + shift
