"""Mentions of documents as bounds in words, counted and moved."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from corefkit.model import Document, Entity, Mention

# The first and the last word; a mention without words ends before it starts.
Bounds: TypeAlias = tuple[int, int]


def mentions_of(document: Document) -> Iterator[Mention]:
    """Go through the mentions of all entities."""
    for entity in document.entities:
        yield from entity.mentions


def mention_count(document: Document) -> int:
    """Count the mentions of a document."""
    return sum(map(len, document.entities))


def bounds(document: Document) -> list[Bounds]:
    """List the bounds of all mentions in words: empty nodes are not counted.

    >>> from corefkit.model import Document, Entity, Mention
    >>> mentions = Mention(0, 0), Mention(1, 1), Mention(2, 3)
    >>> words = ("he", "_", "is", "here")
    >>> bounds(Document("d", (words,), (Entity("1", mentions),), empty=(1,)))
    [(0, 0), (1, 0), (1, 2)]
    """
    if not document.empty:
        return [(one.start, one.end) for one in mentions_of(document)]
    empty = sorted(document.empty)
    return [
        (
            mention.start - bisect_left(empty, mention.start),
            mention.end - bisect_right(empty, mention.end),
        )
        for mention in mentions_of(document)
    ]


def same_mentions(ours: Iterable[Bounds], theirs: Iterable[Bounds]) -> int:
    """Count the bounds that both sides have, those there twice twice.

    >>> same_mentions([(0, 1), (2, 2)], [(0, 1), (0, 1)])
    1
    """
    return (Counter(ours) & Counter(theirs)).total()


def characters(document: Document, words: Iterable[Bounds]) -> list[Bounds]:
    """Turn bounds in words into bounds in characters, blanks aside.

    What lies outside the text, or has no word, is left out.

    >>> from corefkit.model import Document
    >>> characters(Document("d", (("can", "not"),), ()), [(0, 0), (1, 1), (1, 2)])
    [(0, 3), (3, 6)]
    """
    edges = [0, *accumulate(len("".join(word.split())) for word in document.words)]
    return [
        (edges[start], edges[end + 1])
        for start, end in words
        if 0 <= start <= end < len(edges) - 1
    ]


def with_mentions(
    document: Document, change: Callable[[Mention], Mention | None]
) -> Document:
    """Change every mention of a document; those that become None are dropped.

    >>> from corefkit.model import Document, Entity, Mention
    >>> document = Document("d", (), (Entity("1", (Mention(1, 2), Mention(4, 4))),))
    >>> mended = with_mentions(document, lambda one: one if one.start > 1 else None)
    >>> [len(entity) for entity in mended]
    [1]
    """
    entities: list[Entity] = []
    for entity in document.entities:
        changed = tuple(filter(None, map(change, entity.mentions)))
        if changed:
            entities.append(replace(entity, mentions=changed))
    return changed_document(document, entities=tuple(entities))


def changed_document(document: Document, **changes: Any) -> Document:
    """Change a document, and what no longer holds of it then.

    Bridges name mentions, which may be others now; and the reference scorer would not
    find this document in the file. That its text has no tokens of its own stays true.
    """
    origin = document.origin if document.origin == "running" else ""
    return replace(document, bridges=(), origin=origin, **changes)


def moved(mention: Mention, start: int, end: int) -> Mention | None:
    """Move the bounds of a mention; None where nothing is left of it.

    What is inside it moves as its start does.

    >>> from corefkit.model import Mention
    >>> moved(Mention(3, 5), -1, -2), moved(Mention(0, 0), -1, -1)
    (Mention(start=2, end=3), None)
    """
    first, last = mention.start + start, mention.end + end
    gaps = tuple((before + start, after + start) for before, after in mention.gaps)
    if first < 0 or last < first or (gaps and gaps[-1][1] >= last):
        return None
    return replace(mention, start=first, end=last, gaps=gaps, head=None, minimum=None)


def goes_beyond(document: Document) -> int:
    """Count the mentions that end behind the text, where the text is known."""
    tokens = sum(map(len, document.sentences))
    if not tokens:
        return 0
    return sum(mention.end >= tokens for mention in mentions_of(document))
