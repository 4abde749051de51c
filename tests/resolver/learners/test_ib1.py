"""Memory-based learning in NumPy, against TiMBL and against an obvious version."""

from __future__ import annotations

from itertools import pairwise, product
from math import fsum

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from resolver.learners.pairs import (
    TimblItself,
    assert_same,
    instance_sets,
    instances_of,
    skewed,
)

from cistell.paper import memory as ib1
from cistell.paper.memory import (
    EPSILON,
    Decisions,
    compute_gain_ratios,
    learn_ib1,
    order_features,
)
from corefkit.exceptions import SettingsError


def slow_ib1(instances, rows, k=1):
    """Measure every distance, and follow the rules one by one."""
    weights = np.array(list(compute_gain_ratios(instances).values()))
    classes = instances.positive
    default = classes[0] if classes.sum() * 2 == len(classes) else classes.mean() > 0.5
    found = []
    for row in rows:
        # Exact sums: the same weights are as far in whatever order they are added.
        distance = np.array(list(map(fsum, (instances.rows != row) * weights)))
        nearest = np.unique(distance)
        voting = np.isin(distance, nearest[:k])
        equal = (instances.rows == row).all(axis=1)
        if k == 1 and equal.any():
            voting = equal
        share = classes[voting].mean()
        if share == 0.5 and len(nearest) > k:
            # Rows at the distance that takes part now, beside those that voted.
            more = classes[voting | (distance == nearest[k])].mean()
            share = more if more != 0.5 else share
        found.append((default if share == 0.5 else share > 0.5, nearest[0], share))
    positive, distance, probability = zip(*found, strict=True)
    return Decisions(*map(np.array, (positive, distance, probability)))


@given(instance_sets(), st.integers(1, 3))
def test_decisions_follow_the_rules(drawn, k):
    instances, rows = drawn
    weights = np.array(list(compute_gain_ratios(instances).values()))
    chosen = np.array(list(product([False, True], repeat=len(weights))))
    sums = chosen @ weights
    added = [sorted(weights[row & (weights > 0)].tolist()) for row in chosen]
    # Sums of other numbers that are nearly equal are so or not by the order of summing.
    assume(
        all(
            added[one] == added[other]
            for one, other in pairwise(np.argsort(sums).tolist())
            if sums[other] - sums[one] < 1e-12
        )
    )
    found = learn_ib1(instances, k=k).decide(rows)
    expected = slow_ib1(instances, rows, k)
    np.testing.assert_array_equal(found.positive, expected.positive)
    np.testing.assert_allclose(found.probability, expected.probability, atol=1e-12)
    np.testing.assert_allclose(found.distance, expected.distance, atol=1e-12)


@given(instance_sets(), st.integers(1, 3))
def test_decisions_are_timbls(drawn, k):
    pytest.importorskip("timblapi")
    instances, rows = drawn
    assume(are_told_apart(instances))
    found = learn_ib1(instances, k=k).decide(rows)
    assert_same(found, TimblItself(instances, k=k).decide(rows))


def are_told_apart(instances):
    """Return whether distances are equal, or differ by what TiMBL calls a difference.

    The docstring of `ib1` has the case that this leaves out.
    """
    weights = list(compute_gain_ratios(instances).values())
    sums = {0.0}
    for at in order_features(instances.rows, weights):
        sums |= {distance + weights[at] for distance in sums}
    return all(other - one >= EPSILON for one, other in pairwise(sorted(sums)))


def test_timbl_leaves_a_branch_that_is_farther_by_an_error_of_rounding():
    """The one difference to TiMBL, as the docstring of `ib1` tells it."""
    pytest.importorskip("timblapi")
    numbers = (0, 0, 0, 0, 1, 100, 1000, 1000, 1000, 2100, 2000, 1000)
    positive = [name == "y" for name in "nnnyyynyynyn"]
    rows = [[int(digit) for digit in f"{number:04}"] for number in numbers]
    instances = instances_of(rows, positive)
    assert not are_told_apart(instances)
    asked = TimblItself(instances, k=2)
    _, _, votes, _ = asked.timbl.classify3("v0\tv0\tv0\tv1\t?", False, 0)
    assert votes == {"no": 5, "yes": 6}
    found = learn_ib1(instances, k=2).decide(np.array([[0, 0, 0, 1]], np.uint8))
    assert (found.positive.tolist(), found.probability.tolist()) == ([False], [0.5])


@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize("seed", range(3))
def test_decisions_on_skewed_features_are_timbls(seed, k):
    pytest.importorskip("timblapi")
    instances = skewed(seed, 1500)
    rows = skewed(seed + 100, 300, positive=0.5).rows
    found = learn_ib1(instances, k=k).decide(rows)
    assert_same(found, TimblItself(instances, k=k).decide(rows))
    assert 0 < found.positive.mean() < 1


def test_equal_features_make_equal_distances():
    """Weights that are the same number are added up to the same distance."""
    pytest.importorskip("timblapi")
    first = skewed(5, 400).rows[:, :5]
    rows = np.concatenate([first, first, first], axis=1)
    instances = instances_of(rows, skewed(5, 400).positive)
    asked = np.random.default_rng(0).integers(0, 3, (200, 15)).astype(np.uint8)
    assert_same(
        learn_ib1(instances).decide(asked), TimblItself(instances).decide(asked)
    )


class TestTies:
    def test_next_distance_decides_even_votes(self):
        rows = [[0, 0], [0, 0], [0, 1], [1, 0], [1, 1], [1, 0], [1, 1]]
        instances = instances_of(rows, [1, 0, 1, 0, 0, 0, 0])
        found = learn_ib1(instances).decide(np.array([[0, 0]], dtype=np.uint8))
        assert found.positive.tolist() == [True]
        assert found.probability == pytest.approx([2 / 3])
        assert found.distance.tolist() == [0.0]

    @pytest.mark.parametrize("most", [True, False])
    def test_class_of_most_pairs_decides_the_rest(self, most):
        rows = [[0, 0], [0, 0], [1, 0], [1, 0], [1, 1]]
        instances = instances_of(rows, [not most, most, most, not most, most])
        weights = compute_gain_ratios(instances)
        assert weights["f0"] < weights["f1"]
        found = learn_ib1(instances).decide(np.array([[0, 0]], dtype=np.uint8))
        assert found.positive.tolist() == [most]
        assert found.probability.tolist() == [0.5]

    @pytest.mark.parametrize("first", [True, False])
    def test_class_seen_first_decides_the_last(self, first):
        instances = instances_of([[0], [0]], [first, not first])
        found = learn_ib1(instances).decide(np.array([[0]], dtype=np.uint8))
        assert found.positive.tolist() == [first]


def test_row_seen_before_votes_alone():
    """Rows that differ in features of no weight are as near, but TiMBL asks first."""
    rows = [[0, 0], [0, 0], [0, 1], [0, 1], [1, 0], [1, 0], [1, 1], [1, 1]]
    instances = instances_of(rows, [1, 1, 0, 1, 0, 0, 1, 0])
    assert compute_gain_ratios(instances)["f1"] == 0
    asked = np.array([[0, 0], [0, 1], [0, 2]], dtype=np.uint8)
    found = learn_ib1(instances).decide(asked)
    assert found.probability == pytest.approx([1, 1 / 3, 3 / 4])
    assert found.distance.tolist() == [0, 0, 0]


def test_search_in_small_turns_is_the_same(monkeypatch):
    instances = skewed(1, 1000)
    rows = skewed(2, 500, positive=0.5).rows
    expected = learn_ib1(instances).decide(rows)
    monkeypatch.setattr(ib1, "_BLOCK", 30)
    monkeypatch.setattr(ib1, "_MOST", 100)
    found = learn_ib1(instances).decide(rows)
    np.testing.assert_array_equal(found.distance, expected.distance)
    np.testing.assert_array_equal(found.probability, expected.probability)


def test_k_must_be_positive():
    with pytest.raises(SettingsError, match="at least one"):
        learn_ib1(skewed(0, 50), k=0)
