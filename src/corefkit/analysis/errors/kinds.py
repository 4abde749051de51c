"""The seven kinds of errors, in closed form, for all documents of a table at once.

Span errors are mentions of key and response that differ only at their boundaries. Of
the response mentions that the key lacks and the key mentions that the response lacks,
two are paired

1.  by trimming: without articles, possessive endings and punctuation at their
    boundaries they have the same tokens, in the same sentence. In order, each response
    mention takes the earliest free key mention;
2.  by heads: no other remaining mention of either side has their head.

A paired response mention then has the position and type of the key's.

For the other kinds, span errors count as repaired; R is a response and K a key entity.
The *anchor* of an entity is its earliest mention that is not a pronoun; if all are
pronouns, its earliest. The mentions that R and K share are a *piece* of both. Then

    conflated        a piece of R that does not contain R's anchor
    extra mention    a mention of R that the key lacks, but not R's anchor
    extra entity     R has two or more such mentions, and the others are all pronouns:
                     one error, instead of the extra mentions
    divided          a piece of K that does not contain K's anchor
    missing mention  a mention of K that the response lacks, but not K's anchor
    missing entity   K has two or more such mentions, and the others are all pronouns

A singleton that the other side lacks is an extra or missing entity too.

An extra mention that is the anchor of its entity is not a separate error: the pieces
attached to it are conflated. An entity whose anchor is missing has nothing to attach
its pieces to, so that each of them is divided, even a single one.

Source: Kummerfeld and Klein 2013, whose program makes lists of operations and then
groups them; the result is the same. It ignores singletons, and a response mention that
trims to two key mentions blocks both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from corefkit.analysis.errors.error_analysis import (
    KINDS,
    NO_DETAILS,
    TYPES,
    UNKNOWN_TYPE,
    Error,
)
from corefkit.analysis.errors.mentions import MentionFacts, MentionTable
from corefkit.arrays.columns import Flags, Ints, rank_in_runs, sort_indices

OPERATIONS = ("split", "remove", "introduce", "merge")
_KEY_KINDS = frozenset({"divided", "missing_mention", "missing_entity"})


class SpanErrors(NamedTuple):
    """The span errors of a table, in the order of the response mentions."""

    response: Ints  # the row index of each response mention
    key: Ints  # the row index of the key mention that it is paired with
    by_head: Flags  # whether they are paired by head instead of trimming


def find_span_errors(table: MentionTable, facts: MentionFacts) -> SpanErrors:
    """Pair the mentions that differ only at their boundaries."""
    extra = np.flatnonzero(table.key_entity < 0)
    missing = np.flatnonzero(table.response_entity < 0)
    trimmed = _pair_by_trimming(table, facts, extra, missing)
    extra = np.setdiff1d(extra, trimmed[0], assume_unique=True)
    missing = np.setdiff1d(missing, trimmed[1], assume_unique=True)
    by_head = _pair_by_heads(table, facts.head, extra, missing)
    response = np.concatenate((trimmed[0], by_head[0]))
    key = np.concatenate((trimmed[1], by_head[1]))
    order = np.argsort(response)
    return SpanErrors(response[order], key[order], order >= len(trimmed[0]))


def _pair_by_trimming(
    table: MentionTable, facts: MentionFacts, extra: Ints, missing: Ints
) -> tuple[Ints, Ints]:
    columns = [table.document, facts.sentence, facts.trimmed_start, facts.trimmed_end]
    if table.gaps:
        columns.append(_number_inner_gaps(table, facts))
    # Mentions that trim to the same tokens are exchangeable: the first of one side is
    # paired with the first of the other, the second with the second.
    code = _encode_rows(columns, np.concatenate((extra, missing)))
    sides = np.split(code, [len(extra)])
    ranked = (side * max(len(code), 1) + _rank_equal(side) for side in sides)
    return _pair_codes((extra, missing), *ranked)


def _pair_by_heads(
    table: MentionTable, head: Ints, extra: Ints, missing: Ints
) -> tuple[Ints, Ints]:
    rows = extra[head[extra] >= 0], missing[head[missing] >= 0]
    code = _encode_rows([table.document, head], np.concatenate(rows))
    sides = np.split(code, [len(rows[0])])
    flags = [np.bincount(side)[side] == 1 for side in sides]
    extra, missing = (row[flag] for row, flag in zip(rows, flags, strict=True))
    single = (side[flag] for side, flag in zip(sides, flags, strict=True))
    return _pair_codes((extra, missing), *single)


def _pair_codes(
    rows: tuple[Ints, Ints], extra_code: Ints, missing_code: Ints
) -> tuple[Ints, Ints]:
    """Pair the rows of two sides with equal codes, which are unique on each side."""
    _, extra, missing = np.intersect1d(
        extra_code, missing_code, assume_unique=True, return_indices=True
    )
    return rows[0][extra], rows[1][missing]


def _encode_rows(columns: list[Ints], rows: Ints) -> Ints:
    """Number rows; rows with equal values in all columns have the same number."""
    code = np.zeros(len(rows), np.int64)
    for column in columns:
        number = np.unique(column[rows], return_inverse=True)[1].reshape(-1)
        code = code * (int(number.max(initial=0)) + 1) + number
        code = np.unique(code, return_inverse=True)[1].reshape(-1)
    return code


def _rank_equal(code: Ints) -> Ints:
    """Number equal values in order, from 0."""
    order = np.argsort(code, kind="stable")
    rank = np.empty(len(code), np.int64)
    rank[order] = rank_in_runs(code[order])
    return rank


def _number_inner_gaps(table: MentionTable, facts: MentionFacts) -> Ints:
    """Number the gaps that remain inside trimmed mentions; 0 if there are none."""
    numbers: dict[tuple[tuple[int, int], ...], int] = {(): 0}
    codes = np.zeros(len(table), np.int64)
    for row, gaps in table.gaps.items():
        start, end = facts.trimmed_start[row], facts.trimmed_end[row]
        inner = tuple(gap for gap in gaps if gap[0] > start and gap[1] < end)
        codes[row] = numbers.setdefault(inner, len(numbers))
    return codes


class Pieces(NamedTuple):
    """What key and response entities share, ordered by key, then response entity."""

    of: Ints  # the piece of each mention; -1 if a side lacks it
    key: Ints  # the key entity of each piece
    response: Ints  # its response entity
    size: Ints  # its number of mentions
    first: Ints  # the row index of its earliest mention


class SideErrors(NamedTuple):
    document: Ints  # the document of each entity
    size: Ints  # its number of mentions
    anchor: Ints  # the row index of its anchor
    first: Ints  # the row index of its earliest mention
    is_detached: Flags  # for each piece, whether it lacks its entity's anchor
    is_unmatched: Flags  # for each mention, whether only this side has it
    is_mention_error: Flags  # for each mention, whether it is extra or missing
    is_entity_error: Flags  # for each entity, whether it is extra or missing


@dataclass(frozen=True, slots=True)
class KindErrors:
    original: MentionTable
    table: MentionTable  # with span errors repaired
    spans: SpanErrors
    pieces: Pieces
    key: SideErrors  # divided, missing
    response: SideErrors  # conflated, extra

    @property
    def counts(self) -> Ints:
        """The number of errors: a row for each document, a column for each kind."""
        columns = [
            self._count_by_document(self.list_first_rows(kind)) for kind in KINDS
        ]
        return np.stack(columns, axis=1)

    def list_first_rows(self, kind: str) -> Ints:
        pieces, table = self.pieces, self.table
        side = self.key if kind in _KEY_KINDS else self.response
        if kind == "span":
            return self.spans.response
        if kind in ("conflated", "divided"):
            return pieces.first[side.is_detached]
        if kind in ("extra_mention", "missing_mention"):
            return np.flatnonzero(side.is_mention_error)
        entity = table.key_entity if kind in _KEY_KINDS else table.response_entity
        rows = np.flatnonzero(side.is_unmatched)
        rows = rows[side.is_entity_error[entity[rows]]]
        return rows[np.sort(np.unique(entity[rows], return_index=True)[1])]

    @property
    def singletons(self) -> Ints:
        """The number of extra and of missing singletons: a row for each document."""
        columns = []
        for side in (self.response, self.key):
            is_singleton = side.is_entity_error & (side.size == 1)
            document = side.document[is_singleton]
            columns.append(np.bincount(document, minlength=self.table.documents))
        return np.stack(columns, axis=1)

    @property
    def operations(self) -> Ints:
        """Counts of splits, removals, introductions, merges by document."""
        pieces, table = self.pieces, self.table
        extra, missing = self.response.is_unmatched, self.key.is_unmatched
        is_linked = np.zeros(len(table), np.bool_)
        is_linked[missing] = self.key.size[table.key_entity[missing]] > 1
        split = pieces.first[pieces.size != self.response.size[pieces.response]]
        merge = pieces.first[pieces.size != self.key.size[pieces.key]]
        remove, introduce = np.flatnonzero(extra), np.flatnonzero(missing)
        rows = (
            np.concatenate((split, remove)),
            remove,
            introduce,
            np.concatenate((merge, np.flatnonzero(is_linked))),
        )
        return np.stack([self._count_by_document(row) for row in rows], axis=1)

    def count_extra_anchors(self) -> int:
        """Count the extra mentions that are not errors because they are anchors."""
        side = self.response
        exists = side.first >= 0
        is_extra = side.is_unmatched[side.anchor[exists]]
        return int((is_extra & ~side.is_entity_error[exists]).sum())

    def _count_by_document(self, rows: Ints) -> Ints:
        document = self.table.document[rows]
        return np.bincount(document, minlength=self.table.documents)


def find_errors_by_kind(table: MentionTable, spans: SpanErrors) -> KindErrors:
    key, response = table.key_entity, table.response_entity.copy()
    # Response mentions move to the rows of the key mentions they are paired with.
    response[spans.key] = response[spans.response]
    response[spans.response] = -1
    repaired = replace(table, response_entity=response)
    pieces = _build_pieces(repaired)
    return KindErrors(
        table,
        repaired,
        spans,
        pieces,
        key=_find_side_errors(repaired, key, response, pieces, pieces.key),
        response=_find_side_errors(repaired, response, key, pieces, pieces.response),
    )


def _build_pieces(table: MentionTable) -> Pieces:
    key, response = table.key_entity, table.response_entity
    shared = np.flatnonzero((key >= 0) & (response >= 0))
    width = int(response.max(initial=0)) + 1
    code, first, inverse, size = np.unique(
        key[shared] * width + response[shared],
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    of = np.full(len(key), -1, np.int64)
    of[shared] = inverse.reshape(-1)
    return Pieces(of, *np.divmod(code, width), size, shared[first])


def _find_side_errors(
    table: MentionTable,
    entity: Ints,
    opposite_entity: Ints,
    pieces: Pieces,
    piece_entity: Ints,
) -> SideErrors:
    """Return the errors of one side, whose entities are `entity` and `piece_entity`."""
    rows = np.flatnonzero(entity >= 0)
    entities = int(entity.max(initial=-1)) + 1
    size = np.bincount(entity[rows], minlength=entities)
    first = find_first_rows(entity, rows, entities)
    anchor = find_first_rows(entity, rows[~table.is_pronoun[rows]], entities)
    anchor = np.where(anchor < 0, first, anchor)
    is_unmatched: Flags = (entity >= 0) & (opposite_entity < 0)
    unmatched_entity = entity[is_unmatched]
    unmatched = np.bincount(unmatched_entity, minlength=entities)
    is_named_match = (entity >= 0) & ~is_unmatched & ~table.is_pronoun
    has_only_pronouns = np.bincount(entity[is_named_match], minlength=entities) == 0
    is_entity_error = (unmatched >= 2) & has_only_pronouns
    is_entity_error |= (unmatched == 1) & (size == 1)
    is_mention_error = is_unmatched.copy()
    is_mention_error[anchor[first >= 0]] = False
    is_mention_error[is_unmatched] &= ~is_entity_error[unmatched_entity]
    return SideErrors(
        document=np.where(first < 0, -1, table.document[first]),
        size=size,
        anchor=anchor,
        first=first,
        is_detached=pieces.of[anchor[piece_entity]] != np.arange(len(pieces.key)),
        is_unmatched=is_unmatched,
        is_mention_error=is_mention_error,
        is_entity_error=is_entity_error,
    )


def find_first_rows(entity: Ints, rows: Ints, entities: int) -> Ints:
    """Return the first of some rows in each entity; -1 if it has none."""
    first = np.full(entities, -1, np.int64)
    # Of several values that are assigned to an element, numpy keeps the last.
    first[entity[rows[::-1]]] = rows[::-1]
    return first


class ErrorRows(NamedTuple):
    """The rows of the mentions of an error in its table, and its entity."""

    rows: Sequence[int]
    entity: int


def list_errors(
    kinds: KindErrors,
    documents: Sequence[str],
    facts: MentionFacts | None = None,
    get_words: Callable[[int], Sequence[str]] | None = None,
) -> list[list[tuple[Error, ErrorRows]]]:
    """Return the errors of each document with their rows, by kind and position."""
    finder = _ErrorFinder(kinds)
    types: Sequence[int] | None = None
    if facts is not None and (facts.type >= 0).any():
        types = facts.type.tolist()
    errors: list[list[tuple[Error, ErrorRows]]] = [[] for _ in documents]
    for kind in KINDS:
        used: Counter[str] = Counter()
        for row in np.sort(kinds.list_first_rows(kind)).tolist():
            document = int(kinds.table.document[row])
            place = f"{documents[document]}#{kind}#{kinds.original.label(row)}"
            rows, side, entity, identity = finder.find(kind, row)
            details = NO_DETAILS
            if kind == "span":
                words = None if get_words is None else get_words(document)
                details = describe_boundaries(kinds, rows, words)
            error = Error(
                make_unique(place, used),
                kind,
                finder.get_mentions(rows),
                finder.get_entity(side, entity),
                identity,
                () if types is None else tuple(name_type(types[r]) for r in rows),
                details,
            )
            errors[document].append((error, ErrorRows(rows, entity)))
    return errors


def make_unique(place: str, used: Counter[str]) -> str:
    """Add a number to a duplicate id: mentions with gaps can have the same bounds."""
    used[place] += 1
    return place if used[place] == 1 else f"{place}~{used[place]}"


def name_type(number: int) -> str:
    return TYPES[number] if number >= 0 else UNKNOWN_TYPE


class _ErrorFinder:
    def __init__(self, kinds: KindErrors) -> None:
        self.kinds, self._pieces = kinds, RowGroups(kinds.pieces.of)
        self._sides = {
            "key": RowGroups(kinds.table.key_entity),
            "response": RowGroups(kinds.table.response_entity),
        }
        self._entities: dict[tuple[str, int], tuple[Hashable, ...]] = {}

    def get_mentions(self, rows: Sequence[int]) -> tuple[Hashable, ...]:
        return tuple([self.kinds.original.mention(row) for row in rows])

    def get_entity(self, side: str, entity: int) -> tuple[Hashable, ...]:
        if (side, entity) not in self._entities:
            rows = self._sides[side].get_rows(entity)
            self._entities[side, entity] = self.get_mentions(rows)
        return self._entities[side, entity]

    def find(self, kind: str, row: int) -> tuple[Sequence[int], str, int, Hashable]:
        """Return the rows, side, entity and identity of an error by its first row."""
        kinds, table = self.kinds, self.kinds.table
        key_entity = table.key_entity
        mention = kinds.original.mention
        if kind == "span":
            key_row = int(kinds.spans.key[np.searchsorted(kinds.spans.response, row)])
            entity = int(kinds.original.key_entity[key_row])
            return (row, key_row), "key", entity, mention(key_row)
        side = "key" if kind in _KEY_KINDS else "response"
        entity = int((key_entity if side == "key" else table.response_entity)[row])
        if kind.endswith("_mention"):
            return (row,), side, entity, mention(row)
        if kind == "conflated":
            anchor = int(kinds.response.anchor[entity])
            if key_entity[anchor] >= 0:
                anchor = int(kinds.key.first[key_entity[anchor]])
            first = int(kinds.key.first[key_entity[row]])
            rows = self._pieces.get_rows(int(kinds.pieces.of[row]))
            return rows, side, entity, self.get_mentions(sorted((first, anchor)))
        if kind == "divided":
            rows = self._pieces.get_rows(int(kinds.pieces.of[row]))
        else:
            errors = kinds.key if side == "key" else kinds.response
            members = self._sides[side].get_rows(entity)
            rows = [member for member in members if errors.is_unmatched[member]]
        if side == "key":
            return rows, side, entity, self.get_entity(side, entity)[0]
        return rows, side, entity, self.get_mentions(rows)


class RowGroups:
    """Index of rows by group; rows of group -1 are ignored."""

    def __init__(self, group: Ints) -> None:
        rows = np.flatnonzero(group >= 0)
        order = rows[sort_indices(group[rows])]
        groups = np.arange(int(group.max(initial=-1)) + 2)
        self._rows: list[int] = order.tolist()
        self._first: list[int] = np.searchsorted(group[order], groups).tolist()

    def get_rows(self, group: int) -> list[int]:
        return self._rows[self._first[group] : self._first[group + 1]]


def describe_boundaries(
    kinds: KindErrors, rows: Sequence[int], words: Sequence[str] | None = None
) -> dict[str, str]:
    """Describe how a span error was paired, and tokens or their indices that differ."""
    table, spans = kinds.original, kinds.spans
    response, key = rows
    by_head = spans.by_head[np.searchsorted(spans.response, response)]
    starts = int(table.start[response]), int(table.start[key])
    ends = int(table.end[response]), int(table.end[key])
    bounds = {
        "left_extra": (starts[0], min(starts[1] - 1, ends[0])),
        "left_missing": (starts[1], min(starts[0] - 1, ends[1])),
        "right_extra": (max(ends[1] + 1, starts[0]), ends[0]),
        "right_missing": (max(ends[0] + 1, starts[1]), ends[1]),
    }
    return {"paired_by": "head" if by_head else "trim"} | {
        name: f"{first}-{last}" if words is None else " ".join(words[first : last + 1])
        for name, (first, last) in bounds.items()
        if first <= last
    }
