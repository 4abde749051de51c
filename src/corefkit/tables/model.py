"""Parts of a page as plain values: tables, headings, paragraphs, lists, charts.

The writers of each format escape the text. Parts that only HTML can show have a plain
form for the other formats.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path


class Emphasis(Enum):
    """How a cell stands out where the output can show it."""

    NONE = "none"
    BEST = "best"
    HIGHEST = "highest"  # as BEST, but on a terminal alone: it says nothing of chance
    STRUCK = "struck"
    WRONG = "wrong"  # what the mark means is written out


class Cell(NamedTuple):
    """A cell of a grid."""

    text: str
    mark: str = ""  # a sign after the text, which the page explains
    meaning: str = ""  # what the mark means, in a word or two
    emphasis: Emphasis = Emphasis.NONE
    kind: str = ""  # by which a page in colours tells cells apart
    correction: str = ""  # the right text, after a wrong one
    see: str = ""  # the id of an item that says more
    above: str = ""  # letters or digits that stand above the end of the text
    share: float | None = None  # between 0 and 1: how much of a small bar is filled
    address: str = ""  # where the text leads to, as in `#scores`


class Column(NamedTuple):
    """A column of a grid."""

    head: str
    align: Literal["left", "right", "decimal"] = "right"  # decimal: by the points
    group: str = ""  # what stands above several columns in a row
    short: str = ""  # the head where there is little room
    is_name: bool = False  # the head is a name, which can be shortened


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells. A first cell that is empty belongs to the row above."""

    columns: tuple[Column, ...]  # the first ones, which are aligned left, name the rows
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""  # what stands above, in a line or several
    notes: tuple[str, ...] = ()  # footnotes, a line each
    # What the first column has. Where a terminal has too little room, `names` are
    # shortened, and `sentences` get lines of their own.
    first: Literal["labels", "names", "sentences"] = "labels"
    gap: int = 2  # blanks between columns on a terminal
    min_width: int = 0  # of columns of numbers there
    mark_width: int = 0  # room there for the marks of numbers, even if there are none
    is_sortable: bool = False  # a page in a browser can sort it by each column

    @property
    def column_groups(self) -> list[tuple[str, int]]:
        """The names of the groups of columns and their sizes; none without names."""
        groups = groupby(column.group for column in self.columns)
        sizes = [(name, len([*columns])) for name, columns in groups]
        return sizes if any(name for name, _ in sizes) else []

    @property
    def row_groups(self) -> list[list[Sequence[Cell]]]:
        """The rows, each with those below it whose first cell is empty."""
        groups: list[list[Sequence[Cell]]] = []
        for row in self.rows:
            if row[0].text or not groups:
                groups.append([])
            groups[-1].append(row)
        return groups

    @property
    def words(self) -> int:
        """How many columns at the start name the rows."""
        aligns = [column.align for column in self.columns]
        return next((n for n, align in enumerate(aligns) if align != "left"), 1)


@dataclass(frozen=True, slots=True)
class Note:
    """A line about a page, such as the signature; several in a row stand together."""

    text: str
    is_code: bool = False


def make_columns(heads: Sequence[str], *, words: int = 1) -> tuple[Column, ...]:
    """Make columns: the first ones name the rows, the others have numbers.

    >>> [column.align for column in make_columns(["Response", "Metric", "F1"], words=2)]
    ['left', 'left', 'right']
    """
    return tuple(
        Column(head, "left" if number < words else "right")
        for number, head in enumerate(heads)
    )


def make_rows(rows: Iterable[Iterable[Cell | str]]) -> tuple[tuple[Cell, ...], ...]:
    """Make rows of cells; a cell that is only text has no more to it.

    >>> make_rows([["MUC", "60.47"]])[0][1].text
    '60.47'
    """
    return tuple(
        tuple(Cell(cell) if isinstance(cell, str) else cell for cell in row)
        for row in rows
    )


def mark_highest(
    rows: Sequence[Sequence[Cell]], *, columns: Sequence[int] | None = None
) -> list[list[Cell]]:
    """Mark the highest number of each column, or of some, unless all are alike.

    >>> rows = mark_highest([[Cell("9.50")], [Cell("10.00")], [Cell("")]])
    >>> [row[0].emphasis.value for row in rows]
    ['none', 'highest', 'none']
    """
    marked = [[*row] for row in rows]
    for number in range(len(marked[0])) if columns is None else columns:
        texts = {row[number].text for row in marked if row[number].text}
        highest = max(texts, key=float, default="")
        for row in marked:
            if len(texts) > 1 and row[number].text == highest:
                row[number] = row[number]._replace(emphasis=Emphasis.HIGHEST)
    return marked


def protect_indent(text: str) -> str:
    r"""Keep the blanks at the start of a text, which Markdown and LaTeX would drop.

    >>> protect_indent("  change")
    '\xa0\xa0change'
    """
    if not text.startswith(" "):
        return text
    words = text.lstrip(" ")
    return "\N{NO-BREAK SPACE}" * (len(text) - len(words)) + words


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading."""

    level: int  # 1 of the page, 2 of a section, 3 of a part of it
    text: str
    anchor: str  # the name by which a page links to it
    short: str = ""  # what links say instead of the text


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; code in its text stands between backquotes."""

    text: str
    is_literal: bool = False  # it has names from the input, whose signs mean nothing


class Bullet(NamedTuple):
    """An item of a list."""

    text: str
    word: str = ""  # before the text
    lines: tuple[str, ...] = ()  # below the text
    kind: str = ""  # by which a page in colours tells items apart
    anchor: str = ""  # the name by which a page links to it
    see: tuple[str, ...] = ()  # ids of items that say more


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list; a title and a text can lead to it, and a text close it."""

    items: tuple[Bullet, ...]
    title: str = ""
    text: str = ""
    end: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure; it is left out where it was not drawn, and on a terminal."""

    title: str
    drawing: Path | None  # its SVG file
    about: str = ""  # where people find the same who cannot see it


class Link(NamedTuple):
    """Words that lead to an address, as in `#scores`."""

    text: str
    address: str


class Marked(NamedTuple):
    """Words of a text that stand out in it, such as a mention."""

    text: str
    kind: str = ""  # by which a page in colours tells them apart


# What running text is made of; names and words of the input mean nothing else.
Piece: TypeAlias = str | Link | Marked


@dataclass(frozen=True, slots=True)
class Statement:
    """A paragraph with links, or with words that stand out."""

    pieces: tuple[Piece, ...]


class Finding(NamedTuple):
    """Something that a page found.

    Attributes:
        title: what it is, in a few words.
        pieces: what it is in a sentence or two.
        quote: words of a text that show it.
        see: where there is more of it.
        kind: by which a page in colours tells findings apart.
    """

    title: str
    pieces: tuple[Piece, ...]
    quote: tuple[Piece, ...] = ()
    see: tuple[Piece, ...] = ()
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Findings:
    """What a page found, the most important first."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """Parts that stand beside each other where there is room, else below."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Folded:
    """Parts that a page in a browser shows on demand."""

    title: str
    parts: tuple[Part, ...]


Part: TypeAlias = (
    "Heading | Paragraph | Statement | Note | Table | Bullets | Findings | Fragment"
    " | Figure"
    " | Bars | Ranges | Scatter | Beside | Folded"
)


class Fragment:
    """A base class for parts that another package renders as HTML."""

    __slots__ = ()

    def to_html(self) -> str:
        """Return its HTML, which is not escaped again."""
        raise NotImplementedError

    def to_data(self) -> str:
        """Return the JSON that the script of the page reads, if any."""
        return ""

    def to_plain(self) -> tuple[Part, ...]:
        """Return parts for the other formats, if there are any."""
        return ()


@dataclass(frozen=True, slots=True)
class Html(Fragment):
    """HTML from a template, and its plain form."""

    html: str
    plain: tuple[Part, ...] = ()

    def to_html(self) -> str:
        """Return its HTML."""
        return self.html

    def to_plain(self) -> tuple[Part, ...]:
        """Return its plain form."""
        return self.plain


@dataclass(frozen=True, slots=True)
class Page:
    """A page of its own."""

    title: str
    intro: tuple[Part, ...]  # what was found, and how to read it
    parts: tuple[Part, ...]
    made_by: str  # the command


class Share(NamedTuple):
    """A piece of a bar."""

    kind: str
    label: str
    size: float  # below 0, the bar goes back


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars of shares, by name; only HTML draws them, a grid has the numbers.

    Attributes:
        bars: the shares of each bar.
        title: what it shows; empty where the text beside it says so.
        whole: how much a bar of the whole width is; its shares' sum if not given.
    """

    bars: tuple[tuple[str, tuple[Share, ...]], ...]
    title: str = ""
    whole: float | None = None


class Range(NamedTuple):
    """A number with its interval, both ends of which are None where there is none."""

    series: int  # the number of what it belongs to
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Ranges:
    """Numbers with their intervals on one scale, a row for each label.

    Attributes:
        title: what it shows.
        rows: what stands in each row, from the top.
        series: the names of the series; a single one needs no key.
    """

    title: str
    rows: tuple[tuple[str, tuple[Range, ...]], ...]
    series: tuple[str, ...] = ()


class Point(NamedTuple):
    """A point of a scatter plot, which leads somewhere."""

    x: float
    y: float
    size: float
    label: str
    address: str


@dataclass(frozen=True, slots=True)
class Scatter:
    """Points by two numbers.

    Attributes:
        title: what it shows.
        across: what x is.
        up: what y is.
        points: the points.
        is_square: whether both axes go from 0 to 100, with a diagonal.
        about: where people find the same who cannot see it.
    """

    title: str
    across: str
    up: str
    points: tuple[Point, ...]
    is_square: bool = True
    about: str = ""


def flatten_parts(part: Part) -> Iterator[Part]:
    """Make a part plain: findings become a list, and what has links a paragraph.

    >>> [*flatten_parts(Statement(("See ", Link("scores", "#scores"))))]
    [Paragraph(text='See scores', is_literal=True)]
    """
    match part:
        case Statement():
            yield Paragraph(join_pieces(part.pieces), is_literal=True)
        case Findings():
            yield Bullets(
                tuple(
                    Bullet(join_pieces([*one.pieces, *_quote(one.quote)]), one.title)
                    for one in part.findings
                )
            )
        case Beside() | Folded():
            for inner in part.parts:
                yield from flatten_parts(inner)
        case Fragment():
            for inner in part.to_plain():
                yield from flatten_parts(inner)
        case _:
            yield part


def join_pieces(pieces: Iterable[Piece]) -> str:
    """Write running text without links; words that stand out are in brackets.

    >>> join_pieces(["In ", Link("one", "#d=one"), ": ", Marked("she"), " sang"])
    'In one: [she] sang'
    """
    return "".join(map(_written, pieces))


def _quote(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    return (" ", *pieces) if pieces else ()


def _written(piece: Piece) -> str:
    match piece:
        case Link():
            return piece.text
        case Marked():
            return f"[{piece.text}]"
        case _:
            return piece
