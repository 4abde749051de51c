"""Data frames in memory as tables: pandas, Polars, Arrow.

Whole columns are taken at once. Text of Polars and Arrow never becomes Python strings.
Libraries are imported when they are used.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.exceptions import FormatError
from corefkit.formats.tables.cells import Numbers, Texts, cell_text, texts
from corefkit.strings.escaping import for_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefkit.columns import Ints
    from corefkit.formats.tables.cells import Cells
    from corefkit.formats.tables.tables import Frame

_BLOCK_ROWS = 1 << 17


def frame_of(value: object, name: str) -> Frame | None:
    """Wrap a data frame as a frame; None if the value is something else.

    >>> frame_of([1, 2], "key") is None
    True
    """
    for kind in type(value).__mro__:
        make = _KINDS.get((kind.__module__.partition(".")[0], kind.__name__))
        if make is not None:
            return make(name, value)
    return None


@dataclass(frozen=True, slots=True)
class MemoryFrame:
    """A data frame of any library."""

    name: str  # in messages
    columns: Sequence[str]
    height: int
    cells: Callable[[int, int, int], Cells]  # of a column, from one row up to another
    rows: Callable[[Ints], Sequence[Sequence[object]]]

    def close(self) -> None:
        """Hold nothing open."""

    def line_number(self, row: int) -> int:
        """Return the number of a row, counted from 0 as data frames do."""
        return row

    def place(self, row: int) -> str:
        """Return the place of a row."""
        return f"{self.name}, row {row}"

    def blocks(self, columns: Sequence[int]) -> Iterator[Sequence[Cells]]:
        """Iterate over the rows in blocks, with the cells of some columns."""
        for first in range(0, self.height, _BLOCK_ROWS):
            last = min(first + _BLOCK_ROWS, self.height)
            yield [self.cells(column, first, last) for column in columns]


def pyarrow(place: str, *parts: str) -> Any:
    """Import pyarrow or a part of it, or say how to install it; `place` needs it."""
    try:
        return import_module(".".join(("pyarrow", *parts)))
    except ImportError as error:
        message = "this needs pyarrow, which is not installed"
        hint = 'install it with pip install "corefkit[tables]"'
        raise FormatError(message, place=place, hint=hint) from error


@contextmanager
def refusing(place: str) -> Iterator[None]:
    """Turn pyarrow's errors about a broken table into a `FormatError`."""
    arrow = pyarrow(place).ArrowException
    kinds = arrow, OSError, ValueError, LookupError, RuntimeError, MemoryError
    try:
        yield
    except kinds as error:
        words = str(error).splitlines() or [type(error).__name__]
        message = f"cannot be read as a table: {for_terminal(words[0])}"
        hint = "is it whole? write it anew, or as TSV"
        raise FormatError(message, place=place, hint=hint) from error


def arrow_cells(array: Any, place: str) -> Cells:
    """Make cells of an Arrow array, without Python strings for text."""
    types = pyarrow(place).types
    with refusing(place):
        if types.is_dictionary(array.type):
            array = array.dictionary_decode()
        if types.is_integer(array.type) and str(array.type) != "uint64":
            missing = array.is_null().to_numpy(zero_copy_only=False)
            return Numbers(array.fill_null(0).to_numpy().astype(np.int64), missing)
        kinds = types.is_string, types.is_large_string, types.is_string_view
        if any(is_text(array.type) for is_text in kinds):
            return _texts(array)
        return texts([cell_text(value) for value in array.to_pylist()])


def _texts(array: Any) -> Texts:
    array.validate(full=True)  # all bytes are UTF-8
    array = array.cast("large_string")
    _, offsets, data = array.buffers()
    if data is None:
        return texts([""] * len(array))
    bounds = np.frombuffer(offsets, np.int64)[array.offset :][: len(array) + 1]
    length = np.diff(bounds)
    if array.null_count:
        length[array.is_null().to_numpy(zero_copy_only=False)] = 0
    first, last = int(bounds[0]), int(bounds[-1])
    text = data.slice(first, last - first).to_pybytes()
    return Texts(text, bounds[:-1] - first, length)


class ArrowRows:
    """The rows of an Arrow table, by number; the table is made when first needed."""

    def __init__(self, table: Callable[[], Any], place: str) -> None:
        self._table, self._place = table, place
        self._lock = Lock()  # one thread reads ahead while another asks for types

    def __call__(self, numbers: Ints) -> list[tuple[object, ...]]:
        """Return some rows, in the order asked for."""
        with self._lock, refusing(self._place):
            rows = pyarrow(self._place).array(numbers)
            cells = [column.take(rows).to_pylist() for column in self._columns]
        return list(zip(*cells, strict=True))

    @cached_property
    def _columns(self) -> list[Any]:
        is_view = pyarrow(self._place).types.is_string_view
        # Views cannot be taken from, and one chunk is taken from faster than many.
        return [
            column.cast("large_string") if is_view(column.type) else column
            for column in self._table().combine_chunks().columns
        ]


def _pandas(name: str, frame: Any) -> MemoryFrame:
    def rows(numbers: Ints) -> list[tuple[object, ...]]:
        part = frame.iloc[numbers]
        width = range(len(part.columns))
        cells = [_present(part.iloc[:, column]) for column in width]
        return list(zip(*cells, strict=True))

    return MemoryFrame(
        name,
        [str(column) for column in frame.columns],
        len(frame),
        lambda column, first, last: _pandas_cells(frame.iloc[first:last, column]),
        rows,
    )


def _pandas_cells(series: Any) -> Cells:
    if series.dtype.kind == "i":
        missing = series.isna().to_numpy(np.bool_)
        return Numbers(series.to_numpy(np.int64, na_value=0), missing)
    if getattr(series.dtype, "storage", None) == "pyarrow":
        return arrow_cells(pyarrow("pandas").array(series), "pandas")
    values = _present(series)
    try:
        return texts(values)
    except TypeError:
        return texts([cell_text(value) for value in values])


def _present(series: Any) -> list[Any]:
    """List values, with None for what pandas treats as missing."""
    values: list[Any] = series.to_list()
    for row in np.flatnonzero(series.isna()).tolist():
        values[row] = None
    return values


def _polars(name: str, frame: Any) -> MemoryFrame:
    return MemoryFrame(
        name,
        frame.columns,
        frame.height,
        lambda column, first, last: _polars_cells(
            frame.to_series(column).slice(first, last - first)
        ),
        lambda numbers: frame[numbers.tolist()].rows(),
    )


def _polars_cells(series: Any) -> Cells:
    if series.dtype.is_signed_integer() and str(series.dtype) != "Int128":
        missing = series.is_null().to_numpy()
        return Numbers(series.fill_null(0).to_numpy().astype(np.int64), missing)
    if str(series.dtype) != "String":
        return texts([cell_text(value) for value in series.to_list()])
    filled = series.fill_null("")
    length = filled.str.len_bytes().to_numpy().astype(np.int64)
    data = filled.str.join("").item().encode("utf-8")
    return Texts(data, np.cumsum(length) - length, length)


def _arrow(name: str, table: Any) -> MemoryFrame:
    def cells(column: int, first: int, last: int) -> Cells:
        part = table.column(column).slice(first, last - first)
        return arrow_cells(part.combine_chunks(), name)

    rows = ArrowRows(lambda: table, name)
    return MemoryFrame(name, table.column_names, table.num_rows, cells, rows)


_KINDS: Mapping[tuple[str, str], Callable[[str, Any], Frame]] = {
    ("pandas", "DataFrame"): _pandas,
    ("polars", "DataFrame"): _polars,
    ("polars", "LazyFrame"): lambda name, frame: _polars(name, frame.collect()),
    ("pyarrow", "Table"): _arrow,
    ("pyarrow", "RecordBatch"): lambda name, batch: _arrow(
        name, pyarrow(name).Table.from_batches([batch])
    ),
}
