"""pandas, Polars and Arrow data frames and Parquet files as tables of mentions.

`docs/formats/tables.md` defines the columns and rows. Parquet and Arrow require
pyarrow. Libraries are imported when they are used.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.exceptions import FormatError
from corefkit.formats.files import OffsetReader
from corefkit.formats.source import Reader, Writer
from corefkit.formats.tables import (
    CARRIED,
    HEADER,
    Cells,
    TableSource,
    format_cell,
    iter_rows,
    iter_table_problems,
)
from corefkit.strings import escape_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from corefkit.arrays.columns import Ints
    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Problem
    from corefkit.formats.tables import Frame
    from corefkit.model import Document

_BLOCK_ROWS = 1 << 17


def wrap_frame(value: object, name: str) -> Frame | None:
    """Wrap a data frame as a frame; None if the value is something else."""
    for kind in type(value).__mro__:
        make = _KINDS.get((kind.__module__.partition(".")[0], kind.__name__))
        if make is not None:
            return make(name, value)
    return None


@dataclass(frozen=True, slots=True)
class MemoryFrame:
    """A data frame of any library; messages have the row in the place of the line."""

    name: str
    columns: Sequence[str]
    height: int  # the number of rows
    read_cells: Callable[[int, int, int], Cells]  # of a column, from one row to another
    read_rows: Callable[[Ints], Sequence[Sequence[object]]]

    def close(self) -> None:
        pass

    def line_number(self, row: int) -> int:
        return row

    def format_place(self, row: int) -> str:
        return f"{self.name}, row {row}"

    def iter_blocks(self, columns: Sequence[int]) -> Iterator[Sequence[Cells]]:
        for first in range(0, self.height, _BLOCK_ROWS):
            last = min(first + _BLOCK_ROWS, self.height)
            yield [self.read_cells(column, first, last) for column in columns]


def import_pyarrow(place: str, *parts: str) -> Any:
    """Import pyarrow or a part of it, which `place` requires."""
    try:
        return import_module(".".join(("pyarrow", *parts)))
    except ImportError as error:
        message = "this needs pyarrow, which is not installed"
        hint = 'install it with pip install "corefkit[tables]"'
        raise FormatError(
            message, code="environment/missing-package", place=place, hint=hint
        ) from error


@contextmanager
def convert_arrow_errors(place: str) -> Iterator[None]:
    """Raise FormatError instead of pyarrow's errors about a broken table."""
    arrow = import_pyarrow(place).ArrowException
    kinds = arrow, OSError, ValueError, LookupError, RuntimeError, MemoryError
    try:
        yield
    except kinds as error:
        lines = str(error).splitlines() or [type(error).__name__]
        message = f"cannot be read as a table: {escape_terminal(lines[0])}"
        hint = "check that the table is complete, or write it as TSV"
        raise FormatError(
            message, code="format/invalid-table", place=place, hint=hint
        ) from error


def arrow_cells(array: Any, place: str) -> Cells:
    """Make cells of an Arrow array or column."""
    arrow = import_pyarrow(place)
    types = arrow.types
    with convert_arrow_errors(place):
        if isinstance(array, arrow.ChunkedArray):
            array = arrow.concat_arrays(array.chunks or [arrow.array([], array.type)])
        if types.is_dictionary(array.type):
            array = array.dictionary_decode()
        if types.is_integer(array.type) and str(array.type) != "uint64":
            missing = array.is_null().to_numpy(zero_copy_only=False)
            values = array.fill_null(0).to_numpy().astype(np.int64)
            return Cells.from_integers(values, missing)
        kinds = types.is_string, types.is_large_string, types.is_string_view
        if any(is_text(array.type) for is_text in kinds):
            array.validate(full=True)  # all bytes are UTF-8
            encoded = array.cast("large_string").dictionary_encode()
            codes = encoded.indices.fill_null(-1).to_numpy().astype(np.int64)
            return Cells.from_codes(codes, encoded.dictionary.to_pylist())
        return Cells.from_texts(map(format_cell, array.to_pylist()))


def make_arrow_reader(
    read: Callable[[], Any], place: str
) -> Callable[[Ints], Sequence[Sequence[object]]]:
    """Return a function that reads rows of an Arrow table, which is read once."""
    columns: list[Any] = []
    lock = Lock()  # one thread may read ahead while another one reads types

    def read_rows(numbers: Ints) -> list[tuple[object, ...]]:
        arrow = import_pyarrow(place)
        with lock, convert_arrow_errors(place):
            # Arrow cannot take rows of views, and takes them faster from one chunk.
            for column in () if columns else read().combine_chunks().columns:
                is_view = arrow.types.is_string_view(column.type)
                columns.append(column.cast("large_string") if is_view else column)
            rows = arrow.array(numbers)
            cells = [column.take(rows).to_pylist() for column in columns]
        return list(zip(*cells, strict=True))

    return read_rows


def _wrap_pandas(name: str, frame: Any) -> MemoryFrame:
    def read_cells(column: int, first: int, last: int) -> Cells:
        series = frame.iloc[first:last, column]
        if series.dtype.kind == "i":
            missing = series.isna().to_numpy(np.bool_)
            return Cells.from_integers(series.to_numpy(np.int64, na_value=0), missing)
        if getattr(series.dtype, "storage", None) == "pyarrow":
            return arrow_cells(import_pyarrow("pandas").array(series), "pandas")
        return Cells.from_texts(map(format_cell, list_values(series)))

    def read_rows(numbers: Ints) -> list[tuple[object, ...]]:
        part = frame.iloc[numbers]
        columns = range(len(part.columns))
        cells = [list_values(part.iloc[:, column]) for column in columns]
        return list(zip(*cells, strict=True))

    def list_values(series: Any) -> list[Any]:
        values: list[Any] = series.to_list()
        for row in np.flatnonzero(series.isna()).tolist():
            values[row] = None
        return values

    return MemoryFrame(
        name, list(map(str, frame.columns)), len(frame), read_cells, read_rows
    )


def _wrap_polars(name: str, frame: Any) -> MemoryFrame:
    def read_cells(column: int, first: int, last: int) -> Cells:
        series = frame.to_series(column).slice(first, last - first)
        if series.dtype.is_signed_integer() and str(series.dtype) != "Int128":
            values = series.fill_null(0).to_numpy().astype(np.int64)
            return Cells.from_integers(values, series.is_null().to_numpy())
        return Cells.from_texts(map(format_cell, series.to_list()))

    def read_rows(numbers: Ints) -> Sequence[Sequence[object]]:
        rows: Sequence[Sequence[object]] = frame[numbers.tolist()].rows()
        return rows

    return MemoryFrame(name, frame.columns, frame.height, read_cells, read_rows)


def _wrap_arrow(name: str, table: Any) -> MemoryFrame:
    def read_cells(column: int, first: int, last: int) -> Cells:
        return arrow_cells(table.column(column).slice(first, last - first), name)

    read_rows = make_arrow_reader(lambda: table, name)
    return MemoryFrame(name, table.column_names, table.num_rows, read_cells, read_rows)


_KINDS: Mapping[tuple[str, str], Callable[[str, Any], Frame]] = {
    ("pandas", "DataFrame"): _wrap_pandas,
    ("polars", "DataFrame"): _wrap_polars,
    ("polars", "LazyFrame"): lambda name, frame: _wrap_polars(name, frame.collect()),
    ("pyarrow", "Table"): _wrap_arrow,
    ("pyarrow", "RecordBatch"): lambda name, batch: _wrap_arrow(
        name, import_pyarrow(name).Table.from_batches([batch])
    ),
}


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like Parquet."""
    return head.startswith(b"PAR1")


class ParquetFrame:
    """The rows of a Parquet file, which is read completely to get single rows."""

    def __init__(self, file: ByteFile) -> None:
        self.name = file.name
        self._file = file
        parquet = import_pyarrow(file.name, "parquet")
        with convert_arrow_errors(file.name):
            self._parquet = parquet.ParquetFile(OffsetReader(file, owned=False))
            self.columns: Sequence[str] = self._parquet.schema_arrow.names
        self.read_rows = make_arrow_reader(self._parquet.read, file.name)

    def close(self) -> None:
        self._file.close()

    def line_number(self, row: int) -> int:
        return row + 1

    def format_place(self, row: int) -> str:
        return f"{self.name}:{row + 1}"

    def iter_blocks(self, columns: Sequence[int]) -> Iterator[Sequence[Cells]]:
        names = [self.columns[column] for column in columns]
        parquet = import_pyarrow(self.name, "parquet")
        # The encoded columns, the last dictionary of each, and its cells.
        encoded: dict[str, tuple[Any, Cells]] = {}
        with convert_arrow_errors(self.name):
            file = parquet.ParquetFile(
                OffsetReader(self._file, owned=False),
                metadata=self._parquet.metadata,
                read_dictionary=list(filter(self._is_encoded, names)),
            )
            for batch in file.iter_batches(_BLOCK_ROWS, columns=names):
                yield [
                    self._read_encoded(batch.column(name), name, encoded)
                    if self._is_encoded(name)
                    else arrow_cells(batch.column(name), self.name)
                    for name in names
                ]

    def _is_encoded(self, name: str) -> bool:
        """Return whether a column of texts is encoded by a dictionary throughout.

        Other texts take at least four bytes, for their length. To read these as a
        dictionary would take quadratic time.
        """
        metadata = self._parquet.metadata
        is_text = import_pyarrow(self.name).types.is_string
        if not is_text(self._parquet.schema_arrow.field(name).type):
            return False
        for number in range(metadata.num_row_groups):
            group = metadata.row_group(number)
            column = group.column(metadata.schema.names.index(name))
            size = column.total_uncompressed_size
            if not column.has_dictionary_page or size >= 4 * group.num_rows:
                return False
        return True

    def _read_encoded(
        self, array: Any, name: str, encoded: dict[str, tuple[Any, Cells]]
    ) -> Cells:
        """Make cells of a dictionary array, whose texts blocks share."""
        if name not in encoded or not encoded[name][0].equals(array.dictionary):
            cells = arrow_cells(array.dictionary, self.name)
            encoded[name] = array.dictionary, cells
        texts = encoded[name][1]
        indices = array.indices.fill_null(-1).to_numpy()
        return Cells.from_codes(np.append(texts.codes, -1)[indices], texts.texts or ())

    def check(self) -> None:
        """Read all columns; broken ones raise FormatError."""
        with convert_arrow_errors(self.name):
            for batch in self._parquet.iter_batches(_BLOCK_ROWS):
                for column in batch.columns:
                    arrow_cells(column, self.name)


def _iter_problems(file: ByteFile) -> Iterator[Problem]:
    frame = ParquetFrame(file)
    yield from iter_table_problems(frame, [])
    frame.check()  # attributes too, which scoring does not read


def _save(documents: Iterable[Document], path: Path) -> None:
    arrow, parquet = import_pyarrow(str(path)), import_pyarrow(str(path), "parquet")
    integers = ("start", "end", "head")
    types = [arrow.int64() if name in integers else arrow.string() for name in HEADER]
    schema = arrow.schema(list(zip(HEADER, types, strict=True)))
    out = sys.stdout.buffer if str(path) == "-" else path
    rows = (row for document in documents for row in iter_rows(document))
    with parquet.ParquetWriter(out, schema) as writer:
        while block := list(islice(rows, _BLOCK_ROWS)):
            columns = [
                list(map(_escape, column)) for column in zip(*block, strict=True)
            ]
            writer.write_table(arrow.table(columns, schema=schema))


def _escape(value: str | int | None) -> str | int | None:
    # JSON may contain surrogates, which are invalid text for Arrow.
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    return value


READER = Reader(
    open=lambda file, _response, _reference: TableSource(ParquetFrame(file)),
    problems=_iter_problems,
)
WRITER = Writer(carries=CARRIED, words=False, save=_save)
