"""Mentions of two entities paired one to one, where more than equal ones may pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.assignment import best_map
from corefkit.columns import sums

if TYPE_CHECKING:
    from corefkit.alignment.matching.pairs import Pairs
    from corefkit.alignment.table import Overlap
    from corefkit.columns import Floats, Ints


class Shared(NamedTuple):
    """What pairs of entities share at best, ordered by key entity.

    Attributes:
        key_entity: the key entity of each pair.
        response_entity: the response entity of each pair.
        weight: the largest total weight of their mentions, paired one to one.
    """

    key_entity: Ints
    response_entity: Ints
    weight: Floats


def best_shared(table: Overlap, pairs: Pairs) -> Shared:
    """Pair the mentions of every two entities for the largest total weight.

    Args:
        table: whose mentions they are.
        pairs: mentions that may be paired, each pair with a weight above 0.
    """
    width = max(len(table.response), 1)
    cells, cell = np.unique(
        table.mentions.key.entity[pairs.key] * width
        + table.mentions.response.entity[pairs.response],
        return_inverse=True,
    )
    # A mention is another one in each pair of entities.
    row, column = _apart(cell, pairs.key), _apart(cell, pairs.response)
    order = np.argsort(row, kind="stable")
    weight = pairs.weight[order]
    chosen = best_map(row[order], column[order], weight)
    together = sums(weight[chosen], cell[order][chosen], len(cells))
    return Shared(*np.divmod(cells, width), together)


def _apart(cell: Ints, mention: Ints) -> Ints:
    width = int(mention.max(initial=0)) + 1
    numbers: Ints = np.unique(cell * width + mention, return_inverse=True)[1]
    return numbers
