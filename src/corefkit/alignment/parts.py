"""Parts of a table that no cell connects, each solved in the way that suits it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.auction import by_auction

if TYPE_CHECKING:
    from corefkit.alignment.assignment import Paths
    from corefkit.columns import Floats, Ints


def by_parts(
    paths: Paths, looked_at: list[int], weight: Floats, *, patience: int
) -> Ints:
    """Go on part by part: those that have used up the patience go to auction.

    A part is what no cell connects to the rest. It is solved in the same way whatever
    else is in the table.
    """
    part = np.array(_parts(paths.bounds, paths.column))
    spent = np.bincount(part[: len(looked_at)], np.diff(looked_at, prepend=0))
    spent = np.concatenate((spent, np.zeros(int(part.max()) + 1 - len(spent))))
    for start in range(len(looked_at), len(part)):
        if spent[part[start]] <= patience:
            before = paths.looked_at
            paths.augment(start)
            spent[part[start]] += paths.looked_at - before
    of_row = np.repeat(part, np.diff(paths.bounds))
    column = np.array(paths.column)
    easy = paths.chosen()
    found = [easy[spent[of_row[easy]] <= patience]]
    row = np.repeat(np.arange(len(part)), np.diff(paths.bounds))
    for number in np.flatnonzero(spent > patience).tolist():
        cells = np.flatnonzero(of_row == number)
        found.append(cells[by_auction(row[cells], column[cells], weight[cells])])
    return np.sort(np.concatenate(found))


def _parts(bounds: list[int], column: list[int]) -> list[int]:
    """Number the parts of a table that no cell connects, and give that of each row."""
    rows_of: dict[int, list[int]] = {}
    for row, (first, last) in enumerate(pairwise(bounds)):
        for name in column[first:last]:
            rows_of.setdefault(name, []).append(row)
    part = [-1] * (len(bounds) - 1)
    parts = 0
    for start in range(len(part)):
        if part[start] >= 0:
            continue
        part[start] = parts
        reached = [start]
        for row in reached:  # which grows on the way
            for name in column[bounds[row] : bounds[row + 1]]:
                for other in rows_of.pop(name, ()):
                    if part[other] < 0:
                        part[other] = parts
                        reached.append(other)
        parts += 1
    return part
