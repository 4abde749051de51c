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


def grouping_order(key: Hashes) -> Ints:
    """Return an order that puts equal hashes side by side, and keeps their order.

    >>> grouping_order(np.array([7, 9, 7], np.uint64)).tolist()
    [0, 2, 1]
    """
    # Sorting numbers is several times faster than sorting a permutation of them, but
    # beside the row only the upper bits have room: the few that share them are sorted
    # once more.
    bits = np.uint64(len(key).bit_length())
    packed = np.sort((key >> bits << bits) | np.arange(len(key), dtype=np.uint64))
    upper = packed >> bits
    order: Ints = (packed ^ (upper << bits)).astype(np.int64)
    ranked = key[order]
    shared = (upper[1:] == upper[:-1]) & (ranked[1:] != ranked[:-1])
    for group in np.unique(upper[1:][shared]):
        first = int(np.searchsorted(upper, group))
        last = int(np.searchsorted(upper, group, side="right"))
        order[first:last] = order[first:last][
            np.argsort(ranked[first:last], kind="stable")
        ]
    return order


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


def stretches(first: Ints, size: Ints) -> Ints:
    """Write stretches of numbers out, one behind the other.

    >>> stretches(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    before = np.cumsum(size) - size
    numbers: Ints = np.arange(int(size.sum())) + np.repeat(first - before, size)
    return numbers


def expanded(first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """Write ranges out: the number of each range, and each number inside it.

    >>> row, number = expanded(np.array([3, 7]), np.array([5, 8]))
    >>> row.tolist(), number.tolist()
    ([0, 0, 1], [3, 4, 7])
    """
    size = np.maximum(last - first, 0)
    return np.repeat(np.arange(len(first)), size), stretches(first, size)
