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

Align: TypeAlias = Literal["left", "right", "decimal"]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading.

    Attributes:
        level: 1 for the page, 2 for a section, 3 for a part of it.
        text: what it says.
        anchor: the name by which a page links to it.
        short: what a link says instead of the text, if anything.
    """

    level: int
    text: str
    anchor: str
    short: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; `code` in its text stands between backquotes.

    Attributes:
        text: what it says.
        is_literal: whether it holds names from the input, whose backquotes and brackets
            have no meaning.
    """

    text: str
    is_literal: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A line about a page, such as the signature; several in a row stand together."""

    text: str
    is_code: bool = False


class Emphasis(Enum):
    """How a cell stands out where the output can show it."""

    NONE = "none"
    BEST = "best"
    STRUCK = "struck"  # what is printed is wrong
    WRONG = "wrong"  # the meaning of the mark is written out


class Cell(NamedTuple):
    """A cell of a grid.

    Attributes:
        text: what it says.
        mark: a sign after the text, which the page explains.
        meaning: what the mark means, in a word or two.
        emphasis: how it stands out.
        kind: a word by which a page in colours tells cells apart.
        correction: the right text, where the cell has a wrong one.
        see: the id of an item that says more.
    """

    text: str
    mark: str = ""
    meaning: str = ""
    emphasis: Emphasis = Emphasis.NONE
    kind: str = ""
    correction: str = ""
    see: str = ""


class Column(NamedTuple):
    """A column of a grid.

    Attributes:
        head: what stands above it.
        align: where its cells stand; `decimal` puts decimal points below one another.
        group: what stands above several columns in a row.
        short: the head where there is little room.
        is_name: whether the head is a name, which can be shortened.
    """

    head: str
    align: Align = "right"
    group: str = ""
    short: str = ""
    is_name: bool = False


class Spacing(NamedTuple):
    """How wide a terminal sets a grid.

    Attributes:
        gap: blanks between columns.
        least: how wide columns of numbers are at least.
        marks: how much room columns of numbers have for marks, used or not.
    """

    gap: int = 2
    least: int = 0
    marks: int = 0


PLAIN = Spacing()


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells. A first cell that is empty belongs to the row above.

    Attributes:
        columns: the columns; the first ones, which are aligned left, name the rows.
        rows: a cell for each column.
        caption: what stands above, in a line or several.
        notes: footnotes, a line each.
        first: what the first column has. Where a terminal has too little room, `names`
            are shortened, and `sentences` get lines of their own.
        spacing: how wide a terminal sets it.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    notes: tuple[str, ...] = ()
    first: Literal["labels", "names", "sentences"] = "labels"
    spacing: Spacing = PLAIN

    @property
    def words(self) -> int:
        """How many columns at the start name the rows."""
        aligns = [column.align for column in self.columns]
        return next((n for n, align in enumerate(aligns) if align != "left"), 1)


class Item(NamedTuple):
    """An item of a list.

    Attributes:
        text: what it says.
        word: a word before it, if any.
        lines: what else there is to say.
        kind: a word by which a page in colours tells items apart.
        anchor: the name by which a page links to it, if any.
        see: ids of items that say more.
    """

    text: str
    word: str = ""
    lines: tuple[str, ...] = ()
    kind: str = ""
    anchor: str = ""
    see: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Items:
    """A list.

    Attributes:
        items: its items.
        title: a title in the line that leads to the list, if any.
        text: what leads to the list.
        end: what closes it.
    """

    items: tuple[Item, ...]
    title: str = ""
    text: str = ""
    end: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure; it is left out where it was not drawn, and on a terminal.

    Attributes:
        title: what it shows.
        drawing: its SVG file, if there is one.
        about: where people find the same who cannot see it.
    """

    title: str
    drawing: Path | None
    about: str = ""


class Share(NamedTuple):
    """A number of things of one kind, drawn as a piece of a bar."""

    kind: str
    label: str
    size: int


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars of shares, by name; only HTML draws them, a grid has the numbers."""

    bars: tuple[tuple[str, tuple[Share, ...]], ...]


Part: TypeAlias = Heading | Paragraph | Note | Grid | Items | Figure | Bars


@dataclass(frozen=True, slots=True)
class Page:
    """A page of its own.

    Attributes:
        title: its title.
        intro: what it begins with: what was found, and how to read it.
        parts: all else.
        made_by: the command that made it.
    """

    title: str
    intro: tuple[Part, ...]
    parts: tuple[Part, ...]
    made_by: str


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
    words = text.lstrip(" ")
    return "\N{NO-BREAK SPACE}" * (len(text) - len(words)) + words
