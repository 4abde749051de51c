"""Data frames in memory as tables: pandas, Polars, Arrow.

Whole columns are taken at once. Text of Polars and Arrow never becomes Python strings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.formats.tables.arrow import ArrowRows, arrow_cells, pyarrow
from corefkit.formats.tables.cells import Numbers, Texts, cell_text, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefkit.columns import Ints
    from corefkit.formats.tables.cells import Cells
    from corefkit.formats.tables.tables import Frame

_BLOCK_ROWS = 1 << 17


def frame_of(value: object, name: str) -> Frame | None:
    """Wrap a data frame as a frame; None if the value is something else.

    Args:
        value: anything.
        name: what to call the input in messages.

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
    """A data frame of any library.

    Attributes:
        name: what to call the input in messages.
        columns: the names of the columns.
        height: how many rows there are.
        cells: gives the cells of a column, from one row up to another.
        rows: gives some rows with the cells of all columns.
    """

    name: str
    columns: Sequence[str]
    height: int
    cells: Callable[[int, int, int], Cells]
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
        array = pyarrow("pandas").array(series)
        return arrow_cells(array, "pandas")
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
    if series.dtype.is_signed_integer():
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


def _batch(name: str, batch: Any) -> MemoryFrame:
    return _arrow(name, pyarrow(name).Table.from_batches([batch]))


_KINDS: Mapping[tuple[str, str], Callable[[str, Any], Frame]] = {
    ("pandas", "DataFrame"): _pandas,
    ("polars", "DataFrame"): _polars,
    ("polars", "LazyFrame"): lambda name, frame: _polars(name, frame.collect()),
    ("pyarrow", "Table"): _arrow,
    ("pyarrow", "RecordBatch"): _batch,
}
