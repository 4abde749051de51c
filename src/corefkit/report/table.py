"""Evaluations for people: one table of cells, laid out plain, as Markdown or as LaTeX.

A single response, and up to three side by side, show recall, precision and F1 of each
metric; more responses are one row each, with F1 only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from corefkit.report.markdown import escaped, markdown_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.evaluation import Evaluation
    from corefkit.metrics.base import Score

MOST_SIDE_BY_SIDE = 3
PARTS = ("Recall", "Precision", "F1")
GAP = "  "

_TEX_NAMES = {letter: f"\\{letter}" for letter in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
}
_UNDEFINED = "* undefined (nothing to divide by), counted as 0"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells: the first column names the row, the others are numbers."""

    title: str
    head: tuple[tuple[str, ...], tuple[str, ...]]  # names over three columns; labels
    rows: tuple[tuple[str, ...], ...]


def plain_table(
    evaluations: Sequence[Evaluation], *, per_document: bool = False
) -> str:
    """Lay the scores out for a terminal."""
    tables = _tables(evaluations, per_document)
    parts = ["\n".join(plain_lines(table)) for table in tables]
    return "\n\n".join([*parts, "\n".join(_notes(evaluations, parts))])


def markdown_table(
    evaluations: Sequence[Evaluation], *, per_document: bool = False
) -> str:
    """Lay the scores out as Markdown."""
    tables = _tables(evaluations, per_document)
    parts = ["\n".join(markdown_lines(table)) for table in tables]
    *notes, signature = _notes(evaluations, parts)
    return "\n\n".join([*parts, *(escaped(note) for note in notes), f"`{signature}`"])


def latex_table(
    evaluations: Sequence[Evaluation], *, per_document: bool = False
) -> str:
    """Lay the scores out as LaTeX; the rules are those of the package booktabs."""
    tables = _tables(evaluations, per_document)
    parts = ["\n".join(latex_lines(table)) for table in tables]
    return "\n".join([*parts, *(f"% {note}" for note in _notes(evaluations, parts))])


def _tables(evaluations: Sequence[Evaluation], per_document: bool) -> list[Table]:
    names = response_names(evaluations)
    wide = len(evaluations) > MOST_SIDE_BY_SIDE
    tables = [(_ranking if wide else _side_by_side)(evaluations, names)]
    if per_document:
        tables += [
            _documents(evaluation, name if len(names) > 1 else "")
            for evaluation, name in zip(evaluations, names, strict=True)
        ]
    return tables


def response_names(evaluations: Sequence[Evaluation]) -> list[str]:
    """Name each response by its file name, or by its whole path where two are alike."""
    paths = [evaluation.response for evaluation in evaluations]
    names = [PurePath(path).name for path in paths]
    return names if len(set(names)) == len(names) else paths


def _side_by_side(evaluations: Sequence[Evaluation], names: Sequence[str]) -> Table:
    groups = tuple(names) if len(names) > 1 else ()
    labels = ("", *PARTS * len(evaluations))
    rows = [
        (
            metric.label,
            *(cell for one in evaluations for cell in _cells(one[metric.name])),
        )
        for metric in evaluations[0].metrics
    ]
    if evaluations[0].conll is not None:
        means = [cell for one in evaluations for cell in ("", "", _percent(one.conll))]
        rows.append(("CoNLL", *means))
    return Table("", (groups, labels), tuple(rows))


def _ranking(evaluations: Sequence[Evaluation], names: Sequence[str]) -> Table:
    rows = [
        (name, *_f1_cells(evaluation.scores.values()), *_conll_cells(evaluation))
        for name, evaluation in zip(names, evaluations, strict=True)
    ]
    return Table("F1", ((), _f1_head(evaluations[0])), tuple(rows))


def _documents(evaluation: Evaluation, name: str) -> Table:
    rows = [
        (row.document, *_f1_cells(row.scores.values()))
        for row in evaluation.per_document
    ]
    head = ("", *(metric.label for metric in evaluation.metrics))
    title = f"F1 by document, {name}" if name else "F1 by document"
    return Table(title, ((), head), tuple(rows))


def _f1_head(evaluation: Evaluation) -> tuple[str, ...]:
    labels = [metric.label for metric in evaluation.metrics]
    return ("", *labels, *(["CoNLL"] if evaluation.conll is not None else []))


def _f1_cells(scores: Iterable[Score]) -> list[str]:
    return [_cells(score)[2] for score in scores]


def _conll_cells(evaluation: Evaluation) -> list[str]:
    return [] if evaluation.conll is None else [_percent(evaluation.conll)]


def _cells(score: Score) -> tuple[str, str, str]:
    marks = ["*" if side in score.undefined else "" for side in ("recall", "precision")]
    return (
        _percent(score.recall) + marks[0],
        _percent(score.precision) + marks[1],
        _percent(score.f1) + ("*" if all(marks) else ""),
    )


def _percent(score: float | None) -> str:
    return "" if score is None else f"{100 * score:.2f}"


def _notes(evaluations: Sequence[Evaluation], parts: Sequence[str]) -> list[str]:
    notes = [_UNDEFINED] if any("*" in part for part in parts) else []
    counts = dict.fromkeys(len(evaluation.documents) for evaluation in evaluations)
    documents = " or ".join(str(count) for count in counts)
    plural = "" if list(counts) == [1] else "s"
    average = evaluations[0].settings.average
    notes.append(f"{documents} document{plural}, {average}-averaged, in percent")
    return [*notes, evaluations[0].signature]


def plain_lines(table: Table) -> list[str]:
    """Lay a table out for a terminal."""
    groups, labels = table.head
    rows = [labels, *table.rows]
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
    return [f"{table.title}", *lines] if table.title else lines


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
    cells = [[escaped(cell) for cell in row] for row in (labels, *table.rows)]
    lines = markdown_rows(cells, "l" + "r" * (len(labels) - 1))
    return [f"{table.title}:", "", *lines] if table.title else lines


def latex_lines(table: Table) -> list[str]:
    """Lay a table out as LaTeX."""
    groups, labels = table.head
    lines = [f"% {table.title}"] if table.title else []
    lines += [f"\\begin{{tabular}}{{l{'r' * (len(labels) - 1)}}}", r"\toprule"]
    if groups:
        heads = [
            rf"\multicolumn{{{len(PARTS)}}}{{c}}{{{_tex(name)}}}" for name in groups
        ]
        lines.append(" & ".join(["", *heads]) + r" \\")
    lines += [" & ".join(map(_tex, labels)) + r" \\", r"\midrule"]
    lines += [" & ".join(map(_tex, row)) + r" \\" for row in table.rows]
    return [*lines, r"\bottomrule", r"\end{tabular}"]


def _tex(cell: str) -> str:
    cell = re.sub(r"[&%$#_{}~^\\]", lambda match: _TEX_NAMES[match[0]], cell)
    cell = re.sub(r"^CEAF([me])(?: \(φ\d\))?(?= |$)", r"CEAF$_\1$", cell)
    cell = re.sub(r"φ(\d)", r"$\\phi_\1$", cell)
    cell = re.sub(r"^B³(all|r\\&n|sys)$", r"B$^3_{\\mathrm{\1}}$", cell)
    cell = cell.replace("³₀", "$^3_0$")
    return cell.replace("³", "$^3$").replace("*", "$^*$")
