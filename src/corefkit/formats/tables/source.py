"""A table of mentions, opened like a file of any other format."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import islice, pairwise
from typing import TYPE_CHECKING, cast

import numpy as np

from corefkit.columns import empty_columns, runs
from corefkit.columns.details import plain_details
from corefkit.columns.held import Held
from corefkit.exceptions import quoted
from corefkit.formats.faults import Faults, in_order
from corefkit.formats.kinds import REPEATED_DOCUMENT
from corefkit.formats.oddities import MOST_TOKENS, check_overlaps, tell_long
from corefkit.formats.source import NOTHING_CALLED, Called
from corefkit.formats.tables.cells import NAMED
from corefkit.formats.tables.reading import ordered_rows
from corefkit.formats.tables.tables import TableRows, as_name, column_fault, roles_of
from corefkit.model import Document, Entity, Mention
from corefkit.strings.ids import canonical_id

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from corefkit.columns import Columns, Ints
    from corefkit.columns.identified import EntityCodes, Identified
    from corefkit.formats.faults import Problem
    from corefkit.formats.source import Named, Word
    from corefkit.formats.tables.reading import OrderedRows
    from corefkit.formats.tables.tables import Frame, MentionRow

_COLUMNS = "a table has a column document, a column entity, and a mention in each row"


class TableSource:
    """The documents of a table.

    A few numbers for each row are in memory; what people look at, such as the ids of
    entities, is fetched from the frame when a document is asked for.
    """

    def __init__(self, frame: Frame, kept: list[Problem] | None = None) -> None:
        self.name = frame.name
        self.verbatim = False
        self.never_has_words = True
        self.peers: Sequence[Named] = [self]
        self._frame = frame
        self._faults = Faults(frame, kept)
        wrong = column_fault(frame.columns)
        self._roles = (None if wrong else roles_of(frame.columns)) or {}
        if wrong:
            self._faults(1, wrong, _COLUMNS)
        self._ordered = ordered = ordered_rows(frame, self._roles, self._faults)
        self._rows = TableRows(frame, self._roles, ordered)
        self.ids = ordered.ids
        self._held = Held.of(_columns(ordered))
        self._mentions = self._held.mentions
        self.sizes: Sequence[int] = self._held.sizes
        self.named = bool((ordered.start >= NAMED).any())
        self.takes_names = "mention" in self._roles
        self._codes: EntityCodes | None = None  # of which the held codes are

    def close(self) -> None:
        """Close the table."""
        self._frame.close()

    def place(self, number: int) -> str:
        """Return where the first row of a document stands."""
        first, last = self._mentions[number : number + 2]
        rows = self._ordered.row[first:last]
        return self._frame.place(int(rows.min())) if len(rows) else self.name

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some documents, in the order asked for."""
        columns = self._held.take(numbers)
        if not any(peer.named for peer in self.peers):
            return columns
        return replace(columns, names=cast("Sequence[Hashable]", _Names(self.peers)))

    def identified(
        self, numbers: Sequence[int], codes: EntityCodes
    ) -> Identified | None:
        """Read mentions likewise, and number the ids of their entities.

        Returns None where mentions are names: as objects, these are words.
        """
        # Imported here because few scores ask, and every start would pay.
        from corefkit.columns.identified import Identified
        from corefkit.formats.tables.entities import entity_codes

        if any(peer.named for peer in self.peers):
            return None
        if self._codes is not codes:
            found = entity_codes(self._frame, self._roles, self._ordered, codes)
            self._codes, self._held = codes, replace(self._held, entity_code=found)
        return Identified(self._held.take(numbers), self._held.codes(numbers))

    def document(self, number: int) -> Document:
        """Read one document as an object; names are its words."""
        first, last = self._mentions[number : number + 2].tolist()
        rows = self._rows.rows(np.arange(first, last))
        words = self._words(number, rows)
        if words:
            tokens = {name: token for token, name in enumerate(words)}
            rows = [as_name(row, tokens[row.name]) for row in rows]
        begin = runs(self._ordered.entity[first:last]).first.tolist()
        bounds = [*begin, last - first] if begin else []
        entities = [
            Entity(rows[begin].entity, tuple(row.mention for row in rows[begin:end]))
            for begin, end in pairwise(bounds)
        ]
        return Document(self.ids[number], (words,) if words else (), tuple(entities))

    def _words(self, number: int, rows: Sequence[MentionRow]) -> tuple[str, ...]:
        """Return what all tables call the mentions of a document, if any is a name."""
        name = canonical_id(self.ids[number])
        others = [peer.called(name) for peer in self.peers if peer is not self]
        named = any(row.mention.start >= NAMED for row in rows)
        if not named and not any(called.named for called in others):
            return ()
        names = {row.name for row in rows}
        return tuple(sorted(names.union(*(called.names for called in others))))

    def called(self, document: str) -> Called:
        """Return what the mentions of a document are called, by its canonical id."""
        number = self._numbers.get(document)
        if number is None:
            return NOTHING_CALLED
        mentions = np.arange(*self._mentions[number : number + 2])
        named = bool((self._ordered.start[mentions] >= NAMED).any())
        return Called(named, list(self._rows.names(mentions)))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {canonical_id(name): number for number, name in enumerate(self.ids)}

    def is_running(self, number: int) -> bool:
        """Return False: no document is running text."""
        del number
        return False

    def words(self, number: int) -> Iterator[Word]:
        """Return nothing: tables have no words, and names are compared as mentions."""
        del number
        return iter(())

    def check(self) -> None:
        """Tell what no row shows by itself: ids that are alike, repeated mentions."""
        first: dict[str, str] = {}
        for number, name in enumerate(self.ids):
            other = first.setdefault(canonical_id(name), name)
            if other is not name:
                message = f"document {quoted(name)} has the id of {quoted(other)}"
                hint = "blanks around ids do not tell documents apart"
                mention = self._mentions[number]
                line = self._line(mention) if mention < len(self._ordered.row) else 1
                self._faults(line, message, hint, kind=REPEATED_DOCUMENT)
        groups = list(self._same_spans())
        rows = iter(self._rows.rows(np.concatenate(groups)) if groups else ())
        for mentions in groups:
            self._check_repeated(mentions, list(islice(rows, len(mentions))))
        self._check_spans()

    def _same_spans(self) -> Iterator[Ints]:
        """Iterate over the mentions, two or more, with the same start and end."""
        ordered = self._ordered
        document = ordered.entity_document[ordered.entity]
        order = np.lexsort((ordered.end, ordered.start, document))
        ranked = [part[order] for part in (document, ordered.start, ordered.end)]
        new = np.ones(len(order), np.bool_)
        new[1:] = np.any([part[1:] != part[:-1] for part in ranked], axis=0)
        first, size = runs(np.cumsum(new))
        for at in np.flatnonzero(size > 1).tolist():
            yield order[first[at] : first[at] + size[at]]

    def _check_repeated(self, mentions: Ints, rows: Sequence[MentionRow]) -> None:
        named = self._ordered.start[mentions[0]] >= NAMED
        seen: dict[Mention, MentionRow] = {}
        for at, row in zip(mentions.tolist(), rows, strict=True):
            other = seen.setdefault(row.mention, row)
            if other is row:
                continue
            line = self._line(at)
            if named and other.name != row.name:
                names = f"{quoted(other.name)} and {quoted(row.name)}"
                self._faults(line, f"names {names} share a hash", "rename one of them")
                continue
            start, end = row.mention
            what = quoted(row.name) if named else f"of tokens {start} to {end}"
            self._faults.repeated_mention(line, what, row.entity, other.entity)

    def _check_spans(self) -> None:
        """Tell mentions that are long, and those that overlap one of their entity."""
        ordered = self._ordered
        long = np.flatnonzero(ordered.end - ordered.start >= MOST_TOKENS)
        rows = self._rows.rows(long) if len(long) else []
        for at, row in zip(long.tolist(), rows, strict=True):
            tell_long(row.entity, row.mention, self._line(at), self._faults)
        order = np.lexsort((-ordered.end, ordered.start, ordered.entity))
        entity, start = ordered.entity[order], ordered.start[order]
        # Where any two overlap, two that follow one another do; names never do.
        overlap = (entity[1:] == entity[:-1]) & (start[1:] <= ordered.end[order][:-1])
        for number in np.unique(entity[1:][overlap & (start[1:] < NAMED)]).tolist():
            first, last = np.searchsorted(ordered.entity, (number, number + 1))
            mentions = np.arange(first, last)
            rows = self._rows.rows(mentions)
            lines = {
                row.mention: self._line(at)
                for row, at in zip(rows, mentions.tolist(), strict=True)
            }
            check_overlaps(rows[0].entity, lines, lines.__getitem__, self._faults)

    def _line(self, mention: int) -> int:
        return self._frame.line_number(int(self._ordered.row[mention]))

    def a_name(self) -> str:
        """Return a mention that is a name, for messages."""
        return next(self._rows.names(np.flatnonzero(self._ordered.start >= NAMED)[:1]))

    @cached_property
    def names_by_hash(self) -> dict[int, str]:
        """The names by their hashes."""
        named = np.flatnonzero(self._ordered.start >= NAMED)
        codes = self._ordered.start[named].tolist()
        return dict(zip(codes, self._rows.names(named), strict=True))


class _Names:
    """The names of tables that are scored together, by the numbers in columns."""

    def __init__(self, peers: Sequence[Named]) -> None:
        self._peers = peers

    def __getitem__(self, code: int) -> str:
        """Spell a mention; what is no name is a token."""
        code = int(code)
        found = (
            peer.names_by_hash[code]
            for peer in self._peers
            if code in peer.names_by_hash
        )
        return str(code) if code < NAMED else next(found)


def _columns(ordered: OrderedRows) -> Columns:
    """Make columns of all rows, with details only where a table has any."""
    columns = replace(
        empty_columns(len(ordered.ids)),
        entity=ordered.entity,
        start=ordered.start,
        end=ordered.end,
        entity_document=ordered.entity_document,
    )
    if ordered.head is None and not len(ordered.gap):
        return columns
    details = plain_details(columns)
    details = replace(
        details,
        head=details.head if ordered.head is None else ordered.head,
        gap=ordered.gap,
        gap_start=ordered.gap_start,
        gap_end=ordered.gap_end,
    )
    return replace(columns, details=details)


def table_problems(frame: Frame, kept: list[Problem]) -> Iterator[Problem]:
    """Iterate over everything that is wrong with a table, in the order of its lines.

    The table keeps what it finds by itself in `kept`.
    """
    source = TableSource(frame, kept)
    source.check()
    yield from in_order(kept)
