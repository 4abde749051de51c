"""Zero mentions aligned by what their empty nodes depend on.

A system that adds the empty nodes itself may put them elsewhere than the key. Two
zero mentions are as alike as their enhanced dependencies are:

    10 F1 of (parent, relation) pairs  +  F1 of parents

and are aligned one to one so that the total is largest. A zero mention is one whose
head is an empty node.

Source: the CorefUD scorer 1.2.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefkit.alignment.matching.candidates import check_pairs
from corefkit.alignment.matching.pairs import Alignment, Pairs, best_pairs

if TYPE_CHECKING:
    from corefkit.alignment.matching.positions import Positions
    from corefkit.columns import Columns, Flags

_WITH_RELATION = 10


class _Zero(NamedTuple):
    """A zero mention's dependencies, by positions."""

    mention: int
    pairs: frozenset[tuple[int, int]]
    parents: frozenset[int]


def zero_mentions(columns: Columns) -> Flags:
    """Flag the mentions whose head is an empty node."""
    flags = np.zeros(len(columns.entity), np.bool_)
    details = columns.details
    if details is None or details.empties is None:
        return flags
    empties = details.empties
    width = max(int(empties.token.max(initial=0)), int(columns.end.max(initial=0))) + 1
    # A mention whose head is not known is as empty as its first token.
    head = np.where(details.head < 0, columns.start, details.head)
    return np.isin(
        columns.document * width + head, empties.document * width + empties.token
    )


def by_dependencies(key: Positions, response: Positions) -> Alignment:
    """Align the zero mentions of two sides."""
    by_parent: dict[tuple[int, int], list[_Zero]] = defaultdict(list)
    for document, zero in _zeros(response):
        for parent in zero.parents:
            by_parent[document, parent].append(zero)
    zeros = _zeros(key)
    sizes = [
        sum(len(by_parent.get((document, parent), ())) for parent in zero.parents)
        for document, zero in zeros
    ]
    documents = np.array([document for document, _ in zeros], np.int64)
    check_pairs(
        key,
        response,
        documents,
        np.array(sizes, np.int64),
        pairs_that="pairs of zeros of key and response hang on one parent",
        hint="`--zeros position` compares zeros by their place, and looks at no pairs",
    )
    weights: dict[tuple[int, int], float] = {}
    for document, zero in zeros:
        for parent in zero.parents:
            for other in by_parent.get((document, parent), ()):
                weights[zero.mention, other.mention] = _likeness(zero, other)
    if not weights:
        return Alignment.none()
    table = np.array(list(weights), np.int64)
    weight = np.array(list(weights.values()), np.float64)
    free = zero_mentions(key.columns), zero_mentions(response.columns)
    return best_pairs(Pairs(table[:, 0], table[:, 1], weight), key, response, free)


def _zeros(side: Positions) -> list[tuple[int, _Zero]]:
    columns = side.columns
    details = columns.details
    if details is None or details.empties is None:
        return []
    empties = details.empties
    positions = zip(empties.document.tolist(), empties.token.tolist(), strict=True)
    node = {place: number for number, place in enumerate(positions)}
    parents = side.of(empties.document[empties.dependent], empties.parent)
    dependencies: dict[int, list[tuple[int, int]]] = defaultdict(list)
    pointing = zip(parents.tolist(), empties.relation.tolist(), strict=True)
    for dependent, pair in zip(empties.dependent.tolist(), pointing, strict=True):
        dependencies[dependent].append(pair)
    found = []
    document = columns.document
    for mention in np.flatnonzero(zero_mentions(columns)).tolist():
        head = int(details.head[mention])
        place = (
            int(document[mention]),
            head if head >= 0 else int(columns.start[mention]),
        )
        pairs = frozenset(dependencies[node[place]])
        zero = _Zero(mention, pairs, frozenset(parent for parent, _ in pairs))
        found.append((place[0], zero))
    return found


def _likeness(one: _Zero, other: _Zero) -> float:
    pairs = _f1(one.pairs, other.pairs)
    return _WITH_RELATION * pairs + _f1(one.parents, other.parents)


def _f1(one: frozenset[Any], other: frozenset[Any]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))
