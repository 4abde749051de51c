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
    from collections.abc import Sequence
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


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells. A first cell that is empty belongs to the row above.

    Attributes:
        columns: the columns; the first ones, which are aligned left, name the rows.
        rows: a cell for each column.
        caption: what stands above, in a line or several.
        notes: footnotes, a line each.
        is_named: whether the first column has names, which a terminal can shorten; a
            first column of sentences gets lines of its own where the grid is too wide.
        spacing: how wide a terminal sets it.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    notes: tuple[str, ...] = ()
    is_named: bool = False
    spacing: Spacing = Spacing()

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
    count: int


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


def grid(
    columns: Sequence[Column | str],
    rows: Sequence[Sequence[Cell | str]],
    *,
    words: int = 1,
    caption: str = "",
    notes: Sequence[str] = (),
    is_named: bool = False,
    spacing: Spacing = Spacing(),
) -> Grid:
    """Make a grid of words: the first columns name the rows, the others have numbers.

    Args:
        columns: columns, or only what stands above them.
        rows: cells, or only what they say.
        words: how many columns name the rows.
        caption: see `Grid`, as for the other arguments.
        notes: footnotes.
        is_named: whether the first column has names.
        spacing: how wide a terminal sets it.

    >>> grid(["Metric", "F1"], [["MUC", "60.47"]]).columns[1]
    Column(head='F1', align='right', group='', short='', is_name=False)
    """
    return Grid(
        tuple(
            column
            if isinstance(column, Column)
            else Column(column, "left" if number < words else "right")
            for number, column in enumerate(columns)
        ),
        tuple(
            tuple(Cell(cell) if isinstance(cell, str) else cell for cell in row)
            for row in rows
        ),
        caption,
        tuple(notes),
        is_named,
        spacing,
    )
