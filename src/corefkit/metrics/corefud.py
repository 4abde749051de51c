"""The metrics of CorefUD: mention overlap (MOR), and the score of zeros.

Source: Žabokrtský et al. 2022, section 4.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.assignment import solve_assignment
from corefkit.alignment.candidates import pair_overlapping
from corefkit.alignment.matching import align_equal, compute_positions
from corefkit.alignment.zeros import mark_zeros
from corefkit.metrics.standard import add_by_document, to_rows
from corefkit.settings import DEFAULT_SETTINGS

if TYPE_CHECKING:
    from corefkit.alignment.candidates import Alignment
    from corefkit.alignment.matching import Positions
    from corefkit.alignment.overlap import Overlap
    from corefkit.arrays.columns import Columns, Counts, Ints


def mor(table: Overlap) -> Counts:
    """Count the tokens that mentions share, for each document.

    With g the one-to-one map of key to response mentions of the largest total,

        recall = sum over k of |k and g(k)|   divided by   sum over k of |k|

    in tokens; precision divides by the sum over r of |r|. The map is not the alignment
    that other metrics use, so the setting `match` has no effect. Mentions that are
    names have one token each.

    Source: Žabokrtský et al. 2022, section 4.2 (MOR).

    >>> import corefkit
    >>> def document(*entities):
    ...     mentions = (
    ...         [corefkit.Mention(*span) for span in spans] for spans in entities
    ...     )
    ...     return corefkit.Document(
    ...         "d", (), tuple(map(corefkit.Entity, "12", map(tuple, mentions)))
    ...     )
    >>> key, response = document([(0, 3)], [(5, 5)]), document([(0, 1), (5, 6)])
    >>> score = corefkit.score(key, response, metrics=["mor"])["mor"]
    >>> score.recall_numerator, score.recall_denominator, score.precision_denominator
    (3.0, 5.0, 4.0)
    """
    key, response = compute_positions(table.mentions.key, table.mentions.response)
    document = key.columns.document
    # A best map contains the pairs of equal mentions: k and r have at least as many
    # tokens in common as k shares with another r' and r with another k', less those
    # that k' and r' share.
    equal = align_equal(key.columns, response.columns, DEFAULT_SETTINGS)
    unequal = compute_positions(
        _drop_mentions(key, equal.key), _drop_mentions(response, equal.response)
    )
    pairs = pair_overlapping(*unequal)
    cells = solve_assignment(pairs.key, pairs.response, pairs.weight)
    tokens = pairs.weight[cells].astype(np.int64)
    cell_document = unequal[0].columns.document[pairs.key[cells]]
    total = (
        np.concatenate((key.size()[equal.key], tokens)),
        np.concatenate((document[equal.key], cell_document)),
    )
    return add_by_document(
        table,
        total,
        (key.size(), document),
        total,
        (response.size(), response.columns.document),
    )


def _drop_mentions(side: Positions, mentions: Ints) -> Columns:
    flags = np.ones(len(side.start), np.bool_)
    flags[mentions] = False
    return side.columns.keep(flags)


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
    order = np.lexsort((side.size(), side.end, side.start, side.columns.entity))
    entity = side.columns.entity[order]
    bounds = np.flatnonzero(np.diff(entity)) + 1
    return [part.tolist() for part in np.split(order, bounds) if len(part)]
