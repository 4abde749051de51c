"""Words of a part as markup: code, links, words that stand out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corefkit.report.page import Link, Marked
from corefkit.strings.escaping import for_html

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.report.page import Piece


def prose(text: str) -> str:
    """Write text whose code stands between backquotes.

    >>> prose("`a` < b")
    '<code>a</code> &lt; b'
    """
    return re.sub("`([^`]+)`", r"<code>\1</code>", for_html(text))


def running(pieces: Iterable[Piece]) -> str:
    """Write running text.

    >>> running(["a < b, ", Marked("she")])
    'a &lt; b, <mark>she</mark>'
    """
    return "".join(map(_piece, pieces))


def _piece(piece: Piece) -> str:
    match piece:
        case Link():
            return link_to(piece.address, piece.text)
        case Marked():
            kind = f' class="{piece.kind}"' if piece.kind else ""
            return f"<mark{kind}>{for_html(piece.text)}</mark>"
        case _:
            return for_html(piece)


def link_to(address: str, text: str) -> str:
    """Write a link.

    >>> link_to("#scores", "Scores")
    '<a href="#scores">Scores</a>'
    """
    return f'<a href="{for_html(address)}">{for_html(text)}</a>'


def reference(id: str) -> str:
    """Write a link to an item, by its id."""
    return f'<a class="see" href="#{for_html(id.lower())}">{for_html(id)}</a>'
