"""CoNLL-2012 text to columns, a block of bytes at a time.

A block is never split into Python lines. Every byte above a blank belongs to a field;
the fields' first bytes are found with one comparison over the block, lines are the
fields whose preceding byte ends a line, and only the cells that hold brackets are
looked at further. Words are hashed where they lie.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import Columns
from corefkit.formats.conll_cells import (
    Cells,
    bracket_mentions,
    irregular_cells,
    reference_cell,
)
from corefkit.formats.words import PADDING, placed, word_hashes, word_lengths

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.columns import Flags, Ints
    from numpy.typing import NDArray

WORD_COLUMN = 3
FEWEST_COLUMNS = 5  # with fewer, nobody can tell which column holds the words

_NEWLINE, _BLANK, _TAB, _HASH, _BAR = b"\n \t#|"
_OPEN, _CLOSE, _ZERO, _NINE = b"()09"
_EMPTY_CELLS = b"-_*"


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines of a block that are not blank, by offsets into its padded text."""

    padded: bytes
    text: NDArray[np.uint8]  # the same bytes as numbers
    start: Ints  # first byte of each line's first field
    cell: Ints  # first byte of each line's last field
    word: Ints  # first byte of each line's word; its first field where it has none
    columns: Ints  # number of fields


def conll_columns(
    blocks: Iterable[bytes], lengths: Ints, *, reference: bool, may_stay_open: Flags
) -> Columns:
    """Read the mentions of some documents from blocks of whole lines.

    Args:
        blocks: the bodies of the documents, one behind the other.
        lengths: how many bytes the body of each document has.
        reference: read as the reference scorer does.
        may_stay_open: for each document, whether a bracket left open is forgotten.

    Raises:
        corefkit.formats.conll_cells.Unbalanced: where a bracket or cell is wrong.
    """
    ends = np.cumsum(lengths)
    tokens = np.zeros(len(lengths), np.int64)
    prints = np.zeros(len(lengths), np.uint64)
    wordless = np.zeros(len(lengths), np.bool_)
    found: list[Cells] = []
    offset = -1  # lines are found in a text that has one byte more in front
    for block in blocks:
        lines = _lines(block)
        before = np.searchsorted(lines.start, ends - offset)
        counts = np.diff(before, prepend=0)
        document = np.repeat(np.arange(len(ends)), counts)
        offset += len(block)
        line = np.arange(len(document))
        if not reference:
            line = np.flatnonzero(lines.text[lines.start] != _HASH)
            document = document[line]
        number = tokens[document] + _count_from_zero(document)
        tokens += np.bincount(document, minlength=len(lengths))
        found.append(_cells(lines, line, document, number, reference=reference))
        wordless[document[lines.columns[line] < FEWEST_COLUMNS]] = True
        if len(line):
            hashes = placed(word_hashes(lines.text, lines.word[line]), number)
            first = np.flatnonzero(np.diff(document, prepend=-1))
            prints[document[first]] += np.add.reduceat(hashes, first)
    prints[wordless] = 0
    spans = bracket_mentions(
        _joined(found), reference=reference, may_stay_open=may_stay_open
    )
    return Columns(*spans, tokens=tokens, fingerprint=prints)


def _lines(block: bytes) -> _Lines:
    padded = b"\n" + block + PADDING
    text = np.frombuffer(padded, np.uint8)
    solid = text > _BLANK
    fields = np.flatnonzero(solid[1:] > solid[:-1]) + 1
    ends = text == _NEWLINE
    indented = ends[:-1] & ((text[1:] == _BLANK) | (text[1:] == _TAB))
    if np.any(indented):
        first = np.unique(np.searchsorted(fields, np.flatnonzero(ends)))
        first = first[first < len(fields)]
    else:
        first = np.flatnonzero(ends[fields - 1])
    columns = np.diff(np.append(first, len(fields)))
    start = fields[first]
    cell = fields[first + columns - 1]
    shift = np.where(columns >= FEWEST_COLUMNS, WORD_COLUMN, 0)
    return _Lines(padded, text, start, cell, fields[first + shift], columns)


def _count_from_zero(group: Ints) -> Ints:
    """Number the members of each group; groups stand together.

    >>> _count_from_zero(np.array([4, 4, 4, 7, 7])).tolist()
    [0, 1, 2, 0, 1]
    """
    first = np.flatnonzero(np.diff(group, prepend=-1))
    sizes = np.diff(np.append(first, len(group)))
    return np.arange(len(group)) - np.repeat(first, sizes)


def _cells(
    lines: _Lines, line: Ints, document: Ints, number: Ints, *, reference: bool
) -> Cells:
    cell = lines.cell[line]
    initial = lines.text[cell]
    empty = lines.text[cell + 1] <= _BLANK
    empty &= np.isin(initial, np.frombuffer(_EMPTY_CELLS, np.uint8))
    chosen = np.flatnonzero(~empty)
    cells = _gather(lines.text, cell[chosen], document[chosen], number[chosen])
    if not reference:
        return cells
    # The reference scorer takes what follows the last tab, blanks included, for the
    # cell: rewrite those that its own way of reading might take for something else.
    odd = {int(chosen[row]) for row in irregular_cells(cells)}
    odd |= _brackets_outside(lines, line)
    if not odd:
        return cells
    plain = chosen[~np.isin(chosen, list(odd))]
    cells = _gather(lines.text, cell[plain], document[plain], number[plain])
    rewritten = [_rewritten(lines, int(line[row])) for row in sorted(odd)]
    rows = np.array(sorted(odd))
    return _in_order(
        _joined([cells, _from_texts(rewritten, document[rows], number[rows])])
    )


def _gather(text: NDArray[np.uint8], start: Ints, document: Ints, token: Ints) -> Cells:
    length = word_lengths(text, start) + 1
    shift = np.cumsum(length) - length
    where = np.repeat(start - shift, length) + np.arange(int(length.sum()))
    gathered = text[where]
    gathered[np.cumsum(length) - 1] = _BAR
    return Cells(gathered, length, document, token)


def _brackets_outside(lines: _Lines, line: Ints) -> set[int]:
    # Rows whose line has `(7` or `7)` before its last field.
    digit = (lines.text >= _ZERO) & (lines.text <= _NINE)
    bracket = np.zeros(len(digit), np.bool_)
    bracket[:-1] |= (lines.text[:-1] == _OPEN) & digit[1:]
    bracket[:-1] |= digit[:-1] & (lines.text[1:] == _CLOSE)
    position = np.flatnonzero(bracket)
    row = np.searchsorted(lines.start[line], position, side="right") - 1
    inside = (row >= 0) & (position < lines.cell[line[row]])
    return set(row[inside].tolist())


def _rewritten(lines: _Lines, line: int) -> bytes:
    start = int(lines.start[line])
    columns = lines.padded[start : lines.padded.index(b"\n", start)].split(b"\t")
    while columns and not columns[-1]:
        columns.pop()
    return reference_cell(columns[-1])


def _from_texts(texts: Sequence[bytes], document: Ints, token: Ints) -> Cells:
    length = np.array([len(text) + 1 for text in texts])
    joined = np.frombuffer(b"".join(text + b"|" for text in texts), np.uint8)
    return Cells(joined, length, document, token)


def _joined(parts: Sequence[Cells]) -> Cells:
    if len(parts) == 1:
        return parts[0]
    none = Cells(np.empty(0, np.uint8), *(np.empty(0, np.int64) for _ in range(3)))
    parts = [none, *parts]
    return Cells(
        np.concatenate([part.text for part in parts]),
        np.concatenate([part.length for part in parts]),
        np.concatenate([part.document for part in parts]),
        np.concatenate([part.token for part in parts]),
    )


def _in_order(cells: Cells) -> Cells:
    order = np.lexsort((cells.token, cells.document))
    length = cells.length[order]
    start = (np.cumsum(cells.length) - cells.length)[order]
    shift = np.cumsum(length) - length
    where = np.repeat(start - shift, length) + np.arange(len(cells.text))
    return Cells(
        cells.text[where], length, cells.document[order], cells.token[order]
    )
