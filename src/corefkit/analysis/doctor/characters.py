"""A check of offsets that are characters, and not tokens."""

from __future__ import annotations

from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.doctor.offsets import changed_bounds
from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.analysis.doctor.case import Case, Pair, Suspicion
    from corefkit.analysis.doctor.offsets import Change
    from corefkit.model import Document


class _Layout(NamedTuple):
    """How the words of a text stand in its characters.

    Attributes:
        text: the layout in words.
        blank: characters between two words.
        line: characters between two sentences.
    """

    text: str
    blank: int
    line: int


_LAYOUTS = (
    _Layout("words set apart by blanks", 1, 1),
    _Layout("words set apart by blanks, and two characters between sentences", 1, 2),
    _Layout("words without blanks", 0, 0),
)
_ENDS = {"exclusive": 0, "inclusive": 1}


def by_character(case: Case) -> Iterator[Suspicion]:
    """Offsets of characters in place of tokens."""
    for layout in _LAYOUTS:
        for how, last in _ENDS.items():
            yield from changed_bounds(
                case,
                partial(_tokens_of, layout=layout, last=last),
                f"offsets of the response are characters, and not tokens (ends {how})",
                f"count tokens, not characters: the key's {layout.text} fit",
            )


def _tokens_of(pair: Pair, *, layout: _Layout, last: int) -> Change | None:
    """Make a function that finds the tokens of offsets of characters."""
    words = pair.key.words
    if not words:
        return None
    starts = _starts(pair.key, layout)
    first = {start: at for at, start in enumerate(starts)}
    behind = {
        start + len(word) - last: at
        for at, (start, word) in enumerate(zip(starts, words, strict=True))
    }

    def tokens(mention: Mention) -> Mention | None:
        start, end = first.get(mention.start), behind.get(mention.end)
        if start is None or end is None or end < start:
            return None
        return Mention(start, end)

    return tokens


def _starts(document: Document, layout: _Layout) -> Sequence[int]:
    """List the characters at which the words of a document begin.

    >>> from corefkit.model import Document
    >>> _starts(Document("d", (("I", "see"), ("Go",)), ()), _Layout("", 1, 2))
    [0, 2, 7]
    """
    words = document.words
    between = [layout.blank] * len(words)
    # Where there are empty nodes, they stand for no sentence of words.
    if layout.line != layout.blank and not document.empty:
        for end in accumulate(map(len, document.sentences)):
            between[end - 1] = layout.line
    lengths = [len(word) + more for word, more in zip(words, between, strict=True)]
    return [0, *accumulate(lengths)][:-1]
