"""A document by itself, as the reader shows it: one side, with no systems beside it.

A notebook shows documents like this, and `corefkit resolve` what it found.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from corefkit.report.reader.values import Reader, ShownDocument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from corefkit.model import Document, Mention
    from corefkit.report.reader.values import Parts

ENTITIES = "entities"  # what the one side of such a page is called
# So many tokens without words are shown one by one; of more, only those at which
# mentions begin and end. Offsets of characters go into the millions.
MOST_UNKNOWN = 10_000


def shown_document(document: Document) -> ShownDocument:
    """Show the entities of a document as the key's side, with no systems.

    Entities are numbered in the order of their first mentions. A mention that stands in
    several entities is there once for each. Tokens whose words are not known, all of a
    document without words, are shown by their numbers, after the text.

    >>> from corefkit.model import Document, Entity, Mention
    >>> entities = (Entity("b", (Mention(2, 2),)), Entity("a", (Mention(0, 0),)))
    >>> shown = shown_document(Document("d", (("Ann", "saw", "Bob"),), entities))
    >>> shown.spans, shown.key
    ((((0, 0),), ((2, 2),)), (1, 2))
    """
    unknown = _unknown_tokens(document)
    place = _places(document, unknown)
    rows = [
        (_parts(mention, place), number)
        for number, entity in enumerate(document.entities)
        for mention in entity.mentions
    ]
    rows.sort(key=_reading_order)
    names = (tuple(map(str, unknown)),) if unknown else ()
    return ShownDocument(
        id=document.id,
        sentences=(*document.sentences, *names),
        spans=tuple(parts for parts, _ in rows),
        key=_numbered(entity for _, entity in rows),
        empty=tuple(sorted(document.empty)),
        has_words=bool(document.sentences) or not unknown,
    )


def reader_of(documents: Iterable[Document]) -> Reader:
    """Make a reader of documents that are not compared with anything.

    >>> from corefkit.model import Document
    >>> reader_of([Document("d", (("Ann", "left"),), ())]).documents[0].id
    'd'
    """
    return reader_of_shown(map(shown_document, documents))


def reader_of_shown(documents: Iterable[ShownDocument]) -> Reader:
    """Make a reader of such documents.

    Links name documents by their ids: of several with the same, the later ones get a
    number.

    >>> documents = [ShownDocument("d", [["Ann"]], (), ())] * 3
    >>> [document.id for document in reader_of_shown(documents).documents]
    ['d', 'd (2)', 'd (3)']
    """
    own: list[ShownDocument] = []
    taken: set[str] = set()
    for document in documents:
        ids = (f"{document.id} ({number})" for number in count(2))
        id = document.id
        while id in taken:
            id = next(ids)
        taken.add(id)
        own.append(document if id == document.id else replace(document, id=id))
    return Reader(ENTITIES, (), tuple(own))


def beginning_of(shown: ShownDocument, tokens: int) -> ShownDocument:
    """Keep the first sentences of a document of one side, up to so many tokens.

    A first sentence that is longer is cut. Mentions that are not whole are left out.

    >>> shown = ShownDocument("d", [["Ann", "left"], ["She", "ran"]], [((2, 2),)], [1])
    >>> beginning_of(shown, 3).sentences, beginning_of(shown, 3).spans
    ((('Ann', 'left'),), ())
    """
    sentences: list[tuple[str, ...]] = []
    count = 0
    for sentence in shown.sentences:
        if count + len(sentence) > tokens:
            sentences += [] if sentences else [tuple(sentence[:tokens])]
            break
        sentences.append(tuple(sentence))
        count += len(sentence)
    end = sum(map(len, sentences))
    kept = [
        (parts, entity)
        for parts, entity in zip(shown.spans, shown.key, strict=True)
        if parts[-1][1] < end
    ]
    return replace(
        shown,
        sentences=tuple(sentences),
        spans=tuple(parts for parts, _ in kept),
        key=_numbered(entity for _, entity in kept),
        empty=tuple(token for token in shown.empty if token < end),
    )


def _numbered(entities: Iterable[int]) -> tuple[int, ...]:
    """Number entities from 1, in the order in which they are met."""
    numbers: dict[int, int] = {}
    return tuple(numbers.setdefault(one, len(numbers) + 1) for one in entities)


def _reading_order(row: tuple[Parts, int]) -> tuple[int, int, Parts, int]:
    parts, entity = row
    return parts[0][0], parts[-1][1], parts, entity


def _parts(mention: Mention, place: Callable[[int], int]) -> Parts:
    return tuple((place(first), place(last)) for first, last in mention.parts)


def _unknown_tokens(document: Document) -> Sequence[int]:
    """List the tokens that mentions have and the text has not."""
    known = sum(map(len, document.sentences))
    mentions = [mention for entity in document for mention in entity]
    last = max((mention.end for mention in mentions), default=-1)
    if last < known + MOST_UNKNOWN:
        return range(known, last + 1)
    ends = {end for mention in mentions for part in mention.parts for end in part}
    return sorted(end for end in ends if end >= known)


def _places(document: Document, unknown: Sequence[int]) -> Callable[[int], int]:
    """Say where each token of a mention is shown: mostly, where it is."""
    if isinstance(unknown, range):
        return lambda token: token
    known = sum(map(len, document.sentences))
    moved = {token: known + at for at, token in enumerate(unknown)}
    return lambda token: moved.get(token, token)
