"""What a page says, as plain values; the writers decide how it looks.

A page is a row of parts: headings, paragraphs, lists, figures, and the grids and notes
of `grids`. Functions make the parts from results. `terminal`, `markdown`, `latex` and
`html` write them, and escape text for their kind of output: the text of a part is as
people read it. Programs read values and not pages, see `records`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from pathlib import Path

    # Only types: most scores are printed, and have none of these parts.
    from corefkit.report.charts import Bars, Ranges, Scatter
    from corefkit.report.grids import Grid, Note
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
