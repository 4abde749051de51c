"""Overlap tables made of sizes and cells, for the policies that build their own."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NoReturn, TypeAlias

import numpy as np

from corefkit.alignment.table import Entities, Overlap, overlap

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corefkit.columns import Ints

Cell: TypeAlias = tuple[int, int]


def small_table(
    key_size: Iterable[int], response_size: Iterable[int], shared: Mapping[Cell, float]
) -> Overlap:
    """Make the table of one document from the sizes of its entities.

    Args:
        key_size: the size of each key entity.
        response_size: the size of each response entity.
        shared: what two entities share, by their numbers; may be a fraction.

    >>> table = small_table([3], [2, 1], {(0, 1): 1, (0, 0): 2})
    >>> table.shared.tolist(), table.response_size.tolist()
    ([2, 1], [2, 1])
    """
    cells = sorted(shared)
    key_entity, response_entity = np.array(cells, np.int64).reshape(-1, 2).T
    return replace(
        _empty_table(),
        key=_entities(key_size),
        response=_entities(response_size),
        key_entity=key_entity,
        response_entity=response_entity,
        shared=np.array([shared[cell] for cell in cells]),
    )


def entities_without_members(document: Ints, size: Ints) -> Entities:
    """Make entities of which only the sizes are known."""
    return Entities(document, size, _no_members)


def _entities(sizes: Iterable[int]) -> Entities:
    size = np.array([*sizes], np.int64)
    return entities_without_members(np.zeros_like(size), size)


@cache
def _empty_table() -> Overlap:
    return overlap([], [])


def _no_members(entity: int) -> NoReturn:
    message = f"this table knows how large entity {entity} is, not its mentions"
    raise LookupError(message)
