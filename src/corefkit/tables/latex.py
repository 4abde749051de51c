"""Grids of a page as LaTeX, with the rules of the package booktabs."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from corefkit.strings import escape_latex, escape_terminal
from corefkit.tables.model import (
    Emphasis,
    Heading,
    Note,
    Table,
    flatten_parts,
    protect_indent,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corefkit.tables.model import Cell, Part

_ALIGNS = {"left": "l", "right": "r", "decimal": "r"}


def render_latex(parts: Iterable[Part]) -> str:
    r"""Write the grids of a page; captions and notes are comments.

    >>> from corefkit.tables.model import make_rows, make_columns
    >>> grid = Table(make_columns(["", "F1"]), make_rows([["B³", "60.47"]]))
    >>> print(render_latex([grid, Note("in percent")]))
    \begin{tabular}{lr}
    \toprule
     & F1 \\
    \midrule
    B$^3$ & 60.47 \\
    \bottomrule
    \end{tabular}
    % in percent
    """
    lines: list[str] = []
    for part in _plain(parts):
        if isinstance(part, Table):
            lines += [*_comments(part.caption), *_tabular(part)]
            lines += [line for note in part.notes for line in _comments(note)]
        elif isinstance(part, Note):
            lines += _comments(part.text)
    return "\n".join(lines)


def render_latex_floats(parts: Iterable[Part]) -> str:
    """Write each grid as a table that floats; the headings above it are its caption."""
    lines: list[str] = []
    headings: list[str] = []
    for part in _plain(parts):
        if isinstance(part, Heading):
            headings = [*headings[: part.level - 2], part.text]
        elif isinstance(part, Note):
            lines += _comments(part.text)
        elif isinstance(part, Table):
            lines += ["", r"\begin{table}", r"\centering\footnotesize", *_tabular(part)]
            lines += [f"\\caption{{{_tex('. '.join(headings))}}}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def _plain(parts: Iterable[Part]) -> Iterator[Part]:
    return (inner for part in parts for inner in flatten_parts(part))


def _comments(text: str) -> list[str]:
    return [f"% {escape_terminal(line)}" for line in text.split("\n") if line]


def _tabular(grid: Table) -> Iterator[str]:
    aligns = "".join(_ALIGNS[column.align] for column in grid.columns)
    yield f"\\begin{{tabular}}{{{aligns}}}"
    yield r"\toprule"
    if any(column.group for column in grid.columns):
        yield _row(_group_heads(grid))
    yield _row(_tex(column.head) for column in grid.columns)
    yield r"\midrule"
    for row in grid.rows:
        yield _row(map(_cell, row))
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _group_heads(grid: Table) -> Iterator[str]:
    for name, names in groupby(column.group for column in grid.columns):
        size = len([*names])
        if name:
            yield rf"\multicolumn{{{size}}}{{c}}{{{_tex(name)}}}"
        else:
            yield from [""] * size


def _row(cells: Iterable[str]) -> str:
    row = " & ".join(cells) + r" \\"
    # The row before ends with a command that takes these two for its own.
    return f"{{}}{row}" if row.startswith(("[", "*")) else row


def _cell(cell: Cell) -> str:
    text = _tex(protect_indent(cell.text))
    if cell.emphasis is Emphasis.BEST:
        text = rf"\textbf{{{text}}}"
    signs = [sign for sign in (cell.above, cell.mark) if sign]
    return text + "".join(f"$^{_braced(sign)}$" for sign in signs)


def _braced(mark: str) -> str:
    # Between braces, a hyphen has no room on its sides, as a minus would have.
    letters = escape_latex(mark).replace("-", "{-}")
    return mark if mark == "*" else rf"{{\mathrm{{{letters}}}}}"


def _tex(text: str) -> str:
    """Write labels of metrics as formulas, which fonts of LaTeX do not have."""
    text = escape_latex(text)
    text = re.sub(r"^CEAF([me])(?: \(φ\d\))?(?= |$)", r"CEAF$_\1$", text)
    text = re.sub(r"φ(\d)", r"$\\phi_\1$", text)
    text = re.sub(r"^B³(all|r\\&n|sys)$", r"B$^3_{\\mathrm{\1}}$", text)
    text = text.replace("³₀", "$^3_0$")
    return text.replace("³", "$^3$")
