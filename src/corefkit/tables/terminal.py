"""Convert parts of pages to text for a terminal.

Tables fit the width of the terminal: `COLUMNS` if it is set, else the width that the
terminal reports, by default 80 columns. If a table is too wide, names are shortened
first, then column heads; finally the table is split into several tables. Widths are
display widths: East Asian letters take two columns, combining marks none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import accumulate, chain, groupby
from os.path import commonprefix
from textwrap import wrap
from typing import TYPE_CHECKING

from corefkit.strings import (
    ESCAPE,
    bold,
    dim,
    escape_lines,
    escape_terminal,
    get_width,
    red,
    remove_colours,
)
from corefkit.tables.model import (
    Bullets,
    Cell,
    Column,
    Emphasis,
    Heading,
    Note,
    Paragraph,
    Table,
    flatten_parts,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.tables.model import Bullet, Part

READING_WIDTH = 88  # of pages that are mostly text
GAP = "  "
_CUT = "…"
_MIN_NAME_WIDTH = 12  # columns; names are never shortened further
_STORED_SUFFIX = ".json"  # of the output of `score`
_SINGLE_LINE = r"\S(?:[^\t\n\v\f\r]*\S)?"
_UNDERLINES = {1: "=", 2: "=", 3: "-"}
_STYLES = {Emphasis.BEST: bold, Emphasis.HIGHEST: bold, Emphasis.WRONG: red}


def label_paths(paths: Sequence[str]) -> list[str]:
    """Return short and unique labels of paths: file names, if these are unique.

    Otherwise full paths are used; duplicate paths are numbered.
    """
    from pathlib import PurePath

    numbered = [f"{number}. {path}" for number, path in enumerate(paths, start=1)]
    candidates = ([PurePath(path).name for path in paths], list(paths), numbered)
    return next(labels for labels in candidates if len(set(labels)) == len(labels))


def strip_suffixes(names: Sequence[str]) -> list[str]:
    """Remove suffixes of supported formats, unless names become duplicates."""
    from corefkit.formats import FORMATS

    of_formats = {suffix for format in FORMATS.values() for suffix in format.suffixes}
    suffixes = sorted(of_formats | {_STORED_SUFFIX}, key=len, reverse=True)
    short = []
    for name in names:
        suffix = next((suffix for suffix in suffixes if name.endswith(suffix)), "")
        short.append(name.removesuffix(suffix) or name)
    return short if len({*short}) == len(short) else [*names]


def shorten_names(names: Sequence[str], limit: int) -> list[str]:
    """Shorten names to a number of columns so that different names stay different.

    The middle of long names is cut out, or both ends, if names differ in the middle.
    The limit is exceeded if no such cut keeps them different.
    """
    prefix = commonprefix(names)  # noqa: RUF071 - not paths
    word = re.search(r"[^\W_]*\Z", prefix)
    longest = _measure_lines(names)
    for room in range(limit, longest):
        # From the start of the word in which names differ, if there is room.
        start = max(len(prefix) - room // 3, word.start() if word else 0)
        for first in {0: None, start: None}:
            short = [_shorten_name(name, room, first) for name in names]
            if len(set(short)) == len(set(names)):
                return short
    return list(names)


def _shorten_name(name: str, room: int, first: int) -> str:
    """Cut out the middle of a long name, or its end and the part before `first`."""
    if measure_width(name) <= room:
        return name
    if first:
        part = _take_columns(name[first:], room - 2)
        return f"{_CUT}{part}{_CUT if first + len(part) < len(name) else ''}"
    start = _take_columns(name, room // 2)
    end = _take_columns(name[::-1], room - measure_width(start) - 1)[::-1]
    # Combining marks stay with their letter.
    while end and not measure_width(end[0]):
        end = end[1:]
    return f"{start}{_CUT}{end}"


def _take_columns(text: str, width: int) -> str:
    used = accumulate(map(measure_width, text))
    return text[: sum(columns <= width for columns in used)]


def get_reading_width() -> int:
    """Return the width of a page of text: 88 columns, less on a small terminal."""
    return min(READING_WIDTH, get_width(READING_WIDTH))


def render_terminal(parts: Iterable[Part], *, width: int | None = None) -> str:
    """Convert parts of a page to text, by default as wide as the terminal."""
    room = width or get_width()
    texts: list[str] = []  # error listings have thousands of notes
    is_after_note = False
    for part in [*flatten_parts(parts)]:
        block = "\n".join(_render_part(part, room))
        if block:
            gap = "\n" if is_after_note and isinstance(part, Note) else "\n\n"
            texts += [gap, block] if texts else [block]
            is_after_note = isinstance(part, Note)
    return "".join(texts)


def _render_part(part: Part, width: int) -> list[str]:
    match part:
        case Table():
            return _render_table(part, width)
        case Note():
            text = escape_invisible(part.text)
            return [dim(text) if part.is_code else text]
        case Heading():
            lines = wrap_text(escape_invisible(part.text), width=width)
            underline = _UNDERLINES[part.level] * max(map(measure_width, lines))
            return [*map(bold, lines), underline]
        case Paragraph():
            return wrap_text(escape_invisible(part.text), width=width)
        case Bullets():
            return list(_render_bullets(part, width))
        case _:
            return []  # figures and charts: tables have their numbers


def escape_invisible(text: str) -> str:
    """Escape control characters and the like."""
    return text if text.isprintable() else escape_terminal(text)


def measure_width(text: str) -> int:
    """Return the number of columns that a text takes on a terminal."""
    if ESCAPE in text:
        text = remove_colours(text)
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        0
        if category(letter) in {"Mn", "Me"}
        else 1 + (east_asian_width(letter) in "WF")
        for letter in text
    )


def wrap_text(text: str, *, width: int, first: str = "", later: str = "") -> list[str]:
    """Wrap a text; the first line begins with `first`, the others with `later`."""
    used = measure_width(first) + measure_width(text)
    if used <= width and re.fullmatch(_SINGLE_LINE, text):
        return [first + text]  # the usual case; textwrap is slow
    full_text = first + text
    if full_text.isascii() or all(measure_width(letter) == 1 for letter in full_text):
        return wrap(
            text,
            width,
            initial_indent=first,
            subsequent_indent=later,
            break_long_words=False,
            break_on_hyphens=False,
        )
    # textwrap counts letters, not columns.
    lines: list[str] = []
    line, indent = "", first
    for word in text.split():
        longer = f"{line} {word}" if line else indent + word
        if line and measure_width(longer) > width:
            lines.append(line)
            indent = later
            longer = indent + word
        line = longer
    return [*lines, line] if line else lines


def _render_bullets(part: Bullets, width: int) -> Iterator[str]:
    indent = GAP if part.title else ""
    lead = f"{part.title}: {part.text}" if part.title else part.text
    yield from wrap_text(escape_invisible(lead), width=width)
    words = [escape_invisible(bullet.word) for bullet in part.items]
    room = _measure_lines(words)
    for bullet, word in zip(part.items, words, strict=True):
        start = f"{indent}{_pad_right(word, room)}{GAP}" if room else indent
        longest = _measure_lines(escape_invisible(bullet.text).split())
        if word and (longest > width - measure_width(start) or room > width // 2):
            # Paths are not broken, so that they can be copied.
            yield indent + word
            start = indent + GAP
        yield from _render_bullet(bullet, start, width)
    end = escape_invisible(part.end)
    yield from wrap_text(end, width=width, first=indent, later=indent)


def _render_bullet(bullet: Bullet, start: str, width: int) -> Iterator[str]:
    indent = " " * measure_width(start)
    text = ": ".join(filter(None, [bullet.text, ", ".join(bullet.see)]))
    yield from wrap_text(escape_invisible(text), width=width, first=start, later=indent)
    for line in map(escape_invisible, bullet.lines):
        yield from wrap_text(line, width=width, first=indent, later=indent)


def align_rows(
    rows: Sequence[Sequence[str]],
    *,
    width: int,
    min_width: int = 0,
    indent: str = GAP,
) -> list[str]:
    """Align rows of words to the left; the last column is wrapped."""
    widths = [max(map(measure_width, column)) for column in zip(*rows, strict=True)]
    later = " " * (len(indent) + sum(widths[:-1]) + len(GAP) * (len(widths) - 1))
    room = max(width, len(later) + min_width)
    lines: list[str] = []
    for *words, last in rows:
        padded = map(_pad_right, words, widths)
        first = indent + "".join(f"{word}{GAP}" for word in padded)
        wrapped = wrap_text(last, width=room, first=first, later=later)
        lines += wrapped or [first.rstrip()]
    return lines


def _pad_right(text: str, width: int) -> str:
    return text + " " * (width - measure_width(text))


def _pad_left(text: str, width: int) -> str:
    return " " * (width - measure_width(text)) + text


def _measure_lines(lines: Iterable[str]) -> int:
    return max(map(measure_width, lines), default=0)


def _render_table(table: Table, width: int) -> list[str]:
    lines = _lay_out(table)
    if _measure_lines(lines) > width:
        for lines in _iter_narrow_layouts(table, width):
            if _measure_lines(lines) <= width:
                break
    if table.caption:
        captions = escape_lines(table.caption).split("\n")
        lines = [*chain(*(wrap_text(line, width=width) for line in captions)), *lines]
    return [*lines, *map(escape_invisible, table.notes)]


def _lay_out(table: Table) -> list[str]:
    """Lay a table out at its full width; rows end with the ids of their cells."""
    lines = _join_blocks(_make_blocks(table), table.gap)
    start = len(lines) - len(table.rows)
    for number, row in enumerate(table.rows, start):
        ids = dict.fromkeys(cell.see for cell in row if cell.see)
        lines[number] = (" " * table.gap).join([lines[number], *ids])
    return [line.rstrip() for line in lines]


def _join_blocks(blocks: Iterable[Sequence[str]], gap: int) -> list[str]:
    return [(" " * gap).join(texts) for texts in zip(*blocks, strict=True)]


def _make_blocks(table: Table) -> list[list[str]]:
    """Lay out each group of columns, and each column that is not in a group."""
    columns = _format_columns(table)
    has_groups = any(column.group for column in table.columns)
    blocks: list[list[str]] = []
    for name, numbers in groupby(range(len(columns)), lambda n: table.columns[n].group):
        group = [columns[number] for number in numbers]
        if name:
            lines = _join_blocks(group, table.gap)
            blocks.append(_add_group_head(escape_invisible(name), lines))
        else:
            blocks += [
                _add_group_head("", texts) if has_groups else texts for texts in group
            ]
    return blocks


def _add_group_head(name: str, lines: Sequence[str]) -> list[str]:
    """Put a name above lines so that it ends with the last head."""
    blanks = len(lines[0]) - len(lines[0].rstrip()) if name else 0
    width = max(measure_width(lines[0]), measure_width(name) + blanks)
    return [_pad_left(line, width) for line in (name + " " * blanks, *lines)]


def _format_columns(table: Table) -> list[list[str]]:
    """Pad the cells of each column to one width; heads come first, if any."""
    rows = [*table.rows]
    if not rows or any(column.head for column in table.columns):
        rows.insert(0, tuple(Cell(column.head) for column in table.columns))
    return [
        _format_column(column, cells, table)
        for column, cells in zip(table.columns, zip(*rows, strict=True), strict=True)
    ]


def _format_column(column: Column, cells: Sequence[Cell], table: Table) -> list[str]:
    texts = [escape_invisible(cell.text) for cell in cells]
    if column.align == "left":
        mark_width, min_width, pad = 0, 0, _pad_right
    else:
        mark_width, min_width, pad = table.mark_width, table.min_width, _pad_left
    # Numbers are aligned; their marks follow.
    marks = [escape_invisible(cell.above) + cell.mark for cell in cells]
    mark_width = max(mark_width, *map(len, marks))
    texts = [
        f"{text}{mark:<{mark_width}}" for text, mark in zip(texts, marks, strict=True)
    ]
    width = max(min_width + mark_width, *map(measure_width, texts))
    return [
        _STYLES.get(cell.emphasis, str)(pad(text, width))
        for cell, text in zip(cells, texts, strict=True)
    ]


def _iter_narrow_layouts(table: Table, width: int) -> Iterator[list[str]]:
    """Lay a table out in ways that need less and less room."""
    if table.columns[-1].align == "left":
        if table.first == "names":
            yield from map(_lay_out, _shorten_gradually(table, width))
            table = _shorten_table(table, _MIN_NAME_WIDTH)
        *texts, last = _format_columns(table)
        words = zip(*texts, [text.rstrip() for text in last], strict=True)
        yield align_rows([*words], width=width, indent="")
        if table.first == "names":
            yield _split_columns(table, width)
        return
    if table.first == "sentences":
        yield _lay_out_sentences(table)
    tight = replace(table, columns=table.short_columns, mark_width=0)
    for candidate in (table, tight):
        yield _lay_out(candidate)
        yield from map(_lay_out, _shorten_gradually(candidate, width))
    limit = max(_MIN_NAME_WIDTH, width // 3)
    yield _split_columns(_shorten_table(tight, limit), width)


def _lay_out_sentences(table: Table) -> list[str]:
    """Put the first column on separate lines."""
    rows = tuple(row[1:] for row in table.rows)
    lines = _lay_out(replace(table, columns=table.columns[1:], rows=rows))
    sentences = [escape_invisible(row[0].text) for row in table.rows]
    heads = len(lines) - len(sentences)
    sentences = [*[""] * (heads - 1), table.columns[0].head, *sentences][-len(lines) :]
    merged: list[str] = []
    for sentence, line in zip(sentences, lines, strict=True):
        merged += [*([sentence] if sentence else []), f"{GAP}{line}".rstrip()]
    return merged


def _shorten_gradually(table: Table, width: int) -> Iterator[Table]:
    """Yield the table with shorter and shorter names."""
    if table.first != "labels":
        name_width = measure_width(_format_columns(table)[0][0])
        limits = [name_width - (_measure_lines(_lay_out(table)) - width)]
    else:
        names = {column.group for column in table.columns}
        names |= {column.head for column in table.columns if column.is_name}
        longest = max(map(measure_width, names))
        limits = [*range(longest - 1, _MIN_NAME_WIDTH - 1, -1)]
    for limit in limits:
        if limit >= _MIN_NAME_WIDTH:
            yield _shorten_table(table, limit)


def _shorten_table(table: Table, limit: int) -> Table:
    def shorten(names: Iterable[str]) -> dict[str, str]:
        distinct = [*dict.fromkeys(names)]
        short = shorten_names([*map(escape_invisible, distinct)], limit)
        return dict(zip(distinct, short, strict=True))

    groups = shorten(column.group for column in table.columns)
    heads = shorten(column.head for column in table.columns if column.is_name)
    columns = tuple(
        column._replace(
            head=heads[column.head] if column.is_name else column.head,
            group=groups[column.group],
        )
        for column in table.columns
    )
    if table.first == "labels":
        return replace(table, columns=columns)
    names = shorten(row[0].text for row in table.rows)
    rows = [(row[0]._replace(text=names[row[0].text]), *row[1:]) for row in table.rows]
    return replace(table, columns=columns, rows=tuple(rows))


def _split_columns(table: Table, width: int) -> list[str]:
    """Split a table between groups of columns, and repeat the label columns."""
    blocks = _make_blocks(table)
    labels, numbers = blocks[: table.label_columns], blocks[table.label_columns :]
    lines: list[str] = []
    piece = [*labels]
    for block in numbers:
        fits = _measure_lines(_join_blocks([*piece, block], table.gap)) <= width
        if not fits and len(piece) > len(labels):
            lines += [*_join_blocks(piece, table.gap), ""]
            piece = [*labels]
        piece.append(block)
    return [line.rstrip() for line in (*lines, *_join_blocks(piece, table.gap))]
