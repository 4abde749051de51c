"""The anaphor-decomposable score of zeros: is each zero anaphor linked to the right?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment import matching
from corefkit.alignment.matching.positions import positions
from corefkit.alignment.matching.zeros import zero_mentions
from corefkit.metrics.base import rows

if TYPE_CHECKING:
    from corefkit.alignment.matching.pairs import Alignment
    from corefkit.alignment.matching.positions import Positions
    from corefkit.alignment.table import Overlap
    from corefkit.columns import Counts


def zeros(table: Overlap) -> Counts:
    """Count the zero anaphors of each document.

    A zero anaphor is a mention whose head is an empty node, unless it is the first of
    its entity. One of the key is resolved where its partner in the response is in an
    entity with the partner of an earlier mention of its own entity, and is not the
    first there.

        recall = resolved / zero anaphors of the key

    Precision divides by the resolved, those linked to something else, and the zero
    anaphors of the response that are partners of none in the key. Without zeros both
    are undefined. A response mention with the same tokens is the partner even where
    dependencies align another.

    Source: Žabokrtský et al. 2022, section 4.2, as the CorefUD scorer 1.2 computes it.
    """
    mentions = table.mentions
    columns = mentions.key, mentions.response
    sides = positions(mentions.key, mentions.response)
    resolved, missed, wrong, spurious = (
        np.zeros(table.documents, np.int64) for _ in range(4)
    )
    equal = matching.equal(*columns, mentions.settings)
    partner = _partners(mentions.alignment) | _partners(equal)
    response_entity = mentions.response.entity.tolist()
    response_zero = zero_mentions(mentions.response)
    first = {entity[0] for entity in _in_order(sides[1])}
    covered: set[int] = set()
    key_zero = zero_mentions(mentions.key)
    document = mentions.key.document
    for entity in _in_order(sides[0]) if key_zero.any() else ():
        before: set[int] = set()
        for number, mention in enumerate(entity):
            other = partner.get(mention)
            if number and key_zero[mention]:
                if other is None or other in first:
                    count = missed
                elif response_entity[other] in before:
                    count = resolved
                else:
                    count = wrong
                count[document[mention]] += 1
                if other is not None:
                    covered.add(other)
            if other is not None:
                before.add(response_entity[other])
    document = mentions.response.document
    for mention in np.flatnonzero(response_zero).tolist():
        if mention not in first and mention not in covered:
            spurious[document[mention]] += 1
    return rows(
        resolved, resolved + missed + wrong, resolved, resolved + spurious + wrong
    )


def _partners(alignment: Alignment) -> dict[int, int]:
    return dict(zip(alignment.key.tolist(), alignment.response.tolist(), strict=True))


def _in_order(side: Positions) -> list[list[int]]:
    """List the mentions of each entity in the order of the document."""
    order = np.lexsort((side.size(), side.end, side.start, side.columns.entity))
    entity = side.columns.entity[order]
    bounds = np.flatnonzero(np.diff(entity)) + 1
    return [part.tolist() for part in np.split(order, bounds) if len(part)]
