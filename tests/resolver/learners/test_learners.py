"""The table of learners, and what holds for each of them."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from resolver.learners.pairs import instances_of, skewed

from cistell.learners import LEARNERS, boosting, learner_named
from cistell.learners.base import Instances
from corefkit.exceptions import CorefkitError, SettingsError

PAIRS = skewed(0, 500, positive=0.3)
NEEDS = {"timbl": "timblapi", "logistic": "sklearn", "boosting": "lightgbm"}


@pytest.fixture(params=LEARNERS)
def learner(request, monkeypatch):
    if request.param in NEEDS:
        pytest.importorskip(NEEDS[request.param])
    monkeypatch.setattr(boosting, "ITERATIONS", 10)
    return LEARNERS[request.param]


def test_decisions_are_in_bounds_and_better_than_chance(learner):
    classifier = learner.learn(PAIRS, seed=0)
    heldout = skewed(1, 500, positive=0.3)
    found = classifier.decide(heldout.rows)
    assert len(found.positive) == len(found.distance) == len(found.probability) == 500
    assert (found.distance >= 0).all()
    assert ((found.probability >= 0) & (found.probability <= 1)).all()
    assert (found.positive == heldout.positive).mean() > 0.75


def test_row_is_decided_the_same_in_any_company(learner):
    classifier = learner.learn(PAIRS, seed=0)
    rows = PAIRS.rows[:100]
    found = classifier.decide(rows)
    again = classifier.decide(np.concatenate([rows[::-1], rows]))
    for name in ("positive", "distance", "probability"):
        expected = getattr(found, name)
        both = np.concatenate([expected[::-1], expected])
        np.testing.assert_array_equal(getattr(again, name), both)


def test_every_feature_has_a_weight(learner):
    weights = learner.learn(PAIRS, seed=0).weights
    assert list(weights) == [column.name for column in PAIRS.columns]
    assert min(weights.values()) >= 0


def test_files_are_bytes_and_enough(learner):
    classifier = learner.learn(PAIRS, seed=0)
    assert all(isinstance(body, bytes) for body in classifier.files().values())
    loaded = learner.load(classifier.files(), PAIRS.columns)
    found, expected = loaded.decide(PAIRS.rows), classifier.decide(PAIRS.rows)
    np.testing.assert_array_equal(found.distance, expected.distance)
    with pytest.raises(CorefkitError, match="missing or damaged"):
        learner.load({}, PAIRS.columns)


@pytest.mark.parametrize(
    ("instances", "message"),
    [
        (instances_of([[0], [1]], [False, False]), "no pair to learn from is coref"),
        (instances_of([[0], [1]], [True, True]), "every pair to learn from is coref"),
        (instances_of(np.zeros((0, 1)), []), "no pairs to learn from"),
        (Instances((), np.zeros((2, 0), np.uint8), np.ones(2, bool)), "no features"),
    ],
    ids=["none coreferent", "all coreferent", "no pairs", "no features"],
)
def test_pairs_that_teach_nothing_are_refused(learner, instances, message):
    with pytest.raises(CorefkitError, match=message):
        learner.learn(instances, seed=0)


def test_unknown_learner_is_refused_with_the_nearest():
    with pytest.raises(SettingsError, match="unknown learner 'timble'") as error:
        learner_named("timble")
    assert "did you mean 'timbl'" in error.value.hint


def test_ib1_takes_over_where_timbl_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "timblapi", None)
    notes = []
    assert learner_named("timbl", note=notes.append).name == "ib1"
    assert len(notes) == 1
    assert "ib1 takes over" in notes[0]
    assert learner_named("timbl") is LEARNERS["ib1"]


def test_learners_are_as_named():
    assert list(LEARNERS) == ["timbl", "ib1", "logistic", "boosting"]
    assert all(name == learner.name for name, learner in LEARNERS.items())
    notes = []
    assert learner_named("ib1", note=notes.append) is LEARNERS["ib1"]
    assert notes == []
