"""Whatever a user passes as key or response, opened as sources."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING, TypeAlias

from corefkit.exceptions import FormatError
from corefkit.formats import open_source
from corefkit.formats.memory import MemorySource
from corefkit.model import Document

if TYPE_CHECKING:
    from corefkit.formats.source import Source

Path: TypeAlias = str | os.PathLike[str]
Partition: TypeAlias = Iterable[Iterable[Hashable]]
Input: TypeAlias = (
    Path
    | Document
    | Iterable[Document]
    | Partition
    | Mapping[str, Partition]
    | Mapping[int, Partition]
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
    sides = [_taken(side) for side in (key, *responses)]
    plain = all(isinstance(side, dict) and not _has_documents(side) for side in sides)
    names: dict[Hashable, int] | None = {} if plain else None
    with ExitStack() as stack:
        opened: list[Source] = []
        for number, side in enumerate(sides):
            source: Source
            if isinstance(side, dict):
                source = MemorySource("response" if number else "key", side, names)
            else:
                source = open_source(
                    side, format=format, response=number > 0, reference=reference
                )
            opened.append(stack.enter_context(closing(source)))
        yield opened[0], opened[1:]


def _taken(side: Input) -> Path | dict[str, Partition]:
    if isinstance(side, str | os.PathLike):
        return side
    if isinstance(side, Document):
        return {side.id: side}
    if isinstance(side, Mapping):
        return {str(name): _kept(partition) for name, partition in side.items()}
    parts = list(side)
    documents = [part for part in parts if isinstance(part, Document)]
    if not documents:
        return {UNNAMED: _kept(parts)}
    if len(documents) < len(parts):
        message = "documents stand beside what is no document"
        raise FormatError(message)
    taken: dict[str, Partition] = {}
    for document in documents:
        if taken.setdefault(document.id, document) is not document:
            message = f"two documents are called {document.id!r}"
            raise FormatError(message)
    return taken


def _kept(partition: Partition) -> Partition:
    # Entities may be generators, and a document may be read more than once.
    if isinstance(partition, Document):
        return partition
    return [tuple(entity) for entity in partition]


def _has_documents(side: Mapping[str, Partition]) -> bool:
    return any(isinstance(partition, Document) for partition in side.values())
