"""Repeated mentions counted as the reference scorer does, mention by mention.

Documents are lists of whatever can be hashed; nothing here is an array operation but
the metrics' own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain, combinations, product
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.metrics.b_cubed import b_cubed
from corefkit.metrics.base import halves
from corefkit.metrics.ceaf import ceaf_e, ceaf_m
from corefkit.metrics.lea import lea
from corefkit.metrics.muc import muc
from corefkit.metrics.small import Cell, homes, shared_mentions, small_table

if TYPE_CHECKING:
    from corefkit.alignment.table import Overlap
    from corefkit.columns import Floats, Ints
    from corefkit.model import Mention

Lists: TypeAlias = Sequence[Sequence[Hashable]]


class ListedDocument:
    """One document as the reference scorer holds it: entities as lists of mentions.

    Later copies of mentions that the key has are not in `response`. `key_of` and
    `response_of` give the last entity in which a mention stands.
    """

    def __init__(self, key: Lists, response: Lists) -> None:
        self.key = key
        self.key_of = homes(dict(enumerate(key)))
        self.found: set[Hashable] = set()
        kept = [[m for m in entity if self._is_new(m)] for entity in response]
        self.response: Lists = [entity for entity in kept if entity]
        self.response_of = homes(dict(enumerate(self.response)))

    def _is_new(self, mention: Hashable) -> bool:
        if mention in self.found:
            return False
        if mention in self.key_of:
            self.found.add(mention)
        return True

    @property
    def last(self) -> Overlap:
        """The table where a mention is in the last entity of the key that has it."""
        cells = ((self.key_of[m], self.response_of[m]) for m in self.found)
        return self._table(Counter(cells))

    @property
    def listed(self) -> Overlap:
        """The table where a mention is in every entity that lists it, as often."""
        return self._table(shared_mentions(dict(enumerate(self.key)), self.response_of))

    @property
    def sets(self) -> Counter[Cell]:
        """The mentions that two entities share, each once."""
        return shared_mentions(dict(enumerate(map(set, self.key))), self.response_of)

    def _table(self, shared: Counter[Cell]) -> Overlap:
        return small_table(map(len, self.key), map(len, self.response), shared)


# The entities of key and response in which a mention stands, by number.
_Kind: TypeAlias = tuple[frozenset[int], frozenset[int]]
_Kinds: TypeAlias = Mapping[_Kind, int]
_Set: TypeAlias = tuple[int, ...]
# Entities of one kind, where pairs are counted by the sets that entities make.
_FEW = 6


def mentions_counts(document: ListedDocument) -> Floats:
    """Count mentions, each once."""
    found = len(document.found)
    counts = [found, len(document.key_of), found, len(document.response_of)]
    return np.array([counts], np.float64)


def muc_counts(document: ListedDocument) -> Floats:
    """Count MUC: mentions are in the last of their entities."""
    return muc(document.last)


def b_cubed_counts(document: ListedDocument) -> Floats:
    """Count B³: mentions are in the last of their entities, with all that are there."""
    table, shared = document.last, document.sets
    cells = zip(table.key_entity.tolist(), table.response_entity.tolist(), strict=True)
    together = np.array([shared[cell] for cell in cells], np.int64)
    return b_cubed(table, together)


def ceaf_m_counts(document: ListedDocument) -> Floats:
    """Count CEAFm: mentions are in all of their entities."""
    return ceaf_m(document.listed)


def ceaf_e_counts(document: ListedDocument) -> Floats:
    """Count CEAFe: mentions are in all of their entities."""
    return ceaf_e(document.listed)


def lea_counts(document: ListedDocument) -> Floats:
    """Count LEA: for precision, key mentions are in the last of their entities."""
    return halves(lea(document.listed), lea(document.last))


def blanc_counts(document: ListedDocument) -> Floats:
    """Count BLANC: sets of links, in which a repeated mention may be linked to itself.

    Mentions that stand in the same entities of both sides are of one kind, and counted
    together.
    """
    key, response = memberships(document.key), memberships(document.response)
    homes = [(key.get(m, ()), response.get(m, ())) for m in key.keys() | response]
    kinds = Counter((frozenset(k), frozenset(r)) for k, r in homes)
    links, others = _coreferent(kinds), _not_coreferent(kinds)
    for home in homes:
        links += _row(*(len(set(entities)) < len(entities) for entities in home))
        others += _row(*(len(set(entities)) > 1 for entities in home))
    mentions = document.found, document.key_of, document.response_of
    return np.array([[*links, *others, *map(len, mentions)]], np.float64)


def memberships(entities: Lists) -> dict[Hashable, list[int]]:
    """List the entities in which each mention stands, as often as it stands there."""
    members: dict[Hashable, list[int]] = {}
    for number, entity in enumerate(entities):
        for mention in entity:
            members.setdefault(mention, []).append(number)
    return members


def _row(in_key: bool, in_response: bool) -> Floats:
    both = in_key and in_response
    return np.array([both, in_key, both, in_response], np.float64)


def _not_coreferent(kinds: _Kinds) -> Floats:
    """Count the pairs of mentions that stand in two different entities.

    These are all pairs but those of mentions that stand in one entity only, the same.
    """
    both = {kind: count for kind, count in kinds.items() if all(kind)}
    alone = [count for (k, r), count in both.items() if len(k) == len(r) == 1]
    neither = _different(both, 0) + _different(both, 1)
    neither += _pairs(alone) - _pairs([sum(both.values())])
    in_key, in_response = _different(kinds, 0), _different(kinds, 1)
    return np.array([neither, in_key, neither, in_response])


def _different(kinds: _Kinds, side: int) -> float:
    size: Counter[frozenset[int]] = Counter()
    for kind, count in kinds.items():
        size[kind[side]] += count if kind[side] else 0
    alone = _pairs(count for entities, count in size.items() if len(entities) == 1)
    return _pairs([size.total()]) - alone


def _coreferent(kinds: _Kinds) -> Floats:
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


def _links_of_few(kinds: _Kinds) -> Floats:
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


def repetition_messages(
    key: Sequence[Sequence[Mention]], response: Sequence[Sequence[Mention]]
) -> list[str]:
    """Word what the reference scorer prints about repeated mentions."""
    messages = []
    number: dict[Mention, int] = {}
    for count, mention in enumerate(chain.from_iterable(key)):
        if mention in number:
            place = f"{mention.start}, {mention.end} {number[mention]}{count}"
            messages.append(f"Repeated mention in the key: {place}")
        number[mention] = count
    seen: set[Mention] = set()
    for mention in chain.from_iterable(response):
        if mention in seen:
            place = f"{mention.start}, {mention.end} {number[mention]}{number[mention]}"
            messages.append(f"Repeated mention in the response: {place}")
        elif mention in number:
            seen.add(mention)
    return messages
