"""Results for people: one table of cells, laid out plain, as Markdown or as LaTeX.

A single response, and up to three side by side, show recall, precision and F1 of each
metric; more responses are one row each, with F1 only. A metric that a result lacks
leaves its cells empty.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from corefkit.escaping import (
    for_latex,
    for_markdown,
    for_markdown_code,
    for_terminal,
)
from corefkit.report.markdown import markdown_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.evaluation import Scored
    from corefkit.metrics.base import Score

MOST_SIDE_BY_SIDE = 3
PARTS = ("Recall", "Precision", "F1")
GAP = "  "

_AVERAGE = re.compile(r"\|average:(\w+)")
_UNDEFINED = "* undefined (nothing to divide by), counted as 0"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells: the first column names the row, the others are numbers."""

    title: str
    head: tuple[tuple[str, ...], tuple[str, ...]]  # names over three columns; labels
    rows: tuple[tuple[str, ...], ...]


def plain_table(results: Sequence[Scored], *, per_document: bool = False) -> str:
    """Lay the scores out for a terminal."""
    tables = _tables(results, per_document)
    parts = ["\n".join(plain_lines(table)) for table in tables]
    notes = [*_notes(results, parts), *_signatures(results)]
    return "\n\n".join([*parts, "\n".join(map(for_terminal, notes))])


def markdown_table(results: Sequence[Scored], *, per_document: bool = False) -> str:
    """Lay the scores out as Markdown."""
    tables = _tables(results, per_document)
    parts = ["\n".join(markdown_lines(table)) for table in tables]
    notes = [for_markdown(note) for note in _notes(results, parts)]
    signatures = map(for_markdown_code, _signatures(results))
    return "\n\n".join([*parts, *notes, *signatures])


def latex_table(results: Sequence[Scored], *, per_document: bool = False) -> str:
    """Lay the scores out as LaTeX; the rules are those of the package booktabs."""
    tables = _tables(results, per_document)
    parts = ["\n".join(latex_lines(table)) for table in tables]
    notes = [*_notes(results, parts), *_signatures(results)]
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
    scores = [result.scores for result in results]
    rows = [
        (label, *(cell for one in scores for cell in _cells(one.get(metric))))
        for metric, label in _labels(results).items()
    ]
    if _has_conll(results):
        means = [cell for one in results for cell in ("", "", _percent(one.conll))]
        rows.append(("CoNLL", *means))
    return Table("", (groups, ("", *PARTS * len(results))), tuple(rows))


def _ranking(results: Sequence[Scored], names: Sequence[str]) -> Table:
    labels, conll = _labels(results), _has_conll(results)
    head = ("", *labels.values(), *(["CoNLL"] if conll else []))
    rows = [
        (
            name,
            *_f1_cells(result.scores, labels),
            *([_percent(result.conll)] if conll else []),
        )
        for name, result in zip(names, results, strict=True)
    ]
    return Table("F1", ((), head), tuple(rows))


def _labels(results: Sequence[Scored]) -> dict[str, str]:
    """Give the metrics that any of the results has, in the order they come."""
    return {name: label for result in results for name, label in result.labels.items()}


def _has_conll(results: Sequence[Scored]) -> bool:
    return any(result.conll is not None for result in results)


def _documents(result: Scored, name: str) -> Table:
    labels = result.labels
    rows = [
        (row.document, *_f1_cells(row.scores, labels)) for row in result.per_document
    ]
    title = f"F1 by document, {name}" if name else "F1 by document"
    return Table(title, ((), ("", *labels.values())), tuple(rows))


def _f1_cells(scores: Mapping[str, Score], metrics: Iterable[str]) -> list[str]:
    return [_cells(scores.get(metric))[2] for metric in metrics]


def _cells(score: Score | None) -> tuple[str, str, str]:
    if score is None:
        return "", "", ""
    marks = ["*" if side in score.undefined else "" for side in ("recall", "precision")]
    return (
        _percent(score.recall) + marks[0],
        _percent(score.precision) + marks[1],
        _percent(score.f1) + ("*" if all(marks) else ""),
    )


def _percent(score: float | None) -> str:
    return "" if score is None else f"{100 * score:.2f}"


def _notes(results: Sequence[Scored], parts: Sequence[str]) -> list[str]:
    notes = [_UNDEFINED] if any("*" in part for part in parts) else []
    counts = dict.fromkeys(result.document_count for result in results)
    documents = " or ".join(str(count) for count in counts)
    plural = "" if list(counts) == [1] else "s"
    averages = dict.fromkeys(
        average for result in results for average in _AVERAGE.findall(result.signature)
    )
    average = " or ".join(f"{average}-averaged" for average in averages)
    return [*notes, f"{documents} document{plural}, {average}, in percent"]


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
    # A name stands above the last of its three columns, and may make them wider.
    for number, name in enumerate(groups):
        first = 1 + number * len(PARTS)
        room = sum(widths[first : first + len(PARTS)]) + len(GAP) * (len(PARTS) - 1)
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
        lines.insert(0, _group_line(groups, widths))
    return [for_terminal(table.title), *lines] if table.title else lines


def _group_line(groups: Sequence[str], widths: Sequence[int]) -> str:
    line = " " * widths[0]
    for number, name in enumerate(groups):
        first = 1 + number * len(PARTS)
        room = sum(widths[first : first + len(PARTS)]) + len(GAP) * len(PARTS)
        line += f"{name} ".rjust(room)
    return line.rstrip()


def _with_mark(cell: str) -> str:
    return cell if cell.endswith("*") else f"{cell} "


def markdown_lines(table: Table) -> list[str]:
    """Lay a table out as Markdown."""
    groups, labels = table.head
    if groups:
        parts = [f"{name} {part}" for name in groups for part in PARTS]
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
            rf"\multicolumn{{{len(PARTS)}}}{{c}}{{{_tex(name)}}}" for name in groups
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
