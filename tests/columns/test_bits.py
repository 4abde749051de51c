"""Bits are counted the same way with every numpy."""

from __future__ import annotations

import numpy as np
import pytest

from corefkit.arrays.hashing import count_bits, count_by_bytes

WAYS = [count_bits, count_by_bytes]


@pytest.mark.parametrize("count", WAYS)
@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.uint64])
def test_counts_are_those_of_python(count, kind):
    numbers = np.random.default_rng(7).integers(0, np.iinfo(kind).max, 200, kind)
    numbers[:2] = 0, np.iinfo(kind).max
    counts = count(numbers)
    assert counts.dtype == np.uint8
    assert counts.tolist() == [int(number).bit_count() for number in numbers]


@pytest.mark.parametrize("count", WAYS)
@pytest.mark.parametrize("shape", [(0,), (4, 3), (0, 4)])
def test_shape_stays(count, shape):
    assert count(np.full(shape, 7, np.uint64)).shape == shape
    assert (count(np.full(shape, 7, np.uint64)) == 3).all()


@pytest.mark.parametrize("count", WAYS)
def test_numbers_may_lie_apart(count):
    numbers = np.arange(12, dtype=np.uint64).reshape(3, 4).T[::2]
    expected = [[int(number).bit_count() for number in row] for row in numbers]
    assert count(numbers).tolist() == expected
