"""Krippendorff's α of several annotators, against a version that goes pair by pair."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from builders import partitions
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit import PairingError, SettingsError, measure_agreement
from corefkit.example import paths

# Eleven noun phrases and three annotators, an example of Passonneau (2004).
CODERS = (
    ["ad", "befk", "ch", "gij"],
    ["ad", "befk", "c", "gj", "h", "i"],
    ["ad", "befk", "chij", "g"],
)
METRICS = ("alpha", "alpha_masi")


def compute_distance(first, second, metric):
    if not first & second:
        return Fraction(1)
    steps = 1 + (first <= second) + (first >= second)
    agreement = Fraction(steps, 3)
    if metric == "alpha_masi":
        agreement *= Fraction(len(first & second), len(first | second))
    return 1 - agreement


def compute_slowly(annotators, metric):
    """Compute α of dictionaries of partitions; None if there is no distance."""
    rows = []
    for name in annotators[0]:
        sets = [
            {
                (name, m): frozenset((name, one) for one in e)
                for e in each[name]
                for m in e
            }
            for each in annotators
        ]
        units = {unit for one in sets for unit in one}
        rows += [[one.get(unit, frozenset([unit])) for one in sets] for unit in units]
    everything = [value for row in rows for value in row]
    pairs = [pair for row in rows for pair in combinations(row, 2)]
    observed = sum(compute_distance(*pair, metric) for pair in pairs)
    chances = [*combinations(everything, 2)]
    expected = sum(compute_distance(*pair, metric) for pair in chances)
    if not expected:
        return None
    return 1 - Fraction(observed, len(pairs)) / Fraction(expected, len(chances))


@given(
    st.integers(2, 4).flatmap(
        lambda size: st.lists(
            st.fixed_dictionaries({"a": partitions(6), "b": partitions(5)}),
            min_size=size,
            max_size=size,
        )
    ),
    st.sampled_from(METRICS),
)
def test_equals_the_slow_version(annotators, metric):
    found = measure_agreement(annotators, metric=metric).value
    expected = compute_slowly(annotators, metric)
    if expected is None:
        assert found is None
    else:
        assert found == pytest.approx(float(expected), abs=1e-12)


def test_three_annotators_of_the_literature():
    found = measure_agreement(CODERS)
    assert found.value == pytest.approx(77 / 101)
    assert (found.mentions, found.annotators) == (11, 3)


@pytest.mark.parametrize("metric", METRICS)
def test_two_annotators_have_the_score(metric):
    files = paths()
    score = corefkit.score(files[0], files[1], metrics=[metric])[metric]
    found = measure_agreement(files[:2], metric=metric)
    assert found.value == pytest.approx(score.value)
    assert found.observed == pytest.approx(score.f1)


@pytest.mark.parametrize("metric", METRICS)
def test_order_of_annotators_has_no_effect(metric):
    files = paths()
    found = measure_agreement(files, metric=metric)
    other = measure_agreement(files[::-1], metric=metric)
    assert found == pytest.approx(other)


def test_annotators_need_the_same_documents():
    for annotators in (
        [{"a": ["x"]}, {"b": ["x"]}],
        [{"a": ["x"], "b": []}, {"a": []}],
    ):
        for one in (annotators, annotators[::-1]):
            with raises(PairingError, "pairing/missing-document"):
                measure_agreement([{"a": ["x"], "b": []}, *one])


def test_same_annotation_several_times_agrees():
    file = paths()[0]
    for annotators in ([CODERS[0]] * 3, [file] * 3, [file] * 2):
        found = measure_agreement(annotators)
        assert (found.value, found.observed) == (1, 1)
    found = measure_agreement([CODERS[0], CODERS[0], CODERS[1]])
    sides = [{"d": CODERS[number]} for number in (0, 0, 1)]
    assert found.value == pytest.approx(float(compute_slowly(sides, "alpha")))


def test_one_annotator_cannot_agree():
    with raises(SettingsError, "settings/missing-value", place=None):
        measure_agreement([["ab"]])
    with raises(SettingsError, "settings/unknown-value", place=None):
        measure_agreement([["ab"], ["ab"]], metric="muc")
