from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cistell.network.trees import best_tree


def is_tree(parents):
    """Return whether there is one root, and each word hangs on it in the end."""
    reached = {0}
    for _ in parents:
        reached |= {word for word, parent in enumerate(parents, 1) if parent in reached}
    return parents.count(0) == 1 and len(reached) == len(parents) + 1


def slow_best_tree(scores):
    """Try all trees."""
    places = range(len(scores) + 1)
    trees = filter(is_tree, map(list, product(places, repeat=len(scores))))
    return max(trees, key=lambda tree: sum(scores[range(len(tree)), tree]))


@given(st.integers(1, 5), st.integers(0, 2**32))
def test_best_tree_is_the_best_of_all(size, seed):
    scores = np.random.default_rng(seed).normal(size=(size, size + 1))
    assert best_tree(scores.astype(np.float32)).tolist() == slow_best_tree(scores)


@pytest.mark.parametrize("size", [1, 2, 40, 300])
def test_trees_are_trees_however_bad_scores_are(size):
    chance = np.random.default_rng(size)
    for scores in (
        np.zeros((size, size + 1), np.float32),
        chance.normal(size=(size, size + 1)).astype(np.float32),
        chance.integers(0, 2, (size, size + 1)).astype(np.float32),
    ):
        assert is_tree(best_tree(scores).tolist())


def test_one_root_even_where_all_words_want_to_be_one():
    scores = np.zeros((4, 5), np.float32)
    scores[:, 0] = 1000
    scores[2, 0] = 1001
    parents = best_tree(scores).tolist()
    assert parents.count(0) == 1
    assert parents[2] == 0
