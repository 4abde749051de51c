"""Documents set one behind the other, as objects: what people look at.

Columns have the same mentions at the same tokens, see `columns` beside this file.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from corefkit.model import Bridge, Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

# What matching asks of layers, and what stands for nothing in each.
_LAYERS = {"deps": "_", "parse": "*", "xpos": "_"}


def document_lengths(key: Document, response: Document) -> tuple[int, int]:
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
    mentions: dict[str, list[Mention]] = {}
    split: dict[str, dict[str, None]] = {}
    referring: dict[str, bool] = {}
    empty: list[int] = []
    bridges: list[Bridge] = []
    offset = 0
    for document, length in zip(documents, lengths, strict=True):
        for entity in document.entities:
            referring.setdefault(entity.id, entity.referring)
            split.setdefault(entity.id, {}).update(dict.fromkeys(entity.split))
            mentions.setdefault(entity.id, []).extend(
                _shifted(mention, offset) for mention in entity.mentions
            )
        empty.extend(token + offset for token in document.empty)
        bridges.extend(_shifted_bridge(bridge, offset) for bridge in document.bridges)
        offset += length
    sentences: tuple[tuple[str, ...], ...] = ()
    if all(document.sentences for document in documents):
        sentences = tuple(chain(*(document.sentences for document in documents)))
    entities = [
        Entity(called, tuple(mentions[called]), tuple(split[called]), referring[called])
        for called in mentions
    ]
    return Document(
        name,
        sentences,
        tuple(entities),
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
