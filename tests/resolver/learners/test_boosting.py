"""Boosted trees: grown by LightGBM, asked without it."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from resolver.learners.pairs import skewed

from cistell.learners import boosting
from cistell.learners.boosting import learn_boosting, load_boosting

lightgbm = pytest.importorskip("lightgbm", exc_type=(ImportError, OSError))

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
    settings = {"objective": "binary", "min_data_in_bin": 1, "num_threads": 1}
    every = list(range(PAIRS.rows.shape[1]))
    pairs = lightgbm.Dataset(PAIRS.rows, PAIRS.positive, categorical_feature=every)
    return lightgbm.train({**settings, "verbose": -1}, pairs, TREES)


def test_probabilities_are_those_of_lightgbm(classifier, model):
    found = classifier.decide(ROWS)
    expected = model.predict(ROWS)
    np.testing.assert_allclose(found.probability, expected, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(found.positive, found.probability > 0.5)
    np.testing.assert_array_equal(found.distance, 1 - found.probability)
    assert 0.1 < found.positive.mean() < 0.9


def test_values_never_seen_go_where_lightgbm_sends_them(classifier, model):
    rows = np.random.default_rng(0).integers(0, 9, ROWS.shape).astype(np.uint8)
    assert rows.max() > PAIRS.rows.max()
    assert PAIRS.rows[:, 0].max() == 1
    expected = model.predict(rows)
    found = classifier.decide(rows).probability
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def test_model_is_loaded_and_decides_without_lightgbm(classifier, monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
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
