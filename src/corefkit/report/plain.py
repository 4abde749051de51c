"""Parts that need a browser made into plain ones, for the other outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report.page import (
    Beside,
    Findings,
    Folded,
    Item,
    Items,
    Link,
    Marked,
    Paragraph,
    Statement,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corefkit.report.page import Part, Piece


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
