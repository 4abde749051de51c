"""The best one-to-one map over a sparse table of weights, for CEAF.

Four steps, each exact, each for what the one before left over:

1.  A cell that weighs no less than the best rival in its row plus the best rival in its
    column belongs to a best map: whatever another map has instead weighs no more. All
    such cells are taken at once, their rows and columns leave, and again.
2.  Rows and columns with one cell are leaves and are folded into their partners
    (`leaves`): chains and trees are gone after this.
3.  The rows left get shortest augmenting paths from dual prices (Jonker and Volgenant
    1987), on the sparse rows.
4.  Where these paths grow long (large dense parts of a table), an auction finds prices
    that are nearly right, from which few short paths are left to find (`auction`).

Most tables of real documents end with step 1.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import runs

if TYPE_CHECKING:
    from corefkit.columns import Flags, Floats, Ints

# Cells for which steps 1 and 2 cost more than they save.
_FEW = 200
# How often step 1 is repeated: a long chain of entities gives away its two ends only.
_ROUNDS = 12
# Cells looked at in step 3, for one part of a table, before step 4 is worth its start.
_PATIENCE = 100_000


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
    if len(row) <= _FEW:
        return _by_paths(row, column, weight)
    taken: list[Ints] = []
    left = np.arange(len(row))
    by_column = np.argsort(column, kind="stable")
    for _ in range(_ROUNDS):
        cell = _unrivalled(row[left], column[left], weight[left], by_column)
        if not len(cell):
            break
        taken.append(left[cell])
        stays = _outside(row[left], cell) & _outside(column[left], cell)
        position = np.cumsum(stays) - 1
        by_column = position[by_column[stays[by_column]]]
        left = left[stays]
        if not len(left):
            break
    taken.append(left[_without_leaves(row[left], column[left], weight[left])])
    return np.sort(np.concatenate(taken))


def first_round(row: Ints, column: Ints, weight: Floats) -> tuple[Ints, Ints]:
    """Take the cells that no rival beats, as step 1 does; return them and the rest.

    >>> row, column = np.array([0, 0, 1]), np.array([0, 1, 1])
    >>> [
    ...     cells.tolist()
    ...     for cells in first_round(row, column, np.array([5.0, 1.0, 1.0]))
    ... ]
    [[0], [2]]
    """
    if not len(row):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    by_column = np.argsort(column, kind="stable")
    cell = _unrivalled(row, column, weight, by_column)
    stays = _outside(row, cell) & _outside(column, cell)
    return cell, np.flatnonzero(stays)


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
    """Find the best cell of each line, and the weight of the second best."""
    first, size = runs(line)
    best = np.maximum.reduceat(weight, first)
    position = np.flatnonzero(weight == np.repeat(best, size))
    position = position[runs(line[position]).first]
    others = weight.copy()
    others[position] = 0.0
    return position, np.maximum.reduceat(others, first)


def _outside(line: Ints, cell: Ints) -> Flags:
    """Flag the cells that share no line with the given ones."""
    gone = np.zeros(int(line.max()) + 1, np.bool_)
    gone[line[cell]] = True
    return ~gone[line]


def _without_leaves(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Choose cells by paths in what is left without leaves."""
    if len(row) <= _FEW:
        return _by_paths(row, column, weight)
    # Local: few tables have so much left.
    from corefkit.alignment.leaves import Leaves

    _, row = np.unique(row, return_inverse=True)
    _, column = np.unique(column, return_inverse=True)
    leaves = Leaves(row, column, weight)
    leaves.fold()
    core, worth = leaves.core()
    chosen = core[_by_paths(row[core], column[core], worth)]
    return np.array(leaves.unfold(chosen.tolist()), np.int64)


def _by_paths(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Choose cells by shortest augmenting paths, or by auction where these are long."""
    names: dict[int, int] = {}
    numbers = [names.setdefault(name, len(names)) for name in column.tolist()]
    rows = row.tolist()
    bounds = [
        cell for cell, name in enumerate(rows) if not cell or name != rows[cell - 1]
    ]
    bounds.append(len(rows))
    paths = Paths(bounds, numbers, weight.tolist(), len(names))
    looked_at = []
    for start in range(len(bounds) - 1):
        paths.augment(start)
        looked_at.append(paths.looked_at)
        if paths.looked_at > _PATIENCE:
            # Local: few tables are so hard.
            from corefkit.alignment.parts import by_parts

            return by_parts(paths, looked_at, weight, patience=_PATIENCE)
    return paths.chosen()


class Paths:
    """Prices and the map so far; `augment` brings one more row in.

    A price of row and column together is at least the weight of their cell, and equal
    to it for a chosen one; a row or column that is left out has price 0. Then no map
    weighs more. `start_from` has other prices to begin with: a row or column that is
    left out may then have one until it is searched for.
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

    def start_from(
        self, row_price: list[float], column_price: list[float], row_cell: list[int]
    ) -> None:
        """Begin with prices, and with cells chosen that are worth them."""
        self.row_price, self.column_price = row_price, column_price
        self.row_cell = row_cell
        for row, cell in enumerate(row_cell):
            if cell >= 0:
                self.column_row[self.column[cell]] = row

    def chosen(self) -> Ints:
        """List the chosen cells, ascending."""
        return np.array(sorted(cell for cell in self.row_cell if cell >= 0), np.int64)

    def augment(self, start: int) -> None:
        """Assign a column to a row, moving others on along the cheapest path."""
        for cell in range(self.bounds[start], self.bounds[start + 1]):
            column = self.column[cell]
            if (
                self.column_row[column] < 0
                and self.weight[cell] == self.row_price[start]
            ):
                # Its best column is free, and so has price 0: there is no cheaper way.
                self.row_cell[start], self.column_row[column] = cell, start
                return
        self.search(start)

    def search(self, start: int) -> None:
        """Find the cheapest path from a row that is left out, and move along it."""
        search = _Search(start, self.row_price[start])
        row, reached = start, 0.0
        while True:
            self._look_at(row, reached, search)
            column = search.nearest()
            if column < 0:
                break
            reached = search.distance[column]
            if self.column_row[column] < 0:
                search.limit, search.end = reached, column
                break
            search.settled.append(column)
            row = self.column_row[column]
            search.row_distance[row] = reached
            if reached + self.row_price[row] < search.limit:
                search.limit, search.end = reached + self.row_price[row], column
        for row, distance in search.row_distance.items():
            self.row_price[row] -= max(search.limit - distance, 0.0)
        for column in search.settled:
            self.column_price[column] += max(
                search.limit - search.distance[column], 0.0
            )
        self._move(search)

    def _look_at(self, row: int, reached: float, search: _Search) -> None:
        """See which columns are nearer by way of this row than they were before."""
        for cell in range(self.bounds[row], self.bounds[row + 1]):
            column = self.column[cell]
            price = self.row_price[row] + self.column_price[column]
            distance = reached + max(price - self.weight[cell], 0.0)
            if distance < search.distance.get(column, search.limit):
                search.distance[column] = distance
                search.via[column] = (row, cell)
                # Of columns equally far a free one comes first: it ends the search.
                taken = self.column_row[column] >= 0
                heappush(search.heap, (distance, taken, column))
        self.looked_at += self.bounds[row + 1] - self.bounds[row]

    def _move(self, search: _Search) -> None:
        """Assign the next column to each row on the path; the last may go without."""
        column = search.end
        if column < 0:
            return
        loser = self.column_row[column]
        if loser >= 0:
            self.row_cell[loser] = -1
        while True:
            row, cell = search.via[column]
            before = self.row_cell[row]
            self.row_cell[row], self.column_row[column] = cell, row
            if row == search.start:
                return
            column = self.column[before]


class _Search:
    """How far rows and columns are from a row, in price, and by which way.

    The search ends at a free column, or at the column of a row that goes without; the
    starting row itself goes without where that costs least, and `end` stays -1.
    """

    def __init__(self, start: int, limit: float) -> None:
        self.start = start
        self.limit = limit  # the cheapest ending known
        self.end = -1
        self.row_distance = {start: 0.0}
        self.distance: dict[int, float] = {}
        self.via: dict[int, tuple[int, int]] = {}  # row and cell that lead to a column
        self.settled: list[int] = []  # taken columns whose distance is final
        self.heap: list[tuple[float, bool, int]] = []

    def nearest(self) -> int:
        """Take the nearest column that was not reached yet, or give -1."""
        while self.heap:
            distance, _, column = heappop(self.heap)
            if distance >= self.limit:
                return -1
            if distance == self.distance[column]:
                return column
        return -1
