"""The pieces of a word, which unknown words have too: beginnings, endings, shape.

What kinds of things a noun names, as WordNet has them, are pieces as well: so a network
that was learned with them knows something of nouns that it never saw.

Pieces are numbered by a hash, so that none must be kept; those that fall together share
a vector.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from zlib import crc32

from cistell.lexicon.princeton import regular_singulars

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LONGEST_PREFIX, _LONGEST_SUFFIX = 4, 5
_INSIDE = (3, 4)  # how long pieces are that may stand anywhere
_LONGEST_WORD = 40  # of longer ones, such as addresses, the beginning counts
_MOST_KNOWN = 1 << 16  # words whose numbers are kept
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


class Pieces:
    """Numbers the pieces of words.

    Args:
        buckets: how many numbers there are.
        kinds: the kinds of things that words in lower case name; they are pieces too.

    >>> kinds = {"mill": ("artifact", "act")}
    >>> more = {*Pieces(1 << 20, kinds)("Mills")} - {*Pieces(1 << 20, {})("Mills")}
    >>> len(more)  # both kinds, and which is the first
    3
    """

    def __init__(self, buckets: int, kinds: Mapping[str, Sequence[str]]) -> None:
        self.buckets = buckets
        self._kinds = kinds
        self._known: dict[str, tuple[int, ...]] = {}

    def __call__(self, form: str) -> tuple[int, ...]:
        """Return the numbers of a word's pieces, each once, in order."""
        found = self._known.get(form)
        if found is None:
            if len(self._known) == _MOST_KNOWN:
                self._known.clear()
            found = self._known[form] = self._numbers(form)
        return found

    def _numbers(self, form: str) -> tuple[int, ...]:
        names = names_of_pieces(form)
        kinds = self._kinds_of(form.lower())
        names += [f"k{kind}" for kind in kinds] + [f"K{kind}" for kind in kinds[:1]]
        codes = (crc32(name.encode("utf-8", "replace")) for name in names)
        return tuple(sorted({code % self.buckets for code in codes}))

    def _kinds_of(self, word: str) -> Sequence[str]:
        for reading in (word, *regular_singulars(word)):
            if reading in self._kinds:
                return self._kinds[reading]
        return ()
