"""Parquet tables: one mention per row; needs pyarrow.

1.  A file begins with `PAR1`. Its columns mean what `formats.tables.tables` says.
2.  Numbers may be of any kind; `7`, `7.0` and the text `7` are the same. Null, NaN and
    empty text count as missing.
3.  Messages give the row, counted from 1, where other formats give the line.
"""

from __future__ import annotations

import io
import sys
from itertools import islice
from typing import TYPE_CHECKING

from corefkit.formats.base import Reader, Writer
from corefkit.formats.tables.frames import ArrowRows, arrow_cells, pyarrow, refusing
from corefkit.formats.tables.source import TableSource, table_problems
from corefkit.formats.tables.tables import CARRIED, HEADER, table_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Problem
    from corefkit.formats.tables.cells import Cells
    from corefkit.model import Document

_BLOCK_ROWS = 1 << 17


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like Parquet."""
    return head.startswith(b"PAR1")


class ParquetFrame:
    """The rows of a Parquet file, which is read whole to get single rows."""

    def __init__(self, file: ByteFile) -> None:
        self.name = file.name
        self._file = file
        parquet = pyarrow(file.name, "parquet")
        with refusing(file.name):
            self._parquet = parquet.ParquetFile(_Stream(file))
            self.columns: Sequence[str] = self._parquet.schema_arrow.names
        self.rows = ArrowRows(self._parquet.read, file.name)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def line_number(self, row: int) -> int:
        """Return the number of a row, counted from 1."""
        return row + 1

    def place(self, row: int) -> str:
        """Return the place of a row."""
        return f"{self.name}:{row + 1}"

    def blocks(self, columns: Sequence[int]) -> Iterator[Sequence[Cells]]:
        """Iterate over the rows in blocks, with the cells of some columns."""
        names = [self.columns[column] for column in columns]
        with refusing(self.name):
            for batch in self._parquet.iter_batches(_BLOCK_ROWS, columns=names):
                yield [arrow_cells(batch.column(name), self.name) for name in names]

    def check(self) -> None:
        """Read everything, to see that it can be read."""
        with refusing(self.name):
            for batch in self._parquet.iter_batches(_BLOCK_ROWS):
                for column in batch.columns:
                    arrow_cells(column, self.name)


class _Stream(io.RawIOBase):
    """A file as pyarrow reads it."""

    def __init__(self, file: ByteFile) -> None:
        self._file, self._offset = file, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._offset, io.SEEK_END: self._file.size}
        self._offset = base[whence] + offset
        return self._offset

    def tell(self) -> int:
        return self._offset

    def read(self, size: int = -1) -> bytes:
        end = self._file.size if size < 0 else self._offset + size
        found = self._file.read(self._offset, end)
        self._offset += len(found)
        return found


def _problems(file: ByteFile) -> Iterator[Problem]:
    frame = ParquetFrame(file)
    yield from table_problems(frame, [])
    frame.check()  # attributes too, at which only reading looks, and not scoring


def _save(documents: Iterable[Document], path: Path) -> None:
    arrow, parquet = pyarrow(str(path)), pyarrow(str(path), "parquet")
    numbers = ("start", "end", "head")
    kinds = [arrow.int64() if name in numbers else arrow.string() for name in HEADER]
    schema = arrow.schema(list(zip(HEADER, kinds, strict=True)))
    out = sys.stdout.buffer if str(path) == "-" else path
    rows = (row for document in documents for row in table_rows(document))
    with parquet.ParquetWriter(out, schema) as writer:
        while block := list(islice(rows, _BLOCK_ROWS)):
            columns = [list(map(_cell, column)) for column in zip(*block, strict=True)]
            writer.write_table(arrow.table(columns, schema=schema))


def _cell(value: str | int | None) -> str | int | None:
    # Half a character, which JSON may have, is no text for Arrow.
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    return value


READER = Reader(
    open=lambda file, _response, _reference: TableSource(ParquetFrame(file)),
    problems=_problems,
)
WRITER = Writer(carries=CARRIED, words=False, save=_save)
