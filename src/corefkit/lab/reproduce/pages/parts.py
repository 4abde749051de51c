"""What a page has in it, whatever it is written as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from corefkit.lab.reproduce import RecomputedFigure
    from corefkit.lab.reproduce.outcomes import Outcome


class Cell(NamedTuple):
    """A cell: its text, and what became of it where it is a printed number.

    Attributes:
        text: what it says.
        outcome: what became of the number.
        erratum: the id of the erratum, where it is one.
        right: the right number, where no other cell has it.
    """

    text: str
    outcome: Outcome | None = None
    erratum: str = ""
    right: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, and the name by which a page links to it."""

    level: int
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells; the first columns are words, the others numbers.

    A first cell that is empty belongs to the row above.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    words: int = 1


@dataclass(frozen=True, slots=True)
class Item:
    """A point of a list: a word on it, what it says, and lines below.

    Attributes:
        word: what it is, in one word.
        text: what it says.
        lines: what else there is to tell.
        anchor: the name by which a page links to it, if any.
        errata: ids of errata that it rests on.
    """

    word: str
    text: str
    lines: tuple[str, ...]
    anchor: str = ""
    errata: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """The place of a drawn figure."""

    curves: RecomputedFigure


Part: TypeAlias = Heading | Text | Grid | Items | Picture
