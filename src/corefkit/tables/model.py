"""Parts of a page as plain values: tables, headings, paragraphs, lists, charts.

The writer of each format escapes their text. A part that only HTML supports has a plain
form for the other formats.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path


class Emphasis(Enum):
    """How a cell is emphasized, if the format supports it."""

    NONE = "none"
    BEST = "best"
    HIGHEST = "highest"  # on a terminal only: a difference may be due to chance
    STRUCK = "struck"
    WRONG = "wrong"  # the meaning of the mark is spelled out


class Cell(NamedTuple):
    text: str
    mark: str = ""  # a sign after the text, explained by the page
    meaning: str = ""  # of the mark, in a word or two
    emphasis: Emphasis = Emphasis.NONE
    kind: str = ""  # a CSS class
    correction: str = ""  # the correct text, after a wrong text
    see: str = ""  # the id of an item with details
    above: str = ""  # letters in superscript after the text
    share: float | None = None  # between 0 and 1: the length of a small bar
    address: str = ""  # the target of a link, such as `#scores`


class Column(NamedTuple):
    head: str
    align: Literal["left", "right"] = "right"
    group: str = ""  # a head shared with adjacent columns
    short: str = ""  # the head on a narrow terminal
    is_name: bool = False  # the head is a name, which can be shortened


@dataclass(frozen=True, slots=True)
class Table:
    """A table. A row whose first cell is empty continues the row above."""

    # the columns; the first ones, aligned left, label the rows
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]  # the cells of each row
    caption: str = ""  # one or more lines above the table
    notes: tuple[str, ...] = ()  # footnotes, one line each
    # the content of the first column. On a narrow terminal, `names` are shortened, and
    # `sentences` get separate lines
    first: Literal["labels", "names", "sentences"] = "labels"
    gap: int = 2  # blanks between columns on a terminal
    min_width: int = 0  # the minimum width of columns of numbers on a terminal
    mark_width: int = 0  # room for marks after numbers, reserved even if there are none
    is_sortable: bool = False  # whether a page in a browser can sort it by any column

    @property
    def label_columns(self) -> int:
        """The number of columns that label the rows."""
        aligns = [column.align for column in self.columns]
        return next((n for n, align in enumerate(aligns) if align != "left"), 1)

    @property
    def short_columns(self) -> tuple[Column, ...]:
        """The columns with short heads, if they have any."""
        return tuple(
            column._replace(head=column.short or column.head) for column in self.columns
        )

    @property
    def column_groups(self) -> list[tuple[str, int]]:
        """The name and size of each group of columns; empty without groups."""
        groups = groupby(column.group for column in self.columns)
        sizes = [(name, len([*columns])) for name, columns in groups]
        return sizes if any(name for name, _ in sizes) else []

    @property
    def row_groups(self) -> list[list[tuple[Cell, ...]]]:
        """Each row together with the rows that continue it."""
        groups: list[list[tuple[Cell, ...]]] = []
        for row in self.rows:
            if row[0].text or not groups:
                groups.append([])
            groups[-1].append(row)
        return groups


def make_columns(heads: Sequence[str], *, words: int = 1) -> tuple[Column, ...]:
    """Return columns: the first `words` label the rows, the others have numbers."""
    return tuple(
        Column(head, "left" if number < words else "right")
        for number, head in enumerate(heads)
    )


def make_rows(rows: Iterable[Iterable[Cell | str]]) -> tuple[tuple[Cell, ...], ...]:
    """Convert rows of texts, or of cells, to rows of cells."""
    return tuple(
        tuple(Cell(cell) if isinstance(cell, str) else cell for cell in row)
        for row in rows
    )


def mark_highest(
    rows: Sequence[Sequence[Cell]],
    *,
    columns: Sequence[int] | None = None,
    emphasis: Emphasis = Emphasis.HIGHEST,
) -> list[list[Cell]]:
    """Emphasize the highest number of columns, by default of all, unless all equal."""
    marked = [[*row] for row in rows]
    for number in range(len(marked[0])) if columns is None else columns:
        texts = {row[number].text for row in marked if row[number].text}
        highest = max(texts, key=float, default="")
        for row in marked:
            if len(texts) > 1 and row[number].text == highest:
                row[number] = row[number]._replace(emphasis=emphasis)
    return marked


def protect_indent(text: str) -> str:
    """Convert leading blanks, which Markdown, LaTeX and HTML ignore."""
    words = text.lstrip(" ")
    return "\N{NO-BREAK SPACE}" * (len(text) - len(words)) + words


class Note(NamedTuple):
    """A line about a page, such as the signature; adjacent notes form a block."""

    text: str
    is_code: bool = False


class Heading(NamedTuple):
    level: int  # 1 for the page, 2 for a section, 3 for a subsection
    text: str
    anchor: str  # the target of links
    short: str = ""  # the text of links, if it differs


class Paragraph(NamedTuple):
    """A paragraph; code in its text is between backquotes."""

    text: str
    is_literal: bool = False  # the text has names from the input, so no code


class Bullet(NamedTuple):
    text: str
    word: str = ""  # before the text
    lines: tuple[str, ...] = ()  # below the text
    kind: str = ""  # a CSS class
    anchor: str = ""  # the target of links
    see: tuple[str, ...] = ()  # ids of items with details


class Bullets(NamedTuple):
    """A list, optionally introduced by a title and text, and closed by a text."""

    items: tuple[Bullet, ...]
    title: str = ""
    text: str = ""
    end: str = ""


class Drawing(NamedTuple):
    """A figure from an SVG file; formats without figures skip it."""

    title: str
    drawing: Path | None
    about: str = ""  # a reference to the same numbers as text


class Beside(NamedTuple):
    """Parts that are side by side if there is room, else one below the other."""

    parts: tuple[Part, ...]


class Folded(NamedTuple):
    """Parts that a browser shows on demand."""

    title: str
    parts: tuple[Part, ...]


class Fragment:
    """A base class for parts that another package renders as HTML."""

    __slots__ = ()

    def to_html(self) -> str:
        raise NotImplementedError

    def to_data(self) -> str:
        """Return the JSON that the script of the page reads, if any."""
        return ""


@dataclass(frozen=True, slots=True)
class TemplatePart(Fragment):
    """A part that a template renders, such as `report/templates/reading.html`."""

    name: str
    values: Mapping[str, object]

    def to_html(self) -> str:
        from corefkit.tables.html import render_template

        return render_template(self.name, **self.values)


class Share(NamedTuple):
    kind: str
    label: str
    size: float  # negative: the bar goes back


class Bars(NamedTuple):
    """Stacked bars by name, for HTML; a table has the numbers."""

    bars: tuple[tuple[str, tuple[Share, ...]], ...]  # the segments of each bar
    title: str = ""  # a title, unless the text next to it is enough
    # the size of a bar of full width; by default the sum of its segments
    full_size: float | None = None


class Range(NamedTuple):
    """A number and its interval, if it has one."""

    series: int
    value: float
    low: float | None = None
    high: float | None = None


class Ranges(NamedTuple):
    """Numbers with intervals on one scale, one row for each label, for HTML."""

    title: str
    # the label and the numbers of each row
    rows: tuple[tuple[str, tuple[Range, ...]], ...]
    # the names of the series; a single series needs no legend
    series: tuple[str, ...] = ()


class Point(NamedTuple):
    """A point of a scatter plot, with a link."""

    x: float
    y: float
    size: float
    label: str
    address: str


class Scatter(NamedTuple):
    """A scatter plot, for HTML."""

    title: str
    across: str  # the label of the x axis
    up: str  # the label of the y axis
    points: tuple[Point, ...]
    is_square: bool = True  # whether both axes have the same scale, with a diagonal
    about: str = ""  # a reference to the same numbers as text


Part: TypeAlias = (
    "Heading | Paragraph | Note | Table | Bullets | Fragment | Drawing | Bars | Ranges"
    " | Scatter | Beside | Folded"
)


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    intro: tuple[Part, ...]
    parts: tuple[Part, ...]
    made_by: str  # the command


def flatten_parts(parts: Iterable[Part]) -> Iterator[Part]:
    """Convert parts that only HTML supports to their contents, or skip them."""
    for part in parts:
        match part:
            case Beside() | Folded():
                yield from flatten_parts(part.parts)
            case Fragment():
                pass
            case _:
                yield part
