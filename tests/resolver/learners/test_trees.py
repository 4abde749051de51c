"""Trees that score rows: as if they were walked, and refused where damaged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cistell.learners.trees import CODES, Trees, readied, scores, trees_from
from corefkit.exceptions import CorefkitError

WIDTH = 6


def drawn_trees(seed, *, leaves):
    """Split leaves at random until every tree has so many."""
    random = np.random.default_rng(seed)
    nodes, values, left, first = [], [], [], []
    for count in leaves:
        first.append(len(nodes))
        nodes.append([-1, -1, -1])
        open_leaves = [first[-1]]
        while len(open_leaves) < count:
            split = open_leaves.pop(int(random.integers(len(open_leaves))))
            children = [len(nodes), len(nodes) + 1]
            nodes[split] = [int(random.integers(WIDTH)), *children]
            nodes += [[-1, -1, -1], [-1, -1, -1]]
            open_leaves += children
    values = random.normal(size=len(nodes))
    left = random.integers(0, 256, (len(nodes), CODES // 8)).astype(np.uint8)
    return Trees(
        np.array(first, np.int32), np.array(nodes, np.int32), values, left, np.ones(6)
    )


TREES = drawn_trees(0, leaves=(31, 2, 64, 33, 1, 32, 5))
ROWS = np.random.default_rng(1).integers(0, CODES, (50, WIDTH)).astype(np.uint8)


def slow_score(trees, row):
    """Walk every tree from its root."""
    goes_left = np.unpackbits(trees.left, axis=1, bitorder="little")
    total = 0.0
    for root in trees.first:
        node = root
        while trees.nodes[node, 0] >= 0:
            feature, left, right = trees.nodes[node]
            node = left if goes_left[node, row[feature]] else right
        total += trees.values[node]
    return total


def test_trees_are_asked_as_if_they_were_walked():
    found = scores(readied(TREES), ROWS)
    expected = [slow_score(TREES, row) for row in ROWS]
    assert found == pytest.approx(expected, rel=1e-12)


def test_rows_of_several_blocks_score_the_same():
    many = np.tile(ROWS, (200, 1))
    assert len(many) > 8192
    found = scores(readied(TREES), many).reshape(200, -1)
    np.testing.assert_array_equal(found, np.tile(found[0], (200, 1)))
    assert scores(readied(TREES), ROWS[:0]).tolist() == []


def test_files_are_enough():
    loaded = trees_from(TREES.files(), WIDTH)
    np.testing.assert_array_equal(
        scores(readied(loaded), ROWS), scores(readied(TREES), ROWS)
    )
    assert loaded.files() == TREES.files()


class TestDamage:
    def refused(self, trees):
        with pytest.raises(CorefkitError, match="missing or damaged"):
            trees_from(trees.files(), WIDTH)

    def with_cell(self, row, column, value):
        nodes = TREES.nodes.copy()
        nodes[row, column] = value
        self.refused(replace(TREES, nodes=nodes))

    def test_circle(self):
        self.with_cell(int(np.flatnonzero(TREES.nodes[1:31, 0] >= 0)[0]) + 1, 1, 0)

    def test_node_of_another_tree(self):
        self.with_cell(0, 2, TREES.first[2])

    def test_two_ways_to_a_node(self):
        self.with_cell(0, 2, TREES.nodes[0, 1])

    def test_feature_that_is_none(self):
        self.with_cell(0, 0, WIDTH)

    def test_missing_values(self):
        self.refused(replace(TREES, values=TREES.values[1:]))

    def test_too_many_leaves(self):
        self.refused(drawn_trees(0, leaves=(65,)))

    def test_no_trees(self):
        with pytest.raises(CorefkitError, match="missing or damaged"):
            trees_from({name: b"" for name in TREES.files()}, WIDTH)
