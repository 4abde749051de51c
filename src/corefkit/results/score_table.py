"""Tables of scores, their order, and the writers of all formats.

One response, and up to three side by side, show recall, precision and F1 of each
metric, and its value if it has one. More responses, and ranked responses, show a single
number for each metric, its value or F1: a row for each response, or a column if there
are many metrics. Cells of metrics that a result lacks are empty. Responses that could
not be scored come last with dashes and a note.

Tables by document have a column for each response: the metric that they are sorted by,
or CoNLL if it was computed, otherwise a table for each metric.

The layout `paper` is the table of coreference papers: a row for each response, and
recall, precision and F1 under the metrics that CoNLL averages.

Ranks are competition ranks: 1, 2, 2, 4. A rank is one more than the number of results
that score higher; differences may be due to chance, which `corefkit compare` tests.

A new format is a function and a row in `WRITERS`.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import asdict, dataclass, replace
from itertools import chain
from math import inf, isnan
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from corefkit.classes import sort_classes
from corefkit.corpus import differences
from corefkit.exceptions import Refused, SettingsError
from corefkit.metrics.metric import LazyImport, list_undefined
from corefkit.metrics.registry import (
    CONLL,
    find_metrics,
    get_label,
    list_default_metrics,
)
from corefkit.metrics.scores import DocumentScores
from corefkit.settings import DEFAULT_SETTINGS, SETTINGS, check_known
from corefkit.strings import escape_terminal, format_count, suggest
from corefkit.tables.model import (
    Bullet,
    Bullets,
    Cell,
    Column,
    Emphasis,
    Note,
    Table,
    mark_highest,
)
from corefkit.tables.terminal import label_paths, render_terminal, strip_suffixes

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from corefkit.metrics.metric import Score
    from corefkit.results.stored_results import Scored
    from corefkit.tables.model import Part

BY_NAME = "name"
LAYOUTS = ("full", "paper")
MAX_SIDE_BY_SIDE = 3  # responses
_MAX_RATIOS = 4  # metrics with recall and precision in tables by class
_RATIO_CAPTION = "Recall (R), precision (P) and F1"
_MENTIONS = "mentions"
MAX_METRIC_COLUMNS = 9  # if there are fewer responses than metrics
CONLL_LABEL = "CoNLL"
REJECTED = "-"  # in cells of responses that could not be scored
_CONLL_MEAN = "conll"
_PARTS = ("recall", "precision", "f1", "value")
_PART_LABELS = {"f1": "F1"}
_RATIOS = ("Recall", "Precision", "F1")
_F1_COLUMN = 2
_VALUE = "Value"
_SHORT_HEADS = {"Recall": "R", "Precision": "P"}
_MARK_WIDTH = 1  # reserved even if no score is undefined
_NAMES = Column("", "left")
_NO_COUNTS: Mapping[str, str] = MappingProxyType({})
_TIE = 1e-9  # rounding errors of equal scores
MAX_LISTED = 3  # names in a warning
_UNDEFINED = "* undefined (nothing to divide by), counted as 0"
_UNDEFINED_IN_MEANS = {"one": "in the mean as 1", "skip": "left out of the mean"}
_NO_TEST = "corefkit compare tests which differences are more than chance"


@dataclass(frozen=True, slots=True)
class Order:
    """An order of results: by a number of a metric, or by name."""

    metric: str  # or `conll`, a number of errors (`errors.divided`), or `name`
    part: str = ""  # `recall`, `precision`, `f1`, `value`; empty for the one in tables

    def __str__(self) -> str:
        """Return the argument of `--sort`."""
        return f"{self.metric}.{self.part}" if self.part else self.metric

    def label(self, results: Iterable[Scored] = ()) -> str:
        """Return its name in tables; results have the labels of users' own metrics.

        >>> Order("b_cubed").label(), Order("muc", "recall").label()
        ('B³', 'MUC recall')
        """
        label = _merge_labels(results).get(self.metric) or get_label(self.metric)
        return f"{label} {_PART_LABELS.get(self.part, self.part)}".rstrip()

    def score(self, scored: Scored | DocumentScores) -> Score | None:
        """Return the score of a response or document, if it has it."""
        scores = DocumentScores("", scored.scores)
        if self.metric not in scores:
            return None
        return scores[self.metric]

    def number(self, scored: Scored | DocumentScores) -> float | None:
        """Return the number of a response or document, if it has it."""
        if self.metric == _CONLL_MEAN and self.part in ("", "f1"):
            return scored.conll
        score = self.score(scored)
        if score is None:
            return None
        if self.part == "" and score.value is None:
            return score.f1
        number: float | None = getattr(score, self.part or "value")
        return number


class Ranking(NamedTuple):
    """An order of results, and their ranks, if they have any."""

    order: Order
    ranks: tuple[int | None, ...]  # None for a result without the score


def parse_order(
    text: str,
    metrics: Collection[str],
    *,
    counts: Mapping[str, str] = _NO_COUNTS,
    option: str = "--metric",
) -> Order:
    """Parse an order: a metric, optionally with `.recall` or the like, or `name`."""
    if text == BY_NAME or text in metrics:
        return Order(text)
    normalized = text.strip().lower().replace("-", "_")
    if normalized in counts:
        name, part = counts[normalized], ""
    else:
        name, part = _split_order(text, metrics, counts)
    required = CONLL if name == _CONLL_MEAN else (name,)
    if name not in metrics and not set(required) <= set(metrics):
        message = f"cannot sort by {name!r}, which is not computed"
        hint = f"computed are {', '.join(metrics)}; {option} names others"
        raise SettingsError(message, code="settings/invalid-order", hint=hint)
    return Order(name, part)


def _split_order(
    text: str, metrics: Collection[str], counts: Mapping[str, str]
) -> tuple[str, str]:
    """Split an order into the name of a metric and the part of its score."""
    name, point, part = text.rpartition(".")
    if not point:
        name, part = text, ""
    if point and part not in _PARTS and name not in counts:
        message = f"unknown number {part!r} of {name!r} to sort by"
        raise SettingsError(
            message, code="settings/invalid-order", hint=suggest(part, _PARTS)
        )
    if name in metrics and name not in counts:
        return name, part
    try:
        names = [metric.name for metric in find_metrics([name])]
    except SettingsError:
        if not counts:
            raise
        message = f"cannot sort by {text!r}"
        words = [word for word, name in counts.items() if name in metrics]
        hint = suggest(text, [*dict.fromkeys([BY_NAME, *metrics, *words])])
        raise SettingsError(message, code="settings/invalid-order", hint=hint) from None
    # `conll` selects three metrics.
    return (names[0] if len(names) == 1 else _CONLL_MEAN), part


def order_best_first(
    numbers: Sequence[float | None], *, is_count: bool = False
) -> list[int]:
    """Return the indices of numbers, best first; of counts, the fewest first.

    Equal numbers keep their order; unknown ones come last.
    """
    sign = 1 if is_count else -1
    keys = [
        inf if number is None or isnan(number) else sign * number for number in numbers
    ]
    return sorted(range(len(keys)), key=keys.__getitem__)


def order_by_name(responses: Sequence[str]) -> list[int]:
    """Return the indices of responses in the order of their names.

    Suffixes of files, which some tables leave out, are compared last.
    """
    from pathlib import PurePath

    # Labels of duplicate files would begin with a number.
    distinct = list(dict.fromkeys(responses))
    labels = dict(zip(distinct, label_paths(distinct), strict=True))
    keys = [
        (labels[response].removesuffix(PurePath(response).suffix), labels[response])
        for response in responses
    ]
    return sorted(range(len(keys)), key=keys.__getitem__)


def rank_results(
    results: Sequence[Scored], order: Order
) -> tuple[list[Scored], Ranking]:
    """Sort results, best first, and rank them; results sorted by name have no ranks.

    Results without the score come last. Those with equal scores have the same rank, and
    keep their order.
    """
    if order.metric == BY_NAME:
        rows = order_by_name([result.response for result in results])
        return [results[row] for row in rows], Ranking(order, (None,) * len(rows))
    numbers = [order.number(result) for result in results]
    if results and all(number is None for number in numbers):
        message = f"cannot sort by '{order}', which no response has"
        hint = "only some metrics have a value, such as ace_value and alpha"
        raise SettingsError(message, code="settings/invalid-order", hint=hint)
    scores = [-inf if number is None else number for number in numbers]
    rows = order_best_first(numbers)
    ranks: list[int | None] = []
    first = 0  # of the results that have the same rank
    for position, row in enumerate(rows):
        if scores[rows[first]] - scores[row] > _TIE:
            first = position
        ranks.append(None if numbers[row] is None else first + 1)
    return [results[row] for row in rows], Ranking(order, tuple(ranks))


# Writes results as text, with the options of `build_score_page`.
ScoreWriter: TypeAlias = "Callable[..., str]"


def make_score_writer(write: Callable[[Iterable[Part]], str]) -> ScoreWriter:
    return lambda results, **options: write(build_score_page(results, **options))


def build_score_page(
    results: Sequence[Scored],
    *,
    per_document: bool = False,
    ranking: Ranking | None = None,
    refused: Sequence[Refused] = (),
    layout: str = "full",
    runs: Mapping[str, Sequence[Scored]] | None = None,
) -> list[Part]:
    """Build the page of scores: tables, and notes that explain them."""
    is_single = len(results) + len(refused) == 1
    names = [""] if is_single else label_responses([*results, *refused])
    if ranking is not None and (is_single or not any(ranking.ranks)):
        ranking = None
    tables: list[Table] = []
    if per_document or any(result.class_counts is not None for result in results):
        names = number_names(names)
        scored = results, names[: len(results)], ranking and ranking.order
        tables += build_class_tables(*scored)
        if per_document:
            tables += build_document_tables(*scored)
    build = _build_paper_table if layout == "paper" else _build_main_table
    tables = [build(results, names, ranking, missing=len(refused)), *tables]
    if runs:
        from corefkit.results.run_averages import build_average_table

        tables.append(build_average_table(runs))
    parts: list[Part] = [*tables]
    if refused:
        total = format_count(len(names), "submission")
        parts.insert(0, Note(f"{total}, {len(refused):,} rejected"))
    for response, name in zip(refused, names[len(results) :], strict=True):
        # Most reasons begin with the name of the response.
        is_named = response.reason.startswith(response.response) or not name
        label = "" if is_named else f"{name}: "
        parts.append(Note(f"{REJECTED} not scored: {label}{response.reason}"))
    parts += _describe_scores(results, tables)
    if ranking is not None:
        label = ranking.order.label(results)
        parts.append(Note(f"ranked by {label}; {_NO_TEST}"))
    responses: dict[str, list[str]] = {}
    for result, name in zip(results, names, strict=False):
        responses.setdefault(result.signature, []).append(name)
    for signature, labels in responses.items():
        prefix = f"{', '.join(labels)}: " if len(responses) > 1 else ""
        parts.append(Note(f"{prefix}{signature}", is_code=True))
    return [*parts, *_list_class_signatures(results)]


def label_responses(results: Sequence[Scored | Refused]) -> list[str]:
    """Return short and unique labels of responses."""
    return label_paths([result.response for result in results])


def has_values(results: Sequence[Scored]) -> bool:
    """Return whether a metric of any result has a value in addition to F1."""
    scores = (score for result in results for score in result.scores.values())
    return any(score.value is not None for score in scores)


def _has_conll(results: Sequence[Scored]) -> bool:
    return any(result.conll is not None for result in results)


def _merge_labels(results: Iterable[Scored]) -> dict[str, str]:
    return {name: label for result in results for name, label in result.labels.items()}


def _build_main_table(
    results: Sequence[Scored],
    names: Sequence[str],
    ranking: Ranking | None,
    *,
    missing: int,
) -> Table:
    labels = _merge_labels(results)
    if len(names) <= MAX_SIDE_BY_SIDE and ranking is None:
        return _build_side_by_side_table(results, names, labels, missing=missing)
    rows = [
        [make_score_cell(result.scores.get(name)) for name in labels]
        for result in results
    ]
    heads = [Column(label, short=shorten_label(label)) for label in labels.values()]
    if _has_conll(results):
        heads.append(Column(CONLL_LABEL))
        for result, row in zip(results, rows, strict=True):
            row.append(make_percent_cell(result.conll))
    rows = mark_highest(rows)
    if ranking is not None:
        rank_columns = _make_rank_columns(results, ranking)
        heads = [Column(head) for head in rank_columns] + heads
        rank_rows = zip(*rank_columns.values(), strict=True)
        rows = [[*ranks, *row] for ranks, row in zip(rank_rows, rows, strict=True)]
    rows += [[Cell(REJECTED)] * len(heads)] * missing
    caption = name_statistic(results)
    if len(heads) > MAX_METRIC_COLUMNS and len(heads) > len(names):
        columns = [Column(name, is_name=True) for name in names]
        labels_first = zip([Cell(column.head) for column in heads], *rows, strict=True)
        return Table(
            (_NAMES, *columns), tuple(labels_first), caption, mark_width=_MARK_WIDTH
        )
    return Table(
        (_NAMES, *heads),
        tuple((Cell(name), *row) for name, row in zip(names, rows, strict=True)),
        caption,
        first="names",
        mark_width=_MARK_WIDTH,
    )


def _make_rank_columns(
    results: Sequence[Scored], ranking: Ranking
) -> dict[str, Sequence[Cell]]:
    """Return the ranks, and their numbers, unless another column has these."""
    order, ranks = ranking
    columns: dict[str, Sequence[Cell]] = {
        "Rank": [Cell("" if rank is None else str(rank)) for rank in ranks]
    }
    scores = [order.score(result) for result in results]
    has_value = any(score is not None and score.value is not None for score in scores)
    if order.part not in ("", "value" if has_value else "f1"):
        columns[order.label(results)] = [
            make_score_cell(score, order.part) for score in scores
        ]
    return columns


def _build_side_by_side_table(
    results: Sequence[Scored],
    names: Sequence[str],
    labels: Mapping[str, str],
    *,
    missing: int,
) -> Table:
    parts = (*_RATIOS, _VALUE) if has_values(results) else _RATIOS
    dashes = [Cell(REJECTED)] * (len(parts) * missing)
    lines = [
        (label, [_make_cells(result.scores.get(name), parts) for result in results])
        for name, label in labels.items()
    ]
    if _has_conll(results):
        means = [[Cell("") for _ in parts] for _ in results]
        for result, cells in zip(results, means, strict=True):
            cells[_F1_COLUMN] = make_percent_cell(result.conll)
        lines.append((CONLL_LABEL, means))
    rows = [
        (
            Cell(label),
            *chain.from_iterable(mark_highest(cells, columns=(_F1_COLUMN,))),
            *dashes,
        )
        for label, cells in lines
    ]
    heads = [
        Column(part, group=name, short=_SHORT_HEADS.get(part, part))
        for name in names
        for part in parts
    ]
    return Table((_NAMES, *heads), tuple(rows), mark_width=_MARK_WIDTH)


def _build_paper_table(
    results: Sequence[Scored],
    names: Sequence[str],
    ranking: Ranking | None,
    *,
    missing: int,
) -> Table:
    del ranking  # the rows are sorted
    labels = _merge_labels(results)
    if [*labels] == [*list_default_metrics()]:
        labels = {name: labels[name] for name in CONLL}
    rows = []
    for result in results:
        row = [
            cell
            for name in labels
            for cell in _make_cells(result.scores.get(name), _RATIOS)
        ]
        rows.append([*row, make_percent_cell(result.conll)])
    rows = mark_highest(rows, emphasis=Emphasis.BEST)
    rows += [[Cell(REJECTED)] * (len(_RATIOS) * len(labels) + 1)] * missing
    heads = [
        Column(_SHORT_HEADS.get(part, part), group=shorten_label(label))
        for label in labels.values()
        for part in _RATIOS
    ]
    heads.append(Column("Avg. F1", group=CONLL_LABEL))
    if not _has_conll(results):
        heads.pop()
        rows = [row[:-1] for row in rows]
    systems = strip_suffixes(names if any(names) else label_responses(results))
    return Table(
        (Column("System", "left"), *heads),
        tuple((Cell(name), *row) for name, row in zip(systems, rows, strict=True)),
        "Recall (R), precision (P) and F1 in percent, best values in bold",
        first="names",
        gap=1 if len(heads) > MAX_METRIC_COLUMNS else 2,
    )


def shorten_label(label: str) -> str:
    """Drop the part of a label in parentheses."""
    return label.partition(" (")[0]


def name_statistic(results: Sequence[Scored]) -> str:
    """Name the number that represents a metric in a single column."""
    labels = {
        label: None
        for result in results
        for name, label in result.labels.items()
        if result.scores[name].value is not None
    }
    return f"F1, of {', '.join(labels)} the value" if labels else "F1"


def make_score_cell(score: Score | None, part: str = "") -> Cell:
    """Make the cell of a part of a score, by default its value or F1."""
    has_value = score is not None and score.value is not None
    return _make_cells(score, [part or (_VALUE if has_value else "F1")])[0]


def _make_cells(score: Score | None, parts: Sequence[str]) -> list[Cell]:
    if score is None:
        return [Cell("")] * len(parts)
    undefined = list_undefined(score) if score.undefined else ()
    return [
        make_percent_cell(getattr(score, name), "*" if name in undefined else "")
        for name in map(str.lower, parts)
    ]


def make_percent_cell(share: float | None, mark: str = "") -> Cell:
    """Make the cell of a share in percent; empty for None."""
    return Cell("") if share is None else Cell(f"{100 * share:.2f}", mark)


def _describe_scores(
    results: Sequence[Scored], tables: Sequence[Table]
) -> Iterator[Note]:
    if any(cell.mark for table in tables for row in table.rows for cell in row):
        changes = [result.changed or {} for result in results]
        # In means over documents, undefined scores need not count as 0.
        choices = {
            changed.get("undefined", "") for changed in changes if "average" in changed
        }
        texts = [text for name, text in _UNDEFINED_IN_MEANS.items() if name in choices]
        yield Note(", ".join([_UNDEFINED, *texts]))
    facts = [(result.document_count, result.changed) for result in results]
    counts = dict.fromkeys(count for count, _ in facts)
    plural = "" if [*counts] == [1] else "s"
    texts = [f"{' or '.join(map(str, counts))} document{plural}"]
    averages = [
        changed.get("average", DEFAULT_SETTINGS.average)
        for _, changed in facts
        if changed is not None
    ]
    if len(averages) == len(facts):  # all are known
        texts.append(
            " or ".join(f"{name}-averaged" for name in dict.fromkeys(averages))
        )
    yield Note(", ".join([*texts, "in percent"]))


def _list_class_signatures(results: Sequence[Scored]) -> Iterator[Note]:
    parts = [
        part
        for result in results
        if result.class_counts is not None
        for part in result.classes.values()
    ]
    for signature in dict.fromkeys(part.signature for part in parts):
        yield Note(f"by {parts[0].settings.by}: {signature}", is_code=True)


_CONLL_ORDER = Order(_CONLL_MEAN)


def number_names(names: Sequence[str]) -> list[str]:
    """Number names if there are too many for column heads."""
    if len(names) <= MAX_SIDE_BY_SIDE or all(map(_get_number, names)):
        return list(names)
    return [f"{number}. {name}" for number, name in enumerate(names, start=1)]


def make_name_column(name: str) -> Column:
    """Make a column with a name as head, or its number if there is little room."""
    return Column(name, short=_get_number(name), is_name=True)


def _get_number(name: str) -> str:
    number, point, _ = name.partition(". ")
    return f"{number}." if point and number.isdecimal() else ""


def build_document_tables(
    results: Sequence[Scored], names: Sequence[str], order: Order | None
) -> list[Table]:
    """Build the tables of scores by document, of results that have these."""
    columns = [
        (name, result, {row.document: row for row in result.per_document})
        for name, result in zip(names, results, strict=True)
        if result.per_document
    ]
    return _build_row_tables(columns, order, by="document", is_single=len(results) == 1)


def build_class_tables(
    results: Sequence[Scored], names: Sequence[str], order: Order | None
) -> list[Table]:
    """Build the tables of scores by class, with the number of mentions of the key."""
    columns = [
        (name, result, result.classes)
        for name, result in zip(names, results, strict=True)
        if result.classes
    ]
    if not columns:
        return []
    parts = [part for _, _, classes in columns for part in classes.values()]
    is_single = len(results) == 1
    values = list(dict.fromkeys(name for _, _, rows in columns for name in rows))
    values = sort_classes(parts[0].settings.by, values)
    return [
        _add_key_mentions(table, [classes for _, _, classes in columns])
        for table in _build_row_tables(
            columns, order, by=parts[0].settings.by, is_single=is_single, rows=values
        )
    ]


def _add_key_mentions(table: Table, systems: Sequence[Mapping[str, Scored]]) -> Table:
    """Add a column with the number of mentions of the key, if it is known."""
    numbers: dict[str, int] = {}
    for name, part in chain.from_iterable(classes.items() for classes in systems):
        if _MENTIONS in part.scores:
            numbers[name] = int(part.scores[_MENTIONS].recall_denominator)
    if not numbers:
        return table
    return replace(
        table,
        columns=(table.columns[0], Column("Key", short="Key"), *table.columns[1:]),
        rows=tuple(
            (row[0], Cell(f"{numbers.get(row[0].text, 0):,}"), *row[1:])
            for row in table.rows
        ),
    )


# The rows of a result: its documents, or its classes.
_Rows: TypeAlias = "Mapping[str, Scored | DocumentScores]"


def _build_row_tables(
    columns: Sequence[tuple[str, Scored, _Rows]],
    order: Order | None,
    *,
    by: str,
    is_single: bool,
    rows: Sequence[str] | None = None,
) -> list[Table]:
    """Build tables with a row for each document or class."""
    all_rows = [row for _, _, rows_of in columns for row in rows_of.values()]
    if is_single:
        return [
            _build_metric_columns(result, name, scored, by=by)
            for name, result, scored in columns
        ]
    metrics = dict.fromkeys(name for row in all_rows for name in row.scores)
    if order is not None and any(order.score(row) is not None for row in all_rows):
        orders = [order]
    elif any(row.conll is not None for row in all_rows):
        orders = [_CONLL_ORDER]
    else:
        orders = [Order(name) for name in metrics]
    tables = []
    for order in orders if columns else ():
        scored = [result for _, result, _ in columns]
        scores = [order.score(row) for row in all_rows]
        has_value = any(score and score.value is not None for score in scores)
        is_plain = order.part or has_value or order == _CONLL_ORDER
        label = order.label(scored) + ("" if is_plain else " F1")
        cells = [
            (make_name_column(name), rows_of, order) for name, _, rows_of in columns
        ]
        tables.append(_build_row_table(cells, f"{label} by {by}", rows))
    return tables


def _build_metric_columns(result: Scored, name: str, rows: _Rows, *, by: str) -> Table:
    """Build the table of one result: F1, and of a few metrics of classes all ratios."""
    metrics = dict.fromkeys(name for row in rows.values() for name in row.scores)
    labels = {name: result.labels[name] for name in metrics}
    has_ratios = rows is result.classes and len(labels) <= _MAX_RATIOS
    columns = [
        (Column(label, short=shorten_label(label)), rows, Order(metric))
        for metric, label in labels.items()
    ]
    if has_ratios:
        columns = [
            (
                Column(_SHORT_HEADS.get(part, part), group=label),
                rows,
                Order(metric, part.lower()),
            )
            for metric, label in labels.items()
            for part in _RATIOS
        ]
    if any(row.conll is not None for row in rows.values()):
        columns.append((Column(CONLL_LABEL), rows, _CONLL_ORDER))
    statistic = _RATIO_CAPTION if has_ratios else name_statistic([result])
    caption = f"{statistic} by {by}"
    return _build_row_table(columns, f"{caption}, {name}" if name else caption)


def _build_row_table(
    columns: Sequence[tuple[Column, _Rows, Order]],
    caption: str,
    names: Sequence[str] | None = None,
) -> Table:
    """Build a table with a row for each document or class, and scores in columns."""
    if names is None:
        names = list(dict.fromkeys(name for _, rows, _ in columns for name in rows))
    table_rows = []
    for name in names:
        cells = [Cell(name)]
        for _, rows, order in columns:
            row = rows.get(name)
            score = None if row is None else order.score(row)
            cells.append(make_score_cell(score, order.part))
        table_rows.append(tuple(cells))
    return Table(
        (_NAMES, *(column for column, _, _ in columns)),
        tuple(table_rows),
        caption,
        first="names",
        mark_width=_MARK_WIDTH,
        gap=1 if any(column.group for column, _, _ in columns) else 2,
    )


def list_refused(refused: Mapping[str, str], title: str, verb: str) -> list[Bullets]:
    """List rejected responses and the reasons; empty if there are none."""
    if not refused:
        return []
    items = map(Bullet, refused.values(), label_paths([*refused]))
    count = format_count(len(refused), "submission")
    return [Bullets(tuple(items), title, f"{count} that cannot be {verb}")]


_PAGE_WRITERS = {
    "table": make_score_writer(render_terminal),
    "markdown": make_score_writer(
        LazyImport("corefkit.tables.markdown", "render_markdown")
    ),
    "latex": make_score_writer(LazyImport("corefkit.tables.latex", "render_latex")),
}
WRITERS: Mapping[str, ScoreWriter] = {
    "table": _PAGE_WRITERS["table"],
    "json": LazyImport("corefkit.results.records", "render_json"),
    "csv": LazyImport("corefkit.results.records", "render_csv"),
    "markdown": _PAGE_WRITERS["markdown"],
    "latex": _PAGE_WRITERS["latex"],
    "reference": LazyImport("corefkit.results.reference_text", "render_reference_text"),
    "corefud": LazyImport("corefkit.results.corefud_text", "render_corefud_text"),
}
# Writers that yield a long text in pieces.
_ITERATORS: Mapping[str, Callable[..., Iterator[str]]] = {
    "json": LazyImport("corefkit.results.records", "iter_json"),
    "csv": LazyImport("corefkit.results.records", "iter_csv"),
}


def write_results(
    name: str, results: Sequence[Scored], **options: Any
) -> Iterator[str]:
    """Write results in a format of `WRITERS`, in pieces."""
    if "layout" in options:
        check_layout(name, options["layout"])
    if name in _ITERATORS:
        return _ITERATORS[name](results, **options)
    return iter([WRITERS[name](results, **options)])


def check_layout(format: str, layout: str) -> None:
    check_known(layout, LAYOUTS, f"unknown layout {layout!r}")
    if layout != LAYOUTS[0] and format not in _PAGE_WRITERS:
        message = f"layout {layout!r} does not apply to format {format!r}"
        hint = f"it is for {', '.join(_PAGE_WRITERS)}"
        raise SettingsError(message, code="settings/conflict", hint=hint)


def side_by_side(
    results: Iterable[Scored | Refused | str | os.PathLike[str]],
    *,
    format: str = "table",
    per_document: bool = False,
    sort: str | None = None,
) -> str:
    """Format results as one table; warn if they are not of one corpus.

    Args:
        results: evaluations, of one key or of several, paths of files written by
            `corefkit score --format json`, and results of `score_submissions`.
        format: as on the command line: `table`, `markdown`, `latex`, `csv` or `json`.
        per_document: whether to show every document too.
        sort: the metric to sort and rank by, such as `lea` or `muc.recall`; or `name`.

    A Python warning names results whose settings, texts, mentions or preprocessing
    differ from those of the first.

    >>> import corefkit
    >>> key = ["abc", "de"]
    >>> responses = (["ab"], key)
    >>> results = [corefkit.score(key, r, metrics="muc") for r in responses]
    >>> print(corefkit.side_by_side(results))  # doctest: +ELLIPSIS
                        1. response                   2. response
         Recall   Precision      F1   Recall   Precision       F1
    MUC   33.33      100.00   50.00   100.00      100.00   100.00
    ...
    """
    scored: list[Scored] = []
    options: dict[str, Any] = {}
    for result in results:
        if isinstance(result, str | os.PathLike):
            from corefkit.results.stored_results import read_stored

            scored += read_stored(result)
        elif isinstance(result, Refused):
            options.setdefault("refused", []).append(result)
        else:
            scored.append(result)
    check_known(format, WRITERS, f"unknown format {format!r}")
    if not scored:
        message = "there are no results to show"
        hint = "pass an evaluation, or a file with scores"
        raise SettingsError(message, code="input/no-response", hint=hint)
    if sort is not None:
        names = dict.fromkeys(name for result in scored for name in result.scores)
        scored, options["ranking"] = rank_results(scored, parse_order(sort, names))
    for caution in list_cautions(scored):
        warnings.warn(caution, stacklevel=2)
    return WRITERS[format](scored, per_document=per_document, **options)


def list_cautions(results: Sequence[Scored]) -> list[str]:
    """Name the results that are not comparable with the first, and the reasons."""
    if len(results) < 2:
        return []
    names = label_responses(results)
    responses: dict[str, list[str]] = {}
    for name, result in zip(names, results, strict=True):
        reasons = [
            *compare_settings(results[0], result),
            *differences(results[0].corpus, result.corpus),
        ]
        if reasons:
            responses.setdefault("; ".join(reasons), []).append(name)
    return [
        escape_terminal(
            f"{names[0]} is not comparable with {list_names(labels)}: {reasons}"
        )
        for reasons, labels in responses.items()
    ]


def compare_settings(first: Scored, second: Scored) -> list[str]:
    """Describe how the settings of two results differ.

    If the settings are unknown, or equal although the signatures differ, as between
    versions, the signatures are compared instead.
    """
    if first.signature == second.signature:
        return []
    reasons = []
    if first.changed is not None and second.changed is not None:
        defaults = asdict(DEFAULT_SETTINGS)
        first_values = {**defaults, **first.changed}
        second_values = {**defaults, **second.changed}
        for name in first_values | second_values:
            # Other versions may have other settings.
            label = SETTINGS[name].signed if name in SETTINGS else name
            values = first_values.get(name, "-"), second_values.get(name, "-")
            if values[0] != values[1]:
                reasons.append(f"{label}: {values[0]} against {values[1]}")
    return reasons or [f"signature: {first.signature} against {second.signature}"]


def list_names(names: Sequence[str]) -> str:
    """List up to three names, and the number of the others."""
    hidden = len(names) - MAX_LISTED
    listed = ", ".join(names[:MAX_LISTED])
    return f"{listed} and {hidden} more" if hidden > 0 else listed
