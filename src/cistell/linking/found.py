"""Mentions that a tagger found, with the entities of the key: to learn to link them.

What a tagger finds are other mentions than the key has. A linker that meets them should
have learned from them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cistell.table import annotated
from corefkit.model import Entity, Mention
from corefkit.syntax.dependencies import build_syntax, find_head

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from corefkit.model import Document
    from corefkit.syntax.dependencies import Syntax


def with_found(document: Document, mentions: Iterable[Mention]) -> Document:
    """Replace the mentions of a key by those that were found.

    A found mention belongs to the entity of the key's mention with the same words; else
    to that of one with the same head that was not found itself, the most alike in
    length; else it is alone.
    """
    found = list(mentions)
    key = annotated(document)
    spans = {_span(mention): entity for mention, entity in key.items()}
    missed = _missed(document, key, {*map(_span, found)})
    syntax = build_syntax(document)
    entities: dict[Hashable, list[Mention]] = {}
    for mention in found:
        entity: Hashable = ("alone", _span(mention))
        if _span(mention) in spans:
            entity = spans[_span(mention)]
        elif others := missed.get(_head(mention, syntax)):
            nearest = min(others, key=lambda other: abs(_size(other) - _size(mention)))
            others.remove(nearest)
            entity = key[nearest]
        entities.setdefault(entity, []).append(mention)
    rows = (Entity(f"e{at}", tuple(row)) for at, row in enumerate(entities.values(), 1))
    return replace(document, entities=tuple(rows), bridges=())


def _missed(
    document: Document,
    key: Mapping[Mention, Hashable],
    found: set[tuple[object, ...]],
) -> dict[int | None, list[Mention]]:
    """Return the mentions of the key that were not found, by their heads."""
    syntax = build_syntax(document)
    rows: dict[int | None, list[Mention]] = {}
    for mention in key:
        if _span(mention) not in found:
            rows.setdefault(_head(mention, syntax), []).append(mention)
    return rows


def _span(mention: Mention) -> tuple[object, ...]:
    return mention.start, mention.end, mention.gaps


def _size(mention: Mention) -> int:
    return mention.end - mention.start


def _head(mention: Mention, syntax: Syntax | None) -> int | None:
    # From the document's tree, whatever the mention names: one rule for both.
    return None if syntax is None else find_head(replace(mention, head=None), syntax)
