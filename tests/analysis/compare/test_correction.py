"""Corrections: known answers, and the order that they keep."""

from __future__ import annotations

import math

import pytest
from analysis.compare.known import known
from hypothesis import given
from hypothesis import strategies as st

from corefkit.analysis.compare.judging import (
    adjust_p_values,
    compute_least_adjusted,
)
from corefkit.analysis.compare.procedure import CHOICES

ANSWERS = known("three-systems").get("adjusted", {})
P = st.lists(st.floats(0, 1), min_size=1, max_size=10)


@pytest.mark.parametrize("correction", ["holm", "hochberg", "bonferroni"])
@pytest.mark.parametrize("statistic", ANSWERS)
def test_known_answers(statistic, correction):
    raw = ANSWERS[statistic]["raw"]
    found = dict(zip(raw, adjust_p_values([*raw.values()], correction), strict=True))
    assert found == ANSWERS[statistic][correction]


@given(P)
def test_hochberg_holm_bonferroni_come_in_this_order(p):
    hochberg, holm, bonferroni = (
        adjust_p_values(p, name) for name in ("hochberg", "holm", "bonferroni")
    )
    for raw, low, middle, high in zip(p, hochberg, holm, bonferroni, strict=True):
        assert raw <= low + 1e-12
        assert low <= middle + 1e-12
        assert middle <= high + 1e-12
        assert high <= 1


@given(P, st.sampled_from(CHOICES["correction"]))
def test_smaller_p_stay_smaller(p, correction):
    found = [
        new for _, new in sorted(zip(p, adjust_p_values(p, correction), strict=True))
    ]
    assert found == sorted(found)


@given(P, st.sampled_from(CHOICES["correction"]))
def test_none_is_smaller_than_the_smallest_possible(p, correction):
    for raw, new in zip(p, adjust_p_values(p, correction), strict=True):
        assert new >= compute_least_adjusted(min(p), len(p), correction) - 1e-12
        assert new >= raw - 1e-12


def test_test_that_was_not_made_counts_in_the_family():
    found = adjust_p_values([0.01, math.nan], "holm")
    assert found[0] == 0.02
    assert math.isnan(found[1])
