"""The overlap table of documents with errors repaired, for metrics to count."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.alignment.table import Entities, Overlap
from corefkit.analysis.errors.listing import Groups
from corefkit.analysis.errors.repairs import repaired
from corefkit.columns import sorting_order
from corefkit.columns.details import offsets_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from corefkit.analysis.errors.kinds import Kinds
    from corefkit.columns import Flags, Ints

_Members: TypeAlias = Callable[[int], tuple[Hashable, ...]]


class _Part(NamedTuple):
    """Some documents with the same kinds repaired, their entities numbered anew."""

    documents: int
    key: Ints  # the key's entities, by their numbers in the joined table
    key_document: Ints
    response_document: Ints
    response_size: Ints
    cells: tuple[Ints, Ints, Ints]  # key entity, response entity, mentions shared


def table_of_repairs(
    kinds: Kinds,
    repairs: Sequence[tuple[Collection[str], Flags]],
    *,
    named: bool = False,
) -> Overlap:
    """Build one table of documents with errors repaired.

    Args:
        kinds: the errors.
        repairs: kinds to repair, and which documents are wanted with these repaired.
            They stand in the table in this order.
        named: whether the table knows the mentions of its entities.
    """
    parts = [_part(kinds, *repair) for repair in repairs]
    documents = offsets_of(part.documents for part in parts)
    keys = offsets_of(len(part.key) for part in parts)
    responses = offsets_of(len(part.response_size) for part in parts)
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
        ours = replace(ours, members=_members_of_key(kinds, key))
        of_response = _members_of_responses(kinds, repairs, responses)
        theirs = replace(theirs, members=of_response)
    return Overlap(
        documents[-1],
        ours,
        theirs,
        _moved(key_cell, keys),
        _moved(response_cell, responses),
        np.concatenate(shared),
    )


def _part(kinds: Kinds, which: Collection[str], wanted: Flags) -> _Part:
    table = kinds.table
    number = np.cumsum(wanted) - 1
    rows, entity, home = _entities_of_rows(kinds, which, wanted)
    keys = np.flatnonzero(wanted[kinds.key.document])
    key_number = np.full(len(kinds.key.size) + 1, -1, np.int64)  # the last is of -1
    key_number[keys] = np.arange(len(keys))
    key = key_number[table.key_entity[rows]]
    both, width = key >= 0, max(len(home), 1)
    cells, shared = np.unique(key[both] * width + entity[both], return_counts=True)
    return _Part(
        int(wanted.sum()),
        keys,
        number[kinds.key.document[keys]],
        number[home],
        np.bincount(entity, minlength=len(home)),
        (*np.divmod(cells, width), shared),
    )


def _entities_of_rows(
    kinds: Kinds, which: Collection[str], wanted: Flags
) -> tuple[Ints, Ints, Ints]:
    """Find the rows of a repaired response, their entities, and these' documents.

    Entities are numbered by document.
    """
    entity, document = repaired(kinds, which), kinds.table.document
    rows = np.flatnonzero(wanted[document] & (entity >= 0))
    home = np.full(int(entity.max(initial=-1)) + 1, -1, np.int64)
    home[entity[rows]] = document[rows]
    there = np.flatnonzero(home >= 0)
    there = there[sorting_order(home[there])]
    number = np.empty(len(home), np.int64)
    number[there] = np.arange(len(there))
    return rows, number[entity[rows]], home[there]


def _moved(parts: Sequence[Ints], offsets: Sequence[int]) -> Ints:
    """Put numbers one behind the other, each part counted on from those before."""
    pairs = zip(parts, offsets, strict=False)
    return np.concatenate([part + offset for part, offset in pairs])


def _members_of_key(kinds: Kinds, key: Ints) -> _Members:
    """Look up mentions of the key's entities, when they are asked for."""

    @cache
    def groups() -> Groups:
        return Groups(kinds.table.key_entity)

    def members(entity: int) -> tuple[Hashable, ...]:
        rows = groups().rows(int(key[entity]))
        return tuple([kinds.before.mention(row) for row in rows])

    return members


def _members_of_responses(
    kinds: Kinds,
    repairs: Sequence[tuple[Collection[str], Flags]],
    first: Sequence[int],
) -> _Members:
    """Look up mentions of repaired entities, which are made again when asked for."""

    @cache
    def found(part: int) -> tuple[Ints, Groups]:
        rows, entity, _ = _entities_of_rows(kinds, *repairs[part])
        return rows, Groups(entity)

    def members(entity: int) -> tuple[Hashable, ...]:
        part = bisect_right(first, entity) - 1
        rows, groups = found(part)
        inside = groups.rows(entity - first[part])
        return tuple([kinds.before.mention(int(rows[row])) for row in inside])

    return members
