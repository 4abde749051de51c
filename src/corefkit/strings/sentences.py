"""Words in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def and_list(words: Iterable[str]) -> str:
    """Join words as in a sentence.

    >>> and_list(["MUC"]), and_list(["MUC", "B³", "LEA"])
    ('MUC', 'MUC, B³ and LEA')
    """
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
