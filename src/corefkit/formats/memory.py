"""Partitions and documents in memory, opened like a file.

Mentions are spans where one side is a file or has documents; between two plain
partitions they are whatever can be hashed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import index
from typing import TYPE_CHECKING, SupportsIndex, cast

import numpy as np

from corefkit.columns import empty_columns
from corefkit.exceptions import FormatError
from corefkit.formats.documents import document_columns, document_words
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from typing import TypeAlias

    from corefkit.columns import Columns, Ints
    from corefkit.formats.source import Word

    Partition: TypeAlias = Iterable[Iterable[Hashable]]


class MemorySource:
    """Documents of one side that are in memory already.

    Args:
        name: what to call the input in messages.
        documents: the partition, or document, of each id.
        names: where mentions of any kind are numbered, shared by both sides; None where
            mentions are spans.
    """

    def __init__(
        self,
        name: str,
        documents: Mapping[str, Partition],
        names: dict[Hashable, int] | None,
    ) -> None:
        self.name = name
        self.verbatim = self.running = False
        self.ids: Sequence[str] = list(documents)
        self._partitions = list(documents.values())
        self._names = names
        kinds = {isinstance(one, Document) for one in self._partitions}
        self.never_has_words = True not in kinds
        self.sizes: Sequence[int] = [1] * len(self.ids)

    def close(self) -> None:
        """Hold nothing open."""

    def place(self, number: int) -> str:
        """Say where a document stands: its id, since there is no file."""
        return f"{self.name}, document {self.ids[number]!r}"

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Number the mentions of some documents, in the order asked for."""
        if self._names is None:
            return document_columns([self.document(number) for number in numbers])
        sizes: list[int] = []
        documents: list[int] = []
        mentions: list[Hashable] = []
        for document, number in enumerate(numbers):
            for entity in self._partitions[number]:
                before = len(mentions)
                mentions.extend(entity)
                if len(mentions) > before:
                    sizes.append(len(mentions) - before)
                    documents.append(document)
        places = self._places(mentions, self._names)
        return replace(
            empty_columns(len(numbers)),
            entity=np.repeat(np.arange(len(sizes)), np.array(sizes, np.int64)),
            start=places,
            end=places,
            entity_document=np.array(documents, np.int64),
            names=list(self._names),
        )

    @staticmethod
    def _places(mentions: list[Hashable], names: dict[Hashable, int]) -> Ints:
        try:
            numbers = [names.setdefault(mention, len(names)) for mention in mentions]
        except TypeError:
            # Lists, as JSON has them, are taken as the tuples they stand for.
            frozen = [_frozen(mention) for mention in mentions]
            numbers = [names.setdefault(mention, len(names)) for mention in frozen]
        return np.array(numbers, np.int64)

    def _mention(self, mention: object) -> Mention:
        if isinstance(mention, Mention):
            return mention
        try:
            start, end = map(index, cast("Iterable[SupportsIndex]", mention))
        except (TypeError, ValueError):
            start, end = -1, -1
        if 0 <= start <= end:
            return Mention(start, end)
        message = f"mention {mention!r} is not a span of tokens"
        hint = "beside a file or documents, a mention is (first token, last token)"
        raise FormatError(message, place=self.name, hint=hint)

    def document(self, number: int) -> Document:
        """Give one document as an object; mentions that are no spans are numbered."""
        partition = self._partitions[number]
        if isinstance(partition, Document):
            return partition
        names: dict[Hashable, int] = {}
        entities: list[Entity] = []
        for entity in partition:
            if self._names is None:
                mentions = [self._mention(mention) for mention in entity]
            else:
                places = self._places(list(entity), names).tolist()
                mentions = [Mention(place, place) for place in places]
            if mentions:
                entities.append(Entity(str(len(entities)), tuple(mentions)))
        return Document(self.ids[number], (), tuple(entities))

    def words(self, number: int) -> Iterator[Word]:
        """Go through the words of a document; all are at the document's place."""
        place = self.place(number)
        return document_words(self.document(number), lambda _: place)


def partition_sources(
    key: Mapping[str, Partition], response: Mapping[str, Partition]
) -> tuple[MemorySource, MemorySource]:
    """Open two corpora of plain partitions, whose mentions are compared as they are."""
    names: dict[Hashable, int] = {}
    return MemorySource("key", key, names), MemorySource("response", response, names)


def _frozen(mention: object) -> Hashable:
    if isinstance(mention, Hashable):
        try:
            hash(mention)
        except TypeError:
            pass
        else:
            return mention
    if isinstance(mention, Iterable):
        return tuple(_frozen(part) for part in mention)
    message = f"mention {mention!r} cannot be hashed"
    raise FormatError(message, hint="a mention is a span, a string or a number")
