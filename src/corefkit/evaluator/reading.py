"""What is given to an evaluator at a time: read as `corefkit.score` reads it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import FormatError
from corefkit.formats.memory.entities import excerpt, is_plain
from corefkit.formats.memory.partitions import mentions_by_entity
from corefkit.formats.memory.shapes import (
    Corpus,
    Listing,
    Shape,
    in_memory,
    read_alike,
)
from corefkit.model import Document
from corefkit.strings.ids import canonical_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.formats.memory.partitions import Entities


class Both(NamedTuple):
    """Key and response documents that are in memory."""

    key: Corpus
    response: Corpus

    @property
    def are_named(self) -> bool:
        """Whether their ids were given."""
        return self.key.named or self.response.named

    @property
    def are_partitions(self) -> bool:
        """Whether both have the same documents, and mentions that are names."""
        ids = list(self.key.documents)
        if ids != list(self.response.documents):
            return False
        if len(ids) > 1 and len({*map(canonical_id, ids)}) < len(ids):
            return False
        return not self.key.has_spans and not self.response.has_spans

    def called(self, name: str) -> Both:
        """Give the one document of each side another id."""
        key, response = (
            Corpus(dict.fromkeys([name], document))
            for side in self
            for document in side.documents.values()
        )
        return Both(key, response)

    def numbered_from(self, first: int) -> Both:
        """Number documents without ids from some number on."""
        key, response = (_numbered(side, first) for side in self)
        return Both(key, response)


def in_memory_both(
    key: object, response: object, *, single: bool, usual: Shape | None
) -> Both | None:
    """Read a key and a response that are in memory; None where one is not.

    Args:
        key: what the user gives as the key.
        response: what the user gives as the response.
        single: whether it must be one document.
        usual: what lists were before, for lists without mentions; None if that is open.
    """
    if any(map(_is_stored, (key, response))):
        return None
    sides = [in_memory(key, "key"), in_memory(response, "response")]
    if single:
        _refuse_several((key, response), sides)
        usual = Shape.PARTITION
    elif usual is None:
        _refuse_open(sides)
    if usual is not None and all(map(_is_empty, sides)):
        sides.append(Listing("earlier updates", (), ordered=True, shape=usual))
    read = read_alike(sides)
    return Both(read[0], read[1])


def _is_empty(side: Corpus | Listing) -> bool:
    """Say whether a list has no mention that would tell what it is."""
    return isinstance(side, Listing) and side.shape is Shape.EMPTY


def _refuse_open(sides: Sequence[Corpus | Listing]) -> None:
    """Refuse lists of empty lists: are these entities, or documents?"""
    lists = [side for side in sides if isinstance(side, Listing)]
    if all(map(_is_empty, sides)) and any(side.parts for side in lists):
        message = "this can be one document, and it can be a list of documents"
        hint = "name the documents: {'document': [[mention, ...], ...], ...}"
        raise FormatError(message, place="key", hint=hint)


def id_of(document: object) -> str:
    """Return the id that a user gives to a document.

    >>> id_of(12)
    '12'
    """
    if isinstance(document, str) or hasattr(document, "__index__"):
        return str(document)
    message = f"found {excerpt(document)}, expected the id of a document"
    raise FormatError(message, place="document")


def shape_of(both: Both) -> Shape:
    """Say what lists are in which documents without ids come."""
    return Shape.DOCUMENTS if both.key.numbered else Shape.PARTITION


def mentions_in(documents: Mapping[str, Document | Entities]) -> int:
    """Count the mentions of documents."""
    entities = chain.from_iterable(map(mentions_by_entity, documents.values()))
    return sum(map(len, entities))


def _numbered(side: Corpus, first: int) -> Corpus:
    if side.named:
        return side
    documents: Sequence[Document | Entities] = list(side.documents.values())
    numbers = map(str, range(first, first + len(documents)))
    return replace(side, documents=dict(zip(numbers, documents, strict=True)))


def _is_stored(side: object) -> bool:
    """Say whether a side is a file or a table, which are opened and then read."""
    if isinstance(side, str | os.PathLike):
        return True
    if is_plain(side):
        return False
    from corefkit.formats.tables.frames import frame_of

    return frame_of(side, "key") is not None


def _refuse_several(given: Sequence[object], sides: Sequence[Corpus | Listing]) -> None:
    """Refuse more than the one document that is named, and ids beside its name."""
    for role, value, side in zip(("key", "response"), given, sides, strict=True):
        if isinstance(side, Listing):
            several = side.shape is Shape.DOCUMENTS
        else:
            documents = list(side.documents.values())
            several = len(documents) != 1 or not isinstance(documents[0], Document)
        if several:
            kind = "a mapping" if isinstance(value, Mapping) else "several documents"
            message = f"found {kind}, expected the one document that is named"
            hint = "a batch of documents is {id: [[mention, ...], ...], ...}"
            raise FormatError(message, place=role, hint=hint)
