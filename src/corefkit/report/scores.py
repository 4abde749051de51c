"""Scores for people: grids and notes, which any writer of pages takes.

One response, and up to three side by side, show recall, precision and F1 of each
metric, and its value where it has one. More responses have one number for each metric,
its value or F1: a row for each response, or where there are many metrics a column. A
metric that a result lacks leaves its cells empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from corefkit.report.names import names_of
from corefkit.report.page import Cell, Column, Grid, Note, Spacing, columns
from corefkit.settings import DEFAULT_SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.evaluation import Scored
    from corefkit.metrics.base import Score
    from corefkit.report.page import Part

MOST_SIDE_BY_SIDE = 3
MOST_ACROSS = 9  # metrics, where they are more than the responses
PARTS = ("Recall", "Precision", "F1")
SPACING = Spacing(marks=1)  # alike whether scores are undefined or not
_SHORT = {"Recall": "R", "Precision": "P"}
_VALUE = "Value"
_CONLL = "CoNLL"
_UNDEFINED = "* undefined (nothing to divide by), counted as 0"


class ScoreWriter(Protocol):
    """Writes results as text."""

    def __call__(
        self, results: Sequence[Scored], /, *, per_document: bool = ...
    ) -> str:
        """Write the scores, and those of every document where asked for."""
        ...


class _Shown(NamedTuple):
    """What is shown of a result, each part computed once."""

    name: str
    scores: Mapping[str, Score]
    labels: Mapping[str, str]
    conll: float | None


def scores_as(write: Callable[[Iterable[Part]], str]) -> ScoreWriter:
    """Make a writer of scores from a writer of pages."""

    def write_scores(results: Sequence[Scored], *, per_document: bool = False) -> str:
        return write(score_page(results, per_document=per_document))

    return write_scores


def score_page(results: Sequence[Scored], *, per_document: bool = False) -> list[Part]:
    """Set scores out in grids, those of every document below, and say what they are.

    Args:
        results: one result for each response.
        per_document: show every document too.
    """
    names = [""] if len(results) == 1 else response_names(results)
    shown = [
        _Shown(name, result.scores, result.labels, result.conll)
        for name, result in zip(names, results, strict=True)
    ]
    grids = [_main_grid(shown)]
    if per_document:
        by_document = map(_documents, shown, results)
        grids += [grid for grid in by_document if grid.rows]
    return [*grids, *_notes(results, grids), *_signatures(results, names)]


def response_names(results: Sequence[Scored]) -> list[str]:
    """Name each response, by its file name if that is enough."""
    return names_of([result.response for result in results])


def _main_grid(shown: Sequence[_Shown]) -> Grid:
    labels = {name: label for one in shown for name, label in one.labels.items()}
    if len(shown) <= MOST_SIDE_BY_SIDE:
        return _side_by_side(shown, labels)
    numbers = [[*_numbers(one, labels)] for one in shown]
    if any(one.conll is not None for one in shown):
        labels["conll"] = _CONLL
        numbers = [
            [*row, _percent(one.conll)] for one, row in zip(shown, numbers, strict=True)
        ]
    caption = _one_number(shown)
    if len(labels) > MOST_ACROSS and len(labels) > len(shown):
        heads = [Column(one.name, is_name=True) for one in shown]
        rows = zip(map(Cell, labels.values()), *numbers, strict=True)
        return Grid((*columns([""]), *heads), tuple(rows), caption, spacing=SPACING)
    return Grid(
        _metric_columns(labels),
        tuple((Cell(one.name), *row) for one, row in zip(shown, numbers, strict=True)),
        caption,
        first="names",
        spacing=SPACING,
    )


def _side_by_side(shown: Sequence[_Shown], labels: Mapping[str, str]) -> Grid:
    """Set recall, precision and F1 out, the columns of a response under its name."""
    parts = (*PARTS, _VALUE) if any(map(_has_values, shown)) else PARTS
    rows = [
        (
            Cell(label),
            *(cell for one in shown for cell in _cells(one.scores.get(name), parts)),
        )
        for name, label in labels.items()
    ]
    if any(one.conll is not None for one in shown):
        means = [
            _percent(one.conll if part == "F1" else None)
            for one in shown
            for part in parts
        ]
        rows.append((Cell(_CONLL), *means))
    heads = [
        Column(part, group=one.name, short=_SHORT.get(part, part))
        for one in shown
        for part in parts
    ]
    return Grid((*columns([""]), *heads), tuple(rows), spacing=SPACING)


def _documents(shown: _Shown, result: Scored) -> Grid:
    caption = f"{_one_number([shown])} by document"
    return Grid(
        _metric_columns(shown.labels),
        tuple(
            (Cell(row.document), *map(_one_cell, map(row.scores.get, shown.labels)))
            for row in result.per_document
        ),
        f"{caption}, {shown.name}" if shown.name else caption,
        first="names",
        spacing=SPACING,
    )


def _metric_columns(labels: Mapping[str, str]) -> tuple[Column, ...]:
    heads = [Column(label, short=_short_label(label)) for label in labels.values()]
    return (*columns([""]), *heads)


def _short_label(label: str) -> str:
    """Leave out of a label what it has in brackets.

    >>> _short_label("CEAFm (φ3)")
    'CEAFm'
    """
    return label.partition(" (")[0]


def _has_values(shown: _Shown) -> bool:
    return any(score.value is not None for score in shown.scores.values())


def _one_number(shown: Sequence[_Shown]) -> str:
    """Say which number stands for a metric that has room for one."""
    valued = {
        label: None
        for one in shown
        for name, label in one.labels.items()
        if one.scores[name].value is not None
    }
    return f"F1, of {', '.join(valued)} the value" if valued else "F1"


def _numbers(shown: _Shown, labels: Mapping[str, str]) -> Iterator[Cell]:
    return (_one_cell(shown.scores.get(name)) for name in labels)


def _one_cell(score: Score | None) -> Cell:
    has_value = score is not None and score.value is not None
    return _cells(score, [_VALUE if has_value else "F1"])[0]


def _cells(score: Score | None, parts: Sequence[str]) -> list[Cell]:
    if score is None:
        return [Cell("")] * len(parts)
    # F1 is made of both; a value is divided by what recall is divided by.
    undefined = set(score.undefined)
    if {"recall", "precision"} <= undefined:
        undefined.add("f1")
    if "recall" in undefined:
        undefined.add("value")
    return [
        _percent(getattr(score, name), "*" if name in undefined else "")
        for name in map(str.lower, parts)
    ]


def _percent(share: float | None, mark: str = "") -> Cell:
    return Cell("") if share is None else Cell(f"{100 * share:.2f}", mark)


def _notes(results: Sequence[Scored], grids: Sequence[Grid]) -> Iterator[Note]:
    if any(cell.mark for grid in grids for row in grid.rows for cell in row):
        yield Note(_UNDEFINED)
    counts = [*dict.fromkeys(result.document_count for result in results)]
    documents = (
        f"{' or '.join(map(str, counts))} document{'s' if counts != [1] else ''}"
    )
    yield Note(", ".join([documents, *_averages(results), "in percent"]))


def _averages(results: Sequence[Scored]) -> list[str]:
    """Say how documents were averaged, unless it is not known of a result."""
    averages: dict[str, None] = {}
    for result in results:
        if result.changed is None:
            return []
        averages[result.changed.get("average", DEFAULT_SETTINGS.average)] = None
    return [" or ".join(f"{average}-averaged" for average in averages)]


def _signatures(results: Sequence[Scored], names: Sequence[str]) -> list[Note]:
    """Give the signature of all, or each with the results that have it."""
    of: dict[str, list[str]] = {}
    for name, result in zip(names, results, strict=True):
        of.setdefault(result.signature, []).append(name)
    if len(of) == 1:
        return [Note(signature, is_code=True) for signature in of]
    return [
        Note(f"{', '.join(names)}: {signature}", is_code=True)
        for signature, names in of.items()
    ]
