"""Logistic regression: fitted by scikit-learn, decide_pairs without it."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from resolver.learners.pairs import skewed

from cistell.learners import learn_logistic
from corefkit.exceptions import CorefkitError

pytest.importorskip("sklearn")

PAIRS = skewed(0, 900, positive=0.3)
ROWS = skewed(1, 300, positive=0.5).rows


@pytest.fixture(scope="module")
def classifier():
    return learn_logistic(PAIRS)


def test_probabilities_are_scikit_learns(classifier):
    from sklearn.linear_model import LogisticRegression

    def one_hot(rows):
        return np.concatenate([np.eye(8)[column] for column in rows.T], axis=1)

    model = LogisticRegression(max_iter=1000).fit(one_hot(PAIRS.rows), PAIRS.positive)
    expected = model.predict_proba(one_hot(ROWS))[:, 1]
    found = classifier.decide(ROWS)
    # Two fits of the same pairs stop at slightly different places.
    np.testing.assert_allclose(found.probability, expected, atol=1e-3)
    np.testing.assert_array_equal(found.positive, found.probability > 0.5)
    np.testing.assert_array_equal(found.distance, 1 - found.probability)
    assert 0.1 < found.positive.mean() < 0.9


def test_probabilities_are_those_of_the_coefficients(classifier):
    row = ROWS[0]
    score = classifier.coefficients[0]
    for at, code in enumerate(row):
        score += classifier.coefficients[1 + 8 * at + code]
    found = classifier.decide(ROWS[:1]).probability[0]
    assert found == pytest.approx(1 / (1 + np.exp(-score)), rel=1e-12)


def test_value_never_seen_adds_nothing(classifier):
    unseen = [at for at in range(8) if at not in PAIRS.rows[:, 0]]
    assert not classifier.coefficients[1 + np.array(unseen)].any()


def test_missing_scikit_learn_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(CorefkitError, match="scikit-learn") as error:
        learn_logistic(PAIRS)
    assert error.value.code == "environment/missing-package"


def test_weights_are_shares_and_the_best_feature_leads(classifier):
    weights = classifier.weights
    assert sum(weights.values()) == pytest.approx(1)
    assert max(weights, key=weights.get) == "f0"
    assert weights["f10"] == pytest.approx(0, abs=1e-12)
