"""Rows as wholes, and arrays as bytes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import array_shapes, arrays

from cistell.learners.base import array_bytes, array_of, distinct_rows
from corefkit.exceptions import CorefkitError

ROWS = arrays(np.uint8, array_shapes(min_dims=2, max_dims=2, max_side=9))


@given(ROWS)
def test_distinct_rows_are_those_of_the_axis(rows):
    places, inverse = distinct_rows(rows)
    np.testing.assert_array_equal(rows[places], np.unique(rows, axis=0))
    np.testing.assert_array_equal(rows[places][inverse], rows)


def test_rows_of_a_part_of_an_array_are_its_own():
    rows = np.arange(12, dtype=np.uint8).reshape(3, 4)[::2, 1:3]
    places, inverse = distinct_rows(rows)
    assert (places.tolist(), inverse.tolist()) == ([0, 1], [0, 1])


@given(ROWS)
def test_array_is_read_as_it_was_written(rows):
    files = {"rows": array_bytes(rows)}
    np.testing.assert_array_equal(array_of(files, "rows", "u1", rows.shape[1]), rows)


def test_bytes_do_not_depend_on_the_order_of_bytes():
    small, big = np.array([1, 515], "<i4"), np.array([1, 515], ">i4")
    assert array_bytes(small) == array_bytes(big) == bytes([1, 0, 0, 0, 3, 2, 0, 0])


@pytest.mark.parametrize("files", [{}, {"rows": bytes(7)}, {"rows": bytes(12)}])
def test_array_of_another_size_is_damaged(files):
    with pytest.raises(CorefkitError, match="part rows is missing or damaged"):
        array_of(files, "rows", "i4", 2)
