"""One metric in detail: which differences would not be detected."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan

import pytest
from comparisons import FIVE, TWO, made

from corefkit.analysis.compare.comparison_text import (
    COMPARISON_WRITERS,
    describe_limit,
)

NEVER = "No difference could be detected reliably with so few texts."


def describe(*least, scores=FIVE, metric="lea", statistic=None, **changes):
    """Describe the limit if these differences are the least detectable ones."""
    comparison = made(scores, metrics=[metric])
    result = comparison.metrics[metric]
    numbers = [*least, *[0.0] * len(result.pairs)]
    pairs = tuple(
        replace(pair, least_detectable=number, is_significant=False, **changes)
        for pair, number in zip(result.pairs, numbers, strict=False)
    )
    result = replace(result, pairs=pairs, statistic=statistic or result.statistic)
    comparison = replace(comparison, metrics={metric: result})
    return describe_limit(result, "text"), comparison


@pytest.mark.parametrize("least", [3.8598, 1.001, nan, inf])
def test_no_difference_is_detected_if_the_limit_exceeds_all_points(least):
    text, comparison = describe(least, scores=TWO)
    assert text == NEVER
    page = COMPARISON_WRITERS["table"](comparison)
    assert NEVER in page
    assert "385" not in page
    pair = comparison.to_dict()["metrics"]["lea"]["pairs"][0]
    is_finite = least < inf
    assert pair["least_detectable"] == (least if is_finite else None)


def test_largest_limit_of_all_pairs_is_named():
    assert describe(0.02, 0.05)[0] == (
        "Differences below 5.00 points would mostly not be detected here."
    )
    assert describe(0.02, 1.5)[0] == NEVER


def test_limit_of_all_points_is_named():
    assert describe(1.0, scores=TWO)[0] == (
        "Differences below 100.00 points would mostly not be detected here."
    )


@pytest.mark.parametrize("statistic", ["count", "value"])
def test_errors_and_values_have_no_maximum(statistic):
    text, _ = describe(12.0, scores=TWO, statistic=statistic)
    assert text.startswith("Differences below 12")


def test_no_limit_is_named_without_one():
    assert describe(0.0, scores=TWO)[0] == ""


def test_no_limit_is_named_for_equal_systems():
    assert describe(nan, scores=TWO, units_that_differ=0)[0] == ""
