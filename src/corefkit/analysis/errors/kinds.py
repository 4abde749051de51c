"""The seven kinds of errors, in closed form, for all documents of a table at once.

Span errors are mentions of key and response that differ at their borders only. Of the
response mentions that the key lacks and the key mentions that the response lacks, two
are paired

1.  by trimming: without articles, possessive endings and punctuation at their borders
    they have the same tokens, in the same sentence. In order, each response mention
    takes the earliest free key mention;
2.  by heads: no other remaining mention of either side has their head.

A paired response mention then has the position and type of the key's.

For the other kinds, span errors count as repaired; R is a response and K a key entity.
The *anchor* of an entity is its earliest mention that is not a pronoun; if all are
pronouns, its earliest. The mentions that R and K share are a *piece* of both. Then

    conflated        a piece of R that does not hold R's anchor
    extra mention    a mention of R that the key lacks, but not R's anchor
    extra entity     R has two or more such mentions, and the others are all pronouns:
                     one error, instead of the extra mentions
    divided          a piece of K that does not hold K's anchor
    missing mention  a mention of K that the response lacks, but not K's anchor
    missing entity   K has two or more such mentions, and the others are all pronouns

A singleton that the other side lacks is an extra or missing entity too.

An extra mention that is the anchor of its entity is not a separate error: the pieces
attached to it are conflated. An entity whose anchor is missing has nothing to attach
its pieces to, so that each of them is divided, a single one too.

Source: Kummerfeld and Klein 2013, whose program makes lists of operations and then
groups them; the outcome is the same. It counts no singletons, and lets a response
mention that trims to two key mentions block both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.analysis.errors.error_analysis import KINDS, TYPES, Error
from corefkit.arrays.columns import rank_in_runs, sort_indices

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.analysis.errors.mentions import Description, Joined
    from corefkit.arrays.columns import Flags, Ints


@dataclass(frozen=True, slots=True)
class SpanErrors:
    """The span errors of a table, by place of the response mention.

    Attributes:
        response: the row of each response mention.
        key: the row of the key mention that it is paired with.
        by_head: whether their head paired them, and not trimming.
    """

    response: Ints
    key: Ints
    by_head: Flags

    def __len__(self) -> int:
        """Count the errors."""
        return len(self.response)


def no_span_errors() -> SpanErrors:
    """Return no span errors, for tables of which neither words nor heads are known."""
    none = np.empty(0, np.int64)
    return SpanErrors(none, none, np.empty(0, np.bool_))


def span_errors(table: Joined, description: Description) -> SpanErrors:
    """Pair the mentions that differ at their borders only."""
    extra = np.flatnonzero(table.key_entity < 0)
    missing = np.flatnonzero(table.response_entity < 0)
    trimmed = _by_trimming(table, description, extra, missing)
    extra = np.setdiff1d(extra, trimmed[0], assume_unique=True)
    missing = np.setdiff1d(missing, trimmed[1], assume_unique=True)
    headed = _by_heads(table, description.head, extra, missing)
    response = np.concatenate((trimmed[0], headed[0]))
    key = np.concatenate((trimmed[1], headed[1]))
    by_head = np.arange(len(response)) >= len(trimmed[0])
    order = np.argsort(response)
    return SpanErrors(response[order], key[order], by_head[order])


def with_spans_repaired(table: Joined, errors: SpanErrors) -> Joined:
    """Let response mentions take the places of the key mentions they are paired with.

    The rows stay; that of a response mention that moved is in no entity any more.
    """
    if not len(errors):
        return table
    entity = table.response_entity.copy()
    entity[errors.key] = entity[errors.response]
    entity[errors.response] = -1
    return replace(table, response_entity=entity)


def _by_trimming(
    table: Joined, description: Description, extra: Ints, missing: Ints
) -> tuple[Ints, Ints]:
    columns = [
        table.document,
        description.sentence,
        description.trimmed_start,
        description.trimmed_end,
    ]
    if table.gaps:
        columns.append(_gaps_inside(table, description))
    # Those that trim to the same tokens are exchangeable: the first of one side takes
    # the first of the other, the second takes the second.
    rows = np.concatenate((extra, missing))
    code = _numbered(columns, rows)
    ours, theirs = code[: len(extra)], code[len(extra) :]
    places = _places_among_equals(ours), _places_among_equals(theirs)
    width = max(len(rows), 1)
    _, mine, other = np.intersect1d(
        ours * width + places[0],
        theirs * width + places[1],
        assume_unique=True,
        return_indices=True,
    )
    return extra[mine], missing[other]


def _by_heads(
    table: Joined, head: Ints, extra: Ints, missing: Ints
) -> tuple[Ints, Ints]:
    extra, missing = extra[head[extra] >= 0], missing[head[missing] >= 0]
    code = _numbered([table.document, head], np.concatenate((extra, missing)))
    ours, theirs = code[: len(extra)], code[len(extra) :]
    many = [np.bincount(side, minlength=len(code)) for side in (ours, theirs)]
    single = (many[0] == 1) & (many[1] == 1)
    mine, other = np.flatnonzero(single[ours]), np.flatnonzero(single[theirs])
    return (
        extra[mine[np.argsort(ours[mine])]],
        missing[other[np.argsort(theirs[other])]],
    )


def _numbered(columns: list[Ints], rows: Ints) -> Ints:
    """Number rows so that those that are equal in all columns have the same number."""
    code = np.zeros(len(rows), np.int64)
    for column in columns:
        number = np.unique(column[rows], return_inverse=True)[1].reshape(-1)
        code = code * (int(number.max(initial=0)) + 1) + number
        code = np.unique(code, return_inverse=True)[1].reshape(-1)
    return code


def _places_among_equals(code: Ints) -> Ints:
    """Count through the rows of each number, in their order."""
    order = np.argsort(code, kind="stable")
    place = np.empty(len(code), np.int64)
    place[order] = rank_in_runs(code[order])
    return place


def _gaps_inside(table: Joined, description: Description) -> Ints:
    """Number the gaps that are left inside trimmed mentions; 0 where there is none."""
    numbers: dict[tuple[tuple[int, int], ...], int] = {(): 0}
    found = np.zeros(len(table), np.int64)
    for row, gaps in table.gaps.items():
        start, end = description.trimmed_start[row], description.trimmed_end[row]
        inside = tuple(gap for gap in gaps if gap[0] > start and gap[1] < end)
        found[row] = numbers.setdefault(inside, len(numbers))
    return found


OPERATIONS = ("split", "remove", "introduce", "merge")


@dataclass(frozen=True, slots=True)
class Pieces:
    """What key and response entities share, ordered by key, then response entity.

    Attributes:
        of: the piece of each mention; -1 where a side lacks it.
        key: the key entity of each piece.
        response: its response entity.
        size: how many mentions it has.
        first: the row of its earliest mention.
    """

    of: Ints
    key: Ints
    response: Ints
    size: Ints
    first: Ints


@dataclass(frozen=True, slots=True)
class SideErrors:
    """The errors that are seen from the entities of one side.

    Attributes:
        document: the document of each entity.
        size: how many mentions it has.
        anchor: the row of its anchor.
        first: the row of its earliest mention.
        apart: for each piece, whether it does not hold its entity's anchor.
        lacking: for each mention, whether only this side has it.
        alone: for each mention, whether it is an error: extra, or missing.
        whole: for each entity, whether it is one: extra, or missing.
    """

    document: Ints
    size: Ints
    anchor: Ints
    first: Ints
    apart: Flags
    lacking: Flags
    alone: Flags
    whole: Flags


@dataclass(frozen=True, slots=True)
class Kinds:
    """The errors of a table.

    Attributes:
        before: the table, as it was joined.
        table: the same with span errors repaired.
        spans: the span errors.
        pieces: what key and response entities share.
        key: errors of the key's entities: divided, missing.
        response: errors of the response's: conflated, extra.

    >>> from corefkit.analysis.errors.mentions import Joined
    >>> key, response = np.array([0, 0, 0, -1]), np.array([0, 0, 1, 1])
    >>> row, nobody = np.arange(4), np.zeros(4, np.bool_)
    >>> table = Joined(1, np.zeros(4, np.int64), key, response, row, row, nobody)
    >>> found = kinds_of_errors(table, no_span_errors())
    >>> dict(zip(KINDS, found.counts[0].tolist()))["divided"]
    1
    """

    before: Joined
    table: Joined
    spans: SpanErrors
    pieces: Pieces
    key: SideErrors
    response: SideErrors

    @property
    def counts(self) -> Ints:
        """How many errors of each kind each document has: a row a document."""
        rows = {kind: self.first_rows(kind) for kind in KINDS}
        return np.stack([self._by_document(rows[kind]) for kind in KINDS], axis=1)

    def first_rows(self, kind: str) -> Ints:
        """Find the row of the first mention of each error of a kind."""
        pieces, table = self.pieces, self.table
        side = self.key if kind in _OF_KEY else self.response
        if kind == "span":
            return self.spans.response
        if kind in ("conflated", "divided"):
            return pieces.first[side.apart]
        if kind in ("extra_mention", "missing_mention"):
            return np.flatnonzero(side.alone)
        entity = table.key_entity if kind in _OF_KEY else table.response_entity
        rows = np.flatnonzero(side.lacking)
        rows = rows[side.whole[entity[rows]]]
        return rows[np.sort(np.unique(entity[rows], return_index=True)[1])]

    @property
    def singletons(self) -> Ints:
        """How many extra, then missing entities are singletons: a row a document."""
        sides = self.response, self.key
        return np.stack([self._singletons(side) for side in sides], axis=1)

    def _singletons(self, side: SideErrors) -> Ints:
        which = side.whole & (side.size == 1)
        return np.bincount(side.document[which], minlength=self.table.documents)

    @property
    def operations(self) -> Ints:
        """How many raw operations each document needs: a row a document.

        Pieces to split off, mentions to remove, to introduce, pieces to merge.
        """
        pieces, table = self.pieces, self.table
        extra, missing = self.response.lacking, self.key.lacking
        larger = np.zeros(len(table), np.bool_)
        larger[missing] = self.key.size[table.key_entity[missing]] > 1
        cut = pieces.first[pieces.size != self.response.size[pieces.response]]
        glued = pieces.first[pieces.size != self.key.size[pieces.key]]
        removed, introduced = np.flatnonzero(extra), np.flatnonzero(missing)
        rows = (
            np.concatenate((cut, removed)),
            removed,
            introduced,
            np.concatenate((glued, np.flatnonzero(larger))),
        )
        return np.stack([self._by_document(row) for row in rows], axis=1)

    def _by_document(self, rows: Ints) -> Ints:
        document = self.table.document[rows]
        return np.bincount(document, minlength=self.table.documents)


_OF_KEY = frozenset({"divided", "missing_mention", "missing_entity"})


def kinds_of_errors(table: Joined, spans: SpanErrors) -> Kinds:
    """Find the errors of all kinds."""
    after = with_spans_repaired(table, spans)
    pieces = _pieces(after)
    key, response = after.key_entity, after.response_entity
    return Kinds(
        table,
        after,
        spans,
        pieces,
        key=_side_errors(after, key, response, pieces, pieces.key),
        response=_side_errors(after, response, key, pieces, pieces.response),
    )


def _pieces(table: Joined) -> Pieces:
    key, response = table.key_entity, table.response_entity
    both = np.flatnonzero((key >= 0) & (response >= 0))
    width = int(response.max(initial=0)) + 1
    code, first, inverse, size = np.unique(
        key[both] * width + response[both],
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    of = np.full(len(key), -1, np.int64)
    of[both] = inverse.reshape(-1)
    return Pieces(of, *np.divmod(code, width), size, both[first])


def _side_errors(
    table: Joined, entity: Ints, other: Ints, pieces: Pieces, entity_of_piece: Ints
) -> SideErrors:
    """Find the errors of one side, given the entities of mentions on both."""
    here = np.flatnonzero(entity >= 0)
    many = int(entity.max(initial=-1)) + 1
    size = np.bincount(entity[here], minlength=many)
    anchor = earliest(entity, here[~table.is_pronoun[here]], many)
    first = earliest(entity, here, many)
    anchor = np.where(anchor < 0, first, anchor)
    lacking: Flags = (entity >= 0) & (other < 0)
    of_lacking = entity[lacking]
    found = (entity >= 0) & ~lacking & ~table.is_pronoun
    lacked = np.bincount(of_lacking, minlength=many)
    only_pronouns = np.bincount(entity[found], minlength=many) == 0
    whole = (lacked >= 2) & only_pronouns | (lacked == 1) & (size == 1)
    alone = lacking.copy()
    alone[anchor[first >= 0]] = False
    alone[lacking] &= ~whole[of_lacking]
    return SideErrors(
        document=np.where(first < 0, -1, table.document[first]),
        size=size,
        anchor=anchor,
        first=first,
        apart=pieces.of[anchor[entity_of_piece]] != np.arange(len(pieces.key)),
        lacking=lacking,
        alone=alone,
        whole=whole,
    )


def earliest(entity: Ints, rows: Ints, many: int) -> Ints:
    """Find the first of some rows in each entity; -1 where it has none."""
    found = np.full(many, -1, np.int64)
    # Of rows that are written to one place the last stays: the first of all.
    found[entity[rows[::-1]]] = rows[::-1]
    return found


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
        order = inside[sort_indices(group[inside])]
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
