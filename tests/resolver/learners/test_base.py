"""Rows as wholes, and arrays as bytes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis.extra.numpy import array_shapes, arrays

from cistell.paper.memory import find_distinct_rows

ROWS = arrays(np.uint8, array_shapes(min_dims=2, max_dims=2, max_side=9))


@given(ROWS)
def test_distinct_rows_are_those_of_the_axis(rows):
    places, inverse = find_distinct_rows(rows)
    np.testing.assert_array_equal(rows[places], np.unique(rows, axis=0))
    np.testing.assert_array_equal(rows[places][inverse], rows)


def test_rows_of_a_part_of_an_array_are_its_own():
    rows = np.arange(12, dtype=np.uint8).reshape(3, 4)[::2, 1:3]
    places, inverse = find_distinct_rows(rows)
    assert (places.tolist(), inverse.tolist()) == ([0, 1], [0, 1])
