"""Prices by auction, for parts of a table where augmenting paths are long.

Rows bid for columns, each as much as makes its best column no better than its second
best, and a step more (Bertsekas 1988). Columns that nobody bids for any more, and that
still have a price, bid for rows in turn. Then all begin again with a smaller step, from
the prices found. At the end rows and columns are served by what is best for them but
for one small step. Three things make the map exact:

1.  Prices of the served columns come down until these are the best of their rows.
2.  Shortest augmenting paths serve the rows left, and then the columns left that still
    have a price, from the prices found. Few are left, as prices are nearly right.
3.  Should these take long all the same, scipy's sparse solver takes over.

Parts that scipy's solvers are made for go there at once: those of middle size, with
many cells of equal weight, or with nearly all the cells that there can be.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.assignment import Paths
from corefkit.columns import runs, stretches

if TYPE_CHECKING:
    from corefkit.columns import Floats, Ints

# The first step as a share of the mean weight, the last one, and how they shrink.
_FIRST_STEP, _LAST_STEP, _SHRINK = 1 / 16, 2.0**-26, 1 / 64
# All bid at once until so few are left, for so many rounds at most; then one by one.
_FEW, _ROUNDS = 30, 1_000
# Where there are fewer rows, or so few different weights, scipy's sparse solver is the
# fastest, and its dense one where cells fill one in so many places of such a matrix.
_LARGE, _MANY_EQUAL = 3_000, 16
_MATRIX, _FULL = 1 << 22, 4
# How often prices are brought down.
_PASSES = 100
# Cells looked at by paths, for each cell, before scipy is worth its import.
_PATIENCE = 50


class _Part(NamedTuple):
    """A part of a table: rows and columns are numbered, and none is empty."""

    row: Ints
    column: Ints
    weight: Floats
    first: Ints  # the first cell of each row
    size: Ints  # how many cells each row has
    columns: int

    @classmethod
    def of(cls, row: Ints, column: Ints, weight: Floats) -> _Part:
        _, row = np.unique(row, return_inverse=True)
        _, column = np.unique(column, return_inverse=True)
        return cls(row, column, weight, *runs(row), int(column.max()) + 1)

    def turned(self) -> tuple[_Part, Ints]:
        """Let columns be rows, and give the cells in the order that they have then."""
        order = np.argsort(self.column, kind="stable")
        column, row = self.column[order], self.row[order]
        rows = len(self.first)
        return _Part(column, row, self.weight[order], *runs(column), rows), order

    def row_price(self, column_price: Floats) -> Floats:
        """Tell what the best column would leave to each row, 0 at least."""
        left = np.maximum.reduceat(self.weight - column_price[self.column], self.first)
        return np.maximum(left, 0.0)


def by_auction(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Choose cells of the largest total weight, as `best_map` does.

    >>> row, column = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> by_auction(row, column, np.array([5.0, 4.0, 4.0, 1.0])).tolist()
    [1, 2]
    """
    part = _Part.of(row, column, weight)
    if len(part.first) * part.columns <= min(_FULL * len(row), _MATRIX):
        return _by_matrix(part)
    if len(part.first) < _LARGE or len(np.unique(weight)) <= _MANY_EQUAL:
        return _by_scipy(part)
    price, row_cell = _auctioned(part)
    price = _brought_down(part, price, row_cell)
    chosen = _completed(part, price, row_cell)
    return _by_scipy(part) if chosen is None else chosen


def _auctioned(part: _Part) -> tuple[Floats, Ints]:
    """Find prices of columns, and the cell by which each row is served, or -1."""
    turned, order = part.turned()
    sides = _Side(part), _Side(turned)
    mean = 2.0 ** np.floor(np.log2(part.weight.mean()))
    # Steps are powers of two: sums of them and of integer weights are exact.
    step = mean * _FIRST_STEP
    price = np.zeros(part.columns)
    while True:
        won = np.full(part.columns, -1)
        sides[0].sell(price, step, won, np.arange(len(part.first)))
        row_price = part.row_price(price)
        row_won = _turned_cells(won, order, len(part.first), turned.column)
        unsold = np.flatnonzero((won < 0) & (price > 0))
        sides[1].sell(row_price, step, row_won, unsold)
        price = turned.row_price(row_price)
        if step <= _last_step(part, mean):
            return price, np.where(row_won < 0, -1, order[row_won])
        step *= _SHRINK


def _last_step(part: _Part, mean: float) -> float:
    """Tell which step is small enough; that is soon so where weights are integers."""
    if np.all(part.weight % 1 == 0):
        return max(0.5 / (len(part.first) + part.columns), mean * _LAST_STEP)
    return mean * _LAST_STEP


def _turned_cells(won: Ints, order: Ints, rows: int, row: Ints) -> Ints:
    """Find by which cell of the turned table each row is served, or -1."""
    back = np.empty(len(order), np.int64)
    back[order] = np.arange(len(order))
    cells = back[won[won >= 0]]
    row_won = np.full(rows, -1)
    row_won[row[cells]] = cells
    return row_won


class _Side:
    """The bidders of one side: all bid at once, or one by one where they are few."""

    def __init__(self, part: _Part) -> None:
        self.part = part
        self.bounds = [*part.first.tolist(), len(part.row)]
        self.row, self.column = part.row.tolist(), part.column.tolist()
        self.weight = part.weight.tolist()

    def sell(self, price: Floats, step: float, won: Ints, bidders: Ints) -> None:
        """Let rows bid by one step: raise prices, and note the cell that wins each."""
        for _ in range(_ROUNDS):
            if len(bidders) <= _FEW:
                break
            bidders = self._at_once(price, step, won, bidders)
        if len(bidders):
            self._one_by_one(price, step, won, bidders)

    def _at_once(self, price: Floats, step: float, won: Ints, bidders: Ints) -> Ints:
        part = self.part
        size = part.size[bidders]
        cells = stretches(part.first[bidders], size)
        left = part.weight[cells] - price[part.column[cells]]
        best, second = _best_two(left, size)
        bid = left[best] - np.maximum(second, 0.0) + step
        wanted = left[best] > 0  # who gains nothing goes without
        cell, bid = cells[best][wanted], bid[wanted]
        column = part.column[cell]
        # The highest bid wins; of equal ones the last.
        order = np.lexsort((bid, column))
        ranked = column[order]
        winner = order[np.append(ranked[1:] != ranked[:-1], True)[: len(order)]]
        lost = np.ones(len(cell), np.bool_)
        lost[winner] = False
        sold = column[winner]
        before = won[sold]
        price[sold] += bid[winner]
        won[sold] = cell[winner]
        again: Ints = part.row[np.concatenate((cell[lost], before[before >= 0]))]
        return again

    def _one_by_one(self, price: Floats, step: float, won: Ints, bidders: Ints) -> None:
        """Do the same for few; it ends after as many bids as there are entities."""
        prices, cell_of = price.tolist(), won.tolist()
        waiting = deque(bidders.tolist())
        for _ in range(len(self.bounds) + len(prices)):
            if not waiting:
                break
            row = waiting.popleft()
            best = second = 0.0
            wanted = -1
            for cell in range(self.bounds[row], self.bounds[row + 1]):
                left = self.weight[cell] - prices[self.column[cell]]
                if left > best:
                    best, second, wanted = left, best, cell
                elif left > second:
                    second = left
            if wanted < 0:
                continue
            column = self.column[wanted]
            if cell_of[column] >= 0:
                waiting.append(self.row[cell_of[column]])
            prices[column] += best - second + step
            cell_of[column] = wanted
        price[:], won[:] = prices, cell_of


def _best_two(values: Floats, size: Ints) -> tuple[Ints, Floats]:
    """Find the first best value of each stretch, and the second best."""
    first = np.cumsum(size) - size
    best = np.maximum.reduceat(values, first)
    stretch = np.repeat(np.arange(len(size)), size)
    position = np.flatnonzero(values == best[stretch])
    position = position[runs(stretch[position]).first]
    others = values.copy()
    others[position] = -np.inf
    return position, np.maximum.reduceat(others, first)


def _brought_down(part: _Part, price: Floats, row_cell: Ints) -> Floats:
    """Lower prices of served columns until none is better for the row that has it."""
    served = np.flatnonzero(row_cell >= 0)
    cell = row_cell[served]
    column = part.column[cell]
    price = price.copy()
    for _ in range(_PASSES):
        fair = part.weight[cell] - part.row_price(price)[served]
        lower = fair < price[column]
        if not lower.any():
            break
        price[column[lower]] = np.maximum(fair[lower], 0.0)
    return price


def _completed(part: _Part, price: Floats, row_cell: Ints) -> Ints | None:
    """Serve the rows left, then the columns; give None where that takes too long."""
    row_price = part.row_price(price)
    row_cell = _worth_their_price(part, row_price, price, row_cell)
    paths = _paths(part, row_price, price, row_cell)
    if not _serve(paths, len(part.row)):
        return None
    turned, order = part.turned()
    chosen = paths.chosen()
    column_cell = _turned_cells(chosen, order, part.columns, turned.row)
    prices = np.array(paths.column_price), np.array(paths.row_price)
    paths = _paths(turned, *prices, column_cell)
    if not _serve(paths, len(part.row)):
        return None
    return np.sort(order[paths.chosen()])


def _worth_their_price(
    part: _Part, row_price: Floats, column_price: Floats, row_cell: Ints
) -> Ints:
    """Keep the cells that row and column together are worth, but for rounding."""
    cell = np.maximum(row_cell, 0)
    both = row_price + column_price[part.column[cell]]
    near = both - part.weight[cell] <= 4 * np.spacing(part.weight[cell])
    return np.where((row_cell >= 0) & near, row_cell, -1)


def _paths(
    part: _Part, row_price: Floats, column_price: Floats, row_cell: Ints
) -> Paths:
    bounds = [*part.first.tolist(), len(part.row)]
    paths = Paths(bounds, part.column.tolist(), part.weight.tolist(), part.columns)
    paths.start_from(row_price.tolist(), column_price.tolist(), row_cell.tolist())
    return paths


def _serve(paths: Paths, cells: int) -> bool:
    """Search for all rows that are left out and have a price, unless it is too long."""
    for row in range(len(paths.row_cell)):
        if paths.row_cell[row] < 0 and paths.row_price[row] > 0:
            paths.search(row)
            if paths.looked_at > _PATIENCE * cells:
                return False
    return True


def _by_matrix(part: _Part) -> Ints:
    """Choose cells with scipy's dense solver."""
    from scipy.optimize import linear_sum_assignment

    matrix = np.zeros((len(part.first), part.columns))
    matrix[part.row, part.column] = part.weight
    given = np.full(len(part.first), -1)
    rows, columns = linear_sum_assignment(matrix, maximize=True)
    given[rows] = columns
    return np.flatnonzero(given[part.row] == part.column)


def _by_scipy(part: _Part) -> Ints:
    """Choose cells with scipy's sparse solver, which asks that every row be served."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    rows, columns, most = len(part.first), part.columns, part.weight.max()
    # A column of its own lets a row go without; costs must not be 0, so 1 is added.
    cost = np.concatenate((most - part.weight + 1, np.full(rows, most + 1)))
    own = np.arange(rows)
    # Numbers of 32 bits: scipy before 1.15 takes no others.
    places = (
        np.concatenate((part.row, own)).astype(np.int32),
        np.concatenate((part.column, columns + own)).astype(np.int32),
    )
    matrix = csr_array((cost, places), shape=(rows, columns + rows))
    _, given = min_weight_full_bipartite_matching(matrix)
    return np.flatnonzero(given[part.row] == part.column)
