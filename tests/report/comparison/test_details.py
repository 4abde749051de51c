"""One metric in detail: which differences would go unseen."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan

import pytest
from comparisons import FIVE, TWO, made

from corefkit.analysis.compare.comparison_text import (
    COMPARISON_WRITERS,
    describe_limits,
    make_standings,
)

NEVER = "no difference could be detected reliably with so few texts"


def said(*least, scores=FIVE, metric="lea", statistic=None, **changes):
    """Say what would go unseen if these differences were the least, pair by pair."""
    comparison = made(scores, metrics=[metric])
    found = comparison.metrics[metric]
    numbers = [*least, *[0.0] * len(found.pairs)]
    pairs = tuple(
        replace(pair, least_detectable=number, is_significant=False, **changes)
        for pair, number in zip(found.pairs, numbers, strict=False)
    )
    found = replace(found, pairs=pairs, statistic=statistic or found.statistic)
    comparison = replace(comparison, metrics={metric: found})
    return [*describe_limits(make_standings(comparison, found), "text")], comparison


@pytest.mark.parametrize("least", [3.8598, 1.001, nan])
def test_no_difference_is_seen_where_the_least_is_more_than_all_points(least):
    texts, comparison = said(least, scores=TWO)
    assert texts == [NEVER]
    shown = COMPARISON_WRITERS["table"](comparison)
    assert f"Limit       {NEVER}" in shown
    assert "385" not in shown
    kept = comparison.to_dict()["metrics"]["lea"]["pairs"][0]["least_detectable"]
    assert kept == (None if least != least else least)


def test_some_pairs_can_be_worse_than_others():
    texts, _ = said(0.02, 0.05, 1.5)
    assert texts == [
        "differences below 2.00 to 5.00 points, and for some pairs any difference, "
        "would mostly not be detected here"
    ]


def test_all_points_are_not_more_than_all():
    assert said(1.0, scores=TWO)[0] == [
        "differences below 100.00 points would mostly not be detected here"
    ]


@pytest.mark.parametrize("statistic", ["count", "value"])
def test_errors_and_values_have_no_most(statistic):
    (text,), _ = said(12.0, scores=TWO, statistic=statistic)
    assert text.startswith("differences below 12")


@pytest.mark.parametrize("least", [0.0, inf])
def test_nothing_is_said_without_a_limit(least):
    assert said(least, scores=TWO)[0] == []


def test_nothing_is_said_of_systems_that_do_not_differ():
    assert said(nan, scores=TWO, units_that_differ=0)[0] == []
