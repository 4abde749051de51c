"""Columns with the ids of their entities as numbers, for entities across documents.

Ids are compared as they stand, so that no two of them share a number. Most are rows of
digits, whose number is made of their value and length (`0` and `00` are two ids); the
others are numbered as they come, in one list for all files of a side.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

import numpy as np

from corefkit.columns import Columns, Ints, join_columns, rearranged, sorting_order
from corefkit.columns.of_documents import document_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.model import Document

LONGEST = 17  # digits of an id that fit a 64-bit number with their count
_DOCUMENTS = 256  # of which columns are made at a time
_TENS = 10 ** np.arange(1, LONGEST)


class Identified(NamedTuple):
    """Columns, and a number for the id of each entity."""

    columns: Columns
    code: Ints


def digit_codes(value: Ints, length: Ints) -> Ints:
    """Number ids that are rows of digits, at most `LONGEST` of them.

    Ids that are none have length 0, and their place in a list for value.

    >>> digit_codes(np.array([7, 7]), np.array([1, 2])).tolist()
    [127, 128]
    """
    return value * (LONGEST + 1) + length


@dataclass(frozen=True, slots=True)
class EntityCodes:
    """Numbers for the ids of entities, the same for the same id.

    >>> codes = EntityCodes()
    >>> codes.of_names(["7", "e1", "07", "e1"]).tolist()
    [127, 0, 128, 0]
    >>> codes.of_numbers(np.array([7, -1])).tolist(), codes.of_names(["-1"]).tolist()
    ([127, 18], [18])
    """

    # Those that are no row of digits, or one too long, in the order first seen.
    others: dict[bytes, int] = field(default_factory=dict)

    def of_names(self, names: Iterable[str]) -> Ints:
        """Number ids."""
        return np.array([self._of(name) for name in names], np.int64)

    def _of(self, name: str) -> int:
        if name.isdigit() and name.isascii() and len(name) <= LONGEST:
            return int(name) * (LONGEST + 1) + len(name)
        spelled = name.encode("utf-8", "surrogatepass")
        return self.others.setdefault(spelled, len(self.others)) * (LONGEST + 1)

    def of_numbers(self, numbers: Ints) -> Ints:
        """Number ids that are written as plain numbers."""
        length = np.searchsorted(_TENS, numbers, side="right") + 1
        found = digit_codes(numbers, length)
        for row in np.flatnonzero((numbers < 0) | (numbers >= 10**LONGEST)).tolist():
            found[row] = self._of(str(numbers[row]))
        return found


class _Documents(Protocol):
    """What has documents by number, as sources have."""

    def document(self, number: int) -> Document:
        """Read one document as an object."""


@runtime_checkable
class Identifying(Protocol):
    """A source that reads columns with ids, without an object for each document."""

    def identified(
        self, numbers: Sequence[int], codes: EntityCodes
    ) -> Identified | None:
        """Read the mentions of some documents, and number the ids of their entities.

        Returns None where documents say more of entities than columns do, as
        `identified` has it.
        """


def identified(
    source: _Documents, numbers: Sequence[int], codes: EntityCodes
) -> Identified | None:
    """Read the mentions of some documents, and number the ids of their entities.

    Returns None where only the documents tell who links to whom: a split antecedent, or
    the antecedent of a bridge, may be in another document.
    """
    if isinstance(source, Identifying):
        return source.identified(numbers, codes)
    return identified_by_document(source, numbers, codes)


def identified_by_document(
    source: _Documents, numbers: Sequence[int], codes: EntityCodes
) -> Identified | None:
    """Do the same through documents, of which some are in memory at a time."""
    parts: list[Identified] = []
    for first in range(0, len(numbers), _DOCUMENTS):
        block = list(map(source.document, numbers[first : first + _DOCUMENTS]))
        part = identified_documents(block, codes)
        if part is None:
            return None
        parts.append(part)
    return join_identified(parts)


def identified_documents(
    documents: Sequence[Document], codes: EntityCodes
) -> Identified | None:
    """Put the mentions of documents into columns, and number the ids of their entities.

    >>> from corefkit.model import Document, Entity, Mention
    >>> one = Document("1", (), (Entity("7", (Mention(0, 0),)),))
    >>> identified_documents([one, one], EntityCodes()).code.tolist()
    [127, 127]
    """
    if not all(map(_stands_alone, documents)):
        return None
    entities = chain.from_iterable(document.entities for document in documents)
    names = (entity.id for entity in entities)
    return Identified(document_columns(documents), codes.of_names(names))


def _stands_alone(document: Document) -> bool:
    """Say whether columns have all that a document says of its entities.

    Then all of them have mentions, and links stay inside.
    """
    if not all(entity.mentions for entity in document.entities):
        return False
    names = {entity.id for entity in document.entities}
    linked = chain.from_iterable(entity.split for entity in document.entities)
    return (
        names.issuperset(linked)
        and names.issuperset(bridge.antecedent for bridge in document.bridges)
        and (bool(document.sentences) or not document.empty)
    )


def join_identified(parts: Sequence[Identified]) -> Identified:
    """Join blocks of documents, one behind the other.

    >>> join_identified([]).code.tolist()
    []
    """
    codes = [np.empty(0, np.int64), *(part.code for part in parts)]
    columns = join_columns([part.columns for part in parts])
    return Identified(columns, np.concatenate(codes))


def rearranged_identified(found: Identified, rows: Sequence[int]) -> Identified:
    """Put documents in another order; `rows` says where each of them goes."""
    entities = sorting_order(np.array(rows, np.int64)[found.columns.entity_document])
    return Identified(rearranged(found.columns, rows), found.code[entities])
