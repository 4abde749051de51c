"""A side of a corpus in three arrays: which mention, in which entity and document.

The laboratory alters entities and scores what comes of it, many times over. Of mentions
it needs to know only which are the same; that is settled once, by the settings, and a
mention is a number from then on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.whole import Aligned, aligned
from corefkit.columns import Columns, runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.alignment.table import Overlap
    from corefkit.columns import Flags, Ints
    from corefkit.formats.inputs import Input
    from corefkit.settings import Settings


@dataclass(frozen=True, slots=True)
class Labels:
    """The mentions of one side, each with its entity and its document.

    Attributes:
        mention: the number of each mention; no other document has it, and the other
            side's number is the same where the mention is.
        entity: its entity, any number that no other entity has.
        document: its document, counted from 0.
        documents: how many documents there are.

    >>> side = Labels(np.arange(3), np.array([7, 7, 9]), np.array([0, 0, 1]), 2)
    >>> side.columns().entity.tolist(), side.columns().entity_document.tolist()
    ([0, 0, 1], [0, 1])
    """

    mention: Ints
    entity: Ints
    document: Ints
    documents: int

    def __len__(self) -> int:
        """Count the mentions."""
        return len(self.mention)

    def keep(self, mentions: Flags | Ints) -> Labels:
        """Keep only some mentions: those flagged, or those numbered, in that order."""
        return Labels(
            self.mention[mentions],
            self.entity[mentions],
            self.document[mentions],
            self.documents,
        )

    def sizes(self) -> Ints:
        """Give the size of each mention's entity."""
        return how_often(self.entity)

    def relabelled(self, entity: Ints) -> Labels:
        """Put the mentions into other entities."""
        return Labels(self.mention, entity, self.document, self.documents)

    def columns(self) -> Columns:
        """Give the mentions as the overlap table takes them."""
        order = np.lexsort((self.mention, self.entity, self.document))
        first, size = runs(self.entity[order])
        mention = self.mention[order]
        return Columns(
            entity=np.repeat(np.arange(len(first)), size),
            start=mention,
            end=mention,
            entity_document=self.document[order[first]],
            tokens=np.full(self.documents, -1, np.int64),
            fingerprint=np.zeros(self.documents, np.uint64),
        )


def how_often(numbers: Ints) -> Ints:
    """Count, for each number, how often it is there.

    >>> how_often(np.array([4, 4, 9])).tolist()
    [2, 2, 1]
    """
    _, kind, count = np.unique(numbers, return_inverse=True, return_counts=True)
    return count[kind]


def joined(parts: Sequence[Labels]) -> Labels:
    """Put mentions of the same documents together."""
    return Labels(
        np.concatenate([part.mention for part in parts]),
        np.concatenate([part.entity for part in parts]),
        np.concatenate([part.document for part in parts]),
        parts[0].documents,
    )


class Pair(NamedTuple):
    """Key and response in labels.

    Attributes:
        key: the key's mentions.
        response: the response's.
        documents: the ids of the documents.
        names: what the user called key and response.
        notes: what a user should know about the input, one sentence each.
        warnings: where mentions hardly meet, and why, one sentence each.
    """

    key: Labels
    response: Labels
    documents: tuple[str, ...]
    names: tuple[str, str]
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def read_pair(
    key: Input, response: Input, *, settings: Settings, format: str | None = None
) -> Pair:
    """Read key and response, align their mentions by the settings, and number them.

    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> pair = read_pair(["abc"], ["ab", "d"], settings=DEFAULT_SETTINGS)
    >>> pair.key.mention.tolist(), pair.response.mention.tolist()
    ([0, 1, 2], [0, 1, 5])
    """
    return _numbered(aligned(key, response, settings=settings, format=format))


def _numbered(found: Aligned) -> Pair:
    sides: tuple[list[Labels], list[Labels]] = ([], [])
    mentions = entities = documents = 0
    for table in found.tables:
        for side, labels in zip(sides, _labels(table), strict=True):
            side.append(
                Labels(
                    labels.mention + mentions,
                    labels.entity + entities,
                    labels.document + documents,
                    len(found.documents),
                )
            )
        mentions += len(table.mentions.key.entity) + len(table.mentions.response.entity)
        entities += max(len(table.key), len(table.response))
        documents += table.documents
    return Pair(
        joined(sides[0]),
        joined(sides[1]),
        found.documents,
        (found.key, found.response),
        found.notes,
        found.warnings,
    )


def read_key(key: Input, *, settings: Settings, format: str | None = None) -> Pair:
    """Read a key alone; the response is the key itself.

    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> read_key(["abc"], settings=DEFAULT_SETTINGS).response.mention.tolist()
    [0, 1, 2]
    """
    pair = _numbered(aligned(key, None, settings=settings, format=format))
    return pair._replace(response=pair.key)


def _labels(table: Overlap) -> tuple[Labels, Labels]:
    """Number the mentions of a table: the key's first, then the response's own."""
    key, response = table.mentions.key, table.mentions.response
    number = len(key.entity) + np.arange(len(response.entity))
    number[table.mentions.alignment.response] = table.mentions.alignment.key
    documents = table.documents
    return (
        Labels(np.arange(len(key.entity)), key.entity, key.document, documents),
        Labels(number, response.entity, response.document, documents),
    )
