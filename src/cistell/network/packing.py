"""Batches of sentences, and how their words are laid out.

Words of a batch are laid out by time (`Packed`): first the first words of all
sentences, longest sentence first, then the second words, and so on. Matrices of a
sentence's words by its words need them by sentences (`Packed.square`).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from corefkit.arrays.columns import Flags, Ints

T = TypeVar("T")
K = TypeVar("K", bound=np.generic)


class Packed:
    """The places of the words of some sentences, which are sorted by length.

    Attributes:
        lengths: how many words each sentence has, longest first.
        steps: the first row of each time, and the one beyond its last.
        sentence: the sentence of each row.
        time: the place of each row in its sentence.
        mirror: the row as far from the end of its sentence as each is from its start.
        later: the rows that are no first words.
        before: the rows of the words before these.

    >>> packed = Packed([3, 1])  # "a b c" and "d"
    >>> packed.steps, packed.time.tolist(), packed.mirror.tolist()
    ([(0, 2), (2, 3), (3, 4)], [0, 0, 1, 2], [3, 1, 2, 0])
    """

    def __init__(self, lengths: Sequence[int]) -> None:
        self.lengths = np.asarray(lengths, np.int64)
        longest = int(self.lengths[0]) if len(self.lengths) else 0
        inside = np.arange(longest)[:, None] < self.lengths
        self.time, self.sentence = np.nonzero(inside)
        counts = inside.sum(axis=1)
        firsts = np.cumsum(counts) - counts
        self.steps = [
            (int(first), int(first + count))
            for first, count in zip(firsts, counts, strict=True)
        ]
        self._firsts = firsts
        self.mirror = (
            firsts[self.lengths[self.sentence] - 1 - self.time] + self.sentence
        )
        beginning = int(counts[0]) if longest else 0
        self.later = np.arange(beginning, len(self.time))
        self.before = firsts[self.time[beginning:] - 1] + self.sentence[beginning:]

    @cached_property
    def inside(self) -> Flags:
        """Whether a sentence (row) has a word at a place (column)."""
        return np.arange(len(self.steps)) < self.lengths[:, None]

    def values(self, rows: Sequence[Sequence[T]]) -> list[T]:
        """Lay out by time what sentences have for each word.

        >>> Packed([2, 1]).values(["ab", "c"])
        ['a', 'c', 'b']
        """
        places = zip(self.sentence.tolist(), self.time.tolist(), strict=True)
        return [rows[sentence][time] for sentence, time in places]

    def parents(self, arcs: Ints) -> Ints:
        """Return the row of each word's parent; arcs have its place, from 1 on.

        It is the first row where there is none.
        """
        rows = self._firsts[np.maximum(arcs - 1, 0)] + self.sentence
        return np.where(arcs > 0, rows, 0)

    def by_sentence(self, values: NDArray[K]) -> NDArray[K]:
        """Lay rows out by sentences, with zeros beyond their ends."""
        found = np.zeros((*self.inside.shape, *values.shape[1:]), values.dtype)
        found[self.sentence, self.time] = values
        return found

    def by_time(self, values: NDArray[K]) -> NDArray[K]:
        """Lay out by time what is laid out by sentences."""
        return values[self.sentence, self.time]
