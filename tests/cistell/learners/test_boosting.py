"""Boosted trees: grown by scikit-learn, asked without it."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest
from cistell.learners.pairs import skewed

from corefkit.cistell.learners import boosting
from corefkit.cistell.learners.base import scikit_learn
from corefkit.cistell.learners.boosting import (
    learn_boosting,
    load_boosting,
    readied,
    scores,
)
from corefkit.exceptions import CorefkitError

pytest.importorskip("sklearn")

PAIRS = skewed(0, 2000, positive=0.3)
ROWS = skewed(1, 500, positive=0.5).rows
TREES = 30


@pytest.fixture(scope="module", autouse=True)
def few_trees():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boosting, "ITERATIONS", TREES)
        yield


@pytest.fixture(scope="module")
def classifier():
    return learn_boosting(PAIRS)


@pytest.fixture(scope="module")
def model():
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(
        max_iter=TREES,
        early_stopping=False,
        categorical_features=[True] * PAIRS.rows.shape[1],
        random_state=0,
    )
    with scikit_learn():
        return model.fit(PAIRS.rows, PAIRS.positive)


def slow_score(trees, row):
    """Walk every tree from its root."""
    goes_left = np.unpackbits(trees.left, axis=1, bitorder="little")
    total = trees.start[0]
    for root in trees.first:
        node = root
        while trees.nodes[node, 0] >= 0:
            feature, left, right = trees.nodes[node]
            node = left if goes_left[node, row[feature]] else right
        total += trees.values[node]
    return total


def test_probabilities_are_scikit_learns(classifier, model):
    found = classifier.decide(ROWS)
    expected = model.predict_proba(ROWS)[:, 1]
    np.testing.assert_allclose(found.probability, expected, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(found.positive, found.probability > 0.5)
    np.testing.assert_array_equal(found.distance, 1 - found.probability)
    assert 0.1 < found.positive.mean() < 0.9


def test_values_never_seen_go_where_scikit_learn_sends_them(classifier, model):
    rows = np.random.default_rng(0).integers(0, 9, ROWS.shape).astype(np.uint8)
    assert rows.max() > PAIRS.rows.max()
    assert PAIRS.rows[:, 0].max() == 1
    expected = model.predict_proba(rows)[:, 1]
    found = classifier.decide(rows).probability
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def test_trees_are_asked_as_if_they_were_walked(classifier):
    found = classifier.trees.start + scores(classifier.ready, ROWS[:40])
    expected = [slow_score(classifier.trees, row) for row in ROWS[:40]]
    assert found == pytest.approx(expected, rel=1e-12)


def test_tree_of_one_leaf_says_the_same_of_all(classifier):
    trees = replace(
        classifier.trees,
        first=np.array([0], np.int32),
        nodes=np.array([[-1, 0, 0]], np.int32),
        values=np.array([0.25]),
        left=np.zeros((1, 32), np.uint8),
    )
    assert scores(readied(trees), ROWS[:3]).tolist() == [0.25] * 3


def test_model_is_loaded_and_decides_without_scikit_learn(classifier, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    loaded = load_boosting(classifier.files(), PAIRS.columns)
    found = loaded.decide(ROWS)
    np.testing.assert_array_equal(found.distance, classifier.decide(ROWS).distance)
    assert loaded.weights == classifier.weights
    assert loaded.files() == classifier.files()


def test_same_pairs_and_seed_give_the_same_bytes(classifier):
    assert learn_boosting(PAIRS).files() == classifier.files()


def test_weights_are_shares_and_the_best_feature_leads(classifier):
    weights = classifier.weights
    assert sum(weights.values()) == pytest.approx(1)
    assert max(weights, key=weights.get) == "f0"
    assert weights["f10"] == 0


def test_trees_that_cannot_be_read_are_an_error(monkeypatch):
    """scikit-learn may keep its trees in another way one day."""

    def mirrored(model, seen):
        trees = exported(model, seen)
        return replace(trees, left=~trees.left)

    exported = boosting._exported
    monkeypatch.setattr(boosting, "_exported", mirrored)
    with pytest.raises(CorefkitError, match="cannot read"):
        learn_boosting(PAIRS)


class TestDamage:
    def refused(self, trees):
        with pytest.raises(CorefkitError, match="missing or damaged"):
            load_boosting(trees.files(), PAIRS.columns)

    def test_circle(self, classifier):
        nodes = classifier.trees.nodes.copy()
        nodes[1, 1] = 0
        self.refused(replace(classifier.trees, nodes=nodes))

    def test_node_of_another_tree(self, classifier):
        nodes = classifier.trees.nodes.copy()
        nodes[0, 2] = classifier.trees.first[2]
        self.refused(replace(classifier.trees, nodes=nodes))

    def test_two_ways_to_a_node(self, classifier):
        nodes = classifier.trees.nodes.copy()
        nodes[0, 2] = nodes[0, 1]
        self.refused(replace(classifier.trees, nodes=nodes))

    def test_feature_that_is_none(self, classifier):
        nodes = classifier.trees.nodes.copy()
        nodes[0, 0] = len(PAIRS.columns)
        self.refused(replace(classifier.trees, nodes=nodes))

    def test_missing_values(self, classifier):
        self.refused(replace(classifier.trees, values=classifier.trees.values[1:]))

    def test_no_trees(self, classifier):
        none = {name: b"" for name in classifier.files()}
        with pytest.raises(CorefkitError, match="missing or damaged"):
            load_boosting(none, PAIRS.columns)
