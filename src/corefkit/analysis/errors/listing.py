"""Errors as values: what each is about, its id, and what it is known by elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.analysis.errors.analysis import KINDS, TYPES, Error
from corefkit.columns import sorting_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.analysis.errors.joined import Description, Joined
    from corefkit.analysis.errors.kinds import Kinds
    from corefkit.columns import Ints

# The words of a document of the table, by its number, in the tokens of the key.
Words: TypeAlias = Callable[[int], Sequence[str]]

_OTHER = "other"  # the type of a mention where only those of others are known


class _Found(NamedTuple):
    """An error: the rows of its mentions, its entity, and its identity."""

    rows: Sequence[int]
    side: str  # whose entity it is about
    entity: int
    identity: Hashable
    details: Mapping[str, str] = MappingProxyType({})


class Placed(NamedTuple):
    """Where an error stands in its table: the rows of its mentions, its entity."""

    rows: Sequence[int]
    entity: int


class Listed(NamedTuple):
    """The errors of each document, by kind and then by place."""

    errors: list[tuple[Error, ...]]
    places: list[tuple[Placed, ...]]  # of the same errors


def listed_errors(
    kinds: Kinds,
    documents: Sequence[str],
    description: Description | None = None,
    words: Words | None = None,
) -> list[tuple[Error, ...]]:
    """Make the errors of each document, by kind and then by place.

    The same error of several systems has the same kind, document and identity. That is
    a missing mention itself; the first mention of the key entity that is missing or
    divided; those of the two key entities that were conflated, or instead of one the
    extra mention that both hang on; the extra mentions; and of a span error the key
    mention.

    Args:
        kinds: the errors of a table.
        documents: the ids of its documents.
        description: what else is known of its mentions.
        words: gives the words of a document.
    """
    return errors_and_places(kinds, documents, description, words).errors


def errors_and_places(
    kinds: Kinds,
    documents: Sequence[str],
    description: Description | None = None,
    words: Words | None = None,
) -> Listed:
    """Make the errors of each document, and say where they stand in the table."""
    listing = _Listing(kinds, words)
    typed = description is not None and bool((description.type >= 0).any())
    types = description.type.tolist() if typed and description is not None else None
    found: list[list[Error]] = [[] for _ in documents]
    places: list[list[Placed]] = [[] for _ in documents]
    for kind in KINDS:
        used: Counter[str] = Counter()
        for error in listing.of_kind(kind):
            document = int(kinds.table.document[error.rows[0]])
            place = f"{documents[document]}#{kind}#{kinds.before.label(error.rows[0])}"
            made = Error(
                numbered(place, used),
                kind,
                listing.mentions(error.rows),
                listing.entity(error.side, error.entity),
                error.identity,
                () if types is None else tuple(_type(types[row]) for row in error.rows),
                error.details,
            )
            found[document].append(made)
            places[document].append(Placed(error.rows, error.entity))
    return Listed(
        [tuple(errors) for errors in found], [tuple(placed) for placed in places]
    )


def numbered(place: str, used: Counter[str]) -> str:
    """Tell an error from others at its place: mentions with gaps share their bounds.

    >>> used = Counter()
    >>> numbered("d#divided#0-2", used), numbered("d#divided#0-2", used)
    ('d#divided#0-2', 'd#divided#0-2~2')
    """
    used[place] += 1
    return place if used[place] == 1 else f"{place}~{used[place]}"


def _type(number: int) -> str:
    return TYPES[number] if number >= 0 else _OTHER


class _Listing:
    """The mentions of entities and pieces, each made once."""

    def __init__(self, kinds: Kinds, words: Words | None) -> None:
        self.kinds, self.words = kinds, words
        self.pieces = Groups(kinds.pieces.of)
        self.sides = {
            "key": Groups(kinds.table.key_entity),
            "response": Groups(kinds.table.response_entity),
        }
        self._mention = cache(kinds.before.mention)
        self.entity = cache(self._entity)

    def mentions(self, rows: Sequence[int]) -> tuple[Hashable, ...]:
        return tuple([self._mention(row) for row in rows])

    def _entity(self, side: str, entity: int) -> tuple[Hashable, ...]:
        return self.mentions(self.sides[side].rows(entity))

    def of_kind(self, kind: str) -> Iterator[_Found]:
        """Go through the errors of a kind, by document and place."""
        rows = np.sort(self.kinds.first_rows(kind)).tolist()
        return map(getattr(self, f"_{kind}"), rows)

    def _span(self, row: int) -> _Found:
        spans, table = self.kinds.spans, self.kinds.before
        error = int(np.searchsorted(spans.response, row))
        other = int(spans.key[error])
        by = "head" if spans.by_head[error] else "trim"
        words = self.words(int(table.document[row])) if self.words else None
        details = {"paired_by": by, **borders(table, row, other, words)}
        entity = int(table.key_entity[other])
        return _Found((row, other), "key", entity, self._mention(other), details)

    def _conflated(self, row: int) -> _Found:
        kinds, table = self.kinds, self.kinds.table
        entity = int(table.response_entity[row])
        anchor = int(kinds.response.anchor[entity])
        other = int(table.key_entity[anchor])
        ours = int(kinds.key.first[table.key_entity[row]])
        theirs = anchor if other < 0 else int(kinds.key.first[other])
        rows = self.pieces.rows(int(kinds.pieces.of[row]))
        both = self.mentions(sorted((ours, theirs)))
        return _Found(rows, "response", entity, both)

    def _extra_mention(self, row: int) -> _Found:
        entity = int(self.kinds.table.response_entity[row])
        return _Found((row,), "response", entity, self._mention(row))

    def _extra_entity(self, row: int) -> _Found:
        entity = int(self.kinds.table.response_entity[row])
        lacking = self.kinds.response.lacking
        rows = [
            other for other in self.sides["response"].rows(entity) if lacking[other]
        ]
        return _Found(rows, "response", entity, self.mentions(rows))

    def _divided(self, row: int) -> _Found:
        entity = int(self.kinds.table.key_entity[row])
        rows = self.pieces.rows(int(self.kinds.pieces.of[row]))
        return _Found(rows, "key", entity, self.entity("key", entity)[0])

    def _missing_mention(self, row: int) -> _Found:
        entity = int(self.kinds.table.key_entity[row])
        return _Found((row,), "key", entity, self._mention(row))

    def _missing_entity(self, row: int) -> _Found:
        entity = int(self.kinds.table.key_entity[row])
        lacking = self.kinds.key.lacking
        rows = [other for other in self.sides["key"].rows(entity) if lacking[other]]
        return _Found(rows, "key", entity, self.entity("key", entity)[0])


class Groups:
    """Rows by the group they are in; those of group -1 are in none.

    >>> Groups(np.array([1, -1, 0, 1])).rows(1)
    [0, 3]
    """

    def __init__(self, group: Ints) -> None:
        inside = np.flatnonzero(group >= 0)
        order = inside[sorting_order(group[inside])]
        groups = np.arange(int(group.max(initial=-1)) + 2)
        self._rows: list[int] = order.tolist()
        self._first: list[int] = np.searchsorted(group[order], groups).tolist()

    def rows(self, group: int) -> list[int]:
        """List the rows of a group, in order."""
        return self._rows[self._first[group] : self._first[group + 1]]


def borders(
    table: Joined, response: int, key: int, words: Sequence[str] | None = None
) -> dict[str, str]:
    """Say which tokens a response mention has too many or too few, left and right.

    Where the words are not known, the tokens are given by their numbers.
    """
    starts = int(table.start[response]), int(table.start[key])
    ends = int(table.end[response]), int(table.end[key])
    found = {
        "left_extra": (starts[0], min(starts[1] - 1, ends[0])),
        "left_missing": (starts[1], min(starts[0] - 1, ends[1])),
        "right_extra": (max(ends[1] + 1, starts[0]), ends[0]),
        "right_missing": (max(ends[0] + 1, starts[1]), ends[1]),
    }
    return {
        name: f"{first}-{last}" if words is None else " ".join(words[first : last + 1])
        for name, (first, last) in found.items()
        if first <= last
    }
