"""A document as the reference scorer holds it: entities as lists of mentions.

The lists of a side are two columns, and mentions are numbers, so that a document of
many mentions, few of which are repeated, costs little more than one without.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.table import Entities, Overlap
from corefkit.columns import runs, sorting_order

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from corefkit.columns import Columns, Ints


class Listing(NamedTuple):
    """The mentions of a side, as its entities list them one after the other."""

    entity: Ints
    mention: Ints  # the same number for the same mention of either side


class Cells(NamedTuple):
    """The pairs of entities that share mentions, in order, and how many they share."""

    code: Ints  # of the key entity and the response entity
    shared: Ints


class ListedDocument:
    """One document: what its entities list, and in which of them a mention is found.

    Later copies of mentions that the key has are not in `response`. `key_of` and
    `response_of` give the last entity in which each mention stands, or -1; `found` are
    the mentions that stand on both sides.
    """

    def __init__(self, key: Listing, response: Listing) -> None:
        numbers = np.concatenate((key.mention, response.mention))
        mentions = int(numbers.max(initial=-1)) + 1
        self.key, self.key_of = key, _last(key, mentions)
        copy = np.zeros(len(response.mention), np.bool_)
        copy[copies(response.mention)[1]] = True
        kept = np.flatnonzero(~copy | (self.key_of[response.mention] < 0))
        entity = np.unique(response.entity[kept], return_inverse=True)[1]
        self.response = Listing(entity, response.mention[kept])
        self.response_of = _last(self.response, mentions)
        self.found = np.flatnonzero((self.key_of >= 0) & (self.response_of >= 0))
        self._sizes = [np.bincount(side.entity) for side in (key, self.response)]

    @property
    def numbers(self) -> list[int]:
        """How many mentions stand on both sides, in the key, and in the response."""
        sides = (np.count_nonzero(of >= 0) for of in (self.key_of, self.response_of))
        return [len(self.found), *map(int, sides)]

    @property
    def last(self) -> Overlap:
        """The table where a mention is in the last entity of the key that has it."""
        return self._table(self._cells(self.key_of[self.found], self.found))

    @property
    def listed(self) -> Overlap:
        """The table where a mention is in every entity that lists it, as often."""
        return self._table(self._cells(*self.key))

    def together(self, table: Overlap) -> Ints:
        """Count the mentions that entities of a table share, each once."""
        mentions = len(self.key_of)
        once = np.unique(self.key.entity * mentions + self.key.mention)
        cells = self._cells(once // max(mentions, 1), once % max(mentions, 1))
        code = table.key_entity * self._width + table.response_entity
        return cells.shared[np.searchsorted(cells.code, code)]

    @property
    def _width(self) -> int:
        return max(len(self._sizes[1]), 1)

    def _cells(self, entity: Ints, mention: Ints) -> Cells:
        """Count mentions of key entities by the response entity where each stands."""
        home = self.response_of[mention]
        there = home >= 0
        code = entity[there] * self._width + home[there]
        return Cells(*np.unique(code, return_counts=True))

    def _table(self, cells: Cells) -> Overlap:
        key, response = (Entities(np.zeros_like(size), size) for size in self._sizes)
        key_entity, response_entity = np.divmod(cells.code, self._width)
        return Overlap(1, key, response, key_entity, response_entity, cells.shared)


def _last(listing: Listing, mentions: int) -> Ints:
    """Find the last entity in which each mention stands; -1 where it stands in none."""
    last = np.full(mentions, -1, np.int64)
    np.maximum.at(last, listing.mention, listing.entity)
    return last


def copies(mention: Ints) -> tuple[Ints, Ints]:
    """Find the mentions that were listed before: where last, and where again.

    >>> [found.tolist() for found in copies(np.array([5, 7, 5, 8, 7, 5]))]
    [[0, 1, 2], [2, 4, 5]]
    """
    order = sorting_order(mention)
    again = np.flatnonzero(mention[order][1:] == mention[order][:-1])
    before, behind = order[again], order[again + 1]
    ranked = np.argsort(behind)
    return before[ranked], behind[ranked]


def listed_document(
    key: Sequence[Sequence[Hashable]], response: Sequence[Sequence[Hashable]]
) -> ListedDocument:
    """List a document whose mentions are any values.

    >>> listed_document([["a", "b"], ["b"]], [["b", "b"]]).found.tolist()
    [1]
    """
    numbers: dict[Hashable, int] = {}
    sides = []
    for lists in (key, response):
        sizes = np.array([*map(len, lists)], np.int64)
        mentions = [
            numbers.setdefault(mention, len(numbers))
            for mention in chain.from_iterable(lists)
        ]
        entity = np.repeat(np.arange(len(lists)), sizes)
        sides.append(Listing(entity, np.array(mentions, np.int64)))
    return ListedDocument(*sides)


def listings(key: Columns, response: Columns) -> tuple[Listing, Listing, Ints]:
    """List the mentions of one document of both sides, and the span of each.

    Mentions are the same where they have the same tokens.
    """
    sides = key, response
    shapes: dict[tuple[tuple[int, int], ...], int] = {}
    start, end, shape = (
        np.concatenate(parts)
        for parts in (
            [side.start for side in sides],
            [side.end for side in sides],
            [_shapes(side, shapes) for side in sides],
        )
    )
    order = np.lexsort((shape, end, start))
    new = np.ones(len(order), np.int64)
    new[1:] = np.any(
        [part[order][1:] != part[order][:-1] for part in (start, end, shape)], axis=0
    )
    number = np.empty(len(order), np.int64)
    number[order] = np.cumsum(new) - 1
    first = order[np.flatnonzero(new)]
    spans = np.stack((start[first], end[first]), axis=1)
    ours, theirs = np.split(number, [len(key.start)])
    return Listing(key.entity, ours), Listing(response.entity, theirs), spans


def _shapes(columns: Columns, shapes: dict[tuple[tuple[int, int], ...], int]) -> Ints:
    """Number the gaps of mentions; 0 where one has none."""
    shape = np.zeros(len(columns.start), np.int64)
    if columns.details is None or not len(columns.details.gap):
        return shape
    for first in runs(columns.details.gap).first.tolist():
        mention = int(columns.details.gap[first])
        gaps = columns.mention(mention).gaps
        shape[mention] = shapes.setdefault(gaps, len(shapes) + 1)
    return shape
