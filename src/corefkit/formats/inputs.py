"""Whatever a user passes as key or response, opened as sources."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING, TypeAlias, cast

from corefkit.exceptions import FormatError
from corefkit.formats import open_source
from corefkit.formats.memory import MemorySource
from corefkit.formats.source import names_clash, names_of
from corefkit.model import Document

if TYPE_CHECKING:
    from corefkit.formats.objects import (
        LazyTable,
        SpacyDocument,
        StanzaDocument,
        Table,
    )
    from corefkit.formats.source import Source
    from corefkit.formats.table_source import TableSource

Path: TypeAlias = str | os.PathLike[str]
Partition: TypeAlias = Iterable[Iterable[Hashable]]
Parsed: TypeAlias = "SpacyDocument | StanzaDocument"
Input: TypeAlias = (
    "Path | Document | Iterable[Document] | Partition | Mapping[str, Partition]"
    " | Mapping[int, Partition] | Parsed | Iterable[Parsed] | Mapping[str, Parsed]"
    " | Table | LazyTable"
)

# The id of a partition that comes without one.
UNNAMED = "document"


@contextmanager
def open_inputs(
    key: Input, responses: Sequence[Input], *, format: str | None, reference: bool
) -> Iterator[tuple[Source, list[Source]]]:
    """Open the key and each response, and close them in the end.

    Mentions of plain partitions may be anything that can be hashed, as long as no file
    and no document stands beside them; then they are spans.
    """
    roles = ["key", *["response"] * len(responses)]
    sides = [
        _taken(side, role) for side, role in zip((key, *responses), roles, strict=True)
    ]
    plain = all(isinstance(side, dict) and not _has_documents(side) for side in sides)
    names: dict[Hashable, int] | None = {} if plain else None
    with ExitStack() as stack:
        opened: list[Source] = []
        for side, role in zip(sides, roles, strict=True):
            source: Source
            if isinstance(side, dict):
                source = MemorySource(role, side, names, reference=reference)
            elif isinstance(side, str | os.PathLike):
                response = role == "response"
                source = open_source(
                    side, format=format, response=response, reference=reference
                )
            else:
                source = side
            opened.append(stack.enter_context(closing(source)))
        _share_names(opened)
        yield opened[0], opened[1:]


def _taken(side: Input, role: str) -> Path | dict[str, Partition] | TableSource:
    if isinstance(side, str | os.PathLike):
        return side
    if isinstance(side, Document):
        return {side.id: side}
    if isinstance(side, Mapping):
        return {str(name): _kept(part, str(name)) for name, part in side.items()}
    if not _is_plain(side):
        from corefkit.formats.objects import document_of, table_of

        table = table_of(side, role)
        if table is not None:
            return table
        document = document_of(side, UNNAMED)
        if document is not None:
            return {document.id: document}
    return _taken_parts(list(cast("Iterable[object]", side)))


def _taken_parts(parts: Sequence[object]) -> dict[str, Partition]:
    made = [_document(part, str(number)) for number, part in enumerate(parts)]
    documents = [document for document in made if document is not None]
    if not documents:
        return {UNNAMED: _kept(cast("Partition", parts), UNNAMED)}
    if len(documents) < len(parts):
        message = "documents stand beside what is no document"
        raise FormatError(message)
    taken: dict[str, Partition] = {}
    for document in documents:
        if taken.setdefault(document.id, document) is not document:
            message = f"two documents are called {document.id!r}"
            raise FormatError(message)
    return taken


def _kept(partition: Partition | Parsed, name: str) -> Partition:
    # Entities may be generators, and a document may be read more than once.
    document = _document(partition, name)
    if document is not None:
        return document
    return [tuple(entity) for entity in cast("Partition", partition)]


def _document(value: object, name: str) -> Document | None:
    if isinstance(value, Document):
        return value
    if _is_plain(value):
        return None
    from corefkit.formats.objects import document_of

    return document_of(value, name)


def _is_plain(value: object) -> bool:
    """Say whether a value is of no other library; few are, and all start fast."""
    return type(value).__module__ == "builtins"


def _has_documents(side: Mapping[str, Partition]) -> bool:
    return any(isinstance(partition, Document) for partition in side.values())


def _share_names(opened: Sequence[Source]) -> None:
    """Let tables know of one another, and refuse names beside what has none."""
    tables = [table for table in map(names_of, opened) if table is not None]
    for table in tables:
        table.peers = tables
        if clash := names_clash(table, opened):
            raise clash
