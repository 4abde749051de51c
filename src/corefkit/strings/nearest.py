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
    known = list(known)
    offer = nearest(name, known)
    listing = f"known are {', '.join(known)}"
    return f"did you mean {offer!r}? {listing}" if offer else listing


def nearest(name: str, known: Iterable[str]) -> str:
    """Find the known name that is nearest to one, or nothing if none is near.

    >>> nearest("--Metrc", ["--metric", "--from"]), nearest("x", ["muc"])
    ('--metric', '')
    """
    # Imported here because only mistakes need it and every start would pay.
    from difflib import get_close_matches

    return next(iter(get_close_matches(str(name).lower(), list(known), n=1)), "")
