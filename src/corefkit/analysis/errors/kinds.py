"""The seven kinds of errors, in closed form, for all documents of a table at once.

With span errors out of the way (`spans`), R is a response and K a key entity. The
*anchor* of an entity is its earliest mention that is no pronoun; if all are pronouns,
its earliest. What R and K share is a *piece* of both. Then

    conflated        a piece of R that does not hold R's anchor
    extra mention    a mention of R that the key lacks, but not R's anchor
    extra entity     R has two or more such mentions, and the others are all pronouns:
                     one error, instead of the extra mentions
    divided          a piece of K that does not hold K's anchor
    missing mention  a mention of K that the response lacks, but not K's anchor
    missing entity   K has two or more such mentions, and the others are all pronouns

A singleton that the other side lacks is an extra or missing entity too.

An extra mention that is the anchor of its entity is no error of its own: what was hung
on it is conflated. An entity whose anchor is missing has nothing to hang its pieces on,
so that each of them is divided, a single one too.

Source: Kummerfeld and Klein 2013, whose program makes lists of operations and then
groups them; the outcome is the same. It counts no singletons.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corefkit.analysis.errors.analysis import KINDS
from corefkit.analysis.errors.spans import SpanErrors, with_spans_repaired

if TYPE_CHECKING:
    from corefkit.analysis.errors.joined import Joined
    from corefkit.columns import Flags, Ints

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

    >>> from corefkit.analysis.errors.joined import Joined
    >>> from corefkit.analysis.errors.spans import no_span_errors
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
