"""The overlap table: all that MUC, B³, CEAF, BLANC and LEA need of a corpus.

For each pair of a key and a response entity that share mentions, how many; and the
size of each entity. The table of many documents is one set of flat arrays.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.matching import align
from corefkit.columns.sums import sums
from corefkit.exceptions import SettingsError
from corefkit.settings import DEFAULT_SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from corefkit.alignment.attributes import Asked
    from corefkit.alignment.matching.pairs import Alignment
    from corefkit.columns import Columns, Counts, Floats, Ints
    from corefkit.settings import Settings


_FEW = 1 << 12  # pairs of entities that are counted sooner than sorted
# Of more mentions 63 bits do not hold the number of pairs, nor twice that.
_MOST_MENTIONS = 3_037_000_499


def _nobody_knows(entity: int) -> tuple[Hashable, ...]:
    message = f"the mentions of entity {entity} are not known, only how many there are"
    raise SettingsError(message)


@dataclass(frozen=True, slots=True, eq=False)
class Entities:
    """The entities of one side: the document and size of each, and its mentions."""

    document: Ints
    size: Ints
    members: Callable[[int], tuple[Hashable, ...]] = _nobody_knows

    def __len__(self) -> int:
        """Count the entities."""
        return len(self.size)


class Mentions(NamedTuple):
    """The mentions behind a table, for what needs more of them than how many there are.

    Those that are scored, and those of the same documents as they were read.
    """

    key: Columns
    response: Columns
    alignment: Alignment  # which of the two are one
    key_read: Columns
    response_read: Columns
    settings: Settings  # how they were aligned
    attributes: tuple[Asked, Asked] | None = None  # None if there are none to ask for


@dataclass(frozen=True, eq=False)
class Overlap:
    """The overlap table of a block of documents: all that most metrics count.

    Whoever has entities and cells can make one; `behind` may then stay away, and the
    metrics that need mentions refuse the table.

    Attributes:
        documents: how many documents the table covers.
        key: the entities of the key.
        response: the entities of the response.
        key_entity: the key entity of each cell; cells are ordered by it.
        response_entity: the response entity of each cell.
        shared: how many mentions the two have in common, never 0; a fraction where
            some are shared in part.
        behind: the mentions that were counted, where they are known.
        document: the document of each cell.
        key_size: the size of the key entity of each cell.
        response_size: the size of the response entity of each cell.

    >>> table = overlap(["abc", "d"], ["abcd"])
    >>> table.shared.tolist(), table.key_size.tolist(), table.response_size.tolist()
    ([3, 1], [3, 1], [4, 4])
    """

    documents: int
    key: Entities
    response: Entities
    key_entity: Ints
    response_entity: Ints
    shared: Ints | Floats
    behind: Mentions | None = None
    document: Ints = field(init=False)
    key_size: Ints = field(init=False)
    response_size: Ints = field(init=False)

    def __post_init__(self) -> None:
        """Look up once what most metrics ask of the cells."""
        fix = object.__setattr__
        fix(self, "document", self.key.document[self.key_entity])
        fix(self, "key_size", self.key.size[self.key_entity])
        fix(self, "response_size", self.response.size[self.response_entity])
        if self.behind is None:
            self._check_sizes()

    def _check_sizes(self) -> None:
        """Refuse sizes that somebody else has counted and that pairs cannot have."""
        for side in (self.key, self.response):
            if int(side.size.sum()) <= _MOST_MENTIONS:
                continue
            largest = int(sums(side.size, side.document, self.documents).max())
            if largest > _MOST_MENTIONS:
                message = (
                    f"a document has {largest:,} mentions, more than can be paired"
                )
                hint = f"score at most {_MOST_MENTIONS:,} in one scope"
                raise SettingsError(message, hint=hint)

    @property
    def mentions(self) -> Mentions:
        """The mentions that were counted.

        Raises:
            SettingsError: the table was made without them.
        """
        if self.behind is None:
            message = "this metric needs mentions, and the table has only their counts"
            raise SettingsError(message)
        return self.behind

    def cells_of_mentions(self) -> Ints:
        """Find the cell of each pair of aligned mentions, in the alignment's order."""
        pairs, width = self.mentions.alignment, max(len(self.response), 1)
        key = self.mentions.key.entity[pairs.key]
        response = self.mentions.response.entity[pairs.response]
        cells = self.key_entity * width + self.response_entity
        return np.searchsorted(cells, key * width + response)

    def by_document(self, values: Floats | Ints, document: Ints) -> Counts:
        """Add values up for each document."""
        return sums(values, document, self.documents)


def overlap(
    key: Iterable[Iterable[Hashable]], response: Iterable[Iterable[Hashable]]
) -> Overlap:
    """Build the table of one document from two partitions.

    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> table.key_entity.tolist(), table.response_entity.tolist(), table.shared.tolist()
    ([0, 0, 1, 1], [0, 1, 1, 2], [2, 1, 1, 2])
    """
    from corefkit.formats.memory.shapes import partition_sources

    sides = partition_sources({"": key}, {"": response})
    return overlap_table(*(side.columns([0]) for side in sides))


def overlap_table(
    key: Columns,
    response: Columns,
    *,
    settings: Settings = DEFAULT_SETTINGS,
    anchors: tuple[Ints, Ints] | None = None,
    orders: tuple[Ints | None, Ints | None] = (None, None),
    as_read: tuple[Columns, Columns] | None = None,
    attributes: tuple[Asked, Asked] | None = None,
) -> Overlap:
    """Build the table of a block of documents, aligned by `align`.

    Where the sides were read otherwise than they are scored, `as_read` has them so; and
    `attributes` gives, when asked, what else is known of their mentions.
    """
    alignment = align(key, response, settings, anchors=anchors, orders=orders)
    width = max(len(response.entity_document), 1)
    pairs = key.entity[alignment.key] * width + response.entity[alignment.response]
    if len(key.entity_document) * width <= _FEW:
        counts = np.bincount(pairs)
        cells = counts.nonzero()[0]
        shared = counts[cells]
    else:
        cells, shared = np.unique(pairs, return_counts=True)
    key_entity, response_entity = np.divmod(cells, width)
    read = as_read or (key, response)
    return Overlap(
        len(key.token_count),
        _entities(key),
        _entities(response),
        key_entity,
        response_entity,
        shared,
        Mentions(key, response, alignment, *read, settings, attributes),
    )


def _entities(columns: Columns) -> Entities:
    size = np.bincount(columns.entity, minlength=len(columns.entity_document))
    return Entities(columns.entity_document, size, columns.members)
