"""Where things stand in a figure."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.lab.drawing.places import (
    marked_ticks,
    scale_of,
    shown_ticks,
    spread,
    stretches_of,
)

shares = st.floats(0, 1)
# Few values, for curves to meet.
curves = st.integers(1, 6).flatmap(
    lambda ticks: st.dictionaries(
        st.sampled_from("abcdef"),
        st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=ticks, max_size=ticks),
        min_size=1,
    )
)


class TestScale:
    @given(st.lists(st.floats(-3, 1), min_size=1))
    def test_all_values_are_on_it(self, values):
        scale = scale_of(values)
        assert scale.low <= 100 * min(values) + 1e-6
        assert scale.high >= 100 * max(values) - 1e-6

    @given(st.lists(shares, min_size=1))
    def test_it_begins_and_ends_with_one_of_a_few_ticks(self, values):
        scale = scale_of(values)
        assert (scale.ticks[0], scale.ticks[-1]) == (scale.low, scale.high)
        assert 3 <= len(scale.ticks) <= 7

    @pytest.mark.parametrize(
        ("values", "low", "high"),
        [
            ([0, 1], 0, 100),
            ([0.55, 1], 0, 100),
            ([0.64, 1], 60, 100),
            ([0.9, 1], 90, 100),
            ([0.96, 0.99], 95, 100),
            ([1, 1], 95, 100),
            ([0, 0.38], 0, 40),
            ([0, 0], 0, 5),
            ([-0.3, 0.2], -50, 100),
        ],
    )
    def test_it_leaves_out_what_has_no_values(self, values, low, high):
        assert scale_of(values)[:2] == (low, high)

    def test_zero_but_for_the_last_digit_is_zero(self):
        assert scale_of([-1e-17, 1 + 1e-15])[:2] == (0, 100)


class TestLabels:
    @given(st.lists(st.floats(0, 100), min_size=1, max_size=10))
    def test_they_do_not_overlap_and_stay_in_order(self, wanted):
        places = spread(wanted, gap=10, top=100)
        ordered = sorted(zip(wanted, places, strict=True))
        for (_, one), (_, other) in pairwise(ordered):
            assert other - one >= 10 - 1e-9
        assert min(places) >= 0
        assert max(places) <= 100 + 1e-9

    @given(st.lists(st.integers(0, 10), unique=True))
    def test_those_that_fit_stay_where_they_are(self, tens):
        wanted = [10.0 * ten for ten in tens]
        assert spread(wanted, gap=10, top=100) == pytest.approx(wanted)

    def test_those_of_the_same_place_stand_around_it(self):
        assert spread([50, 50, 50], gap=10, top=100) == [40, 50, 60]

    def test_the_edge_pushes_them_inside(self):
        assert spread([99, 100, 85], gap=10, top=100) == [90, 100, 80]


class TestCurvesTogether:
    @given(curves)
    def test_stretches_cover_a_curve_from_end_to_end(self, curves):
        for name, found in stretches_of(curves, tolerance=0.1).items():
            ticks = len(curves[name])
            if ticks == 1:
                assert found == []
                continue
            assert (found[0].first, found[-1].last) == (0, ticks - 1)
            assert all(one.last == other.first for one, other in pairwise(found))

    @given(curves)
    def test_curves_of_a_stretch_share_it(self, curves):
        stretches = stretches_of(curves, tolerance=0.1)
        for name, found in stretches.items():
            for stretch in found:
                assert name in stretch.together
                for other in stretch.together:
                    assert stretch in stretches[other]
                    for tick in range(stretch.first, stretch.last + 1):
                        assert curves[name][tick] == curves[other][tick]

    @given(curves)
    def test_each_place_has_one_marker(self, curves):
        marked = marked_ticks(curves, tolerance=0.1)
        places = [
            (tick, curves[name][tick]) for name in marked for tick in marked[name]
        ]
        every = {place for values in curves.values() for place in enumerate(values)}
        assert sorted(places) == sorted(every)

    def test_curves_that_are_one_take_turns_with_their_markers(self):
        same = dict.fromkeys("abc", [1.0] * 7)
        assert marked_ticks(same, tolerance=0.1) == {
            "a": [0, 3, 6],
            "b": [1, 4],
            "c": [2, 5],
        }

    def test_curves_closer_than_the_tolerance_are_together(self):
        near = {"a": [0.50, 0.50], "b": [0.51, 0.50]}
        assert stretches_of(near, tolerance=0.02)["a"][0].together == ("a", "b")
        assert stretches_of(near, tolerance=0.005)["a"][0].together == ("a",)


class TestTicks:
    @given(st.lists(st.floats(1, 50), min_size=1, max_size=30), st.floats(60, 400))
    def test_labels_do_not_overlap(self, widths, room):
        shown = shown_ticks(widths, room=room)
        assert shown[0] == 0
        pitch = room / max(len(widths) - 1, 1)
        for one, other in pairwise(shown):
            assert (widths[one] + widths[other]) / 2 < (other - one) * pitch

    def test_the_last_is_shown_where_steps_stay_equal(self):
        assert shown_ticks([20] * 11, room=150) == [0, 2, 4, 6, 8, 10]

    def test_steps_that_miss_the_last_are_better_than_none(self):
        assert shown_ticks([20] * 8, room=100) == [0, 2, 4, 6]
