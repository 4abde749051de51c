"""Documents and columns, laid out for comparing and checking."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from corefkit.formats import FORMATS
from corefkit.formats.source import ATTRIBUTES, HEADS, MINIMA, TYPES
from corefkit.strings import drop_first_part, normalize_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.arrays.columns import Columns
    from corefkit.model import Document, Entity, Mention

_WITHOUT_IDS = ("jsonl",)  # entities are called by their numbers, empty ones counted


def faults(document: Document) -> Iterator[tuple[str, str]]:
    """Iterate over what is not right in a document: laws, and what breaks them."""
    size = len(document.tokens) if document.sentences else None
    mentions = {mention for entity in document.entities for mention in entity}
    for mention in chain.from_iterable(document.entities):
        if not _is_sound(mention, size):
            yield "mentions lie inside the tokens", repr(mention)
    if not all(0 <= token < (size or 0) for token in document.empty):
        yield "empty nodes are tokens", repr(document.empty)
    if list(document.empty) != sorted(set(document.empty)):
        yield "empty nodes are in order", repr(document.empty)
    for name, layer in document.layers.items():
        if len(layer) != (size or 0):
            yield "layers are as long as the text", f"{name}: {len(layer)} for {size}"
    if document.comments and len(document.comments) != len(document.sentences):
        yield "every sentence has its comments", repr(document.comments)
    for bridge in document.bridges:
        if bridge.anaphor not in mentions:
            yield "anaphors are mentions", repr(bridge)


def _is_sound(mention: Mention, size: int | None) -> bool:
    # Between gaps stand tokens of the mention.
    parts = mention.parts
    apart = all(first <= last for first, last in (*parts, *mention.gaps))
    inside = mention.start >= 0 and (size is None or mention.end < size)
    known = [
        token for token in (mention.head, *(mention.minimum or ())) if token is not None
    ]
    within = all(mention.start <= token <= mention.end for token in known)
    ordered = mention.minimum is None or mention.minimum[0] <= mention.minimum[1]
    return apart and inside and within and ordered


def spans(document: Document) -> list[Any]:
    """Return the mentions of each entity, in order of their tokens."""
    entities = (
        [(one.start, one.end, one.gaps) for one in entity] for entity in document
    )
    return [sorted(entity) for entity in entities if entity]


def blocks(columns: Columns) -> list[tuple[Any, ...]]:
    """Lay out the entities of columns: document, whether they refer, mentions."""
    details = columns.details
    blocks: dict[int, list[tuple[Any, ...]]] = {}
    for number, entity in enumerate(columns.entity.tolist()):
        mention = columns.mention(number)
        row: tuple[Any, ...] = (mention.start, mention.end, mention.gaps)
        minimum = -1
        # One token is its own head, whether a file says so or not.
        head = mention.start if mention.start == mention.end else -1
        if details is not None:
            head = max(head, int(details.head[number]))
            minimum = int(details.minimum_start[number])
        blocks.setdefault(entity, []).append((*row, head, minimum))
    refer = [True] * len(columns.entity_document)
    if details is not None:
        refer = details.referring.tolist()
    return sorted(
        (int(columns.entity_document[entity]), refer[entity], sorted(rows))
        for entity, rows in blocks.items()
    )


def is_scored(document: Document) -> bool:
    """Return whether a document has mentions that count: of entities that refer."""
    return any(entity.referring and entity.mentions for entity in document.entities)


def comparable(document: Document, name: str) -> Mapping[str, object]:
    """Lay out what of a document a format carries; equal mentions may differ in it."""
    kept = FORMATS[name].writer.layers
    return {
        "id": _id(document.id, name),
        "sentences": document.sentences,
        "empty": document.empty,
        "entities": [_entity(one, name) for one in document.entities],
        "bridges": document.bridges,
        "layers": {
            layer: cells
            for layer, cells in document.layers.items()
            if kept is None or layer in kept
        },
        "comments": document.comments,
    }


def _id(document_id: str, name: str) -> str:
    if name == "semeval":  # a parenthesis would make it CoNLL
        return normalize_id(document_id).lstrip("(") or "_"
    return drop_first_part(document_id)


def _entity(entity: Entity, name: str) -> tuple[object, ...]:
    carries = FORMATS[name].writer.carries
    mentions = entity.mentions
    if name == "conll":  # those that end together are in the order of their brackets
        mentions = tuple(sorted(mentions))
    known = "" if name in _WITHOUT_IDS else entity.id
    rows = [_mention(mention, carries) for mention in mentions]
    return known, entity.split, entity.referring, rows


def _mention(mention: Mention, carries: frozenset[str]) -> tuple[object, ...]:
    known = {
        name: value
        for name, value in mention.attributes.items()
        if (TYPES if name == "type" else ATTRIBUTES) in carries
    }
    bare = replace(
        mention,
        head=mention.head if HEADS in carries else None,
        minimum=mention.minimum if MINIMA in carries else None,
    )
    return bare.start, bare.end, bare.gaps, bare.head, bare.minimum, known
