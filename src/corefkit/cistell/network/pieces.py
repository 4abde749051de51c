"""The pieces of a word, which unknown words have too: beginnings, endings, shape.

Pieces are numbered by a hash, so that none must be kept; those that fall together share
a vector.
"""

from __future__ import annotations

import re
from functools import lru_cache
from zlib import crc32

_LONGEST_PREFIX, _LONGEST_SUFFIX = 4, 5
_INSIDE = (3, 4)  # how long pieces are that may stand anywhere
_LONGEST_WORD = 40  # of longer ones, such as addresses, the beginning counts
_REPEATED = re.compile(r"(.)\1{2,}")


def shape_of(form: str) -> str:
    """Return the shape of a word: its kinds of characters, long rows cut to two.

    >>> shape_of("McDonald's"), shape_of("1,234")
    ("XxXxx'x", 'd,dd')
    """
    kinds = (
        "d"
        if letter.isdigit()
        else "X"
        if letter.isupper()
        else "x"
        if letter.isalpha()
        else letter
        for letter in form
    )
    return _REPEATED.sub(r"\1\1", "".join(kinds))


def names_of_pieces(form: str) -> list[str]:
    """List the pieces of a word, each with a letter that tells its kind.

    >>> names_of_pieces("Ox")
    ['sXx', 'wox', 'fOx', 'po', 'pox', 'ex', 'eox', 'n^ox', 'nox$', 'n^ox$']
    """
    form = form[:_LONGEST_WORD]
    low = form.lower()
    found = ["s" + shape_of(form), "w" + low, "f" + form]
    found += ["p" + low[:size] for size in range(1, min(len(low), _LONGEST_PREFIX) + 1)]
    found += [
        "e" + low[-size:] for size in range(1, min(len(low), _LONGEST_SUFFIX) + 1)
    ]
    marked = f"^{low}$"
    for size in _INSIDE:
        starts = range(len(marked) - size + 1)
        found += ["n" + marked[start : start + size] for start in starts]
    return found


@lru_cache(maxsize=1 << 16)
def pieces_of(form: str, buckets: int) -> tuple[int, ...]:
    """Number the pieces of a word; each number once, in order."""
    names = (name.encode("utf-8", "replace") for name in names_of_pieces(form))
    return tuple(sorted({crc32(name) % buckets for name in names}))
