"""What a page says, as plain values; the writers decide how it looks.

A page is a row of parts: headings, paragraphs, notes, lists, grids, figures. Functions
make the parts from results. `terminal`, `markdown`, `latex` and `html` write them, and
escape text for their kind of output: the text of a part is as people read it. Programs
read values and not pages, see `records`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    # Only types: most scores are printed, and have none of these parts.
    from corefkit.report.charts import Bars, Ranges, Scatter
    from corefkit.report.reader.values import Reader
    from corefkit.report.walk.values import WalkThrough


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


@dataclass(frozen=True, slots=True)
class Note:
    """A line about a page, such as the signature; several in a row stand together."""

    text: str
    is_code: bool = False


class Emphasis(Enum):
    """How a cell stands out where the output can show it."""

    NONE = "none"
    BEST = "best"
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


class Spacing(NamedTuple):
    """How wide a terminal sets a grid."""

    gap: int = 2  # blanks between columns
    least: int = 0  # how wide columns of numbers are, if not wider
    marks: int = 0  # room for the marks of numbers, whether there are any or not


_SPACING = Spacing()


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells. A first cell that is empty belongs to the row above."""

    columns: tuple[Column, ...]  # the first ones, which are aligned left, name the rows
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""  # what stands above, in a line or several
    notes: tuple[str, ...] = ()  # footnotes, a line each
    # What the first column has. Where a terminal has too little room, `names` are
    # shortened, and `sentences` get lines of their own.
    first: Literal["labels", "names", "sentences"] = "labels"
    spacing: Spacing = _SPACING
    is_sortable: bool = False  # a page in a browser can sort it by each column

    @property
    def words(self) -> int:
        """How many columns at the start name the rows."""
        aligns = [column.align for column in self.columns]
        return next((n for n, align in enumerate(aligns) if align != "left"), 1)


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


def columns(heads: Sequence[str], *, words: int = 1) -> tuple[Column, ...]:
    """Make columns: the first ones name the rows, the others have numbers.

    >>> [column.align for column in columns(["Response", "Metric", "F1"], words=2)]
    ['left', 'left', 'right']
    """
    return tuple(
        Column(head, "left" if number < words else "right")
        for number, head in enumerate(heads)
    )


def cells(rows: Iterable[Iterable[Cell | str]]) -> tuple[tuple[Cell, ...], ...]:
    """Make rows of cells; a cell that is only text has no more to it.

    >>> cells([["MUC", "60.47"]])[0][1].text
    '60.47'
    """
    return tuple(
        tuple(Cell(cell) if isinstance(cell, str) else cell for cell in row)
        for row in rows
    )


def with_hard_blanks(text: str) -> str:
    r"""Keep the blanks at the start of a text, which Markdown and LaTeX would drop.

    >>> with_hard_blanks("  change")
    '\xa0\xa0change'
    """
    if not text.startswith(" "):
        return text
    words = text.lstrip(" ")
    return "\N{NO-BREAK SPACE}" * (len(text) - len(words)) + words
