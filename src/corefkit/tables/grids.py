"""Tables of a page as plain values: grids of cells, and the notes below them.

They are elements of a page like those in `elements`, and all that most scores need:
printing scores loads no other elements.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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


@dataclass(frozen=True, slots=True)
class Note:
    """A line about a page, such as the signature; several in a row stand together."""

    text: str
    is_code: bool = False


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


def leading(
    rows: Sequence[Sequence[Cell]], *, columns: Sequence[int] | None = None
) -> list[list[Cell]]:
    """Mark the highest number of each column, or of some, unless all are alike.

    >>> rows = leading([[Cell("9.50")], [Cell("10.00")], [Cell("")]])
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


def with_hard_blanks(text: str) -> str:
    r"""Keep the blanks at the start of a text, which Markdown and LaTeX would drop.

    >>> with_hard_blanks("  change")
    '\xa0\xa0change'
    """
    if not text.startswith(" "):
        return text
    words = text.lstrip(" ")
    return "\N{NO-BREAK SPACE}" * (len(text) - len(words)) + words
