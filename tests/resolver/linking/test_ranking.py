"""The objective of ranking, held against its definition."""

from __future__ import annotations

import numpy as np
import pytest

from cistell.linking.ranking import antecedent_objective

STARTS = np.array([0, 3, 4])
RIGHT = np.array([False, True, True, True, False, True, False])


def loss(score):
    total = 0.0
    for rows in np.split(np.arange(len(score)), STARTS[1:]):
        share = np.exp(score[rows]) / np.exp(score[rows]).sum()
        total -= np.log(share[RIGHT[rows]].sum())
        sign = np.where(RIGHT[rows], 1, -1)[1:]
        total += np.log1p(np.exp(-sign * score[rows][1:])).sum()
    return total


def test_gradient_is_the_slope_of_the_loss():
    score = np.random.default_rng(0).normal(size=len(RIGHT))
    gradient, _ = antecedent_objective(STARTS, RIGHT)(score)
    for row in range(len(score)):
        step = np.zeros(len(score))
        step[row] = 1e-6
        slope = (loss(score + step) - loss(score - step)) / 2e-6
        assert gradient[row] == pytest.approx(slope, abs=1e-8)


def test_large_scores_do_not_overflow():
    score = np.array([800.0, -900.0, -800.0, 0.0, 700.0, -700.0, 0.0])
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        gradient, curvature = antecedent_objective(STARTS, RIGHT)(score)
    assert np.isfinite(gradient).all()
    assert (curvature > 0).all()
    assert gradient[:3].tolist() == pytest.approx([1, -1, -2])
