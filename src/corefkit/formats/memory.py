"""Partitions and documents in memory, opened like a file.

Mentions are spans where one side is a file or has documents; between two plain
partitions they are whatever can be hashed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, SupportsIndex, cast

import numpy as np

from corefkit.columns import Columns
from corefkit.exceptions import FormatError
from corefkit.formats.words import fingerprint
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from typing import TypeAlias

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
        self.verbatim = False
        self.ids: Sequence[str] = list(documents)
        self._partitions = list(documents.values())
        self._names = names
        self.sizes: Sequence[int] = [1] * len(self.ids)

    def close(self) -> None:
        """Hold nothing open."""

    def place(self, number: int) -> str:
        """Say where a document stands: its id, since there is no file."""
        return f"{self.name}, document {self.ids[number]!r}"

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Number the mentions of some documents, in the order asked for."""
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
        start, end = self._places(mentions)
        texts = [self._tokens(number) for number in numbers]
        return Columns(
            entity=np.repeat(np.arange(len(sizes)), np.array(sizes, np.int64)),
            start=start,
            end=end,
            entity_document=np.array(documents, np.int64),
            tokens=np.array([len(text) or -1 for text in texts], np.int64),
            fingerprint=np.array([fingerprint(text) for text in texts], np.uint64),
            names=None if self._names is None else list(self._names),
        )

    def _places(
        self, mentions: list[Hashable]
    ) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], ...]:
        if self._names is None:
            spans = np.array([self._span(mention) for mention in mentions], np.int64)
            return spans.reshape(-1, 2)[:, 0], spans.reshape(-1, 2)[:, 1]
        names = self._names
        try:
            numbers = [names.setdefault(mention, len(names)) for mention in mentions]
        except TypeError:
            # Lists, as JSON has them, are taken as the tuples they stand for.
            frozen = [_frozen(mention) for mention in mentions]
            numbers = [names.setdefault(mention, len(names)) for mention in frozen]
        places = np.array(numbers, np.int64)
        return places, places

    def _span(self, mention: object) -> tuple[int, int]:
        try:
            start, end = map(index, cast("Iterable[SupportsIndex]", mention))
        except (TypeError, ValueError):
            start, end = -1, -1
        if 0 <= start <= end:
            return start, end
        message = f"mention {mention!r} is not a span of tokens"
        hint = "beside a file or documents, a mention is (first token, last token)"
        raise FormatError(message, place=self.name, hint=hint)

    def _tokens(self, number: int) -> tuple[str, ...]:
        partition = self._partitions[number]
        return partition.tokens if isinstance(partition, Document) else ()

    def document(self, number: int) -> Document:
        """Give one document as an object; mentions that are no spans are numbered."""
        partition = self._partitions[number]
        if isinstance(partition, Document):
            return partition
        columns = self.columns([number])
        spans = map(Mention, columns.start.tolist(), columns.end.tolist())
        grouped: dict[int, list[Mention]] = {}
        for entity, span in zip(columns.entity.tolist(), spans, strict=True):
            grouped.setdefault(entity, []).append(span)
        entities = [Entity(str(name), tuple(spans)) for name, spans in grouped.items()]
        return Document(self.ids[number], (), tuple(entities))

    def words(self, number: int) -> Iterator[Word]:
        """Go through the words of a document; all are at the document's place."""
        from corefkit.formats.source import Word

        place = self.place(number)
        return (Word(word, place) for word in self._tokens(number))


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
