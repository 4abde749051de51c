"""The overlap table: the input of MUC, B³, CEAF, BLANC and LEA.

For each pair of a key and a response entity that share mentions, the table contains how
many; and the size of each entity. The table of many documents is one set of arrays.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.matching import align
from corefkit.exceptions import SettingsError
from corefkit.settings import DEFAULT_SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from corefkit.alignment.candidates import Alignment
    from corefkit.alignment.scored_mentions import Attributes
    from corefkit.arrays.columns import Columns, Floats, Ints
    from corefkit.settings import Settings

    ReadAttributes = Callable[[tuple[str, ...]], Attributes]

_MAX_DENSE = 1 << 12  # pairs of entities that are counted faster than sorted
# 63 bits hold twice the number of pairs of so many mentions.
_MAX_MENTIONS = 3_037_000_499


def reject_members(entity: int) -> tuple[Hashable, ...]:
    """Raise SettingsError, as the members of entities that were counted elsewhere."""
    message = f"the mentions of entity {entity} are not known, only how many there are"
    raise SettingsError(message, code="engine/counts-only")


@dataclass(slots=True, eq=False)
class Entities:
    """The entities of one side: the document and size of each, and its mentions."""

    document: Ints
    size: Ints
    members: Callable[[int], tuple[Hashable, ...]] = reject_members

    def __len__(self) -> int:
        return len(self.size)


class Mentions(NamedTuple):
    """The scored mentions, and those of the same documents as they were read."""

    key: Columns
    response: Columns
    alignment: Alignment
    key_read: Columns
    response_read: Columns
    settings: Settings  # by which they were aligned
    # Read the attributes of both sides; None if the mentions have none.
    attributes: tuple[ReadAttributes, ReadAttributes] | None = None


@dataclass(eq=False)
class Overlap:
    """The overlap table of a block of documents: the input of most metrics.

    A table can be created from entities and cells alone, without `behind`; metrics that
    need mentions then raise SettingsError.

    Attributes:
        documents: the number of documents.
        key: the entities of the key.
        response: the entities of the response.
        key_entity: the key entity of each cell; cells are ordered by it.
        response_entity: the response entity of each cell.
        shared: the number of mentions that the two have in common, never 0; a fraction
            if some are shared in part.
        behind: the mentions that were counted, if they are known.
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
        self.document = self.key.document[self.key_entity]
        self.key_size = self.key.size[self.key_entity]
        self.response_size = self.response.size[self.response_entity]
        if self.behind is None:
            self._check_sizes()

    def _check_sizes(self) -> None:
        """Raise SettingsError for sizes, counted elsewhere, with too many pairs."""
        for side in (self.key, self.response):
            sizes = np.bincount(side.document, side.size, self.documents)
            largest = int(sizes.max(initial=0))
            if largest > _MAX_MENTIONS:
                message = (
                    f"a document has {largest:,} mentions, more than can be paired"
                )
                hint = f"score at most {_MAX_MENTIONS:,} in one scope"
                raise SettingsError(message, code="engine/too-large", hint=hint)

    @property
    def mentions(self) -> Mentions:
        """The mentions that were counted.

        Raises:
            SettingsError: the table was created without them.
        """
        if self.behind is None:
            message = "this metric needs mentions, and the table has only their counts"
            raise SettingsError(message, code="engine/counts-only")
        return self.behind

    def cells_of_mentions(self) -> Ints:
        """Return the cell of each pair of aligned mentions, in the same order."""
        alignment, width = self.mentions.alignment, max(len(self.response), 1)
        key = self.mentions.key.entity[alignment.key]
        response = self.mentions.response.entity[alignment.response]
        cells = self.key_entity * width + self.response_entity
        return np.searchsorted(cells, key * width + response)


def overlap(
    key: Iterable[Iterable[Hashable]], response: Iterable[Iterable[Hashable]]
) -> Overlap:
    """Build the table of one document from two partitions.

    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> table.key_entity.tolist(), table.response_entity.tolist(), table.shared.tolist()
    ([0, 0, 1, 1], [0, 1, 1, 2], [2, 1, 1, 2])
    """
    from corefkit.formats.in_memory import make_partition_sources

    sides = make_partition_sources({"": key}, {"": response})
    return build_overlap(*(side.read_columns([0]) for side in sides))


def build_overlap(
    key: Columns,
    response: Columns,
    *,
    settings: Settings = DEFAULT_SETTINGS,
    anchors: tuple[Ints, Ints] | None = None,
    as_read: tuple[Columns, Columns] | None = None,
    attributes: tuple[ReadAttributes, ReadAttributes] | None = None,
    alignment: Alignment | None = None,
) -> Overlap:
    """Align the scored mentions of a block of documents, and build its table."""
    key_entities, response_entities = (
        Entities(
            side.entity_document,
            np.bincount(side.entity, minlength=len(side.entity_document)),
            side.members,
        )
        for side in (key, response)
    )
    if alignment is None:
        alignment = align(key, response, settings, anchors=anchors)
    width = max(len(response.entity_document), 1)
    pairs = key.entity[alignment.key] * width + response.entity[alignment.response]
    if len(key.entity_document) * width <= _MAX_DENSE:
        counts = np.bincount(pairs)
        cells = counts.nonzero()[0]
        shared = counts[cells]
    else:
        cells, shared = np.unique(pairs, return_counts=True)
    mentions = Mentions(
        key, response, alignment, *(as_read or (key, response)), settings, attributes
    )
    key_entity, response_entity = np.divmod(cells, width)
    return Overlap(
        len(key.token_count),
        key_entities,
        response_entities,
        key_entity,
        response_entity,
        shared,
        mentions,
    )
