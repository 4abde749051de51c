"""What readers return to people: documents, their entities and mentions.

These are values for looking at. Scoring does not build them: it works on the
columns of `corefkit.columns`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class Mention(NamedTuple):
    """A span of tokens: the document's token numbers from 0, both ends included.

    >>> Mention(3, 5)
    Mention(start=3, end=5)
    """

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Entity:
    """The mentions that speak of one thing, in the order of the file.

    >>> entity = Entity("7", (Mention(0, 1), Mention(4, 4)))
    >>> len(entity), [mention.start for mention in entity]
    (2, [0, 4])
    """

    id: str
    mentions: tuple[Mention, ...]

    def __iter__(self) -> Iterator[Mention]:
        """Go through the mentions, so that entities are partitions' blocks."""
        return iter(self.mentions)

    def __len__(self) -> int:
        """Count the mentions."""
        return len(self.mentions)


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its entities; `sentences` is empty where the file has no words.

    >>> document = Document("d", (("Ann", "left"),), (Entity("1", (Mention(0, 0),)),))
    >>> document.tokens, document.text(Mention(0, 1)), len(document)
    (('Ann', 'left'), 'Ann left', 1)
    """

    id: str
    sentences: tuple[tuple[str, ...], ...]
    entities: tuple[Entity, ...]

    def __iter__(self) -> Iterator[Entity]:
        """Go through the entities, so that a document is a partition."""
        return iter(self.entities)

    def __len__(self) -> int:
        """Count the entities."""
        return len(self.entities)

    @property
    def tokens(self) -> tuple[str, ...]:
        """All words of the document in order."""
        return tuple(word for sentence in self.sentences for word in sentence)

    def text(self, mention: Mention) -> str:
        """Give the words of a mention, joined by blanks."""
        words = chain.from_iterable(self.sentences)
        return " ".join(islice(words, mention.start, mention.end + 1))
