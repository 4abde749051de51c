"""What memory-based learners keep, and what they refuse."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from resolver.learners.pairs import TimblItself, instance_sets, instances_of, skewed

from cistell.paper.memory import compute_gain_ratios, order_features, store_memory

PAIRS = skewed(0, 200)
MEMORY = store_memory(PAIRS)


def test_every_pair_has_its_vote():
    assert MEMORY.votes.sum(axis=0).tolist() == [
        int((~PAIRS.positive).sum()),
        int(PAIRS.positive.sum()),
    ]
    assert len(MEMORY.rows) == len(np.unique(PAIRS.rows, axis=0)) < len(PAIRS.rows)


def slow_gain_ratio(values, classes):
    def entropy(things):
        shares = [things.count(one) / len(things) for one in set(things)]
        return -sum(share * math.log2(share) for share in shares)

    rest = 0.0
    for value in set(values):
        of_value = [one for at, one in zip(values, classes, strict=True) if at == value]
        rest += len(of_value) / len(values) * entropy(of_value)
    split = entropy(values)
    return (entropy(classes) - rest) / split if split else 0.0


@given(instance_sets())
def test_gain_ratio_is_the_formula(drawn):
    instances, _ = drawn
    found = list(compute_gain_ratios(instances).values())
    classes = instances.positive.tolist()
    expected = [slow_gain_ratio(row, classes) for row in instances.rows.T.tolist()]
    assert found == pytest.approx(expected, abs=1e-12)


@settings(max_examples=30)
@given(instance_sets())
def test_gain_ratio_is_timbls(drawn):
    pytest.importorskip("timblapi")
    instances, _ = drawn
    found = list(compute_gain_ratios(instances).values())
    assert found == pytest.approx(TimblItself(instances).weights, rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_gain_ratio_of_skewed_features_is_timbls(seed):
    pytest.importorskip("timblapi")
    instances = skewed(seed, 800)
    found = list(compute_gain_ratios(instances).values())
    assert found == pytest.approx(TimblItself(instances).weights, rel=1e-9)
    assert found[0] > 10 * found[9] > 0


def test_feature_with_one_value_has_no_weight():
    instances = instances_of([[0, 1], [0, 0]], [True, False])
    assert compute_gain_ratios(instances) == {"f0": 0.0, "f1": 1.0}


def test_order_is_by_weight_for_each_value_then_by_place():
    rows = np.array([[0, 0, 0, 0], [1, 1, 1, 0], [2, 1, 1, 0]])
    assert order_features(rows, [0.4, 0.2, 0.2, 0.0]) == [0, 1, 2, 3]
    assert order_features(rows, [0.3, 0.3, 0.4, 0.0]) == [2, 1, 0, 3]
