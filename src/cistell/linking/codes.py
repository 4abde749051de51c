"""Numbers as codes, which go from 0 to 255."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cistell.learners.base import Codes
    from corefkit.arrays.columns import Flags, Floats, Ints

MOST = 250
_STEPS = 6  # codes for every doubling


def capped(values: Ints | Flags | Floats | Codes, most: int = MOST) -> Codes:
    """Take numbers as they are, but none below 0 and none above a limit.

    >>> capped(np.array([-3, 7, 1000])).tolist()
    [0, 7, 250]
    """
    return np.clip(values, 0, most).astype(np.uint8)


def in_steps(values: Ints) -> Codes:
    """Tell small numbers apart, and large ones by their size: six codes a doubling.

    >>> in_steps(np.array([0, 1, 2, 3, 100, 103, 5000])).tolist()
    [0, 6, 9, 12, 39, 40, 73]
    """
    return capped(np.floor(np.log2(np.maximum(values, 0) + 1.0) * _STEPS))


def shared_values(one: Ints, other: Ints) -> Ints:
    """Count for pairs of rows how many values the two share; -1 is none.

    >>> shared_values(np.array([[4, 7, -1]]), np.array([[7, 9, -1]])).tolist()
    [1]
    """
    found = np.zeros(len(one), np.int64)
    for values in one.T:
        if (values >= 0).any():
            known = values >= 0
            found += ((other == values[:, None]) & known[:, None]).any(axis=1)
    return found
