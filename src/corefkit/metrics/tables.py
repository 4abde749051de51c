"""Overlap tables made of sizes and cells, for the policies that build their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.alignment.table import Entities, Overlap

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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
    return Overlap(
        1,
        _entities(key_size),
        _entities(response_size),
        key_entity,
        response_entity,
        np.array([shared[cell] for cell in cells]),
    )


def _entities(sizes: Iterable[int]) -> Entities:
    size = np.array([*sizes], np.int64)
    return Entities(np.zeros_like(size), size)
