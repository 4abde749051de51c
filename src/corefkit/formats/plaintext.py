"""Tokens of running text, for formats that point into it by characters.

The tokens depend on the text alone, never on the annotation, so that key and response
over the same text always have the same: runs of letters and digits, single ideographs
and kana, and every other character that is not blank by itself. A line end ends a
sentence, since a sentence is all that a line can be known to be.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

# Scripts that do not set words apart: kana, ideographs, and their compatible forms.
_ALONE = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(rf"[{_ALONE}]|[^\W{_ALONE}]+|[^\w\s]")


class Span(NamedTuple):
    """Characters from one offset up to another."""

    start: int
    end: int


class PlainText:
    r"""A text, the spans of its tokens in it, and its sentences as in a `Document`.

    >>> text = PlainText("Ann's aunt left.\nShe ran.")
    >>> text.sentences
    (('Ann', "'", 's', 'aunt', 'left', '.'), ('She', 'ran', '.'))
    >>> text.tokens(0, 5), text.tokens(6, 9), text.tokens(5, 6)
    ((0, 2), (3, 3), None)
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans: list[Span] = []
        sentences: list[tuple[str, ...]] = []
        start = 0
        for line in text.splitlines(keepends=True):
            found = [
                Span(start + match.start(), start + match.end())
                for match in _TOKEN.finditer(line)
            ]
            if found:
                self.spans.extend(found)
                sentences.append(tuple(text[first:last] for first, last in found))
            start += len(line)
        self.sentences = tuple(sentences)

    def tokens(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the first and last token that have characters of a stretch.

        A token that is only partly inside counts as a whole. None if there is no token.
        """
        return tokens_of(self.spans, start, end)

    def cuts(self, start: int, end: int) -> bool:
        """Return whether a stretch begins or ends inside a token."""
        found = self.tokens(start, end)
        return found is not None and is_cut(self.spans, found, start, end)

    def lines(self, first_line: int = 1) -> Sequence[int]:
        """Return the line of each token; the text begins at a line of its file."""
        ends = [match.start() for match in re.finditer("\n", self.text)]
        return [first_line + bisect_right(ends, span.start) for span in self.spans]


def tokens_of(spans: Sequence[Span], start: int, end: int) -> tuple[int, int] | None:
    """Find the first and last of some tokens that have characters of a stretch.

    >>> tokens_of([Span(0, 3), Span(4, 8)], 2, 5), tokens_of([Span(0, 3)], 3, 4)
    ((0, 1), None)
    """
    last = bisect_left(spans, (end, 0)) - 1
    first = bisect_left(spans, (start + 1, 0)) - 1
    if first < 0 or spans[first].end <= start:
        first += 1
    return (first, last) if first <= last else None


def is_cut(
    spans: Sequence[Span], tokens: tuple[int, int], start: int, end: int
) -> bool:
    """Return whether a stretch begins or ends inside its first or last token."""
    first, last = tokens
    return spans[first].start < start or spans[last].end > end


def joined(sentences: Sequence[Sequence[str]]) -> tuple[str, list[Span]]:
    r"""Write sentences as lines of text; return the characters of each token too.

    >>> joined([["Ann", "left"], ["She", "ran"]])[0]
    'Ann left\nShe ran\n'
    """
    spans: list[Span] = []
    pieces: list[str] = []
    length = 0
    for words in sentences:
        for number, word in enumerate(words):
            text = " ".join(word.split()) or "_"
            if number:
                pieces.append(" ")
                length += 1
            pieces.append(text)
            spans.append(Span(length, length + len(text)))
            length += len(text)
        pieces.append("\n")
        length += 1
    return "".join(pieces), spans
