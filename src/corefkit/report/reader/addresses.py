"""Addresses inside a page that open a document in its reader."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Sequence


def reader_address(
    document: str,
    *,
    systems: Sequence[int] = (),
    error: str = "",
    mention: str = "",
    key: int = 0,
    response: int = 0,
) -> str:
    """Give the fragment that shows a document, or something in it.

    Args:
        document: its id.
        systems: the numbers of the systems to show, from 0; two at most.
        error: the id of an error, without the document.
        mention: a mention, by first and last token.
        key: the number of an entity of the key, from 1.
        response: the number of an entity of the first system, from 1.

    >>> reader_address("a b", systems=[1], error="divided#3-5")
    '#d=a+b&s=2&e=divided%233-5'
    >>> reader_address("a&b", key=3)
    '#d=a%26b&k=3'
    """
    parts = {
        "d": document,
        "s": ",".join(str(number + 1) for number in systems),
        "e": error,
        "m": mention,
        "k": str(key or ""),
        "r": str(response or ""),
    }
    kept = {name: value for name, value in parts.items() if value or name == "d"}
    return f"#{urlencode(kept)}"
