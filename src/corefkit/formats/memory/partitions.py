"""Plain partitions: entities of whatever can be hashed, without a text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from corefkit.columns import Columns
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from corefkit.columns import Ints
    from corefkit.columns.identified import EntityCodes, Identified
    from corefkit.formats.source import Word

# The id of a partition that comes without one.
UNNAMED = "document"

Entities: TypeAlias = Sequence[Sequence[Hashable]] | Mapping[str, Sequence[Hashable]]

# Types that can be iterated over again, and hold nothing but their items.
_LISTS = frozenset({str, list, tuple, set, frozenset})
# What is a mention wherever one may stand, and needs no second look.
_ATOMS = frozenset({str, int, bool, Mention})

# The numbers of mentions: a mention that is looked up first gets the next one.
Names: TypeAlias = defaultdict[Hashable, int]

# Both sides number their mentions in one place, each in a thread of its own.
_NUMBERING = Lock()


def new_names() -> Names:
    """Begin to number mentions.

    >>> names = new_names()
    >>> names["Ann"], names["she"], names["Ann"]
    (0, 1, 0)
    """
    return defaultdict(count().__next__)


class NamesInOrder(Sequence[Hashable]):
    """Mentions by their numbers, listed when somebody looks at one.

    >>> names = new_names()
    >>> listed = NamesInOrder(names)
    >>> names["Ann"], names["she"], listed[1], len(listed)
    (0, 1, 'she', 2)
    """

    __slots__ = ("_listed", "_names")

    def __init__(self, names: Names) -> None:
        self._names, self._listed = names, list[Hashable]()

    def __len__(self) -> int:
        """Count the mentions that have numbers by now."""
        return len(self._names)

    def __getitem__(self, number: Any) -> Any:
        """Return a mention by its number, or some."""
        if len(self._listed) < len(self._names):
            self._listed = list(self._names)
        return self._listed[number]

    def __reduce__(self) -> tuple[type[list[Hashable]], tuple[list[Hashable]]]:
        """Let a list stand for them elsewhere, where no more are numbered."""
        return list, (list(self._names),)


def plain_sources(sides: Sequence[object]) -> list[PartitionSource] | None:
    """Open sides where types alone say that all are partitions; most are.

    >>> [source.ids for source in plain_sources([["ab", "c"], ["abc"]])]
    [['document'], ['document']]
    """
    partitions = plain_partitions(sides)
    if partitions is None:
        return None
    names = new_names()
    roles = "key", *["response"] * (len(sides) - 1)
    return [
        PartitionSource(role, {UNNAMED: entities}, names)
        for role, entities in zip(roles, partitions, strict=True)
    ]


def plain_partitions(
    sides: Sequence[object],
) -> list[Sequence[Sequence[Hashable]]] | None:
    """Read sides where types alone say that all are partitions of names.

    What needs a closer look, as tuples do that may be spans, gives None.

    >>> plain_partitions([["ab", "c"], [[[0, 1], [2, 2]]]])
    [[('a', 'b'), ('c',)], [((0, 1), (2, 2))]]
    >>> plain_partitions([["ab", "c"], [(0, 1), (2, 2)]])
    """
    found: list[Sequence[Sequence[Hashable]]] = []
    for side in sides:
        if type(side) is not list:
            return None
        if not side:
            found.append([])
            continue
        entities, mentions = _entities_and_types(side)
        tuples = mentions != {tuple} and set(map(type, side)) == {tuple}
        if entities is None or tuples or Mention in mentions:
            return None
        found.append(entities)
    return found if any(found) else None  # without mentions, nothing is plain


def plain_entities(parts: Sequence[object]) -> Sequence[Sequence[Hashable]] | None:
    """Read entities where types alone say that all is well; None where they do not."""
    return _entities_and_types(parts)[0]


def _entities_and_types(
    parts: Sequence[object],
) -> tuple[Sequence[Sequence[Hashable]] | None, set[type]]:
    """Read entities likewise, and tell the types of their mentions."""
    if not are_lists(parts):
        return None, set()
    lists = cast("Sequence[Sequence[Hashable]]", parts)
    items = list(chain.from_iterable(lists))
    types = set(map(type, items))
    if types == {list} and are_spans(items):
        spans = cast("Sequence[Sequence[list[int]]]", parts)
        return [tuple(map(tuple, part)) for part in spans], {tuple}
    if not items or not are_plain(items, types):
        return None, types
    return list(map(tuple, lists)), types


def are_lists(parts: Sequence[object]) -> bool:
    """Say by types alone whether all parts can be iterated over again."""
    return set(map(type, parts)) <= _LISTS


def are_plain(items: Sequence[object], types: set[type] | None = None) -> bool:
    """Say by types alone whether all items are mentions; most are."""
    types = set(map(type, items)) if types is None else types
    if types != {tuple}:
        return types <= _ATOMS
    tuples = cast("Sequence[tuple[object, ...]]", items)
    return all(tuples) and set(map(type, chain.from_iterable(tuples))) <= _ATOMS


def are_spans(items: Sequence[object]) -> bool:
    """Say without a look at each whether all are spans of tokens as JSON has them."""
    if set(map(type, items)) != {list}:
        return False
    lists = cast("Sequence[list[int]]", items)
    if set(map(len, lists)) != {2}:
        return False
    whole = set(map(type, chain.from_iterable(lists))) == {int}
    return whole and all([0 <= first <= last for first, last in lists])


def entities_of(
    document: Document | Entities,
) -> Iterator[tuple[str, Sequence[Hashable]]]:
    """Go through the entities of a document, with their ids or else their numbers.

    >>> list(entities_of(["ab", "c"]))
    [('0', 'ab'), ('1', 'c')]
    """
    if isinstance(document, Document):
        return ((entity.id, entity.mentions) for entity in document)
    if isinstance(document, Mapping):
        return iter(document.items())
    return ((str(number), entity) for number, entity in enumerate(document))


def mentions_by_entity(document: Document | Entities) -> Iterable[Sequence[Hashable]]:
    """Go through the entities of a document, whatever their ids."""
    if type(document) is list:
        return document
    entities = document.values() if isinstance(document, Mapping) else document
    return cast("Iterable[Sequence[Hashable]]", entities)


class PartitionSource:
    """Documents of one side that are plain partitions, opened like a file.

    Mentions are numbered in `names`, which all sides share.
    """

    verbatim = False
    never_has_words = True

    def __init__(
        self,
        name: str,
        documents: Mapping[str, Document | Entities],
        names: Names,
    ) -> None:
        self.name = name
        self.ids: Sequence[str] = list(documents)
        self.sizes: Sequence[int] = [1] * len(documents)
        self._documents = list(documents.values())
        self._names = names

    @property
    def anonymous(self) -> bool:
        """Whether entities have no ids to be known by in another document."""
        return not all(isinstance(entities, Mapping) for entities in self._documents)

    def close(self) -> None:
        """Hold nothing open."""

    def place(self, number: int) -> str:
        """Say where a document stands: its id, since there is no file."""
        return f"{self.name}, document {self.ids[number]!r}"

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Number the mentions of some documents, in the order asked for."""
        documents = [
            list(filter(len, mentions_by_entity(self._documents[number])))
            for number in numbers
        ]
        entities = list(chain.from_iterable(documents))
        if len(documents) == 1:
            entity_document = np.zeros(len(entities), np.int64)
        else:
            many = np.array(list(map(len, documents)), np.int64)
            entity_document = np.arange(len(many)).repeat(many)
        size = np.array(list(map(len, entities)), np.int64)
        mentions = chain.from_iterable(entities)
        with _NUMBERING:
            positions = self._numbered(mentions)
        return Columns(
            entity=np.arange(len(size)).repeat(size),
            start=positions,
            end=positions,
            entity_document=entity_document,
            token_count=np.full(len(numbers), -1, np.int64),
            text_hash=np.zeros(len(numbers), np.uint64),
            names=NamesInOrder(self._names),
        )

    def identified(self, numbers: Sequence[int], codes: EntityCodes) -> Identified:
        """Number mentions likewise, and the ids of their entities."""
        # Imported here because few scores ask, and every start would pay.
        from corefkit.columns.identified import Identified

        named = (entities_of(self._documents[number]) for number in numbers)
        names = (name for name, entity in chain.from_iterable(named) if len(entity))
        return Identified(self.columns(numbers), codes.of_names(names))

    def _numbered(self, mentions: Iterable[Hashable]) -> Ints:
        return np.array(list(map(self._names.__getitem__, mentions)), np.int64)

    def document(self, number: int) -> Document:
        """Make an object of one document; mentions are numbered."""
        entities: list[Entity] = []
        for name, entity in entities_of(self._documents[number]):
            positions = self._numbered(entity).tolist()
            mentions = tuple([Mention(position, position) for position in positions])
            if mentions:
                entities.append(Entity(name, mentions))
        return Document(self.ids[number], (), tuple(entities))

    def is_running(self, number: int) -> bool:
        """Say that no document was read from running text."""
        del number
        return False

    def words(self, number: int) -> Iterator[Word]:
        """Go through the words of a document: there are none."""
        del number
        return iter(())
