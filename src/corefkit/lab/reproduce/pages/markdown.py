"""Recomputed papers as a Markdown page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.lab.reproduce.outcomes import Outcome
from corefkit.lab.reproduce.pages.counting import overview, summary
from corefkit.lab.reproduce.pages.parts import Grid, Heading, Items, Picture, Text
from corefkit.lab.reproduce.pages.report import (
    LEGEND,
    TITLE,
    errata_parts,
    parts_of,
)
from corefkit.report.markdown import escaped, markdown_rows
from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.lab.reproduce import Reproduction
    from corefkit.lab.reproduce.pages.parts import Cell, Item


def markdown_page(reproductions: Sequence[Reproduction], *, drawn: bool) -> str:
    """Write the page.

    Args:
        reproductions: the papers.
        drawn: whether the figures stand beside the page.
    """
    blocks = [f"# {TITLE}", f"corefkit {VERSION}."]
    blocks.append("\n".join(f"- {line}" for line in summary(reproductions)))
    blocks += [escaped(LEGEND), _grid(overview(reproductions))]
    parts = [part for one in reproductions for part in parts_of(one, whole=True)]
    for part in (*parts, *errata_parts(reproductions)):
        match part:
            case Picture() if drawn:
                figure = part.curves.figure
                blocks.append(f"![{escaped(figure.title)}]({figure.name}.svg)")
            case Picture():
                pass
            case _:
                blocks.append(markdown_part(part))
    return "\n\n".join(blocks) + "\n"


def markdown_part(part: Heading | Text | Grid | Items) -> str:
    """Write one part of a page."""
    match part:
        case Heading():
            return f"{'#' * part.level} {escaped(part.text)}"
        case Text():
            return escaped(part.text)
        case Grid():
            return _grid(part)
        case Items():
            return "\n".join(map(_item, part.items))


def _item(item: Item) -> str:
    errata = f": {', '.join(item.errata)}" if item.errata else ""
    lines = [f"- **{item.word}** {escaped(item.text)}{errata}"]
    lines += [f"  {escaped(line)}" for line in item.lines]
    return "  \n".join(lines)


def _grid(part: Grid) -> str:
    head = [escaped(text) for text in part.head]
    rows = [head, *([_cell(cell) for cell in row] for row in part.rows)]
    numbers = len(part.head) - part.words
    return "\n".join(markdown_rows(rows, "l" * part.words + "r" * numbers))


def _cell(cell: Cell) -> str:
    text = escaped(cell.text)
    if cell.erratum:
        return " ".join(filter(None, [f"~~{text}~~", cell.right, cell.erratum]))
    if cell.outcome is Outcome.DIFFERS:
        return " ".join(filter(None, [f"**{text} differs**", cell.right]))
    return f"{text} {cell.outcome.mark}".rstrip() if cell.outcome else text
