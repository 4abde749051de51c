"""CEAF: entities aligned one to one so that their total similarity is largest.

The four similarities of Luo (2005), and the two by links that Moosavi and Strube (2016,
section 3.3) consider, are functions of the table. A similarity of your own is a
function of two entities, from which `ceaf_with` makes a metric.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.alignment.assignment import solve_assignment
from corefkit.metrics.metric import (
    Metric,
    add_by_document,
    check_number,
    count_links,
    count_shared_links,
)

if TYPE_CHECKING:
    from corefkit.alignment.overlap import Entities, Overlap
    from corefkit.arrays.columns import Counts, Flags, Floats, Ints

Similarity: TypeAlias = Callable[[frozenset[Hashable], frozenset[Hashable]], float]
_CellSimilarity: TypeAlias = "Callable[[Counts, Ints, Ints], Counts]"


def phi1(shared: Counts, key_size: Ints, response_size: Ints) -> Ints:
    """Compare entities: 1 if they are equal."""
    is_equal: Flags = (shared == key_size) & (shared == response_size)
    return is_equal.astype(np.int64)


def phi2(shared: Counts, key_size: Ints, response_size: Ints) -> Ints:
    """Compare entities: 1 if they share a mention."""
    del key_size, response_size
    return (shared > 0).astype(np.int64)


def phi3(shared: Counts, key_size: Ints, response_size: Ints) -> Counts:
    """Compare entities by the number of shared mentions: CEAFm."""
    del key_size, response_size
    return shared


def phi4(shared: Counts, key_size: Ints, response_size: Ints) -> Floats:
    """Compare entities by twice the shared mentions over those of both: CEAFe."""
    similarity: Floats = 2 * shared / (key_size + response_size)
    return similarity


def phi3_links(shared: Counts, key_size: Ints, response_size: Ints) -> Counts:
    """Compare entities by the number of shared links, as LEA counts them."""
    return count_shared_links(shared, key_size, response_size)


def phi4_links(shared: Counts, key_size: Ints, response_size: Ints) -> Floats:
    """Compare entities by twice the shared links over the links of both."""
    links = count_links(key_size) + count_links(response_size)
    similarity: Floats = 2 * count_shared_links(shared, key_size, response_size) / links
    return similarity


def ceaf(table: Overlap, similarity: _CellSimilarity) -> Counts:
    """Count CEAF for each document.

    With g the one-to-one map of key to response entities of the largest total,

        recall = sum over k of phi(k, g(k))   divided by   sum over k of phi(k, k)

    Precision divides by the sum over r of phi(r, r). Mentions of one side only enlarge
    the denominators of phi3 and the entities of phi4. If several maps are best, the
    score is the same. A side without entities makes its ratio undefined.

    Source: Luo 2005, section 2; predicted mentions as in Pradhan et al. 2014, section
    4.3.

    >>> from corefkit import overlap
    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> ceaf(table, phi3).tolist(), ceaf(table, phi4).round(4).tolist()
    ([[4, 7, 4, 8]], [[1.3, 2.0, 1.3, 3.0]])
    """
    key, response = table.key.size, table.response.size
    return count_aligned(
        table,
        table.key_entity,
        table.response_entity,
        similarity(table.shared, table.key_size, table.response_size),
        similarity(key, key, key),
        similarity(response, response, response),
    )


def count_aligned(
    table: Overlap,
    row: Ints,
    column: Ints,
    weight: Counts,
    key_weight: Counts,
    response_weight: Counts,
) -> Counts:
    """Count the best one-to-one map of entities, and the maximum of each side.

    Args:
        table: the overlap table.
        row: the key entity of each cell, ascending.
        column: the response entity of each cell.
        weight: the similarity of the two.
        key_weight: the similarity of each key entity to itself.
        response_weight: the similarity of each response entity to itself.
    """
    cells = align_entities(row, column, weight)
    total = weight[cells], table.key.document[row[cells]]
    return add_by_document(
        table,
        total,
        (key_weight, table.key.document),
        total,
        (response_weight, table.response.document),
    )


def align_entities(row: Ints, column: Ints, weight: Counts) -> Ints:
    """Return the cells of the best one-to-one map; cells of weight 0 are never used."""
    positive: Ints = (weight > 0).nonzero()[0]
    if len(positive) < 2:  # no cell has a rival
        return positive
    weights = weight.astype(np.float64, copy=False)
    if len(positive) == len(weight):
        return solve_assignment(row, column, weights)
    cells = solve_assignment(row[positive], column[positive], weights[positive])
    return positive[cells]


ceaf_m = partial(ceaf, similarity=phi3)
ceaf_e = partial(ceaf, similarity=phi4)
ceaf_phi1 = partial(ceaf, similarity=phi1)
ceaf_phi2 = partial(ceaf, similarity=phi2)
ceaf_m_links = partial(ceaf, similarity=phi3_links)
ceaf_e_links = partial(ceaf, similarity=phi4_links)


def ceaf_with(
    similarity: Similarity, *, name: str = "ceaf_own", label: str | None = None
) -> Metric:
    """Make a CEAF metric from your own similarity.

    The similarity is computed for every pair of entities of a document, since it may be
    above 0 without shared mentions; so the cost grows with the product of their
    numbers.

    Args:
        similarity: takes a key and a response entity as frozen sets of mentions,
            returns a number, 0 or more.
        name: the name of the metric.
        label: the heading of its column; by default its name.

    >>> import corefkit
    >>> def jaccard(key, response):
    ...     return len(key & response) / len(key | response)
    >>> metric = corefkit.ceaf_with(jaccard, name="ceaf_jaccard")
    >>> result = corefkit.score(["abc", "defg"], ["ab", "cd", "fghi"], metrics=[metric])
    >>> round(result["ceaf_jaccard"].recall, 4)
    0.5
    """
    count = partial(_count_with, similarity=similarity)
    return Metric(name, label or name, count)


def _count_with(table: Overlap, similarity: Similarity) -> Counts:
    keys, responses = _list_members(table.key), _list_members(table.response)
    # The response entities of each document are consecutive.
    first = np.searchsorted(table.response.document, np.arange(table.documents + 1))

    def compare(key: frozenset[Hashable], response: frozenset[Hashable]) -> float:
        return check_number(similarity(key, response), "a similarity")

    cells = [
        (row, column, compare(keys[row], responses[column]))
        for row, document in enumerate(table.key.document.tolist())
        for column in range(first[document], first[document + 1])
    ]
    row, column = np.array([cell[:2] for cell in cells], np.int64).reshape(-1, 2).T
    weight = np.array([cell[2] for cell in cells], np.float64)
    key_weight, response_weight = (
        np.array([compare(entity, entity) for entity in entities], np.float64)
        for entities in (keys, responses)
    )
    return count_aligned(table, row, column, weight, key_weight, response_weight)


def _list_members(entities: Entities) -> list[frozenset[Hashable]]:
    return [frozenset(entities.members(row)) for row in range(len(entities))]
