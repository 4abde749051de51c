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
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.assignment import best_map
from corefkit.exceptions import SettingsError
from corefkit.metrics import counted_as

if TYPE_CHECKING:
    from corefkit.metrics.base import Metric
    from corefkit.model import Mention
    from corefkit.settings import Settings

_NEEDED = {"match": "exact", "zeros": "position", "split": "ignore"}

Lists: TypeAlias = Sequence[Sequence[Hashable]]


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
    key_sets = [frozenset(entity) for entity in document.key]
    recall = precision = 0.0
    for entity in document.response:
        for number, count in _counts(entity, document.key_of).items():
            common = sum(mention in key_sets[number] for mention in entity)
            recall += count * common / len(document.key[number])
            precision += count * common / len(entity)
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
    """Count sets of links, in which a repeated mention may be linked to itself."""
    key, response = _memberships(document.key), _memberships(document.response)
    odd = [
        mention
        for mention in key.keys() | response.keys()
        if max(len(key.get(mention, ())), len(response.get(mention, ()))) > 1
    ]
    counts = _plain_links(key, response, set(odd))
    for number, mention in enumerate(odd):
        # A pair of two odd mentions, or of one with itself, is counted once.
        plain = (key.keys() | response.keys()) - set(odd)
        for other in chain(plain, odd[number:]):
            in_key = _kinds(mention, other, key)
            in_response = _kinds(mention, other, response)
            for kind in (0, 1):
                both = in_key[kind] and in_response[kind]
                counts[kind] += np.array([both, in_key[kind], both, in_response[kind]])
    found, key_mentions, _, response_mentions = _mentions(document)
    return [*map(float, chain(*counts)), found, key_mentions, response_mentions]


def _plain_links(
    key: Mapping[Hashable, Sequence[int]],
    response: Mapping[Hashable, Sequence[int]],
    odd: set[Hashable],
) -> list[np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Count the links of both kinds between mentions that no side repeats."""
    key_entity = {mention: key[mention][0] for mention in key.keys() - odd}
    response_entity = {
        mention: response[mention][0] for mention in response.keys() - odd
    }
    common = key_entity.keys() & response_entity.keys()
    cells = Counter((key_entity[m], response_entity[m]) for m in common)
    both = _pairs(cells.values())
    in_key = _pairs(Counter(key_entity[m] for m in common).values())
    in_response = _pairs(Counter(response_entity[m] for m in common).values())
    neither = _pairs([len(common)]) - in_key - in_response + both
    key_links = _pairs(Counter(key_entity.values()).values())
    response_links = _pairs(Counter(response_entity.values()).values())
    key_others = _pairs([len(key_entity)]) - key_links
    response_others = _pairs([len(response_entity)]) - response_links
    return [
        np.array([both, key_links, both, response_links]),
        np.array([neither, key_others, neither, response_others]),
    ]


def _kinds(
    mention: Hashable, other: Hashable, side: Mapping[Hashable, Sequence[int]]
) -> tuple[bool, bool]:
    """Say whether a side links two mentions as coreferent, and as not coreferent."""
    entities, others = side.get(mention, ()), side.get(other, ())
    if mention == other:
        return len(set(entities)) < len(entities), len(set(entities)) > 1
    coreferent = not set(entities).isdisjoint(others)
    return coreferent, any(one != two for one in entities for two in others)


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
    return sum(size * (size - 1) / 2 for size in sizes)


_COUNTS: Mapping[str | None, Callable[[ListedDocument], list[float]]] = {
    "mentions": _mentions,
    "muc": _muc,
    "b_cubed": _b_cubed,
    "ceaf_m": _ceaf_m,
    "ceaf_e": _ceaf_e,
    "blanc": _blanc,
    "lea": _lea,
}
