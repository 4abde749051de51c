"""Hashes that documents are known by, in rows; fingerprints are made of these.

Hashes are sums, each summand mixed as the words of a text are: of the tokens of
mentions, for the mentions of a document and of each of its entities; of the entities of
a document; and in the end of the documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import runs

if TYPE_CHECKING:
    from corefkit.columns import Columns, Hashes, Ints

STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(31)
_ONE = np.uint64(1)
NO_PRINTS: Hashes = np.zeros((0, 6), np.uint64)


def mixed(hashes: Hashes, positions: Ints) -> Hashes:
    """Mix each word's hash with its position in the document."""
    values = hashes + (positions.astype(np.uint64) + _ONE) * STEP
    values ^= values >> _SHIFT
    values *= _MIX
    values ^= values >> _SHIFT
    return values


def document_prints(columns: Columns) -> Hashes:
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
        first, size = runs(columns.entity)
        hashes = np.add.reduceat(_mention_hashes(columns), first)
        document = document[first]
        opening, _ = runs(document)
        there = document[opening]
        rows[there, 1] = np.add.reduceat(hashes, opening)
        rows[there, 2] = np.add.reduceat(mixed(hashes, size), opening)
    return rows


def _mention_hashes(columns: Columns) -> Hashes:
    hashes = mixed(columns.start.astype(np.uint64), columns.end)
    details = columns.details
    if details is not None and len(details.gap):
        gaps = mixed(details.gap_start.astype(np.uint64), details.gap_end)
        np.add.at(hashes, details.gap, gaps)
    return hashes
