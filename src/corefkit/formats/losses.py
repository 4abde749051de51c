"""What a format cannot hold: counted, and taken out of documents before writing."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING

from corefkit.formats import base
from corefkit.strings.escaping import for_terminal
from corefkit.syntax.empty_nodes import remade, without_empty_nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corefkit.formats import Format
    from corefkit.model import Document, Mention


@dataclass(slots=True)
class Losses:
    """What was written, and what of it was lost.

    Attributes:
        format: the format that was written.
        counts: how often there was each thing that it cannot hold.
        layers: the layers of tokens that it cannot hold.
        words: how many words there were, if it cannot hold words.
        wordless: how many documents came without words, if it could hold them.
        documents: how many documents were written.
        mentions: how many mentions were written.
        entities: how many entities were written.
    """

    format: Format
    counts: Counter[str] = field(default_factory=Counter)
    layers: set[str] = field(default_factory=set)
    words: int = 0
    wordless: int = 0
    documents: int = 0
    mentions: int = 0
    entities: int = 0

    def watch(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Let documents through and count what they lose."""
        carries = self.format.writer.carries
        if base.ATTRIBUTES in carries:
            carries = carries | {base.KINDS}
        lost = [name for name in base.EVERYTHING if name not in carries]
        for document in documents:
            found = contents(document)
            if base.MINIMA in self.format.writer.carries:
                # A minimum of one token is read as the head.
                found[base.HEADS] -= _heads_by_minimum(document)
            self.counts.update({name: found[name] for name in lost if found[name]})
            if not self.format.writer.words:
                self.words += len(document.words)
            elif document.entities and not document.sentences:
                self.wordless += 1
            if altered := _altered(document, self.format.writer.alters):
                self.counts[base.ALTERED] += altered
            if self.format.writer.layers is not None:
                self.layers |= document.layers.keys() - self.format.writer.layers
            rest = reduced(document, self.format.writer.carries)
            self.documents += 1
            self.mentions += sum(map(len, rest.entities))
            self.entities += len(rest.entities)
            yield rest

    def __str__(self) -> str:
        """List the losses, a line each; empty where nothing was lost."""
        lines = [f"{name}: {count} lost" for name, count in self.counts.items()]
        if self.words:
            lines.append(f"words: {self.words} lost")
        if self.layers:
            names = f"layer{'s' if len(self.layers) > 1 else ''} "
            lines.append(
                f"the {names}{for_terminal(', '.join(sorted(self.layers)))}: lost"
            )
        lines = [f"{self.format.label} cannot hold {line}" for line in lines]
        if self.wordless:
            many = f"{self.wordless} documents" if self.wordless > 1 else "a document"
            lines.append(f"the words of {many} are not known: lost")
        return "\n".join(lines)


def _altered(document: Document, marks: str | None) -> int:
    """Count the words in which a format puts other characters in place of its marks."""
    if marks is None:
        return 0
    words = document.words
    # Few documents have any, and one look at all words is faster than one at each.
    if not re.search(marks, "".join(words)):
        return 0
    return sum(re.search(marks, word) is not None for word in words)


def _heads_by_minimum(document: Document) -> int:
    mentions = chain.from_iterable(document.entities)
    return sum(mention.minimum == (mention.head, mention.head) for mention in mentions)


def contents(document: Document) -> Counter[str]:
    """Count what a document has of `EVERYTHING`.

    >>> from corefkit.model import Document, Entity, Mention
    >>> entity = Entity("1", (Mention(0, 0, head=0), Mention(2, 5, gaps=((3, 4),))))
    >>> contents(Document("d", (), (entity,)))[base.HEADS]
    1
    """
    mentions = list(chain.from_iterable(document))
    attributes = [mention.attributes.keys() for mention in mentions]
    known = {"type", "mention_type"}
    return Counter(
        {
            base.GAPS: sum(bool(mention.gaps) for mention in mentions),
            base.HEADS: sum(mention.head is not None for mention in mentions),
            base.MINIMA: sum(mention.minimum is not None for mention in mentions),
            base.ZEROS: len(document.empty),
            base.TYPES: sum("type" in names for names in attributes),
            base.KINDS: sum("mention_type" in names for names in attributes),
            base.ATTRIBUTES: sum(bool(names - known) for names in attributes),
            base.SPLITS: sum(bool(entity.split) for entity in document.entities),
            base.BRIDGES: len(document.bridges),
            base.NON_REFERRING: sum(
                not entity.referring for entity in document.entities
            ),
            base.CROSSING: len(crossing(mentions)),
            base.CROSSING_ITS_OWN: sum(map(len, _crossing_their_own(document))),
        }
    )


def reduced(document: Document, carries: frozenset[str]) -> Document:
    """Take from a document what would change its entities if it were just not written.

    Empty nodes are taken out, and mentions of nothing else with them; gaps are filled;
    entities that do not refer are left out.
    """
    if document.empty and base.ZEROS not in carries:
        document = without_empty_nodes(document)
    if base.NON_REFERRING not in carries:
        referring = tuple(entity for entity in document if entity.referring)
        document = replace(document, entities=referring)
    if base.GAPS not in carries:
        document = remade(document, lambda mention: replace(mention, gaps=()))
    if base.CROSSING not in carries:
        document = _without(document, crossing(chain.from_iterable(document)))
    if base.CROSSING_ITS_OWN not in carries:
        document = _without(document, set().union(*_crossing_their_own(document)))
    return document


def crossing(mentions: Iterable[Mention], *, touching: bool = True) -> set[Mention]:
    """Find mentions without which no two of the rest cross, nor overlap by halves.

    With `touching`, those cross too of which one ends with the first token of another.

    >>> from corefkit.model import Mention
    >>> row = Mention(0, 3), Mention(2, 5), Mention(5, 7), Mention(6, 6)
    >>> sorted(mention.start for mention in crossing(row))
    [2]
    """
    around: list[Mention] = []
    found = set()
    for mention in sorted(
        set(mentions), key=lambda mention: (mention.start, -mention.end)
    ):
        while around and around[-1].end < mention.start + (not touching):
            around.pop()
        if around and around[-1].end < mention.end:
            found.add(mention)
        else:
            around.append(mention)
    return found


def _crossing_their_own(document: Document) -> Iterator[set[Mention]]:
    for entity in document.entities:
        yield crossing(entity.mentions, touching=False)


def _without(document: Document, mentions: set[Mention]) -> Document:
    if not mentions:
        return document
    return remade(document, lambda mention: None if mention in mentions else mention)
