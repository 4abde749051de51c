"""Partitions and documents in memory, opened like a file.

Mentions are spans where one side is a file or has documents; between two plain
partitions they are whatever can be hashed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import index
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import empty_columns
from corefkit.columns.of_documents import document_columns
from corefkit.exceptions import FormatError
from corefkit.formats.documents import document_words
from corefkit.formats.memory.kinds import shown
from corefkit.formats.memory.shapes import entities_of, mentions_by_entity, partition
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from corefkit.columns import Columns, Ints
    from corefkit.formats.memory.shapes import Entities
    from corefkit.formats.source import Word

_FAR = 1 << 40  # no document has that many tokens


# Both sides number their mentions in one place, each in a thread of its own.
_NUMBERING = Lock()


class MemorySource:
    """Documents of one side that are in memory already.

    Args:
        name: what to call the input in messages.
        documents: the document of each id, or its entities.
        names: where mentions of any kind are numbered, shared by both sides; None where
            mentions are spans.
        reference: whether documents count as the reference scorer reads their files;
            those that it reads in another way are refused.
    """

    def __init__(
        self,
        name: str,
        documents: Mapping[str, Document | Entities],
        names: dict[Hashable, int] | None,
        *,
        reference: bool = False,
    ) -> None:
        self.name = name
        self.ids: Sequence[str] = list(documents)
        self._documents = list(documents.values())
        # Entities without ids cannot be known again in another document.
        self.anonymous = any(
            not isinstance(one, Document | Mapping) for one in self._documents
        )
        self.verbatim = reference and all(
            [self._is_conll(number) for number in range(len(self.ids))]
        )
        self._names = names
        self.never_has_words = not any(
            isinstance(one, Document) for one in self._documents
        )
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
            for entity in mentions_by_entity(self._documents[number]):
                before = len(mentions)
                mentions.extend(entity)
                if len(mentions) > before:
                    sizes.append(len(mentions) - before)
                    documents.append(document)
        with _NUMBERING:
            places, names = self._places(mentions, self._names), list(self._names)
        return replace(
            empty_columns(len(numbers)),
            entity=np.repeat(np.arange(len(sizes)), np.array(sizes, np.int64)),
            start=places,
            end=places,
            entity_document=np.array(documents, np.int64),
            names=names,
        )

    @staticmethod
    def _places(mentions: Sequence[Hashable], names: dict[Hashable, int]) -> Ints:
        numbers = [names.setdefault(mention, len(names)) for mention in mentions]
        return np.array(numbers, np.int64)

    def _mention(self, mention: Hashable) -> Mention:
        if isinstance(mention, Mention):
            return mention
        if isinstance(mention, tuple) and len(mention) == 2:
            start, end = map(_token, mention)
            if 0 <= start <= end < _FAR:
                return Mention(start, end)
        message = f"mention {shown(mention)} is not a span of tokens"
        hint = (
            "beside a file, documents or `Mention` values, and in a file that is "
            "written, a mention is (first token, last token)"
        )
        raise FormatError(message, place=self.name, hint=hint)

    def document(self, number: int) -> Document:
        """Give one document as an object; mentions that are no spans are numbered."""
        document = self._documents[number]
        if isinstance(document, Document):
            return document
        entities: list[Entity] = []
        for name, entity in entities_of(document):
            if self._names is None:
                mentions = [self._mention(mention) for mention in entity]
            else:
                places = self._places(entity, self._names).tolist()
                mentions = [Mention(place, place) for place in places]
            if mentions:
                entities.append(Entity(name, tuple(mentions)))
        return Document(self.ids[number], (), tuple(entities))

    def is_running(self, number: int) -> bool:
        """Say whether a document was read from running text."""
        return self._origin(number) == "running"

    def _origin(self, number: int) -> str:
        document = self._documents[number]
        return document.origin if isinstance(document, Document) else ""

    def _is_conll(self, number: int) -> bool:
        if self._origin(number) == "strict":
            message = "the reference scorer reads the file of this document another way"
            hint = "give the file itself, not what was read from it, to this preset"
            raise FormatError(message, place=self.place(number), hint=hint)
        return self._origin(number) == "conll"

    def words(self, number: int) -> Iterator[Word]:
        """Go through the words of a document; all are at the document's place."""
        place = self.place(number)
        return document_words(self.document(number), lambda _: place)


def partition_sources(
    key: Mapping[str, object], response: Mapping[str, object]
) -> tuple[MemorySource, MemorySource]:
    """Open two corpora of plain partitions, whose mentions are compared as they are."""
    names: dict[Hashable, int] = {}
    sides = {"key": key, "response": response}
    one, other = (
        MemorySource(
            role, {name: partition(one, role) for name, one in side.items()}, names
        )
        for role, side in sides.items()
    )
    return one, other


def _token(value: object) -> int:
    """Give the number of a token; -1 where the value is none, as True and 1.0 are."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return -1
    return index(value)
