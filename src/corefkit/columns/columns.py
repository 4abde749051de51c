"""The mentions of a block of documents as columns, and what is done with blocks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns.arrays import runs, sorting_order
from corefkit.columns.details import join_details, offsets_of, plain_details
from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from corefkit.columns.arrays import Flags, Hashes, Ints
    from corefkit.columns.details import Details


@dataclass(frozen=True, slots=True)
class Columns:
    """The mentions of a block of documents of one side, ordered by entity.

    Attributes:
        entity: the entity of each mention; entities are numbered through the block,
            in document order and, inside a document, in the order they are first seen.
        start: the first token of each mention, or its number in `names`.
        end: the last token of each mention, or its number in `names`.
        entity_document: the document of each entity, counted in the block.
        tokens: how many words each document has, empty nodes not counted; -1 where
            that is unknown.
        fingerprint: a hash over the words of each document; 0 where it has none.
        names: the mentions themselves where they are not spans.
        details: what else is known of them; None where they are only spans.
    """

    entity: Ints
    start: Ints
    end: Ints
    entity_document: Ints
    tokens: Ints
    fingerprint: Hashes
    names: Sequence[Hashable] | None = None
    details: Details | None = None

    @property
    def documents(self) -> int:
        """How many documents the block has."""
        return len(self.tokens)

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

    >>> empty_columns(2).tokens.tolist()
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
        tokens=np.concatenate([part.tokens for part in parts]),
        fingerprint=np.concatenate([part.fingerprint for part in parts]),
        names=parts[0].names,
        details=details,
    )


def _joined(parts: Sequence[Ints], offsets: Sequence[int]) -> Ints:
    pairs = zip(parts, offsets, strict=False)
    return np.concatenate([part + offset for part, offset in pairs])


def rearranged(columns: Columns, rows: Sequence[int]) -> Columns:
    """Put documents in another order; `rows` says where each of them goes.

    >>> block = replace(empty_columns(2), tokens=np.array([5, 7]))
    >>> rearranged(block, [1, 0]).tokens.tolist()
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
        tokens=columns.tokens[order],
        fingerprint=columns.fingerprint[order],
        details=taken.details and taken.details.renumber_documents(row),
    )


def spread_columns(columns: Columns, numbers: Sequence[int | None]) -> Columns:
    """Put documents without mentions and words where a number is missing.

    >>> block = replace(empty_columns(2), tokens=np.array([5, 7]))
    >>> spread_columns(block, [3, None, 4]).tokens.tolist()
    [5, -1, 7]
    """
    there = np.flatnonzero([number is not None for number in numbers])
    spread = empty_columns(len(numbers))
    tokens, hashes = spread.tokens, spread.fingerprint
    tokens[there], hashes[there] = columns.tokens, columns.fingerprint
    return replace(
        columns,
        entity_document=there[columns.entity_document],
        tokens=tokens,
        fingerprint=hashes,
        details=columns.details and columns.details.renumber_documents(there),
    )
