"""The best one-to-one map over a sparse table of weights, for CEAF.

If the best cells of all rows are in different columns, they are the best map. Otherwise
there are three steps, each exact, each for the cells that remain after the previous:

1.  A cell that weighs at least as much as the best other cell of its row plus the best
    other cell of its column belongs to a best map: no alternative weighs more. All such
    cells are chosen at once, their rows and columns are removed, and the step repeats.
2.  The remaining rows get shortest augmenting paths from dual prices (Jonker and
    Volgenant 1987), on the sparse rows.
3.  Connected components in which the search for these paths takes long, as in large
    dense tables, are solved by scipy's sparse solver.

Most tables of real documents end with step 1, so most scores do not import scipy.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from corefkit.arrays.columns import find_runs, sort_indices

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.arrays.columns import Flags, Floats, Ints

# Up to this number of cells, step 1 costs more than it saves.
_MAX_SMALL = 200
# How often step 1 is repeated: it removes only the two ends of a long chain.
_MAX_ROUNDS = 12
# Cells examined in step 2 before step 3 is worth the import of scipy.
_MAX_EXAMINED = 100_000


def solve_assignment(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Choose cells of the largest total weight, no two in one row or column.

    Rows are ascending, and weights above 0; the numbers of the cells are ascending.
    """
    if len(row) <= _MAX_SMALL:
        return _solve(row, column, weight)
    chosen: list[Ints] = []
    left = np.arange(len(row))
    for _ in range(_MAX_ROUNDS):
        cells, remaining = choose_dominant(row[left], column[left], weight[left])
        if not len(cells):
            break
        chosen.append(left[cells])
        left = left[remaining]
    chosen.append(left[_solve(row[left], column[left], weight[left])])
    return np.sort(np.concatenate(chosen))


def choose_dominant(row: Ints, column: Ints, weight: Floats) -> tuple[Ints, Ints]:
    """Run step 1 once; return the chosen cells and the remaining ones."""
    if not len(row):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    by_column = sort_indices(column)
    row_best, row_rival = _find_best_two(row, weight)
    column_best, column_rival = _find_best_two(column[by_column], weight[by_column])
    column_best = by_column[column_best]
    row_limit = np.full(len(row), np.inf)
    row_limit[row_best] = row_rival
    column_limit = np.full(len(row), np.inf)
    column_limit[column_best] = column_rival
    cells = np.flatnonzero(weight >= row_limit + column_limit)
    stays = _outside(row, cells) & _outside(column, cells)
    return cells, np.flatnonzero(stays)


def _find_best_two(line: Ints, weight: Floats) -> tuple[Ints, Floats]:
    """Return the best cell of each line, and the weight of the second best."""
    first, size = find_runs(line)
    best = np.maximum.reduceat(weight, first)
    position = np.flatnonzero(weight == np.repeat(best, size))
    position = position[find_runs(line[position]).first]
    rivals = weight.copy()
    rivals[position] = 0.0
    return position, np.maximum.reduceat(rivals, first)


def _outside(line: Ints, cell: Ints) -> Flags:
    """Flag the cells that share no line with the given ones."""
    gone = np.zeros(int(line.max()) + 1, np.bool_)
    gone[line[cell]] = True
    return ~gone[line]


def _solve(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Choose cells by paths; connected components for which these are long, by scipy.

    How a component is solved depends on its own cells only: of several best maps, the
    same one is chosen whatever the block.
    """
    chosen = _solve_by_paths(row, column, weight)
    if chosen is not None:
        return chosen
    component = _number_components(row, column)
    cells = np.bincount(component)
    # Each search examines a cell once at most, and cells of a row are neighbours.
    rows = np.bincount(component[find_runs(row).first])
    is_short = cells * rows <= _MAX_EXAMINED
    groups = [np.flatnonzero(component == long) for long in np.flatnonzero(~is_short)]
    results = [np.empty(0, np.int64)]
    for group in [np.flatnonzero(is_short[component]), *groups]:
        part = row[group], column[group], weight[group]
        chosen = _solve_by_paths(*part, limited=len(results) > 1)
        results.append(group[_solve_with_scipy(*part) if chosen is None else chosen])
    return np.sort(np.concatenate(results))


def _number_components(row: Ints, column: Ints) -> Ints:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rows = int(row.max()) + 1
    size = rows + int(column.max()) + 1
    links = coo_array((np.ones(len(row), np.int8), (row, column + rows)), (size, size))
    numbers: Ints = connected_components(links, directed=False)[1].astype(np.int64)
    return np.unique(numbers[row], return_inverse=True)[1]


def _solve_by_paths(
    row: Ints, column: Ints, weight: Floats, *, limited: bool = True
) -> Ints | None:
    """Choose cells by shortest augmenting paths; None if that takes long."""
    rows, names, weights = row.tolist(), column.tolist(), weight.tolist()
    best: dict[int, int] = {}  # the first cell of the largest weight of each row
    for cell, (name, value) in enumerate(zip(rows, weights, strict=True)):
        if name not in best or value > weights[best[name]]:
            best[name] = cell
    if len({names[cell] for cell in best.values()}) == len(best):
        return np.array(list(best.values()), np.int64)
    numbers: dict[int, int] = {}
    columns = [numbers.setdefault(name, len(numbers)) for name in names]
    bounds = [
        cell for cell, name in enumerate(rows) if not cell or name != rows[cell - 1]
    ]
    bounds.append(len(rows))
    paths = Paths(bounds, columns, weights, len(numbers))
    for start in range(len(bounds) - 1):
        paths.augment(start)
        if limited and paths.examined > _MAX_EXAMINED:
            return None
    return np.array(sorted(cell for cell in paths.row_cell if cell >= 0), np.int64)


def _solve_with_scipy(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Choose cells with scipy's sparse solver, which assigns every row."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    _, row = np.unique(row, return_inverse=True)
    _, column = np.unique(column, return_inverse=True)
    rows, columns, largest = int(row.max()) + 1, int(column.max()) + 1, weight.max()
    # An extra column for each row leaves the row unassigned. Costs must not be 0, so 1
    # is added.
    cost = np.concatenate((largest - weight + 1, np.full(rows, largest + 1)))
    extra = np.arange(rows)
    # scipy before 1.15 requires 32-bit indices.
    indices = (
        np.concatenate((row, extra)).astype(np.int32),
        np.concatenate((column, columns + extra)).astype(np.int32),
    )
    matrix = csr_array((cost, indices), shape=(rows, columns + rows))
    _, assigned = min_weight_full_bipartite_matching(matrix)
    return np.flatnonzero(assigned[row] == column)


class Paths:
    """Dual prices and the map so far; `augment` adds one row.

    The prices of a row and a column sum to at least the weight of their cell, and to
    exactly its weight if the cell is chosen; an unassigned row or column has price 0.
    Then no other map weighs more.
    """

    def __init__(
        self, bounds: list[int], column: list[int], weight: list[float], columns: int
    ) -> None:
        self.bounds, self.column, self.weight = bounds, column, weight
        self.row_cell = [-1] * (len(bounds) - 1)  # the chosen cell of each row
        self.column_row = [-1] * columns  # the row that each column is given to
        self.row_price = [max(weight[first:last]) for first, last in pairwise(bounds)]
        self.column_price = [0.0] * columns
        self.examined = 0

    def augment(self, start: int) -> None:
        for cell in range(self.bounds[start], self.bounds[start + 1]):
            column = self.column[cell]
            is_best = self.weight[cell] == self.row_price[start]
            if is_best and self.column_row[column] < 0:
                # Its best column is free, and so has price 0: no path is cheaper.
                self.row_cell[start], self.column_row[column] = cell, start
                return
        self.search(start)

    def search(self, start: int) -> None:
        """Find the cheapest path from an unassigned row, and move along it.

        It ends at a free column, or at the column of a row that is left unassigned; if
        that is the first row, nothing moves.
        """
        limit, end = self.row_price[start], -1  # the cheapest end so far
        row_distance = {start: 0.0}  # in price
        distance: dict[int, float] = {}  # of columns
        via: dict[int, tuple[int, int]] = {}  # the row and cell that lead to a column
        settled: list[int] = []  # assigned columns whose distance is final
        heap: list[tuple[float, bool, int]] = []
        row, reached = start, 0.0
        while True:
            for cell in range(self.bounds[row], self.bounds[row + 1]):
                column = self.column[cell]
                price = self.row_price[row] + self.column_price[column]
                length = reached + max(price - self.weight[cell], 0.0)
                if length < distance.get(column, limit):
                    distance[column], via[column] = length, (row, cell)
                    # Of equally near columns a free one comes first: it is an end.
                    heappush(heap, (length, self.column_row[column] >= 0, column))
            self.examined += self.bounds[row + 1] - self.bounds[row]
            while heap and heap[0][0] > distance[heap[0][2]]:
                heappop(heap)  # a shorter way to the column was found
            if not heap or heap[0][0] >= limit:
                break
            reached, _, column = heappop(heap)
            row = self.column_row[column]
            if row < 0:
                limit, end = reached, column
                break
            settled.append(column)
            row_distance[row] = reached
            if reached + self.row_price[row] < limit:
                limit, end = reached + self.row_price[row], column
        for row, length in row_distance.items():
            self.row_price[row] -= max(limit - length, 0.0)
        for column in settled:
            self.column_price[column] += max(limit - distance[column], 0.0)
        if end >= 0:
            self._move(start, end, via)

    def _move(self, start: int, end: int, via: Mapping[int, tuple[int, int]]) -> None:
        if self.column_row[end] >= 0:
            self.row_cell[self.column_row[end]] = -1
        row, column = -1, end
        while row != start:
            row, cell = via[column]
            previous = self.row_cell[row]
            self.row_cell[row], self.column_row[column] = cell, row
            column = self.column[previous]
