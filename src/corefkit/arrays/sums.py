"""Exact sums that do not depend on the order of the addends.

The sum of integers is an integer; sums of more than 63 bits raise SettingsError. The
sum of other numbers is the float nearest to the exact sum, as `math.fsum` returns it.
So counts do not depend on how documents are split into blocks, nor blocks over
processes and machines.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.arrays.columns import Counts, Floats, Ints

_MAX_EXACT = 2.0**53  # up to which floats represent all integers
_MAX_INTEGER = 2**63 - 1
# A number is split into an integer number of units, which are smaller than 1, and
# further digits: floats above 2**-9 have only one.
_UNITS, _DIGITS = 2.0**30, 2.0**32
_MAX_SPLIT = 2.0**32  # below which the number of units fits an int64


def check_count(number: int) -> int:
    """Raise SettingsError for an integer of more than 63 bits.

    >>> check_count(2**63)
    Traceback (most recent call last):
    ...
    corefkit.exceptions.SettingsError: a count of 9,223,372,036,854,775,808 is too \
large: it must be below 2 ** 63
    <BLANKLINE>
    hint: score parts of the corpus
    """
    if number > _MAX_INTEGER:
        message = f"a count of {number:,} is too large: it must be below 2 ** 63"
        raise SettingsError(
            message, code="engine/too-large", hint="score parts of the corpus"
        )
    return number


def add_terms(terms: Sequence[tuple[Counts, Ints]], groups: int) -> list[Counts]:
    """Add up the values of each term by group; a repeated term is added once.

    >>> term = np.array([1, 2]), np.array([0, 0])
    >>> [sums.tolist() for sums in add_terms([term, term], 2)]
    [[3, 0], [3, 0]]
    """
    sums: dict[int, Counts] = {}
    for term in terms:
        if id(term) not in sums:
            sums[id(term)] = add_by_group(*term, groups)
    return [sums[id(term)] for term in terms]


def add_by_group(values: Counts, group: Ints, groups: int) -> Counts:
    """Add up the values of each group; integers must not be negative.

    >>> add_by_group(np.array([1, 2, 3]), np.array([0, 2, 0]), 3).tolist()
    [4, 0, 2]
    >>> add_by_group(np.array([0.1] * 10), np.zeros(10, np.int64), 1).tolist()
    [1.0]
    """
    if values.dtype.kind != "f":
        return _add_integers(values, group, groups)
    if len(values) and not 0 <= values.min() <= values.max() < _MAX_SPLIT:
        return _add_one_by_one(values, group, groups)
    sums: list[Counts] = []  # of the units, then of each further digit
    remainder, digit = values * _UNITS, np.empty(len(values))
    for _ in range(2):
        np.floor(remainder, out=digit)
        sums.append(_add_digits(digit, group, groups))
        remainder -= digit
        remainder *= _DIGITS
    units, digits = sums
    # Both quotients are exact, so only their sum is rounded.
    totals: Floats = units / _UNITS + digits / (_UNITS * _DIGITS)
    is_inexact = (units >= _MAX_EXACT) | (digits >= _MAX_EXACT)
    longer = np.flatnonzero(remainder)
    is_inexact[group[longer]] = True
    if is_inexact.any():
        remainder, group = remainder[longer], group[longer]
        while remainder.any():
            digit = np.floor(remainder)
            sums.append(_add_digits(digit, group, groups))
            remainder = (remainder - digit) * _DIGITS
        for row in np.flatnonzero(is_inexact).tolist():
            totals[row] = _round_digits([int(part[row]) for part in sums])
    return totals


def _add_digits(digit: Floats, group: Ints, groups: int) -> Counts:
    """Add integers given as floats; return integers if floats would be inexact."""
    sums = np.bincount(group, digit, groups)
    if sums.max(initial=0) < _MAX_EXACT:
        return sums
    totals = np.zeros(groups, np.int64)
    np.add.at(totals, group, digit.astype(np.int64))
    return totals


def _round_digits(digits: list[int]) -> float:
    """Return the float nearest to a sum: Python divides integers exactly."""
    number = 0
    for digit in digits:
        number = number * int(_DIGITS) + digit
    divisor: int = int(_UNITS) * int(_DIGITS) ** (len(digits) - 1)
    return number / divisor


def _add_one_by_one(values: Floats, group: Ints, groups: int) -> Floats:
    """Add numbers of any size and sign."""
    numbers: list[list[float]] = [[] for _ in range(groups)]
    for value, number in zip(values.tolist(), group.tolist(), strict=True):
        numbers[number].append(value)
    return np.array([math.fsum(of_group) for of_group in numbers], np.float64)


def _add_integers(values: Ints, group: Ints, groups: int) -> Ints:
    sums = np.bincount(group, values, groups)
    if sums.max(initial=0) < _MAX_EXACT:
        return sums.astype(np.int64)
    for row in np.flatnonzero(sums > 0.99 * _MAX_INTEGER).tolist():
        check_count(sum(values[group == row].tolist()))
    totals = np.zeros(groups, np.int64)
    np.add.at(totals, group, values)
    return totals
