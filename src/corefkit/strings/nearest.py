"""The nearest of known names, for hints."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def suggest(name: str, known: Iterable[str]) -> str:
    """Word a hint that offers the nearest of the known names, then all of them.

    >>> suggest("muk", ["muc", "lea"])
    "did you mean 'muc'? known are muc, lea"
    """
    # Imported here because only mistakes need it and every start would pay.
    from difflib import get_close_matches

    known = list(known)
    nearest = get_close_matches(str(name).lower(), known, n=1)
    listing = f"known are {', '.join(known)}"
    return f"did you mean {nearest[0]!r}? {listing}" if nearest else listing
