"""Errors of every document: of one response by kind, of several one number each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report.by_document import name_column
from corefkit.report.errors.ordering import count_label, counts_errors, error_count
from corefkit.report.errors.tables import ALL, kind_column
from corefkit.report.grids import Column, Grid, cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.analysis.errors.analysis import SystemErrors
    from corefkit.report.ranking import Order

_ALL_KINDS = "errors"
_DOCUMENTS = Column("", "left")


def document_grid(
    systems: Sequence[SystemErrors], names: Sequence[str], order: Order | None
) -> Grid:
    """Count the errors of every document.

    Several systems are side by side, by the kind that they are sorted by, or else by
    all kinds.
    """
    if len(systems) == 1:
        return _of_one(*systems)
    name = order.metric if order is not None else _ALL_KINDS
    if not counts_errors(name):
        name = _ALL_KINDS
    counts = [
        {one.document: error_count(one.counts, name) for one in system.documents}
        for system in systems
    ]
    documents = dict.fromkeys(document for column in counts for document in column)
    rows = [
        [document, *(_written(column.get(document)) for column in counts)]
        for document in documents
    ]
    heads = (_DOCUMENTS, *map(name_column, names))
    caption = f"{count_label(name)} by document"
    return Grid(heads, cells(rows), caption, first="names")


def _written(count: int | None) -> str:
    return "" if count is None else f"{count:,}"


def _of_one(system: SystemErrors) -> Grid:
    kinds = [*system.counts]
    rows = []
    for one in system.documents:
        counts = [*(one.counts[kind] for kind in kinds), sum(one.counts.values())]
        rows.append([one.document, *map(_written, counts)])
    heads = (_DOCUMENTS, *map(kind_column, kinds), Column(ALL))
    return Grid(heads, cells(rows), "Errors by document", first="names")
