"""Pages as text for a terminal.

Tables keep to the width of the terminal: `COLUMNS` if it is set, else the width that
the terminal reports, else 80 columns. If a grid is wider, names are shortened, then
column heads; at last the grid is split into several, one below the other. Widths are
display widths: East Asian letters take two columns, combining marks none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
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
from corefkit.tables.model import Cell, Column, Emphasis, Note, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from corefkit.tables.model import Bullet, Bullets, Part

_CUT = "…"
_NUMBER = re.compile(r" *[0-9]+[.]? ")  # before a name
_LEAST = 8  # columns that a name is cut to behind its number
_STORED = ".json"  # what `score` printed before


def label_paths(paths: Sequence[str]) -> list[str]:
    """Name paths by their file names, or where two are alike by the whole paths.

    Where these are alike too, as for what is in memory, they are numbered.

    >>> label_paths(["x/a.conll", "y/b.conll"]), label_paths(["x/a.conll", "y/a.conll"])
    (['a.conll', 'b.conll'], ['x/a.conll', 'y/a.conll'])
    >>> label_paths(["response", "response"])
    ['1. response', '2. response']
    """
    from pathlib import PurePath

    numbered = [f"{number}. {path}" for number, path in enumerate(paths, start=1)]
    ways = ([PurePath(path).name for path in paths], list(paths), numbered)
    return next(names for names in ways if len(set(names)) == len(names))


def strip_suffixes(names: Sequence[str]) -> list[str]:
    """Leave out the endings of file names, unless two names become alike.

    >>> strip_suffixes(["a.conll", "b.jsonl"]), strip_suffixes(["a.conll", "a.jsonl"])
    (['a', 'b'], ['a.conll', 'a.jsonl'])
    >>> strip_suffixes(["v1.2", "v2.2"])
    ['v1.2', 'v2.2']
    """
    # Imported here because formats are many, and few pages leave endings out.
    from corefkit.formats import FORMATS

    of_formats = {ending for format in FORMATS.values() for ending in format.suffixes}
    endings = sorted(of_formats | {_STORED}, key=len, reverse=True)
    short = []
    for name in names:
        ending = next((end for end in endings if name.endswith(end)), "")
        short.append(name.removesuffix(ending) or name)
    return short if len({*short}) == len(short) else [*names]


def shorten_names(
    names: Sequence[str], limit: int, *, width: Callable[[str], int] = len
) -> list[str]:
    """Cut the middle out of names wider than a limit so that no two become alike.

    An ending of files that all share is left out first. Names that differ only where
    they are cut are cut elsewhere, or at both ends, or less. Names that are alike stay
    alike. Names with numbers are told apart without these, if there is room for it.

    >>> shorten_names(["a-very-long-name-of-a-system.conll", "short"], 18)
    ['a-very-lo…em.conll', 'short']
    >>> shorten_names(["system-one-of-two.conll", "system-two-of-two.conll"], 14)
    ['syst…ne-of-two', 'syst…wo-of-two']
    >>> shorten_names(["(story/lamps); part 000", "(story/light); part 000"], 12)
    ['…lamps…', '…light…']
    >>> shorten_names([f"(bc/cctv_{at:04}); part {at // 2:03}" for at in range(3)], 12)
    ['…/cctv_0000…', '…/cctv_0001…', '…/cctv_0002…']
    >>> shorten_names(["1. team-a-of-a-place.conll", "2. team-b-of-a-place.conll"], 14)
    ['1. team-a-o…ce', '2. team-b-o…ce']
    """
    numbers = [_NUMBER.match(name) for name in names]
    known = [number[0] for number in numbers if number is not None]
    room = limit - max(map(width, known), default=0)
    if len(known) == len(names) > 1 and room >= _LEAST:
        parts = [name.removeprefix(known[at]) for at, name in enumerate(names)]
        short = [*map(str.__add__, known, _cut_names(parts, room, width))]
        if max(map(width, short)) <= limit:
            return short
    return _cut_names(names, limit, width)


def _cut_names(
    names: Sequence[str], limit: int, width: Callable[[str], int]
) -> list[str]:
    from pathlib import PurePath

    longest = max(map(width, names), default=0)
    endings = {PurePath(name).suffix for name in names}
    if longest > limit and len(names) > 1 and _is_ending(*endings):
        names = [name.removesuffix(*endings) for name in names]
        longest = max(map(width, names))
    different = len(set(names))
    room, cores = limit, _cores(names, width)
    while room < longest:
        # The start tells most names apart, the end those with a number.
        for start in (room // 2, room // 3, room - room // 3, room - 4, 2):
            short = [
                name if width(name) <= room else _cut(name, start, room, width)
                for name in names
            ]
            if len(set(short)) == different:
                return short
        if max(map(width, cores)) <= room:
            return cores
        for behind in _ends(names, room):
            short = [
                name if width(name) <= room else _window(name, behind, room, width)
                for name in names
            ]
            if len(set(short)) == different:
                return short
        room += max(1, room // 8)
    return list(names)


def _is_ending(ending: str, *others: str) -> bool:
    """Say whether all files have one ending, and no other sign of a point."""
    return not others and ending[1:].isalnum()


def _cores(names: Sequence[str], width: Callable[[str], int]) -> list[str]:
    """Leave out what all names begin and end with, as far as a word is not cut."""

    def inside(letter: str) -> bool:
        # A mark that combines with a letter has no width and stays with it.
        return letter.isalnum() or not width(letter)

    begin = commonprefix(names)  # noqa: RUF071 - letters are what is compared
    while begin and inside(begin[-1]):
        begin = begin[:-1]
    rests = [name[len(begin) :] for name in names]
    end = commonprefix([rest[::-1] for rest in rests])[::-1]  # noqa: RUF071
    while end and inside(end[0]):
        end = end[1:]
    return [
        f"{_CUT * bool(begin)}{rest.removesuffix(end)}{_CUT * bool(end)}"
        for rest in rests
    ]


def _cut(name: str, start: int, room: int, width: Callable[[str], int]) -> str:
    """Keep about `start` columns of a name's beginning, and of its end what fits.

    Marks that combine with a letter have no width and stay with it.
    """
    first = _fitting(name, start, width)
    last = _fitting(name[::-1], room - width(first) - 1, width)[::-1]
    # Without the letter that they stand on, marks would go to the sign of the cut.
    while last and not width(last[0]):
        last = last[1:]
    return f"{first}{_CUT}{last}"


def _ends(names: Sequence[str], most: int) -> list[int]:
    """Count the letters at the end of all names that come behind a word, most first."""
    return [
        size
        for size in range(most - 1, 0, -1)
        if all(
            name[-size - 1 : -size].isalnum() and not name[-size].isalnum()
            for name in names
            if len(name) > size
        )
    ]


def _window(name: str, behind: int, room: int, width: Callable[[str], int]) -> str:
    """Leave out so many letters of a name's end, and of its beginning what is more."""
    kept = _fitting(name[:-behind][::-1], room - 2, width)[::-1]
    while kept and not width(kept[0]):
        kept = kept[1:]
    return f"{_CUT}{kept}{_CUT}"


def _fitting(text: str, room: int, width: Callable[[str], int]) -> str:
    size = used = 0
    for letter in text:
        used += width(letter)
        if used > room:
            break
        size += 1
    return text[:size]


READING_WIDTH = 88  # of pages that are mostly text
GAP = "  "
_ONE_LINE = r"\S(?:[^\t\n\v\f\r]*\S)?"
_LINES = {1: "=", 2: "=", 3: "-"}
_STYLES = {Emphasis.BEST: bold, Emphasis.HIGHEST: bold, Emphasis.WRONG: red}
_ABOVE = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def get_reading_width() -> int:
    """Find out how wide a page of text is: 88 columns, or less on a small terminal."""
    return min(READING_WIDTH, get_width(READING_WIDTH))


def render_terminal(parts: Iterable[Part], *, width: int | None = None) -> str:
    """Write the parts of a page, as wide as the terminal unless a width is given.

    >>> from corefkit.tables.model import make_rows, make_columns
    >>> grid = Table(
    ...     make_columns(["", "F1"]), make_rows([["MUC", "60.47"], ["LEA", "5.70"]])
    ... )
    >>> print(render_terminal([grid, Note("in percent")]))
            F1
    MUC  60.47
    LEA   5.70
    <BLANKLINE>
    in percent
    """
    room = width or get_width()
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
        case Table():
            return grid_lines(part, width=width)
        case Note():
            text = escape_invisible(part.text)
            return [dim(text) if part.is_code else text]
        case _:
            return _lines_of_text(part, width)


def _lines_of_text(part: Part, width: int) -> list[str]:
    """Write the parts of a page that tables of scores lack."""
    # Imported here because most runs print tables alone, and every start would pay.
    from corefkit.tables.model import (
        Beside,
        Bullets,
        Findings,
        Folded,
        Fragment,
        Heading,
        Paragraph,
        Statement,
    )

    match part:
        case Heading():
            lines = wrap_text(escape_invisible(part.text), width=width)
            under = _LINES[part.level] * max(map(measure_width, lines))
            return [*map(bold, lines), under]
        case Paragraph():
            return wrap_text(escape_invisible(part.text), width=width)
        case Bullets():
            return list(_list_lines(part, width))
        case Statement() | Findings() | Beside() | Folded() | Fragment():
            from corefkit.tables.model import flatten_parts

            return [render_terminal(flatten_parts(part), width=width)]
        case _:
            return []  # figures and bars: grids have their numbers


def escape_invisible(text: str) -> str:
    """Show what cannot be seen in a text; most have nothing of the kind."""
    return text if text.isprintable() else escape_terminal(text)


def measure_width(text: str) -> int:
    """Count the columns that a text takes on a terminal.

    >>> (
    ...     measure_width("key"),
    ...     measure_width("鍵"),
    ...     measure_width("e\N{COMBINING ACUTE ACCENT}"),
    ... )
    (3, 2, 1)
    """
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
    """Break a text into lines; the first begins with `first`, the others with `later`.

    >>> wrap_text("one two", width=88, first="- ")
    ['- one two']
    """
    used = measure_width(first) + measure_width(text)
    if used <= width and re.fullmatch(_ONE_LINE, text):
        return [first + text]  # most are, and to wrap takes long
    whole = first + text
    if not whole.isascii() and any(measure_width(letter) != 1 for letter in whole):
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
        if line and measure_width(longer) > width:
            lines.append(line)
            start = later
            longer = start + word
        line = longer
    return [*lines, line] if line else lines


def _list_lines(part: Bullets, width: int) -> Iterator[str]:
    indent = GAP if part.title else ""
    lead = f"{part.title}: {part.text}" if part.title else part.text
    yield from wrap_text(escape_invisible(lead), width=width)
    words = [escape_invisible(item.word) for item in part.items]
    room = max(map(measure_width, words), default=0)
    for item, word in zip(part.items, words, strict=True):
        start = f"{indent}{left(word, room)}{GAP}" if room else indent
        too_long = _longest(item.text) > width - measure_width(start)
        if word and (too_long or room > width // 2):
            # A path stays whole, so that it can be copied, and leaves room for words.
            yield indent + word
            start = indent + GAP
        yield from _item_lines(item, start, width)
    yield from wrap_text(
        escape_invisible(part.end), width=width, first=indent, later=indent
    )


def _longest(text: str) -> int:
    """Measure the longest word of a text."""
    return max(map(measure_width, escape_invisible(text).split()), default=0)


def _item_lines(item: Bullet, start: str, width: int) -> Iterator[str]:
    under = " " * measure_width(start)
    text = ": ".join(filter(None, [item.text, ", ".join(item.see)]))
    yield from wrap_text(escape_invisible(text), width=width, first=start, later=under)
    for line in item.lines:
        yield from wrap_text(
            escape_invisible(line), width=width, first=under, later=under
        )


def left(text: str, width: int) -> str:
    """Fill a text up with blanks to a width."""
    return text + " " * (width - measure_width(text))


def _right(text: str, width: int) -> str:
    return " " * (width - measure_width(text)) + text


def grid_lines(grid: Table, *, width: int) -> list[str]:
    """Lay a grid out within a width."""
    lines = lines_of(grid)
    if widest(lines) > width:
        # Imported here because few grids are too wide.

        lines = narrow_lines(grid, width)
    if grid.caption:
        lines = [*escape_lines(grid.caption).split("\n"), *lines]
    return [*lines, *map(escape_invisible, grid.notes)]


def widest(lines: Iterable[str]) -> int:
    """Measure the widest of some lines."""
    return max(map(measure_width, lines), default=0)


def lines_of(grid: Table) -> list[str]:
    """Lay a grid out as wide as it is, and name at the end of rows what to see."""
    lines = joined(blocks_of(grid), grid.gap)
    start = len(lines) - len(grid.rows)
    for number, row in enumerate(grid.rows, start):
        ids = dict.fromkeys(cell.see for cell in row if cell.see)
        lines[number] = (" " * grid.gap).join([lines[number], *ids])
    return [line.rstrip() for line in lines]


def joined(blocks: Iterable[Sequence[str]], gap: int) -> list[str]:
    """Put blocks of lines side by side."""
    return [(" " * gap).join(texts) for texts in zip(*blocks, strict=True)]


def blocks_of(grid: Table) -> list[list[str]]:
    """Lay out each group of columns, and each column without one, for itself."""
    columns = columns_of(grid)
    has_names = any(column.group for column in grid.columns)
    blocks: list[list[str]] = []
    for name, numbers in groupby(range(len(columns)), lambda n: grid.columns[n].group):
        of_name = [columns[number] for number in numbers]
        if name:
            blocks.append(_below(escape_invisible(name), joined(of_name, grid.gap)))
        else:
            blocks += [_below("", texts) if has_names else texts for texts in of_name]
    return blocks


def _below(name: str, lines: Sequence[str]) -> list[str]:
    """Put a name above lines so that it ends with the last head."""
    after = len(lines[0]) - len(lines[0].rstrip()) if name else 0
    width = max(measure_width(lines[0]), measure_width(name) + after)
    return [_right(line, width) for line in (name + " " * after, *lines)]


def columns_of(grid: Table) -> list[list[str]]:
    """Bring the cells of each column to one width; heads come first, if any."""
    rows = [*grid.rows]
    if not rows or any(column.head for column in grid.columns):
        rows.insert(0, tuple(Cell(column.head) for column in grid.columns))
    return [
        _column(column, cells, grid)
        for column, cells in zip(grid.columns, zip(*rows, strict=True), strict=True)
    ]


def _column(column: Column, cells: Sequence[Cell], grid: Table) -> list[str]:
    texts = [escape_invisible(cell.text) for cell in cells]
    if column.align == "left":
        room, least, place = 0, 0, left
    else:
        room, least, place = grid.mark_width, grid.min_width, _right
    if column.align == "decimal":
        texts = _by_point(texts)
    # Numbers end in one place, marks stand behind it.
    marks = [
        escape_invisible(cell.above).translate(_ABOVE) + cell.mark for cell in cells
    ]
    room = max(room, *map(len, marks))
    texts = [f"{text}{mark:<{room}}" for text, mark in zip(texts, marks, strict=True)]
    width = max(least + room, *map(measure_width, texts))
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


_LEAST_NAME = 12  # columns that a name is never cut below


def narrow_lines(grid: Table, width: int) -> list[str]:
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
        mark_width=0,
    )
    for candidate in (grid, tight):
        for named in (candidate, *_with_shorter_names(candidate, width)):
            lines = lines_of(named)
            if widest(lines) <= width:
                return lines
    return _in_pieces(_shortened(tight, max(_LEAST_NAME, width // 3)), width)


def _wrapped_at_the_end(grid: Table, width: int) -> list[str]:
    """Wrap the words of the last column, if names that are shorter do not suffice."""
    if grid.first == "names":
        for named in _with_shorter_names(grid, width):
            if widest(lines_of(named)) <= width:
                return lines_of(named)
        grid = _shortened(grid, _LEAST_NAME)
    rows = zip(*columns_of(grid), strict=True)
    words = [(*texts, last.rstrip()) for *texts, last in rows]
    lines = align_rows(words, width=width, indent="")
    if grid.first == "names" and widest(lines) > width:
        return _in_pieces(grid, width)
    return lines


def align_rows(
    rows: Sequence[Sequence[str]], *, width: int, least: int = 0, indent: str = GAP
) -> list[str]:
    """Align rows of words to the left; the last column is wrapped, but has some room.

    >>> align_rows([("a", "1"), ("bcd", "2")], width=88)
    ['  a    1', '  bcd  2']
    """
    widths = [max(map(measure_width, column)) for column in zip(*rows, strict=True)]
    under = " " * (len(indent) + sum(widths[:-1]) + len(GAP) * (len(widths) - 1))
    room = max(width, len(under) + least)
    lines: list[str] = []
    for *words, last in rows:
        start = "".join(f"{word}{GAP}" for word in map(left, words, widths))
        first = indent + start
        lines += wrap_text(last, width=room, first=first, later=under) or [
            first.rstrip()
        ]
    return lines


def _apart(grid: Table) -> list[str]:
    """Put what the first column says on lines of its own."""
    rows = tuple(row[1:] for row in grid.rows)
    others = lines_of(replace(grid, columns=grid.columns[1:], rows=rows))
    words = [escape_invisible(row[0].text) for row in grid.rows]
    heads = len(others) - len(words)
    words = [*[""] * (heads - 1), grid.columns[0].head, *words][-len(others) :]
    lines: list[str] = []
    for word, line in zip(words, others, strict=True):
        lines += [*([word] if word else []), f"{GAP}{line}".rstrip()]
    return lines


def _with_shorter_names(grid: Table, width: int) -> Iterator[Table]:
    """Go through ways to shorten the names of a grid, by less to by more."""
    if grid.first != "labels":
        first = measure_width(columns_of(grid)[0][0])
        limits = [first - (widest(lines_of(grid)) - width)]
    else:
        names = {column.group for column in grid.columns}
        names |= {column.head for column in grid.columns if column.is_name}
        limits = [*range(max(map(measure_width, names)) - 1, _LEAST_NAME - 1, -1)]
    for limit in limits:
        if limit >= _LEAST_NAME:
            yield _shortened(grid, limit)


def _shortened(grid: Table, limit: int) -> Table:
    def short(names: Iterable[str]) -> dict[str, str]:
        different = [*dict.fromkeys(names)]
        seen = shorten_names(
            [*map(escape_invisible, different)], limit, width=measure_width
        )
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


def _in_pieces(grid: Table, width: int) -> list[str]:
    """Cut a grid between columns, but not within a group, and repeat the first ones."""
    gap = grid.gap
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
