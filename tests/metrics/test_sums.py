"""Sums do not depend on order, and are as near to the exact sum as a float can be."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.exceptions import SettingsError
from corefkit.metrics.standard import add_by_group

numbers = st.one_of(
    st.builds(
        lambda above, below: above / below, st.integers(0, 99), st.integers(1, 99)
    ),
    st.builds(lambda below: 1 / below, st.integers(1, 10**7)),
    st.floats(-1e12, 1e12),
    st.sampled_from([0.0, 2.0**-9, 2.0**-9 - 2.0**-62, 2.0**60, 1e-30, 5e-324]),
)
rows = st.lists(st.tuples(numbers, st.integers(0, 3)), max_size=40)


@given(rows=rows, seed=st.integers(0, 9))
def test_sums_of_floats_are_the_nearest_to_the_exact_sums(rows, seed):
    values = np.array([value for value, _ in rows], float)
    group = np.array([number for _, number in rows], np.int64)
    found = add_by_group(values, group, 4)
    for number in range(4):
        exact = sum(map(Fraction, values[group == number].tolist()), Fraction())
        assert found[number] == float(exact)
    order = np.random.default_rng(seed).permutation(len(rows))
    again = add_by_group(values[order], group[order], 4)
    assert again.tobytes() == found.tobytes()


def test_large_numbers_go_beyond_what_floats_hold_exactly():
    values = np.tile([1 / 3, 2.0**40 / 3], 100)
    found = add_by_group(values, np.zeros(len(values), np.int64), 1)
    assert found.tolist() == [math.fsum(values.tolist())]


@given(st.lists(st.tuples(st.integers(0, 2**61), st.integers(0, 1)), max_size=3))
def test_sums_of_integers_are_exact(rows):
    values = np.array([value for value, _ in rows], np.int64)
    group = np.array([number for _, number in rows], np.int64)
    found = add_by_group(values, group, 2)
    assert found.dtype == np.int64
    for number in range(2):
        assert found[number] == sum(values[group == number].tolist())


def test_a_sum_of_integers_that_63_bits_do_not_hold_is_refused():
    values = np.array([2**62, 5, 2**62])
    with pytest.raises(SettingsError, match=r"count of 9,223,372,036,854,775,808 is"):
        add_by_group(values, np.array([1, 0, 1]), 2)
    values[2] -= 1
    assert add_by_group(values, np.array([1, 0, 1]), 2).tolist() == [5, 2**63 - 1]
