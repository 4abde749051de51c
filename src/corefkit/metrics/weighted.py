"""LEA and CEAF with weighted mentions: by type and kind, or by overlap."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.assignment import solve_assignment
from corefkit.alignment.candidates import MentionPairs, pair_overlapping
from corefkit.alignment.matching import compute_positions
from corefkit.exceptions import SettingsError
from corefkit.metrics.standard import add_by_group, count_aligned, lea, phi4
from corefkit.weights import parse_weights

if TYPE_CHECKING:
    from corefkit.alignment.overlap import Overlap
    from corefkit.alignment.scored_mentions import Attributes
    from corefkit.arrays.columns import Floats, Ints


def _weigh_entities(table: Overlap) -> tuple[Floats, Floats, Floats]:
    """Weigh the entities of both sides, and the shared mentions, by the settings.

    The weight of a shared mention is the smaller of its weights, times the factor for a
    confusion.
    """
    weights = parse_weights(table.mentions.settings.weights)
    key, response = read_attributes(table, weights.required_attributes)
    key_weight, response_weight = (
        np.array([weights.compute_worth(row) for row in side], float)
        for side in (key, response)
    )
    rows, partners = table.mentions.alignment.key, table.mentions.alignment.response
    pairs = zip(rows.tolist(), partners.tolist(), strict=True)
    factor = [weights.compute_share(key[m], response[n]) for m, n in pairs]
    shared = np.minimum(key_weight[rows], response_weight[partners])
    key_entity, response_entity = (
        table.mentions.key.entity,
        table.mentions.response.entity,
    )
    return (
        add_by_group(key_weight, key_entity, len(table.key)),
        add_by_group(response_weight, response_entity, len(table.response)),
        shared * np.array(factor, np.float64),
    )


def read_attributes(
    table: Overlap, required: tuple[str, ...]
) -> tuple[Attributes, Attributes]:
    """Read the attributes of the mentions of both sides."""
    if table.mentions.attributes is None:
        message = "mentions of plain partitions have no types to weigh them by"
        raise SettingsError(
            message,
            code="settings/unsupported-metric",
            hint="score files or documents that have them",
        )
    key, response = (read(required) for read in table.mentions.attributes)
    return key, response


def lea_weighted(table: Overlap) -> Floats:
    """Count LEA, with the weights of the mentions of an entity as its importance.

    As LEA, with importance(k) the sum of the weights of the mentions of k, by entity
    type, by kind of mention, or by both: if all weights are 1, it is their number, as
    in LEA. An entity of weight 0 does not count. A side of weight 0 makes its ratio
    undefined.

    Source: Moosavi and Strube 2016, section 4, which proposes importance by entity
    type and by mention type.

    >>> import corefkit
    >>> def document(*kinds):
    ...     mentions = tuple(
    ...         corefkit.Mention(start, start, attributes={"mention_type": kind})
    ...         for start, kind in enumerate(kinds)
    ...     )
    ...     return corefkit.Document("d", (), (corefkit.Entity("1", mentions),))
    >>> side = document("NAM", "NOM", "PRO")
    >>> weights = "mention_type:NAM=1,NOM=0.5,PRO=0.1"
    >>> result = corefkit.score(side, side, metrics=["lea_weighted"], weights=weights)
    >>> round(result["lea_weighted"].recall_denominator, 4)
    1.6
    """
    key, response, _ = _weigh_entities(table)
    return lea(table, importance=(key, response))


def ceaf_weighted(table: Overlap, *, by_size: bool) -> Floats:
    """Count CEAF with weighted mentions, for each document.

    Two entities share the weights of the mentions that both contain: of each the
    smaller of its weights in key and response, less the cost of a confusion of types or
    of kinds. That replaces |k and r| in phi3, and `by_size` in phi4; the weights of the
    mentions of an entity replace its size. The denominators are the weights of
    all mentions (phi3), or the number of entities with a positive weight (phi4).

    Source: Luo 2005, section 2.2, which proposes weights by a confusion matrix of
    types and by NAME, NOMINAL and PRONOUN, and leaves them open.

    >>> import corefkit
    >>> def document(*types):
    ...     mentions = tuple(
    ...         corefkit.Mention(start, start, attributes={"type": name})
    ...         for start, name in enumerate(types)
    ...     )
    ...     return corefkit.Document("d", (), (corefkit.Entity("1", mentions),))
    >>> sides = document("PER", "PER"), document("PER", "ORG")
    >>> weights = "type_confusion:PER/ORG=0.5"
    >>> result = corefkit.score(*sides, metrics=["ceaf_m_weighted"], weights=weights)
    >>> result["ceaf_m_weighted"].recall_numerator
    1.5
    """
    key, response, shared = _weigh_entities(table)
    similarity = add_by_group(shared, table.cells_of_mentions(), len(table.shared))
    if by_size:
        total = key[table.key_entity] + response[table.response_entity]
        similarity = 2 * similarity / np.where(total > 0, total, 1)
        key, response = (key > 0).astype(float), (response > 0).astype(float)
    cells = table.key_entity, table.response_entity
    return count_aligned(table, *cells, similarity, key, response)


ceaf_m_weighted = partial(ceaf_weighted, by_size=False)
ceaf_e_weighted = partial(ceaf_weighted, by_size=True)


def ceaf_graded(table: Overlap, *, by_size: bool) -> Floats:
    """Count CEAF with partial credit for overlapping mentions, for each document.

    The credit of a key and a response mention is 2 |m and n| / (|m| + |n|) in tokens: 1
    if they are equal. Two entities k and r share the largest total credit of their
    mentions, one to one; that total replaces |k and r| in phi3, and `by_size` in phi4.
    The entities are aligned as in CEAF, and the denominators are those of CEAF:
    mentions (phi3) or entities (phi4). The setting `match` has no effect.

    Source: Luo 2005, section 2.2, which proposes partial credit and leaves its size
    open.

    >>> import corefkit
    >>> def document(*spans):
    ...     mentions = tuple(corefkit.Mention(*span) for span in spans)
    ...     return corefkit.Document("d", (), (corefkit.Entity("1", mentions),))
    >>> sides = document((0, 3), (5, 5)), document((0, 1), (5, 5))
    >>> result = corefkit.score(*sides, metrics=["ceaf_m_graded"])
    >>> round(result["ceaf_m_graded"].recall_numerator, 4)
    1.6667
    """
    key, response = compute_positions(table.mentions.key, table.mentions.response)
    pairs = pair_overlapping(key, response)
    sizes = key.size()[pairs.key] + response.size()[pairs.response]
    row, column, similarity = pair_mentions(
        table, pairs._replace(weight=2 * pairs.weight / sizes)
    )
    key_size, response_size = table.key.size, table.response.size
    if by_size:
        similarity = phi4(similarity, key_size[row], response_size[column])
        key_size, response_size = np.ones_like(key_size), np.ones_like(response_size)
    return count_aligned(table, row, column, similarity, key_size, response_size)


ceaf_m_graded = partial(ceaf_graded, by_size=False)
ceaf_e_graded = partial(ceaf_graded, by_size=True)


def pair_mentions(table: Overlap, pairs: MentionPairs) -> tuple[Ints, Ints, Floats]:
    """Pair the mentions of every two entities one to one, for the largest total weight.

    Returns key entity, response entity and total weight of each pair of entities,
    ordered by key entity.
    """
    width = max(len(table.response), 1)
    cells, cell = np.unique(
        table.mentions.key.entity[pairs.key] * width
        + table.mentions.response.entity[pairs.response],
        return_inverse=True,
    )
    # The map of each pair of entities is independent, so mentions are numbered by pair.
    row, column = (_number_by_cell(cell, side) for side in (pairs.key, pairs.response))
    order = np.argsort(row, kind="stable")
    weight = pairs.weight[order]
    chosen = solve_assignment(row[order], column[order], weight)
    total = add_by_group(weight[chosen], cell[order][chosen], len(cells))
    return *np.divmod(cells, width), total


def _number_by_cell(cell: Ints, mention: Ints) -> Ints:
    width = int(mention.max(initial=0)) + 1
    numbers: Ints = np.unique(cell * width + mention, return_inverse=True)[1]
    return numbers
