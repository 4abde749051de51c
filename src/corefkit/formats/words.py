"""Fingerprints of a document's words, so that two texts are compared without keeping them.

A word is hashed eight bytes at a time up to the first blank, all words of a block at
once; a document's fingerprint is the sum of its words' hashes, each mixed with its
position. Equal texts have equal fingerprints in every format; different ones differ
but for a chance of about one in 2**64.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.columns import Hashes, Ints
    from numpy.typing import NDArray

PADDING = b"\n" * 9  # eight bytes may be loaded from the last byte of a text

_BLANKS = np.uint64(0x2121212121212121)  # one above a blank, in each byte
_HIGH_BITS = np.uint64(0x8080808080808080)
_ONE = np.uint64(1)
_SEVEN = np.uint64(7)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(31)


def fingerprint(words: Iterable[str]) -> int:
    """Fingerprint the words of one document.

    >>> fingerprint(["a", "b"]) == fingerprint(["a", "b"]) != fingerprint(["b", "a"])
    True
    """
    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    if not encoded:
        return 0
    lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
    starts = np.cumsum(lengths + 1) - lengths - 1
    text = np.frombuffer(b"\n".join(encoded) + PADDING, np.uint8)
    hashes = word_hashes(text, starts)
    return int(placed(hashes, np.arange(len(encoded))).sum())


def word_hashes(text: NDArray[np.uint8], starts: Ints) -> Hashes:
    """Hash the words that start at the given offsets of a padded text."""
    eights = _eights(text)
    hashes, open_ended = _clipped(eights[starts])
    rest = np.flatnonzero(open_ended)
    starts = starts[rest]
    while len(rest):
        starts = starts + 8
        more, open_ended = _clipped(eights[starts])
        hashes[rest] = hashes[rest] * _STEP + more
        rest, starts = rest[open_ended], starts[open_ended]
    return hashes


def word_lengths(text: NDArray[np.uint8], starts: Ints) -> Ints:
    """Count the bytes of the words that start at the given offsets of a padded text."""
    lengths = np.zeros(len(starts), np.int64)
    eights = _eights(text)
    rest = np.arange(len(starts))
    while len(rest):
        loaded = eights[starts]
        first = _first_blank(loaded)
        open_ended = first == 0
        # The flag of byte n is bit 8n + 7, so n is the exponent of two over eight.
        inside = np.frexp(first.astype(np.float64))[1] // 8 - 1
        lengths[rest] += np.where(open_ended, 8, inside)
        rest, starts = rest[open_ended], starts[open_ended] + 8
    return lengths


def placed(hashes: Hashes, positions: Ints) -> Hashes:
    """Mix each word's hash with its position in the document."""
    mixed = hashes + (positions.astype(np.uint64) + _ONE) * _STEP
    mixed ^= mixed >> _SHIFT
    mixed *= _MIX
    mixed ^= mixed >> _SHIFT
    return mixed


def _eights(text: NDArray[np.uint8]) -> Hashes:
    # Element i is the eight bytes from offset i: an overlapping, unaligned view.
    return np.ndarray((len(text) - 7,), np.dtype("<u8"), text.data, strides=(1,))


def _first_blank(loaded: Hashes) -> Hashes:
    # Subtracting borrows into the high bit of each byte below '!'; the lowest such
    # flag is exact, the ones above it need not be.
    flags = (loaded - _BLANKS) & ~loaded & _HIGH_BITS
    return flags & (~flags + _ONE)


def _clipped(loaded: Hashes) -> tuple[Hashes, NDArray[np.bool_]]:
    first = _first_blank(loaded)
    open_ended = first == 0
    # Without a blank the subtraction gives all ones: nothing is clipped.
    return loaded & ((first >> _SEVEN) - _ONE), open_ended
