"""Universal Anaphora columns to columns of mentions, a block of bytes at a time.

Words are counted and hashed where they lie, and the cells that say something are taken
out; only these become Python text. Documents with empty nodes, with lines that are no
tokens or without words are read line by line, and so is what breaks a rule in
`corefkit.formats.ua.ua`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import numpy as np

from corefkit.columns.of_documents import document_columns
from corefkit.columns.prints import mixed
from corefkit.formats.conll.columns import (
    counted_lines,
    is_digit,
    numbered,
    unknown_words,
)
from corefkit.formats.faults import Faults
from corefkit.formats.pairing import Unbalanced
from corefkit.formats.plain import in_utf8
from corefkit.formats.ua.cells import BRIDGING, IDENTITY, Token, read_cells
from corefkit.model import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.columns import Columns, Flags, Ints
    from corefkit.columns.words import Text
    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.conll.columns import Lines, Words
    from corefkit.formats.documents import Extent

_UNDERSCORE, _BLANK = b"_ "
_LONGEST = 18  # digits of the number of a token


def ua_columns(file: ByteFile, extents: Sequence[Extent]) -> Columns:
    """Read the mentions of some documents, in the order given.

    Raises:
        corefkit.formats.pairing.Unbalanced: where a document is not plain.
    """
    lengths = np.array([extent.end - extent.start + 1 for extent in extents], np.int64)
    blocks = file.joined([(extent.start, extent.end) for extent in extents])
    words = unknown_words(len(extents))
    words.known[:] = False  # until a word is found that is not `_`
    tokens: list[list[Token]] = [[] for _ in extents]
    for lines in counted_lines(in_utf8(blocks), lengths, _counted, words):
        for document, token in _marked(lines):
            tokens[document].append(token)
    if not np.all(words.known | (words.tokens == 0)):
        raise Unbalanced
    documents, faults = [], _NotPlain(file)
    for extent, marked, count in zip(
        extents, tokens, words.tokens.tolist(), strict=True
    ):
        entities, bridges = read_cells(marked, range(count), 0, faults)
        documents.append(Document(extent.id, (), entities, bridges=bridges))
    columns = document_columns(documents)
    columns.token_count[:], columns.text_hash[:] = words.tokens, words.prints
    return columns


def _counted(text: Text, start: Ints, end: Ints, document: Ints, words: Words) -> Lines:
    """Number the lines of a block in their documents, and add up their words."""
    _check_numbers(text, start)
    lines, (first, _), _ = numbered(text, start, end, document, words)
    word = text.fields(start, 1)
    hashes, word_end = text.hashes(word)
    prints = mixed(hashes, lines.token)
    words.prints[document[first]] += np.add.reduceat(prints, first)
    named = (text.bytes[word] != _UNDERSCORE) | (word_end - word > 1)
    words.known[document[named]] = True
    return lines


def _check_numbers(text: Text, start: Ints) -> None:
    """Refuse tokens whose ID is more than a number."""
    length = text.word_ends(start) - start
    longest = int(length.max(initial=0))
    if longest > _LONGEST:
        raise Unbalanced
    for place in range(longest):
        there = length > place
        if not is_digit(text.bytes[start[there] + place]).all():
            raise Unbalanced


def _marked(lines: Lines) -> Iterator[tuple[int, Token]]:
    """Go through the tokens that have an identity or a bridging cell."""
    text = lines.text
    start = text.fields(lines.start, IDENTITY)
    if np.any(start >= lines.end):
        raise Unbalanced  # a column is missing
    end = text.word_ends(start)
    more = text.fields(start, BRIDGING - IDENTITY)
    there = more < lines.end
    bridges = there & ~_is_empty(text, more)
    chosen = np.flatnonzero(bridges | ~_is_empty(text, start))
    more_end = text.word_ends(more[chosen])
    for row, line in enumerate(chosen.tolist()):
        identity = text.padded[start[line] : end[line]].decode("utf-8")
        bridging = "_"
        if there[line]:
            bridging = text.padded[more[line] : more_end[row]].decode("utf-8")
        token = Token(int(lines.token[line]), 0, identity, bridging)
        yield int(lines.document[line]), token


def _is_empty(text: Text, place: Ints) -> Flags:
    """Flag the cells that are one underscore."""
    flags: Flags = (text.bytes[place] == _UNDERSCORE) & (
        text.bytes[place + 1] <= _BLANK
    )
    return flags


class _NotPlain(Faults):
    """Leaves a document with any fault, however small, to those who word it."""

    def __call__(self, *_: object, **__: object) -> NoReturn:
        """Refuse the document."""
        raise Unbalanced
