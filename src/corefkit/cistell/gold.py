"""The mentions of documents that are annotated, and the entities they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.cistell.table import mention_table

if TYPE_CHECKING:
    from collections.abc import Hashable

    from corefkit.cistell.profiles import Context
    from corefkit.cistell.table import MentionTable
    from corefkit.columns import Ints
    from corefkit.model import Document, Mention


def annotated(document: Document) -> dict[Mention, Hashable]:
    """Give each mention with what tells its entity.

    A mention that stands in two entities belongs to the first, and one that does not
    refer to itself. Entities are told by their place, since ids repeat where they say
    only that a mention is alone (`NOCOREF`).

    >>> from corefkit.model import Document, Entity, Mention
    >>> alone = [Entity("NOCOREF", (Mention(at, at),)) for at in (0, 2)]
    >>> found = annotated(Document("d", (("Ann", "or", "Bob"),), tuple(alone)))
    >>> list(found.values())
    [0, 1]
    """
    found: dict[Mention, Hashable] = {}
    for number, entity in enumerate(document.entities):
        for mention in entity.mentions:
            found.setdefault(mention, number if entity.referring else mention)
    return found


def annotated_table(document: Document, context: Context) -> tuple[MentionTable, Ints]:
    """Look at the annotated mentions, and number their entities."""
    entities = annotated(document)
    table = mention_table(document, entities, context)
    numbers: dict[Hashable, int] = {}
    of_each = [
        numbers.setdefault(entities[one.mention], len(numbers))
        for one in table.profiles
    ]
    return table, np.array(of_each, np.int64)
