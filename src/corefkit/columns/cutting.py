"""What is known of some documents, cut out of what is known of a whole file.

`columns.details` declares what each array has a row for, and what the numbers in it
count; the cuts follow from that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from corefkit.columns import stretches
from corefkit.columns.details import DECLARED, Details, Empties, shifted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.columns import Columns, Ints

    # For all that there are rows for: where those of each document begin, and finally
    # how many there are.
    Bounds: TypeAlias = Mapping[str, Ints]

_Kind = TypeVar("_Kind", Details, Empties)


def row_bounds(columns: Columns) -> Bounds:
    """Find the bounds of everything that columns have rows for, in document order.

    >>> from corefkit.columns import empty_columns
    >>> row_bounds(empty_columns(2))["mention"].tolist()
    [0, 0, 0]
    """
    document = {
        "document": np.arange(columns.documents),
        "entity": columns.entity_document,
        "mention": columns.document,
    }
    details = columns.details
    for value in (details, details and details.empties):
        for declared in () if value is None else DECLARED[type(value)]:
            if declared.rows not in document:
                # The first number of a row tells its document.
                numbers = getattr(value, declared.name)
                first = numbers if numbers.ndim == 1 else numbers[:, 0]
                document[declared.rows] = document[declared.counts[0]][first]
    numbers = np.arange(columns.documents + 1)
    return {name: np.searchsorted(row, numbers) for name, row in document.items()}


def cut_details(details: Details, bounds: Bounds, documents: Ints) -> Details:
    """Cut out what is known of some documents, in the order asked for."""
    cut = _cut(details, bounds, documents)
    if details.empties is None:
        return cut
    empties = _cut(details.empties, bounds, documents)
    return replace(cut, empties=empties if len(empties.token) else None)


def _cut(value: _Kind, bounds: Bounds, documents: Ints) -> _Kind:
    first = {name: row[documents] for name, row in bounds.items()}
    size = {name: row[documents + 1] - first[name] for name, row in bounds.items()}
    # How far the numbers of each document move.
    move = {name: np.cumsum(size[name]) - size[name] - first[name] for name in first}
    cut: dict[str, Any] = {}
    for declared in DECLARED[type(value)]:
        many = size[declared.rows]
        rows = getattr(value, declared.name)[stretches(first[declared.rows], many)]
        if declared.counts:
            moves = [np.repeat(move[name], many) for name in declared.counts]
            rows = shifted(rows, moves[0] if rows.ndim == 1 else np.stack(moves, 1))
        cut[declared.name] = rows
    return type(value)(**cut)
