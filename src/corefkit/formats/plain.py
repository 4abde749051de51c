"""Files whose plain documents are read as columns at once, and others one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from corefkit.columns import join_columns
from corefkit.formats.documents import DocumentSource
from corefkit.formats.pairing import Unbalanced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from corefkit.columns import Columns
    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.documents import Extent, Extents, Parse

    # Reads documents as columns; raises `Unbalanced` where one of them is not plain.
    ReadColumns: TypeAlias = Callable[[ByteFile, Sequence[Extent]], Columns]


class PlainSource(DocumentSource):
    """The documents of a file, found once.

    What is not plain is parsed line by line, which words what is wrong.
    """

    def __init__(
        self, file: ByteFile, extents: Extents, parse: Parse, read: ReadColumns
    ) -> None:
        super().__init__(file, extents, parse)
        self._read = read

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some documents, in the order asked for."""
        try:
            return self._read(self.file, [self.extents[number] for number in numbers])
        except Unbalanced:
            if len(numbers) == 1:
                return super().columns(numbers)
        return join_columns([self.columns([number]) for number in numbers])


def in_utf8(blocks: Iterable[list[bytes]]) -> Iterator[list[bytes]]:
    """Go through blocks of whole lines; what is no UTF-8 is not plain."""
    for block in blocks:
        text = b"".join(block)
        try:
            # Most texts have few letters beyond ASCII: the first question is quick.
            text.isascii() or text.decode("utf-8")
        except UnicodeDecodeError:
            raise Unbalanced from None
        yield [text]
