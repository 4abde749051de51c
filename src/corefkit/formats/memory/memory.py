"""Documents in memory, opened like a file, and partitions whose mentions are spans."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING

from corefkit.columns.of_documents import document_columns
from corefkit.exceptions import FormatError
from corefkit.formats.documents import document_words
from corefkit.formats.memory.entities import excerpt
from corefkit.formats.memory.partitions import entities_of
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from corefkit.columns import Columns
    from corefkit.formats.memory.partitions import Entities
    from corefkit.formats.source import Word

_FAR = 1 << 40  # no document has that many tokens


class MemorySource:
    """Documents of one side that are in memory already; mentions are spans.

    With `reference` documents count as the reference scorer reads their files; those
    that it reads in another way are refused.
    """

    def __init__(
        self,
        name: str,
        documents: Mapping[str, Document | Entities],
        *,
        reference: bool = False,
    ) -> None:
        self.name = name
        self.ids: Sequence[str] = list(documents)
        self._documents = list(documents.values())
        # Entities without ids cannot be known again in another document.
        self.anonymous = any(
            not isinstance(document, Document | Mapping) for document in self._documents
        )
        self.verbatim = reference and all(
            [self._is_conll(number) for number in range(len(self.ids))]
        )
        self.never_has_words = not any(
            isinstance(document, Document) for document in self._documents
        )
        self.sizes: Sequence[int] = [1] * len(self.ids)

    def close(self) -> None:
        """Hold nothing open."""

    def place(self, number: int) -> str:
        """Say where a document stands: its id, since there is no file."""
        return f"{self.name}, document {self.ids[number]!r}"

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Take the mentions of some documents, in the order asked for."""
        return document_columns([self.document(number) for number in numbers])

    def document(self, number: int) -> Document:
        """Return one document."""
        document = self._documents[number]
        if isinstance(document, Document):
            return document
        entities = [
            Entity(name, tuple(map(self._mention, mentions)))
            for name, mentions in entities_of(document)
            if mentions
        ]
        return Document(self.ids[number], (), tuple(entities))

    def _mention(self, mention: Hashable) -> Mention:
        if isinstance(mention, Mention):
            return mention
        if isinstance(mention, tuple) and len(mention) == 2:
            start, end = map(_token, mention)
            if 0 <= start <= end < _FAR:
                return Mention(start, end)
        message = f"mention {excerpt(mention)} is not a span of tokens"
        hint = (
            "beside a file, documents or `Mention` values, and in a file that is "
            "written, a mention is (first token, last token)"
        )
        raise FormatError(message, place=self.name, hint=hint)

    def comments(self) -> Iterator[str]:
        """Go through the comments above the first document."""
        for above in self.document(0).comments[:1] if self.ids else ():
            yield from above

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


def _token(value: object) -> int:
    """Return the number of a token; -1 where the value is none, as True and 1.0 are."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return -1
    return index(value)
