"""Hashes of words, mentions and documents.

The hash of the text of a document is the sum of the hashes of its words, each mixed
with its position. Different texts have equal hashes with a chance of about one in
2**64. Fingerprints are sums of mixed hashes too: of the tokens of mentions, for the
mentions of a document and of each entity, and of the entities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.arrays.columns import expand_runs, find_runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.arrays.columns import Columns, Hashes, Ints

STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(31)
_ONE = np.uint64(1)
NO_FINGERPRINTS: Hashes = np.zeros((0, 6), np.uint64)
# All bits of the bytes after the first n of eight, for n from 0 to 8.
_BYTES_AFTER = np.array([(1 << 64) - (1 << 8 * n) for n in range(9)], np.uint64)
# Blanks inside a word, which columns of text cannot contain, are hashed as one byte.
_NO_BLANKS = bytes([127] * 33) + bytes(range(33, 256))


def add_positions(hashes: Hashes, positions: Ints) -> Hashes:
    """Mix each word's hash with its position in the document."""
    values = hashes + (positions.astype(np.uint64) + _ONE) * STEP
    values ^= values >> _SHIFT
    values *= _MIX
    values ^= values >> _SHIFT
    return values


def compute_fingerprints(columns: Columns) -> Hashes:
    """Compute a row of numbers for each document, from which its fingerprint follows.

    These are the hashes of words, mentions and entities, 0 if there are none, and the
    number of each; that of words is one higher, and 0 if unknown.
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
        hashes = np.add.reduceat(_hash_mentions(columns), first)
        document = document[first]
        opening, _ = find_runs(document)
        present = document[opening]
        rows[present, 1] = np.add.reduceat(hashes, opening)
        rows[present, 2] = np.add.reduceat(add_positions(hashes, size), opening)
    return rows


def _hash_mentions(columns: Columns) -> Hashes:
    hashes = add_positions(columns.start.astype(np.uint64), columns.end)
    details = columns.details
    if details is not None and len(details.gap):
        gaps = add_positions(details.gap_start.astype(np.uint64), details.gap_end)
        np.add.at(hashes, details.gap, gaps)
    return hashes


def compute_text_hashes(texts: Iterable[Iterable[str]]) -> Hashes:
    """Hash the words of documents, all at once; 0 for documents without words."""
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
    text_hashes = np.zeros(len(size), np.uint64)
    present = np.flatnonzero(size)
    if len(present):
        first = np.cumsum(size) - size
        position = np.arange(len(encoded)) - np.repeat(first, size)
        hashes = add_positions(_hash_words(encoded), position)
        text_hashes[present] = np.add.reduceat(hashes, first[present])
    return text_hashes


def _hash_words(words: Sequence[bytes]) -> Hashes:
    """Hash words: the polynomial in `STEP` whose coefficients are eight bytes each."""
    text = b"".join((*words, bytes(8)))
    # Element i is the eight bytes from offset i on.
    eights = np.ndarray(len(text) - 7, "<u8", text, strides=(1,))
    length = np.fromiter(map(len, words), np.int64, len(words))
    size = length // 8 + 1
    first = np.cumsum(size) - size
    rank = expand_runs(np.zeros_like(size), size)
    remaining = np.repeat(length, size) - 8 * rank
    start = np.repeat(np.cumsum(length) - length, size) + 8 * rank
    terms = eights[start] & ~_BYTES_AFTER[np.minimum(remaining, 8)]
    powers = np.full(int(size.max()), STEP)
    powers[0] = _ONE
    terms *= np.multiply.accumulate(powers)[np.repeat(size, size) - 1 - rank]
    hashes: Hashes = np.add.reduceat(terms, first)
    return hashes
