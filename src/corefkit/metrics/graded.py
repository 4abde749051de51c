"""CEAF with partial credit: mentions that overlap count in part."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.assignment import best_map
from corefkit.alignment.matching.candidates import overlapping_mentions
from corefkit.alignment.matching.pairs import Pairs
from corefkit.alignment.matching.places import places
from corefkit.columns import sums
from corefkit.metrics.ceaf import aligned_counts, phi4

if TYPE_CHECKING:
    from corefkit.alignment.table import Overlap
    from corefkit.columns import Floats, Ints


def graded_ceaf(table: Overlap, *, by_size: bool) -> Floats:
    """Count CEAF where overlapping mentions get partial credit, for each document.

    The credit of a key and a response mention is 2 |m and n| / (|m| + |n|) in tokens: 1
    where they are the same. Two entities k and r share the largest total credit of
    their mentions, one to one; that total takes the place of |k and r| in phi3, and
    `by_size` in phi4. The entities are aligned as in CEAF, and the denominators are
    CEAF's: mentions (phi3) or entities (phi4). The way of matching does not matter.

    Source: Luo 2005, section 2.2, which proposes partial credit and leaves its size
    open.

    >>> import corefkit
    >>> def document(*spans):
    ...     mentions = tuple(corefkit.Mention(*span) for span in spans)
    ...     return corefkit.Document("d", (), (corefkit.Entity("1", mentions),))
    >>> result = corefkit.score(
    ...     document((0, 3), (5, 5)),
    ...     document((0, 1), (5, 5)),
    ...     metrics=["ceaf_m_graded"],
    ... )
    >>> round(result["ceaf_m_graded"].recall_numerator, 4)
    1.6667
    """
    key, response = places(table.mentions.key, table.mentions.response)
    mention, twin, shared = overlapping_mentions(key, response)
    credit = 2 * shared / (key.size()[mention] + response.size()[twin])
    row, column, together = best_shared(table, Pairs(mention, twin, credit))
    key_size, response_size = table.key.size, table.response.size
    if by_size:
        together = phi4(together, key_size[row], response_size[column])
        key_size, response_size = np.ones_like(key_size), np.ones_like(response_size)
    return aligned_counts(table, row, column, together, key_size, response_size)


ceaf_m_graded = partial(graded_ceaf, by_size=False)
ceaf_e_graded = partial(graded_ceaf, by_size=True)


def best_shared(table: Overlap, pairs: Pairs) -> tuple[Ints, Ints, Floats]:
    """Pair the mentions of every two entities for the largest total weight.

    The mentions that may be paired have a weight above 0. Returned are key entity,
    response entity and total weight of each pair of entities, ordered by key entity.
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
    return *np.divmod(cells, width), together


def _apart(cell: Ints, mention: Ints) -> Ints:
    width = int(mention.max(initial=0)) + 1
    numbers: Ints = np.unique(cell * width + mention, return_inverse=True)[1]
    return numbers
