from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cistell.paper.features import (
    AGREEMENT,
    OF_BOTH,
    compare_bits,
    feature,
    find_bin,
    mark_both,
    match_known,
    name_bins,
)


def test_feature_has_the_name_of_its_function():
    @feature("strings", ["no", "yes"])
    def always(_pairs):
        """Whether it is."""

    assert (always.name, always.group) == ("always", "strings")
    assert always.values == ("no", "yes")
    assert not always.needs_wordnet


def test_of_both_says_which():
    flags = np.array([False, True])
    found = mark_both(np.repeat(flags, 2), np.tile(flags, 2))
    assert [OF_BOTH[place] for place in found] == ["neither", "second", "first", "both"]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (1, 1, "yes"),
        (1, 2, "no"),
        (3, 1, "compatible"),
        (3, 3, "yes"),
        (3, 4, "no"),
        (7, 1, "unknown"),
        (7, 7, "unknown"),
    ],
)
def test_agreement_compares_what_may_be(first, second, expected):
    for pair in ((first, second), (second, first)):
        (place,) = compare_bits(*(np.array([bits]) for bits in pair), 7)
        assert AGREEMENT[place] == expected


def test_unknown_is_the_same_as_nothing():
    found = match_known(np.array([-1, 0, 2]), np.array([-1, 0, 1]))
    assert found.tolist() == [False, True, False]


@given(st.sets(st.integers(0, 50), min_size=1), st.lists(st.integers(0, 99)))
def test_bins_are_named_by_what_falls_into_them(starts, more):
    starts = sorted(starts)
    names = name_bins(starts)
    values = np.array([starts[0] + one for one in more], np.int64)
    for value, place in zip(values, find_bin(values, starts), strict=True):
        first, _, last = names[place].rstrip("+").partition("-")
        assert int(first) <= value
        assert names[place].endswith("+") or value <= int(last or first)
