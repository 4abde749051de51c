"""Mentions that were found, in the entities that a corpus has them in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Sequence


def labelled(document: Document, found: Sequence[Mention]) -> Document:
    """Put mentions that were found into the entities of a document's own mentions.

    A mention belongs to the entity of the mention with its span or, if there is none,
    of a mention with its head that was not found; any other is an entity of its own.

    >>> key = Entity("e", (Mention(0, 1, head=1), Mention(3, 3, head=3)))
    >>> document = Document("d", (("a", "cat", "saw", "it", "."),), (key,))
    >>> spans = [Mention(1, 1, head=1), Mention(3, 3, head=3), Mention(4, 4, head=4)]
    >>> [len(entity) for entity in labelled(document, spans)]
    [2, 1]
    """
    spans: dict[Mention, int] = {}
    for number, entity in enumerate(document.entities):
        # What does not refer is alone, as what was found by mistake is.
        for mention in entity if entity.referring else ():
            spans.setdefault(mention, number)
    there = {*found}
    heads: dict[int, int] = {}
    for mention, number in spans.items():
        if mention.head is not None and mention not in there:
            heads.setdefault(mention.head, number)
    groups: dict[int | Mention, list[Mention]] = {}
    for mention in found:
        known = spans.get(mention)
        if known is None and mention.head is not None:
            known = heads.pop(mention.head, None)
        groups.setdefault(mention if known is None else known, []).append(mention)
    entities = tuple(
        Entity(f"e{number}", tuple(mentions))
        for number, mentions in enumerate(groups.values(), 1)
    )
    return replace(document, entities=entities, bridges=())
