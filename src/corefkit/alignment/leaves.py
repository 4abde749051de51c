"""Leaves of a table: entities that have one partner left, taken off one by one.

Whoever takes the partner of a leaf from it must outweigh what the leaf would bring. So
the leaf may go, if its partner has a price from then on: the best that a leaf of it
would bring. Without its leaves the partner may be a leaf itself. Chains and trees of
entities go in this way to the last, in a time that grows with their cells; of other
tables the core is left, where everybody has a choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.columns import Floats, Ints

# How often cells of the core that are not worth their prices are looked for.
_PASSES = 4


class Leaves:
    """The cells of a table, of which leaves are folded; rows and columns are nodes.

    >>> row, column = np.array([0, 0, 1]), np.array([0, 1, 1])
    >>> leaves = Leaves(row, column, np.array([2.0, 3.0, 2.0]))
    >>> leaves.fold()
    >>> leaves.core()[0].tolist(), leaves.unfold(())
    ([], [0, 2])
    """

    def __init__(self, row: Ints, column: Ints, weight: Floats) -> None:
        rows = int(row.max(initial=-1)) + 1
        ends = np.concatenate((row, column + rows))
        nodes = int(ends.max(initial=-1)) + 1
        degree = np.bincount(ends, minlength=nodes)
        self.row: list[int] = row.tolist()
        self.column: list[int] = (column + rows).tolist()
        self.weight: list[float] = weight.tolist()
        self.looked_at = 0
        self._cells = (np.argsort(ends, kind="stable") % max(len(row), 1)).tolist()
        self._bounds = [0, *np.cumsum(degree).tolist()]
        self._degree = degree.tolist()
        self._price: list[float] = [0.0] * nodes
        self._there = [True] * len(row)
        self._folded: list[tuple[int, int]] = []  # cells, and the node with a price

    def fold(self) -> None:
        """Take leaves off until there is none, and cells that their prices outweigh."""
        leaves = [node for node, many in enumerate(self._degree) if many == 1]
        for _ in range(_PASSES):
            self._fold(leaves)
            leaves = self._drop_outweighed()
            if not leaves:
                break

    def _fold(self, leaves: list[int]) -> None:
        degree, price, there = self._degree, self._price, self._there
        for leaf in leaves:  # which grows on the way
            if degree[leaf] != 1:
                continue
            first, last = self._bounds[leaf], self._bounds[leaf + 1]
            self.looked_at += last - first
            cell = next(cell for cell in self._cells[first:last] if there[cell])
            partner = self.row[cell] + self.column[cell] - leaf
            there[cell] = False
            degree[leaf] = 0
            degree[partner] -= 1
            gain = self.weight[cell] - price[leaf]
            if gain > price[partner]:
                price[partner] = gain
                self._folded.append((cell, partner))
            if degree[partner] == 1:
                leaves.append(partner)

    def _drop_outweighed(self) -> list[int]:
        """Drop cells that no best map needs, and give the leaves that this makes."""
        leaves = []
        for cell, there in enumerate(self._there):
            if there and self._worth(cell) <= 0:
                self._there[cell] = False
                for node in (self.row[cell], self.column[cell]):
                    self._degree[node] -= 1
                    if self._degree[node] == 1:
                        leaves.append(node)
        self.looked_at += len(self._there)
        return leaves

    def _worth(self, cell: int) -> float:
        prices = self._price
        return self.weight[cell] - prices[self.row[cell]] - prices[self.column[cell]]

    def core(self) -> tuple[Ints, Floats]:
        """List the cells left, ascending, and what they weigh beyond their prices."""
        cells = np.flatnonzero(self._there)
        worth = np.array([self._worth(cell) for cell in cells.tolist()], np.float64)
        return cells[worth > 0], worth[worth > 0]

    def unfold(self, chosen: Iterable[int]) -> list[int]:
        """Add the leaves' cells to the best map of the core, ascending."""
        found = list(chosen)
        taken = {node for cell in found for node in (self.row[cell], self.column[cell])}
        for cell, partner in reversed(self._folded):
            if partner not in taken:
                found.append(cell)
                taken.update((self.row[cell], self.column[cell]))
        return sorted(found)
