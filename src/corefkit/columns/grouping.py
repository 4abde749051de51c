"""Ids grouped inside documents: entities numbered in the order of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import runs, sorting_order

if TYPE_CHECKING:
    from corefkit.columns import Hashes, Ints


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


def grouping_order(key: Hashes) -> Ints:
    """Return an order that puts equal hashes side by side, and keeps their order.

    >>> grouping_order(np.array([7, 9, 7], np.uint64)).tolist()
    [0, 2, 1]
    """
    # Sorting numbers is several times faster than sorting a permutation of them, but
    # beside the row only the upper bits have room: the few that share them are sorted
    # once more.
    bits = np.uint64(len(key).bit_length())
    packed = np.sort((key >> bits << bits) | np.arange(len(key), dtype=np.uint64))
    upper = packed >> bits
    order: Ints = (packed ^ (upper << bits)).astype(np.int64)
    ranked = key[order]
    shared = (upper[1:] == upper[:-1]) & (ranked[1:] != ranked[:-1])
    for group in np.unique(upper[1:][shared]):
        first = int(np.searchsorted(upper, group))
        last = int(np.searchsorted(upper, group, side="right"))
        order[first:last] = order[first:last][
            np.argsort(ranked[first:last], kind="stable")
        ]
    return order
