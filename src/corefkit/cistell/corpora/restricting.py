"""Documents with fewer mentions, and how many were dropped for which reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.cistell.corpora.loss import Loss, loss_between
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Iterable

REPEATED = "stands in an earlier entity too"

# Returns why a mention is dropped, in words that follow "it"; empty to keep it.
Reason: TypeAlias = Callable[[Mention], str]


class Mapped(NamedTuple):
    """A document in a scheme, and what mapping it dropped and added."""

    document: Document
    loss: Loss


def restricted(document: Document, reason: Reason) -> Mapped:
    """Drop the mentions that there is a reason to drop.

    Repeated spans are dropped too, and so are entities without mentions and links to
    them.
    """
    seen: set[Mention] = set()
    dropped: Counter[str] = Counter()
    entities: list[Entity] = []
    for entity in document.entities:
        mentions: list[Mention] = []
        for mention in entity.mentions:
            why = REPEATED if mention in seen else reason(mention)
            if why:
                dropped[why] += 1
            else:
                seen.add(mention)
                mentions.append(mention)
        if mentions:
            entities.append(replace(entity, mentions=tuple(mentions)))
    after = _with_links(document, entities, seen)
    return Mapped(after, loss_between(document, [after], dropped=dropped))


def _with_links(
    document: Document, entities: Iterable[Entity], mentions: set[Mention]
) -> Document:
    """Give a document other entities, and keep the links between them."""
    row = tuple(entities)
    ids = {entity.id for entity in row}
    bridges = (
        bridge._replace(mention=bridge.mention if bridge.mention in mentions else None)
        for bridge in document.bridges
        if bridge.anaphor in mentions and bridge.antecedent in ids
    )
    return replace(
        document,
        entities=tuple(
            replace(entity, split=tuple(id for id in entity.split if id in ids))
            for entity in row
        ),
        bridges=tuple(bridges),
    )
