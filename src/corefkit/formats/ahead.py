"""Documents asked for one after the other, read several at a time.

To read the columns of one document costs about as much as those of a hundred.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.columns import Columns, Details, Empties
    from corefkit.formats.source import Source

_DOCUMENTS = 1 << 8
_BYTES = 1 << 20


def ahead(source: Source, numbers: Sequence[int | None]) -> Source:
    """Let a source read ahead, where documents are asked for in the order given."""
    return cast("Source", _Ahead(source, numbers))


class _Ahead:
    """A source that reads one document, then two, then four, and so on.

    So who asks for one document reads one. Where a document is faulty, those before it
    are read one by one: the fault is told when it is asked for.
    """

    def __init__(self, source: Source, numbers: Sequence[int | None]) -> None:
        self._source = source
        self._numbers = [number for number in numbers if number is not None]
        self._place = {number: place for place, number in enumerate(self._numbers)}
        self._step = 1
        self._block: tuple[Sequence[int], Columns] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some documents; ahead, where it is one."""
        if len(numbers) != 1 or numbers[0] not in self._place:
            return self._source.columns(numbers)
        if self._block is None or numbers[0] not in self._block[0]:
            self._read(numbers[0])
        if self._block is None:
            return self._source.columns(numbers)
        block, columns = self._block
        return one_document(columns, block.index(numbers[0]))

    def _read(self, number: int) -> None:
        first = self._place[number]
        block = self._numbers[first : first + self._step]
        bytes_before = np.cumsum([0, *(self._source.sizes[one] for one in block)])
        block = block[: max(1, int(np.searchsorted(bytes_before[1:], _BYTES)))]
        self._step = min(2 * self._step, _DOCUMENTS)
        try:
            self._block = block, self._source.columns(block)
        except CorefkitError:
            self._block, self._step = None, 1


def one_document(columns: Columns, number: int) -> Columns:
    """Take one document out of a block.

    >>> from corefkit.columns import empty_columns
    >>> one_document(empty_columns(3), 1).documents
    1
    """
    first, last = np.searchsorted(columns.entity_document, (number, number + 1))
    entities = np.arange(first, last)
    mentions = np.arange(*np.searchsorted(columns.entity, (first, last)))
    taken = columns.take(mentions, entities)
    one = slice(number, number + 1)
    return replace(
        taken,
        entity_document=np.zeros(len(entities), np.int64),
        tokens=columns.tokens[one],
        fingerprint=columns.fingerprint[one],
        details=taken.details and _details(taken.details, number),
    )


def _details(details: Details, number: int) -> Details:
    if details.empties is None:
        return details
    return replace(details, empties=_empties(details.empties, number))


def _empties(empties: Empties, number: int) -> Empties | None:
    """Take the empty nodes of one document; None where it has none."""
    nodes = np.flatnonzero(empties.document == number)
    if not len(nodes):
        return None
    place = np.full(len(empties.token), -1, np.int64)
    place[nodes] = np.arange(len(nodes))
    dependent = place[empties.dependent]
    kept = dependent >= 0
    return replace(
        empties,
        document=np.zeros(len(nodes), np.int64),
        token=empties.token[nodes],
        initial=empties.initial[nodes],
        dependent=dependent[kept],
        parent=empties.parent[kept],
        relation=empties.relation[kept],
    )
