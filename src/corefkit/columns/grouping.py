"""Ids grouped inside documents: entities numbered in the order of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import runs, sorting_order

if TYPE_CHECKING:
    from corefkit.columns import Ints


def first_seen(document: Ints, code: Ints) -> tuple[Ints, Ints]:
    """Number entities by document and id, in the order in which they are first seen.

    Returned are the entity of each row, and the document of each entity.

    >>> entity, of = first_seen(np.array([0, 0, 0, 1]), np.array([9, 4, 9, 4]))
    >>> entity.tolist(), of.tolist()
    ([0, 1, 0, 2], [0, 0, 1])
    """
    limit = int(code.max(initial=0)) + 1
    if limit * (int(document.max(initial=0)) + 1) >= 1 << 63:
        code = np.unique(code, return_inverse=True)[1]
        limit = int(code.max(initial=0)) + 1
    key = document * limit + code
    order = sorting_order(key)
    first, size = runs(key[order])
    seen = order[first]
    rank = np.empty(len(seen), np.int64)
    rank[sorting_order(seen)] = np.arange(len(seen))
    entity = np.empty(len(key), np.int64)
    entity[order] = np.repeat(rank, size)
    return entity, document[np.sort(seen)]
