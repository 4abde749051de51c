"""Alignment of zero mentions by the dependencies of their empty nodes.

A system that adds the empty nodes itself may add them in other places than the key. So
zero mentions, whose heads are empty nodes, are aligned one to one with the largest sum
of 10 F1 of (parent, relation) pairs + F1 of parents of their enhanced dependencies.

Source: the CorefUD scorer 1.2.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefkit.alignment.candidates import MentionPairs, check_pairs, choose_pairs

if TYPE_CHECKING:
    from corefkit.alignment.candidates import Alignment
    from corefkit.alignment.matching import Positions
    from corefkit.arrays.columns import Columns, Flags

_RELATION_WEIGHT = 10


class _ZeroMention(NamedTuple):
    """A zero mention and its dependencies, by positions."""

    number: int
    document: int
    pairs: frozenset[tuple[int, int]]
    parents: frozenset[int]


def mark_zeros(columns: Columns) -> Flags:
    """Flag the mentions whose head, or else first token, is an empty node."""
    details = columns.details
    if details is None or details.empties is None:
        return np.zeros(len(columns.entity), np.bool_)
    empties = details.empties
    head = np.where(details.head < 0, columns.start, details.head)
    width = max(int(empties.token.max(initial=0)), int(columns.end.max(initial=0))) + 1
    return np.isin(
        columns.document * width + head, empties.document * width + empties.token
    )


def align_by_dependencies(key: Positions, response: Positions) -> Alignment:
    """Align the zero mentions of two sides."""
    by_parent: dict[tuple[int, int], list[_ZeroMention]] = defaultdict(list)
    for zero in _list_zeros(response):
        for parent in zero.parents:
            by_parent[zero.document, parent].append(zero)
    zeros = _list_zeros(key)
    candidates = [
        [by_parent.get((zero.document, parent), ()) for parent in zero.parents]
        for zero in zeros
    ]
    check_pairs(
        key,
        response,
        np.array([zero.document for zero in zeros], np.int64),
        np.array([sum(map(len, partners)) for partners in candidates], np.int64),
        description="pairs of zeros of key and response depend on one parent",
        hint="`--zeros position` compares zeros by their place, and looks at no pairs",
    )
    weights = {
        (zero.number, partner.number): _compute_similarity(zero, partner)
        for zero, partners in zip(zeros, candidates, strict=True)
        for partner in chain.from_iterable(partners)
    }
    table = np.array(list(weights), np.int64).reshape(-1, 2)
    weight = np.array(list(weights.values()), np.float64)
    pairs = MentionPairs(table[:, 0], table[:, 1], weight)
    free = mark_zeros(key.columns), mark_zeros(response.columns)
    return choose_pairs(pairs, key, response, free)


def _list_zeros(side: Positions) -> list[_ZeroMention]:
    columns = side.columns
    details = columns.details
    if details is None or details.empties is None:
        return []
    empties = details.empties
    places = zip(empties.document.tolist(), empties.token.tolist(), strict=True)
    node = {place: number for number, place in enumerate(places)}
    parents = side.of(empties.document[empties.dependent], empties.parent)
    dependencies: dict[int, list[tuple[int, int]]] = defaultdict(list)
    pairs = zip(parents.tolist(), empties.relation.tolist(), strict=True)
    for dependent, pair in zip(empties.dependent.tolist(), pairs, strict=True):
        dependencies[dependent].append(pair)
    head = np.where(details.head < 0, columns.start, details.head)
    document = columns.document
    zeros = []
    for number in np.flatnonzero(mark_zeros(columns)).tolist():
        place = int(document[number]), int(head[number])
        of_node = frozenset(dependencies[node[place]])
        parent_positions = frozenset(parent for parent, _ in of_node)
        zeros.append(_ZeroMention(number, place[0], of_node, parent_positions))
    return zeros


def _compute_similarity(first: _ZeroMention, second: _ZeroMention) -> float:
    pairs = _compute_f1(first.pairs, second.pairs)
    return _RELATION_WEIGHT * pairs + _compute_f1(first.parents, second.parents)


def _compute_f1(first: frozenset[Any], second: frozenset[Any]) -> float:
    return 2 * len(first & second) / (len(first) + len(second))
