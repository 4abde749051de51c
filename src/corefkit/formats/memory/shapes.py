"""What a Python value is that somebody gives as key or response, by its shape.

1.  What can be a mention is in `corefkit.formats.memory.kinds`.
2.  An entity is an iterable of mentions; a string is one of letters. So is a mapping to
    nothing but None, as `dict.fromkeys` makes a set that keeps its order.
3.  A partition is an iterable of entities: one document, called `document`.
4.  An iterable of partitions is a list of documents, numbered from 0. It is paired by
    position, with as many documents on the other side.
5.  A mapping is a corpus, document ids to documents. A mapping inside it, or inside a
    list, is a document, entity ids to mentions; there a string is no entity, since it
    may be a label.
6.  A mapping with `doc_key`, `clusters` or `predicted_clusters` is a document of JSON
    lines, as `json.loads` gives it, wherever a document may stand.
7.  3 and 4 are told apart by what lies two levels down: a mention (3), or what cannot
    be one (4). One side decides for all; sides that disagree are refused, and so are
    sides that all leave it open.
8.  Labels, one for each mention, are refused, and so is what is deeper in one place
    than in another.

Arrays are what `tolist` makes of them. Iterators are read once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import cast

from corefkit.exceptions import FormatError, quoted
from corefkit.formats.memory.kinds import (
    RIGHT_SHAPES,
    Kind,
    excerpt,
    is_iterable,
    is_number,
    is_span,
    kind_of,
    kinds_of,
    mentions_of,
)
from corefkit.formats.memory.partitions import (
    UNNAMED,
    Entities,
    PartitionSource,
    are_lists,
    mentions_by_entity,
    plain_entities,
)
from corefkit.model import Document, Mention

_JSON_NAMES = frozenset({"doc_key", "clusters", "predicted_clusters"})


class Shape(Enum):
    """What a list is that somebody gives as a side."""

    PARTITION = "one document"
    DOCUMENTS = "a list of documents"
    EITHER = "one of these two"
    EMPTY = "both of these two"


@dataclass(frozen=True, slots=True)
class Corpus:
    """A side that is in memory.

    Attributes:
        documents: the documents by id; without words they are entities, with their ids
            where they have any.
        numbered: whether ids are no more than positions in a list.
    """

    documents: Mapping[str, Document | Entities]
    numbered: bool = False

    @property
    def has_spans(self) -> bool:
        """Whether mentions are known to be spans of tokens."""
        return any(map(_has_spans, self.documents.values()))


@dataclass(frozen=True, slots=True)
class Listing:
    """A side that is a list: of entities, or of documents.

    Attributes:
        role: what messages call the side.
        parts: what the list has, each an entity or a document.
        ordered: whether the parts have an order.
        shape: what the list is, as far as this side tells.
        entities: the same, where the types of things alone say that it is a partition.
    """

    role: str
    parts: Sequence[object]
    ordered: bool
    shape: Shape
    entities: Sequence[Sequence[Hashable]] | None = None

    def corpus(self, shape: Shape) -> Corpus:
        """Give the documents, now that it is known what the list is."""
        if shape is Shape.PARTITION:
            entities = self.entities or _entities(self.parts, self.role)
            if all(isinstance(part, tuple) for part in self.parts):
                _refuse_spans(entities, self.role)
            return Corpus({UNNAMED: entities})
        if not self.ordered:
            message = "a set of documents has no order to pair them by"
            raise FormatError(message, place=self.role, hint=RIGHT_SHAPES)
        documents = {
            str(number): partition(part, f"{self.role}, document {number}")
            for number, part in enumerate(self.parts)
        }
        _refuse_parts_of_spans(documents, self.role)
        return Corpus(documents, numbered=True)


def in_memory(value: object, role: str) -> Corpus | Listing:
    """Say what a value is, as far as it tells by itself.

    Args:
        value: anything but a path and a table.
        role: `key` or `response`; messages name it, and a response of JSON lines is
            read by its predicted entities.

    >>> in_memory({"d": {"e": [[0, 1]]}}, "key").documents
    {'d': {'e': [(0, 1)]}}
    >>> in_memory([["ab", "c"], ["d"]], "key").shape
    <Shape.PARTITION: 'one document'>
    """
    document = _whole_document(value, UNNAMED, role)
    if document is not None:
        return Corpus({document.id: document})
    if isinstance(value, Mapping):
        named = _by_name(value, "documents", role)
        return Corpus({name: _part(part, name, role) for name, part in named.items()})
    parts, ordered = _listed(value, role), not isinstance(value, Set)
    if entities := plain_entities(parts):
        return Listing(role, parts, ordered, Shape.PARTITION, entities)
    whole = [_whole_document(part, str(at), role) for at, part in enumerate(parts)]
    if any(document is not None for document in whole):
        return Corpus(_by_id(whole, role))
    parts = _opened(parts, role)
    return Listing(role, parts, ordered, _shape(parts, role))


def read_alike(sides: Sequence[Corpus | Listing]) -> list[Corpus]:
    """Read the lists among the sides all as partitions, or all as lists of documents.

    >>> sides = [in_memory([], "key"), in_memory([[["a", "b"]], []], "response")]
    >>> [list(side.documents) for side in read_alike(sides)]
    [[], ['0', '1']]
    """
    lists = {side.shape: side for side in sides if isinstance(side, Listing)}
    one, several = lists.get(Shape.PARTITION), lists.get(Shape.DOCUMENTS)
    if one is not None and several is not None:
        message = f"found {one.shape.value}, expected a list of them as in "
        raise FormatError(message + several.role, place=one.role, hint=RIGHT_SHAPES)
    if Shape.EITHER in lists and one is several:
        message = "this can be one document, and it can be a list of documents"
        hint = "name the documents: {'document': [[mention, ...], ...], ...}"
        raise FormatError(message, place=lists[Shape.EITHER].role, hint=hint)
    shape = Shape.PARTITION if several is None else Shape.DOCUMENTS
    return [side.corpus(shape) if isinstance(side, Listing) else side for side in sides]


def partition(value: object, place: str) -> Entities:
    """Read one document that has no words.

    Args:
        value: entities, or a mapping of their ids to mentions.
        place: what messages call it.

    >>> partition({"e": [(0, 1), (3, 3)]}, "key")
    {'e': ((0, 1), (3, 3))}
    """
    if isinstance(value, str):
        raise _no_label(value, place)
    if not isinstance(value, Mapping):
        return _entities(_listed(value, place), place)
    entities = _by_name(value, "entities", place)
    for entity in entities.values():
        if isinstance(entity, str):
            raise _no_label(entity, place)
    mentions = _entities(list(entities.values()), place)
    return dict(zip(entities, mentions, strict=True))


def partition_sources(
    key: Mapping[str, object], response: Mapping[str, object]
) -> tuple[PartitionSource, PartitionSource]:
    """Open two corpora of plain partitions, whose mentions are compared as they are."""
    names: dict[Hashable, int] = {}
    ours, theirs = (
        {name: partition(entities, role) for name, entities in side.items()}
        for role, side in (("key", key), ("response", response))
    )
    return (
        PartitionSource("key", ours, names),
        PartitionSource("response", theirs, names),
    )


def is_plain(value: object) -> bool:
    """Say whether a value is of no other library; few are, and all start fast."""
    return type(value).__module__ == "builtins"


def _whole_document(value: object, name: str, role: str) -> Document | None:
    """Make a document of what is one by itself; None of anything else."""
    if isinstance(value, Document):
        return value
    if isinstance(value, Mapping):
        if _JSON_NAMES.isdisjoint(value):
            return None
        from corefkit.formats.jsonl.records import object_document

        return object_document(value, role)
    if is_plain(value):
        return None
    from corefkit.formats.memory.objects import document_of

    return document_of(value, name)


def _part(value: object, name: str, role: str) -> Document | Entities:
    """Read a document of a mapping."""
    document = _whole_document(value, name, role)
    if document is not None:
        return document
    place = f"{role}, document {quoted(name)}"
    entities = partition(value, place)
    _refuse_spans(entities, place)
    return entities


def _by_name(
    value: Mapping[object, object], what: str, place: str
) -> dict[str, object]:
    """Spell the names of a mapping, and refuse two that are spelled alike."""
    named = {str(name): part for name, part in value.items()}
    if len(named) < len(value):
        message = f"two {what} are called alike: {excerpt(list(value))}"
        raise FormatError(message, place=place, hint="names are compared as strings")
    return named


def _by_id(documents: Sequence[Document | None], role: str) -> dict[str, Document]:
    taken: dict[str, Document] = {}
    for document in documents:
        if document is None:
            message = "documents stand beside what is no document"
            raise FormatError(message, place=role, hint=RIGHT_SHAPES)
        if taken.setdefault(document.id, document) is not document:
            message = f"two documents are called {quoted(document.id)}"
            raise FormatError(message, place=role)
    return taken


def _listed(value: object, place: str) -> list[object]:
    """List what an iterable gives; arrays, and arrays in it, are lists too."""
    if not is_plain(value):
        value = _without_library(value, place)
    if isinstance(value, bytes | bytearray | memoryview) or not is_iterable(value):
        raise _no_label(value, place)
    items = list(cast("Iterable[object]", value))
    if _has_arrays(items):
        return [item.tolist() if hasattr(item, "tolist") else item for item in items]
    return items


def _has_arrays(items: Iterable[object]) -> bool:
    return any(hasattr(kind, "tolist") for kind in set(map(type, items)))


def _opened(parts: Sequence[object], place: str) -> list[object]:
    """List what each part has; strings and mappings stay what they are."""
    if are_lists(parts):
        inside = chain.from_iterable(cast("Sequence[Iterable[object]]", parts))
        if not _has_arrays(inside):
            return list(parts)
    return [
        part if isinstance(part, str) or _is_mapping(part) else _listed(part, place)
        for part in parts
    ]


def _without_library(value: object, place: str) -> object:
    from corefkit.formats.tables.frames import frame_of

    if frame_of(value, place) is not None:
        message = "a table stands where entities or mentions do"
        hint = "give one table of all documents, with a column that names them"
        raise FormatError(message, place=place, hint=hint)
    return value.tolist() if hasattr(value, "tolist") else value


def _is_mapping(value: object) -> bool:
    """Say whether a value maps names to something, as `dict.fromkeys` does not."""
    if not isinstance(value, Mapping):
        return False
    return any(one is not None for one in value.values())


def _no_label(value: object, place: str) -> FormatError:
    message = f"found {excerpt(value)}, expected entities, each with its mentions"
    hint = f"labels, one for each mention, are not read; {RIGHT_SHAPES}"
    return FormatError(message, place=place, hint=hint)


def _shape(parts: Sequence[object], role: str) -> Shape:
    """Tell entities from documents by what they hold."""
    lists = [part for part in parts if not isinstance(part, Mapping)]
    items = list(chain.from_iterable(cast("list[list[object]]", lists)))
    kinds = kinds_of(items)
    documents = Kind.ENTITY in kinds or len(lists) < len(parts)
    if documents and Kind.MENTION in kinds:
        mention = next(item for item in items if kind_of(item) is Kind.MENTION)
        message = (
            f"mention {excerpt(mention)} stands beside what is an entity elsewhere"
        )
        raise FormatError(message, place=role, hint=RIGHT_SHAPES)
    if documents:
        return Shape.DOCUMENTS
    if kinds & {Kind.MENTION, Kind.SPAN}:
        return Shape.PARTITION
    return Shape.EITHER if kinds else Shape.EMPTY


def _entities(parts: Sequence[object], place: str) -> Sequence[Sequence[Hashable]]:
    """Read the mentions of each entity."""
    if entities := plain_entities(parts):
        return entities
    opened = _opened(parts, place)
    for part in opened:
        if isinstance(part, Mapping):
            message = f"found the mapping {excerpt(part)}, expected mentions"
            raise FormatError(message, place=place, hint=RIGHT_SHAPES)
    lists = cast("list[Sequence[object]]", opened)
    return [mentions_of(list(one), place) for one in lists]


def _refuse_spans(entities: Entities, place: str) -> None:
    """Refuse spans where entities should be: nothing but pairs, one of one number."""
    pairs = list(entities.values() if isinstance(entities, Mapping) else entities)
    if set(map(len, pairs)) != {2} or all(one != last for one, last in pairs):
        return
    if all(map(is_span, pairs)):
        message = f"found {excerpt(pairs)}, which are spans and no entities"
        raise FormatError(message, place=place, hint=RIGHT_SHAPES)


def _refuse_parts_of_spans(documents: Mapping[str, Entities], role: str) -> None:
    """Refuse numbers that are parts of spans: something is deeper than the rest."""
    by_document = [
        list(chain.from_iterable(mentions_by_entity(one))) for one in documents.values()
    ]
    numbers = [[one for one in row if is_number(one)] for row in by_document]
    found = next(chain.from_iterable(numbers), None)
    wrong = None
    if any(len(set(row)) < len(row) for row in numbers):
        wrong = "are numbers that stand in a document twice"
    elif found is not None and sum(map(len, numbers)) < sum(map(len, by_document)):
        wrong = f"are numbers, as {found!r}, and others are not"
    if wrong is not None:
        message = f"mentions {wrong}: spans where entities should be?"
        raise FormatError(message, place=role, hint=RIGHT_SHAPES)


def _has_spans(document: Document | Entities) -> bool:
    if isinstance(document, Document):
        return True
    return Mention in set(map(type, chain.from_iterable(mentions_by_entity(document))))
