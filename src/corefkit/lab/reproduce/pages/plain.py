"""Recomputed papers for a terminal."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

from corefkit.analysis.explain.layout import WIDTH
from corefkit.lab.reproduce.pages.counting import summary
from corefkit.lab.reproduce.pages.parts import Cell, Grid, Heading, Items, Picture, Text
from corefkit.lab.reproduce.pages.report import (
    LEGEND,
    errata_parts,
    parts_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.lab.reproduce import Reproduction
    from corefkit.lab.reproduce.pages.parts import Item, Part

_GAP = "  "


def plain_reproductions(reproductions: Sequence[Reproduction]) -> str:
    """Lay the papers out, their errata at the end, and a line of counts."""
    parts: list[Part] = []
    for one in reproductions:
        parts += parts_of(one, whole=False)
    parts += errata_parts(reproductions)
    blocks = [block for part in parts if (block := plain_part(part))]
    return "\n\n".join(
        [fill(LEGEND, WIDTH), *blocks, "\n".join(summary(reproductions))]
    )


def plain_part(part: Part) -> str:
    """Lay a part out; a picture is nothing for a terminal."""
    match part:
        case Heading():
            return _heading(part)
        case Text():
            return fill(part.text, WIDTH)
        case Items():
            width = max(len(item.word) for item in part.items)
            return "\n".join(line for item in part.items for line in _item(item, width))
        case Grid():
            return _grid(part)
        case Picture():
            return ""


def _heading(part: Heading) -> str:
    text = fill(part.text, WIDTH)
    line = {2: "=", 3: "-"}[part.level]
    return f"{text}\n{line * max(map(len, text.splitlines()))}"


def _item(item: Item, width: int) -> Iterator[str]:
    start, under = f"{item.word:<{width}}{_GAP}", " " * (width + len(_GAP))
    errata = f": {', '.join(item.errata)}" if item.errata else ""
    yield fill(item.text + errata, WIDTH, initial_indent=start, subsequent_indent=under)
    for line in item.lines:
        yield fill(line, WIDTH, initial_indent=under, subsequent_indent=under)


def _grid(part: Grid) -> str:
    rows = [[Cell(text) for text in part.head], *map(list, part.rows)]
    lines = _lines(rows, part.words)
    if max(map(len, lines)) <= WIDTH:
        return "\n".join(lines)
    # Too wide: what the first column says gets lines of its own.
    lines = _lines([row[1:] for row in rows], part.words - 1)
    apart: list[str] = []
    for row, line in zip(rows, lines, strict=True):
        if row[0].text:
            apart.append(row[0].text)
        apart.append(f"  {line}")
    return "\n".join(apart)


def _lines(rows: Sequence[Sequence[Cell]], words: int) -> list[str]:
    columns = [
        _column(cells, is_words=number < words)
        for number, cells in enumerate(zip(*rows, strict=True))
    ]
    errata = [dict.fromkeys(one.erratum for one in row if one.erratum) for row in rows]
    return [
        _GAP.join([*texts, *ids]).rstrip()
        for texts, ids in zip(zip(*columns, strict=True), errata, strict=True)
    ]


def _column(cells: Sequence[Cell], *, is_words: bool) -> list[str]:
    """Bring cells to one width; the marks of numbers stand in a column of their own."""
    marks = [cell.outcome.mark if cell.outcome else "" for cell in cells]
    room = max(map(len, marks))
    texts = [
        f"{cell.text}{mark:<{room}}" for cell, mark in zip(cells, marks, strict=True)
    ]
    width = max(map(len, texts))
    return [text.ljust(width) if is_words else text.rjust(width) for text in texts]
