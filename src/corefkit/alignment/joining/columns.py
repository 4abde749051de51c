"""Documents set one behind the other, as columns: what scoring reads.

No object stands for a document, an entity or a mention here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.joining.details import joined_details, joined_empties
from corefkit.columns import Columns, runs, sorting_order, spread_columns
from corefkit.columns.grouping import first_seen
from corefkit.columns.identified import Identified
from corefkit.columns.prints import mixed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.columns import Flags, Hashes, Ints


@dataclass(frozen=True, slots=True)
class Texts:
    """What is known of the texts of documents on one side, a row each."""

    words: Ints  # how many there are, 0 where they are not known
    text_hash: Hashes
    empty: Ints  # how many empty nodes
    reach: Ints  # the token behind the last of the mentions

    @property
    def tokens(self) -> Ints:
        """How many tokens each document has, 0 where its words are not known."""
        return np.where(self.known, self.words + self.empty, 0)

    @property
    def known(self) -> Flags:
        """Whether the words of each document are known."""
        known: Flags = (self.text_hash != 0) | (self.empty > 0)
        return known


def texts(columns: Columns) -> Texts:
    """Find what columns say of the texts of their documents."""
    known, document = columns.text_hash != 0, columns.document
    reach, (first, _) = np.zeros(columns.documents, np.int64), runs(document)
    if len(first):
        reach[document[first]] = np.maximum.reduceat(columns.end, first) + 1
    empty = np.zeros(columns.documents, np.int64)
    if columns.details is not None and columns.details.empties is not None:
        nodes = columns.details.empties.document
        empty += np.bincount(nodes, minlength=len(empty))[: len(empty)]
    words = np.where(known, columns.token_count, 0)
    return Texts(words, columns.text_hash, empty, reach)


def with_missing(
    found: Identified, numbers: Sequence[int | None], key: Texts
) -> tuple[Identified, Texts]:
    """Give the documents that a response lacks the key's words, and no mentions."""
    columns = found.columns
    if columns.documents < len(numbers):
        columns = spread_columns(columns, numbers)
    there = np.array([number is not None for number in numbers], np.bool_)
    own = texts(columns)
    both = replace(
        own,
        words=np.where(there, own.words, key.words),
        text_hash=np.where(there, own.text_hash, key.text_hash),
    )
    return Identified(columns, found.code), both


def lengths(key: Texts, response: Texts) -> tuple[Ints, Ints]:
    """Count the tokens of documents on both sides.

    A side without words has as many as the other. Without words on both, a document is
    as long as its last mention says.
    """
    ours, theirs = key.tokens, response.tokens
    longest = np.maximum(ours, theirs)
    longest = np.maximum(longest, np.maximum(key.reach, response.reach))
    empty = np.maximum(key.empty, response.empty)
    both = (ours > 0) & (theirs > 0)
    return (
        np.where(both, ours, longest + key.empty - empty),
        np.where(both, theirs, longest + response.empty - empty),
    )


def joined_columns(
    found: Identified, side: Texts, *, topic: Ints, length: Ints
) -> Columns:
    """Set the documents of each topic one behind the other.

    Entities with the same id become one, in the order in which they are first seen.

    Args:
        found: the documents, topic by topic.
        side: what is known of their texts.
        topic: the topic of each document, counted from 0.
        length: how many tokens each document has.
    """
    columns, code = found
    entity, entity_topic = first_seen(topic[columns.entity_document], code)
    of_mention = entity[columns.entity]
    order = sorting_order(of_mention)
    offset = _before(length, topic)
    shift = offset[columns.document[order]]
    count, hashes = _text(side, topic)
    joined = Columns(
        entity=of_mention[order],
        start=columns.start[order] + shift,
        end=columns.end[order] + shift,
        entity_document=entity_topic,
        token_count=count,
        text_hash=hashes,
    )
    if columns.details is None:
        return joined
    taken = columns.details.take(order, np.arange(len(entity)))
    nodes = joined_empties(taken.empties, topic, offset, count >= 0)
    details = joined_details(taken, joined, entity, shift)
    return replace(joined, details=replace(details, empties=nodes))


def _text(side: Texts, topic: Ints) -> tuple[Ints, Hashes]:
    """Count and hash the words of each topic, where those of all documents are known.

    A topic of one document has its hash.
    """
    first, _ = runs(topic)
    known = np.logical_and.reduceat(side.known, first)
    count = np.where(known, np.add.reduceat(side.words, first), -1)
    hashes = mixed(side.text_hash, _before(side.words, topic))
    hashes[first] = side.text_hash[first]
    summed = np.add.reduceat(hashes, first)
    return np.where(count == 0, -1, count), np.where(known, summed, np.uint64(0))


def words_before(side: Texts, topic: Ints) -> list[Ints]:
    """Count the words before each document in its topic, topic by topic."""
    first, _ = runs(topic)
    return np.split(_before(side.words, topic), first[1:])[: len(first)]


def _before(counts: Ints, topic: Ints) -> Ints:
    """Add up what stands before each document in its topic."""
    first, size = runs(topic)
    before = np.cumsum(counts) - counts
    return before - np.repeat(before[first], size)
