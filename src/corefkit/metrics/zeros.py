"""The anaphor-decomposable score of zeros: is each zero anaphor linked correctly?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.matching import align_equal, compute_positions
from corefkit.alignment.zeros import mark_zeros
from corefkit.metrics.standard import to_rows

if TYPE_CHECKING:
    from corefkit.alignment.candidates import Alignment
    from corefkit.alignment.matching import Positions
    from corefkit.alignment.overlap import Overlap
    from corefkit.arrays.columns import Counts


def zeros(table: Overlap) -> Counts:
    """Count the zero anaphors of each document.

    A zero anaphor is a mention whose head is an empty node, unless it is the first of
    its entity. One of the key is resolved if its partner in the response is in an
    entity with the partner of an earlier mention of its entity, and is not the first
    there.

        recall = resolved / zero anaphors of the key

    Precision divides by the resolved, those linked to something else, and the zero
    anaphors of the response that are partners of none in the key. Without zeros both
    are undefined. A response mention with the same tokens is the partner even if
    dependencies align another.

    Source: Žabokrtský et al. 2022, section 4.2, as the CorefUD scorer 1.2 computes it.
    """
    mentions = table.mentions
    key, response = compute_positions(mentions.key, mentions.response)
    resolved, missed, wrong, spurious = (
        np.zeros(table.documents, np.int64) for _ in range(4)
    )
    equal = align_equal(mentions.key, mentions.response, mentions.settings)
    partners = _map_partners(mentions.alignment) | _map_partners(equal)
    response_entity = mentions.response.entity.tolist()
    first_mentions = {entity[0] for entity in _list_in_order(response)}
    matched: set[int] = set()
    key_zero = mark_zeros(mentions.key)
    document = mentions.key.document
    for entity in _list_in_order(key) if key_zero.any() else ():
        antecedent_entities: set[int] = set()
        for number, mention in enumerate(entity):
            partner = partners.get(mention)
            if number and key_zero[mention]:
                if partner is None or partner in first_mentions:
                    count = missed
                elif response_entity[partner] in antecedent_entities:
                    count = resolved
                else:
                    count = wrong
                count[document[mention]] += 1
                if partner is not None:
                    matched.add(partner)
            if partner is not None:
                antecedent_entities.add(response_entity[partner])
    document = mentions.response.document
    for mention in np.flatnonzero(mark_zeros(mentions.response)).tolist():
        if mention not in first_mentions and mention not in matched:
            spurious[document[mention]] += 1
    return to_rows(
        resolved, resolved + missed + wrong, resolved, resolved + spurious + wrong
    )


def _map_partners(alignment: Alignment) -> dict[int, int]:
    return dict(zip(alignment.key.tolist(), alignment.response.tolist(), strict=True))


def _list_in_order(side: Positions) -> list[list[int]]:
    """List the mentions of each entity in the order of the text."""
    order = np.lexsort((side.size(), side.end, side.start, side.columns.entity))
    entity = side.columns.entity[order]
    bounds = np.flatnonzero(np.diff(entity)) + 1
    return [part.tolist() for part in np.split(order, bounds) if len(part)]
