"""Entity types of mentions that have none, as a network sees their heads."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cistell.profiles import ENTITY_TYPES
from corefkit.syntax.dependencies import build_syntax, find_head

if TYPE_CHECKING:
    from cistell.evidence import Evidence
    from corefkit.model import Document, Mention


def with_types(document: Document, evidence: Evidence) -> Document:
    """Give the likeliest types of their heads to mentions that have no types.

    A linker that learned with types of a network decides worse without any.
    """
    mentions = [mention for entity in document for mention in entity]
    if all("type" in mention.attributes for mention in mentions):
        return document
    likeliest = (evidence.types[:, 1:].argmax(axis=1) + 1).tolist()
    syntax = build_syntax(document)

    def typed(mention: Mention) -> Mention:
        if "type" in mention.attributes:
            return mention
        head = mention.head
        if head is None:
            head = mention.end if syntax is None else find_head(mention, syntax)
        name = ENTITY_TYPES[likeliest[head]]
        return replace(mention, attributes={**mention.attributes, "type": name})

    entities = tuple(
        replace(entity, mentions=tuple(map(typed, entity))) for entity in document
    )
    return replace(document, entities=entities)
