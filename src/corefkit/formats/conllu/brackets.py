"""The brackets of CoNLL-U's `Entity` values, all of a block at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import expanded, runs
from corefkit.columns.words import Text
from corefkit.formats.conllu.annotation import Fields
from corefkit.formats.conllu.lines import Irregular, items
from corefkit.formats.pairing import Brackets

if TYPE_CHECKING:
    from corefkit.columns import Flags, Hashes, Ints
    from corefkit.formats.conllu.lines import Block, Bytes, Tokens

_NEWLINE, _BAR, _DASH, _COMMA, _ZERO, _NINE = b"\n|-,09"
_OPEN, _CLOSE, _PART, _PERCENT = b"()[%"
_ENTITY, _NO_ENTITY = b"Entity", b"NOCOREF"
_LONGEST_MINIMUM = 200
STEP = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Values:
    """All `Entity` values, one after the other in a text of their own."""

    text: Text  # the values, a line each
    line: Ints  # the token line of each
    first: Ints  # where each begins in the text
    last: Ints  # where it ends


@dataclass(frozen=True, slots=True)
class Pieces:
    """The brackets of all values, and of each the text inside."""

    brackets: Brackets  # the brackets
    name: Hashes  # a hash of each entity id
    start: Ints  # where the text of each begins
    end: Ints  # where it ends


def entity_values(block: Block, tokens: Tokens) -> Values:
    """Take the `Entity` values out of a block, into a text that is much shorter."""
    line, first = items(block, tokens, _ENTITY)
    if np.any(line[1:] == line[:-1]):
        raise Irregular
    # With the rest of each line, and a line end behind it; then up to the first bar.
    length = tokens.end[line] + 1 - first
    _, place = expanded(first, first + length)
    text = Text(block.text.bytes[place].tobytes())
    start = np.cumsum(length) - length + Text.front
    stops = np.flatnonzero((text.bytes == _BAR) | (text.bytes == _NEWLINE))
    last = stops[np.searchsorted(stops, start)]
    if np.any(start == last):
        raise Irregular
    return Values(text, line, start, last)


def bracket_pieces(block: Block, tokens: Tokens, values: Values) -> Pieces:
    """Take the values apart."""
    data, first, last = values.text.bytes, values.first, values.last
    sign = np.flatnonzero((data == _OPEN) | (data == _CLOSE))
    value = np.searchsorted(first, sign, "right") - 1
    inside = sign < last[value]
    sign, value = sign[inside], value[inside]
    opening = data[sign] == _OPEN
    new = np.ones(len(sign), np.bool_)
    new[1:] = value[1:] != value[:-1]
    if np.count_nonzero(new) != len(first):
        raise Irregular  # a value without brackets
    final = np.ones(len(sign), np.bool_)
    final[:-1] = new[1:]
    # Where the text before each bracket begins, and where that behind it ends.
    before = np.where(new, first[value], np.roll(sign, 1) + 1)
    behind = np.where(final, last[value], np.roll(sign, -1))
    after_opening = ~new & np.roll(opening, 1)
    # Nothing stands between `)` and `(`, or in front of the first, or behind the last.
    loose = opening & ~after_opening & (before != sign)
    if np.any(loose) or np.any(final & ~opening & (sign + 1 != last[value])):
        raise Irregular
    single = opening & ~final & ~np.roll(opening, -1)
    closing = ~opening & ~after_opening
    kept = np.flatnonzero(opening | closing)
    start = np.where(opening, sign + 1, before)[kept]
    end = np.where(opening, behind, sign)[kept]
    name = _names(values.text, start, end, closing[kept])
    here = values.line[value[kept]]
    document = tokens.document[here]
    for number in document[runs(document).first].tolist():
        fields = block.fields[number]
        if fields is None or fields.id != 0:
            raise Irregular
    entity, closes = np.unique(name, return_inverse=True)[1], (closing | single)[kept]
    brackets = Brackets(document, tokens.token[here], entity, opening[kept], closes)
    return Pieces(brackets, name, start, end)


def _names(text: Text, start: Ints, end: Ints, closing: Flags) -> Hashes:
    """Hash the ids of brackets: up to eight bytes are the hash themselves."""
    data = text.bytes
    dashes = np.append(np.flatnonzero(data == _DASH), len(data))
    stop = np.minimum(dashes[np.searchsorted(dashes, start)], end)
    if np.any(stop == start) or np.any((stop < end) & closing):
        raise Irregular
    # Parts of discontinuous mentions, escapes, and what is no entity: the slow way.
    begin = text.eights(start, np.full(len(start), len(_NO_ENTITY)))
    if np.any(begin == int.from_bytes(_NO_ENTITY, "little")):
        raise Irregular
    coded = np.flatnonzero((data == _PART) | (data == _PERCENT))
    if np.any(np.searchsorted(coded, start) != np.searchsorted(coded, stop)):
        raise Irregular
    hashes = np.zeros(len(start), np.uint64)
    for done in range(0, int((stop - start).max(initial=0)), 8):
        rest = np.flatnonzero(stop - start > done)
        size = np.minimum(stop[rest] - start[rest] - done, 8)
        hashes[rest] = hashes[rest] * STEP + text.eights(start[rest] + done, size)
    return hashes


def positions(
    block: Block, text: Text, document: Ints, start: Ints, end: Ints, length: Ints
) -> tuple[Ints, tuple[Ints, Ints]]:
    """Read head and minimum of opening brackets, counted from 1; 0 where not stated."""
    data = text.bytes
    dashes = np.append(np.flatnonzero(data == _DASH), [len(data)] * 99)
    nearest = np.searchsorted(dashes, start)
    count = np.searchsorted(dashes, end) - nearest
    fields = [declared or Fields(0, -1, -1, (), 1) for declared in block.fields]
    if np.any(count >= np.array([field.size for field in fields])[document]):
        raise Irregular
    head = np.zeros(len(start), np.int64)
    minimum = head.copy(), head.copy()
    for target, place in (
        ("head", np.array([field.head for field in fields])[document]),
        ("minimum", np.array([field.minimum for field in fields])[document]),
    ):
        stated = np.flatnonzero((place > 0) & (count >= place))
        first = dashes[nearest[stated] + place[stated] - 1] + 1
        last = np.minimum(dashes[nearest[stated] + place[stated]], end[stated])
        filled = last > first
        stated, first, last = stated[filled], first[filled], last[filled]
        low, high = _bounds(data, first, last)
        if np.any((low < 1) | (high > length[stated]) | (low > high)):
            raise Irregular
        if target == "head":
            if np.any(low != high):
                raise Irregular
            head[stated] = low
        else:
            minimum[0][stated], minimum[1][stated] = low, high
            free = stated[head[stated] == 0]
            declared = np.array([field.head >= 0 for field in fields])[document]
            free = free[~declared[free]]
            head[free] = minimum[0][free]
    return head, minimum


def _bounds(data: Bytes, first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """Read the first and last of rising numbers that are separated by commas."""
    low = np.full(len(first), -1)
    before, current = low.copy(), np.zeros(len(first), np.int64)
    rest, place = np.arange(len(first)), first
    for _ in range(_LONGEST_MINIMUM):
        byte = data[place].astype(np.int64)
        over = place == last[rest]
        ends = over | (byte == _COMMA)
        if np.any(~ends & ((byte < _ZERO) | (byte > _NINE))):
            raise Irregular
        ended, counting = rest[ends], rest[~ends]
        if np.any(current[ended] <= before[ended]):
            raise Irregular
        low[ended] = np.where(low[ended] < 0, current[ended], low[ended])
        before[ended] = current[ended]
        current[ended] = 0
        current[counting] = current[counting] * 10 + byte[~ends] - _ZERO
        rest, place = rest[~over], place[~over] + 1
        if not len(rest):
            return low, before
    raise Irregular
