"""Whatever a user passes as key or response, opened as sources."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeAlias, cast

from corefkit.exceptions import FormatError, PairingError
from corefkit.formats import open_source
from corefkit.formats.memory.entities import excerpt, is_iterable, is_plain
from corefkit.formats.memory.memory import MemorySource
from corefkit.formats.memory.partitions import Entities, PartitionSource, plain_sources
from corefkit.formats.memory.shapes import Corpus, Listing, in_memory, read_alike
from corefkit.formats.source import names_clash, names_of
from corefkit.model import Document

if TYPE_CHECKING:
    from corefkit.formats.memory.objects import (
        LazyTable,
        SpacyDocument,
        StanzaDocument,
        Table,
    )
    from corefkit.formats.source import Source
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
)


@contextmanager
def open_inputs(
    key: Input, responses: Iterable[Input], *, format: str | None, reference: bool
) -> Iterator[tuple[Source, list[Source]]]:
    """Open the key and each response, and close them in the end.

    Mentions of plain partitions may be anything that can be hashed, as long as no file
    and no document stands beside them; then they are spans.
    """
    given = [key, *_each(responses)]
    plain = plain_sources(given) if type(key) is list else None
    if plain is not None:
        yield plain[0], [*plain[1:]]
        return
    opened: list[Source] = []
    try:
        _open_sides(given, opened, format=format, reference=reference)
        yield opened[0], opened[1:]
    finally:
        for source in opened:
            source.close()


def _open_sides(
    given: Sequence[object],
    opened: list[Source],
    *,
    format: str | None,
    reference: bool,
) -> None:
    """Open sides of any kind, one after the other, into a list."""
    roles = ["key", *["response"] * (len(given) - 1)]
    sides = _settled(list(map(_taken, given, roles)))
    names: dict[Hashable, int] | None = {}
    if not all(isinstance(side, Corpus) and not side.has_spans for side in sides):
        names = None
    for side, role in zip(sides, roles, strict=True):
        if isinstance(side, Corpus) and names is not None:
            documents = cast("Mapping[str, Entities]", side.documents)
            opened.append(PartitionSource(role, documents, names))
        elif isinstance(side, Corpus):
            opened.append(MemorySource(role, side.documents, reference=reference))
        elif isinstance(side, str | os.PathLike):
            response = role == "response"
            opened.append(
                open_source(side, format=format, response=response, reference=reference)
            )
        else:
            opened.append(side)
    _refuse_positions(sides, opened)
    _share_names(opened)


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


def _taken(side: object, role: str) -> Path | Corpus | Listing | TableSource:
    if isinstance(side, str | os.PathLike):
        return side
    if not is_plain(side):
        from corefkit.formats.memory.objects import table_of

        table = table_of(side, role)
        if table is not None:
            return table
    return in_memory(side, role)


def _settled(
    sides: Sequence[Path | Corpus | Listing | TableSource],
) -> list[Path | Corpus | TableSource]:
    """Decide what lists are, for all sides alike."""
    in_memory = [side for side in sides if isinstance(side, Corpus | Listing)]
    if not in_memory:
        return cast("list[Path | Corpus | TableSource]", sides)
    read = iter(read_alike(in_memory))
    return [
        next(read) if isinstance(side, Corpus | Listing) else side for side in sides
    ]


def _refuse_positions(
    sides: Sequence[Path | Corpus | TableSource], opened: Sequence[Source]
) -> None:
    """Refuse documents without ids beside others that these do not pair with."""
    for side, source in zip(sides, opened, strict=True):
        if not isinstance(side, Corpus) or not side.numbered:
            continue
        for other, there in zip(sides, opened, strict=True):
            if list(there.ids) == list(source.ids):
                continue
            found = f"a list of {len(source.ids)} documents without ids"
            expected = f"{len(there.ids)} as in {there.name}"
            if not isinstance(other, Corpus) or not other.numbered:
                expected = f"ids as in {there.name}"
            message = f"found {found}, expected {expected}"
            hint = "lists pair by position; {id: partition, ...} pairs by id"
            raise PairingError(message, place=source.name, hint=hint)


def _share_names(opened: Sequence[Source]) -> None:
    """Let tables know of one another, and refuse names beside what has none."""
    tables = [table for table in map(names_of, opened) if table is not None]
    for table in tables:
        table.peers = tables
        if clash := names_clash(table, opened):
            raise clash
