"""Elements of pages as plain values; the writers decide how they look.

A page is a sequence of parts: headings, paragraphs, lists, figures, charts, and the
tables of `grids`. The text of a part is plain text, and each writer escapes it. Parts
that only HTML can show have a plain form for the other outputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from corefkit.report.reader_data import Reader
    from corefkit.tables.grids import Grid, Note
    from corefkit.tables.walkthroughs import WalkThrough


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


class Item(NamedTuple):
    """An item of a list."""

    text: str
    word: str = ""  # before the text
    lines: tuple[str, ...] = ()  # below the text
    kind: str = ""  # by which a page in colours tells items apart
    anchor: str = ""  # the name by which a page links to it
    see: tuple[str, ...] = ()  # ids of items that say more


@dataclass(frozen=True, slots=True)
class Items:
    """A list; a title and a text can lead to it, and a text close it."""

    items: tuple[Item, ...]
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
    "Heading | Paragraph | Statement | Note | Grid | Items | Findings | Figure | Bars"
    " | Ranges | Scatter | Beside | Folded | Reader | WalkThrough"
)


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


def plain_parts(part: Part) -> Iterator[Part]:
    """Make a part plain: findings become a list, and what has links a paragraph.

    >>> [*plain_parts(Statement(("See ", Link("scores", "#scores"))))]
    [Paragraph(text='See scores', is_literal=True)]
    """
    match part:
        case Statement():
            yield Paragraph(plain_text(part.pieces), is_literal=True)
        case Findings():
            yield Items(
                tuple(
                    Item(plain_text([*one.pieces, *_quote(one.quote)]), one.title)
                    for one in part.findings
                )
            )
        case Beside() | Folded():
            for inner in part.parts:
                yield from plain_parts(inner)
        case _:
            yield part


def plain_text(pieces: Iterable[Piece]) -> str:
    """Write running text without links; words that stand out are in brackets.

    >>> plain_text(["In ", Link("one", "#d=one"), ": ", Marked("she"), " sang"])
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
