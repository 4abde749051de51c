"""Grids that are wider than the terminal: names cut short, or several pieces."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.report.names import shortened
from corefkit.report.terminal import (
    GAP,
    groups_of,
    left,
    lines_of,
    padded_columns,
    rows_with_heads,
    text_width,
    widest,
    wrapped,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.report.page import Grid

_LEAST_NAME = 12  # columns that a name is never cut below


def narrow_lines(grid: Grid, width: int) -> list[str]:
    """Lay a grid that is too wide out in the first way that fits."""
    if grid.columns[-1].align == "left":
        return _with_wrapped_end(grid, width)
    if grid.first == "sentences":
        lines = _apart(grid)
        return lines if widest(lines) <= width else _in_pieces(grid, width)
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
    return _in_pieces(tight, width)


def _with_wrapped_end(grid: Grid, width: int) -> list[str]:
    """Wrap the last column, whatever else there is."""
    rows = zip(*padded_columns(grid), strict=True)
    cut = [(*texts, last.rstrip()) for *texts, last in rows]
    return aligned(cut, width=width, indent="")


def aligned(
    rows: Sequence[Sequence[str]], *, width: int, least: int = 0, indent: str = GAP
) -> list[str]:
    """Align rows of words to the left; the last column is wrapped.

    Args:
        rows: the rows.
        width: how wide lines may be.
        least: how much room the last column has even so.
        indent: what each line begins with.

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
    """Give what the first column says lines of its own."""
    rows = tuple(row[1:] for row in grid.rows)
    others = lines_of(replace(grid, columns=grid.columns[1:], rows=rows))
    words = [row[0].text for row in rows_with_heads(grid)]
    lines = others[: len(others) - len(words)]  # the names above columns
    for word, line in zip(words, others[len(lines) :], strict=True):
        lines += [*([word] if word else []), f"{GAP}{line}".rstrip()]
    return lines


def _with_shorter_names(grid: Grid, width: int) -> Iterator[Grid]:
    """Go through ways to shorten the names of a grid, by less to by more."""
    if grid.first == "names":
        first = max(text_width(row[0].text) for row in grid.rows)
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
        return dict(
            zip(different, shortened(different, limit, width=text_width), strict=True)
        )

    groups = short(column.group for column in grid.columns)
    heads = short(column.head for column in grid.columns if column.is_name)
    rows = grid.rows
    if grid.first == "names":
        names = short(row[0].text for row in rows)
        rows = tuple(
            (row[0]._replace(text=names[row[0].text]), *row[1:]) for row in rows
        )
    columns = tuple(
        column._replace(
            head=heads[column.head] if column.is_name else column.head,
            group=groups[column.group],
        )
        for column in grid.columns
    )
    return replace(grid, columns=columns, rows=rows)


def _in_pieces(grid: Grid, width: int) -> list[str]:
    """Cut a grid between columns, but not within a group, and repeat the first ones."""
    if grid.first == "names":
        grid = _shortened(grid, max(_LEAST_NAME, width // 3))
    words, gap = grid.words, grid.spacing.gap
    widths = [text_width(texts[0]) + gap for texts in padded_columns(grid)]
    start = 0 if grid.first == "sentences" else sum(widths[:words])
    pieces: list[list[int]] = [[]]
    used = start
    for _, first, end in _units(grid):
        size = sum(widths[first:end])
        if pieces[-1] and used + size - gap > width:
            pieces.append([])
            used = start
        pieces[-1] += range(first, end)
        used += size
    lay_out = _apart if grid.first == "sentences" else lines_of
    lines: list[str] = []
    for piece in pieces:
        taken = [*range(words), *piece]
        columns = tuple(grid.columns[number] for number in taken)
        rows = tuple(tuple(row[number] for number in taken) for row in grid.rows)
        lines += ["", *lay_out(replace(grid, columns=columns, rows=rows))]
    return lines[1:]


def _units(grid: Grid) -> Iterator[tuple[str, int, int]]:
    """Go through what is not cut: groups, and columns without one."""
    for name, first, end in groups_of(grid):
        if name:
            yield name, first, end
        else:
            yield from (("", n, n + 1) for n in range(first, end) if n >= grid.words)
