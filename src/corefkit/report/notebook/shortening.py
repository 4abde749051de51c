"""Parts that are too long for a cell of a notebook, cut short; a note says so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.tables.elements import Items
from corefkit.tables.grids import Cell, Grid, Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corefkit.tables.elements import Part

MOST_ROWS = 60
MOST_COLUMNS = 30
MOST_LINES = 60  # items of a list, and notes in a row
_LEFT_OUT = "\N{HORIZONTAL ELLIPSIS}"
_WHERE = "`to_frame()` has all"


def shortened(parts: Iterable[Part]) -> Iterator[Part]:
    """Cut tables and lists that are too long, with a note on each.

    >>> from corefkit.tables.grids import cells, columns
    >>> rows = cells([str(number), "x"] for number in range(1000))
    >>> (grid,) = shortened([Grid(columns(["", "F1"]), rows)])
    >>> len(grid.rows), grid.notes
    (61, ('940 of 1,000 rows are left out: `to_frame()` has all',))
    """
    notes = 0
    for part in parts:
        notes = notes + 1 if isinstance(part, Note) else 0
        match part:
            case Grid():
                yield _fewer_rows(_fewer_columns(part))
            case Items() if len(part.items) > MOST_LINES:
                end = _left_out(len(part.items), "items", most=MOST_LINES)
                yield replace(
                    part,
                    items=part.items[:MOST_LINES],
                    end=". ".join(filter(None, [end, part.end])),
                )
            case Note() if notes > MOST_LINES and not part.is_code:
                if notes == MOST_LINES + 1:
                    yield Note("The lines that follow are left out")
            case _:
                yield part


def _fewer_rows(grid: Grid) -> Grid:
    rows = grid.rows
    if len(rows) <= MOST_ROWS:
        return grid
    half = MOST_ROWS // 2
    between = (tuple(Cell(_LEFT_OUT) for _ in grid.columns),)
    return replace(
        grid,
        rows=(*rows[:half], *between, *rows[-half:]),
        notes=(*grid.notes, _left_out(len(rows), "rows", most=MOST_ROWS)),
    )


def _fewer_columns(grid: Grid) -> Grid:
    many = len(grid.columns)
    if many <= MOST_COLUMNS:
        return grid
    return replace(
        grid,
        columns=grid.columns[:MOST_COLUMNS],
        rows=tuple(row[:MOST_COLUMNS] for row in grid.rows),
        notes=(*grid.notes, _left_out(many, "columns", most=MOST_COLUMNS)),
    )


def _left_out(many: int, what: str, *, most: int) -> str:
    return f"{many - most:,} of {many:,} {what} are left out: {_WHERE}"
