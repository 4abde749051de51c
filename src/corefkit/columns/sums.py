"""Sums that do not depend on the order of what is added.

Integers stay integers, and are refused where 63 bits do not hold their sum. A sum of
other numbers is the float nearest to their exact sum, as `math.fsum` gives it. So
counts are the same however documents are split into blocks, and blocks over processes
and machines.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import runs
from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.columns import Counts, Flags, Floats, Ints

# Up to here floats are exact for integers.
_EXACT = 2.0**53
# What an int64 holds.
_MOST = 2**63 - 1
# A number is an integer of the upper unit and one of the lower unit: floats above
# 2**-9 have no more digits.
_UPPER, _LOWER = 2.0**-30, 2.0**-62


def held(number: int) -> int:
    """Refuse an integer that 63 bits do not hold."""
    if number > _MOST:
        message = f"a count of {number:,} is too large: it must be below 2 ** 63"
        raise SettingsError(message, hint="score parts of the corpus")
    return number


def sums_of_terms(terms: Sequence[tuple[Counts, Ints]], groups: int) -> list[Counts]:
    """Add up the values of each term by the groups beside them.

    >>> pair = np.array([1, 2]), np.array([0, 0])
    >>> [found.tolist() for found in sums_of_terms([pair, pair], 2)]
    [[3, 0], [3, 0]]
    """
    found: dict[int, Counts] = {}
    for term in terms:
        if id(term) not in found:  # a term may stand there twice
            found[id(term)] = sums(*term, groups)
    return [found[id(term)] for term in terms]


def sums(values: Counts, group: Ints, groups: int) -> Counts:
    """Add values up for each group; integers must be 0 or more.

    >>> sums(np.array([1, 2, 3]), np.array([0, 2, 0]), 3).tolist()
    [4, 0, 2]
    >>> sums(np.array([0.1] * 10), np.zeros(10, np.int64), 1).tolist()
    [1.0]
    """
    if values.dtype.kind != "f":
        return _of_integers(values, group, groups)
    parts = values / _UPPER
    upper = np.floor(parts)
    lower = (parts - upper) * (_UPPER / _LOWER)
    above = np.bincount(group, upper, groups)
    below = np.bincount(group, lower, groups)
    # Either product is exact, and only their sum is rounded.
    totals: Floats = above * _UPPER + below * _LOWER
    doubtful = (above >= _EXACT) | (below >= _EXACT)
    doubtful[group[(lower % 1 != 0) | (values < 0)]] = True
    if doubtful.any():
        _add_one_by_one(totals, values, group, doubtful)
    return totals


def _of_integers(values: Ints, group: Ints, groups: int) -> Ints:
    near = np.bincount(group, values, groups)
    most = near.max(initial=0)
    if most < _EXACT:
        return near.astype(np.int64)
    for one in np.flatnonzero(near > 0.99 * _MOST).tolist():
        held(sum(values[group == one].tolist()))
    totals = np.zeros(groups, np.int64)
    np.add.at(totals, group, values)
    return totals


def _add_one_by_one(
    totals: Floats, values: Floats, group: Ints, doubtful: Flags
) -> None:
    """Replace the totals of groups with very small, very many or negative numbers."""
    cells = np.flatnonzero(doubtful[group])
    cells = cells[np.argsort(group[cells], kind="stable")]
    numbers = values[cells].tolist()
    first, size = runs(group[cells])
    for one, start, many in zip(
        group[cells[first]].tolist(), first.tolist(), size.tolist(), strict=True
    ):
        totals[one] = math.fsum(numbers[start : start + many])
