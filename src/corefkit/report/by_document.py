"""Scores of every document: of one response all metrics, of several one number each.

Several responses stand side by side, a column each: the metric that they are sorted by,
or else CoNLL where it was computed, or else a grid for each metric. Where there are
more columns than fit, they are headed by numbers, which the names of responses begin
with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report.grids import Cell, Column, Grid
from corefkit.report.ranking import BY_NAME, Order
from corefkit.report.scores import (
    CONLL_LABEL,
    MOST_SIDE_BY_SIDE,
    NAMES,
    SPACING,
    number_cell,
    short_label,
    which_number,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.evaluation import DocumentScores
    from corefkit.report.stored import Scored

_MEAN = Order("conll")


def numbered(names: Sequence[str]) -> list[str]:
    """Number names where there are too many for all to head columns.

    >>> numbered(["a", "b"]), numbered(["a", "b", "c", "d"])
    (['a', 'b'], ['1. a', '2. b', '3. c', '4. d'])
    """
    if len(names) <= MOST_SIDE_BY_SIDE or all(map(_number_of, names)):
        return list(names)
    return [f"{number}. {name}" for number, name in enumerate(names, start=1)]


def name_column(name: str) -> Column:
    """Head a column with a name, or where there is little room with its number."""
    return Column(name, short=_number_of(name), is_name=True)


def document_grids(
    results: Sequence[Scored], names: Sequence[str], order: Order | None
) -> list[Grid]:
    """Set the scores of every document out, where results have them."""
    shown = [
        (result, name)
        for result, name in zip(results, names, strict=True)
        if result.per_document
    ]
    if len(results) == 1 or not shown:
        return [_of_one(result, name) for result, name in shown]
    return [_of_several(shown, one) for one in _orders(results, order)]


def _of_one(result: Scored, name: str) -> Grid:
    """Set all metrics of one response out, a column each, and CoNLL."""
    labels = result.labels
    heads = [Column(label, short=short_label(label)) for label in labels.values()]
    if result.conll is not None:
        heads.append(Column(CONLL_LABEL))
    caption = f"{which_number([result])} by document"
    return Grid(
        (NAMES, *heads),
        tuple(
            (
                Cell(row.document),
                *map(number_cell, map(row.scores.get, labels)),
                *([_cell(row, _MEAN)] if result.conll is not None else []),
            )
            for row in result.per_document
        ),
        f"{caption}, {name}" if name else caption,
        first="names",
        spacing=SPACING,
    )


def _orders(results: Sequence[Scored], order: Order | None) -> list[Order]:
    """Choose the numbers that responses are set side by side by."""
    if order is not None and order.metric != BY_NAME:
        return [order]
    if any(result.conll is not None for result in results):
        return [_MEAN]
    metrics = dict.fromkeys(name for result in results for name in result.scores)
    return [Order(name) for name in metrics]


def _of_several(shown: Sequence[tuple[Scored, str]], order: Order) -> Grid:
    """Set one number of several responses out, a column each."""
    rows = [{row.document: row for row in result.per_document} for result, _ in shown]
    documents = dict.fromkeys(document for column in rows for document in column)
    heads = [name_column(name) for _, name in shown]
    return Grid(
        (NAMES, *heads),
        tuple(
            (
                Cell(document),
                *(_cell(column.get(document), order) for column in rows),
            )
            for document in documents
        ),
        f"{_caption(shown, order)} by document",
        first="names",
        spacing=SPACING,
    )


def _caption(shown: Sequence[tuple[Scored, str]], order: Order) -> str:
    """Name the metric, and which number of it stands there."""
    results = [result for result, _ in shown]
    label = order.label(results)
    if order.part or order == _MEAN:
        return label
    scores = [order.score(result) for result in results]
    valued = any(score is not None and score.value is not None for score in scores)
    return label if valued else f"{label} F1"


def _number_of(name: str) -> str:
    number, point, _ = name.partition(". ")
    return f"{number}." if point and number.isdecimal() else ""


def _cell(row: DocumentScores | None, order: Order) -> Cell:
    return number_cell(None if row is None else order.score(row), order.part)
