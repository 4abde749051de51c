"""CoNLL-U text to columns, a block of bytes at a time.

Lines, tabs, `Entity` values and their brackets are found by comparisons over the whole
block and looked at together, as in `conll_columns`; the rules are those of
`corefkit.formats.conllu`. What is rare is not done here: a document with discontinuous
mentions, escapes, blanks in words, or anything that breaks a rule raises `Irregular`,
and is read the slow way, which also says what is wrong.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.columns import (
    Columns,
    Details,
    Empties,
    expanded,
    join_columns,
    runs,
    spread,
)
from corefkit.formats.bytefile import BLOCK
from corefkit.formats.conll_cells import Brackets, Unbalanced, paired_brackets
from corefkit.formats.conllu_entities import Fields
from corefkit.formats.documents import DocumentSource, enhanced, sentence_ids
from corefkit.formats.words import Text, placed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from corefkit.columns import Flags, Hashes, Ints

    Bytes: TypeAlias = NDArray[np.uint8]

_NEWLINE, _TAB, _HASH, _BAR, _DASH, _DOT, _COMMA = b"\n\t#|-.,"
_OPEN, _CLOSE, _ZERO, _NINE, _PART, _PERCENT = b"()09[%"
_ENTITY, _SPLIT, _BRIDGE = b"Entity", b"SplitAnte", b"Bridge"
_OLD_SPLIT, _NO_ENTITY = b"Split=", b"NOCOREF"
_DECLARED = b"global.Entity"
_DECLARATION = re.compile(rb"# *global\.Entity *=(.*)")
_TABS, _FORM, _HEAD, _DEPS, _MISC = 9, 1, 6, 8, 9
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)  # n bytes of eight
_LONGEST_ID = 12
_LONGEST_MINIMUM = 200
_NOWHERE = 1 << 40  # a HEAD that is no number of a word


class Irregular(Exception):
    """Some document of the block is to be read the slow way."""


class ConlluSource(DocumentSource):
    """The documents of a CoNLL-U file, their mentions read in blocks."""

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some documents, in the order asked for."""
        parts: list[Columns] = []
        for block in _blocks(numbers, self.sizes):
            try:
                parts.append(self._regular(block))
            except Irregular:
                parts.extend(map(self._one, block))
        return join_columns(parts)

    def _one(self, number: int) -> Columns:
        try:
            return self._regular([number])
        except Irregular:
            return super().columns([number])

    def _regular(self, numbers: Sequence[int]) -> Columns:
        extents = [self.extents[number] for number in numbers]
        bodies = [self.file.read(extent.start, extent.end) for extent in extents]
        return conllu_columns(
            bodies, [getattr(extent, "declared", None) for extent in extents]
        )


def _blocks(numbers: Sequence[int], sizes: Sequence[int]) -> Iterator[list[int]]:
    block: list[int] = []
    size = 0
    for number in numbers:
        block.append(number)
        size += sizes[number]
        if size >= BLOCK:
            yield block
            block, size = [], 0
    if block:
        yield block


@dataclass(frozen=True, slots=True)
class _Block:
    """Documents set one behind the other, and where each ends in the padded text."""

    text: Text
    ends: Ints
    fields: Sequence[Fields | None]


@dataclass(frozen=True, slots=True)
class _Tokens:
    """The token lines of a block.

    Attributes:
        start: where each line begins.
        end: where it ends.
        tabs: its nine tabs, one row each.
        document: its document.
        sentence: its sentence, counted through the block.
        token: its number in the document.
        word: its number in the sentence, from 1; for an empty node, the word before.
        empty: whether it is an empty node.
        misc: the first eight bytes of MISC.
    """

    start: Ints
    end: Ints
    tabs: Ints
    document: Ints
    sentence: Ints
    token: Ints
    word: Ints
    empty: Flags
    misc: Hashes


def conllu_columns(bodies: Sequence[bytes], declared: Sequence[str | None]) -> Columns:
    """Read the mentions of some documents.

    Args:
        bodies: the text of each document.
        declared: for each, the `global.Entity` in force before it.

    Raises:
        Irregular: where a document is to be read the slow way.
    """
    block = _block(bodies, declared)
    tokens = _tokens(block)
    prints, counts = _fingerprints(block, tokens)
    values = _values(block, tokens)
    pieces = _pieces(block, tokens, values)
    brackets = pieces.brackets
    nobody = np.zeros(len(bodies), np.bool_)
    try:
        paired = paired_brackets(brackets, may_stay_open=nobody)
    except Unbalanced:
        raise Irregular from None
    begin, finish = paired.begin, paired.finish
    start, end = brackets.token[begin], brackets.token[finish]
    document = paired.entity_document[paired.entity]
    head, minimum = _positions(
        block,
        values.text,
        document,
        pieces.start[begin],
        pieces.end[begin],
        end - start + 1,
    )
    unknown = np.flatnonzero(head == 0)
    head += start - 1
    if len(unknown):
        head[unknown] = _tree_heads(
            block, tokens, document[unknown], start[unknown], end[unknown]
        )
    columns = Columns(paired.entity, start, end, paired.entity_document, counts, prints)
    split, bridge = _links(block, tokens, columns, begin, pieces.name[begin])
    none = np.empty(0, np.int64)
    details = Details(
        head=head,
        minimum_start=np.where(minimum[0] > 0, start + minimum[0] - 1, -1),
        minimum_end=np.where(minimum[0] > 0, start + minimum[1] - 1, -1),
        gap=none,
        gap_start=none,
        gap_end=none,
        empties=_empties(block, tokens),
        referring=np.ones(len(paired.entity_document), np.bool_),
        split=split,
        bridge=bridge,
    )
    return replace(columns, details=details)


def _block(bodies: Sequence[bytes], declared: Sequence[str | None]) -> _Block:
    # Two line ends more behind documents end the last line and sentence of each.
    text = Text(*chain.from_iterable((body, b"\n\n") for body in bodies))
    try:
        text.padded.decode("utf-8")
    except UnicodeDecodeError:
        raise Irregular from None
    if b"\r" in text.padded or b"|" + _OLD_SPLIT in text.padded:
        raise Irregular
    lengths = np.array([len(body) + 2 for body in bodies], np.int64)
    fields = [_fields(*pair) for pair in zip(bodies, declared, strict=True)]
    return _Block(text, np.cumsum(lengths) + Text.front, fields)


def _fields(body: bytes, declared: str | None) -> Fields | None:
    hit = body.find(_DECLARED)
    if hit >= 0:
        match = _DECLARATION.match(body, body.rfind(b"\n", 0, hit) + 1)
        if match is None or body.find(_DECLARED, match.end()) >= 0:
            raise Irregular
        declared = match[1].decode()
    return None if declared is None else Fields.declared(declared)


def _tokens(block: _Block) -> _Tokens:
    data = block.text.bytes
    newline = np.flatnonzero(data[Text.front - 1 :] == _NEWLINE) + Text.front - 1
    start, end = newline[:-1] + 1, newline[1:]
    there = end > start
    first = data[start]
    digit = there & (first >= _ZERO) & (first <= _NINE)
    if np.any(there & ~digit & (first != _HASH)):
        raise Irregular
    blank = np.cumsum(~there)
    start, end, sentence = start[digit], end[digit], blank[digit]
    tabs = _tabs(data, start, end)
    number, inside, after = _ids(data, start, tabs[0])
    shown = inside != _DASH
    start, end, sentence, tabs = (
        start[shown],
        end[shown],
        sentence[shown],
        tabs[:, shown],
    )
    number, after, empty = number[shown], after[shown], inside[shown] == _DOT
    document = np.searchsorted(block.ends, start, "right")
    _, size = runs(sentence)
    words = np.cumsum(~empty)
    opening = np.cumsum(size) - size
    before = words[opening] - ~empty[opening]
    word = words - np.repeat(before, size)
    if np.any(number != word) or not _are_counted(word, empty, after):
        raise Irregular
    opening, size = runs(document)
    token = np.arange(len(document)) - np.repeat(opening, size)
    misc = block.text.eights(tabs[_MISC - 1] + 1, np.full(len(start), 8))
    if np.any(misc & _FIRST[len(_OLD_SPLIT)] == int.from_bytes(_OLD_SPLIT, "little")):
        raise Irregular
    return _Tokens(start, end, tabs, document, sentence, token, word, empty, misc)


def _tabs(data: Bytes, start: Ints, end: Ints) -> Ints:
    every = np.flatnonzero(data == _TAB)
    if len(every) != _TABS * len(start):
        raise Irregular  # other columns, or a tab in a comment
    tabs = every.reshape(-1, _TABS).T
    if np.any(tabs[0] < start) or np.any(tabs[-1] > end):
        raise Irregular
    return tabs


def _ids(data: Bytes, start: Ints, end: Ints) -> tuple[Ints, Ints, Ints]:
    """Read ids: a number, the sign inside or 0, and the number behind the sign."""
    number = np.zeros(len(start), np.int64)
    sign, after = number.copy(), number.copy()
    longest = int((end - start).max(initial=0))
    if longest > _LONGEST_ID:
        raise Irregular
    for place in range(longest):
        here = np.flatnonzero(start + place < end)
        byte = data[start[here] + place].astype(np.int64)
        digit = (byte >= _ZERO) & (byte <= _NINE)
        signed = sign[here] > 0
        if np.any(~digit & (signed | ((byte != _DASH) & (byte != _DOT)))):
            raise Irregular
        value = byte - _ZERO
        plain = here[digit & ~signed]
        number[plain] = number[plain] * 10 + value[digit & ~signed]
        behind = here[digit & signed]
        after[behind] = after[behind] * 10 + value[digit & signed]
        sign[here[~digit]] = byte[~digit]
    return number, sign, after


def _are_counted(word: Ints, empty: Flags, after: Ints) -> bool:
    """Say whether the empty nodes behind each word count from 1."""
    if not empty.any():
        return True
    before = np.concatenate((np.zeros(1, np.int64), after[:-1]))
    fresh = np.ones(len(word), np.bool_)
    fresh[1:] = ~(empty[:-1] & empty[1:] & (word[1:] == word[:-1]))
    return bool(np.all(after[empty] == np.where(fresh, 1, before + 1)[empty]))


def _fingerprints(block: _Block, tokens: _Tokens) -> tuple[Hashes, Ints]:
    documents = len(block.ends)
    prints = np.zeros(documents, np.uint64)
    said = ~tokens.empty
    start, end = tokens.tabs[0][said] + 1, tokens.tabs[_FORM][said]
    hashes, found = block.text.hashes(start)
    if np.any(found != end) or np.any(start == end):
        raise Irregular  # a word with a blank inside, or none at all
    document = tokens.document[said]
    if len(document):
        first, size = runs(document)
        place = np.arange(len(document)) - spread(first, size)
        prints[document[first]] += np.add.reduceat(placed(hashes, place), first)
    return prints, np.bincount(document, minlength=documents)


@dataclass(frozen=True, slots=True)
class _Values:
    """All `Entity` values, set one behind the other in a text of their own.

    Attributes:
        text: the values, a line each.
        line: the token line of each.
        first: where each begins in the text.
        last: where it ends.
    """

    text: Text
    line: Ints
    first: Ints
    last: Ints


@dataclass(frozen=True, slots=True)
class _Pieces:
    """The brackets of all values, and of each the text inside.

    Attributes:
        brackets: the brackets.
        name: a hash of each entity id.
        start: where the text of each begins.
        end: where it ends.
    """

    brackets: Brackets
    name: Hashes
    start: Ints
    end: Ints


def _values(block: _Block, tokens: _Tokens) -> _Values:
    line, first = _items(block, tokens, _ENTITY)
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
    return _Values(text, line, start, last)


def _pieces(block: _Block, tokens: _Tokens, values: _Values) -> _Pieces:
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
    _check_fields(block, tokens.document[here][runs(tokens.document[here]).first])
    brackets = Brackets(
        tokens.document[here],
        tokens.token[here],
        np.unique(name, return_inverse=True)[1],
        opening[kept],
        (closing | single)[kept],
    )
    return _Pieces(brackets, name, start, end)


def _check_fields(block: _Block, documents: Ints) -> None:
    for document in documents.tolist():
        fields = block.fields[document]
        if fields is None or fields.id != 0:
            raise Irregular


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
        hashes[rest] = hashes[rest] * _STEP + text.eights(start[rest] + done, size)
    return hashes


def _items(block: _Block, tokens: _Tokens, name: bytes) -> tuple[Ints, Ints]:
    """Find the lines whose MISC has an item, and where its value begins."""
    # An item is the first of its MISC or stands behind a bar.
    misc = tokens.tabs[_MISC - 1] + 1
    sign = name + b"="
    alike = tokens.misc & _FIRST[min(len(sign), 8)]
    leading = np.flatnonzero(alike == int.from_bytes(sign[:8], "little"))
    if len(sign) > 8:
        found = [block.text.padded.startswith(sign, one) for one in misc[leading]]
        leading = leading[found]
    first = np.fromiter(_hits(block.text.padded, b"|" + sign), np.int64)
    first += len(sign) + 1
    line = np.searchsorted(tokens.start, first, "right") - 1
    if np.any(line < 0) or np.any((first > tokens.end[line]) | (first < misc[line])):
        # In a comment, in a range of words, or in another column: rare all of them.
        raise Irregular
    line = np.concatenate((leading, line))
    first = np.concatenate((misc[leading] + len(sign), first))
    order = np.argsort(first)
    return line[order], first[order]


def _hits(whole: bytes, sign: bytes) -> Iterator[int]:
    # Several times as fast as a pattern that begins with a common byte.
    hit = whole.find(sign)
    while hit >= 0:
        yield hit
        hit = whole.find(sign, hit + 1)


def _positions(
    block: _Block, text: Text, document: Ints, start: Ints, end: Ints, length: Ints
) -> tuple[Ints, tuple[Ints, Ints]]:
    """Read head and minimum of opening brackets, counted from 1; 0 where not given."""
    data = text.bytes
    dashes = np.append(np.flatnonzero(data == _DASH), [len(data)] * 99)
    nearest = np.searchsorted(dashes, start)
    count = np.searchsorted(dashes, end) - nearest
    fields = [one or Fields(0, -1, -1, (), 1) for one in block.fields]
    if np.any(count >= np.array([one.size for one in fields])[document]):
        raise Irregular
    head = np.zeros(len(start), np.int64)
    minimum = head.copy(), head.copy()
    for target, place in (
        ("head", np.array([one.head for one in fields])[document]),
        ("minimum", np.array([one.minimum for one in fields])[document]),
    ):
        given = np.flatnonzero((place > 0) & (count >= place))
        first = dashes[nearest[given] + place[given] - 1] + 1
        last = np.minimum(dashes[nearest[given] + place[given]], end[given])
        filled = last > first
        given, first, last = given[filled], first[filled], last[filled]
        low, high = _bounds(data, first, last)
        if np.any((low < 1) | (high > length[given]) | (low > high)):
            raise Irregular
        if target == "head":
            if np.any(low != high):
                raise Irregular
            head[given] = low
        else:
            minimum[0][given], minimum[1][given] = low, high
            free = given[head[given] == 0]
            declared = np.array([one.head >= 0 for one in fields])[document]
            free = free[~declared[free]]
            head[free] = minimum[0][free]
    return head, minimum


def _bounds(data: Bytes, first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """Read the first and last of numbers that commas set apart, in rising order."""
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


def _tree_heads(
    block: _Block, tokens: _Tokens, document: Ints, start: Ints, end: Ints
) -> Ints:
    """Find the first word of each mention whose HEAD is not in the mention."""
    parent = _parents(block, tokens)
    opening = np.searchsorted(tokens.document, document)
    mention, line = expanded(opening + start, opening + end + 1)
    inside = (parent[line] >= start[mention]) & (parent[line] <= end[mention])
    said = ~tokens.empty[line]
    # The first that is outside; else the first word; else the first node.
    rank = np.where(said, np.where(inside, 1, 0), 2)
    order = np.lexsort((line, rank, mention))
    first = np.searchsorted(mention[order], np.arange(len(start)))
    found: Ints = tokens.token[line[order[first]]]
    return found


def _parents(block: _Block, tokens: _Tokens) -> Ints:
    """Give the token that each HEAD names; -1 where it names none of its sentence."""
    data = block.text.bytes
    start, end = tokens.tabs[_HEAD - 1] + 1, tokens.tabs[_HEAD]
    value = np.zeros(len(start), np.int64)
    for place in range(min(int((end - start).max(initial=0)), _LONGEST_ID)):
        here = np.flatnonzero(start + place < end)
        byte = data[start[here] + place].astype(np.int64)
        digit = (byte >= _ZERO) & (byte <= _NINE)
        value[here] = np.where(digit, value[here] * 10 + byte - _ZERO, _NOWHERE)
        value = np.minimum(value, _NOWHERE)
    words = np.flatnonzero(~tokens.empty)
    sentence = tokens.sentence[words]
    first = np.searchsorted(sentence, tokens.sentence)
    size = np.searchsorted(sentence, tokens.sentence, "right") - first
    known = (value > 0) & (value <= size)
    parent = np.full(len(start), -1)
    parent[known] = tokens.token[words[first[known] + value[known] - 1]]
    return parent


def _empties(block: _Block, tokens: _Tokens) -> Empties | None:
    lines = np.flatnonzero(tokens.empty)
    if not len(lines):
        return None
    sentence = tokens.sentence[lines]
    order = np.cumsum(np.diff(tokens.sentence, prepend=tokens.sentence[:1]) > 0)
    dependencies: list[tuple[int, int, int]] = []
    for number, line in enumerate(lines.tolist()):
        start, end = tokens.tabs[_DEPS - 1][line] + 1, tokens.tabs[_DEPS][line]
        cell = block.text.padded[start:end].decode()
        # Roots are told apart by the number of their sentence in the document.
        opening = np.searchsorted(tokens.document, tokens.document[line])
        root = -1 - int(order[line] - order[opening])
        ids = _ids_of_sentence(tokens, int(sentence[number])) if cell != "_" else {}
        dependencies.extend(
            (number, ids.get(parent, root), hash(relation))
            for parent, relation in enhanced(cell)
        )
    rows = np.array(dependencies, np.int64).reshape(-1, 3)
    return Empties(
        document=tokens.document[lines],
        token=tokens.token[lines],
        initial=tokens.word[lines] == 0,
        dependent=rows[:, 0],
        parent=rows[:, 1],
        relation=rows[:, 2],
    )


def _ids_of_sentence(tokens: _Tokens, sentence: int) -> dict[str, int]:
    first, last = np.searchsorted(tokens.sentence, (sentence, sentence + 1))
    numbers = tokens.token[first:last].tolist()
    empty = tokens.empty[first:last].tolist()
    return sentence_ids(
        numbers, {number for number, one in zip(numbers, empty, strict=True) if one}
    )


class _Link(NamedTuple):
    """A link as it stands in a file: where, and hashes of the ids of its ends."""

    document: int
    token: int
    anaphor: int
    antecedent: int


def _links(
    block: _Block, tokens: _Tokens, columns: Columns, begin: Ints, name: Hashes
) -> tuple[Ints, Ints]:
    """Read split antecedents and bridges.

    Args:
        block: the text.
        tokens: its token lines.
        columns: the mentions.
        begin: the bracket that opens each mention.
        name: a hash of the id of each mention's entity.
    """
    split = list(_read_links(block, tokens, _SPLIT))
    bridge = list(_read_links(block, tokens, _BRIDGE))
    if not split and not bridge:
        return np.empty((0, 2), np.int64), np.empty((0, 3), np.int64)
    first = runs(columns.entity).first
    known = _mixed(columns.entity_document, name[first])
    order = np.argsort(known)
    ends = []
    for links in (split, bridge):
        table = np.array(links, np.uint64).reshape(-1, 4)
        document = table[:, 0].astype(np.int64)
        for column in (2, 3):
            wanted = _mixed(document, table[:, column])
            ends.append(_found(known, order, wanted))
    if np.any(ends[0] == ends[1]) or np.any(ends[2] == ends[3]):
        raise Irregular  # an entity that is its own antecedent
    token = np.array([link.token for link in bridge], np.int64)
    mention = _opening_at(columns, begin, ends[2], token)
    nobody = np.full(len(bridge), -1)
    return np.stack(ends[:2], axis=1), np.stack((mention, ends[3], nobody), axis=1)


def _read_links(block: _Block, tokens: _Tokens, kind: bytes) -> Iterator[_Link]:
    lines, first = _items(block, tokens, kind)
    for line, start in zip(lines.tolist(), first.tolist(), strict=True):
        document, token = int(tokens.document[line]), int(tokens.token[line])
        value = block.text.padded[start : tokens.end[line]].partition(b"|")[0]
        for item in value.split(b","):
            antecedent, less, anaphor = item.partition(b"<")
            if kind == _BRIDGE:
                anaphor = anaphor.partition(b":")[0]
            if not less:
                raise Irregular
            yield _Link(document, token, _hashed(anaphor), _hashed(antecedent))


def _hashed(name: bytes) -> int:
    """Hash one id as `_names` does all of them."""
    value = 0
    for done in range(0, len(name), 8):
        eight = int.from_bytes(name[done : done + 8], "little")
        value = (value * int(_STEP) + eight) % (1 << 64)
    return value


def _mixed(document: Ints, name: Hashes) -> Hashes:
    return name ^ ((document.astype(np.uint64) + np.uint64(1)) * _STEP)


def _found(known: Hashes, order: Ints, wanted: Hashes) -> Ints:
    """Find entities by hashes; one that is not there is for the slow way."""
    row = np.searchsorted(known[order], wanted)
    if np.any(row == len(known)) or np.any(known[order[row]] != wanted):
        raise Irregular
    found: Ints = order[row]
    return found


def _opening_at(columns: Columns, begin: Ints, entity: Ints, token: Ints) -> Ints:
    """Find the first mention of each entity that opens at a token."""
    width = max(int(columns.start.max(initial=0)), int(token.max(initial=0))) + 1
    order = np.lexsort((begin, columns.start, columns.entity))
    ranked = (columns.entity * width + columns.start)[order]
    wanted = entity * width + token
    row = np.searchsorted(ranked, wanted)
    if np.any(row == len(ranked)) or np.any(ranked[row] != wanted):
        raise Irregular
    found: Ints = order[row]
    return found
