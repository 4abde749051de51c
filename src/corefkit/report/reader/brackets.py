r"""Sentences with their mentions in brackets, which begin with the entity's number.

`[1 The mayor of [2 Halden]]` is two mentions, one inside the other. A mention that
crosses another, or goes beyond its sentence, has its number at the end too: `[1 a [2
b]1 c]2`. The parts of a mention with a gap have dots where they go on: `[1 took ...]
the house [1 ... over]`. Brackets of the text itself are written `\[` and `\]`. An empty
node inside a mention is `∅` and its word, if it has one; others have no place.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.strings import escape_terminal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from corefkit.report.reader.values import ShownDocument

EMPTY = "\N{EMPTY SET}"
DOTS = "..."
_NO_WORD = ("", "_")
_BRACKET = re.compile(r"(\\*)([\[\]])")


class Piece(NamedTuple):
    """A piece of text, and the number of the entity whose colour it has, or 0."""

    text: str
    entity: int = 0


# What stands between two blanks, and is not broken.
Chunk: TypeAlias = tuple[Piece, ...]


class _Part(NamedTuple):
    """A part of a mention; all of it unless it has gaps."""

    first: int
    last: int
    entity: int
    goes_on: bool
    goes_back: bool
    number: int  # which part of all


def bracketed(shown: ShownDocument, entities: Collection[int]) -> Iterator[list[Chunk]]:
    """Write each sentence with the mentions of some entities in brackets.

    >>> from corefkit.report.reader.values import ShownDocument
    >>> words = ["The", "mayor", "of", "Halden", "left"]
    >>> spans = [((0, 3),), ((3, 3),)]
    >>> (sentence,) = bracketed(ShownDocument("d", [words], spans, [1, 2]), {1, 2})
    >>> print(" ".join("".join(piece.text for piece in chunk) for chunk in sentence))
    [1 The mayor of [2 Halden]] left
    """
    writer = _Writer(shown, entities)
    token = 0
    for sentence in shown.sentences:
        chunks = [
            chunk
            for number, word in enumerate(sentence, start=token)
            if (chunk := writer.chunk(number, word))
        ]
        token += len(sentence)
        writer.end_sentence()
        yield chunks


class _Writer:
    """Goes through the tokens of a document, and knows which brackets are open."""

    def __init__(self, shown: ShownDocument, entities: Collection[int]) -> None:
        self._empty = set(shown.empty)
        self._opening: dict[int, list[_Part]] = defaultdict(list)
        for part in _parts(shown, entities):
            self._opening[part.first].append(part)
        self._open: list[_Part] = []
        self._named: set[int] = set()  # parts whose end has their number too

    def chunk(self, token: int, word: str) -> Chunk:
        """Write a token with the brackets around it."""
        # Of parts that begin together, the longest is outside.
        begun = sorted(self._opening[token], key=lambda part: -part.last)
        self._open += begun
        if token in self._empty and not self._open:
            return ()
        inner = self._open[-1].entity if self._open else 0
        said = _said(word, is_empty=token in self._empty)
        return (*map(_begin, begun), Piece(said, inner), *self._ends(token))

    def end_sentence(self) -> None:
        """Remember to name the ends of mentions that go beyond the sentence."""
        self._named |= {part.number for part in self._open}

    def _ends(self, token: int) -> Iterator[Piece]:
        ending = [part for part in reversed(self._open) if part.last == token]
        for part in ending:
            place = self._open.index(part)
            inside = self._open[place + 1 :]
            if inside:
                self._named |= {part.number, *(one.number for one in inside)}
            del self._open[place]
            name = str(part.entity) if part.number in self._named else ""
            dots = f" {DOTS}" if part.goes_on else ""
            yield Piece(f"{dots}]{name}", part.entity)


def _parts(shown: ShownDocument, entities: Collection[int]) -> Iterator[_Part]:
    number = 0
    for parts, entity in zip(shown.spans, shown.key, strict=True):
        if entity not in entities:
            continue
        for at, (first, last) in enumerate(parts):
            number += 1
            yield _Part(first, last, entity, at < len(parts) - 1, at > 0, number)


def _begin(part: _Part) -> Piece:
    dots = f"{DOTS} " if part.goes_back else ""
    return Piece(f"[{part.entity} {dots}", part.entity)


def _said(word: str, *, is_empty: bool) -> str:
    if is_empty:
        return EMPTY if word in _NO_WORD else f"{EMPTY}{visible_word(word)}"
    return visible_word(word)


def visible_word(word: str) -> str:
    r"""Show a word as text: what is invisible, and brackets, as escapes.

    >>> print(visible_word("[1"), visible_word("a\x1b[2J"), visible_word("two words"))
    \[1 a\x1b\[2J two words
    """
    return _BRACKET.sub(r"\1\1\\\2", escape_terminal(word))


def words_of(shown: ShownDocument) -> Sequence[str]:
    """List the tokens of a document as they are shown, with their sentences joined."""
    empty = set(shown.empty)
    tokens = [word for sentence in shown.sentences for word in sentence]
    return [_said(word, is_empty=at in empty) for at, word in enumerate(tokens)]
