"""Mentions of many documents as flat arrays: what readers fill and scoring reads.

A block of documents of one side is one `Columns` value. No object stands for a
mention here; `Columns.members` makes them for those who look.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from corefkit.columns.details import Details
    from corefkit.model import Mention

# What numpy.typing calls NDArray; every start would pay for importing it.
Ints: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
Floats: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
Flags: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.bool_]]
Hashes: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.uint64]]
# Integers (int64) where all of them are, and floats (float64) otherwise.
Counts: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[Any]]
_Number = TypeVar("_Number", np.int64, np.uint64)


def sorting_order(key: Ints) -> Ints:
    """Return the order that sorts numbers, 0 or more; equal ones keep their order.

    >>> sorting_order(np.array([2, 1, 2, 1])).tolist()
    [1, 3, 0, 2]
    """
    bits = len(key).bit_length()
    if int(key.max(initial=0)).bit_length() + bits > 63:
        return np.argsort(key, kind="stable")
    # Numbers sort several times faster than a permutation of them does.
    return np.sort((key << bits) | np.arange(len(key))) & ((1 << bits) - 1)


class Runs(NamedTuple):
    """Stretches of equal numbers: where each begins, and how long it is."""

    first: Ints
    size: Ints


def runs(numbers: Ints) -> Runs:
    """Find the stretches of equal numbers.

    >>> runs(np.array([4, 4, 4, 7, 4])).first.tolist()
    [0, 3, 4]
    """
    new = np.ones(len(numbers), np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=new[1:])
    first = new.nonzero()[0]
    size = np.empty(len(first), np.int64)
    np.subtract(first[1:], first[:-1], out=size[:-1])
    size[-1:] = len(numbers) - first[-1:]
    return Runs(first, size)


def places_in_runs(numbers: Ints) -> Ints:
    """Count through each stretch of equal numbers.

    >>> places_in_runs(np.array([4, 4, 4, 7, 4])).tolist()
    [0, 1, 2, 0, 0]
    """
    first, size = runs(numbers)
    return np.arange(len(numbers)) - np.repeat(first, size)


def spread(values: NDArray[_Number], size: Ints) -> NDArray[_Number]:
    """Repeat the value of each run for its members; a single one serves all as it is.

    >>> spread(np.array([5, 6]), np.array([2, 1])).tolist()
    [5, 5, 6]
    """
    return values if len(values) == 1 else np.repeat(values, size)


def stretches(first: Ints, size: Ints) -> Ints:
    """Write stretches of numbers out, one behind the other.

    >>> stretches(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    before = np.cumsum(size) - size
    numbers: Ints = np.arange(int(size.sum())) + np.repeat(first - before, size)
    return numbers


def expanded(first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """Write ranges out: the number of each range, and each number inside it.

    >>> row, number = expanded(np.array([3, 7]), np.array([5, 8]))
    >>> row.tolist(), number.tolist()
    ([0, 0, 1], [3, 4, 7])
    """
    size = np.maximum(last - first, 0)
    return np.repeat(np.arange(len(first)), size), stretches(first, size)


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The mentions of a block of documents of one side, ordered by entity."""

    # The entity of each mention; entities are numbered through the block, in document
    # order and, inside a document, in the order they are first seen.
    entity: Ints
    start: Ints  # the first token of each mention, or its number in `names`
    end: Ints  # the last token of each mention, or its number in `names`
    entity_document: Ints  # the document of each entity, counted in the block
    # How many words each document has, empty nodes not counted; -1 where that is
    # unknown.
    token_count: Ints
    text_hash: Hashes  # a hash over the words of each document; 0 where it has none
    # The mentions themselves where they are not spans.
    names: Sequence[Hashable] | None = None
    # What else is known of them; None where they are only spans.
    details: Details | None = None

    @property
    def documents(self) -> int:
        """How many documents the block has."""
        return len(self.token_count)

    @property
    def document(self) -> Ints:
        """The document of each mention."""
        return self.entity_document[self.entity]

    def members(self, entity: int) -> tuple[Hashable, ...]:
        """Return the mentions of one entity as values to look at."""
        first, last = np.searchsorted(self.entity, (entity, entity + 1))
        if self.names is not None:
            return tuple(self.names[number] for number in self.start[first:last])
        return tuple(self.mention(number) for number in range(first, last))

    def mention(self, number: int) -> Mention:
        """Return one mention as a value to look at: its tokens only, no attributes."""
        from corefkit.model import Mention  # here: scores look at none

        start, end = int(self.start[number]), int(self.end[number])
        if self.details is None:
            return Mention(start, end)
        first, last = np.searchsorted(self.details.gap, (number, number + 1))
        gaps = zip(
            self.details.gap_start[first:last].tolist(),
            self.details.gap_end[first:last].tolist(),
            strict=True,
        )
        return Mention(start, end, tuple(gaps))

    def keep(self, mentions: Flags) -> Columns:
        """Keep only the flagged mentions, and the entities that still have any."""
        kept = self.entity[mentions]
        return self.take(np.flatnonzero(mentions), kept[runs(kept).first])

    def take(self, mentions: Ints, entities: Ints) -> Columns:
        """Take some entities, and some of their mentions, each in the order given."""
        number = np.empty(len(self.entity_document), np.int64)
        number[entities] = np.arange(len(entities))
        return replace(
            self,
            entity=number[self.entity[mentions]],
            start=self.start[mentions],
            end=self.end[mentions],
            entity_document=self.entity_document[entities],
            details=self.details and self.details.take(mentions, entities),
        )


def empty_columns(documents: int) -> Columns:
    """Return a block of documents without mentions, whose words are not known.

    >>> empty_columns(2).token_count.tolist()
    [-1, -1]
    """
    none = np.empty(0, np.int64)
    unknown = np.full(documents, -1, np.int64)
    return Columns(none, none, none, none, unknown, np.zeros(documents, np.uint64))


def join_columns(parts: Sequence[Columns]) -> Columns:
    """Join blocks of documents, which share their names, one behind the other.

    >>> join_columns([empty_columns(1), empty_columns(2)]).documents
    3
    """
    from corefkit.columns.details import join_details, offsets_of, plain_details

    if not parts:
        return empty_columns(0)
    offsets = {
        "mention": offsets_of(len(part.entity) for part in parts),
        "entity": offsets_of(len(part.entity_document) for part in parts),
        "document": offsets_of(part.documents for part in parts),
    }
    details = None
    if any(part.details is not None for part in parts):
        details = join_details(
            [part.details or plain_details(part) for part in parts], offsets
        )
    return Columns(
        entity=_joined([part.entity for part in parts], offsets["entity"]),
        start=np.concatenate([part.start for part in parts]),
        end=np.concatenate([part.end for part in parts]),
        entity_document=_joined(
            [part.entity_document for part in parts], offsets["document"]
        ),
        token_count=np.concatenate([part.token_count for part in parts]),
        text_hash=np.concatenate([part.text_hash for part in parts]),
        names=parts[0].names,
        details=details,
    )


def _joined(parts: Sequence[Ints], offsets: Sequence[int]) -> Ints:
    pairs = zip(parts, offsets, strict=False)
    return np.concatenate([part + offset for part, offset in pairs])


def rearranged(columns: Columns, rows: Sequence[int]) -> Columns:
    """Put documents in another order; `rows` says where each of them goes.

    >>> block = replace(empty_columns(2), token_count=np.array([5, 7]))
    >>> rearranged(block, [1, 0]).token_count.tolist()
    [7, 5]
    """
    row = np.array(rows, np.int64)
    order = np.argsort(row)
    if np.all(row[1:] > row[:-1]):
        return columns
    entities = sorting_order(row[columns.entity_document])
    rank = np.empty(len(entities), np.int64)
    rank[entities] = np.arange(len(entities))
    taken = columns.take(sorting_order(rank[columns.entity]), entities)
    return replace(
        taken,
        entity_document=row[taken.entity_document],
        token_count=columns.token_count[order],
        text_hash=columns.text_hash[order],
        details=taken.details and taken.details.renumber_documents(row),
    )


def spread_columns(columns: Columns, numbers: Sequence[int | None]) -> Columns:
    """Put documents without mentions and words where a number is missing.

    >>> block = replace(empty_columns(2), token_count=np.array([5, 7]))
    >>> spread_columns(block, [3, None, 4]).token_count.tolist()
    [5, -1, 7]
    """
    there = np.flatnonzero([number is not None for number in numbers])
    spread = empty_columns(len(numbers))
    counts, hashes = spread.token_count, spread.text_hash
    counts[there], hashes[there] = columns.token_count, columns.text_hash
    return replace(
        columns,
        entity_document=there[columns.entity_document],
        token_count=counts,
        text_hash=hashes,
        details=columns.details and columns.details.renumber_documents(there),
    )
