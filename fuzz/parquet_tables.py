"""Changes to Parquet files that leave them Parquet: other cells, columns and types."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    Columns = dict[str, list[Any]]

_ODD: tuple[Any, ...] = (
    *(None, -1, 0, 1, 2**40, 2**62, 1.0, 1.5, -0.0, float("nan"), float("inf"), True),
    *("", " ", "7", "07", "7.0", "a\tb\n", "\x00", "3-5", "3-5;8-8", "é\U0001f600"),
    *(b"7", b"\xff", [1, 2], {"a": 1}),
)
_NAMES = ("document", "entity", "mention", "start", "end", "gaps", "head", "attributes")


def changed_table(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """Change a table and write it anew; what is no table any more stays."""
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.read_table(io.BytesIO(data))
        columns = {name: table[name].to_pylist() for name in table.column_names}
    except (pyarrow.ArrowException, OSError, ValueError, KeyError):
        return data
    if not columns:
        return data
    random.choice(_CHANGES)(columns, random)
    out = io.BytesIO()
    arrays = {name: _array(cells) for name, cells in columns.items()}
    try:
        parquet.write_table(pyarrow.table(arrays), out)
    except (pyarrow.ArrowException, OSError, ValueError):
        return data
    return out.getvalue()


def _array(cells: Sequence[Any]) -> Any:
    """Make an array of cells; of cells of several kinds, one of text."""
    import pyarrow

    try:
        return pyarrow.array(cells)
    except (pyarrow.ArrowException, ValueError, TypeError, OverflowError):
        return pyarrow.array([None if cell is None else str(cell) for cell in cells])


def _change_cell(columns: Columns, random: Random) -> None:
    cells = columns[random.choice(list(columns))]
    if cells:
        cells[random.randrange(len(cells))] = random.choice(_ODD)


def _change_column(columns: Columns, random: Random) -> None:
    name = random.choice(list(columns))
    kind = random.choice((str, float, bool, bytes, None))
    odd = random.choice(_ODD)
    changed = []
    for cell in columns[name]:
        try:
            changed.append(odd if kind is None else kind(cell))
        except (TypeError, ValueError):
            changed.append(None)
    columns[name] = changed


def _rename_column(columns: Columns, random: Random) -> None:
    cells = columns.pop(random.choice(list(columns)))
    columns[random.choice((*_NAMES, "", " start", "START", "type"))] = cells


def _add_column(columns: Columns, random: Random) -> None:
    rows = len(next(iter(columns.values())))
    columns[random.choice((*_NAMES, "", "type"))] = [random.choice(_ODD)] * rows


def _change_rows(columns: Columns, random: Random) -> None:
    rows = range(len(next(iter(columns.values()))))
    chosen = random.choices(rows, k=random.randint(0, len(rows) + 1)) if rows else []
    for name, cells in columns.items():
        columns[name] = [cells[row] for row in chosen]


_CHANGES: tuple[Callable[[Columns, Random], None], ...] = (
    *(_change_cell, _change_cell, _change_cell, _change_column),
    *(_rename_column, _add_column, _change_rows),
)
