"""What a Python value that is passed as key or response is, by its shape.

1.  What can be a mention is in `corefkit.formats.memory.entities`.
2.  An entity is an iterable of mentions; a string is one of letters. So is a mapping to
    nothing but None, as `dict.fromkeys` makes a set that keeps its order.
3.  A partition is an iterable of entities: one document, called `document`.
4.  An iterable of partitions is a list of documents, numbered from 0. It is paired by
    position, with as many documents on the other side.
5.  A mapping is a corpus, document ids to documents. A mapping inside it, or inside a
    list, is a document, entity ids to mentions; there a string is no entity, since it
    may be a label.
6.  A mapping with `doc_key`, `clusters` or `predicted_clusters` is a document of JSON
    lines, as `json.loads` gives it, wherever a document may stand. Data sets and rows
    of other layouts are read by `corefkit.formats.memory.rows`.
7.  3 and 4 are told apart by what lies two levels down: a mention (3), or what cannot
    be one (4). One side decides for all; sides that disagree are refused, and so are
    sides that all leave it open.
8.  Labels, one for each mention, are refused, and so is what is deeper in one place
    than in another.

Arrays and tensors are what `tolist` makes of them. Iterators are read once.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import cast

from corefkit.exceptions import FormatError, quoted
from corefkit.formats.memory.entities import (
    RIGHT_SHAPES,
    Kind,
    by_name,
    entities_in,
    excerpt,
    is_number,
    is_plain,
    kind_of,
    kinds_of,
    listed,
    partition,
    parts_listed,
    refuse_spans,
)
from corefkit.formats.memory.partitions import (
    UNNAMED,
    Entities,
    PartitionSource,
    mentions_by_entity,
    new_names,
    plain_entities,
)
from corefkit.model import Document, Mention

_JSON_NAMES = frozenset({"doc_key", "clusters", "predicted_clusters"})


class Shape(Enum):
    """What a list that is passed as a side is."""

    PARTITION = "one document"
    DOCUMENTS = "a list of documents"
    EITHER = "one of these two"
    EMPTY = "both of these two"


@dataclass(frozen=True, slots=True)
class Corpus:
    """A side that is in memory: documents, or those without words as entities."""

    documents: Mapping[str, Document | Entities]
    numbered: bool = False  # whether ids are no more than positions in a list
    named: bool = True  # whether ids were given

    @property
    def has_spans(self) -> bool:
        """Whether mentions are known to be spans of tokens."""
        return any(map(_has_spans, self.documents.values()))


@dataclass(frozen=True, slots=True)
class Listing:
    """A side that is a list: of entities, or of documents."""

    role: str
    parts: Sequence[object]
    ordered: bool
    shape: Shape  # as far as this side tells
    # The parts, where types alone say that they are a partition.
    entities: Sequence[Sequence[Hashable]] | None = None

    def corpus(self, shape: Shape) -> Corpus:
        """Return the documents, now that it is known what the list is."""
        if shape is Shape.PARTITION:
            entities = self.entities or entities_in(self.parts, self.role)
            if all(isinstance(part, tuple) for part in self.parts):
                refuse_spans(entities, self.role)
            return Corpus({UNNAMED: entities}, named=False)
        if not self.ordered:
            message = "a set of documents has no order to pair them by"
            raise FormatError(message, place=self.role, hint=RIGHT_SHAPES)
        documents = {
            str(number): partition(part, f"{self.role}, document {number}")
            for number, part in enumerate(self.parts)
        }
        _refuse_parts_of_spans(documents, self.role)
        return Corpus(documents, numbered=True, named=False)


def in_memory(value: object, role: str) -> Corpus | Listing:
    """Say what a value, no path and no table, is, as far as it tells by itself.

    A response of JSON lines is read by its predicted entities.

    >>> in_memory({"d": {"e": [[0, 1]]}}, "key").documents
    {'d': {'e': ((0, 1),)}}
    >>> in_memory([["ab", "c"], ["d"]], "key").shape
    <Shape.PARTITION: 'one document'>
    """
    if isinstance(value, Corpus):
        return value
    rows = _in_rows(value, role)
    if rows is not None:
        return Corpus(_by_id(rows, role))
    document = _whole_document(value, UNNAMED, role)
    if document is not None:
        named = document.id != UNNAMED or isinstance(value, Document | Mapping)
        return Corpus({document.id: document}, named=named)
    if isinstance(value, Mapping):
        by_id = by_name(value, "documents", role)
        return Corpus({name: _part(part, name, role) for name, part in by_id.items()})
    parts, ordered = listed(value, role), not isinstance(value, Set)
    if entities := plain_entities(parts):
        return Listing(role, parts, ordered, Shape.PARTITION, entities)
    whole = [_whole_document(part, str(at), role) for at, part in enumerate(parts)]
    if any(document is not None for document in whole):
        documents = _by_id(whole, role)
        positions = list(map(str, range(len(parts))))
        named = isinstance(parts[0], Document | Mapping) or [*documents] != positions
        return Corpus(documents, named=named)
    parts = parts_listed(parts, role)
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


def partition_sources(
    key: Mapping[str, object], response: Mapping[str, object]
) -> tuple[PartitionSource, PartitionSource]:
    """Open two corpora of plain partitions, whose mentions are compared as they are."""
    names = new_names()

    def opened(role: str, side: Mapping[str, object]) -> PartitionSource:
        documents = {name: partition(value, role) for name, value in side.items()}
        return PartitionSource(role, documents, names)

    return opened("key", key), opened("response", response)


def _in_rows(value: object, role: str) -> list[Document] | None:
    """Read the rows of a data set; None where the value is something else."""
    first = value[0] if isinstance(value, list | tuple) and value else value
    row = isinstance(first, Mapping) and "sentences" in first
    if not row and type(value).__module__.partition(".")[0] != "datasets":
        return None
    # Imported here because few inputs are rows.
    from corefkit.formats.memory.rows import documents_in_rows

    return documents_in_rows(value, role)


def _whole_document(value: object, name: str, role: str) -> Document | None:
    """Make a document of a value that is one by itself; None of any other."""
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

    return document_of(value, name, role)


def _part(value: object, name: str, role: str) -> Document | Entities:
    """Read a document of a mapping."""
    document = _whole_document(value, name, role)
    if document is not None:
        return document
    place = f"{role}, document {quoted(name)}"
    entities = partition(value, place)
    refuse_spans(entities, place)
    return entities


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


def _refuse_parts_of_spans(documents: Mapping[str, Entities], role: str) -> None:
    """Refuse numbers that are parts of spans: something is deeper than the rest."""
    by_document = [
        list(chain.from_iterable(mentions_by_entity(document)))
        for document in documents.values()
    ]
    numbers = [[item for item in row if is_number(item)] for row in by_document]
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
