"""Results for people: one table of cells, laid out plain, as Markdown or as LaTeX.

A single response, and up to three side by side, show recall, precision and F1 of each
metric, and its value where it has one; more responses are one row each, with one number
for a metric: its value, or F1. A metric that a result lacks leaves its cells empty.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from corefkit.report.markdown import markdown_rows
from corefkit.report.values import has_values
from corefkit.settings import DEFAULT_SETTINGS
from corefkit.strings.escaping import (
    for_latex,
    for_markdown,
    for_markdown_code,
    for_terminal,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.evaluation import Scored
    from corefkit.metrics.base import Score

MOST_SIDE_BY_SIDE = 3
PARTS = ("Recall", "Precision", "F1")
VALUE = "Value"
GAP = "  "

_UNDEFINED = "* undefined (nothing to divide by), counted as 0"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells: the first column names the row, the others are numbers."""

    title: str
    head: tuple[tuple[str, ...], tuple[str, ...]]  # names over columns; labels
    rows: tuple[tuple[str, ...], ...]

    @property
    def group_size(self) -> int:
        """Over how many columns each name stands."""
        groups, labels = self.head
        return (len(labels) - 1) // len(groups) if groups else 0


def plain_table(results: Sequence[Scored], *, per_document: bool = False) -> str:
    """Lay the scores out for a terminal."""
    tables = _tables(results, per_document)
    parts = ["\n".join(plain_lines(table)) for table in tables]
    notes = [*_notes(results, tables), *_signatures(results)]
    return "\n\n".join([*parts, "\n".join(map(for_terminal, notes))])


def markdown_table(results: Sequence[Scored], *, per_document: bool = False) -> str:
    """Lay the scores out as Markdown."""
    tables = _tables(results, per_document)
    parts = ["\n".join(markdown_lines(table)) for table in tables]
    notes = [for_markdown(note) for note in _notes(results, tables)]
    signatures = map(for_markdown_code, _signatures(results))
    return "\n\n".join([*parts, *notes, *signatures])


def latex_table(results: Sequence[Scored], *, per_document: bool = False) -> str:
    """Lay the scores out as LaTeX; the rules are those of the package booktabs."""
    tables = _tables(results, per_document)
    parts = ["\n".join(latex_lines(table)) for table in tables]
    notes = [*_notes(results, tables), *_signatures(results)]
    return "\n".join([*parts, *(f"% {for_terminal(note)}" for note in notes)])


def _tables(results: Sequence[Scored], per_document: bool) -> list[Table]:
    names = response_names(results)
    wide = len(results) > MOST_SIDE_BY_SIDE
    tables = [(_ranking if wide else _side_by_side)(results, names)]
    if per_document:
        by_document = [
            _documents(result, name if len(names) > 1 else "")
            for result, name in zip(results, names, strict=True)
        ]
        tables += [table for table in by_document if table.rows]
    return tables


def response_names(results: Sequence[Scored]) -> list[str]:
    """Name each response by its file name, or where two are alike by its whole path.

    Where these are alike too, as of what is in memory, they are numbered.
    """
    paths = [result.response for result in results]
    numbered = [f"{number}. {path}" for number, path in enumerate(paths, start=1)]
    ways = ([PurePath(path).name for path in paths], paths, numbered)
    return next(names for names in ways if len(set(names)) == len(names))


def _side_by_side(results: Sequence[Scored], names: Sequence[str]) -> Table:
    groups = tuple(names) if len(names) > 1 else ()
    parts = (*PARTS, VALUE) if has_values(results) else PARTS
    scores = [result.scores for result in results]
    rows = [
        (label, *(cell for one in scores for cell in _cells(one.get(metric), parts)))
        for metric, label in _labels(results).items()
    ]
    if _has_conll(results):
        rows.append(("CoNLL", *(cell for one in results for cell in _mean(one, parts))))
    return Table("", (groups, ("", *parts * len(results))), tuple(rows))


def _mean(result: Scored, parts: Sequence[str]) -> list[str]:
    return [_percent(result.conll) if part == "F1" else "" for part in parts]


def _ranking(results: Sequence[Scored], names: Sequence[str]) -> Table:
    labels, conll = _labels(results), _has_conll(results)
    head = ("", *labels.values(), *(["CoNLL"] if conll else []))
    rows = [
        (
            name,
            *(_one_cell(result.scores.get(metric)) for metric in labels),
            *([_percent(result.conll)] if conll else []),
        )
        for name, result in zip(names, results, strict=True)
    ]
    return Table(_one_number(results), ((), head), tuple(rows))


def _one_number(results: Sequence[Scored]) -> str:
    """Say which number stands for a metric that has room for one."""
    valued = {
        label: None
        for result in results
        for metric, label in result.labels.items()
        if result.scores[metric].value is not None
    }
    return f"F1, of {', '.join(valued)} the value" if valued else "F1"


def _labels(results: Sequence[Scored]) -> dict[str, str]:
    """Give the metrics that any of the results has, in the order they come."""
    return {name: label for result in results for name, label in result.labels.items()}


def _has_conll(results: Sequence[Scored]) -> bool:
    return any(result.conll is not None for result in results)


def _documents(result: Scored, name: str) -> Table:
    labels = result.labels
    rows = [
        (row.document, *(_one_cell(row.scores.get(metric)) for metric in labels))
        for row in result.per_document
    ]
    title = f"{_one_number([result])} by document"
    if name:
        title = f"{title}, {name}"
    return Table(title, ((), ("", *labels.values())), tuple(rows))


def _one_cell(score: Score | None) -> str:
    if score is None or score.value is None:
        return _cells(score, ["F1"])[0]
    return _cells(score, [VALUE])[0]


def _cells(score: Score | None, parts: Sequence[str]) -> list[str]:
    if score is None:
        return [""] * len(parts)
    # F1 is of both; a value is divided by what recall is divided by.
    undefined = set(score.undefined)
    if {"recall", "precision"} <= undefined:
        undefined.add("f1")
    if "recall" in undefined:
        undefined.add("value")
    names = [part.lower() for part in parts]
    return [
        _percent(value) + ("*" if name in undefined else "")
        if (value := getattr(score, name)) is not None
        else ""
        for name in names
    ]


def _percent(score: float | None) -> str:
    return "" if score is None else f"{100 * score:.2f}"


def _notes(results: Sequence[Scored], tables: Sequence[Table]) -> list[str]:
    marked = any(
        cell.endswith("*") for table in tables for row in table.rows for cell in row[1:]
    )
    counts = dict.fromkeys(result.document_count for result in results)
    documents = " or ".join(str(count) for count in counts)
    plural = "" if list(counts) == [1] else "s"
    said = [f"{documents} document{plural}", *_averages(results), "in percent"]
    return [*([_UNDEFINED] if marked else []), ", ".join(said)]


def _averages(results: Sequence[Scored]) -> list[str]:
    """Say how documents were averaged, unless it is not known of a result."""
    found: dict[str, None] = {}
    for result in results:
        if result.changed is None:
            return []
        found[result.changed.get("average", DEFAULT_SETTINGS.average)] = None
    return [" or ".join(f"{average}-averaged" for average in found)]


def _signatures(results: Sequence[Scored]) -> list[str]:
    """Give the signature of all, or each with the results that have it."""
    names: dict[str, list[str]] = {}
    for name, result in zip(response_names(results), results, strict=True):
        names.setdefault(result.signature, []).append(name)
    if len(names) == 1:
        return list(names)
    return [f"{', '.join(of)}: {signature}" for signature, of in names.items()]


def plain_lines(table: Table) -> list[str]:
    """Lay a table out for a terminal."""
    groups, labels = (tuple(map(for_terminal, row)) for row in table.head)
    rows = [labels, *(tuple(map(for_terminal, row)) for row in table.rows)]
    # Numbers end in a column of their own for the mark of undefined scores.
    cells = [[row[0], *(_with_mark(cell) for cell in row[1:])] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    # A name stands above the last of its columns, and may make them wider.
    size = table.group_size
    for number, name in enumerate(groups):
        first = 1 + number * size
        room = sum(widths[first : first + size]) + len(GAP) * (size - 1)
        widths[first] += max(0, len(name) + 1 - room)
    lines = [
        GAP.join(
            [
                row[0].ljust(widths[0]),
                *map(str.rjust, row[1:], widths[1:]),
            ]
        ).rstrip()
        for row in cells
    ]
    if groups:
        lines.insert(0, _group_line(groups, widths, size))
    return [for_terminal(table.title), *lines] if table.title else lines


def _group_line(groups: Sequence[str], widths: Sequence[int], size: int) -> str:
    line = " " * widths[0]
    for number, name in enumerate(groups):
        first = 1 + number * size
        room = sum(widths[first : first + size]) + len(GAP) * size
        line += f"{name} ".rjust(room)
    return line.rstrip()


def _with_mark(cell: str) -> str:
    return cell if cell.endswith("*") else f"{cell} "


def markdown_lines(table: Table) -> list[str]:
    """Lay a table out as Markdown."""
    groups, labels = table.head
    if groups:
        own = labels[1 : 1 + table.group_size]
        parts = [f"{name} {part}" for name in groups for part in own]
        labels = (labels[0], *parts)
    cells = [[for_markdown(cell) for cell in row] for row in (labels, *table.rows)]
    lines = markdown_rows(cells, "l" + "r" * (len(labels) - 1))
    return [f"{for_markdown(table.title)}:", "", *lines] if table.title else lines


def latex_lines(table: Table) -> list[str]:
    """Lay a table out as LaTeX."""
    groups, labels = table.head
    lines = [f"% {for_terminal(table.title)}"] if table.title else []
    lines += [f"\\begin{{tabular}}{{l{'r' * (len(labels) - 1)}}}", r"\toprule"]
    if groups:
        heads = [
            rf"\multicolumn{{{table.group_size}}}{{c}}{{{_tex(name)}}}"
            for name in groups
        ]
        lines.append(" & ".join(["", *heads]) + r" \\")
    lines += [" & ".join(map(_tex, labels)) + r" \\", r"\midrule"]
    for name, *numbers in table.rows:
        # A mark is raised, a star in a name stays as it is.
        cells = [_tex(name), *(_tex(cell).replace("*", "$^*$") for cell in numbers)]
        lines.append(" & ".join(cells) + r" \\")
    return [*lines, r"\bottomrule", r"\end{tabular}"]


def _tex(cell: str) -> str:
    cell = for_latex(cell)
    cell = re.sub(r"^CEAF([me])(?: \(φ\d\))?(?= |$)", r"CEAF$_\1$", cell)
    cell = re.sub(r"φ(\d)", r"$\\phi_\1$", cell)
    cell = re.sub(r"^B³(all|r\\&n|sys)$", r"B$^3_{\\mathrm{\1}}$", cell)
    cell = cell.replace("³₀", "$^3_0$")
    return cell.replace("³", "$^3$")
