"""Small corpora with everything in them, written in any format, for the tests."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from corefkit import FORMATS, Bridge, Document, Entity, Mention, write

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

NAMES = ("36_1", "36_2", "36_3", "37_1", "37_2", "37_3")
KINDS = ("NAM", "NOM", "PRO")


def key_documents(seed: int, *, uneven: bool = False) -> list[Document]:
    """Make a key.

    Args:
        seed: for chance.
        uneven: let single documents alone have types, heads, minima, empty nodes; so
            that whoever looks at several documents at once finds something else.
    """
    return [
        _document(Random(f"{seed} {name}"), name, number if uneven else None)
        for number, name in enumerate(NAMES)
    ]


def _document(chance: Random, name: str, number: int | None) -> Document:
    tokens = 12 + chance.randrange(8)
    empty = (4, 9) if number in (None, 1) else ()
    spans = {
        tuple(sorted((start, min(start + chance.randrange(3), tokens - 1))))
        for start in chance.sample(range(tokens), 9)
    }
    spans |= {(token, token) for token in empty}
    mentions = [_mention(chance, span, number) for span in sorted(spans)]
    entities = _entities(chance, mentions, 4)
    if number == 4:
        entities = ()
    if number == 3:  # a mention twice
        entities += (Entity("9", entities[0].mentions[:1]),)
    words = tuple(f"w{token}'s" for token in range(tokens))
    bridges = ()
    if number is None and len(entities) > 1:
        bridges = (Bridge(entities[1].mentions[0], entities[0].id, relation="part"),)
    cut = tokens // 2
    return Document(name, (words[:cut], words[cut:]), entities, empty, bridges)


def _mention(chance: Random, span: tuple[int, int], number: int | None) -> Mention:
    start, end = span
    head = chance.randint(start, end) if number in (None, 0, 1) else None
    minimum = (head, head) if head is not None and number in (None, 2) else None
    attributes = {}
    if number in (None, 0):
        attributes = {"type": chance.choice(("PER", "ORG"))}
        attributes["mention_type"] = chance.choice(KINDS)
    return Mention(start, end, (), head, minimum, attributes)


def _entities(
    chance: Random, mentions: Sequence[Mention], many: int
) -> tuple[Entity, ...]:
    rows: dict[str, list[Mention]] = {}
    for mention in mentions:
        rows.setdefault(str(chance.randrange(many)), []).append(mention)
    split = tuple(rows)[1:3]
    return tuple(
        Entity(name, tuple(row), split if place == 0 and len(split) == 2 else ())
        for place, (name, row) in enumerate(rows.items())
    )


def response_documents(key: Sequence[Document], seed: int) -> list[Document]:
    """Make a response: mentions left out and put elsewhere; the last text lacks."""
    found = []
    for document in key[:-1]:
        chance = Random(f"{seed} {document.id} response")
        mentions = [one for entity in document for one in entity]
        kept = [one for one in dict.fromkeys(mentions) if chance.random() < 0.8]
        entities = _entities(chance, kept, 3)
        found.append(
            Document(
                document.id,
                document.sentences,
                entities,
                document.empty,
                layers=document.layers,
            )
        )
    return found


def retokenised(document: Document) -> Document:
    """Cut every word in two: other tokens of the same text."""
    sentences = tuple(
        tuple(part for word in sentence for part in (word[:2], word[2:]))
        for sentence in document.sentences
    )
    entities = tuple(
        Entity(
            entity.id, tuple(Mention(2 * one.start, 2 * one.end + 1) for one in entity)
        )
        for entity in document
    )
    return Document(document.id, sentences, entities)


def written_corpus(
    folder: Path, name: str, documents: Sequence[Document], *, stem: str = "corpus"
) -> Path:
    """Write documents in a format: to a file, or to a folder where each has its own."""
    folder.mkdir(parents=True, exist_ok=True)
    format = FORMATS[name]
    path = (
        folder / stem if format.writer.files else folder / f"{stem}{format.suffixes[0]}"
    )
    if format.writer.files:
        path.mkdir()
    write(documents, path, format=name)
    return path
