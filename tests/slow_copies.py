"""Repeated mentions counted as the reference scorer does, mention by mention.

Documents are lists of whatever can be hashed; nothing here is an array operation but
the metrics' own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import chain, combinations_with_replacement, product
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.metrics.split import Cell, SplitTable
from corefkit.metrics.standard import b_cubed, ceaf_e, ceaf_m, lea, merge_halves, muc

if TYPE_CHECKING:
    from corefkit.alignment.overlap import Overlap
    from corefkit.arrays.columns import Floats
    from corefkit.model import Mention

Lists: TypeAlias = Sequence[Sequence[Hashable]]


def find_homes(entities: Lists) -> dict[Hashable, int]:
    """Return the last entity that contains each mention."""
    return {m: number for number, entity in enumerate(entities) for m in entity}


def count_shared(key: Lists, response: Mapping[Hashable, int]) -> Counter[Cell]:
    """Count the mentions of key entities by the response entity of each."""
    return Counter(
        (number, response[mention])
        for number, entity in enumerate(key)
        for mention in entity
        if mention in response
    )


class ListedDocument:
    """One document as the reference scorer holds it: entities as lists of mentions.

    Later copies of mentions that the key has are not in `response`. `key_of` and
    `response_of` give the last entity in which a mention stands.
    """

    def __init__(self, key: Lists, response: Lists) -> None:
        self.key = key
        self.key_of = find_homes(key)
        self.found: set[Hashable] = set()
        kept = [[m for m in entity if self._is_new(m)] for entity in response]
        self.response: Lists = [entity for entity in kept if entity]
        self.response_of = find_homes(self.response)

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
        return self._table(count_shared(self.key, self.response_of))

    @property
    def sets(self) -> Counter[Cell]:
        """The mentions that two entities share, each once."""
        return count_shared(list(map(set, self.key)), self.response_of)

    def _table(self, shared: Counter[Cell]) -> Overlap:
        sizes = (dict(enumerate(map(len, side))) for side in (self.key, self.response))
        return SplitTable(tuple(sizes), shared).to_overlap()


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
    return merge_halves(lea(document.listed), lea(document.last))


def blanc_counts(document: ListedDocument) -> Floats:
    """Count BLANC: sets of links, in which a repeated mention may be linked to itself.

    Links are counted pair by pair, first coreferent ones and then the others.
    """
    sides = memberships(document.key), memberships(document.response)
    links = np.zeros((2, 4))
    for one, other in combinations_with_replacement(sides[0].keys() | sides[1], 2):
        in_key, in_response = (np.array(_links(one, other, side)) for side in sides)
        both = in_key & in_response
        links += np.stack([both, in_key, both, in_response], axis=1)
    mentions = document.found, document.key_of, document.response_of
    return np.array([[*links.ravel(), *map(len, mentions)]], np.float64)


def memberships(entities: Lists) -> dict[Hashable, list[int]]:
    """List the entities in which each mention stands, as often as it stands there."""
    members: dict[Hashable, list[int]] = {}
    for number, entity in enumerate(entities):
        for mention in entity:
            members.setdefault(mention, []).append(number)
    return members


def _links(
    one: Hashable, other: Hashable, side: Mapping[Hashable, Sequence[int]]
) -> tuple[bool, bool]:
    """Say whether two mentions stand in the same entity, and in two different ones."""
    entities, others = side.get(one, ()), side.get(other, ())
    if one == other:
        return len(set(entities)) < len(entities), len(set(entities)) > 1
    pairs = [*product(entities, others)]
    return any(a == b for a, b in pairs), any(a != b for a, b in pairs)


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
