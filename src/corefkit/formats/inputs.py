"""Whatever a user passes as key or response, opened as sources."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeAlias, cast

from corefkit.exceptions import CorefkitError, FormatError, PairingError, refusal
from corefkit.formats import open_source
from corefkit.formats.memory.entities import excerpt, is_iterable, is_plain
from corefkit.formats.memory.memory import MemorySource
from corefkit.formats.memory.partitions import PartitionSource, plain_sources
from corefkit.formats.memory.shapes import (
    Corpus,
    Listing,
    Shape,
    in_memory,
    read_alike,
)
from corefkit.formats.source import names_clash, names_of
from corefkit.model import Document

if TYPE_CHECKING:
    from corefkit.formats.memory.objects import (
        LazyTable,
        SpacyDocument,
        StanzaDocument,
        Table,
    )
    from corefkit.formats.source import Named, Source
    from corefkit.formats.tables.source import TableSource

Path: TypeAlias = str | os.PathLike[str]
Partition: TypeAlias = Iterable[Iterable[Hashable]]
Parsed: TypeAlias = "SpacyDocument | StanzaDocument"
# A mapping is a corpus, or an object of JSON lines: `formats.memory.shapes` has what
# may stand in it.
Input: TypeAlias = (
    "Path | Document | Iterable[Document] | Partition | Iterable[Partition]"
    " | Mapping[str, object] | Mapping[int, object] | Iterable[Mapping[str, object]]"
    " | Iterable[Mapping[int, object]] | Parsed | Iterable[Parsed] | Table | LazyTable"
    " | Corpus"
)

# A side as far as it tells by itself what it is, and once it is known.
_Taken: TypeAlias = "Path | Corpus | Listing | TableSource"
_Side: TypeAlias = "Path | Corpus | TableSource"


@contextmanager
def open_inputs(
    key: Input,
    responses: Iterable[Input],
    *,
    format: str | None,
    reference: bool,
    refusals: dict[int, CorefkitError] | None = None,
) -> Iterator[tuple[Source, dict[int, Source]]]:
    """Open the key and each response, by its number, and close them in the end.

    Mentions of plain partitions may be anything that can be hashed, as long as no file
    and no document stands beside them; then they are spans.

    Where `refusals` are kept, a response that cannot be opened, or that does not go
    with the key and the responses before it, is put there and left out.
    """
    given = [key, *_each(responses)]
    plain = plain_sources(given) if type(key) is list else None
    if plain is not None:
        yield plain[0], dict(enumerate(plain[1:]))
        return
    opening = _Opening(format, reference, refusals)
    try:
        opening.open(given)
        opened = {number - 1: source for number, source in opening.opened.items()}
        yield opened.pop(-1), opened
    finally:
        for source in opening.held:
            source.close()


@dataclass(slots=True)
class _Opening:
    """Sides of any kind on their way to sources, by number; the key is number 0."""

    format: str | None
    reference: bool
    refusals: dict[int, CorefkitError] | None
    sides: dict[int, _Side] = field(default_factory=dict)
    opened: dict[int, Source] = field(default_factory=dict)
    held: list[Source] = field(default_factory=list)  # to be closed, refused or not

    def open(self, given: Sequence[object]) -> None:
        """Open all sides, one after the other."""
        taken: dict[int, _Taken] = {}
        for number, side in enumerate(given):
            try:
                taken[number] = _taken(side, "response" if number else "key")
            except (CorefkitError, OSError) as error:
                self._refuse(number, error)
        self.sides = self._settled(taken)
        # Files come first: what stands beside one that can be opened has spans.
        for files in (True, False):
            names = None if files else self._names()
            for number, kind in [*self.sides.items()]:
                if isinstance(kind, str | os.PathLike) is files:
                    self._open_one(number, names)
        self.opened = {number: self.opened[number] for number in self.sides}
        self._refuse_positions()
        self._share_names()

    def _open_one(self, number: int, names: dict[Hashable, int] | None) -> None:
        try:
            self.opened[number] = self._source(number, names)
            self.held.append(self.opened[number])
        except (CorefkitError, OSError) as error:
            self._refuse(number, error)

    def _refuse(self, number: int, error: CorefkitError | OSError) -> None:
        """Leave a response out, or raise where none may be left out; never the key."""
        if self.refusals is None or number == 0:
            raise error
        self.refusals[number - 1] = refusal(error)
        for kept in (self.sides, self.opened):
            kept.pop(number, None)

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
                self._refuse(number, error)
            else:
                if number in first:
                    decides = [memory[number]]
        return {number: read[number] for number in memory if number in read}

    def _names(self) -> dict[Hashable, int] | None:
        """Give mentions that are compared by name a number each; None for spans."""
        others = [
            number
            for number, side in self.sides.items()
            if not isinstance(side, Corpus) or side.has_spans
        ]
        if not others:
            return {}
        if self.refusals is not None and 0 not in others:
            key = self._source(0, None)
            try:
                key.columns(range(len(key.ids)))
            except FormatError as error:
                # The mentions of the key are names, and these responses have none.
                for number in others:
                    self._refuse(number, error)
                return {}
        return None

    def _source(self, number: int, names: dict[Hashable, int] | None) -> Source:
        side, role = self.sides[number], "response" if number else "key"
        if isinstance(side, Corpus) and names is not None:
            return PartitionSource(role, side.documents, names)
        if isinstance(side, Corpus):
            return MemorySource(role, side.documents, reference=self.reference)
        if isinstance(side, str | os.PathLike):
            how = {"response": number > 0, "reference": self.reference}
            return open_source(side, format=self.format, **how)
        return side

    def _refuse_positions(self) -> None:
        """Refuse documents without ids beside others that these do not pair with."""
        for number, source in [*self.opened.items()][1:]:
            both = (self.sides[0], self.opened[0]), (self.sides[number], source)
            clash = _positions_clash(*both[::-1]) or _positions_clash(*both)
            if clash is not None:
                self._refuse(number, clash)

    def _share_names(self) -> None:
        """Let tables know of one another, and refuse names beside what has none."""
        if not any(map(names_of, self.opened.values())):
            return
        beside: list[Source] = []
        for number, source in [*self.opened.items()]:
            beside.append(source)
            clashes = (names_clash(table, beside) for table in _tables(beside))
            clash = next(filter(None, clashes), None)
            if clash is not None:
                self._refuse(number, clash)
                beside.pop()
        tables = _tables(beside)
        for table in tables:
            table.peers = tables


def _tables(sources: Iterable[Source]) -> list[Named]:
    return [table for table in map(names_of, sources) if table is not None]


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


def _each(responses: object) -> list[Input]:
    if type(responses) is list:
        return responses
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
