"""The columns of a whole file in memory, from which documents are taken."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

import numpy as np

from corefkit.columns import stretches

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.columns import Columns, Ints
    from corefkit.columns.cutting import Bounds
    from corefkit.columns.details import Details

_MENTION_BYTES = 32  # about what a mention takes in columns


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """The documents of a file, read once and held.

    >>> from corefkit.columns import Columns
    >>> entity, token = np.array([0, 0, 1]), np.array([4, 6, 9])
    >>> columns = Columns(entity, token, token, np.array([0, 1]), token, token)
    >>> held = Held.of(columns)
    >>> held.take([1, 0]).start.tolist()
    [9, 4, 6]
    """

    columns: Columns
    # Bounds: the first entity and the first mention of each document, and finally how
    # many there are.
    entities: Ints
    mentions: Ints
    # A number for the id of each entity, the same for the same id in all documents;
    # None where nobody counted.
    entity_code: Ints | None = None
    # The bounds of all that details have rows for.
    rows: Bounds = field(default_factory=dict)

    @classmethod
    def of(cls, columns: Columns, *, entity_code: Ints | None = None) -> Self:
        """Hold columns, and find the bounds of their documents."""
        documents = np.arange(columns.documents + 1)
        entities = np.searchsorted(columns.entity_document, documents)
        mentions = np.searchsorted(columns.entity, entities)
        if columns.details is None:
            return cls(columns, entities, mentions, entity_code)
        # Imported here because most files have no details, and every start would pay.
        from corefkit.columns.cutting import row_bounds

        rows = row_bounds(columns)
        return cls(columns, entities, mentions, entity_code, rows)

    @property
    def sizes(self) -> list[int]:
        """About how many bytes each document takes."""
        sizes: list[int] = (np.diff(self.mentions) * _MENTION_BYTES).tolist()
        return sizes

    def take(self, numbers: Sequence[int]) -> Columns:
        """Cut documents out, in the order asked for."""
        chosen = np.array(numbers, np.int64)
        if len(chosen) and np.all(chosen[1:] == chosen[:-1] + 1):
            return self._stretch(int(chosen[0]), int(chosen[-1]) + 1)
        first, size = _cut(self.mentions, chosen)
        first_entity, entities = _cut(self.entities, chosen)
        mention = stretches(first, size)
        before = np.cumsum(entities) - entities
        columns = self.columns
        return replace(
            columns,
            entity=columns.entity[mention] - np.repeat(first_entity - before, size),
            start=columns.start[mention],
            end=columns.end[mention],
            entity_document=np.repeat(np.arange(len(chosen)), entities),
            token_count=columns.token_count[chosen],
            text_hash=columns.text_hash[chosen],
            details=self._details(chosen),
        )

    def _stretch(self, first: int, last: int) -> Columns:
        """Cut out documents that stand one behind the other: hardly anything moves."""
        columns = self.columns
        if last - first == columns.documents:
            return columns
        mentions, entities = self.mentions[[first, last]], self.entities[[first, last]]
        mention, entity = slice(*mentions.tolist()), slice(*entities.tolist())
        return replace(
            columns,
            entity=columns.entity[mention] - entities[0],
            start=columns.start[mention],
            end=columns.end[mention],
            entity_document=columns.entity_document[entity] - first,
            token_count=columns.token_count[first:last],
            text_hash=columns.text_hash[first:last],
            details=self._details(np.arange(first, last)),
        )

    def _details(self, documents: Ints) -> Details | None:
        if self.columns.details is None:
            return None
        from corefkit.columns.cutting import cut_details

        return cut_details(self.columns.details, self.rows, documents)

    def codes(self, numbers: Sequence[int]) -> Ints:
        """Return the codes of the entities of some documents, as `take` orders them."""
        if self.entity_code is None:
            message = "nobody counted the ids of these entities"
            raise ValueError(message)
        chosen = np.array(numbers, np.int64)
        return self.entity_code[stretches(*_cut(self.entities, chosen))]


def _cut(bounds: Ints, numbers: Ints) -> tuple[Ints, Ints]:
    return bounds[numbers], bounds[numbers + 1] - bounds[numbers]


def numbers_of(rows: Iterable[bytes]) -> list[Ints]:
    """Take what the kernel returns as arrays.

    >>> numbers_of([bytes(16)])[0].tolist()
    [0, 0]
    """
    return [np.frombuffer(row, np.int64) for row in rows]
