"""The notation of the papers' sets: letters, or sizes and counts.

Small sets are letters: `abc defg` is two entities. Larger ones are sizes: `20 10*2` is
an entity of 20 mentions and two of 10, called A, B and C in this order. An entity of a
response says how many mentions it takes from each: `A18` takes eighteen from A, `AB`
one from A and one from B, `A20x2` all of A and two that the key lacks. No mention
is taken twice, and no metric depends on which ones are taken.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple, TypeAlias

Partition: TypeAlias = tuple[tuple[str, ...], ...]

NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
EXTRA = "x"
REST = "*"
SINGLETONS = "singletons"
PARTS_PREFIX = "parts*"

_PIECE = re.compile(r"([A-Zx])(\d*)")


class KeyAndResponse(NamedTuple):
    """The sets of a key and a response, as entities and as text."""

    key: Partition
    response: Partition
    key_text: str
    response_text: str


def parse_letters(key: str, response: str) -> KeyAndResponse:
    """Read a key and a response in letters.

    >>> parse_letters("abc", "ab d").response
    (('a', 'b'), ('d',))
    """
    return KeyAndResponse(_split_letters(key), _split_letters(response), key, response)


def _split_letters(text: str) -> Partition:
    return tuple(tuple(entity) for entity in text.split())


def parse_sizes(key: str, response: str) -> KeyAndResponse:
    """Read a key in sizes, and a response in counts of mentions of the key's entities.

    In a response, the word `*` means every complete key entity that no other word
    names. A response may also be `singletons`, every key mention alone, or `parts*3`,
    the key's entities merged into three, in turn.

    >>> parse_sizes("3 2*2", "A2 Bx *").response
    (('A1', 'A2'), ('B1', 'x1'), ('C1', 'C2'))
    >>> parse_sizes("3 2", "singletons").response
    (('A1',), ('A2',), ('A3',), ('B1',), ('B2',))
    >>> parse_sizes("1*3", "parts*2").response
    (('A1', 'C1'), ('B1',))
    """
    entities = _name_mentions(key)
    words = response.split()
    if words == [SINGLETONS]:
        singletons = tuple((mention,) for entity in entities for mention in entity)
        return KeyAndResponse(entities, singletons, key, response)
    if response.startswith(PARTS_PREFIX):
        return KeyAndResponse(
            entities,
            _merge_parts(entities, int(response[len(PARTS_PREFIX) :])),
            key,
            response,
        )
    by_name = dict(zip(NAMES, entities, strict=False))
    taken: Counter[str] = Counter()
    of_response = [
        _take_mentions(word, by_name, taken) for word in words if word != REST
    ]
    if REST in words:
        of_response += [entity for name, entity in by_name.items() if name not in taken]
    return KeyAndResponse(entities, tuple(of_response), key, response)


def _merge_parts(entities: Partition, number: int) -> Partition:
    return tuple(
        tuple(mention for entity in entities[first::number] for mention in entity)
        for first in range(number)
    )


def _name_mentions(text: str) -> Partition:
    """Name the mentions of entities by their sizes; after Z, entities have numbers."""
    sizes: list[int] = []
    for word in text.split():
        size, _, times = word.partition("*")
        sizes += [int(size)] * int(times or 1)
    names = [*NAMES[: len(sizes)], *(f"{number}." for number in range(26, len(sizes)))]
    return tuple(
        tuple(f"{name}{number}" for number in range(1, size + 1))
        for name, size in zip(names, sizes, strict=True)
    )


def _take_mentions(
    word: str, by_name: dict[str, tuple[str, ...]], taken: Counter[str]
) -> tuple[str, ...]:
    """Return the mentions that a word takes, and count them as taken."""
    pieces = _PIECE.findall(word)
    if "".join(name + count for name, count in pieces) != word:
        message = f"{word!r} is not made of names of entities and counts"
        raise ValueError(message)
    mentions: list[str] = []
    for name, count in pieces:
        first = taken[name]
        taken[name] += int(count or 1)
        if name == EXTRA:
            mentions += [f"x{number + 1}" for number in range(first, taken[name])]
            continue
        if taken[name] > len(by_name.get(name, ())):
            message = f"{word!r} takes more of {name} than the key has"
            raise ValueError(message)
        mentions += by_name[name][first : taken[name]]
    return tuple(mentions)
