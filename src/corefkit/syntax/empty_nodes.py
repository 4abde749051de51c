"""Documents without their empty nodes, and with other mentions than they have."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefkit.model import Document


def without_empty_nodes(document: Document) -> Document:
    """Take the empty nodes out of a document, and number its tokens anew.

    >>> from corefkit.model import Document, Entity, Mention
    >>> first = Entity("1", (Mention(0, 0), Mention(0, 2)))
    >>> entities = first, Entity("2", (Mention(1, 1),))
    >>> document = Document("d", (("_", "rains", "here"),), entities, empty=(0,))
    >>> [entity.mentions[0].start for entity in without_empty_nodes(document)]
    [0, 0]
    """
    empty = set(document.empty)
    said = (token for token in range(len(document.tokens)) if token not in empty)
    number = {token: new for new, token in enumerate(said)}

    def moved(mention: Mention) -> Mention | None:
        tokens = [number[token] for token in mention.tokens if token in number]
        if not tokens:
            return None
        minimum = [number[token] for token in mention.minimum or () if token in number]
        return Mention.of(
            tokens,
            head=None if mention.head is None else number.get(mention.head),
            minimum=(minimum[0], minimum[-1]) if minimum else None,
            attributes=mention.attributes,
        )

    tokens = count()
    return replace(
        remade(document, moved),
        sentences=tuple(
            tuple(word for word in sentence if next(tokens) in number)
            for sentence in document.sentences
        ),
        empty=(),
        layers={
            name: tuple(value for token, value in enumerate(layer) if token in number)
            for name, layer in document.layers.items()
        },
    )


def remade(document: Document, remake: Callable[[Mention], Mention | None]) -> Document:
    """Replace the mentions of a document, or leave them out where there is None."""
    made: dict[Mention, Mention] = {}
    entities = []
    for entity in document.entities:
        mentions = []
        for mention in entity.mentions:
            new = remake(mention)
            if new is not None:
                made[mention] = new
                mentions.append(new)
        if mentions:
            entities.append(replace(entity, mentions=tuple(mentions)))
    bridges = [
        bridge._replace(
            anaphor=made[bridge.anaphor],
            mention=made.get(bridge.mention) if bridge.mention else None,
        )
        for bridge in document.bridges
        if bridge.anaphor in made
    ]
    return replace(document, entities=tuple(entities), bridges=tuple(bridges))
