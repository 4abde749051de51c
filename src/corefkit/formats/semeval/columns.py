"""SemEval-2010 text to columns, a block of bytes at a time.

Plain documents are read as those of CoNLL-2012 are: ids are digits, and every rule in
`corefkit.formats.semeval.semeval` is kept. All others are read line by line, which
words what is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import Columns
from corefkit.columns.prints import mixed
from corefkit.formats.conll.columns import block_brackets, is_digit, numbered
from corefkit.formats.pairing import Unbalanced, paired_brackets
from corefkit.formats.plain import in_utf8

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.columns import Ints
    from corefkit.columns.words import Text
    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.conll.columns import Lines, Words
    from corefkit.formats.documents import Extent

_ZERO = b"0"[0]
_LONGEST = 9  # digits of the number of a token


def semeval_columns(file: ByteFile, extents: Sequence[Extent]) -> Columns:
    """Read the mentions of some documents, in the order given.

    Raises:
        corefkit.formats.pairing.Unbalanced: where a document is not plain.
    """
    lengths = np.array([extent.end - extent.start + 1 for extent in extents], np.int64)
    blocks = file.joined([(extent.start, extent.end) for extent in extents])
    count = _Tokens(len(extents))
    found, words = block_brackets(in_utf8(blocks), lengths, {}, count)
    never = np.zeros(len(extents), np.bool_)
    entity, begin, finish, document = paired_brackets(found, may_stay_open=never)
    start, end = found.token[begin], found.token[finish]
    order = np.lexsort((-end, start, entity))  # rule 7
    return Columns(
        entity[order], start[order], end[order], document, words.tokens, words.prints
    )


class _Tokens:
    """Counts the tokens of documents, and checks their first columns."""

    def __init__(self, documents: int) -> None:
        self.first = np.zeros(documents, np.int64)  # the number of the first token
        self.last = np.zeros(documents, np.int64)  # that of the token before the block
        self.worded = np.zeros(documents, np.bool_)  # whether the first line has a word

    def __call__(
        self, text: Text, start: Ints, end: Ints, document: Ints, words: Words
    ) -> Lines:
        """Number the lines of a block in their documents, and add up their words."""
        lines, (first, size), before = numbered(text, start, end, document, words)
        # A line of one column is refused later: its number is no cell.
        hashes, column_end = text.hashes(text.fields(start, 1))
        worded = column_end < end
        opening = first[before == 0]
        self.worded[document[opening]] = worded[opening]
        if np.any(worded != self.worded[document]):
            raise Unbalanced
        words.known[document[~worded]] = False
        prints = mixed(hashes, lines.token)
        words.prints[document[first]] += np.add.reduceat(prints, first)
        self._check_numbers(_numbers(text, start), document, first, size, opening)
        return lines

    def _check_numbers(
        self, number: Ints, document: Ints, first: Ints, size: Ints, opening: Ints
    ) -> None:
        """Refuse tokens that do not count up from 0 or 1 (rule 4)."""
        previous = np.empty_like(number)
        previous[1:] = number[:-1]
        previous[first] = self.last[document[first]]
        previous[opening] = number[opening] - 1
        self.first[document[opening]] = number[opening]
        follows = number == previous + 1
        if np.any(number[opening] > 1) or not np.all(
            follows | (number == self.first[document])
        ):
            raise Unbalanced
        self.last[document[first]] = number[first + size - 1]


def _numbers(text: Text, start: Ints) -> Ints:
    """Read the numbers of tokens, written without zeros in front."""
    length = text.word_ends(start) - start
    leading = (text.bytes[start] == _ZERO) & (length > 1)
    longest = int(length.max(initial=0))
    if longest > _LONGEST or leading.any():
        raise Unbalanced
    value = np.zeros(len(start), np.int64)
    for place in range(longest):
        there = np.flatnonzero(length > place)
        digit = text.bytes[start[there] + place]
        if not is_digit(digit).all():
            raise Unbalanced
        value[there] = value[there] * 10 + (digit.astype(np.int64) - _ZERO)
    return value
