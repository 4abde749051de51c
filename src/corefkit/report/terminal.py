"""Pages as text for a terminal.

Tables keep to the width of the terminal: `COLUMNS` where it is set, else what the
terminal says, else 80 columns. Names are cut short in a grid that is wider, then heads,
and at last the grid is cut into several, one below the other. Widths are those that a
terminal shows: East Asian letters take two columns, combining marks none.
"""

from __future__ import annotations

import re
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING

from corefkit.report.grids import Cell, Column, Emphasis, Grid, Note
from corefkit.strings.colours import ESCAPE, bold, dim, red, without_codes
from corefkit.strings.escaping import for_lines, for_terminal
from corefkit.strings.width import known_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.report.grids import Spacing
    from corefkit.report.page import Item, Items, Part

READING_WIDTH = 88  # of pages that are mostly text
GAP = "  "
_ONE_LINE = r"\S(?:[^\t\n\v\f\r]*\S)?"
_LINES = {1: "=", 2: "=", 3: "-"}
_STYLES = {Emphasis.BEST: bold, Emphasis.HIGHEST: bold, Emphasis.WRONG: red}
_ABOVE = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def reading_width() -> int:
    """Find out how wide a page of text is: 88 columns, or less on a small terminal."""
    return min(READING_WIDTH, known_width(READING_WIDTH))


def terminal_text(parts: Iterable[Part], *, width: int | None = None) -> str:
    """Write the parts of a page, as wide as the terminal unless a width is given.

    >>> from corefkit.report.grids import cells, columns
    >>> grid = Grid(columns(["", "F1"]), cells([["MUC", "60.47"], ["LEA", "5.70"]]))
    >>> print(terminal_text([grid, Note("in percent")]))
            F1
    MUC  60.47
    LEA   5.70
    <BLANKLINE>
    in percent
    """
    room = width or known_width()
    texts: list[str] = []  # lists of errors have thousands of notes
    after_note = False
    for part in parts:
        block = "\n".join(_part_lines(part, room))
        if block:
            between = "\n" if after_note and isinstance(part, Note) else "\n\n"
            texts += [between, block] if texts else [block]
            after_note = isinstance(part, Note)
    return "".join(texts)


def _part_lines(part: Part, width: int) -> list[str]:
    match part:
        case Grid():
            return grid_lines(part, width=width)
        case Note():
            text = visible(part.text)
            return [dim(text) if part.is_code else text]
        case _:
            return _lines_of_text(part, width)


def _lines_of_text(part: Part, width: int) -> list[str]:
    """Write the parts of a page that tables of scores lack."""
    # Imported here because most runs print tables alone, and every start would pay.
    from corefkit.report.page import (
        Beside,
        Findings,
        Folded,
        Heading,
        Items,
        Paragraph,
        Statement,
    )

    match part:
        case Heading():
            lines = wrapped(visible(part.text), width=width)
            under = _LINES[part.level] * max(map(text_width, lines))
            return [*map(bold, lines), under]
        case Paragraph():
            return wrapped(visible(part.text), width=width)
        case Items():
            return list(_list_lines(part, width))
        case Statement() | Findings() | Beside() | Folded():
            from corefkit.report.plain import plain_parts

            return [terminal_text(plain_parts(part), width=width)]
        case _:
            return []  # figures and bars: grids have their numbers


def visible(text: str) -> str:
    """Show what cannot be seen in a text; most have nothing of the kind."""
    return text if text.isprintable() else for_terminal(text)


def text_width(text: str) -> int:
    """Count the columns that a text takes on a terminal.

    >>> text_width("key"), text_width("鍵"), text_width("e\N{COMBINING ACUTE ACCENT}")
    (3, 2, 1)
    """
    if ESCAPE in text:
        text = without_codes(text)
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        0
        if category(letter) in {"Mn", "Me"}
        else 1 + (east_asian_width(letter) in "WF")
        for letter in text
    )


def wrapped(text: str, *, width: int, first: str = "", later: str = "") -> list[str]:
    """Break a text into lines; the first begins with `first`, the others with `later`.

    >>> wrapped("one two", width=88, first="- ")
    ['- one two']
    """
    used = text_width(first) + text_width(text)
    if used <= width and re.fullmatch(_ONE_LINE, text):
        return [first + text]  # most are, and to wrap takes long
    whole = first + text
    if not whole.isascii() and any(text_width(letter) != 1 for letter in whole):
        return _by_widths(text, width=width, first=first, later=later)
    return wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _by_widths(text: str, *, width: int, first: str, later: str) -> list[str]:
    """Break a text with letters that take two columns, or none."""
    lines: list[str] = []
    line, start = "", first
    for word in text.split():
        longer = f"{line} {word}" if line else start + word
        if line and text_width(longer) > width:
            lines.append(line)
            start = later
            longer = start + word
        line = longer
    return [*lines, line] if line else lines


def _list_lines(part: Items, width: int) -> Iterator[str]:
    indent = GAP if part.title else ""
    lead = f"{part.title}: {part.text}" if part.title else part.text
    yield from wrapped(visible(lead), width=width)
    words = [visible(item.word) for item in part.items]
    room = max(map(text_width, words), default=0)
    for item, word in zip(part.items, words, strict=True):
        start = f"{indent}{left(word, room)}{GAP}" if room else indent
        too_long = _longest(item.text) > width - text_width(start)
        if word and (too_long or room > width // 2):
            # A path stays whole, so that it can be copied, and leaves room for words.
            yield indent + word
            start = indent + GAP
        yield from _item_lines(item, start, width)
    yield from wrapped(visible(part.end), width=width, first=indent, later=indent)


def _longest(text: str) -> int:
    """Measure the longest word of a text."""
    return max(map(text_width, visible(text).split()), default=0)


def _item_lines(item: Item, start: str, width: int) -> Iterator[str]:
    under = " " * text_width(start)
    text = ": ".join(filter(None, [item.text, ", ".join(item.see)]))
    yield from wrapped(visible(text), width=width, first=start, later=under)
    for line in item.lines:
        yield from wrapped(visible(line), width=width, first=under, later=under)


def left(text: str, width: int) -> str:
    """Fill a text up with blanks to a width."""
    return text + " " * (width - text_width(text))


def _right(text: str, width: int) -> str:
    return " " * (width - text_width(text)) + text


def grid_lines(grid: Grid, *, width: int) -> list[str]:
    """Lay a grid out within a width."""
    lines = lines_of(grid)
    if widest(lines) > width:
        # Imported here because few grids are too wide.
        from corefkit.report.narrow import narrow_lines

        lines = narrow_lines(grid, width)
    if grid.caption:
        lines = [*for_lines(grid.caption).split("\n"), *lines]
    return [*lines, *map(visible, grid.notes)]


def widest(lines: Iterable[str]) -> int:
    """Measure the widest of some lines."""
    return max(map(text_width, lines), default=0)


def lines_of(grid: Grid) -> list[str]:
    """Lay a grid out as wide as it is, and name at the end of rows what to see."""
    lines = joined(blocks_of(grid), grid.spacing.gap)
    start = len(lines) - len(grid.rows)
    for number, row in enumerate(grid.rows, start):
        ids = dict.fromkeys(cell.see for cell in row if cell.see)
        lines[number] = (" " * grid.spacing.gap).join([lines[number], *ids])
    return [line.rstrip() for line in lines]


def joined(blocks: Iterable[Sequence[str]], gap: int) -> list[str]:
    """Put blocks of lines side by side."""
    return [(" " * gap).join(texts) for texts in zip(*blocks, strict=True)]


def blocks_of(grid: Grid) -> list[list[str]]:
    """Lay out each group of columns, and each column without one, for itself."""
    columns = columns_of(grid)
    has_names = any(column.group for column in grid.columns)
    blocks: list[list[str]] = []
    for name, numbers in groupby(range(len(columns)), lambda n: grid.columns[n].group):
        of_name = [columns[number] for number in numbers]
        if name:
            blocks.append(_below(visible(name), joined(of_name, grid.spacing.gap)))
        else:
            blocks += [_below("", texts) if has_names else texts for texts in of_name]
    return blocks


def _below(name: str, lines: Sequence[str]) -> list[str]:
    """Put a name above lines so that it ends with the last head."""
    after = len(lines[0]) - len(lines[0].rstrip()) if name else 0
    width = max(text_width(lines[0]), text_width(name) + after)
    return [_right(line, width) for line in (name + " " * after, *lines)]


def columns_of(grid: Grid) -> list[list[str]]:
    """Bring the cells of each column to one width; heads come first, if any."""
    rows = [*grid.rows]
    if not rows or any(column.head for column in grid.columns):
        rows.insert(0, tuple(Cell(column.head) for column in grid.columns))
    return [
        _column(column, cells, grid.spacing)
        for column, cells in zip(grid.columns, zip(*rows, strict=True), strict=True)
    ]


def _column(column: Column, cells: Sequence[Cell], spacing: Spacing) -> list[str]:
    texts = [visible(cell.text) for cell in cells]
    if column.align == "left":
        room, least, place = 0, 0, left
    else:
        room, least, place = spacing.marks, spacing.least, _right
    if column.align == "decimal":
        texts = _by_point(texts)
    # Numbers end in one place, marks stand behind it.
    marks = [visible(cell.above).translate(_ABOVE) + cell.mark for cell in cells]
    room = max(room, *map(len, marks))
    texts = [f"{text}{mark:<{room}}" for text, mark in zip(texts, marks, strict=True)]
    width = max(least + room, *map(text_width, texts))
    return [
        _STYLES.get(cell.emphasis, str)(place(text, width))
        for cell, text in zip(cells, texts, strict=True)
    ]


def _by_point(texts: Sequence[str]) -> list[str]:
    """Fill numbers up with blanks so that their decimal points are in one place.

    >>> _by_point(["F1", "1.25", "12.5", "7"])
    ['F1', '1.25', '12.5 ', '7   ']
    """
    ends = [text[text.find(".") :] if "." in text else "" for text in texts]
    room = max(map(len, ends))
    return [
        text + " " * (room - len(end)) if re.match(r"[-+]?[.\d]", text) else text
        for text, end in zip(texts, ends, strict=True)
    ]
