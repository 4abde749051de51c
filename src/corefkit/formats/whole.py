"""Files that the kernel reads at once: documents found and columns read in one pass.

A document that is not plain, the kernel leaves out. It is read through the document as
an object, which also tells what is wrong with it; without the kernel all are.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.columns import join_columns
from corefkit.formats.documents import DocumentSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.columns import Columns, Ints
    from corefkit.columns.held import Held
    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.documents import Extent, Extents, Parse


class Whole(NamedTuple):
    """What the kernel found in a file."""

    extents: Sequence[Extent]  # where the documents lie
    held: Held  # their columns
    left: frozenset[int]  # the documents that are not plain


class WholeSource(DocumentSource):
    """The documents of a file, whose columns are held as far as the kernel read them.

    Without `whole` the documents are found first, and read when asked for.
    """

    def __init__(
        self, file: ByteFile, extents: Extents, parse: Parse, whole: Whole | None
    ) -> None:
        self._whole = whole
        found: Extents = extents if whole is None else lambda *_: whole.extents
        super().__init__(file, found, parse)

    @property
    def held_sizes(self) -> Sequence[int]:
        """About how many bytes the columns of each document take where they are held.

        Reading them costs nothing any more: blocks are made by what comes after it.
        """
        if self._whole is None:
            return self.sizes
        sizes = list(self._whole.held.sizes)
        for number in self._whole.left:
            sizes[number] = self.sizes[number]
        return sizes

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some documents, in the order asked for."""
        if self._whole is None:
            return self.parsed_columns(numbers)
        held, left = self._whole.held, self._whole.left
        if left.isdisjoint(numbers):
            return held.take(numbers)
        rows = groupby(numbers, left.__contains__)
        return join_columns(
            [
                (self.parsed_columns if is_left else held.take)(list(row))
                for is_left, row in rows
            ]
        )

    def parsed_columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some documents without the kernel."""
        return super().columns(numbers)


def numbers_of(rows: Iterable[bytes]) -> list[Ints]:
    """Take the rows of the kernel as arrays.

    >>> numbers_of([bytes(16)])[0].tolist()
    [0, 0]
    """
    return [np.frombuffer(row, np.int64) for row in rows]
