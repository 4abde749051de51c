"""Numbers of a comparison in words."""

from __future__ import annotations

import pytest
from comparisons import FIVE, TWO, made

from corefkit.analysis.compare.comparison_text import (
    describe_correction,
    describe_samples,
    describe_test,
    explain_impossible,
    format_number,
    format_p,
)

LEA = made(TWO, metrics=["lea"]).metrics["lea"]
DIVIDED = made(TWO, metrics=["errors.divided"]).metrics["errors.divided"]


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (1.0, "1.0000"),
        (0.140625, "0.1406"),
        (0.0001, "0.0001"),
        (0.00009999, "< 0.0001"),
        (0.0, "< 0.0001"),
    ],
)
def test_p(p, text):
    assert format_p(p) == text


@pytest.mark.parametrize(
    ("value", "plain", "signed"),
    [
        (0.0655, "6.55", "+6.55"),
        (-0.0655, "-6.55", "-6.55"),
        (-0.00001, "0.00", "0.00"),
        (0.0, "0.00", "0.00"),
    ],
)
def test_points(value, plain, signed):
    assert format_number(LEA, value) == plain
    assert format_number(LEA, value, sign="+") == signed


def test_errors_are_whole_numbers():
    assert format_number(DIVIDED, 12.4) == "12"
    assert format_number(DIVIDED, -0.2, sign="+") == "0"
    assert format_number(DIVIDED, 3, sign="+") == "+3"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "two-sided paired randomization test of F1"),
        ({"test": "t"}, "two-sided paired t-test over documents of F1"),
        (
            {"alternative": "less", "baseline": [*TWO][1], "test": "bootstrap"},
            "one-sided paired bootstrap test of F1 (less than greedy)",
        ),
    ],
)
def test_of_tests(options, words):
    assert describe_test(made(TWO, metrics=["lea"], **options), of="F1") == words


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "10,000 shuffles of texts"),
        ({"differ": 3}, "all ways to swap texts (exact)"),
        ({"test": "bootstrap", "samples": 1}, "1 draw of texts"),
        ({"test": "t"}, "64 documents"),
        ({"unit": "document"}, "10,000 shuffles of documents"),
    ],
)
def test_of_samples(options, words):
    assert describe_samples(made(TWO, metrics=["lea"], **options)) == words


@pytest.mark.parametrize(
    ("scores", "options", "words"),
    [
        (TWO, {}, ""),
        (FIVE, {}, "Holm correction over the 10 pairs of each metric"),
        (FIVE, {"correction": "none"}, "no correction for 10 pairs"),
        (
            FIVE,
            {"correction": "bonferroni", "metrics": ["lea"], "baseline": "base.conll"},
            "Bonferroni correction over the 4 pairs",
        ),
    ],
)
def test_of_corrections(scores, options, words):
    assert describe_correction(made(scores, **options)) == words


def test_one_unit_that_differs():
    comparison = made(TWO, metrics=["lea"], differ=1)
    pairs = comparison.metrics["lea"].pairs
    words = explain_impossible(pairs, comparison)
    assert words == "only 1 text differs, so p is at least 1"


def test_one_side_has_half_of_the_least_p():
    options = {"baseline": next(iter(TWO)), "alternative": "greater"}
    comparison = made(TWO, metrics=["lea"], differ=3, **options)
    words = explain_impossible(comparison.metrics["lea"].pairs, comparison)
    assert words == "only 3 texts differ, so p is at least 0.125"
