"""The best one-to-one map, by each of its ways, against scipy's dense solver."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from corefkit.alignment import assignment
from corefkit.alignment.assignment import Paths, solve_assignment

weights = st.sampled_from([0, 0, 0, 1, 1, 2, 3, 5, 0.5, 2 / 3, 1 / 3])
tables = st.integers(1, 7).flatmap(
    lambda width: st.lists(
        st.lists(weights, min_size=width, max_size=width), min_size=1, max_size=7
    )
)
# Constants that make even small tables be solved in one way.
WAYS = {
    "paths": {},
    "dominant cells": {"_MAX_SMALL": 0},
    "components": {"_MAX_EXAMINED": 3},
    "scipy": {"_MAX_EXAMINED": -1},
}


def taking(way, patch):
    for name, value in WAYS[way].items():
        patch.setattr(assignment, name, value)


def check(table):
    dense = np.array(table, float)
    row, column = np.nonzero(dense)
    weight = dense[row, column]
    cells = solve_assignment(row, column, weight)
    assert len(set(row[cells])) == len(set(column[cells])) == len(cells)
    assert np.all(np.diff(cells) > 0)
    best = dense[linear_sum_assignment(dense, maximize=True)].sum()
    assert weight[cells].sum() == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize("way", WAYS)
@given(table=tables)
def test_map_is_the_best_of_all(way, table):
    with pytest.MonkeyPatch.context() as patch:
        taking(way, patch)
        check(table)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("way", WAYS)
def test_large_dense_table(seed, way, monkeypatch):
    taking(way, monkeypatch)
    random = np.random.default_rng(seed)
    table = random.integers(0, 50, (40, 55))
    check(table if seed % 2 else table.T / random.integers(1, 9, (55, 40)))


@pytest.mark.parametrize("way", WAYS)
def test_many_parts_at_once(way, monkeypatch):
    taking(way, monkeypatch)
    random = np.random.default_rng(3)
    table = np.zeros((120, 120))
    for at in range(0, 120, 6):
        table[at : at + 6, at : at + 6] = random.integers(0, 6, (6, 6)) / 7
    check(table[random.permutation(120)])


def test_no_cell_gives_no_map():
    none = np.empty(0, np.int64)
    assert solve_assignment(none, none, np.empty(0)).tolist() == []


@pytest.fixture
def searches(monkeypatch):
    """Return the list of all searches for paths."""
    searches = []

    class RecordedPaths(Paths):
        def __init__(self, *table):
            super().__init__(*table)
            searches.append(self)

    monkeypatch.setattr(assignment, "Paths", RecordedPaths)
    return searches


def path(entities, weight):
    """Give a chain: row 0, column 0, row 1, column 1 and so on."""
    cell = np.arange(2 * entities - 1)
    return (cell + 1) // 2, cell // 2, weight(cell)


CHAINS = {
    "equal": np.ones_like,
    "rising": lambda cell: 1 + cell / len(cell),
    "falling": lambda cell: 2 - cell / len(cell),
    "nearly equal": lambda cell: 1 + np.random.default_rng(1).random(len(cell)) / 1000,
    "integers": lambda cell: np.random.default_rng(1).integers(1, 4, len(cell)),
}


@pytest.mark.parametrize("kind", CHAINS)
def test_chain_of_entities_has_the_best_map(kind):
    row, column, weight = path(600, CHAINS[kind])
    table = np.zeros((600, 600))
    table[row, column] = weight
    check(table)


@pytest.mark.parametrize("kind", ["chain", "random sizes", "random floats", "grid"])
def test_long_searches_end_at_the_limit(kind, searches, monkeypatch):
    monkeypatch.setattr(assignment, "_MAX_EXAMINED", 10_000)
    if kind == "chain":
        row, column, weight = path(4_000, CHAINS["nearly equal"])
    else:
        row, column, weight = dense_part(kind, 800)
    cells = solve_assignment(row, column, weight)
    assert len(set(row[cells])) == len(set(column[cells])) == len(cells)
    for search in searches:
        assert search.examined <= 10_000 + len(row)


def dense_part(kind, entities):
    random = np.random.default_rng(7)
    if kind == "grid":
        side = int((2 * entities) ** 0.5)
        place = np.arange(side * side).reshape(side, side)
        ends = [(place[:, 1:], place[:, :-1]), (place[1:], place[:-1])]
        ends = np.concatenate([np.stack(pair).reshape(2, -1) for pair in ends], 1)
        dark = (ends // side + ends % side) % 2 == 1
        row, column = np.where(dark[0], ends[0], ends[1]), ends.sum(0)
        column = column - row
        weight = 1 + random.random(len(row)) / 100
    else:
        key, response = random.integers(entities, size=(2, 10 * entities))
        cells, shared = np.unique(key * entities + response, return_counts=True)
        row, column = np.divmod(cells, entities)
        sizes = (np.bincount(side, minlength=entities) for side in (key, response))
        key_size, response_size = sizes
        weight = 2 * shared / (key_size[row] + response_size[column])
        if kind == "random floats":
            weight = random.random(len(row)) + 0.01
    order = np.lexsort((column, row))
    return row[order], column[order], weight[order]


def test_component_is_solved_the_same_way_next_to_others(searches, monkeypatch):
    monkeypatch.setattr(assignment, "_MAX_EXAMINED", 20_000)
    row, column, weight = dense_part("random floats", 200)
    alone = solve_assignment(row, column, weight)
    copies = 12
    rows = np.concatenate([row + 200 * copy for copy in range(copies)])
    columns = np.concatenate([column + 200 * copy for copy in range(copies)])
    together = solve_assignment(rows, columns, np.tile(weight, copies))
    assert searches[1].examined > 20_000
    assert together[: len(alone)].tolist() == alone.tolist()
    assert len(together) == copies * len(alone)
