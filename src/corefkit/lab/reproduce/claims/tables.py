"""Operators on printed tables."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from corefkit.lab.reproduce.scores import metric_label
from corefkit.papers.values import NOT_PRINTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.lab.reproduce.claims.subjects import TableClaim


def highest(claim: TableClaim) -> Iterator[str]:
    """Find where a column is highest, if that is not as claimed."""
    yield from _extreme(claim, sign=1)


def lowest_row(claim: TableClaim) -> Iterator[str]:
    """Find where a column is lowest, if that is not as claimed."""
    yield from _extreme(claim, sign=-1)


def _extreme(claim: TableClaim, *, sign: int) -> Iterator[str]:
    cells = {
        row: cells[claim.about["column"]] for row, cells in claim.table.rows.items()
    }
    values = {
        row: sign * float(cell) for row, cell in cells.items() if cell != NOT_PRINTED
    }
    best = [row for row, value in values.items() if value == max(values.values())]
    if best != claim.about["rows"]:
        yield ", ".join(f"{row}: {cells[row]}" for row in best)


def same_rows(claim: TableClaim) -> Iterator[str]:
    """Find the numbers of a column, if they are not all the same."""
    column = claim.about["column"]
    cells = {row: cells[column] for row, cells in claim.table.rows.items()}
    if len(set(cells.values())) > 1:
        yield ", ".join(f"{row}: {cell}" for row, cell in cells.items())


def same_columns(claim: TableClaim) -> Iterator[str]:
    """Find rows in which columns are not the same."""
    for row, cells in claim.table.rows.items():
        values = [cells[column] for column in claim.about["columns"]]
        if len(set(values)) > 1:
            yield f"{row}: {', '.join(values)}"


def ordered_columns(claim: TableClaim) -> Iterator[str]:
    """Find rows in which a column is below the next."""
    for row, cells in claim.table.rows.items():
        values = [cells[column] for column in claim.about["columns"]]
        if any(float(left) < float(right) for left, right in pairwise(values)):
            yield f"{row}: {', '.join(values)}"


def ordered_rows(claim: TableClaim) -> Iterator[str]:
    """Find columns in which a row is not above the next."""
    rows = claim.about["rows"]
    for column in claim.about["columns"]:
        cells = [claim.table.rows[row][column] for row in rows]
        if any(float(above) <= float(below) for above, below in pairwise(cells)):
            label = metric_label(column.partition(".")[0])
            numbers = [f"{row} {cell}" for row, cell in zip(rows, cells, strict=True)]
            yield f"{label} of {', '.join(numbers)}"
