"""Thresholds picked on held-out documents."""

from __future__ import annotations

import numpy as np
import pytest
from resolver.stories import stories

from cistell.features import chosen_features
from cistell.languages import language_named
from cistell.learners.base import Column, Decisions, Instances
from cistell.lexicon import load_lexicon
from cistell.models import LINKINGS
from cistell.profiles import Context
from cistell.tuning import ablated, picked_thresholds, ranked

FEATURES = chosen_features("en", only=["head_match", "string_match"])
_OTHER_HEAD, _SAME_WORDS = 0, 1


class Sure:
    """Calls nouns coreferent, those with the same words at a smaller distance."""

    def decide(self, rows):
        same = rows[:, 1] == _SAME_WORDS
        return Decisions(
            same | (rows[:, 0] == _OTHER_HEAD),
            np.where(same, 0.1, 0.5),
            np.where(same, 0.9, 0.5),
        )


@pytest.fixture(scope="module")
def context():
    return Context(language_named("en"), load_lexicon("en"))


def test_wrong_decisions_are_left_out(context):
    picked = picked_thresholds(
        stories(6), LINKINGS, Sure(), features=FEATURES, context=context
    )
    assert set(picked) == set(LINKINGS)
    assert all(0.1 < one < 0.5 for one in picked.values())


def test_documents_without_pairs_have_a_threshold_all_the_same(context):
    picked = picked_thresholds([], LINKINGS, Sure(), features=FEATURES, context=context)
    assert set(picked) == set(LINKINGS)


def instances(seed, count=400):
    """Pairs of which one feature tells nearly all, one a little, and one nothing."""
    random = np.random.default_rng(seed)
    positive = random.random(count) < 0.4
    noise = random.random((count, 3))
    rows = np.empty((count, 3), np.uint8)
    rows[:, 0] = noise[:, 0] < 0.5
    rows[:, 1] = np.where(noise[:, 1] < 0.95, positive, ~positive)
    rows[:, 2] = np.where(noise[:, 2] < 0.6, positive, ~positive)
    names = ("nothing", "nearly", "little")
    return Instances(
        tuple(Column(name, ("no", "yes")) for name in names), rows, positive
    )


def test_the_best_comes_first():
    ranks = ranked(instances(1))
    assert [rank.feature for rank in ranks] == ["nearly", "little", "nothing"]
    assert all(rank.loss is None for rank in ranks)


@pytest.mark.parametrize("learner", ["ib1", "timbl", "logistic"])
def test_what_tells_most_is_missed_most(learner):
    seen = []
    whole, ranks = ablated(
        instances(1),
        instances(2),
        learner=learner,
        progress=lambda done, total: seen.append((done, total)),
    )
    losses = {rank.feature: rank.loss for rank in ranks}
    assert whole > 0.85
    assert losses["nearly"] > 0.2
    assert abs(losses["nothing"]) < 0.1
    assert seen == [(0, 3), (1, 3), (2, 3)]
