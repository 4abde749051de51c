"""The best one-to-one map, by each of its ways, against scipy's dense solver."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from corefkit.alignment import assignment, auction, leaves, parts
from corefkit.alignment.assignment import Paths, best_map
from corefkit.alignment.leaves import Leaves

weights = st.sampled_from([0, 0, 0, 1, 1, 2, 3, 5, 0.5, 2 / 3, 1 / 3])
tables = st.integers(1, 7).flatmap(
    lambda width: st.lists(
        st.lists(weights, min_size=width, max_size=width), min_size=1, max_size=7
    )
)
# What is set so that even small tables are solved in one way.
WAYS = {
    "paths": {},
    "leaves": {(assignment, "_FEW"): 0},
    "leaves, one pass": {(assignment, "_FEW"): 0, (leaves, "_PASSES"): 1},
    "parts": {(assignment, "_PATIENCE"): 3},
    "matrix": {(assignment, "_PATIENCE"): -1},
    "sparse": {(assignment, "_PATIENCE"): -1, (auction, "_MATRIX"): 0},
    "auction": {
        (assignment, "_PATIENCE"): -1,
        (auction, "_MATRIX"): 0,
        (auction, "_MANY_EQUAL"): 0,
        (auction, "_LARGE"): 0,
    },
    "auction at once": {
        (assignment, "_PATIENCE"): -1,
        (auction, "_MATRIX"): 0,
        (auction, "_MANY_EQUAL"): 0,
        (auction, "_LARGE"): 0,
        (auction, "_FEW"): 0,
    },
    "short auction": {
        (assignment, "_PATIENCE"): -1,
        (auction, "_MATRIX"): 0,
        (auction, "_MANY_EQUAL"): 0,
        (auction, "_LARGE"): 0,
        (auction, "_ROUNDS"): 1,
        (auction, "_FEW"): 0,
        (auction, "_PASSES"): 1,
        (auction, "_LAST_STEP"): 1,
    },
    "auction, then sparse": {
        (assignment, "_PATIENCE"): -1,
        (auction, "_MATRIX"): 0,
        (auction, "_MANY_EQUAL"): 0,
        (auction, "_LARGE"): 0,
        (auction, "_ROUNDS"): 1,
        (auction, "_FEW"): 0,
        (auction, "_LAST_STEP"): 1,
        (auction, "_PATIENCE"): -1,
    },
}


def taking(way, patch):
    for (module, name), value in WAYS[way].items():
        patch.setattr(module, name, value)


def check(table):
    dense = np.array(table, float)
    row, column = np.nonzero(dense)
    weight = dense[row, column]
    cells = best_map(row, column, weight)
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
    assert best_map(none, none, np.empty(0)).tolist() == []


@pytest.fixture
def work(monkeypatch):
    """What was looked at: cells by peeling, by leaves, by paths; and auctions held."""
    seen = {"peeling": 0, "leaves": [], "paths": [], "auctions": 0}
    unrivalled, held = assignment._unrivalled, parts.by_auction

    class KnownLeaves(Leaves):
        def __init__(self, *table):
            super().__init__(*table)
            seen["leaves"].append(self)

    class KnownPaths(Paths):
        def __init__(self, *table):
            super().__init__(*table)
            seen["paths"].append(self)

    def counted(*table):
        seen["peeling"] += len(table[0])
        return unrivalled(*table)

    def auctions(*table):
        seen["auctions"] += 1
        return held(*table)

    monkeypatch.setattr(assignment, "_unrivalled", counted)
    monkeypatch.setattr(leaves, "Leaves", KnownLeaves)
    monkeypatch.setattr(assignment, "Paths", KnownPaths)
    monkeypatch.setattr(auction, "Paths", KnownPaths)
    monkeypatch.setattr(parts, "by_auction", auctions)
    return seen


def total(work):
    searched = work["leaves"] + work["paths"]
    return work["peeling"] + sum(one.looked_at for one in searched)


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
@pytest.mark.parametrize("turned", [False, True])
def test_work_on_a_chain_grows_with_its_length(kind, turned, work):
    looked_at = []
    for entities in (1000, 2000, 4000):
        row, column, weight = path(entities, CHAINS[kind])
        if turned:
            row, column = column, row
        before = total(work)
        cells = best_map(row, column, weight.astype(float))
        assert len(set(row[cells])) == len(set(column[cells])) == len(cells)
        looked_at.append(total(work) - before)
        assert looked_at[-1] <= 20 * len(row)
    assert looked_at[2] <= 2.2 * looked_at[1] <= 2.2**2 * looked_at[0]


def test_a_chain_of_entities_has_the_best_map(work):
    row, column, weight = path(600, CHAINS["nearly equal"])
    table = np.zeros((600, 600))
    table[row, column] = weight
    check(table)
    assert work["leaves"]
    assert not work["auctions"]


@pytest.mark.parametrize("kind", ["random sizes", "random floats", "grid"])
def test_work_on_a_dense_part_stays_near_its_cells(kind, work, monkeypatch):
    monkeypatch.setattr(assignment, "_PATIENCE", 10_000)
    monkeypatch.setattr(auction, "_LARGE", 0)
    looked_at = {}
    for entities in (800, 1_600):
        row, column, weight = dense_part(kind, entities)
        before = total(work)
        cells = best_map(row, column, weight)
        assert len(set(row[cells])) == len(set(column[cells])) == len(cells)
        looked_at[entities] = (total(work) - before) / len(row)
    assert work["auctions"] or kind == "grid"
    assert looked_at[1_600] <= 40


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


def test_patience_counts_for_each_part_of_its_own(work, monkeypatch):
    """What else is in the table does not decide how a part is solved."""
    monkeypatch.setattr(assignment, "_PATIENCE", 20_000)
    row, column, weight = dense_part("random floats", 200)
    alone = best_map(row, column, weight)
    assert not work["auctions"]
    many = 12
    rows = np.concatenate([row + 200 * copy for copy in range(many)])
    columns = np.concatenate([column + 200 * copy for copy in range(many)])
    together = best_map(rows, columns, np.tile(weight, many))
    spent = sum(paths.looked_at for paths in work["paths"])
    assert spent > assignment._PATIENCE
    assert not work["auctions"]
    assert together[: len(alone)].tolist() == alone.tolist()
    assert len(together) == many * len(alone)
