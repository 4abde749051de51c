"""Grids that are wider than the terminal: names cut short, or several pieces."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.report.names import shortened
from corefkit.report.terminal import (
    GAP,
    blocks_of,
    columns_of,
    joined,
    left,
    lines_of,
    text_width,
    visible,
    widest,
    wrapped,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.report.grids import Grid

_LEAST_NAME = 12  # columns that a name is never cut below


def narrow_lines(grid: Grid, width: int) -> list[str]:
    """Lay a grid that is too wide out in the first way that fits."""
    if grid.columns[-1].align == "left":
        return _wrapped_at_the_end(grid, width)
    if grid.first == "sentences":
        lines = _apart(grid)
        if widest(lines) <= width:
            return lines
    tight = replace(
        grid,
        columns=tuple(
            column._replace(head=column.short or column.head) for column in grid.columns
        ),
        spacing=grid.spacing._replace(marks=0),
    )
    for candidate in (grid, tight):
        for named in (candidate, *_with_shorter_names(candidate, width)):
            lines = lines_of(named)
            if widest(lines) <= width:
                return lines
    return _in_pieces(_shortened(tight, max(_LEAST_NAME, width // 3)), width)


def _wrapped_at_the_end(grid: Grid, width: int) -> list[str]:
    """Wrap the words of the last column, if names that are shorter do not suffice."""
    if grid.first == "names":
        for named in _with_shorter_names(grid, width):
            if widest(lines_of(named)) <= width:
                return lines_of(named)
        grid = _shortened(grid, _LEAST_NAME)
    rows = zip(*columns_of(grid), strict=True)
    words = [(*texts, last.rstrip()) for *texts, last in rows]
    lines = aligned(words, width=width, indent="")
    if grid.first == "names" and widest(lines) > width:
        return _in_pieces(grid, width)
    return lines


def aligned(
    rows: Sequence[Sequence[str]], *, width: int, least: int = 0, indent: str = GAP
) -> list[str]:
    """Align rows of words to the left; the last column is wrapped, but has some room.

    >>> aligned([("a", "1"), ("bcd", "2")], width=88)
    ['  a    1', '  bcd  2']
    """
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    under = " " * (len(indent) + sum(widths[:-1]) + len(GAP) * (len(widths) - 1))
    room = max(width, len(under) + least)
    lines: list[str] = []
    for *words, last in rows:
        start = "".join(f"{word}{GAP}" for word in map(left, words, widths))
        first = indent + start
        lines += wrapped(last, width=room, first=first, later=under) or [first.rstrip()]
    return lines


def _apart(grid: Grid) -> list[str]:
    """Put what the first column says on lines of its own."""
    rows = tuple(row[1:] for row in grid.rows)
    others = lines_of(replace(grid, columns=grid.columns[1:], rows=rows))
    words = [visible(row[0].text) for row in grid.rows]
    heads = len(others) - len(words)
    words = [*[""] * (heads - 1), grid.columns[0].head, *words][-len(others) :]
    lines: list[str] = []
    for word, line in zip(words, others, strict=True):
        lines += [*([word] if word else []), f"{GAP}{line}".rstrip()]
    return lines


def _with_shorter_names(grid: Grid, width: int) -> Iterator[Grid]:
    """Go through ways to shorten the names of a grid, by less to by more."""
    if grid.first != "labels":
        first = text_width(columns_of(grid)[0][0])
        limits = [first - (widest(lines_of(grid)) - width)]
    else:
        names = {column.group for column in grid.columns}
        names |= {column.head for column in grid.columns if column.is_name}
        limits = [*range(max(map(text_width, names)) - 1, _LEAST_NAME - 1, -1)]
    for limit in limits:
        if limit >= _LEAST_NAME:
            yield _shortened(grid, limit)


def _shortened(grid: Grid, limit: int) -> Grid:
    def short(names: Iterable[str]) -> dict[str, str]:
        different = [*dict.fromkeys(names)]
        seen = shortened([*map(visible, different)], limit, width=text_width)
        return dict(zip(different, seen, strict=True))

    groups = short(column.group for column in grid.columns)
    heads = short(column.head for column in grid.columns if column.is_name)
    columns = tuple(
        column._replace(
            head=heads[column.head] if column.is_name else column.head,
            group=groups[column.group],
        )
        for column in grid.columns
    )
    if grid.first == "labels":
        return replace(grid, columns=columns)
    names = short(row[0].text for row in grid.rows)
    rows = [(row[0]._replace(text=names[row[0].text]), *row[1:]) for row in grid.rows]
    return replace(grid, columns=columns, rows=tuple(rows))


def _in_pieces(grid: Grid, width: int) -> list[str]:
    """Cut a grid between columns, but not within a group, and repeat the first ones."""
    gap = grid.spacing.gap
    blocks = blocks_of(grid)
    words, numbers = blocks[: grid.words], blocks[grid.words :]
    lines: list[str] = []
    piece = [*words]
    for block in numbers:
        fits = widest(joined([*piece, block], gap)) <= width
        if not fits and len(piece) > len(words):
            lines += [*joined(piece, gap), ""]
            piece = [*words]
        piece.append(block)
    return [line.rstrip() for line in (*lines, *joined(piece, gap))]
