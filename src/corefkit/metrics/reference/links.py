"""BLANC counted on documents with repeated mentions: sets of links, not a table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from corefkit.metrics.reference.kinds import links_of_kinds
from corefkit.metrics.reference.listed import Cells

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.columns import Flags, Floats, Ints
    from corefkit.metrics.reference.listed import ListedDocument, Listing


def blanc_counts(document: ListedDocument) -> Floats:
    """Count BLANC: sets of links, in which a repeated mention may be linked to itself.

    Mentions that stand in the same entities of both sides are of one kind, and counted
    together; those that stand in one entity of a side at most, with array operations.
    """
    mentions = len(document.key_of)
    key = _Homes.of(document.key, mentions)
    response = _Homes.of(document.response, mentions)
    links = _links(key, response) + _counted(key.twice, response.twice)
    others = _other_links(key, response) + _counted(key.number > 1, response.number > 1)
    return np.array([[*links, *others, *document.numbers]], np.float64)


@dataclass(frozen=True, slots=True)
class _Homes:
    """The entities of one side in which mentions stand, each once."""

    mention: Ints  # in order
    entity: Ints
    number: Ints  # for each mention, in how many entities it stands
    only: Ints  # for each mention, its entity where that is the only one, or -1
    twice: Flags  # for each mention, whether an entity lists it more than once
    width: int  # how many entities there are, or more

    @classmethod
    def of(cls, listing: Listing, mentions: int) -> _Homes:
        """Find the entities in which each mention stands."""
        width = int(listing.entity.max(initial=0)) + 1
        mention, entity = np.divmod(
            np.unique(listing.mention * width + listing.entity), width
        )
        number = np.bincount(mention, minlength=mentions)
        times = np.bincount(listing.mention, minlength=mentions)
        only = np.full(mentions, -1, np.int64)
        only[mention] = entity
        only[number != 1] = -1
        return cls(mention, entity, number, only, times > number, width)

    def sets(self, mentions: Ints) -> list[frozenset[int]]:
        """List the entities of some mentions."""
        first = np.searchsorted(self.mention, mentions).tolist()
        last = np.searchsorted(self.mention, mentions, side="right").tolist()
        return [
            frozenset(self.entity[begin:end].tolist())
            for begin, end in zip(first, last, strict=True)
        ]


def _counted(in_key: Flags, in_response: Flags) -> Floats:
    """Count what is in the key, in the response, and in both."""
    both = np.count_nonzero(in_key & in_response)
    counts = [both, np.count_nonzero(in_key), both, np.count_nonzero(in_response)]
    return np.array(counts, np.float64)


def _other_links(key: _Homes, response: _Homes) -> Floats:
    """Count the pairs of mentions that stand in two different entities.

    These are all pairs but those of mentions that stand in one entity only, the same.
    """
    both = (key.number > 0) & (response.number > 0)
    alone = _cells(key.only, response.only, response.width)
    neither = _different(key, both) + _different(response, both)
    neither += _pairs(alone.shared) - _pairs(np.count_nonzero(both, keepdims=True))
    in_key = _different(key, key.number > 0)
    in_response = _different(response, response.number > 0)
    return np.array([neither, in_key, neither, in_response])


def _different(homes: _Homes, mentions: Flags) -> float:
    only = homes.only[mentions]
    return _pairs(np.array([len(only)])) - _pairs(np.bincount(only[only >= 0]))


def _cells(key: Ints, response: Ints, width: int) -> Cells:
    """Count mentions by the two entities that they stand in, and in no other."""
    alone = (key >= 0) & (response >= 0)
    code = key[alone] * width + response[alone]
    return Cells(*np.unique(code, return_counts=True))


def _links(key: _Homes, response: _Homes) -> Floats:
    """Count the pairs of mentions that stand in the same entity.

    Few stand in several entities: their links, among each other and to the others, are
    counted kind by kind.
    """
    simple = (key.number <= 1) & (response.number <= 1)
    ours, theirs = np.where(simple, (key.only, response.only), -1)
    in_key, in_response = (np.bincount(only[only >= 0]) for only in (ours, theirs))
    cells = _cells(ours, theirs, response.width)
    both = _pairs(cells.shared)
    counts = np.array([both, _pairs(in_key), both, _pairs(in_response)], np.float64)
    several = np.flatnonzero(~simple)
    if not len(several):
        return counts
    kinds = Counter(zip(key.sets(several), response.sets(several), strict=True))
    known = dict(zip(cells.code.tolist(), cells.shared.tolist(), strict=True))
    for (homes, others), count in kinds.items():
        codes = (
            home * response.width + other for home, other in product(homes, others)
        )
        shared = sum(known.get(code, 0) for code in codes)
        near = _added(in_key, homes), _added(in_response, others)
        counts += count * np.array([shared, near[0], shared, near[1]], np.float64)
    return counts + links_of_kinds(kinds)


def _added(sizes: Ints, entities: Iterable[int]) -> int:
    return sum(int(sizes[entity]) for entity in entities if entity < len(sizes))


def _pairs(sizes: Ints) -> float:
    return float((sizes * (sizes - 1) // 2).sum())
