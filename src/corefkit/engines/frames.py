"""Rows that an engine has gathered, as the tables of two sides.

Texts become numbers of a list in which all differ, so that nothing is compared by
hashes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.engines.base import PLACE
from corefkit.exceptions import quoted
from corefkit.formats.tables.cells import Coded, Numbers
from corefkit.formats.tables.frames import arrow_cells, pyarrow, refusing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import pyarrow as pa

    from corefkit.columns import Ints
    from corefkit.formats.tables.cells import Cells


@dataclass(frozen=True, slots=True)
class Layout:
    """What a side is called, and which columns its table has.

    Attributes:
        name: what the user called it.
        columns: for each column that rows have, the name that its table has for it.
        where: says where a row stands, by its place; None where rows have no order.
    """

    name: str
    columns: Mapping[str, str]
    where: Callable[[int], str] | None = None


@dataclass(frozen=True, slots=True)
class GatheredFrame:
    """The rows of one side among rows that were gathered."""

    layout: Layout
    table: pa.Table  # of both sides
    cells: Mapping[str, Cells]  # of both sides, by column
    row: Ints  # those of this side, in the order of their places

    @property
    def name(self) -> str:
        """What the user called the side."""
        return self.layout.name

    @property
    def columns(self) -> Sequence[str]:
        """The names of the columns."""
        return list(self.layout.columns.values())

    def close(self) -> None:
        """Hold nothing open."""

    def line_number(self, row: int) -> int:
        """Return the number of a row among those that were gathered."""
        return row

    def place(self, row: int) -> str:
        """Return where a row stands; without an order of rows, in which document."""
        at = int(self.row[row])
        if self.layout.where is not None and PLACE in self.table.column_names:
            return self.layout.where(self.table.column(PLACE)[at].as_py())
        document = self.cells["document"].text(at)
        return f"{self.name}, document {quoted(document)}"

    def blocks(self, columns: Sequence[int]) -> Iterator[Sequence[Cells]]:
        """Return the cells of some columns, in one block."""
        names = list(self.layout.columns)
        yield [_taken(self.cells[names[column]], self.row) for column in columns]

    def rows(self, numbers: Ints) -> Sequence[Sequence[object]]:
        """Return some rows, in the order asked for."""
        taken = self.table.select(list(self.layout.columns)).take(self.row[numbers])
        cells = [column.to_pylist() for column in taken.columns]
        return list(zip(*cells, strict=True))


def gathered_frames(
    table: pa.Table, layouts: tuple[Layout, Layout]
) -> tuple[GatheredFrame, GatheredFrame]:
    """Part gathered rows, which have a column `side`, into the tables of two sides."""
    place = layouts[0].name
    names = dict.fromkeys([*layouts[0].columns, *layouts[1].columns])
    with refusing(place):
        table = table.combine_chunks()
        cells = {name: coded_cells(table.column(name), place) for name in names}
        side = table.column("side").to_numpy()
        order = _order(table)
    key, response = (
        GatheredFrame(layout, table, cells, order[side[order] == number])
        for number, layout in enumerate(layouts)
    )
    return key, response


def coded_cells(column: Any, place: str) -> Cells:
    """Make cells of an Arrow column; texts by their numbers in a list.

    >>> import pyarrow
    >>> coded_cells(pyarrow.chunked_array([["b", None, "a", "b"]]), "key").codes()
    array([0, 2, 1, 0])
    """
    types = pyarrow(place).types
    array = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    if hasattr(array, "chunks"):  # a column of no rows, or of very many
        array = pyarrow(place).concat_arrays(array.chunks)
    kinds = types.is_string, types.is_large_string, types.is_string_view
    if not any(is_text(array.type) for is_text in kinds):
        return arrow_cells(array, place)
    encoded = array.cast("large_string").dictionary_encode()
    values = pyarrow(place).concat_arrays(
        [encoded.dictionary, pyarrow(place).array([""], "large_string")]
    )
    index = encoded.indices.fill_null(len(values) - 1).to_numpy()
    cells = arrow_cells(values, place)
    return Coded(cells, index.astype(np.int64))  # type: ignore[arg-type]


def _order(table: pa.Table) -> Ints:
    if PLACE not in table.column_names:
        return np.arange(table.num_rows)
    place = table.column(PLACE).combine_chunks().fill_null(0).to_numpy()
    return np.argsort(place, kind="stable")


def _taken(cells: Cells, rows: Ints) -> Cells:
    if isinstance(cells, Coded):
        return Coded(cells.values, cells.index[rows])
    if isinstance(cells, Numbers):
        return Numbers(cells.values[rows], cells.missing[rows])
    return type(cells)(cells.data, cells.start[rows], cells.length[rows])
