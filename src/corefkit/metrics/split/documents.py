"""Documents with split antecedents: entities, what these are made of, their table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.metrics.tables import Cell, small_table

if TYPE_CHECKING:
    from corefkit.alignment.table import Mentions, Overlap
    from corefkit.columns import Columns, Ints

Lists: TypeAlias = Sequence[Sequence[Hashable]]
Split: TypeAlias = Mapping[int, Sequence[int]]

SIDES = KEY, RESPONSE = 0, 1


class SplitDocument:
    """One document: entities as lists of mentions, some with split antecedents.

    Mentions of key and response that are matched are equal, and no side repeats one.
    `key_split` and `response_split` give, by the number of an entity, the numbers of
    the entities that together are its split antecedent. Entities without mentions are
    left out, from split antecedents too.

    Attributes:
        antecedents: for key and response, by the number of an entity, the entities
            without split antecedents that its own is made of.
        table: how large the entities are, and how many mentions they share.
    """

    def __init__(
        self, key: Lists, response: Lists, key_split: Split, response_split: Split
    ) -> None:
        key_mentions, key_antecedents = _merged(key, key_split)
        response_mentions, response_antecedents = _merged(response, response_split)
        self.antecedents = key_antecedents, response_antecedents
        self.table = Table(
            (
                _sizes(key_mentions, key_antecedents),
                _sizes(response_mentions, response_antecedents),
            ),
            _shared(key_mentions, response_mentions),
        )


def split_documents(mentions: Mentions) -> Iterator[tuple[int, SplitDocument]]:
    """Go through the documents of a block that have split antecedents on a side."""
    sides = mentions.key, mentions.response
    splits = [_rows(side) for side in sides]
    documents: set[int] = set()
    for side, rows in zip(sides, splits, strict=True):
        documents.update(side.entity_document[rows[:, 0]].tolist())
    # Mentions that are one have one number.
    names = [np.arange(len(side.entity)) for side in sides]
    names[1] += len(names[0])
    names[1][mentions.alignment.response] = mentions.alignment.key
    for document in sorted(documents):
        (key, key_split), (response, response_split) = (
            _listed(side, name, rows, document)
            for side, name, rows in zip(sides, names, splits, strict=True)
        )
        yield document, SplitDocument(key, response, key_split, response_split)


def _rows(columns: Columns) -> Ints:
    if columns.details is None:
        return np.empty((0, 2), np.int64)
    return columns.details.split


def _listed(
    columns: Columns, names: Ints, split: Ints, document: int
) -> tuple[list[list[int]], dict[int, list[int]]]:
    entities = np.flatnonzero(columns.entity_document == document)
    first = int(entities[0]) if len(entities) else 0
    lists: list[list[int]] = [[] for _ in entities]
    for mention in np.flatnonzero(columns.document == document).tolist():
        lists[int(columns.entity[mention]) - first].append(int(names[mention]))
    found: dict[int, list[int]] = {}
    for entity, antecedent in split.tolist():
        if columns.entity_document[entity] == document:
            found.setdefault(entity - first, []).append(antecedent - first)
    return lists, found


def _merged(
    entities: Lists, split: Split
) -> tuple[dict[int, set[Hashable]], dict[int, frozenset[int]]]:
    """Group mentions and split antecedents by entity, equal ones in the first."""
    filled = {number: set(entity) for number, entity in enumerate(entities) if entity}
    split = {
        number: [antecedent for antecedent in antecedents if antecedent in filled]
        for number, antecedents in split.items()
    }
    mentions: dict[int, set[Hashable]] = {}
    first: dict[frozenset[int], int] = {}
    for number, entity in filled.items():
        antecedents = _expanded(number, split)
        home = first.setdefault(antecedents, number) if antecedents else number
        mentions.setdefault(home, set()).update(entity)
    return mentions, {number: antecedents for antecedents, number in first.items()}


def _expanded(number: int, split: Split) -> frozenset[int]:
    """Follow the split antecedents of an entity down to entities without."""
    found, seen, left = set(), {number}, [*split.get(number, ())]
    while left:
        antecedent = left.pop()
        if antecedent in seen:
            continue
        seen.add(antecedent)
        further = split.get(antecedent)
        if further:
            left.extend(further)
        else:
            found.add(antecedent)
    return frozenset(found)


def _sizes(
    mentions: Mapping[int, set[Hashable]], antecedents: Mapping[int, frozenset[int]]
) -> dict[int, int]:
    return {
        number: len(entity) + (number in antecedents)
        for number, entity in mentions.items()
    }


def _shared(
    key: Mapping[int, set[Hashable]], response: Mapping[int, set[Hashable]]
) -> dict[Cell, int]:
    response_of = {m: number for number, entity in response.items() for m in entity}
    counts = Counter(
        (number, response_of[mention])
        for number, entity in key.items()
        for mention in entity
        if mention in response_of
    )
    return dict(sorted(counts.items()))


class Table(NamedTuple):
    """The sizes of key and response entities, by number, and the mentions shared."""

    size: tuple[Mapping[int, int], Mapping[int, int]]
    shared: Mapping[Cell, int]

    def part(self, key: Iterable[int], response: Iterable[int]) -> Table:
        """Take some of the entities."""
        key, response = sorted(key), sorted(response)
        return Table(
            (
                {number: self.size[KEY][number] for number in key},
                {number: self.size[RESPONSE][number] for number in response},
            ),
            {
                cell: self.shared[cell]
                for cell in product(key, response)
                if cell in self.shared
            },
        )

    def overlap(self, shared: Mapping[Cell, float] | None = None) -> Overlap:
        """Make the overlap table, of the mentions shared or of something else."""
        key, response = (
            {number: row for row, number in enumerate(sizes)} for sizes in self.size
        )
        shared = self.shared if shared is None else shared
        cells = {(key[k], response[r]): count for (k, r), count in shared.items()}
        return small_table(self.size[KEY].values(), self.size[RESPONSE].values(), cells)

    def is_equal(self) -> bool:
        """Say whether both sides have the same entities."""
        key, response = self.size
        return len(key) == len(response) == len(self.shared) and all(
            key[k] == response[r] == shared for (k, r), shared in self.shared.items()
        )
