"""Claims on numbers that a paper prints of corpora."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from corefkit.lab.papers.values import NOT_PRINTED
from corefkit.lab.reproduce.scores import metric_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.lab.reproduce.claims.case import TableCase


def highest(case: TableCase) -> Iterator[str]:
    """Find where a column is highest, if not where it is claimed to be."""
    yield from _extreme(case, sign=1)


def lowest_row(case: TableCase) -> Iterator[str]:
    """Find where a column is lowest, if not where it is claimed to be."""
    yield from _extreme(case, sign=-1)


def _extreme(case: TableCase, *, sign: int) -> Iterator[str]:
    cells = {row: cells[case.about["column"]] for row, cells in case.table.rows.items()}
    values = {
        row: sign * float(cell) for row, cell in cells.items() if cell != NOT_PRINTED
    }
    best = [row for row, value in values.items() if value == max(values.values())]
    if best != case.about["rows"]:
        yield ", ".join(f"{row}: {cells[row]}" for row in best)


def same_rows(case: TableCase) -> Iterator[str]:
    """Find the numbers of a column, if they are not all the same."""
    column = case.about["column"]
    cells = {row: cells[column] for row, cells in case.table.rows.items()}
    if len(set(cells.values())) > 1:
        yield ", ".join(f"{row}: {cell}" for row, cell in cells.items())


def same_columns(case: TableCase) -> Iterator[str]:
    """Find rows in which columns are not the same."""
    for row, cells in case.table.rows.items():
        values = [cells[column] for column in case.about["columns"]]
        if len(set(values)) > 1:
            yield f"{row}: {', '.join(values)}"


def ordered_columns(case: TableCase) -> Iterator[str]:
    """Find rows in which a column is below the next."""
    for row, cells in case.table.rows.items():
        values = [cells[column] for column in case.about["columns"]]
        if any(float(one) < float(other) for one, other in pairwise(values)):
            yield f"{row}: {', '.join(values)}"


def ordered_rows(case: TableCase) -> Iterator[str]:
    """Find columns in which a row is not above the next."""
    rows = case.about["rows"]
    for column in case.about["columns"]:
        cells = [case.table.rows[row][column] for row in rows]
        if any(float(one) <= float(other) for one, other in pairwise(cells)):
            label = metric_label(column.partition(".")[0])
            told = [f"{row} {cell}" for row, cell in zip(rows, cells, strict=True)]
            yield f"{label} of {', '.join(told)}"
