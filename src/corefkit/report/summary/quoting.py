"""Words of a text with mentions that stand out, as people write them."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import groupby
from typing import TYPE_CHECKING

from corefkit.model import Mention
from corefkit.tables.elements import Marked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.analysis.errors.error_analysis import MentionId
    from corefkit.analysis.errors.error_output import DocumentWords
    from corefkit.tables.elements import Piece

_AROUND = 12  # tokens before and behind a mention
_BETWEEN = 6  # tokens that are not worth leaving out
_CUT = "…"
_QUOTE = '"'
# Signs that stand close to the word before them, and behind them.
_QUOTES = "'\N{RIGHT SINGLE QUOTATION MARK}"
_CLOSES = re.compile(
    rf"[,.;:!?%)\]}}»”{_QUOTES}\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f]+"
    rf"|''|[{_QUOTES}]\w{{1,2}}|n[{_QUOTES}]t",
    re.IGNORECASE,
)
_OPENS = re.compile(r"[(\[{«“\u2018$#]+|``")


def quoted(
    words: DocumentWords, this: MentionId, other: MentionId | None = None
) -> tuple[Piece, ...]:
    """Quote a mention, and another one, with the words around them.

    Args:
        words: the words of the document; a quotation of none is empty.
        this: the mention that stands out most.
        other: another one.
    """
    if not isinstance(this, Mention) or not words.has(this):
        return ()
    marked = {token: "this" for token in range(this.start, this.end + 1)}
    windows = [_window(words, this)]
    if isinstance(other, Mention) and words.has(other):
        tokens = [*range(other.start, other.end + 1)]
        if not any(token in marked for token in tokens):
            marked |= dict.fromkeys(tokens, "other")
            windows.append(_window(words, other))
    pieces: list[Piece] = []
    for first, last in _joined(sorted(windows)):
        starts = first not in words.sentences
        pieces.append(f" {_CUT} " if pieces else f"{_CUT} " * (starts and first > 0))
        pieces += _pieces(words, first, last, marked)
    if last < len(words.tokens) and last not in words.sentences:
        pieces.append(f" {_CUT}")
    return tuple(piece for piece in pieces if piece)


def _window(words: DocumentWords, mention: Mention) -> tuple[int, int]:
    """Give the tokens around a mention that are in its sentence."""
    first, last = words.sentence(mention)
    return max(first, mention.start - _AROUND), min(last, mention.end + 1 + _AROUND)


def _joined(windows: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Make one of windows with little between them."""
    one, *others = windows
    for other in others:
        if other[0] - one[1] > _BETWEEN:
            return [one, other]
        one = one[0], max(one[1], other[1])
    return [one]


def _pieces(
    words: DocumentWords, first: int, last: int, marked: dict[int, str]
) -> Iterator[Piece]:
    """Go through runs of tokens that are marked alike."""
    blanks = [*_blanks(words, first, last)]
    for kind, run in groupby(range(first, last), key=lambda at: marked.get(at, "")):
        places = [*run]
        gap = blanks[places[0] - first]
        text = "".join(blanks[at - first] + words.tokens[at] for at in places)
        if kind:
            yield from filter(None, [gap, Marked(text.removeprefix(gap), kind)])
        else:
            yield text


def _blanks(words: DocumentWords, first: int, last: int) -> Iterator[str]:
    """Say what stands before each token, as people write: a blank, or nothing.

    Straight quotation marks open and close in turn, from the start of the sentence.
    """
    before, is_inside = "", False
    here = bisect_right(words.sentences, first) - 1
    for at in range(words.sentences[here] if here >= 0 else 0, last):
        if at in words.sentences:
            is_inside = False
        token = words.tokens[at]
        closes = bool(_CLOSES.fullmatch(token)) or (token == _QUOTE and is_inside)
        opened = bool(_OPENS.fullmatch(before)) or (before == _QUOTE and is_inside)
        if token == _QUOTE:
            is_inside = not is_inside
        if at >= first:
            yield "" if at == first or closes or opened else " "
        before = token
