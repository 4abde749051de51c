"""Hashes of words and documents, computed on arrays of bytes.

Everything works on eight bytes at a time, for many places of the text at once: a byte
is blank up to 32 (blanks, tabs, line ends) and part of a word above.

Texts are compared through hashes, so that they need not be kept. A word's hash covers
all its bytes; the hash of a document's text is the sum of its words' hashes, each mixed
with its position. Equal texts have equal hashes in every format; different texts
differ, except with a chance of about one in 2**64.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.arrays.columns import find_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from corefkit.arrays.columns import Columns, Flags, Hashes, Ints

# Hashes that documents are known by, in rows; fingerprints are made of these.
#
# Hashes are sums, each summand mixed as the words of a text are: of the tokens of
# mentions, for the mentions of a document and of each of its entities; of the entities
# of a document; and in the end of the documents.

STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(31)
NO_FINGERPRINTS: Hashes = np.zeros((0, 6), np.uint64)


def add_positions(hashes: Hashes, positions: Ints) -> Hashes:
    """Mix each word's hash with its position in the document."""
    values = hashes + (positions.astype(np.uint64) + _ONE) * STEP
    values ^= values >> _SHIFT
    values *= _MIX
    values ^= values >> _SHIFT
    return values


def compute_fingerprints(columns: Columns) -> Hashes:
    """Compute a row of numbers for each document, of which `corpus_print` makes one.

    They are the hashes of words, mentions and entities, 0 where there are none or they
    are not known, and then how many there are of each; of words one more, so that 0
    says that the number is not known.
    """
    details = columns.details
    if details is not None and not details.referring.all():
        columns = columns.keep(details.referring[columns.entity])
    documents = len(columns.token_count)
    document = columns.entity_document[columns.entity]
    rows = np.zeros((documents, 6), np.uint64)
    rows[:, 0] = columns.text_hash
    rows[:, 3] = columns.token_count + 1
    rows[:, 4] = np.bincount(document, minlength=documents)
    rows[:, 5] = np.bincount(columns.entity_document, minlength=documents)
    if columns.names is None and len(columns.entity):
        first, size = find_runs(columns.entity)
        hashes = np.add.reduceat(_mention_hashes(columns), first)
        document = document[first]
        opening, _ = find_runs(document)
        there = document[opening]
        rows[there, 1] = np.add.reduceat(hashes, opening)
        rows[there, 2] = np.add.reduceat(add_positions(hashes, size), opening)
    return rows


def _mention_hashes(columns: Columns) -> Hashes:
    hashes = add_positions(columns.start.astype(np.uint64), columns.end)
    details = columns.details
    if details is not None and len(details.gap):
        gaps = add_positions(details.gap_start.astype(np.uint64), details.gap_end)
        np.add.at(hashes, details.gap, gaps)
    return hashes


# The bits that are set in each byte.
_OF_BYTES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(
    axis=1, dtype=np.uint8
)


def count_by_bytes(numbers: NDArray[np.unsignedinteger[Any]]) -> NDArray[np.uint8]:
    """Count the bits of each number that are set, byte by byte.

    >>> count_by_bytes(np.array([0, 1, 255, 2**64 - 1], np.uint64))
    array([ 0,  1,  8, 64], dtype=uint8)
    """
    each = np.ascontiguousarray(numbers)[..., None].view(np.uint8)
    counts: NDArray[np.uint8] = _OF_BYTES[each].sum(axis=-1, dtype=np.uint8)
    return counts


# numpy counts them itself from version 2.0 on.
count_bits = getattr(np, "bitwise_count", count_by_bytes)


_LOW_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)
_HIGH_BITS = np.uint64(0x8080808080808080)
_TO_HIGH = np.uint64(0x5F5F5F5F5F5F5F5F)  # lifts 33 and more into the high bit
_ONE = np.uint64(1)
_SEVEN = np.uint64(7)
# All bits of the bytes behind the first n of eight, for n from 0 to 8.
_BEYOND = np.array([(1 << 64) - (1 << 8 * n) for n in range(9)], np.uint64)
_NEWLINE, _BLANK = b"\n "
# Steps of eight bytes after which a word is long, and its end is looked up.
_ROUNDS = 32
# Bytes in which lines are compared with the first of their document.
_ALIKE = 256
# A long word is hashed in stretches of so many times eight bytes.
_STRETCH = 1 << 13
_POWERS = np.multiply.accumulate(np.r_[_ONE, np.full(_STRETCH - 1, STEP)])[::-1]
# Blanks inside a word, which columns of text cannot have, count like other bytes.
_NO_BLANKS = bytes([127] * (_BLANK + 1)) + bytes(range(_BLANK + 1, 256))


class Text:
    """Bytes with room on both sides, so that eight can be loaded anywhere.

    Offsets count in `padded`, where the text begins at `Text.front`.

    >>> text = Text(b"Ann  left early")
    >>> starts = np.array([Text.front])
    >>> text.word_ends(starts) - Text.front
    array([3])
    >>> text.skip_blanks(text.word_ends(starts)) - Text.front
    array([5])
    >>> text.word_starts(np.array([Text.front + 9])) - Text.front
    array([5])
    """

    front = 8

    def __init__(self, *parts: bytes) -> None:
        self.padded = b"".join((b"\n" * self.front, *parts, b"\n" * 9))
        self.bytes = np.frombuffer(self.padded, np.uint8)
        eights = (len(self.padded) - 7,)
        # Element i is the eight bytes from offset i: overlapping, unaligned views.
        self._forward = np.ndarray(eights, "<u8", self.padded, strides=(1,))
        self._backward = np.ndarray(eights, ">u8", self.padded, strides=(1,))
        self.last = eights[0] - 1  # from here on there are only blanks

    def word_ends(self, place: Ints) -> Ints:
        """Go on from each place to the next blank."""
        return self._past(place, self._letters_from)

    def skip_blanks(self, blank: Ints) -> Ints:
        """Go on from each blank to the next byte of a word, or to the text's end."""
        reached = np.minimum(blank + 1, self.last)
        rest = np.flatnonzero(self.bytes[reached] <= _BLANK)
        if len(rest):
            reached[rest] = self._past(reached[rest], self._blanks_from)
        return reached

    def word_starts(self, end: Ints) -> Ints:
        """Go back from the end of each word to its first byte."""
        return self._past(end, self._letters_before, back=True)

    def eights(self, place: Ints, length: Ints) -> Hashes:
        """Load up to eight bytes from each place; what is beyond the length is 0."""
        return self._forward[np.minimum(place, self.last)] & ~_BEYOND[length]

    def hashes(self, start: Ints) -> tuple[Hashes, Ints]:
        """Hash the words that start at some places, and return their ends too."""
        hashes, step = self._clipped(start)
        end = start + step
        rest = np.flatnonzero(step == 8)
        for _ in range(_ROUNDS):
            if not len(rest):
                return hashes, end
            more, step = self._clipped(end[rest])
            hashes[rest] = hashes[rest] * STEP + more
            end[rest] += step
            rest = rest[step == 8]
        for word in rest.tolist():
            row = slice(word, word + 1)
            hashes[row], end[row] = self._hash_on(hashes[row], end[row])
        return hashes, end

    def lines(self) -> tuple[Ints, Ints]:
        """Find the start and end of each line that has words, without blanks around."""
        bounds = np.flatnonzero(self.bytes[self.front - 1 :] == _NEWLINE)
        bounds += self.front - 1
        start, end = bounds[:-1] + 1, bounds[1:]
        there = end > start
        start, end = start[there], end[there]
        # Few files have blanks at the end of lines, or CRLF; fewer have them in front.
        trailing = np.flatnonzero(self.bytes[end - 1] <= _BLANK)
        leading = np.flatnonzero(self.bytes[start] <= _BLANK)
        if not len(trailing) and not len(leading):
            return start, end
        while len(trailing):
            end[trailing] -= 1
            trailing = trailing[end[trailing] > start[trailing]]
            trailing = trailing[self.bytes[end[trailing] - 1] <= _BLANK]
        start[leading] = self.skip_blanks(start[leading] - 1)
        there = end > start
        return start[there], end[there]

    def fields(self, start: Ints, number: int) -> Ints:
        """Go on from each field by a number of fields, maybe into the next line."""
        for _ in range(number):
            start = self.skip_blanks(self.word_ends(start))
        return start

    def fields_alike(self, start: Ints, first: Ints, size: Ints, number: int) -> Ints:
        """Go on from the start of each line by a number of fields, as `fields` does.

        The fields passed over are mostly the same in all lines of a group, and then are
        looked for in its first line only. The groups stand one after the other: `first`
        is the number of the first line of each, and `size` how many lines it has.
        """
        length = self.fields(start[first], number) - start[first]
        # A line may be shorter than what is passed over in the first one.
        field: Ints = np.minimum(start + np.repeat(length, size), self.last)
        # What is longer than names are would cost more than it saves.
        alike: Flags = np.repeat(length <= _ALIKE, size)
        for done in range(0, min(int(length.max(initial=0)), _ALIKE), 8):
            beyond = _BEYOND[np.clip(length - done, 0, 8)]
            model = self._forward[np.minimum(start[first] + done, self.last)] | beyond
            here = self._forward[np.minimum(start + done, self.last)]
            alike &= (here | np.repeat(beyond, size)) == np.repeat(model, size)
        # There may also be more blanks behind it: a column that is empty.
        other = np.flatnonzero(~alike | (self.bytes[field] <= _BLANK))
        if len(other):
            field[other] = self.fields(start[other], number)
        return field

    def _past(
        self, place: Ints, count: Callable[[Ints], Ints], *, back: bool = False
    ) -> Ints:
        """Go past the bytes that are counted at each place, eight at a time.

        A few steps end nearly all words; where those that are left end is looked up
        among the edges of all, since a word may be as long as the text.
        """
        sign = -1 if back else 1
        step = count(place)
        reached = place + sign * step
        rest = np.flatnonzero(step == 8)
        for _ in range(_ROUNDS):
            if not len(rest):
                return reached
            step = count(reached[rest])
            reached[rest] += sign * step
            rest = rest[step == 8]
        if back:
            edge = np.searchsorted(self._edges, reached[rest], "right") - 1
        else:
            edge = np.searchsorted(self._edges, reached[rest], "left")
        reached[rest] = self._edges[edge]
        return reached

    @cached_property
    def _edges(self) -> Ints:
        """The places where a word begins or ends, and the text's ends."""
        blank = self.bytes <= _BLANK
        inside = np.flatnonzero(blank[1:] != blank[:-1]) + 1
        return np.concatenate(([0], inside, [self.last]))

    def _hash_on(self, hashed: Hashes, place: Ints) -> tuple[Hashes, Ints]:
        """Hash the rest of a long word from a place on, and return its end too."""
        end = self._past(place, self._letters_from)
        begin = int(place[0])
        last = begin + (int(end[0]) - begin) // 8 * 8
        for first in range(begin, last, 8 * _STRETCH):
            eights = self._forward[first : min(first + 8 * _STRETCH, last) : 8]
            powers = _POWERS[-len(eights) :]
            hashed = hashed * (powers[:1] * STEP) + (eights * powers).sum()
        clipped, _ = self._clipped(np.array([last]))
        return hashed * STEP + clipped, end

    def _letters_from(self, place: Ints) -> Ints:
        return _bytes_below(_blank_flags(self._forward[place]))

    def _blanks_from(self, place: Ints) -> Ints:
        step = _bytes_below(_blank_flags(self._forward[place]) ^ _HIGH_BITS)
        return np.minimum(step, self.last - place)

    def _letters_before(self, place: Ints) -> Ints:
        return _bytes_below(_blank_flags(self._backward[place - 8].astype(np.uint64)))

    def _clipped(self, place: Ints) -> tuple[Hashes, Ints]:
        loaded = self._forward[place]
        first = _lowest(_blank_flags(loaded))
        # Without a blank both subtractions give all ones: nothing is clipped.
        step = (count_bits(first - _ONE) >> 3).astype(np.int64)
        return loaded & ((first >> _SEVEN) - _ONE), step


def compute_text_hash(words: Iterable[str]) -> int:
    """Hash the words of one document; 0 where there are none.

    >>> compute_text_hash(["a", "b"]) == compute_text_hash(
    ...     ["a", "b"]
    ... ) != compute_text_hash(["b", "a"])
    True
    """
    return int(compute_text_hashes([words])[0])


def compute_text_hashes(texts: Iterable[Iterable[str]]) -> Hashes:
    """Hash the words of documents, all at once; 0 where one has none.

    >>> found = compute_text_hashes([["a", "b"], [], ["c"]])
    >>> found.tolist() == [compute_text_hash("ab"), 0, compute_text_hash("c")]
    True
    """
    return hash_encoded_texts(
        [word.encode("utf-8", "surrogatepass").translate(_NO_BLANKS) for word in words]
        for words in texts
    )


def hash_encoded_texts(texts: Iterable[Sequence[bytes]]) -> Hashes:
    """Hash the words of documents, which are bytes without blanks."""
    sizes: list[int] = []
    encoded: list[bytes] = []
    for words in texts:
        encoded += words
        sizes.append(len(words))
    size = np.array(sizes, np.int64)
    lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
    starts = np.cumsum(lengths + 1) - lengths - 1 + Text.front
    found = np.zeros(len(size), np.uint64)
    there = np.flatnonzero(size)
    if len(there):
        hashes, _ = Text(b"\n".join(encoded)).hashes(starts)
        first = np.cumsum(size) - size
        position = np.arange(len(encoded)) - np.repeat(first, size)
        found[there] = np.add.reduceat(add_positions(hashes, position), first[there])
    return found


def _blank_flags(loaded: Hashes) -> Hashes:
    """Set the high bit of each byte that is blank, and no other bit."""
    # No byte carries into the next: 0x7F + 0x5F stays below 0x100.
    solid = ((loaded & _LOW_BITS) + _TO_HIGH) | loaded
    return ~solid & _HIGH_BITS


def _lowest(flags: Hashes) -> Hashes:
    return flags & (~flags + _ONE)


def _bytes_below(flags: Hashes) -> Ints:
    """Count the bytes below the lowest flag: 8 where there is none."""
    below: Ints = (count_bits(_lowest(flags) - _ONE) >> 3).astype(np.int64)
    return below
