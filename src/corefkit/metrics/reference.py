"""Documents with repeated mentions, counted as the reference scorer v8.01 counts them.

The overlap table presumes that a mention stands in one entity of a side. The reference
scorer does not settle this: a mention that the key repeats counts in the size of every
entity it stands in, but is found in the last of them only; of the response's mentions
it drops the later copies of those that the key has, and keeps the others. The few
documents that have such mentions are counted here, from lists of mentions, so that
preset `conll2012` gives its numbers, odd ones included (CEAF above 1, for one).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain, combinations, product
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.alignment.assignment import best_map
from corefkit.exceptions import SettingsError
from corefkit.metrics import counted_as

if TYPE_CHECKING:
    from corefkit.columns import Floats, Ints
    from corefkit.metrics.base import Metric
    from corefkit.model import Mention
    from corefkit.settings import Settings

_NEEDED = {"match": "exact", "zeros": "position", "split": "ignore"}

Lists: TypeAlias = Sequence[Sequence[Hashable]]
# The entities of key and response in which a mention stands, by number.
_Kind: TypeAlias = tuple[frozenset[int], frozenset[int]]
_Kinds: TypeAlias = Mapping[_Kind, int]
_Set: TypeAlias = tuple[int, ...]
# Entities of one kind, where pairs are counted by the sets that entities make.
_FEW = 6


class ListedDocument:
    """One document as the reference scorer holds it: entities as lists of mentions.

    Attributes:
        key: the key's entities as they are.
        response: the response's without later copies of mentions that the key has.
        key_of: the last key entity in which each mention stands.
        response_of: the last response entity in which each mention stands.
        found: the mentions that both sides have.
    """

    def __init__(self, key: Lists, response: Lists) -> None:
        self.key = key
        self.key_of = _last_entity(key)
        self.found: set[Hashable] = set()
        kept = [[m for m in entity if self._is_new(m)] for entity in response]
        self.response: Lists = [entity for entity in kept if entity]
        self.response_of = _last_entity(self.response)

    def _is_new(self, mention: Hashable) -> bool:
        if mention in self.found:
            return False
        if mention in self.key_of:
            self.found.add(mention)
        return True


def reference_counts(metric: Metric, document: ListedDocument) -> list[float] | None:
    """Count one metric, or give None where the reference scorer does not have it.

    >>> from corefkit import METRICS
    >>> document = ListedDocument([["a", "b"], ["b", "c"]], [["a", "b"], ["c"]])
    >>> reference_counts(METRICS["muc"], document)
    [0, 2, 0, 1]
    """
    count = _COUNTS.get(counted_as(metric))
    return None if count is None else count(document)


def check_settings(settings: Settings, *, place: str) -> None:
    """Refuse settings by which repeated mentions cannot be counted as it does.

    The reference scorer has mentions with the same tokens and nothing beside.

    >>> from corefkit.settings import Settings
    >>> check_settings(Settings(match="head"), place="key.conll:1")
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: key.conll:1: this document repeats mentions, \
which are not counted as the reference scorer does where match is 'head', expected \
'exact'
    <BLANKLINE>
    hint: --repeated first keeps each in the first of its entities
    """
    for name, expected in _NEEDED.items():
        value = getattr(settings, name)
        if value != expected:
            message = (
                "this document repeats mentions, which are not counted as the "
                f"reference scorer does where {name} is {value!r}, expected "
                f"{expected!r}"
            )
            hint = "--repeated first keeps each in the first of its entities"
            raise SettingsError(message, place=place, hint=hint)


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


def _mentions(document: ListedDocument) -> list[float]:
    found = len(document.found)
    return [found, len(document.key_of), found, len(document.response_of)]


def _muc(document: ListedDocument) -> list[float]:
    correct = sum(
        count - 1
        for entity in document.response
        for count in _counts(entity, document.key_of).values()
    )
    key_links = sum(len(entity) - 1 for entity in document.key)
    response_links = sum(len(entity) - 1 for entity in document.response)
    return [correct, key_links, correct, response_links]


def _b_cubed(document: ListedDocument) -> list[float]:
    key = {m: set(numbers) for m, numbers in _memberships(document.key).items()}
    recall = precision = 0.0
    for entity in document.response:
        common = Counter(number for m in entity for number in key.get(m, ()))
        for number, count in _counts(entity, document.key_of).items():
            recall += count * common[number] / len(document.key[number])
            precision += count * common[number] / len(entity)
    return [recall, _size(document.key), precision, _size(document.response)]


def _ceaf_m(document: ListedDocument) -> list[float]:
    total = _aligned(document, lambda common, _key, _response: common)
    return [total, _size(document.key), total, _size(document.response)]


def _ceaf_e(document: ListedDocument) -> list[float]:
    total = _aligned(
        document, lambda common, key, response: 2 * common / (key + response)
    )
    return [total, len(document.key), total, len(document.response)]


def _aligned(
    document: ListedDocument, similarity: Callable[[int, int, int], float]
) -> float:
    row, column, weight = [], [], []
    for number, entity in enumerate(document.key):
        for other, common in sorted(_counts(entity, document.response_of).items()):
            row.append(number)
            column.append(other)
            size = len(document.response[other])
            weight.append(similarity(common, len(entity), size))
    weights = np.array(weight, float)
    chosen = best_map(np.array(row, np.int64), np.array(column, np.int64), weights)
    return float(weights[chosen].sum())


def _lea(document: ListedDocument) -> list[float]:
    return [
        _resolved(document.key, document.response, document.response_of),
        _size(document.key),
        _resolved(document.response, document.key, document.key_of),
        _size(document.response),
    ]


def _resolved(side: Lists, other: Lists, other_of: Mapping[Hashable, int]) -> float:
    total = 0.0
    for entity in side:
        size = len(entity)
        if size == 1:
            number = other_of.get(entity[0])
            total += number is not None and len(other[number]) == 1
        else:
            counts = _counts(entity, other_of).values()
            links = sum(count * (count - 1) / 2 for count in counts)
            total += size * links / (size * (size - 1) / 2)
    return total


def _blanc(document: ListedDocument) -> list[float]:
    """Count sets of links, in which a repeated mention may be linked to itself.

    Mentions that stand in the same entities of both sides are of one kind, and counted
    together.
    """
    key, response = _memberships(document.key), _memberships(document.response)
    places = [(key.get(m, ()), response.get(m, ())) for m in key.keys() | response]
    kinds = Counter((frozenset(one), frozenset(other)) for one, other in places)
    links, others = _coreferent(kinds), _not_coreferent(kinds)
    for one, other in places:
        links += _row(len(set(one)) < len(one), len(set(other)) < len(other))
        others += _row(len(set(one)) > 1, len(set(other)) > 1)
    found, key_mentions, _, response_mentions = _mentions(document)
    return [*map(float, chain(links, others)), found, key_mentions, response_mentions]


def _row(in_key: bool, in_response: bool) -> Floats:
    both = in_key and in_response
    return np.array([both, in_key, both, in_response], np.float64)


def _not_coreferent(kinds: _Kinds) -> Floats:
    """Count the pairs of mentions that stand in two different entities.

    These are all pairs but those of mentions that stand in one entity only, the same.
    """
    both = {kind: count for kind, count in kinds.items() if all(kind)}
    alone = [c for (one, other), c in both.items() if len(one) == len(other) == 1]
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
    key = _Homes([one for one, _ in ranked])
    response = _Homes([other for _, other in ranked])
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
    for (one, other), count in kinds.items():
        in_key, in_response = _sets(one), _sets(other)
        key.update(dict.fromkeys(in_key, count))
        response.update(dict.fromkeys(in_response, count))
        cells.update(dict.fromkeys(product(in_key, in_response), count))
    linked = sum(
        _sign(one) * _sign(other) * _pairs([count])
        for (one, other), count in cells.items()
    )
    links = [
        sum(_sign(entities) * _pairs([count]) for entities, count in side.items())
        for side in (key, response)
    ]
    return np.array([linked, links[0], linked, links[1]], np.float64)


def _sign(entities: _Set) -> int:
    return 1 if len(entities) % 2 else -1


def _sets(entities: Iterable[int]) -> list[_Set]:
    """Give all sets that can be made of some entities, but the one of none."""
    ranked = sorted(entities)
    sizes = range(1, len(ranked) + 1)
    return [one for size in sizes for one in combinations(ranked, size)]


class _Homes:
    """The kinds of mentions that the entities of one side have, by number."""

    def __init__(self, entities: Sequence[frozenset[int]]) -> None:
        homes: dict[int, list[int]] = {}
        for kind, numbers in enumerate(entities):
            for entity in numbers:
                homes.setdefault(entity, []).append(kind)
        self._entities = entities
        self._homes = {one: np.array(kinds) for one, kinds in homes.items()}
        self._place = np.empty(len(entities), np.int64)

    def earlier(self, kind: int) -> Ints:
        """Give the kinds before one that share an entity with it, each once."""
        homes = [self._homes[entity] for entity in self._entities[kind]]
        parts = [home[: np.searchsorted(home, kind)] for home in homes]
        found = np.concatenate([np.empty(0, np.int64), *parts])
        place = np.arange(len(found))
        self._place[found] = place
        earlier: Ints = found[self._place[found] == place]
        return earlier


def _memberships(entities: Lists) -> dict[Hashable, list[int]]:
    members: dict[Hashable, list[int]] = {}
    for number, entity in enumerate(entities):
        for mention in entity:
            members.setdefault(mention, []).append(number)
    return members


def _last_entity(entities: Lists) -> dict[Hashable, int]:
    return {m: number for number, entity in enumerate(entities) for m in entity}


def _counts(
    entity: Sequence[Hashable], other_of: Mapping[Hashable, int]
) -> Counter[int]:
    return Counter(other_of[mention] for mention in entity if mention in other_of)


def _size(entities: Lists) -> int:
    return sum(map(len, entities))


def _pairs(sizes: Iterable[int]) -> float:
    return sum((size * (size - 1) / 2 for size in sizes), 0.0)


_COUNTS: Mapping[str | None, Callable[[ListedDocument], list[float]]] = {
    "mentions": _mentions,
    "muc": _muc,
    "b_cubed": _b_cubed,
    "ceaf_m": _ceaf_m,
    "ceaf_e": _ceaf_e,
    "blanc": _blanc,
    "lea": _lea,
}
