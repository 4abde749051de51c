"""What a walk-through says: sentences, rows and equations.

Their text is a string, or pieces in a row, some of which stand for an entity or a
mention. A terminal writes the pieces one after the other; a page makes links of those
that stand for something.

>>> row = (Reference("m1", mention=0), " in ", Reference("K3", key=3))
>>> plain(row)
'm1 in K3'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# A blank at which no line is broken; a terminal prints it as any other.
GLUE = "\xa0"


class Reference(NamedTuple):
    """A piece of text that stands for an entity, a mention, or a place of the page."""

    text: str
    key: int = 0  # the number of an entity of the key; 0 for none
    response: int = 0  # likewise of the response
    mention: int | None = None  # the number of a mention, from 0
    anchor: str = ""  # the name of a place of the page


class Over(NamedTuple):
    """A fraction, each side of which may be a sum."""

    above: Text
    below: Text


Text: TypeAlias = "str | Reference | Over | tuple[Text, ...]"


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, or a label with what belongs to it."""

    text: Text
    label: Text = ""  # before the text; no line is broken in it
    indent: str = ""  # before the label, on a terminal
    later: str | None = None  # before further lines there; None: as wide as the label


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of cells, one below the other; the last of a row may be long."""

    cells: Sequence[Sequence[Text]]
    heads: Sequence[str] = ()  # a page writes them, a terminal does not
    caption: str = ""  # likewise
    is_sortable: bool = False  # by its heads, on a page


@dataclass(frozen=True, slots=True)
class Equation:
    """`name = formula = step = step`."""

    name: str
    steps: Sequence[Text]
    formula: str = ""


@dataclass(frozen=True, slots=True)
class Title:
    """A title, with a line below on a terminal."""

    text: str


# A string is a line as it stands; an empty one keeps paragraphs apart.
Told: TypeAlias = str | Line | Rows | Equation | Title


@dataclass(frozen=True, slots=True)
class WalkThrough:
    """A part of a page: steps about one document, or about all. Only HTML has it.

    Attributes:
        told: what is said.
        document: the id of the document that references are about; None for all.
        places: for each mention its first and last token in the reader.
        meanings: for each mention its words.
    """

    told: Sequence[Told]
    document: str | None = None
    places: Sequence[tuple[int, int]] = ()
    meanings: Sequence[str] = ()


def plain(text: Text) -> str:
    """Write a text without what it stands for.

    >>> plain(Over("1", ("2 + ", "3")))
    '1 / (2 + 3)'
    """
    match text:
        case str():
            return text
        case Reference():
            return text.text
        case Over():
            return f"{plain(grouped(text.above))} / {plain(grouped(text.below))}"
        case _:
            return "".join(map(plain, text))


def grouped(text: Text) -> Text:
    """Put a sum in parentheses; what is one piece has none.

    >>> plain(grouped(("1", " + ", "2"))), grouped("1")
    ('(1 + 2)', '1')
    """
    several = isinstance(text, tuple) and not isinstance(text, Reference | Over)
    return ("(", text, ")") if several else text


def joined(texts: Iterable[Text], between: str) -> tuple[Text, ...]:
    """Put texts in a row, with something between; without any text, nothing.

    >>> joined(["a", "b"], ", "), joined([], ", ")
    (('a', ', ', 'b'), ())
    """
    pieces: list[Text] = []
    for text in texts:
        pieces += [between, text] if pieces else [text]
    return tuple(pieces)
