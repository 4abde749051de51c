"""CEAF: entities aligned one to one so that their total similarity is largest.

The four similarities of Luo (2005), and the two by links that Moosavi and Strube (2016,
section 3.3) consider, are functions of the table; a similarity of your own is a
function of two entities and makes a metric by `ceaf_with`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.alignment.assignment import best_map
from corefkit.metrics.base import Metric, checked, counted, links, shared_links

if TYPE_CHECKING:
    from corefkit.alignment.table import Entities, Overlap
    from corefkit.columns import Counts, Flags, Floats, Ints

Similarity: TypeAlias = Callable[[frozenset[Hashable], frozenset[Hashable]], float]
_CellSimilarity: TypeAlias = "Callable[[Counts, Ints, Ints], Counts]"


def phi1(shared: Counts, key_size: Ints, response_size: Ints) -> Ints:
    """Compare entities: 1 if they are equal."""
    same: Flags = (shared == key_size) & (shared == response_size)
    return same.astype(np.int64)


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
    alike: Floats = 2 * shared / (key_size + response_size)
    return alike


def phi3_links(shared: Counts, key_size: Ints, response_size: Ints) -> Counts:
    """Compare entities by the number of shared links, as LEA counts them."""
    return shared_links(shared, key_size, response_size)


def phi4_links(shared: Counts, key_size: Ints, response_size: Ints) -> Floats:
    """Compare entities by twice the shared links over the links of both."""
    both = links(key_size) + links(response_size)
    alike: Floats = 2 * shared_links(shared, key_size, response_size) / both
    return alike


def ceaf(table: Overlap, similarity: _CellSimilarity) -> Counts:
    """Count CEAF for each document.

    With g the one-to-one map of key to response entities of the largest total,

        recall = sum over k of phi(k, g(k))   divided by   sum over k of phi(k, k)

    Precision divides by the sum over r of phi(r, r). Mentions of one side only enlarge
    the denominators of phi3 and the entities of phi4. Where several maps are best the
    score is the same. A side without entities makes its ratio undefined.

    Source: Luo 2005, section 2; predicted mentions as in Pradhan et al. 2014, section
    4.3.

    >>> from corefkit import overlap
    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> ceaf(table, phi3).tolist(), ceaf(table, phi4).round(4).tolist()
    ([[4, 7, 4, 8]], [[1.3, 2.0, 1.3, 3.0]])
    """
    key, response = table.key.size, table.response.size
    return aligned_counts(
        table,
        table.key_entity,
        table.response_entity,
        similarity(table.shared, table.key_size, table.response_size),
        similarity(key, key, key),
        similarity(response, response, response),
    )


def aligned_counts(
    table: Overlap,
    row: Ints,
    column: Ints,
    weight: Counts,
    in_key: Counts,
    in_response: Counts,
) -> Counts:
    """Count the best one-to-one map of entities, and what each side has at most.

    A cell has a key entity (`row`, ascending), a response entity and their similarity;
    `in_key` and `in_response` are the similarities of entities to themselves.
    """
    chosen = alignment(row, column, weight)
    total = weight[chosen], table.key.document[row[chosen]]
    return counted(
        table,
        total,
        (in_key, table.key.document),
        total,
        (in_response, table.response.document),
    )


def alignment(row: Ints, column: Ints, weight: Counts) -> Ints:
    """Find the cells of the best one-to-one map; those without weight are in none."""
    like: Ints = (weight > 0).nonzero()[0]
    if len(like) < 2:  # no cell has a rival
        return like
    weights = weight.astype(np.float64, copy=False)
    if len(like) == len(weight):
        return best_map(row, column, weights)
    return like[best_map(row[like], column[like], weights[like])]


ceaf_m = partial(ceaf, similarity=phi3)
ceaf_e = partial(ceaf, similarity=phi4)
ceaf_phi1 = partial(ceaf, similarity=phi1)
ceaf_phi2 = partial(ceaf, similarity=phi2)
ceaf_m_links = partial(ceaf, similarity=phi3_links)
ceaf_e_links = partial(ceaf, similarity=phi4_links)


def ceaf_with(
    similarity: Similarity, *, name: str = "ceaf_own", label: str | None = None
) -> Metric:
    """Make a CEAF metric from a similarity of your own.

    The similarity gets a key and a response entity as frozen sets of mentions and
    returns a number, 0 or more. It is asked for every pair of entities of a document,
    since it may be above 0 where no mention is shared; so its cost grows with their
    product.

    >>> import corefkit
    >>> def jaccard(key, response):
    ...     return len(key & response) / len(key | response)
    >>> metric = corefkit.ceaf_with(jaccard, name="ceaf_jaccard")
    >>> result = corefkit.score(["abc", "defg"], ["ab", "cd", "fghi"], metrics=[metric])
    >>> round(result["ceaf_jaccard"].recall, 4)
    0.5
    """
    count = partial(_count_own, similarity=similarity)
    return Metric(name, label or name, count)


def _count_own(table: Overlap, similarity: Similarity) -> Counts:
    keys, responses = _sets(table.key), _sets(table.response)
    # The response entities of a document stand together.
    first = np.searchsorted(table.response.document, np.arange(table.documents + 1))

    def alike(key: frozenset[Hashable], response: frozenset[Hashable]) -> float:
        return checked(similarity(key, response), "a similarity")

    cells = [
        (number, other, alike(keys[number], responses[other]))
        for number, document in enumerate(table.key.document.tolist())
        for other in range(first[document], first[document + 1])
    ]
    row, column = np.array([cell[:2] for cell in cells], np.int64).reshape(-1, 2).T
    weight = np.array([cell[2] for cell in cells], np.float64)
    in_key, in_response = (
        np.array([alike(entity, entity) for entity in sets], np.float64)
        for sets in (keys, responses)
    )
    return aligned_counts(table, row, column, weight, in_key, in_response)


def _sets(entities: Entities) -> list[frozenset[Hashable]]:
    return [frozenset(entities.members(row)) for row in range(len(entities))]
