"""CoNLL-2012 text to columns, a block of bytes at a time.

A block is never split into Python lines: the line ends are found with one comparison
over it, then all lines are looked at together. Their last bytes tell which cells hold
brackets; only those are taken out. The words are hashed where they lie.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import Columns, runs, spread
from corefkit.columns.words import Text, mixed
from corefkit.formats.conll.cells import (
    Brackets,
    Cells,
    bracket_mentions,
    brackets,
    irregular_cells,
    is_digit,
    reference_cell,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.columns import Flags, Hashes, Ints

WORD_COLUMN = 3
FEWEST_COLUMNS = 5  # with fewer, nobody can tell which column holds the words

_NEWLINE, _BLANK, _TAB, _HASH, _BAR = b"\n \t#|"
_OPEN, _CLOSE = b"()"
_IS_EMPTY_CELL = np.isin(np.arange(256), list(b"-_*"))


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines of a block that are not blank, by offsets into its padded text."""

    text: Text
    start: Ints  # first byte that is not blank
    end: Ints  # behind the last byte that is not blank

    def only(self, chosen: Flags | Ints) -> _Lines:
        """Keep some of the lines."""
        return _Lines(self.text, self.start[chosen], self.end[chosen])


def conll_columns(
    blocks: Iterable[Sequence[bytes]],
    lengths: Ints,
    *,
    reference: bool,
    may_stay_open: Flags,
) -> Columns:
    """Read the mentions of some documents from blocks of whole lines.

    Args:
        blocks: the bodies of the documents, one behind the other, each block in parts.
        lengths: how many bytes the body of each document has.
        reference: read as the reference scorer does.
        may_stay_open: for each document, whether a bracket left open is forgotten.

    Raises:
        corefkit.formats.conll.cells.Unbalanced: where a bracket or cell is wrong.
    """
    ends = np.cumsum(lengths)
    tokens = np.zeros(len(lengths), np.int64)
    prints = np.zeros(len(lengths), np.uint64)
    worded = np.ones(len(lengths), np.bool_)
    found: list[Brackets] = []
    long_ids: dict[bytes, int] = {}
    offset = -Text.front
    for block in blocks:
        lines = _lines(block)
        comment = lines.text.bytes[lines.start] == _HASH
        if not reference and comment.any():
            lines = lines.only(~comment)
        bounds = np.searchsorted(lines.start, ends - offset)
        document = np.repeat(np.arange(len(ends)), np.diff(bounds, prepend=0))
        offset += sum(map(len, block))
        if not len(document):
            continue
        first, size = runs(document)
        before = tokens[document[first]]
        token = np.arange(len(document)) + spread(before - first, size)
        tokens += np.bincount(document, minlength=len(lengths))
        cells = _cells(lines, document, token, reference=reference)
        found.append(brackets(cells, long_ids, reference=reference))
        hashes, known = _word_hashes(lines, first, size, opening=first[before == 0])
        prints[document[first]] += np.add.reduceat(mixed(hashes, token), first)
        worded[document[~known]] = False
    prints[~worded] = 0
    spans = bracket_mentions(_joined(found), may_stay_open=may_stay_open)
    return Columns(*spans, tokens=tokens, fingerprint=prints)


def _lines(block: Sequence[bytes]) -> _Lines:
    text = Text(*block)
    bounds = np.flatnonzero(text.bytes[Text.front - 1 :] == _NEWLINE) + Text.front - 1
    lines = _Lines(text, bounds[:-1] + 1, bounds[1:])
    lines = lines.only(lines.end > lines.start)
    # Few files have blanks at the end of lines, or CRLF; fewer have them in front.
    trailing = np.flatnonzero(text.bytes[lines.end - 1] <= _BLANK)
    leading = np.flatnonzero(text.bytes[lines.start] <= _BLANK)
    if not len(trailing) and not len(leading):
        return lines
    while len(trailing):
        lines.end[trailing] -= 1
        inside = lines.end[trailing] > lines.start[trailing]
        trailing = trailing[inside]
        trailing = trailing[text.bytes[lines.end[trailing] - 1] <= _BLANK]
    lines.start[leading] = text.skip_blanks(lines.start[leading] - 1)
    return lines.only(lines.end > lines.start)


def _word_hashes(
    lines: _Lines, first: Ints, size: Ints, *, opening: Ints
) -> tuple[Hashes, Flags]:
    """Hash the word of each line, and say whether there is one (rule 3).

    Args:
        lines: the lines, document by document.
        first: the number of each document's first line in the block.
        size: how many lines each document has in the block.
        opening: the lines that open a document, in which a number precedes the word.
    """
    number = _third_fields(lines, first, size)
    hashes, end = lines.text.hashes(_fields_on(lines.text, number, 1))
    known = end < lines.end
    known[opening] &= is_digit(lines.text.bytes[number[opening]])
    return hashes, known


def _third_fields(lines: _Lines, first: Ints, size: Ints) -> Ints:
    """Find the third field of each line, or what follows a line that has none.

    The first two, document and part, are mostly those of the document's first line, and
    then need not be looked for.
    """
    text, start = lines.text, lines.start
    length = _fields_on(text, start[first], WORD_COLUMN - 1) - start[first]
    # A line may be shorter than the first two fields of its document's first line.
    field: Ints = np.minimum(start + spread(length, size), text.last)
    alike = text.begins_alike(start, first, size, length)
    # It may also have more blanks behind them: a column that is empty.
    other = np.flatnonzero(~alike | (text.bytes[field] <= _BLANK))
    if len(other):
        field[other] = _fields_on(text, start[other], WORD_COLUMN - 1)
    return field


def _fields_on(text: Text, place: Ints, number: int) -> Ints:
    for _ in range(number):
        place = text.skip_blanks(text.word_ends(place))
    return place


def _cells(lines: _Lines, document: Ints, token: Ints, *, reference: bool) -> Cells:
    text = lines.text
    empty = _IS_EMPTY_CELL[text.bytes[lines.end - 1]]
    empty &= (text.bytes[lines.end - 2] <= _BLANK) | (lines.end - 1 == lines.start)
    chosen = np.flatnonzero(~empty)
    if not reference:
        return _gathered(lines, chosen, document, token)
    # The reference scorer takes what follows the last tab, blanks included, for the
    # cell: rewrite those that its own way of reading might take for something else.
    cells = _gathered(lines, chosen, document, token)
    after = text.bytes[lines.end]
    blank_cell = np.flatnonzero((after == _BLANK) | (after == _TAB))
    odd = np.union1d(chosen[irregular_cells(cells)], _brackets_outside(lines))
    odd = np.union1d(odd, blank_cell)
    if not len(odd):
        return cells
    cells = _gathered(lines, np.setdiff1d(chosen, odd), document, token)
    rewritten = [_rewritten(lines, row) for row in odd.tolist()]
    return _merged(cells, _from_texts(rewritten, document[odd], token[odd]))


def _gathered(lines: _Lines, chosen: Ints, document: Ints, token: Ints) -> Cells:
    """Take the cells of some lines out of the text."""
    end = lines.end[chosen]
    start = lines.text.word_starts(end)
    length = end - start + 1
    last = np.cumsum(length)
    where = np.repeat(start - last + length, length) + np.arange(int(length.sum()))
    gathered = lines.text.bytes[where]
    gathered[last - 1] = _BAR
    return Cells(gathered, length, document[chosen], token[chosen])


def _brackets_outside(lines: _Lines) -> Ints:
    """Find the lines that have `(7` or `7)` before their last field."""
    text = lines.text.bytes
    digit = is_digit(text)
    bracket = np.zeros(len(digit), np.bool_)
    bracket[:-1] |= (text[:-1] == _OPEN) & digit[1:]
    bracket[:-1] |= digit[:-1] & (text[1:] == _CLOSE)
    place = np.flatnonzero(bracket)
    line = np.searchsorted(lines.start, place, side="right") - 1
    place, line = place[line >= 0], line[line >= 0]
    # A line may have any number of brackets: its last field is looked for once.
    first, size = runs(line)
    field = lines.text.word_starts(lines.end[line[first]])
    return np.unique(line[place < np.repeat(field, size)])


def _rewritten(lines: _Lines, line: int) -> bytes:
    padded, start = lines.text.padded, int(lines.start[line])
    columns = padded[start : padded.index(b"\n", start)].split(b"\t")
    while columns and not columns[-1]:
        columns.pop()
    return reference_cell(columns[-1])


def _from_texts(texts: Sequence[bytes], document: Ints, token: Ints) -> Cells:
    length = np.array([len(text) + 1 for text in texts])
    joined = np.frombuffer(b"".join(text + b"|" for text in texts), np.uint8)
    return Cells(joined, length, document, token)


def _merged(some: Cells, others: Cells) -> Cells:
    """Put the cells of two rows in the order of the text."""
    length = np.concatenate((some.length, others.length))
    document = np.concatenate((some.document, others.document))
    token = np.concatenate((some.token, others.token))
    order = np.lexsort((token, document))
    start = (np.cumsum(length) - length)[order]
    length = length[order]
    shift = np.cumsum(length) - length
    text = np.concatenate((some.text, others.text))
    where = np.repeat(start - shift, length) + np.arange(len(text))
    return Cells(text[where], length, document[order], token[order])


def _joined(parts: Sequence[Brackets]) -> Brackets:
    """Put the brackets of all blocks behind each other."""
    if not parts:
        none, never = np.empty(0, np.int64), np.empty(0, np.bool_)
        return Brackets(none, none, none, never, never)
    return Brackets(
        np.concatenate([part.document for part in parts]),
        np.concatenate([part.token for part in parts]),
        np.concatenate([part.entity for part in parts]),
        np.concatenate([part.opens for part in parts]),
        np.concatenate([part.closes for part in parts]),
    )
