"""The edit script: the response with some kinds of errors repaired.

Each error has its edit, and kinds are repaired in one order:

    span             the response mention gets the key mention's tokens
    conflated        the piece becomes an entity of its own
    extra mention    it is removed
    extra entity     its extra mentions are removed
    divided          the whole entity that the piece is in by now is joined with that of
                     the key entity's anchor; a missing anchor is added to it
    missing mention  it is added to the entity of its anchor; if that is not there, of
                     the earliest mention of its key entity that is
    missing entity   its missing mentions are added likewise, or as a new entity

Whenever an edit leaves an entity with one mention, and the key lacks that, it goes too:
the anchors that are no errors of their own. With all kinds repaired the response is the
key.

Errors are found once, with span errors repaired. Where these are not to be repaired, a
response mention goes along with the key mention that it is paired with, and keeps its
own tokens.

Source: Kummerfeld and Klein 2013, whose program leaves those anchors behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.analysis.errors.analysis import KINDS
from corefkit.analysis.errors.kinds import earliest
from corefkit.analysis.errors.listing import Groups

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping

    from corefkit.analysis.errors.joined import Joined
    from corefkit.analysis.errors.kinds import Kinds
    from corefkit.columns import Flags, Ints

# The kinds that are repaired, by the names of states. The ladder repairs one kind more
# at a time.
LADDER: Mapping[str, frozenset[str]] = {
    "response": frozenset(),
    **{kind: frozenset(KINDS[: number + 1]) for number, kind in enumerate(KINDS)},
}
ALONE: Mapping[str, frozenset[str]] = {kind: frozenset({kind}) for kind in KINDS}
ALL_BUT: Mapping[str, frozenset[str]] = {
    kind: frozenset(KINDS) - {kind} for kind in KINDS
}


def repaired(kinds: Kinds, which: Collection[str]) -> Ints:
    """Repair some kinds of errors: the entity of each mention then, -1 for no one.

    Entities that the response has keep their numbers; others have numbers above these.
    The rows are those of `kinds.before`.
    """
    state = _State(kinds)
    for kind in KINDS[1:]:
        if kind in which:
            _EDITS[kind](state)
    entity, spans = state.entity, kinds.spans
    if "span" not in which:
        entity[spans.response] = entity[spans.key]
        entity[spans.key] = -1
    return entity


class _State:
    """The response so far: an entity for each mention that it has."""

    def __init__(self, kinds: Kinds) -> None:
        self.kinds = kinds
        self.entity = kinds.table.response_entity.copy()
        # Numbers of new entities: one for each piece, then one for each key entity.
        self.of_piece = len(kinds.response.size)
        self.of_key = self.of_piece + len(kinds.pieces.size)
        self.many = self.of_key + len(kinds.key.size)

    def split_pieces(self) -> None:
        """Make conflated pieces entities of their own."""
        piece, apart = self.kinds.pieces, self.kinds.response.apart
        rows = _flagged(piece.of, apart)
        self.entity[rows] = self.of_piece + piece.of[rows]
        self._clear(piece.response[apart])

    def remove_mentions(self) -> None:
        """Remove extra mentions."""
        self._remove(np.flatnonzero(self.kinds.response.alone))

    def remove_entities(self) -> None:
        """Remove the extra mentions of extra entities."""
        side, table = self.kinds.response, self.kinds.table
        rows = _flagged(table.response_entity, side.whole)
        self._remove(rows[side.lacking[rows]])

    def _remove(self, rows: Ints) -> None:
        touched = self.entity[rows]
        self.entity[rows] = -1
        self._clear(touched[touched >= 0])

    def _clear(self, touched: Ints) -> None:
        """Remove what an edit left of entities, if that is one extra mention."""
        there = self.entity[self.entity >= 0]
        single = np.zeros(self.many, np.bool_)
        single[touched] = True
        single &= np.bincount(there, minlength=self.many) == 1
        extra = np.flatnonzero(self.kinds.response.lacking & (self.entity >= 0))
        self.entity[extra[single[self.entity[extra]]]] = -1

    def join_pieces(self) -> None:
        """Join divided pieces with the anchors of their key entities."""
        pieces, key = self.kinds.pieces, self.kinds.key
        of_key = pieces.key[key.apart]
        anchor = key.anchor[of_key]
        missing = self.entity[anchor] < 0
        self.entity[anchor[missing]] = self.of_key + of_key[missing]
        first = self.entity[pieces.first[key.apart]]
        number = _united(first, self.entity[anchor], self.many)
        there = self.entity >= 0
        self.entity[there] = number[self.entity[there]]

    def add_mentions(self) -> None:
        """Add missing mentions."""
        self._add(np.flatnonzero(self.kinds.key.alone))

    def add_entities(self) -> None:
        """Add the missing mentions of missing entities."""
        rows = _flagged(self.kinds.table.key_entity, self.kinds.key.whole)
        self._add(rows[self.entity[rows] < 0])

    def _add(self, rows: Ints) -> None:
        key, entity = self.kinds.key, self.kinds.table.key_entity
        there = np.flatnonzero((entity >= 0) & (self.entity >= 0))
        first = earliest(entity, there, len(key.size))
        first = np.where(self.entity[key.anchor] >= 0, key.anchor, first)
        new = self.of_key + np.arange(len(first))
        home = np.where(first < 0, new, self.entity[first])
        self.entity[rows] = home[entity[rows]]


_EDITS: Mapping[str, Callable[[_State], None]] = {
    "conflated": _State.split_pieces,
    "extra_mention": _State.remove_mentions,
    "extra_entity": _State.remove_entities,
    "divided": _State.join_pieces,
    "missing_mention": _State.add_mentions,
    "missing_entity": _State.add_entities,
}


def _flagged(group: Ints, flags: Flags) -> Ints:
    """Find the rows whose group is flagged."""
    rows = np.flatnonzero(group >= 0)
    return rows[flags[group[rows]]]


def _united(first: Ints, second: Ints, many: int) -> Ints:
    """Join groups in pairs, and what hangs together by these: the least number of each.

    >>> _united(np.array([4, 1]), np.array([3, 4]), 5).tolist()
    [0, 1, 2, 1, 1]
    """
    least = np.arange(many)
    while True:
        one, other = least[first], least[second]
        if np.array_equal(one, other):
            return least
        np.minimum.at(least, np.maximum(one, other), np.minimum(one, other))
        while not np.array_equal(least, least[least]):
            least = least[least]


def entities_of_state(table: Joined, entity: Ints) -> list[list[tuple[Hashable, ...]]]:
    """List the entities of each document, by their first mentions.

    Args:
        table: the mentions, as they were joined.
        entity: the entity of each, as `repaired` gives it.
    """
    groups = Groups(entity)
    found: list[list[tuple[Hashable, ...]]] = [[] for _ in range(table.documents)]
    there = np.flatnonzero(entity >= 0)
    first = np.sort(there[np.unique(entity[there], return_index=True)[1]])
    for row in first.tolist():
        rows = groups.rows(int(entity[row]))
        mentions = tuple([table.mention(member) for member in rows])
        found[int(table.document[row])].append(mentions)
    return found
