"""Files that the kernel reads at once: documents found and columns read in one pass.

A document that is not plain, the kernel leaves out. It is read through the document as
an object, which also tells what is wrong with it; without the kernel all are.
"""

from __future__ import annotations

from abc import abstractmethod
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from corefkit.columns import join_columns
from corefkit.formats.documents import DocumentSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.columns import Columns, Ints
    from corefkit.columns.held import Held
    from corefkit.columns.identified import EntityCodes, Identified
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
        if self._whole is not None and self._whole.left.isdisjoint(numbers):
            return self._whole.held.take(numbers)
        return join_columns(
            [
                self.parsed_columns(row) if held is None else held.take(row)
                for held, row in self._stretches(numbers)
            ]
        )

    def identified(
        self, numbers: Sequence[int], codes: EntityCodes
    ) -> Identified | None:
        """Read mentions likewise, and number the ids of their entities."""
        # Imported here because few scores ask, and every start would pay.
        from corefkit.columns.identified import Identified, join_identified

        parts: list[Identified] = []
        for held, row in self._stretches(numbers):
            if held is not None:
                code = self.held_codes(held.codes(row), codes)
                part: Identified | None = Identified(held.take(row), code)
            else:
                part = self.parsed_identified(row, codes)
            if part is None:
                return None
            parts.append(part)
        return join_identified(parts)

    def _stretches(
        self, numbers: Sequence[int]
    ) -> Iterator[tuple[Held | None, list[int]]]:
        """Part the numbers into those whose columns are held, and those left."""
        if self._whole is None:
            yield None, list(numbers)
            return
        for is_left, row in groupby(numbers, self._whole.left.__contains__):
            yield None if is_left else self._whole.held, list(row)

    def parsed_columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some documents without the kernel."""
        return super().columns(numbers)

    def parsed_identified(
        self, numbers: Sequence[int], codes: EntityCodes
    ) -> Identified | None:
        """Read mentions without the kernel, and number the ids of their entities."""
        from corefkit.columns.identified import identified_by_document

        return identified_by_document(self, numbers, codes)

    @abstractmethod
    def held_codes(self, names: Ints, codes: EntityCodes) -> Ints:
        """Number the ids of entities, by what the kernel has of them."""
