"""Mentions written as inline tags: what the writers of MUC and OntoNotes share.

The rules of tags are those in `corefkit.formats.inline.tags`.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from corefkit.model import Document, Mention

_NAME = re.compile(r"[a-z_][a-z0-9_.:-]*")


def encoded(text: str) -> str:
    """Write a text so that nothing in it is markup.

    >>> encoded("AT&T <1>")
    'AT&amp;T &lt;1&gt;'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def start_tag(name: str, attributes: Mapping[str, str]) -> str:
    """Write a start tag; of values only quotes are escaped.

    >>> start_tag("COREF", {"ID": "5", "MIN": 'the "x"'})
    '<COREF ID="5" MIN="the &quot;x&quot;">'
    """
    values = (
        f' {key}="{value.replace(chr(34), "&quot;")}"'
        for key, value in attributes.items()
    )
    return f"<{name}{''.join(values)}>"


def written_attributes(mention: Mention, own: Container[str]) -> dict[str, str]:
    """Return those attributes of a mention that `other_attributes` reads back."""
    return {
        name.upper(): encoded(value)
        for name, value in mention.attributes.items()
        if name not in own and _NAME.fullmatch(name)
    }


class Written(NamedTuple):
    """A mention as it is written: its entity's number, and whether it is the first."""

    entity: int
    mention: Mention
    first: bool


def written_order(document: Document) -> list[Written]:
    """Return the mentions of a document in the order of their start tags."""
    rows = [
        (mention.start, -mention.end, entity, number)
        for entity, owner in enumerate(document.entities)
        for number, mention in enumerate(owner.mentions)
    ]
    seen: set[int] = set()
    order = []
    for *_, entity, number in sorted(rows):
        mention = document.entities[entity].mentions[number]
        order.append(Written(entity, mention, entity not in seen))
        seen.add(entity)
    return order


def entity_ids(document: Document) -> tuple[list[str], Iterator[str]]:
    """Return an id for each entity, its own where that can be, and ids that are free.

    >>> from corefkit.model import Document, Entity
    >>> entities = Entity("7", ()), Entity("1", ()), Entity("7", ()), Entity(" ", ())
    >>> ids, free = entity_ids(Document("d", (), entities))
    >>> ids, next(free)
    (['7', '1', '2', '3'], '4')
    """
    taken = {entity.id for entity in document.entities}
    free = (str(number) for number in count(1) if str(number) not in taken)
    ids: list[str] = []
    used: set[str] = set()
    for entity in document.entities:
        fits = entity.id and entity.id == entity.id.strip() and entity.id not in used
        ids.append(entity.id if fits else next(free))
        used.add(ids[-1])
    return ids, free


def tagged(
    sentences: Sequence[Sequence[str]], mentions: Sequence[tuple[Mention, str]]
) -> Iterator[list[str]]:
    """Put tags around words that are written already, sentence by sentence.

    Args:
        sentences: the words.
        mentions: mentions and their start tags, in the order of these.
    """
    opening: dict[int, list[str]] = {}
    closing: dict[int, int] = {}
    for mention, tag in mentions:
        opening.setdefault(mention.start, []).append(tag)
        closing[mention.end] = closing.get(mention.end, 0) + 1
    token = count()
    for sentence in sentences:
        words = []
        for word in sentence:
            number = next(token)
            before = "".join(opening.get(number, ()))
            words.append(before + word + "</COREF>" * closing.get(number, 0))
        yield words
