"""Heads of spans in dependency trees, in a few steps however long the spans are.

The head of a span is its first word whose parent lies outside. The least and the last
parent of 1, 2, 4, 8 and so on tokens from each token on tell how far no parent does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.columns import Flags, Ints


class Parents:
    """The parents of a text's tokens, -1 for none, asked for those outside of a span.

    Tokens that are not `said`, empty nodes, are no heads.

    >>> parents = Parents([1, -1, 1], [True, True, True])
    >>> parents.head(0, 0), parents.head(0, 2), parents.head(2, 2)
    (0, 1, 2)
    >>> Parents([1, 0], [True, True]).head(0, 1) is None
    True
    """

    def __init__(self, parents: Sequence[int] | Ints, said: Sequence[bool] | Flags):
        values, words = np.asarray(parents, np.int64), np.asarray(said, np.bool_)
        size = len(values)
        self._least = _doublings(np.minimum, np.where(words, values, size))
        self._last = _doublings(np.maximum, np.where(words, values, -1))

    def head(self, start: int, end: int) -> int | None:
        """Find the first word of a span whose parent is outside; None if none is."""
        left = right = start
        for level in range(len(self._least) - 1, -1, -1):
            least, last = self._least[level], self._last[level]
            if left < len(least) and least[left] >= start:
                left += 1 << level
            if right < len(last) and last[right] <= end:
                right += 1 << level
        found = min(left, right)
        return found if found <= end else None


def _doublings(best: np.ufunc, values: Ints) -> list[Ints]:
    """Return the best value of 1, 2, 4, 8 ... tokens from each token on."""
    tables = [values]
    while len(tables[-1]) > (half := 1 << len(tables) - 1):
        tables.append(best(tables[-1][:-half], tables[-1][half:]))
    return tables
