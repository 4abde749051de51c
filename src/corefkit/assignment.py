"""The best one-to-one map over a sparse table of weights, for CEAF.

Three steps, each exact, each for what the one before left over:

1.  A cell that weighs no less than the best rival in its row plus the best rival in its
    column belongs to a best map: whatever another map has instead weighs no more. All
    such cells are taken at once, their rows and columns leave, and again.
2.  The rows left get shortest augmenting paths from dual prices (Jonker and Volgenant
    1987), on the sparse rows.
3.  Where these paths grow long (large dense tables), scipy's sparse solver takes over.

Most tables of real documents end with step 1; scipy is imported in step 3 only.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from corefkit.columns import Flags, Floats, Ints

# Cells looked at in step 2 before step 3 is worth its import.
_PATIENCE = 400_000


def best_map(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Choose cells of the largest total weight, no two in one row or column.

    Args:
        row: the row of each cell, ascending.
        column: the column of each cell.
        weight: the weight of each cell, above 0.

    Returns:
        The numbers of the chosen cells, ascending.

    >>> row, column = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> best_map(row, column, np.array([5.0, 4.0, 4.0, 1.0])).tolist()
    [1, 2]
    """
    taken: list[Ints] = []
    left = np.arange(len(row))
    by_column = np.argsort(column, kind="stable")
    while len(left):
        cell = _unrivalled(row[left], column[left], weight[left], by_column)
        if not len(cell):
            taken.append(left[_augmented(row[left], column[left], weight[left])])
            break
        taken.append(left[cell])
        stays = _outside(row[left], cell) & _outside(column[left], cell)
        position = np.cumsum(stays) - 1
        by_column = position[by_column[stays[by_column]]]
        left = left[stays]
    return np.sort(np.concatenate(taken)) if taken else left


def _unrivalled(row: Ints, column: Ints, weight: Floats, by_column: Ints) -> Ints:
    """Find cells that weigh no less than the best rivals in row and column together."""
    row_best, row_rival = _best_and_rival(row, weight)
    column_best, column_rival = _best_and_rival(column[by_column], weight[by_column])
    column_best = by_column[column_best]
    row_limit = np.full(len(row), np.inf)
    row_limit[row_best] = row_rival
    column_limit = np.full(len(row), np.inf)
    column_limit[column_best] = column_rival
    return np.flatnonzero(weight >= row_limit + column_limit)


def _best_and_rival(line: Ints, weight: Floats) -> tuple[Ints, Floats]:
    """Give for each line the position of its best cell and the weight of the second."""
    first = np.flatnonzero(np.diff(line, prepend=-1))
    best = np.maximum.reduceat(weight, first)
    size = np.diff(np.append(first, len(line)))
    position = np.flatnonzero(weight == np.repeat(best, size))
    position = position[np.flatnonzero(np.diff(line[position], prepend=-1))]
    others = weight.copy()
    others[position] = 0.0
    return position, np.maximum.reduceat(others, first)


def _outside(line: Ints, cell: Ints) -> Flags:
    """Flag the cells that share no line with the given ones."""
    gone = np.zeros(int(line.max()) + 1, np.bool_)
    gone[line[cell]] = True
    return ~gone[line]


def _augmented(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Choose cells by shortest augmenting paths, or by scipy where that is long."""
    rows, row = np.unique(row, return_inverse=True)
    columns, column = np.unique(column, return_inverse=True)
    bounds = np.searchsorted(row, np.arange(len(rows) + 1)).tolist()
    problem = _Paths(bounds, column.tolist(), weight.tolist(), len(columns))
    for start in range(len(rows)):
        problem.augment(start)
        if problem.looked_at > _PATIENCE:
            return _by_scipy(row, column, weight)
    return np.array(sorted(cell for cell in problem.row_cell if cell >= 0), np.int64)


class _Paths:
    """Prices and the map so far; `augment` brings one more row in.

    A price of row and column together is at least the weight of their cell, and equal
    to it for a chosen one; who is left out has price 0. Then no map weighs more.
    """

    def __init__(
        self, bounds: list[int], column: list[int], weight: list[float], columns: int
    ) -> None:
        self.bounds, self.column, self.weight = bounds, column, weight
        self.row_cell = [-1] * (len(bounds) - 1)  # the chosen cell of each row
        self.column_row = [-1] * columns  # the row that each column is given to
        self.row_price = [max(weight[first:last]) for first, last in pairwise(bounds)]
        self.column_price = [0.0] * columns
        self.looked_at = 0

    def augment(self, start: int) -> None:
        """Give a row its column, moving others on along the cheapest path."""
        row_distance = {start: 0.0}
        column_distance: dict[int, float] = {}
        column_via: dict[int, int] = {}  # the cell by which a column was reached
        settled: list[int] = []  # columns whose distance is final
        row_of_cell: dict[int, int] = {}
        heap: list[tuple[float, int]] = []
        row, reached = start, 0.0
        best, end_row, end_column = self.row_price[start], start, -1
        while True:
            for cell in range(self.bounds[row], self.bounds[row + 1]):
                column = self.column[cell]
                slack = (
                    self.row_price[row] + self.column_price[column] - self.weight[cell]
                )
                distance = reached + max(slack, 0.0)
                if distance < best and distance < column_distance.get(
                    column, float("inf")
                ):
                    column_distance[column] = distance
                    column_via[column] = cell
                    row_of_cell[cell] = row
                    heappush(heap, (distance, column))
            self.looked_at += self.bounds[row + 1] - self.bounds[row]
            while heap and heap[0][0] > column_distance[heap[0][1]]:
                heappop(heap)
            if not heap or heap[0][0] >= best:
                break
            reached, column = heappop(heap)
            if self.column_row[column] < 0:
                best, end_row, end_column = reached, -1, column
                break
            settled.append(column)
            row = self.column_row[column]
            row_distance[row] = reached
            if reached + self.row_price[row] < best:
                best, end_row = reached + self.row_price[row], row
        for row, distance in row_distance.items():
            self.row_price[row] -= max(best - distance, 0.0)
        for column in settled:
            self.column_price[column] += max(best - column_distance[column], 0.0)
        self._move(start, end_row, end_column, column_via, row_of_cell)

    def _move(
        self,
        start: int,
        end_row: int,
        end_column: int,
        column_via: dict[int, int],
        row_of_cell: dict[int, int],
    ) -> None:
        if end_column < 0:
            # The path ends with a row that goes without: it gives its column up.
            if end_row == start:
                return
            end_column = self.column[self.row_cell[end_row]]
            self.row_cell[end_row] = -1
        while True:
            cell = column_via[end_column]
            row = row_of_cell[cell]
            before = self.row_cell[row]
            self.row_cell[row] = cell
            self.column_row[end_column] = row
            if row == start:
                return
            end_column = self.column[before]


def _by_scipy(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Choose cells with scipy's sparse solver, which asks that every row be served."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    rows, columns = int(row.max()) + 1, int(column.max()) + 1
    # A column of its own lets a row go without; costs must not be 0, so 1 is added.
    cost = np.concatenate((weight.max() - weight + 1, np.full(rows, weight.max() + 1)))
    own = np.arange(rows)
    matrix = csr_array(
        (cost, (np.concatenate((row, own)), np.concatenate((column, columns + own)))),
        shape=(rows, columns + rows),
    )
    _, given = min_weight_full_bipartite_matching(matrix)
    return np.flatnonzero(given[row] == column)
