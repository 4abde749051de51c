"""Mentions of many documents as flat arrays: what readers fill and scoring reads.

A block of documents of one side is one `Columns` value. No object stands for a
mention here; `Columns.members` makes them for those who look.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Hashes: TypeAlias = NDArray[np.uint64]
_Number = TypeVar("_Number", np.int64, np.uint64)


@dataclass(frozen=True, slots=True)
class Empties:
    """The empty nodes of a block, and what they depend on.

    Attributes:
        document: the document of each, counted in the block.
        token: its number in the document, empty nodes counted along.
        initial: whether it stands before the first word of its sentence.
        dependent: for each enhanced dependency, the number of the node in these rows.
        parent: the token that it depends on; below 0 the root of a sentence, another
            for each.
        relation: a hash of the kind of dependency.
    """

    document: Ints
    token: Ints
    initial: Flags
    dependent: Ints
    parent: Ints
    relation: Ints


@dataclass(frozen=True, slots=True)
class Details:
    """What is known of mentions and entities beside spans, where a format has it.

    Attributes:
        head: the head of each mention, -1 where it has none.
        minimum_start: the first token of its minimum, -1 where it has none.
        minimum_end: the last token of its minimum, -1 where it has none.
        gap: for each gap of a discontinuous mention, the number of the mention.
        gap_start: the first token of the gap.
        gap_end: the last token of the gap.
        empties: the empty nodes; None where there is none.
        referring: for each entity, whether it refers.
        split: rows of an entity and one of its split antecedents.
        bridge: rows of a bridging anaphor, the entity that it hangs on, and the mention
            of it that the file names or -1.
    """

    head: Ints
    minimum_start: Ints
    minimum_end: Ints
    gap: Ints
    gap_start: Ints
    gap_end: Ints
    empties: Empties | None
    referring: Flags
    split: Ints
    bridge: Ints

    def take(self, mentions: Ints, entities: Ints) -> Details:
        """Take some mentions and entities, in the order given, and the rows on them."""
        # What is not taken is -1; so is what was -1, through the last number.
        mention = np.full(len(self.head) + 1, -1, np.int64)
        mention[mentions] = np.arange(len(mentions))
        entity = np.full(len(self.referring) + 1, -1, np.int64)
        entity[entities] = np.arange(len(entities))
        gap = mention[self.gap]
        kept = np.flatnonzero(gap >= 0)
        kept = kept[np.argsort(gap[kept], kind="stable")]
        split = entity[self.split]
        bridge = np.stack(
            (
                mention[self.bridge[:, 0]],
                entity[self.bridge[:, 1]],
                mention[self.bridge[:, 2]],
            ),
            axis=1,
        )
        return Details(
            self.head[mentions],
            self.minimum_start[mentions],
            self.minimum_end[mentions],
            gap[kept],
            self.gap_start[kept],
            self.gap_end[kept],
            self.empties,
            self.referring[entities],
            split[(split >= 0).all(axis=1)],
            bridge[bridge[:, 0] >= 0],
        )


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
            that is not known.
        fingerprint: a hash over the words of each document; 0 where it has none.
        names: the mentions themselves where they are not spans.
        details: what else is known of them; None where they are spans and no more.
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
        """Give the mentions of one entity as values to look at."""
        first, last = np.searchsorted(self.entity, (entity, entity + 1))
        if self.names is not None:
            return tuple(self.names[number] for number in self.start[first:last])
        return tuple(self.mention(number) for number in range(first, last))

    def mention(self, number: int) -> Mention:
        """Give one mention as a value to look at; its tokens only, no attributes."""
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
        """Take some entities, and mentions of theirs, each in the order given."""
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
    """Give a block of documents without mentions, whose words nobody knows.

    >>> empty_columns(2).tokens.tolist()
    [-1, -1]
    """
    none = np.empty(0, np.int64)
    unknown = np.full(documents, -1, np.int64)
    return Columns(none, none, none, none, unknown, np.zeros(documents, np.uint64))


def join_columns(parts: Sequence[Columns]) -> Columns:
    """Set blocks of documents one behind the other; they have the same names.

    >>> join_columns([empty_columns(1), empty_columns(2)]).documents
    3
    """
    if not parts:
        return empty_columns(0)
    entities = _offsets([len(part.entity_document) for part in parts])
    documents = _offsets([part.documents for part in parts])
    return Columns(
        entity=_shifted([part.entity for part in parts], entities),
        start=np.concatenate([part.start for part in parts]),
        end=np.concatenate([part.end for part in parts]),
        entity_document=_shifted([part.entity_document for part in parts], documents),
        tokens=np.concatenate([part.tokens for part in parts]),
        fingerprint=np.concatenate([part.fingerprint for part in parts]),
        names=parts[0].names,
        details=_join_details(parts, entities, documents),
    )


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
    details = taken.details
    if details is not None and details.empties is not None:
        empties = replace(details.empties, document=row[details.empties.document])
        details = replace(details, empties=empties)
    return replace(
        taken,
        entity_document=row[taken.entity_document],
        tokens=columns.tokens[order],
        fingerprint=columns.fingerprint[order],
        details=details,
    )


def _offsets(sizes: list[int]) -> list[int]:
    return [0, *np.cumsum(sizes).tolist()]


def _shifted(parts: Sequence[Ints], offsets: Sequence[int]) -> Ints:
    # Numbers below 0 stand for none, and stay.
    return np.concatenate(
        [
            np.where(part < 0, part, part + offset)
            for part, offset in zip(parts, offsets, strict=False)
        ]
    )


def _join_details(
    parts: Sequence[Columns], entities: Sequence[int], documents: Sequence[int]
) -> Details | None:
    if all(part.details is None for part in parts):
        return None
    every = [part.details or plain_details(part) for part in parts]
    mentions = _offsets([len(part.entity) for part in parts])
    bridge = [
        np.stack(
            (
                _shifted([one.bridge[:, 0]], [mention]),
                _shifted([one.bridge[:, 1]], [entity]),
                _shifted([one.bridge[:, 2]], [mention]),
            ),
            axis=1,
        )
        for one, mention, entity in zip(every, mentions, entities, strict=False)
    ]
    return Details(
        head=np.concatenate([one.head for one in every]),
        minimum_start=np.concatenate([one.minimum_start for one in every]),
        minimum_end=np.concatenate([one.minimum_end for one in every]),
        gap=_shifted([one.gap for one in every], mentions),
        gap_start=np.concatenate([one.gap_start for one in every]),
        gap_end=np.concatenate([one.gap_end for one in every]),
        empties=_join_empties([one.empties for one in every], documents),
        referring=np.concatenate([one.referring for one in every]),
        split=_shifted([one.split for one in every], entities),
        bridge=np.concatenate(bridge),
    )


def _join_empties(
    parts: Sequence[Empties | None], documents: Sequence[int]
) -> Empties | None:
    found = [
        (one, document)
        for one, document in zip(parts, documents, strict=False)
        if one is not None
    ]
    if not found:
        return None
    every = [one for one, _ in found]
    nodes = _offsets([len(one.token) for one in every])
    return Empties(
        document=_shifted(
            [one.document for one in every], [document for _, document in found]
        ),
        token=np.concatenate([one.token for one in every]),
        initial=np.concatenate([one.initial for one in every]),
        dependent=_shifted([one.dependent for one in every], nodes),
        parent=np.concatenate([one.parent for one in every]),
        relation=np.concatenate([one.relation for one in every]),
    )


def plain_details(columns: Columns) -> Details:
    """Say in details that nothing is known beside the spans."""
    unknown = np.full(len(columns.entity), -1, np.int64)
    none = np.empty(0, np.int64)
    return Details(
        head=unknown,
        minimum_start=unknown,
        minimum_end=unknown,
        gap=none,
        gap_start=none,
        gap_end=none,
        empties=None,
        referring=np.ones(len(columns.entity_document), np.bool_),
        split=none.reshape(0, 2),
        bridge=none.reshape(0, 3),
    )


def sorting_order(key: Ints) -> Ints:
    """Give the order that sorts numbers, 0 or more; equal ones stay as they stand.

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
    first = np.flatnonzero(new)
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
    """Give each member of a run its run's value; one run's value serves all as it is.

    >>> spread(np.array([5, 6]), np.array([2, 1])).tolist()
    [5, 5, 6]
    """
    return values if len(values) == 1 else np.repeat(values, size)


def sums(values: Floats | Ints, group: Ints, groups: int) -> Floats:
    """Add values up for each group.

    >>> sums(np.array([1, 2, 3]), np.array([0, 2, 0]), 3).tolist()
    [4.0, 0.0, 2.0]
    """
    return np.bincount(group, values, groups).astype(np.float64, copy=False)


def expanded(first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """Write ranges out: the number of each range, and each number inside it.

    >>> row, number = expanded(np.array([3, 7]), np.array([5, 8]))
    >>> row.tolist(), number.tolist()
    ([0, 0, 1], [3, 4, 7])
    """
    size = np.maximum(last - first, 0)
    row = np.repeat(np.arange(len(first)), size)
    shift = np.repeat(first - (np.cumsum(size) - size), size)
    return row, np.arange(len(shift)) + shift
