"""The mentions of annotated documents, and the entities they belong to."""

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
    """Return each mention with a key of its entity.

    A mention that is in two entities belongs to the first; one that does not refer is
    an entity of its own. Keys are positions, since ids such as `NOCOREF`, which say
    only that a mention is alone, repeat.

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
    """Describe the annotated mentions, and number their entities."""
    entities = annotated(document)
    table = mention_table(document, entities, context)
    numbers: dict[Hashable, int] = {}
    entity = [
        numbers.setdefault(entities[profile.mention], len(numbers))
        for profile in table.profiles
    ]
    return table, np.array(entity, np.int64)
