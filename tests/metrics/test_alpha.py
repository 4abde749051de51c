"""Alpha: an example of the literature, and a slow version that goes pair by pair."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from builders import corpora, pairs
from hypothesis import given

import corefkit

# Eleven noun phrases and three annotators, an example of Passonneau (2004).
CODERS = (
    ["ad", "befk", "ch", "gij"],
    ["ad", "befk", "c", "gj", "h", "i"],
    ["ad", "befk", "chij", "g"],
)


def values(partition, units):
    """Say which set an annotator gives to each unit."""
    sets = {mention: frozenset(entity) for entity in partition for mention in entity}
    return [sets.get(unit, frozenset([unit])) for unit in units]


def passonneau(first, second):
    """The distance of 2004."""
    if first == second:
        return Fraction(0)
    if first <= second or second <= first:
        return Fraction(1, 3)
    return Fraction(2, 3) if first & second else Fraction(1)


def masi(first, second):
    """The distance of 2006."""
    jaccard = Fraction(len(first & second), len(first | second))
    return 1 - jaccard * (1 - passonneau(first, second))


DISTANCES = {"alpha": passonneau, "alpha_masi": masi}


def slow_alpha(rows, distance):
    """Compute alpha of rows, which have the values of one unit each, pair by pair."""
    everything = [value for row in rows for value in row]
    observed = [distance(*pair) for row in rows for pair in combinations(row, 2)]
    expected = [distance(*pair) for pair in combinations(everything, 2)]
    if not any(expected):
        return None
    mean = sum(expected) / Fraction(len(expected))
    return 1 - sum(observed) / Fraction(len(observed)) / mean


def rows_of(key, response):
    """Lay out the values of two annotators, documents told apart."""
    rows = []
    for document in key:
        sides = [
            [[(document, mention) for mention in entity] for entity in side[document]]
            for side in (key, response)
        ]
        units = sorted(
            {mention for side in sides for entity in side for mention in entity}
        )
        rows += zip(*(values(side, units) for side in sides), strict=True)
    return rows


def assert_equal(result, rows):
    for name, distance in DISTANCES.items():
        expected = slow_alpha(rows, distance)
        if expected is None:
            assert "value" in result[name].undefined or not rows
            assert result[name].value == 0
        else:
            assert result[name].value == pytest.approx(float(expected), abs=1e-12)


@given(pairs(12))
def test_equals_the_slow_version(pair):
    key, response = ({"d": side} for side in pair)
    result = corefkit.score(key, response, metrics=[*DISTANCES])
    assert_equal(result, rows_of(key, response))


@given(corpora())
def test_corpus_equals_the_slow_version(corpus):
    key, response = corpus
    result = corefkit.score(key, response, metrics=[*DISTANCES])
    assert_equal(result, rows_of(key, response))


def test_three_annotators_of_the_literature():
    rows = list(zip(*(values(coder, "abcdefghijk") for coder in CODERS), strict=True))
    assert slow_alpha(rows, passonneau) == Fraction(77, 101)
    nominal = slow_alpha(rows, lambda first, second: Fraction(first != second))
    assert round(float(nominal), 2) == 0.45


@pytest.mark.parametrize(
    ("pair", "alpha", "by_masi"),
    [((0, 1), 0.8091, 0.6388), ((0, 2), 0.7211, 0.5566), ((1, 2), 0.7640, 0.5391)],
)
def test_two_annotators_of_the_literature(pair, alpha, by_masi):
    result = corefkit.score(*(CODERS[one] for one in pair), metrics=[*DISTANCES])
    assert round(result["alpha"].value, 4) == alpha
    assert round(result["alpha_masi"].value, 4) == by_masi


def test_a_singleton_is_no_mention():
    with_it, without = ["abc", "d"], ["abc"]
    both = corefkit.score(with_it, ["ab", "c"], metrics=["alpha"])
    assert corefkit.score(with_it, without, metrics=["alpha"])["alpha"].value == 1
    assert both["alpha"].value < 1


def test_annotators_can_agree_less_than_by_chance():
    result = corefkit.score(["abc"], ["ab", "c"], metrics=["alpha_masi"])
    assert result["alpha_masi"].value == pytest.approx(-16 / 69)


@pytest.mark.parametrize("key", [["abc"], ["a"], []])
def test_one_set_has_no_alpha(key):
    score = corefkit.score(key, key, metrics=["alpha"])["alpha"]
    assert score.value == 0
    assert score.undefined
