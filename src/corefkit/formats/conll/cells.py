"""The coreference cells of CoNLL-2012, all of a block at once, and one by one.

`brackets` and `bracket_mentions` turn the cells of many documents into mentions with
array operations only; `cell_items` reads one cell for messages and for objects. Both
follow the rules in `corefkit.formats.conll.conll`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.columns import runs, sorting_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from corefkit.columns import Flags, Ints

_LONGEST = 17  # digits of an entity id that fit a 64-bit number with their count
_OPEN, _CLOSE, _BAR, _NINE, _ZERO = b"()|90"
_ITEM = re.compile(rb"\((\d+)\)|\((\d+)|(\d+)\)|\|")
_DOUBLE = re.compile(rb"\(\d+\+\d\)")
_PIECE = re.compile(rb"\d+|\D")
_OPENING = re.compile(rb"\((\d+)")
_CLOSING = re.compile(rb"(?<!\d)(\d++)\)")  # each row of digits is looked at once


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells that are not empty, as one text in which each is followed by a bar.

    Attributes:
        text: the bytes of all cells.
        length: how many bytes each cell has, its bar included.
        document: the document of each cell, counted in the block.
        token: the token of each cell, counted in its document.
    """

    text: NDArray[np.uint8]
    length: Ints
    document: Ints
    token: Ints

    @property
    def of_byte(self) -> Ints:
        """The cell that each byte belongs to."""
        return np.repeat(np.arange(len(self.length)), self.length)


@dataclass(frozen=True, slots=True)
class Brackets:
    """The brackets of many cells, one row each, in the order in which they count.

    Attributes:
        document: the document of each bracket, counted in the block.
        token: the token of each bracket, counted in its document.
        entity: a number for the entity id, the same for the same digits.
        opens: whether a mention begins here.
        closes: whether a mention ends here; one of a single token does both.
    """

    document: Ints
    token: Ints
    entity: Ints
    opens: Flags
    closes: Flags


class Spans(NamedTuple):
    """Mentions of a block in the order of their entities, as in `Columns`."""

    entity: Ints
    start: Ints
    end: Ints
    entity_document: Ints


class Unbalanced(Exception):
    """Some cell or bracket of the block breaks the rules; a slow look tells which."""


class Item(NamedTuple):
    """One bracket of a cell."""

    entity: str
    opens: bool
    closes: bool


def cell_items(cell: bytes) -> list[Item] | None:
    """Read one cell, or give None where it is not one.

    >>> cell_items(b"(1|(2)|3)")
    [Item(entity='1', opens=True, closes=False), Item(entity='2', opens=True, \
closes=True), Item(entity='3', opens=False, closes=True)]
    >>> cell_items(b"(a)") is None
    True
    """
    items, position = [], 0
    while position < len(cell):
        match = _ITEM.match(cell, position)
        if match is None:
            return None
        position = match.end()
        digits = match.group(1) or match.group(2) or match.group(3)
        if digits is not None:
            opens, closes = match.group(3) is None, match.group(2) is None
            items.append(Item(digits.decode(), opens, closes))
    return items


def reference_cell(cell: bytes) -> bytes:
    """Rewrite a cell as the reference scorer takes it apart.

    It deletes in turn double antecedents, one-token mentions, opening and closing
    brackets, wherever they stand; what a deletion brings together is read together.

    >>> reference_cell(b"(1(2)3)"), reference_cell(b"(4+1)|5)|(5")
    (b'(2)|(13)', b'(5|5)')
    """
    items, cell = _one_token_items(_DOUBLE.sub(b"", cell))
    # Behind an opening bracket's digits comes no digit, and none before those of a
    # closing one: deleting these brings nothing together.
    for pattern, wording in ((_OPENING, b"(%s"), (_CLOSING, b"%s)")):
        items += [wording % digits for digits in pattern.findall(cell)]
        cell = pattern.sub(b"", cell)
    return b"|".join(items)


def _one_token_items(cell: bytes) -> tuple[list[bytes], bytes]:
    """Delete the one-token mentions of a cell, and those that this brings together.

    Gives the deleted ones, in the order in which a search from the left finds them, and
    what is left of the cell.
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


def irregular_cells(cells: Cells) -> Ints:
    """Find the cells that are not a plain row of brackets set apart by bars."""
    digit, bar = is_digit(cells.text), cells.text == _BAR
    opening, closing = cells.text == _OPEN, cells.text == _CLOSE
    odd = ~(digit | bar | opening | closing)
    # Brackets stand between a bar and a number; `(1(2)3)` and `()` do not.
    odd[:-1] |= (opening[:-1] & ~digit[1:]) | (closing[:-1] & ~bar[1:])
    odd[1:] |= (opening[1:] & ~bar[:-1]) | (closing[1:] & ~digit[:-1])
    odd[:1] |= closing[:1]
    first, last = _digit_runs(cells.text)
    odd[first[~opening[first - 1] & ~closing[last]]] = True  # a bare number
    return np.unique(cells.of_byte[odd])


def brackets(cells: Cells, ids: dict[bytes, int], *, reference: bool) -> Brackets:
    """Take cells apart into brackets.

    Args:
        cells: the cells, in the order of the text.
        ids: entity ids too long for a number, numbered here; the same dictionary serves
            all cells of a document.
        reference: inside a cell, take one-token mentions before opening brackets and
            these before closing ones; otherwise as written.

    Raises:
        Unbalanced: where a cell is no cell.
    """
    first, last = _digit_runs(cells.text)
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


class Paired(NamedTuple):
    """Brackets that are mentions, in the order of their entities.

    Attributes:
        entity: the entity of each mention.
        begin: the number of the bracket that opens it.
        finish: the number of the bracket that closes it.
        entity_document: the document of each entity.
    """

    entity: Ints
    begin: Ints
    finish: Ints
    entity_document: Ints


def paired_brackets(brackets: Brackets, *, may_stay_open: Flags) -> Paired:
    """Pair brackets: last opened, first closed, for each entity of each document.

    Args:
        brackets: the brackets of a block of documents.
        may_stay_open: for each document, whether a bracket left open is forgotten.

    Raises:
        Unbalanced: where a bracket has no partner.
    """
    opens, closes = brackets.opens, brackets.closes
    entity, entity_document = _first_seen(brackets.document, brackets.entity)
    begin, finish = _pairs(entity, opens, closes, may_stay_open[entity_document])
    # One-token mentions begin and finish in the same bracket.
    single = np.flatnonzero(opens & closes)
    begin = np.concatenate((begin, single))
    finish = np.concatenate((finish, single))
    order = sorting_order(entity[finish] * len(entity) + finish)
    begin, finish = begin[order], finish[order]
    return Paired(entity[finish], begin, finish, entity_document)


def bracket_mentions(brackets: Brackets, *, may_stay_open: Flags) -> Spans:
    """Make mentions of the brackets of a block; see `paired_brackets`."""
    entity, begin, finish, entity_document = paired_brackets(
        brackets, may_stay_open=may_stay_open
    )
    token = brackets.token
    return _without_empty(Spans(entity, token[begin], token[finish], entity_document))


def is_digit(text: NDArray[np.uint8]) -> Flags:
    """Say which bytes are digits."""
    flags: Flags = (text >= _ZERO) & (text <= _NINE)
    return flags


def _digit_runs(text: NDArray[np.uint8]) -> tuple[Ints, Ints]:
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


def _first_seen(document: Ints, code: Ints) -> tuple[Ints, Ints]:
    # Number the entities by (document, id) in the order they are first seen.
    limit = int(code.max(initial=0)) + 1
    if limit * (int(document.max(initial=0)) + 1) >= 1 << 63:
        code = np.unique(code, return_inverse=True)[1]
        limit = int(code.max(initial=0)) + 1
    key = document * limit + code
    order = sorting_order(key)
    first, size = runs(key[order])
    seen = order[first]
    rank = np.empty(len(seen), np.int64)
    rank[sorting_order(seen)] = np.arange(len(seen))
    entity = np.empty(len(key), np.int64)
    entity[order] = np.repeat(rank, size)
    return entity, document[np.sort(seen)]


def _pairs(
    entity: Ints, opens: Flags, closes: Flags, may_stay_open: Flags
) -> tuple[Ints, Ints]:
    """Pair opening and closing brackets; gives their positions in the bracket row."""
    wide = np.flatnonzero(opens != closes)
    wide = wide[sorting_order(entity[wide])]
    step = np.where(opens[wide], 1, -1)
    group = entity[wide]
    depth = np.cumsum(step)
    first, size = runs(group)
    depth -= np.repeat(depth[first] - step[first], size)
    level = np.where(step > 0, depth, depth + 1)
    if np.any(level < 1):
        raise Unbalanced
    # Openings and closings of one level of one entity take turns.
    order = sorting_order(group * (int(level.max(initial=0)) + 1) + level)
    wide, step, level, group = wide[order], step[order], level[order], group[order]
    opening = step > 0
    answered = np.zeros(len(wide), np.bool_)
    answered[:-1] = (
        opening[:-1]
        & ~opening[1:]
        & (group[:-1] == group[1:])
        & (level[:-1] == level[1:])
    )
    if not np.all(answered | ~opening | may_stay_open[group]):
        raise Unbalanced
    begin = np.flatnonzero(answered)
    return wide[begin], wide[begin + 1]


def _without_empty(spans: Spans) -> Spans:
    # An entity all of whose brackets stayed open has no mention.
    if np.bincount(spans.entity, minlength=len(spans.entity_document)).all():
        return spans
    entities, entity = np.unique(spans.entity, return_inverse=True)
    return spans._replace(
        entity=entity, entity_document=spans.entity_document[entities]
    )
