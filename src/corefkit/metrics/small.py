"""Small tables: one document whose entities are listed, as some policies count it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.alignment.table import Entities, Overlap

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

# A key and a response entity, by number.
Cell: TypeAlias = tuple[int, int]


def homes(entities: Mapping[int, Iterable[Hashable]]) -> dict[Hashable, int]:
    """Find the last entity in which each mention stands."""
    return {m: number for number, entity in entities.items() for m in entity}


def shared_mentions(
    key: Mapping[int, Iterable[Hashable]], response: Mapping[Hashable, int]
) -> Counter[Cell]:
    """Count the mentions of key entities by the response entity where each stands."""
    return Counter(
        (number, response[mention])
        for number, entity in key.items()
        for mention in entity
        if mention in response
    )


def small_table(
    key_size: Iterable[int], response_size: Iterable[int], shared: Mapping[Cell, float]
) -> Overlap:
    """Make the table of one document from the sizes of its entities.

    What two entities share is given by their numbers, and may be a fraction.

    >>> table = small_table([3], [2, 1], {(0, 1): 1, (0, 0): 2})
    >>> table.shared.tolist(), table.response_size.tolist()
    ([2, 1], [2, 1])
    """
    cells = sorted(shared)
    key_entity, response_entity = np.array(cells, np.int64).reshape(-1, 2).T
    return Overlap(
        1,
        _entities(key_size),
        _entities(response_size),
        key_entity,
        response_entity,
        np.array([shared[cell] for cell in cells] or np.empty(0, np.int64)),
    )


def _entities(sizes: Iterable[int]) -> Entities:
    size = np.array([*sizes], np.int64)
    return Entities(np.zeros_like(size), size)
