"""The lines of CoNLL-U, all of a block at once: tokens, and items of MISC.

A block is several documents, one after the other. Nothing is split into Python
lines: line ends and tabs are found with one comparison each over the whole block.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.columns import runs, spread
from corefkit.columns.prints import mixed
from corefkit.columns.words import Text
from corefkit.formats.conllu.annotation import Fields

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from corefkit.columns import Flags, Hashes, Ints

    Bytes: TypeAlias = NDArray[np.uint8]

_NEWLINE, _TAB, _HASH, _DASH, _DOT, _ZERO, _NINE = b"\n\t#-.09"
_OLD_SPLIT = b"Split="
_DECLARED = b"global.Entity"
_DECLARATION = re.compile(rb"# *global\.Entity *=(.*)")
_TABS, _FORM = 9, 1
MISC = 9
_FIRST = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)  # n bytes of eight
_LONGEST_ID = 12


class Irregular(Exception):
    """Some document of the block is to be read the slow way."""


@dataclass(frozen=True, slots=True)
class Block:
    """Documents, one after the other, and where each ends in the padded text."""

    text: Text
    ends: Ints
    fields: Sequence[Fields | None]


@dataclass(frozen=True, slots=True)
class Tokens:
    """The token lines of a block."""

    start: Ints  # where each line begins
    end: Ints  # where it ends
    tabs: Ints  # its nine tabs, one row each
    document: Ints  # its document
    sentence: Ints  # its sentence, counted through the block
    token: Ints  # its number in the document
    word: Ints  # its number in the sentence, from 1; for an empty node, the word before
    empty: Flags  # whether it is an empty node
    misc: Hashes  # the first eight bytes of MISC


def block_of(bodies: Sequence[bytes], declared: Sequence[str | None]) -> Block:
    """Join documents, and read what they declare."""
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
    return Block(text, np.cumsum(lengths) + Text.front, fields)


def _fields(body: bytes, declared: str | None) -> Fields | None:
    hit = body.find(_DECLARED)
    if hit >= 0:
        match = _DECLARATION.match(body, body.rfind(b"\n", 0, hit) + 1)
        if match is None or body.find(_DECLARED, match.end()) >= 0:
            raise Irregular
        declared = match[1].decode()
    return None if declared is None else Fields.declared(declared)


def token_lines(block: Block) -> Tokens:
    """Find the token lines of a block and their columns, and count them."""
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
    token = inside != _DASH
    start, end, sentence = start[token], end[token], sentence[token]
    tabs = tabs[:, token]
    number, after, empty = number[token], after[token], inside[token] == _DOT
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
    misc = block.text.eights(tabs[MISC - 1] + 1, np.full(len(start), 8))
    if np.any(misc & _FIRST[len(_OLD_SPLIT)] == int.from_bytes(_OLD_SPLIT, "little")):
        raise Irregular
    return Tokens(start, end, tabs, document, sentence, token, word, empty, misc)


def _tabs(data: Bytes, start: Ints, end: Ints) -> Ints:
    places = np.flatnonzero(data == _TAB)
    if len(places) != _TABS * len(start):
        raise Irregular  # other columns, or a tab in a comment
    tabs = places.reshape(-1, _TABS).T
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
    """Return whether the empty nodes behind each word count from 1."""
    if not empty.any():
        return True
    before = np.concatenate((np.zeros(1, np.int64), after[:-1]))
    fresh = np.ones(len(word), np.bool_)
    fresh[1:] = ~(empty[:-1] & empty[1:] & (word[1:] == word[:-1]))
    return bool(np.all(after[empty] == np.where(fresh, 1, before + 1)[empty]))


def word_hashes(block: Block, tokens: Tokens) -> tuple[Hashes, Ints]:
    """Hash the words of each document, and count them."""
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
        prints[document[first]] += np.add.reduceat(mixed(hashes, place), first)
    return prints, np.bincount(document, minlength=documents)


def items(block: Block, tokens: Tokens, name: bytes) -> tuple[Ints, Ints]:
    """Find the lines whose MISC has an item, and where its value begins."""
    # An item is the first of its MISC or stands behind a bar.
    misc = tokens.tabs[MISC - 1] + 1
    sign = name + b"="
    alike = tokens.misc & _FIRST[min(len(sign), 8)]
    leading = np.flatnonzero(alike == int.from_bytes(sign[:8], "little"))
    if len(sign) > 8:
        found = [block.text.padded.startswith(sign, place) for place in misc[leading]]
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
