"""Scores for people: grids and notes, which any writer of pages takes.

One response, and up to three side by side, show recall, precision and F1 of each
metric, and its value where it has one. More responses have one number for each metric,
its value or F1: a row for each response, or where there are many metrics a column. A
metric that a result lacks leaves its cells empty.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Protocol

from corefkit.report.names import names_of
from corefkit.report.page import Cell, Column, Grid, Note, Spacing
from corefkit.report.records import has_values
from corefkit.settings import DEFAULT_SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.metrics.base import Score
    from corefkit.report.page import Part
    from corefkit.report.stored import Scored

MOST_SIDE_BY_SIDE = 3
MOST_ACROSS = 9  # metrics, where they are more than the responses
PARTS = ("Recall", "Precision", "F1")
SPACING = Spacing(marks=1)  # alike whether scores are undefined or not
_SHORT = {"Recall": "R", "Precision": "P"}
_VALUE = "Value"
_CONLL = "CoNLL"
_NAMES = Column("", "left")
_UNDEFINED = "* undefined (nothing to divide by), counted as 0"


class ScoreWriter(Protocol):
    """Writes results as text."""

    def __call__(
        self, results: Sequence[Scored], /, *, per_document: bool = ...
    ) -> str:
        """Write the scores, and those of every document where asked for."""
        ...


def scores_as(write: Callable[[Iterable[Part]], str]) -> ScoreWriter:
    """Make a writer of scores from a writer of pages."""

    def write_scores(results: Sequence[Scored], *, per_document: bool = False) -> str:
        return write(score_page(results, per_document=per_document))

    return write_scores


def score_page(results: Sequence[Scored], *, per_document: bool = False) -> list[Part]:
    """Set scores out in grids, those of every document below, and say what they are."""
    names = [""] if len(results) == 1 else response_names(results)
    grids = [_main_grid(results, names)]
    if per_document:
        named = zip(results, names, strict=True)
        grids += [_documents(*pair) for pair in named if pair[0].per_document]
    return [*grids, *_notes(results, grids), *_signatures(results, names)]


def response_names(results: Sequence[Scored]) -> list[str]:
    """Name each response, by its file name if that is enough."""
    return names_of([result.response for result in results])


def _main_grid(results: Sequence[Scored], names: Sequence[str]) -> Grid:
    labels: dict[str, str] = {}
    for result in results:
        labels.update(result.labels)
    if len(results) <= MOST_SIDE_BY_SIDE:
        return _side_by_side(results, names, labels)
    numbers = [
        [_number(result.scores.get(name)) for name in labels] for result in results
    ]
    if _has_conll(results):
        labels["conll"] = _CONLL
        for result, row in zip(results, numbers, strict=True):
            row.append(_percent(result.conll))
    caption = _which_number(results)
    if len(labels) > MOST_ACROSS and len(labels) > len(results):
        heads = [Column(name, is_name=True) for name in names]
        rows = zip(map(Cell, labels.values()), *numbers, strict=True)
        return Grid((_NAMES, *heads), tuple(rows), caption, spacing=SPACING)
    return Grid(
        _metric_columns(labels),
        tuple((Cell(name), *row) for name, row in zip(names, numbers, strict=True)),
        caption,
        first="names",
        spacing=SPACING,
    )


def _side_by_side(
    results: Sequence[Scored], names: Sequence[str], labels: Mapping[str, str]
) -> Grid:
    """Set recall, precision and F1 out, the columns of a response under its name."""
    parts = (*PARTS, _VALUE) if has_values(results) else PARTS
    rows = []
    for name, label in labels.items():
        cells = [_cells(result.scores.get(name), parts) for result in results]
        rows.append((Cell(label), *chain.from_iterable(cells)))
    if _has_conll(results):
        means = [
            _percent(result.conll if part == "F1" else None)
            for result in results
            for part in parts
        ]
        rows.append((Cell(_CONLL), *means))
    heads = [
        Column(part, group=name, short=_SHORT.get(part, part))
        for name in names
        for part in parts
    ]
    return Grid((_NAMES, *heads), tuple(rows), spacing=SPACING)


def _has_conll(results: Sequence[Scored]) -> bool:
    return any(result.conll is not None for result in results)


def _documents(result: Scored, name: str) -> Grid:
    labels = result.labels
    caption = f"{_which_number([result])} by document"
    return Grid(
        _metric_columns(labels),
        tuple(
            (Cell(row.document), *map(_number, map(row.scores.get, labels)))
            for row in result.per_document
        ),
        f"{caption}, {name}" if name else caption,
        first="names",
        spacing=SPACING,
    )


def _metric_columns(labels: Mapping[str, str]) -> tuple[Column, ...]:
    heads = [Column(label, short=_short_label(label)) for label in labels.values()]
    return (_NAMES, *heads)


def _short_label(label: str) -> str:
    """Leave out of a label what it has in brackets.

    >>> _short_label("CEAFm (φ3)")
    'CEAFm'
    """
    return label.partition(" (")[0]


def _which_number(results: Sequence[Scored]) -> str:
    """Say which number stands for a metric that has room for one."""
    valued = {
        label: None
        for result in results
        for name, label in result.labels.items()
        if result.scores[name].value is not None
    }
    return f"F1, of {', '.join(valued)} the value" if valued else "F1"


def _number(score: Score | None) -> Cell:
    has_value = score is not None and score.value is not None
    return _cells(score, [_VALUE if has_value else "F1"])[0]


def _cells(score: Score | None, parts: Sequence[str]) -> list[Cell]:
    if score is None:
        return [Cell("")] * len(parts)
    undefined = undefined_fields(score)
    return [
        _percent(getattr(score, name), "*" if name in undefined else "")
        for name in map(str.lower, parts)
    ]


def undefined_fields(score: Score) -> set[str]:
    """Name the numbers of a score that have nothing to divide by."""
    fields = set(score.undefined)
    # F1 is made of both; a value is divided by what recall is divided by.
    if fields >= {"recall", "precision"}:
        fields.add("f1")
    return fields | {"value"} if "recall" in fields else fields


def _percent(share: float | None, mark: str = "") -> Cell:
    return Cell("") if share is None else Cell(f"{100 * share:.2f}", mark)


def _notes(results: Sequence[Scored], grids: Sequence[Grid]) -> Iterator[Note]:
    if any(cell.mark for grid in grids for row in grid.rows for cell in row):
        yield Note(_UNDEFINED)
    counts = [*dict.fromkeys(result.document_count for result in results)]
    plural = "" if counts == [1] else "s"
    documents = f"{' or '.join(map(str, counts))} document{plural}"
    yield Note(", ".join([documents, *_averages(results), "in percent"]))


def _averages(results: Sequence[Scored]) -> list[str]:
    """Say how documents were averaged, unless it is not known of a result."""
    averages: dict[str, None] = {}
    for result in results:
        if result.changed is None:
            return []
        averages[result.changed.get("average", DEFAULT_SETTINGS.average)] = None
    return [" or ".join(f"{average}-averaged" for average in averages)]


def _signatures(results: Sequence[Scored], names: Sequence[str]) -> Iterator[Note]:
    """Name the signature of all, or each with the results that have it."""
    named: dict[str, list[str]] = {}
    for result, name in zip(results, names, strict=True):
        named.setdefault(result.signature, []).append(name)
    for signature, of_signature in named.items():
        before = f"{', '.join(of_signature)}: " if len(named) > 1 else ""
        yield Note(f"{before}{signature}", is_code=True)
