"""Intervals: the draw_units are those of texts, and score as the metrics do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cistell.studies.results import draw_units, f1_of
from corefkit import METRICS

COUNTS = arrays(
    np.float64, st.tuples(st.integers(1, 6), st.just(4)), elements=st.integers(0, 20)
)


@given(COUNTS)
def test_f1_of_many_rows_is_that_of_the_metric(counts):
    found = f1_of(counts)
    for metric in ("muc", "b_cubed", "ceaf_m", "lea"):
        expected = [METRICS[metric].score(row).f1 for row in counts]
        assert found.tolist() == pytest.approx(expected, rel=1e-12)


def test_draw_units_take_as_many_texts_as_there_are():
    drawn = draw_units(["a", "b", "c"], seed=3, samples=50)
    assert drawn.shape == (50, 3)
    assert (drawn.sum(axis=1) == 3).all()
    assert len({tuple(row) for row in drawn.tolist()}) > 5


def test_parts_of_a_text_are_drawn_together():
    drawn = draw_units(["a", "b", "a", "c", "b"], seed=0, samples=100)
    assert (drawn[:, 0] == drawn[:, 2]).all()
    assert (drawn[:, 1] == drawn[:, 4]).all()


def test_same_texts_have_the_same_draw_units_in_any_order():
    one = draw_units(["a", "b", "c"], seed=0, samples=20)
    other = draw_units(["c", "a", "b"], seed=0, samples=20)
    assert (one[:, [2, 0, 1]] == other).all()


def test_draw_units_differ_by_seed_and_by_texts():
    one = draw_units(["a", "b", "c"], seed=0, samples=20)
    assert (one == draw_units(["a", "b", "c"], seed=0, samples=20)).all()
    assert (one != draw_units(["a", "b", "c"], seed=1, samples=20)).any()
    assert (one != draw_units(["d", "e", "f"], seed=0, samples=20)).any()
