"""What of a side is scored: entities that refer, each mention in one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from corefkit.columns import Columns, Flags, Ints
    from corefkit.model import Mention


class Scored(NamedTuple):
    """Mentions that are scored, and their order by position where that is known."""

    columns: Columns
    order: Ints | None

    def keep(self, mentions: Flags) -> Scored:
        """Keep only the flagged mentions."""
        order = self.order
        if order is not None:
            order = (np.cumsum(mentions) - 1)[order[mentions[order]]]
        return Scored(self.columns.keep(mentions), order)


def referring(columns: Columns) -> Columns:
    """Leave out entities that do not refer."""
    if columns.details is None or columns.details.referring.all():
        return columns
    return columns.keep(columns.details.referring[columns.entity])


def in_larger_entities(columns: Columns) -> Flags:
    """Flag the mentions that are not alone in their entities."""
    size = np.bincount(columns.entity, minlength=len(columns.entity_document))
    flags: Flags = size[columns.entity] > 1
    return flags


def entity_lists(columns: Columns, document: int) -> list[list[Mention]]:
    """List the entities of a document of a block as spans, repeated ones and all.

    Those that do not refer are left out.
    """
    columns = referring(columns)
    entities: dict[int, list[Mention]] = {}
    for mention in np.flatnonzero(columns.document == document).tolist():
        members = entities.setdefault(int(columns.entity[mention]), [])
        members.append(columns.mention(mention))
    return list(entities.values())
