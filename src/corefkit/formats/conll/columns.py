"""CoNLL-2012 text to columns, a block of bytes at a time.

A block is never split into Python lines: the line ends are found with one comparison
over it, then all lines are looked at together. Their last bytes tell which cells hold
brackets; only those are taken out. The words are hashed where they lie. The rules are
those in `corefkit.formats.conll.conll`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.columns import Columns, Runs, runs, sorting_order, spread
from corefkit.columns.prints import mixed
from corefkit.columns.words import Text
from corefkit.formats.pairing import Brackets, Unbalanced, paired_brackets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from corefkit.columns import Flags, Hashes, Ints

WORD_COLUMN = 3
_LONGEST = 17  # digits of an entity id that fit a 64-bit number with their count
_BLANK, _HASH, _BAR, _OPEN, _CLOSE, _ZERO, _NINE = b" #|()09"
_IS_EMPTY_CELL = np.isin(np.arange(256), list(b"-_*"))


@dataclass(frozen=True, slots=True)
class Lines:
    """The token lines of a block."""

    text: Text  # the block
    start: Ints  # where each line begins in the text, without blanks in front
    end: Ints  # where it ends, without blanks behind
    document: Ints  # its document, counted in those that are read
    token: Ints  # its number in the document


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells that are not empty, as one text in which each is followed by a bar."""

    text: NDArray[np.uint8]  # the bytes of all cells
    length: Ints  # how many bytes each cell has, its bar included
    document: Ints  # the document of each cell
    token: Ints  # the token of each cell, counted in its document

    @property
    def of_byte(self) -> Ints:
        """The cell that each byte belongs to."""
        return np.repeat(np.arange(len(self.length)), self.length)


@dataclass(frozen=True, slots=True)
class Words:
    """What is known of the words of each document, block by block."""

    tokens: Ints  # how many lines there were
    prints: Hashes  # the hashes of their words, summed up
    known: Flags  # whether each line had a word


# Numbers the lines of a block, each with the start, end and document given, in their
# documents, and adds up their words.
Count: TypeAlias = "Callable[[Text, Ints, Ints, Ints, Words], Lines]"


def coded_columns(
    blocks: Iterable[Sequence[bytes]],
    lengths: Ints,
    long_ids: dict[bytes, int],
    *,
    reference: bool,
    may_stay_open: Flags,
) -> tuple[Columns, Ints]:
    """Read mentions from blocks of whole lines, and a number for each entity's id.

    Args:
        blocks: the bodies of the documents, one after the other, each block in parts.
        lengths: how many bytes the body of each document has.
        long_ids: where ids too long for a number are numbered.
        reference: read as the reference scorer does.
        may_stay_open: for each document, whether a bracket left open is forgotten.

    Raises:
        corefkit.formats.pairing.Unbalanced: where a bracket or cell is wrong.
    """
    found, words = block_brackets(
        blocks, lengths, long_ids, _counted, reference=reference
    )
    entity, begin, finish, document = paired_brackets(
        found, may_stay_open=may_stay_open
    )
    start, end = found.token[begin], found.token[finish]
    columns = Columns(entity, start, end, document, words.tokens, words.prints)
    return columns, found.entity[begin[runs(entity).first]]


def block_brackets(
    blocks: Iterable[Sequence[bytes]],
    lengths: Ints,
    long_ids: dict[bytes, int],
    count: Count,
    *,
    reference: bool = False,
) -> tuple[Brackets, Words]:
    """Find the brackets in the last column of blocks of whole lines, and the words.

    The arguments are those of `coded_columns`; `count` knows the other columns.
    """
    words = unknown_words(len(lengths))
    found = [
        brackets(_cells(lines, reference=reference), long_ids, reference=reference)
        for lines in counted_lines(blocks, lengths, count, words, reference=reference)
    ]
    words.prints[~words.known] = 0
    return _joined(found), words


def unknown_words(documents: int) -> Words:
    """Begin with documents of which nothing is read."""
    return Words(
        tokens=np.zeros(documents, np.int64),
        prints=np.zeros(documents, np.uint64),
        known=np.ones(documents, np.bool_),
    )


def counted_lines(
    blocks: Iterable[Sequence[bytes]],
    lengths: Ints,
    count: Count,
    words: Words,
    *,
    reference: bool = False,
) -> Iterator[Lines]:
    """Go through the token lines of blocks of whole lines, and add up their words."""
    ends = np.cumsum(lengths) + Text.front
    for block in blocks:
        text = Text(*block)
        start, end = text.lines()
        comment = text.bytes[start] == _HASH
        if not reference and comment.any():
            start, end = start[~comment], end[~comment]
        bounds = np.searchsorted(start, ends)
        ends -= sum(map(len, block))
        document = np.repeat(np.arange(len(ends)), np.diff(bounds, prepend=0))
        if len(document):
            yield count(text, start, end, document, words)


def numbered(
    text: Text, start: Ints, end: Ints, document: Ints, words: Words
) -> tuple[Lines, Runs, Ints]:
    """Number the lines of a block in their documents.

    Returned are also the stretches of lines of one document, and how many lines of
    these documents there were before the block.
    """
    first, size = stretches = runs(document)
    before = words.tokens[document[first]]
    token = np.arange(len(document)) + spread(before - first, size)
    words.tokens[:] += np.bincount(document, minlength=len(words.tokens))
    return Lines(text, start, end, document, token), stretches, before


def _counted(text: Text, start: Ints, end: Ints, document: Ints, words: Words) -> Lines:
    """Number the lines of a block in their documents, and add up their words."""
    lines, (first, size), before = numbered(text, start, end, document, words)
    number = text.fields_alike(start, first, size, WORD_COLUMN - 1)
    hashes, word_end = text.hashes(text.fields(number, 1))
    words.prints[document[first]] += np.add.reduceat(mixed(hashes, lines.token), first)
    # With five columns the word is not the last one (rule 3), and a number precedes it
    # in the first line of a document.
    known = word_end < end
    opening = first[before == 0]
    known[opening] &= is_digit(text.bytes[number[opening]])
    words.known[document[~known]] = False
    return lines


def _cells(lines: Lines, *, reference: bool) -> Cells:
    text = lines.text.bytes
    empty = _IS_EMPTY_CELL[text[lines.end - 1]]
    empty &= (text[lines.end - 2] <= _BLANK) | (lines.end - 1 == lines.start)
    chosen = np.flatnonzero(~empty)
    if not reference:
        return gathered(lines, chosen)
    # Imported here because only the reference scorer's way of reading needs it.
    from corefkit.formats.conll.reference import reference_cells

    return reference_cells(lines, chosen)


def gathered(lines: Lines, chosen: Ints) -> Cells:
    """Take the cells of some lines out of the text."""
    end = lines.end[chosen]
    start = lines.text.word_starts(end)
    length = end - start + 1
    last = np.cumsum(length)
    where = np.repeat(start - last + length, length) + np.arange(int(length.sum()))
    text = lines.text.bytes[where]
    text[last - 1] = _BAR
    return Cells(text, length, lines.document[chosen], lines.token[chosen])


def brackets(cells: Cells, ids: dict[bytes, int], *, reference: bool) -> Brackets:
    """Take cells apart into brackets, in the order of the text.

    Ids too long for a number are numbered in `ids`, which serves all cells of a
    document. For the reference scorer, one-token mentions go before opening brackets
    inside a cell and these before closing ones.

    Raises:
        Unbalanced: where a cell is no cell.
    """
    first, last = digit_runs(cells.text)
    opens = cells.text[first - 1] == _OPEN  # before the first byte: the last bar
    closes = cells.text[last] == _CLOSE
    _check_cells(cells, first, last, opens, closes)
    cell = cells.of_byte[first]
    entity = _entity_codes(cells.text, first, last, ids)
    if reference:
        kind = np.where(opens & closes, 0, np.where(opens, 1, 2))
        order = sorting_order(cell * 3 + kind)
        cell, entity = cell[order], entity[order]
        opens, closes = opens[order], closes[order]
    return Brackets(cells.document[cell], cells.token[cell], entity, opens, closes)


def is_digit(text: NDArray[np.uint8]) -> Flags:
    """Return which bytes are digits."""
    flags: Flags = (text >= _ZERO) & (text <= _NINE)
    return flags


def digit_runs(text: NDArray[np.uint8]) -> tuple[Ints, Ints]:
    """Find where rows of digits begin and end."""
    digit = np.zeros(len(text) + 1, np.bool_)
    digit[1:] = is_digit(text)
    first = np.flatnonzero(digit[1:] > digit[:-1])
    last = np.flatnonzero(digit[:-1] > digit[1:])
    return first, last


def _check_cells(
    cells: Cells, first: Ints, last: Ints, opens: Flags, closes: Flags
) -> None:
    opening = np.count_nonzero(cells.text == _OPEN)
    closing = np.count_nonzero(cells.text == _CLOSE)
    known = opening + closing + np.count_nonzero(cells.text == _BAR)
    sound = (
        known + int((last - first).sum()) == len(cells.text)
        and opening == np.count_nonzero(opens)
        and closing == np.count_nonzero(closes)
        and bool(np.all(opens | closes))
    )
    if not sound:
        raise Unbalanced


def _entity_codes(
    text: NDArray[np.uint8], first: Ints, last: Ints, ids: dict[bytes, int]
) -> Ints:
    # Ids are strings of digits: `0` and `00` are two entities, so the length counts.
    # `columns.identified` numbers the ids of other formats in the same way.
    length = last - first
    value = text[first].astype(np.int64) - _ZERO
    for place in range(1, min(int(length.max(initial=0)), _LONGEST)):
        longer = np.flatnonzero(length > place)
        digit = text[first[longer] + place].astype(np.int64) - _ZERO
        value[longer] = value[longer] * 10 + digit
    # What does not fit is numbered, as ids of no digits.
    for number in np.flatnonzero(length > _LONGEST).tolist():
        digits = text[first[number] : last[number]].tobytes()
        value[number], length[number] = ids.setdefault(digits, len(ids)), 0
    return value * (_LONGEST + 1) + length


def _joined(parts: Sequence[Brackets]) -> Brackets:
    """Join the brackets of all blocks."""
    if not parts:
        none, never = np.empty(0, np.int64), np.empty(0, np.bool_)
        return Brackets(none, none, none, never, never)
    return Brackets(*map(np.concatenate, zip(*parts, strict=True)))
