"""The overlap table of documents with errors repaired, for metrics to count."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.table import Entities, Overlap
from corefkit.analysis.errors.listing import Groups
from corefkit.analysis.errors.repairs import repaired
from corefkit.columns import sorting_order
from corefkit.columns.details import offsets_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Sequence

    from corefkit.analysis.errors.kinds import Kinds
    from corefkit.columns import Flags, Ints


class _Part(NamedTuple):
    """Some documents with the same kinds repaired, their entities numbered anew."""

    documents: int
    key: Ints  # the key's entities, by their numbers in the joined table
    key_document: Ints
    response_document: Ints
    response_size: Ints
    cells: tuple[Ints, Ints, Ints]  # key entity, response entity, mentions shared
    rows: Ints  # of the joined table, those that are in the response
    response_entity: Ints  # of these


def table_of_repairs(
    kinds: Kinds,
    repairs: Iterable[tuple[Collection[str], Flags]],
    *,
    named: bool = False,
) -> Overlap:
    """Build one table of documents with errors repaired.

    Args:
        kinds: the errors.
        repairs: kinds to repair, and which documents are wanted with these repaired;
            at least one in all. They stand in the table in this order.
        named: whether the table knows the mentions of its entities.
    """
    parts = [
        _part(kinds, repaired(kinds, which), wanted)
        for which, wanted in repairs
        if wanted.any()
    ]
    documents = [*offsets_of(part.documents for part in parts)]
    keys = [*offsets_of(len(part.key) for part in parts)]
    responses = [*offsets_of(len(part.response_size) for part in parts)]
    key = np.concatenate([part.key for part in parts])
    key_cell, response_cell, shared = zip(*(part.cells for part in parts), strict=True)
    ours = Entities(
        _moved([part.key_document for part in parts], documents), kinds.key.size[key]
    )
    theirs = Entities(
        _moved([part.response_document for part in parts], documents),
        np.concatenate([part.response_size for part in parts]),
    )
    if named:
        rows = np.concatenate([part.rows for part in parts])
        entity = _moved([part.response_entity for part in parts], responses)
        every = np.arange(len(kinds.table))
        of_key = _members(kinds, every, kinds.table.key_entity, key)
        of_response = _members(kinds, rows, entity, np.arange(len(theirs)))
        ours = Entities(ours.document, ours.size, of_key)
        theirs = Entities(theirs.document, theirs.size, of_response)
    return Overlap(
        sum(part.documents for part in parts),
        ours,
        theirs,
        _moved(key_cell, keys),
        _moved(response_cell, responses),
        np.concatenate(shared),
    )


def _part(kinds: Kinds, entity: Ints, wanted: Flags) -> _Part:
    table = kinds.table
    number = np.cumsum(wanted) - 1
    rows = np.flatnonzero(wanted[table.document] & (entity >= 0))
    document = number[table.document[rows]]
    keys = np.flatnonzero(wanted[kinds.key.document])
    key_number = np.empty(len(kinds.key.size) + 1, np.int64)
    key_number[keys] = np.arange(len(keys))
    key_number[-1] = -1
    responses, size, response_document, response = _numbered(entity[rows], document)
    key = key_number[table.key_entity[rows]]
    both = key >= 0
    width = max(responses, 1)
    cells, shared = np.unique(key[both] * width + response[both], return_counts=True)
    return _Part(
        int(wanted.sum()),
        keys,
        number[kinds.key.document[keys]],
        response_document,
        size,
        (*np.divmod(cells, width), shared),
        rows,
        response,
    )


def _numbered(entity: Ints, document: Ints) -> tuple[int, Ints, Ints, Ints]:
    """Number entities by document: how many, sizes, documents, and each row's."""
    size = np.bincount(entity)
    there = np.flatnonzero(size)
    home = np.empty(len(size), np.int64)
    home[entity] = document
    there = there[sorting_order(home[there])]
    number = np.empty(len(size), np.int64)
    number[there] = np.arange(len(there))
    return len(there), size[there], home[there], number[entity]


def _moved(parts: Sequence[Ints], offsets: Sequence[int]) -> Ints:
    """Put numbers one behind the other, each part counted on from those before."""
    pairs = zip(parts, offsets, strict=False)
    return np.concatenate([part + offset for part, offset in pairs])


def _members(
    kinds: Kinds, rows: Ints, entity: Ints, numbers: Ints
) -> Callable[[int], tuple[Hashable, ...]]:
    """Look up mentions of entities, by their places among some numbers."""

    @cache
    def groups() -> Groups:
        return Groups(entity)

    def members(place: int) -> tuple[Hashable, ...]:
        found = groups().rows(int(numbers[place]))
        return tuple([kinds.before.mention(int(rows[row])) for row in found])

    return members
