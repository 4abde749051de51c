"""Ranks of features, and what is lost without them."""

from __future__ import annotations

import numpy as np
import pytest

from corefkit.cistell.learners.base import Column, Instances
from corefkit.cistell.ranking import ablated, ranked


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
