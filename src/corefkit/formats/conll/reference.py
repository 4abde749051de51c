"""Cells as the reference scorer takes them apart, one by one and all of a block.

It takes for the cell whatever follows the last tab, blanks included, and finds brackets
wherever they stand in it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import runs
from corefkit.formats.conll.columns import Cells, digit_runs, gathered, is_digit

if TYPE_CHECKING:
    from corefkit.columns import Ints
    from corefkit.formats.conll.columns import Lines

_OPEN, _CLOSE, _BAR, _BLANK, _TAB = b"()| \t"
_DOUBLE = re.compile(rb"\(\d+\+\d\)")
_PIECE = re.compile(rb"\d+|\D")
_OPENING = re.compile(rb"\((\d+)")
_CLOSING = re.compile(rb"(?<!\d)(\d++)\)")  # each row of digits is looked at once


def reference_cell(line: bytes) -> bytes:
    r"""Rewrite the cell of a line as the reference scorer takes it apart.

    It deletes in turn double antecedents, one-token mentions, opening and closing
    brackets, wherever they stand; what a deletion brings together is read together.

    >>> reference_cell(b"word\t(1(2)3)"), reference_cell(b"(4+1)|5)|(5")
    (b'(2)|(13)', b'(5|5)')
    """
    cell = _last_field(line)
    if b"(" not in cell and b")" not in cell:  # most lines
        return b""
    items, cell = _one_token_items(_DOUBLE.sub(b"", cell))
    # Behind an opening bracket's digits comes no digit, and none before those of a
    # closing one: deleting these brings nothing together.
    for pattern, wording in ((_OPENING, b"(%s"), (_CLOSING, b"%s)")):
        items += [wording % digits for digits in pattern.findall(cell)]
        cell = pattern.sub(b"", cell)
    return b"|".join(items)


def double_antecedents(line: bytes) -> list[str]:
    r"""List the double antecedents that the reference scorer discards in a line.

    >>> double_antecedents(b"word\t(4+1)|(5"), double_antecedents(b"word\t(0+12)")
    (['(4+1)'], [])
    """
    return [found.decode() for found in _DOUBLE.findall(_last_field(line))]


def _last_field(line: bytes) -> bytes:
    """Take what follows the last tab; fields that are empty at the end are none."""
    return line.rstrip(b"\t").rpartition(b"\t")[2]


def _one_token_items(cell: bytes) -> tuple[list[bytes], bytes]:
    """Delete the one-token mentions of a cell, and those that this brings together.

    Returns the deleted ones, in the order in which a search from the left finds them,
    and what is left of the cell.
    """
    items: list[bytes] = []
    kept: list[bytes] = []
    for piece in _PIECE.findall(cell):
        if piece != b")":
            kept.append(piece)
            continue
        digits: list[bytes] = []
        while kept and kept[-1].isdigit():
            digits.append(kept.pop())
        if digits and kept and kept[-1] == b"(":
            kept.pop()
            items.append(b"(%s)" % b"".join(reversed(digits)))
        else:
            kept += [*reversed(digits), piece]
    return items, b"".join(kept)


def reference_cells(lines: Lines, chosen: Ints) -> Cells:
    """Take the cells of some lines out of the text as the reference scorer would.

    Cells that it might read in another way than we do are rewritten.
    """
    cells = gathered(lines, chosen)
    after = lines.text.bytes[lines.end]
    blank_cell = np.flatnonzero((after == _BLANK) | (after == _TAB))
    irregular = np.union1d(chosen[irregular_cells(cells)], _brackets_outside(lines))
    irregular = np.union1d(irregular, blank_cell)
    if not len(irregular):
        return cells
    cells = gathered(lines, np.setdiff1d(chosen, irregular))
    texts = [_rewritten(lines, line) + b"|" for line in irregular.tolist()]
    rewritten = Cells(
        np.frombuffer(b"".join(texts), np.uint8),
        np.array(list(map(len, texts))),
        lines.document[irregular],
        lines.token[irregular],
    )
    return _merged(cells, rewritten)


def irregular_cells(cells: Cells) -> Ints:
    """Find the cells that are not a plain row of brackets separated by bars."""
    digit, bar = is_digit(cells.text), cells.text == _BAR
    opening, closing = cells.text == _OPEN, cells.text == _CLOSE
    irregular = ~(digit | bar | opening | closing)
    # Brackets stand between a bar and a number; `(1(2)3)` and `()` do not.
    irregular[:-1] |= (opening[:-1] & ~digit[1:]) | (closing[:-1] & ~bar[1:])
    irregular[1:] |= (opening[1:] & ~bar[:-1]) | (closing[1:] & ~digit[:-1])
    irregular[:1] |= closing[:1]
    first, last = digit_runs(cells.text)
    irregular[first[~opening[first - 1] & ~closing[last]]] = True  # a bare number
    return np.unique(cells.of_byte[irregular])


def _brackets_outside(lines: Lines) -> Ints:
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


def _rewritten(lines: Lines, line: int) -> bytes:
    padded, start = lines.text.padded, int(lines.start[line])
    return reference_cell(padded[start : padded.index(b"\n", start)])


def _merged(some: Cells, others: Cells) -> Cells:
    """Merge two rows of cells in the order of the text."""
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
