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

from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.columns import Counts, Floats, Ints

# Up to here floats are exact for integers.
_EXACT = 2.0**53
# What an int64 holds.
_MOST = 2**63 - 1
# A number is so many units, and digits behind: floats above 2**-9 have only one digit.
_UNIT, _DIGIT = 2.0**30, 2.0**32
# Units of numbers below this fit into an int64.
_VAST = 2.0**32


def checked_count(number: int) -> int:
    """Refuse an integer that 63 bits do not hold.

    >>> checked_count(2**63)
    Traceback (most recent call last):
    ...
    corefkit.exceptions.SettingsError: a count of 9,223,372,036,854,775,808 is too \
large: it must be below 2 ** 63
    <BLANKLINE>
    hint: score parts of the corpus
    """
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
    if len(values) and not 0 <= values.min() <= values.max() < _VAST:
        return _one_by_one(values, group, groups)
    found = []  # sums of digits, which are integers
    rest, digit = values * _UNIT, np.empty(len(values))
    for _ in range(2):
        np.floor(rest, out=digit)
        found.append(_of_digits(digit, group, groups))
        rest -= digit
        rest *= _DIGIT
    upper, lower = found
    # Either quotient is exact, and only their sum is rounded.
    totals: Floats = upper / _UNIT + lower / (_UNIT * _DIGIT)
    doubtful = (upper >= _EXACT) | (lower >= _EXACT)
    longer = np.flatnonzero(rest)
    doubtful[group[longer]] = True
    if doubtful.any():
        found += _finer(rest[longer], group[longer], groups)
        for one in np.flatnonzero(doubtful).tolist():
            totals[one] = _rounded([int(digits[one]) for digits in found])
    return totals


def _of_digits(digit: Floats, group: Ints, groups: int) -> Counts:
    """Add integers that floats hold; their sums are integers where floats do not."""
    near = np.bincount(group, digit, groups)
    if near.max(initial=0) < _EXACT:
        return near
    totals = np.zeros(groups, np.int64)
    np.add.at(totals, group, digit.astype(np.int64))
    return totals


def _finer(rest: Floats, group: Ints, groups: int) -> list[Counts]:
    """Add up further digits, which few numbers have, until there is none."""
    found = []
    while rest.any():
        digit = np.floor(rest)
        found.append(_of_digits(digit, group, groups))
        rest = (rest - digit) * _DIGIT
    return found


def _rounded(digits: list[int]) -> float:
    """Make the nearest float of sums of digits: Python divides integers exactly."""
    number = 0
    for digit in digits:
        number = number * int(_DIGIT) + digit
    whole: int = int(_UNIT) * int(_DIGIT) ** (len(digits) - 1)
    return number / whole


def _one_by_one(values: Floats, group: Ints, groups: int) -> Floats:
    """Add numbers of any size and sign."""
    numbers: list[list[float]] = [[] for _ in range(groups)]
    for value, number in zip(values.tolist(), group.tolist(), strict=True):
        numbers[number].append(value)
    return np.array([math.fsum(of_group) for of_group in numbers], np.float64)


def _of_integers(values: Ints, group: Ints, groups: int) -> Ints:
    near = np.bincount(group, values, groups)
    most = near.max(initial=0)
    if most < _EXACT:
        return near.astype(np.int64)
    for one in np.flatnonzero(near > 0.99 * _MOST).tolist():
        checked_count(sum(values[group == one].tolist()))
    totals = np.zeros(groups, np.int64)
    np.add.at(totals, group, values)
    return totals
