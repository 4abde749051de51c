"""From scores of arcs to trees: each word's best parent, made a tree where it is none.

Where the best parents of all words are no tree, or have not one root, the best tree is
found by contracting cycles.

Source: Chu and Liu 1965, Edmonds 1967.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cistell.network.weights import Array
    from corefkit.arrays.columns import Ints


def best_tree(scores: Array) -> Ints:
    """Find the parent of each word, 0 for the one root.

    Args:
        scores: a row for each word: the scores of the root and of each word as parent.

    >>> best_tree(np.array([[5, 0, 9], [4, 9, 0]], np.float32))  # 1 and 2 in a circle
    array([0, 1])
    """
    size = len(scores)
    parents: Ints = scores.argmax(axis=1)
    if np.count_nonzero(parents == 0) == 1 and not _cycle(parents):
        return parents
    table = np.full((size + 1, size + 1), -np.inf)
    table[1:] = scores
    np.fill_diagonal(table, -np.inf)
    return _spanning(_with_one_root(table))[1:]


def _with_one_root(table: Array) -> Array:
    """Make a second root so dear that no tree has two.

    A tree needs one root; with each costing more than all else can differ, the best
    tree has one.
    """
    finite = table[np.isfinite(table)]
    table[1:, 0] -= (finite.max() - finite.min() + 1) * len(table)
    return table


def _cycle(parents: Ints) -> list[int]:
    """Find the words of a cycle; none in a tree. Node 0 is the root."""
    up = [0, *parents.tolist()]
    state = [0] * len(up)  # 0 is not seen, 1 on this path, 2 done
    state[0] = 2
    for node in range(1, len(up)):
        path = []
        while not state[node]:
            state[node] = 1
            path.append(node)
            node = up[node]
        if state[node] == 1:
            return path[path.index(node) :]
        for done in path:
            state[done] = 2
    return []


def _spanning(table: Array) -> Ints:
    """Find the tree of the highest sum: the parent of each node; node 0 is the root.

    A cycle becomes one node, its first, which keeps the best arcs of its members. What
    is left in the end is a tree; then cycles are opened, the last first.
    """
    size = len(table)
    columns = np.arange(size)
    # The words that an arc between nodes is really between, and those of each node.
    child, parent = np.meshgrid(columns, columns, indexing="ij")
    words = [{node} for node in range(size)]
    noted: list[tuple[int, int, set[int]]] = []
    alive = columns > 0
    parents = table.argmax(axis=1)
    while True:
        cycle = np.array(_cycle(parents[1:]), np.int64)
        for node in cycle if len(cycle) else np.flatnonzero(alive):
            arc = node, parents[node]
            noted.append((child[arc], parent[arc], words[node]))
        if not len(cycle):
            return _opened(noted, size)
        first, rest = cycle[0], cycle[1:]
        table[cycle] -= table[cycle, parents[cycle]][:, None]
        into = cycle[table[cycle].argmax(axis=0)]
        out = cycle[table[:, cycle].argmax(axis=1)]
        for each in (table, child, parent):
            row, column = each[into, columns], each[columns, out]
            each[first], each[:, first] = row, column
        table[first, cycle] = table[rest] = table[:, rest] = -np.inf
        words[first] = set[int]().union(*(words[node] for node in cycle))
        alive[rest] = False
        # What hung on the cycle hangs on its node, which looks for its own parent.
        parents[np.isin(parents, rest)] = first
        parents[rest] = 0
        parents[first] = table[first].argmax()


def _opened(noted: list[tuple[int, int, set[int]]], size: int) -> Ints:
    """Take the arcs that were noted, the last first; one into each node's words."""
    chosen = np.zeros(size, np.int64)
    entered: set[int] = set()
    for child, parent, words in reversed(noted):
        if entered.isdisjoint(words):
            chosen[child] = parent
            entered.add(child)
    return chosen
