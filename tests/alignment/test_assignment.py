"""The best one-to-one map, by each of its three ways, against scipy's dense solver."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from corefkit.alignment import assignment
from corefkit.alignment.assignment import best_map

weights = st.sampled_from([0, 0, 0, 1, 1, 2, 3, 5, 0.5, 2 / 3, 1 / 3])
tables = st.integers(1, 7).flatmap(
    lambda width: st.lists(
        st.lists(weights, min_size=width, max_size=width), min_size=1, max_size=7
    )
)


def check(table):
    dense = np.array(table, float)
    row, column = np.nonzero(dense)
    weight = dense[row, column]
    cells = best_map(row, column, weight)
    assert len(set(row[cells])) == len(set(column[cells])) == len(cells)
    assert np.all(np.diff(cells) > 0)
    best = dense[linear_sum_assignment(dense, maximize=True)].sum()
    assert weight[cells].sum() == pytest.approx(best, rel=1e-9)


@given(tables)
def test_map_is_the_best_of_all(table):
    check(table)


@given(tables)
def test_map_is_the_best_of_all_by_scipy(table):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "_PATIENCE", 0)
        check(table)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("patience", [0, 1 << 40], ids=["scipy", "paths"])
def test_large_dense_table(seed, patience, monkeypatch):
    monkeypatch.setattr(assignment, "_PATIENCE", patience)
    check(np.random.default_rng(seed).integers(0, 50, (40, 55)))


def test_no_cell_gives_no_map():
    none = np.empty(0, np.int64)
    assert best_map(none, none, np.empty(0)).tolist() == []


@pytest.mark.parametrize("entities", [1000, 2000])
def test_a_chain_of_entities_is_not_taken_end_by_end(entities, monkeypatch):
    # Each response entity takes a mention of two key entities: only the ends stand out.
    rounds = []
    unrivalled = assignment._unrivalled
    monkeypatch.setattr(
        assignment, "_unrivalled", lambda *a: rounds.append(1) or unrivalled(*a)
    )
    row = np.repeat(np.arange(entities), 2)
    column = row + np.tile([0, 1], entities)
    cells = best_map(row, column, np.ones(2 * entities))
    assert len(cells) == entities
    assert len(rounds) <= 100


@pytest.mark.parametrize(("patience", "by_scipy"), [(3, True), (4, False)])
def test_scipy_takes_over_where_more_cells_were_looked_at_than_patience(
    monkeypatch, patience, by_scipy
):
    # The first row takes its best column. The second wants it too: its two cells are
    # looked at, then the two of the first row, which may move on.
    called = []
    by = assignment._by_scipy
    monkeypatch.setattr(
        assignment, "_by_scipy", lambda *table: called.append(1) or by(*table)
    )
    monkeypatch.setattr(assignment, "_PATIENCE", patience)
    check([[5, 4], [5, 1]])
    assert bool(called) is by_scipy
