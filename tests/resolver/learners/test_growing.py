"""Trees that LightGBM grows, read from its text."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from cistell.learners import growing
from cistell.learners.growing import Growth, grown, trees_of
from cistell.learners.trees import readied, scores
from corefkit.exceptions import CorefkitError

lightgbm = pytest.importorskip("lightgbm", exc_type=(ImportError, OSError))

random = np.random.default_rng(0)
ROWS = random.integers(0, 200, (3000, 4)).astype(np.uint8)
# Ordered features tell by a limit, the others by sets of codes; the last tells nothing.
TARGET = ((ROWS[:, 0] > 90) ^ (ROWS[:, 1] % 3 == 0)).astype(np.float64)
ORDERED = np.array([True, False, True, False])
FEW = Growth(rounds=10)


def test_scores_are_those_of_lightgbm():
    settings = {"objective": "binary", "num_leaves": 64, "num_threads": 1}
    instances = lightgbm.Dataset(ROWS, TARGET, categorical_feature=[1, 3])
    model = lightgbm.train({**settings, "verbose": -1}, instances, 20)
    found = scores(readied(trees_of(model.model_to_string(), 4)), ROWS)
    expected = model.predict(ROWS, raw_score=True)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def test_target_is_learned_from_ordered_and_other_features():
    trees = grown(ROWS, TARGET, ordered=ORDERED, growth=Growth(rounds=60))
    found = scores(readied(trees), ROWS) > 0
    assert (found == TARGET).mean() > 0.95
    assert trees.gain[:2].min() > 4 * trees.gain[2:].max()


def test_limits_of_ordered_features_are_kept():
    trees = grown(ROWS, TARGET, ordered=np.ones(4, bool), growth=FEW)
    left = np.unpackbits(trees.left, axis=1, bitorder="little").astype(int)
    splits = trees.nodes[:, 0] >= 0
    assert (np.diff(left[splits], axis=1) <= 0).all()


def test_same_rows_and_seed_grow_the_same_trees():
    growth = replace(FEW, features=0.5)
    files = [
        grown(ROWS, TARGET, ordered=ORDERED, growth=growth, seed=seed).files()
        for seed in (0, 0, 1)
    ]
    assert files[0] == files[1]
    assert files[0] != files[2]


def test_objective_may_be_a_function():
    def squares(score):
        return score - 3 * TARGET, np.ones_like(score)

    growth = Growth(rounds=80, rate=0.3)
    trees = grown(ROWS, TARGET, ordered=ORDERED, growth=growth, objective=squares)
    found = scores(readied(trees), ROWS)
    assert found[TARGET == 1].mean() == pytest.approx(3, abs=0.3)
    assert found[TARGET == 0].mean() == pytest.approx(0, abs=0.3)


def test_rows_that_tell_nothing_make_a_tree_of_one_leaf():
    trees = grown(ROWS[:10], TARGET[:10] * 0, ordered=ORDERED, growth=FEW)
    assert (trees.nodes[:, 0] == -1).all()


def test_too_many_leaves_are_refused():
    with pytest.raises(ValueError, match="65 leaves"):
        grown(ROWS, TARGET, ordered=ORDERED, growth=Growth(leaves=65))


def test_trees_that_cannot_be_read_are_an_error(monkeypatch):
    """LightGBM may write its trees in another way one day."""

    def mirrored(text, width):
        trees = trees_of(text, width)
        return replace(trees, left=~trees.left)

    monkeypatch.setattr(growing, "trees_of", mirrored)
    with pytest.raises(CorefkitError, match="cannot read"):
        grown(ROWS, TARGET, ordered=ORDERED, growth=FEW)


def test_missing_library_is_an_error_in_words(monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(CorefkitError, match="needs LightGBM, which is not installed"):
        grown(ROWS, TARGET, ordered=ORDERED, growth=FEW)


def test_library_without_openmp_is_an_error_in_words(monkeypatch):
    def broken(_):
        message = "libgomp.so.1: cannot open shared object file"
        raise OSError(message)

    monkeypatch.setattr(growing, "import_module", broken)
    with pytest.raises(CorefkitError, match=r"libgomp\.so\.1") as error:
        grown(ROWS, TARGET, ordered=ORDERED, growth=FEW)
    assert "libgomp1" in error.value.hint
