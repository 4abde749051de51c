r"""Render tables as LaTeX floats with the rules of booktabs.

A table that is too wide for a page is scaled down with `\resizebox` of graphicx; a
comment names the packages. Captions are those of the tables, or the headings above.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from corefkit.strings import escape_latex, escape_terminal
from corefkit.tables.model import (
    Cell,
    Column,
    Emphasis,
    Heading,
    Note,
    Part,
    Table,
    flatten_parts,
    protect_indent,
)

_PAGE_WIDTH = 68  # characters in \small, with two for the gap after each column
_GAP = 2
_MINUS = re.compile(r"(?<![\w.)\]])-(?=[\d.])")


def render_latex(parts: Iterable[Part]) -> str:
    """Convert tables of a page to LaTeX; notes are comments."""
    lines: list[str] = []
    headings: list[str] = []
    packages = {"booktabs"}
    for part in flatten_parts(parts):
        if isinstance(part, Heading):
            headings = [*headings[: part.level - 2], part.text]
        elif isinstance(part, Note):
            lines += _comment(part.text)
        elif isinstance(part, Table):
            if _measure_table(part) > _PAGE_WIDTH:
                part = replace(part, columns=part.short_columns)
            is_wide = _measure_table(part) > _PAGE_WIDTH
            packages |= {"graphicx"} if is_wide else set()
            caption = part.caption.replace("\n", ", ") or ". ".join(headings)
            lines += _render_float(part, caption, is_wide=is_wide)
            lines += [line for note in part.notes for line in _comment(note)]
    if not any(line.startswith(r"\begin{table}") for line in lines):
        return "\n".join(lines)
    names = ", ".join(sorted(packages))
    return "\n".join([f"% \\usepackage{{{names}}}", *lines])


def _comment(text: str) -> list[str]:
    return [f"% {escape_terminal(line)}" for line in text.split("\n") if line]


def _measure_table(table: Table) -> int:
    texts = [[column.head for column in table.columns]]
    texts += [
        [cell.text + cell.above + cell.mark for cell in row] for row in table.rows
    ]
    return sum(max(map(len, column)) + _GAP for column in zip(*texts, strict=True))


def _render_float(table: Table, caption: str, *, is_wide: bool) -> Iterator[str]:
    yield from (r"\begin{table}", r"\centering", r"\small")
    if is_wide:
        yield r"\resizebox{\textwidth}{!}{%"
    yield from _render_tabular(table)
    if is_wide:
        yield "}"
    if caption:
        yield f"\\caption{{{_escape(caption)}}}"
    yield r"\end{table}"


def _render_tabular(table: Table) -> Iterator[str]:
    aligns = "".join(column.align[0] for column in table.columns)
    yield f"\\begin{{tabular}}{{{aligns}}}"
    yield r"\toprule"
    groups = table.column_groups
    if groups:
        heads: list[str] = []
        rules: list[str] = []
        last = 0
        for name, size in groups:
            first, last = last + 1, last + size
            if name:
                heads.append(rf"\multicolumn{{{size}}}{{c}}{{{_escape(name)}}}")
                rules.append(rf"\cmidrule(lr){{{first}-{last}}}")
            else:
                heads += [""] * size
        yield _join_cells(heads)
        yield " ".join(rules)
    yield _join_cells(_escape(column.head) for column in table.columns)
    yield r"\midrule"
    for row in table.rows:
        cells = zip(row, table.columns, strict=True)
        yield _join_cells(_render_cell(cell, column) for cell, column in cells)
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _join_cells(cells: Iterable[str]) -> str:
    row = " & ".join(cells) + r" \\"
    # The row before ends with a command that takes these as its argument.
    return f"{{}}{row}" if row.startswith(("[", "*")) else row


def _render_cell(cell: Cell, column: Column) -> str:
    text = _escape(protect_indent(cell.text))
    if column.align != "left":
        text = _MINUS.sub("$-$", text)
    if cell.emphasis is Emphasis.BEST:
        text = rf"\textbf{{{text}}}"
    marks = [mark for mark in (cell.above, cell.mark) if mark]
    return text + "".join(f"$^{_format_mark(mark)}$" for mark in marks)


def _format_mark(mark: str) -> str:
    if mark == "°":
        return r"\circ"
    # Between braces, a hyphen has no room on its sides, as a minus would have.
    letters = escape_latex(mark).replace("-", "{-}")
    return mark if mark == "*" else rf"{{\mathrm{{{letters}}}}}"


def _escape(text: str) -> str:
    """Escape a text; labels of metrics become formulas, as fonts lack the letters."""
    text = escape_latex(text)
    text = re.sub(r"^CEAF([me])(?: \(φ\d\))?(?= |$)", r"CEAF$_\1$", text)
    text = re.sub(r"φ(\d)", r"$\\phi_\1$", text)
    text = re.sub(r"^B³(all|r\\&n|sys)$", r"B$^3_{\\mathrm{\1}}$", text)
    text = text.replace("³₀", "$^3_0$").replace("\N{MINUS SIGN}", "$-$")
    return text.replace("³", "$^3$").replace("α", r"$\alpha$")
