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
class Columns:
    """The mentions of a block of documents of one side, ordered by entity.

    Attributes:
        entity: the entity of each mention; entities are numbered through the block,
            in document order and, inside a document, in the order they are first seen.
        start: the first token of each mention, or its number in `names`.
        end: the last token of each mention, or its number in `names`.
        entity_document: the document of each entity, counted in the block.
        tokens: how many tokens each document has; -1 where that is not known.
        fingerprint: a hash over the words of each document; 0 where it has none.
        names: the mentions themselves where they are not spans.
    """

    entity: Ints
    start: Ints
    end: Ints
    entity_document: Ints
    tokens: Ints
    fingerprint: Hashes
    names: Sequence[Hashable] | None = None

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
        spans = zip(
            self.start[first:last].tolist(), self.end[first:last].tolist(), strict=True
        )
        return tuple(Mention(start, end) for start, end in spans)

    def keep(self, mentions: Flags) -> Columns:
        """Keep only the flagged mentions, and the entities that still have any."""
        entities, entity = np.unique(self.entity[mentions], return_inverse=True)
        return replace(
            self,
            entity=entity,
            start=self.start[mentions],
            end=self.end[mentions],
            entity_document=self.entity_document[entities],
        )


def empty_columns(documents: int) -> Columns:
    """Give a block of documents without mentions, whose words nobody knows.

    >>> empty_columns(2).tokens.tolist()
    [-1, -1]
    """
    none = np.empty(0, np.int64)
    unknown = np.full(documents, -1, np.int64)
    return Columns(none, none, none, none, unknown, np.zeros(documents, np.uint64))


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


def spread(values: NDArray[_Number], size: Ints) -> NDArray[_Number]:
    """Give each member of a run its run's value; one run's value serves all as it is.

    >>> spread(np.array([5, 6]), np.array([2, 1])).tolist()
    [5, 5, 6]
    """
    return values if len(values) == 1 else np.repeat(values, size)
