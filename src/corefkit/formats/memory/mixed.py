"""Sides in memory, alone or beside files, opened as sources."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeAlias, cast

from corefkit.exceptions import CorefkitError, FormatError, PairingError
from corefkit.formats.inputs import Opening, is_path
from corefkit.formats.memory.entities import excerpt, is_iterable, is_plain
from corefkit.formats.memory.memory import MemorySource
from corefkit.formats.memory.partitions import Names, PartitionSource, new_names
from corefkit.formats.memory.shapes import (
    Corpus,
    Listing,
    Shape,
    in_memory,
    read_alike,
)
from corefkit.model import Document

if TYPE_CHECKING:
    from corefkit.formats.inputs import Input, Path
    from corefkit.formats.source import Source
    from corefkit.formats.tables.source import TableSource

# A side as far as it tells by itself what it is, and once it is known.
_Taken: TypeAlias = "Path | Corpus | Listing | TableSource"
_Side: TypeAlias = "Path | Corpus | TableSource"


class MixedOpening(Opening):
    """Sides of any kind on their way to sources, by number; the key is number 0."""

    sides: dict[int, _Side]
    names: Names | None = None  # of mentions that are compared by name

    def open(self, given: Sequence[object]) -> None:
        """Open all sides, one after the other."""
        taken: dict[int, _Taken] = {}
        for number, side in enumerate(given):
            try:
                taken[number] = _taken(side, "response" if number else "key")
            except (CorefkitError, OSError) as error:
                self.refuse(number, error)
        self.sides = self._settled(taken)
        # Files come first: what stands beside one that can be opened has spans.
        for files in (True, False):
            self.names = None if files else self._names()
            for number, side in [*self.sides.items()]:
                if is_path(side) is files:
                    self.open_one(number)
        self.opened = {number: self.opened[number] for number in self.sides}
        self._refuse_positions()
        self.share_names()

    def source(self, number: int) -> Source:
        """Open a side, which may be a file."""
        side, role = self.sides[number], "response" if number else "key"
        if isinstance(side, Corpus) and self.names is not None:
            return PartitionSource(role, side.documents, self.names)
        if isinstance(side, Corpus):
            return MemorySource(role, side.documents, reference=self.reference)
        if isinstance(side, str | os.PathLike):
            return super().source(number)
        return side

    def _settled(self, taken: Mapping[int, _Taken]) -> dict[int, _Side]:
        """Decide what lists are, for all sides alike."""
        memory = {
            number: side
            for number, side in taken.items()
            if isinstance(side, Corpus | Listing)
        }
        read: dict[int, Corpus] = {}
        if memory:
            try:
                read = dict(zip(memory, read_alike([*memory.values()]), strict=True))
            except FormatError:
                if self.refusals is None:
                    raise
                read = self._one_by_one(memory)
        return {
            number: read[number] if isinstance(side, Corpus | Listing) else side
            for number, side in taken.items()
            if number in read or number not in memory
        }

    def _one_by_one(self, memory: Mapping[int, Corpus | Listing]) -> dict[int, Corpus]:
        """Read sides that do not go together: the first that tells decides."""
        decides: list[Corpus | Listing] = []
        read: dict[int, Corpus] = {}
        tells = (Shape.PARTITION, Shape.DOCUMENTS)
        first = [
            number
            for number, side in memory.items()
            if isinstance(side, Listing) and side.shape in tells
        ]
        for number in [*first, *(other for other in memory if other not in first)]:
            try:
                read[number] = read_alike([memory[number], *decides])[0]
            except FormatError as error:
                self.refuse(number, error)
            else:
                if number in first:
                    decides = [memory[number]]
        return {number: read[number] for number in memory if number in read}

    def _names(self) -> Names | None:
        """Give mentions that are compared by name a number each; None for spans."""
        others = [
            number
            for number, side in self.sides.items()
            if not isinstance(side, Corpus) or side.has_spans
        ]
        if not others:
            return new_names()
        if self.refusals is not None and 0 not in others:
            key = self.source(0)
            try:
                key.columns(range(len(key.ids)))
            except FormatError as error:
                # The mentions of the key are names, and these responses have none.
                for number in others:
                    self.refuse(number, error)
                return new_names()
        return None

    def _refuse_positions(self) -> None:
        """Refuse documents without ids beside others that these do not pair with."""
        for number, source in [*self.opened.items()][1:]:
            both = (self.sides[0], self.opened[0]), (self.sides[number], source)
            clash = _positions_clash(*both[::-1]) or _positions_clash(*both)
            if clash is not None:
                self.refuse(number, clash)


def documents_in(value: object) -> Iterator[Document]:
    """Go through the documents that a value in memory holds, read as a key is.

    Mentions are spans here. Of iterables of documents one is in memory at a time, and
    ids may come twice.

    >>> [len(document) for document in documents_in([[(0, 1)], [(2, 2), (4, 5)]])]
    [2]
    """
    if isinstance(value, Iterator | list | tuple):
        rest = iter(value)
        first = list(islice(rest, 1))
        if all(isinstance(item, Document) for item in first):
            for document in chain(first, rest):
                if not isinstance(document, Document):
                    message = "documents stand beside what is no document"
                    raise FormatError(message, place="documents")
                yield document
            return
        value = [*first, *rest]
    taken = _taken(value, "documents")
    source: Source
    if isinstance(taken, Corpus | Listing):
        (corpus,) = read_alike([taken])
        source = MemorySource("documents", corpus.documents)
    else:
        source = cast("TableSource", taken)
    for number in range(len(source.ids)):
        yield source.document(number)


def listed_responses(responses: object) -> list[Input]:
    """List the responses of an iterable; refuse what is one response by itself."""
    single = isinstance(responses, str | bytes | os.PathLike | Document | Mapping)
    if single or not is_iterable(responses):
        message = f"found {excerpt(responses)}, expected a list of responses"
        raise FormatError(message, place="responses", hint="give one as [response]")
    return list(cast("Iterable[Input]", responses))


def _taken(side: object, role: str) -> _Taken:
    if isinstance(side, str | os.PathLike | Corpus):
        return side
    if not is_plain(side):
        from corefkit.formats.memory.objects import table_of

        table = table_of(side, role)
        if table is not None:
            return table
    return in_memory(side, role)


def _positions_clash(
    one: tuple[_Side, Source], other: tuple[_Side, Source]
) -> PairingError | None:
    """Return an error where a list of documents does not pair with another side."""
    (side, source), (beside, there) = one, other
    if not isinstance(side, Corpus) or not side.numbered:
        return None
    if list(there.ids) == list(source.ids):
        return None
    found = f"a list of {len(source.ids)} documents without ids"
    expected = f"{len(there.ids)} as in {there.name}"
    if not isinstance(beside, Corpus) or not beside.numbered:
        expected = f"ids as in {there.name}"
    message = f"found {found}, expected {expected}"
    hint = "lists pair by position; {id: partition, ...} pairs by id"
    return PairingError(message, place=source.name, hint=hint)
