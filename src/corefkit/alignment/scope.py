"""Entities across documents: the documents of a topic, or all, taken as one.

Entities with the same id are one entity, whichever documents their mentions are in.
Cross-document corpora (ECB+) use ids in this way; asking for it with other files says
that their ids hold across documents too.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from corefkit.columns.of_documents import document_columns
from corefkit.exceptions import PairingError, quoted
from corefkit.model import Bridge, Document, Entity, Mention
from corefkit.settings import by_choice
from corefkit.strings.ids import canonical_id
from corefkit.syntax.empty_nodes import without_empty_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.alignment.pairing import Pair
    from corefkit.columns import Columns
    from corefkit.formats.source import Source, Word
    from corefkit.settings import Settings


# What matching asks of layers, and what stands for nothing in each.
_LAYERS = {"deps": "_", "parse": "*", "xpos": "_"}


def scoped(
    key: Source, response: Source, pairs: Sequence[Pair], settings: Settings
) -> tuple[ScopedSource, ScopedSource]:
    """Take the documents of each topic, or all, as one, on both sides."""
    for side in (key, response):
        if getattr(side, "anonymous", False) and len(side.ids) > 1:
            message = "entities have no ids to know them by in other documents"
            hint = "give their ids: {document: {entity: [mention, ...], ...}, ...}"
            raise PairingError(message, place=side.name, hint=hint)
    topics: dict[str, list[Pair]] = {}
    for pair in pairs:
        name = "corpus"
        if by_choice(settings, "scope", {"topic": True, "corpus": False}):
            name = topic(key.ids[pair.key], key.place(pair.key))
        topics.setdefault(name, []).append(pair)
    sides = {"key": key, "response": response}
    return (
        ScopedSource("key", sides, topics, settings),
        ScopedSource("response", sides, topics, settings),
    )


def topic(document_id: str, place: str | None = None) -> str:
    """Find the topic of a document: its folder, or its id up to the first underscore.

    >>> topic("36/36_1ecb"), topic("36_1ecb"), topic("(36_1ecb); part 000")
    ('36', '36', '36')
    """
    name = canonical_id(document_id)
    folder, slash, _ = name.rpartition("/")
    if slash:
        return folder
    first, underscore, _ = name.partition("_")
    if not underscore:
        message = f"document {quoted(document_id)} names no topic"
        hint = "a topic is an id up to its last slash, or to its first underscore"
        raise PairingError(message, place=place, hint=hint)
    return first


class ScopedSource:
    """One side of a corpus, several of its documents taken as one.

    A document that the response lacks has the key's words there, and no mentions.
    """

    def __init__(
        self,
        role: str,
        sides: Mapping[str, Source],
        topics: Mapping[str, Sequence[Pair]],
        settings: Settings,
    ) -> None:
        self._role = role
        self._sides = sides
        self._source = sides[role]
        self._topics = list(topics.values())
        self.name = self._source.name
        self.verbatim = False
        self._same_lengths = settings.reads_as_reference
        self.ids = list(topics)
        sizes = sides["key"].sizes
        self.sizes = [
            sum(sizes[member.key] for member in members) for members in self._topics
        ]

    def close(self) -> None:
        """Leave the files to whoever opened them."""

    def place(self, number: int) -> str:
        """Say where the first document of a topic begins."""
        source, inside = self._first(self._topics[number][0])
        return source.place(inside)

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some topics, in the order asked for."""
        return document_columns([self.document(number) for number in numbers])

    def document(self, number: int) -> Document:
        """Read the documents of a topic as one."""
        members = [self._both(member) for member in self._topics[number]]
        mine = 0 if self._role == "key" else 1
        lengths = [_length(*pair) for pair in members]
        if self._same_lengths:
            self._check_lengths(self._topics[number], members, lengths)
        return joined_documents(
            self.ids[number],
            [pair[mine] for pair in members],
            [length[mine] for length in lengths],
        )

    def _check_lengths(
        self,
        members: Sequence[Pair],
        documents: Sequence[tuple[Document, Document]],
        lengths: Sequence[tuple[int, int]],
    ) -> None:
        """Refuse texts that would set the documents behind them at other tokens.

        Elsewhere texts are compared; the reference scorer does not compare them.
        """
        for member, pair, length in zip(members, documents, lengths, strict=True):
            wanted, found = (
                all_tokens - len(document.empty)
                for document, all_tokens in zip(pair, length, strict=True)
            )
            if wanted != found and member.response is not None:
                key, response = self._sides["key"], self._sides["response"]
                message = (
                    f"document {quoted(key.ids[member.key])} has {found} tokens, "
                    f"expected {wanted} as in {key.place(member.key)}"
                )
                hint = "documents of a topic are scored as one: they need the same text"
                place = response.place(member.response)
                raise PairingError(message, place=place, hint=hint)

    def is_running(self, number: int) -> bool:
        """Say whether a document of the topic is running text."""
        firsts = map(self._first, self._topics[number])
        return any(source.is_running(inside) for source, inside in firsts)

    def words(self, number: int) -> Iterator[Word]:
        """Go through the words of a topic's documents."""
        firsts = map(self._first, self._topics[number])
        return chain.from_iterable(source.words(inside) for source, inside in firsts)

    def _first(self, member: Pair) -> tuple[Source, int]:
        if self._role == "response" and member.response is not None:
            return self._source, member.response
        return self._sides["key"], member.key

    def _both(self, member: Pair) -> tuple[Document, Document]:
        key = self._sides["key"].document(member.key)
        if member.response is None:
            bare = replace(key, entities=(), bridges=())
            return key, without_empty_nodes(bare)
        return key, self._sides["response"].document(member.response)


def _length(key: Document, response: Document) -> tuple[int, int]:
    """Count the tokens of a document on both sides.

    A side without words has as many as the other.
    """
    documents = key, response
    counts = [sum(map(len, document.sentences)) for document in documents]
    if all(counts):
        return counts[0], counts[1]
    # Without words, a document is as long as its last mention says.
    longest = max(*counts, *map(_reach, documents))
    empty = len(key.empty), len(response.empty)
    return longest + empty[0] - max(empty), longest + empty[1] - max(empty)


def _reach(document: Document) -> int:
    mentions = chain.from_iterable(document.entities)
    return max((mention.end + 1 for mention in mentions), default=0)


def joined_documents(
    name: str, documents: Sequence[Document], lengths: Sequence[int]
) -> Document:
    """Set documents one behind the other; entities with the same id become one.

    >>> one = Document("1", (("a",),), (Entity("x", (Mention(0, 0),)),))
    >>> joined_documents("both", [one, one], [1, 1]).entities[0].mentions
    (Mention(start=0, end=0), Mention(start=1, end=1))
    """
    entities: dict[str, Entity] = {}
    empty: list[int] = []
    bridges: list[Bridge] = []
    offset = 0
    for document, length in zip(documents, lengths, strict=True):
        for entity in document.entities:
            mentions = tuple(_shifted(mention, offset) for mention in entity.mentions)
            known = entities.get(entity.id, Entity(entity.id, (), (), entity.referring))
            entities[entity.id] = replace(
                known,
                mentions=known.mentions + mentions,
                split=tuple(dict.fromkeys(known.split + entity.split)),
            )
        empty.extend(token + offset for token in document.empty)
        bridges.extend(_shifted_bridge(bridge, offset) for bridge in document.bridges)
        offset += length
    sentences: tuple[tuple[str, ...], ...] = ()
    if all(document.sentences for document in documents):
        sentences = tuple(chain(*(document.sentences for document in documents)))
    return Document(
        name,
        sentences,
        tuple(entities.values()),
        tuple(empty),
        tuple(bridges),
        _joined_layers(documents),
    )


def _joined_layers(documents: Sequence[Document]) -> dict[str, tuple[str, ...]]:
    """Keep what matching asks of layers: what empty nodes depend on, and trees.

    A document without dependencies has none on its tokens; without a tree in one of
    the documents there is none to look into.
    """
    layers = {}
    for name, nothing in _LAYERS.items():
        if any(name in document.layers for document in documents):
            layers[name] = tuple(
                chain.from_iterable(
                    document.layers.get(name, (nothing,) * len(document.tokens))
                    for document in documents
                )
            )
    if not all("parse" in document.layers for document in documents):
        layers.pop("parse", None)
    return layers


def _shifted_bridge(bridge: Bridge, offset: int) -> Bridge:
    mention = bridge.mention and _shifted(bridge.mention, offset)
    return bridge._replace(anaphor=_shifted(bridge.anaphor, offset), mention=mention)


def _shifted(mention: Mention, offset: int) -> Mention:
    head, minimum = mention.head, mention.minimum
    return Mention(
        mention.start + offset,
        mention.end + offset,
        tuple((start + offset, end + offset) for start, end in mention.gaps),
        None if head is None else head + offset,
        None if minimum is None else (minimum[0] + offset, minimum[1] + offset),
        mention.attributes,
    )
