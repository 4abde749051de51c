"""Links of mentions that stand in several entities, kind by kind.

Mentions that stand in the same entities of both sides are of one kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from corefkit.columns import Floats, Ints

# The entities of key and response in which a mention stands, by number.
_Kind: TypeAlias = tuple[frozenset[int], frozenset[int]]
Kinds: TypeAlias = Mapping[_Kind, int]
_Set: TypeAlias = tuple[int, ...]
# Entities of one kind, where pairs are counted by the sets that entities make.
_FEW = 6


def links_of_kinds(kinds: Kinds) -> Floats:
    """Count the pairs of mentions that stand in the same entity."""
    few = {kind: count for kind, count in kinds.items() if sum(map(len, kind)) <= _FEW}
    counts = _links_of_few(few)
    ranked = [*few, *(kind for kind in kinds if kind not in few)]
    size = np.array([kinds[kind] for kind in ranked], np.int64)
    key = _Homes([in_key for in_key, _ in ranked])
    response = _Homes([in_response for _, in_response in ranked])
    near_in_key = np.zeros(len(ranked), np.bool_)
    for number in range(len(few), len(ranked)):
        in_key, in_response = key.earlier(number), response.earlier(number)
        near_in_key[in_key] = True
        both = size[in_response[near_in_key[in_response]]].sum()
        near_in_key[in_key] = False
        around = [both, size[in_key].sum(), both, size[in_response].sum()]
        inside = _pairs([int(size[number])]) * _row(*map(bool, ranked[number]))
        counts += int(size[number]) * np.array(around, np.float64) + inside
    return counts


def _row(in_key: bool, in_response: bool) -> Floats:
    both = in_key and in_response
    return np.array([both, in_key, both, in_response], np.float64)


def _links_of_few(kinds: Kinds) -> Floats:
    """Count the pairs in the same entity of mentions that stand in few entities each.

    Pairs that share two entities are counted once for each, so they are taken off once;
    then those that share three were taken off too often; and so on.
    """
    key: Counter[_Set] = Counter()
    response: Counter[_Set] = Counter()
    cells: Counter[tuple[_Set, _Set]] = Counter()
    for kind, count in kinds.items():
        in_key, in_response = map(_sets, kind)
        key.update(dict.fromkeys(in_key, count))
        response.update(dict.fromkeys(in_response, count))
        cells.update(dict.fromkeys(product(in_key, in_response), count))
    linked = sum(
        _sign(in_key) * _sign(in_response) * _pairs([count])
        for (in_key, in_response), count in cells.items()
    )
    links = [
        sum(_sign(entities) * _pairs([count]) for entities, count in side.items())
        for side in (key, response)
    ]
    return np.array([linked, links[0], linked, links[1]], np.float64)


def _sign(entities: _Set) -> int:
    return 1 if len(entities) % 2 else -1


def _sets(entities: Iterable[int]) -> list[_Set]:
    """List all sets that can be made of some entities, but for the empty one."""
    ranked = sorted(entities)
    sizes = range(1, len(ranked) + 1)
    return [chosen for size in sizes for chosen in combinations(ranked, size)]


class _Homes:
    """The kinds of mentions that the entities of one side have, by number."""

    def __init__(self, entities: Sequence[frozenset[int]]) -> None:
        homes: dict[int, list[int]] = {}
        for kind, numbers in enumerate(entities):
            for entity in numbers:
                homes.setdefault(entity, []).append(kind)
        self._entities = entities
        self._homes = {entity: np.array(kinds) for entity, kinds in homes.items()}
        self._position = np.empty(len(entities), np.int64)

    def earlier(self, kind: int) -> Ints:
        """Find the kinds before another that share an entity with it, each once."""
        homes = [self._homes[entity] for entity in self._entities[kind]]
        parts = [home[: np.searchsorted(home, kind)] for home in homes]
        found = np.concatenate([np.empty(0, np.int64), *parts])
        position = np.arange(len(found))
        self._position[found] = position
        earlier: Ints = found[self._position[found] == position]
        return earlier


def _pairs(sizes: Iterable[int]) -> float:
    return sum((size * (size - 1) / 2 for size in sizes), 0.0)
