"""The rows of a table as objects: what people look at, fetched when asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.formats.tables.cells import cell_text
from corefkit.formats.tables.tables import NAME, unescaped
from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.columns import Ints
    from corefkit.formats.tables.reading import OrderedRows
    from corefkit.formats.tables.tables import Frame, Roles


class MentionRow(NamedTuple):
    """A mention with what the table calls it and its entity."""

    entity: str
    name: str
    mention: Mention


class TableRows:
    """The mentions of a table by number, with all that their rows say of them."""

    def __init__(self, frame: Frame, roles: Roles, ordered: OrderedRows) -> None:
        self._frame = frame
        self._roles = roles
        self._ordered = ordered

    def names(self, mentions: Ints) -> Iterator[str]:
        """Spell mentions as the table does."""
        cells = self._frame.rows(self._ordered.row[mentions])
        column = self._roles.get("mention")
        for mention, row in zip(mentions.tolist(), cells, strict=True):
            name = "" if column is None else cell_text(row[column])
            start, end = self._ordered.start[mention], self._ordered.end[mention]
            yield name or f"{start}-{end}"

    def rows(self, mentions: Ints) -> list[MentionRow]:
        """Make some mentions; those that are names still have their hash for token."""
        ordered = self._ordered
        entity, name = self._roles["entity"], self._roles.get("mention")
        cells = self._frame.rows(ordered.row[mentions])
        starts, ends = ordered.start[mentions].tolist(), ordered.end[mentions].tolist()
        found = []
        for at, start, end, row in zip(
            mentions.tolist(), starts, ends, cells, strict=True
        ):
            called = "" if name is None else cell_text(row[name])
            gaps, head, attributes = self._gaps(at), self._head(at), self._said(row)
            mention = Mention(start, end, gaps, head, attributes=attributes)
            called = called or f"{start}-{end}"
            found.append(MentionRow(cell_text(row[entity]), called, mention))
        return found

    def _gaps(self, mention: int) -> tuple[tuple[int, int], ...]:
        ordered = self._ordered
        if not len(ordered.gap):
            return ()
        first, last = np.searchsorted(ordered.gap, (mention, mention + 1))
        starts = ordered.gap_start[first:last].tolist()
        return tuple(zip(starts, ordered.gap_end[first:last].tolist(), strict=True))

    def _head(self, mention: int) -> int | None:
        head = self._ordered.head
        return None if head is None or head[mention] < 0 else int(head[mention])

    @cached_property
    def _attributes(self) -> list[tuple[int, str]]:
        """The columns without another meaning, and their names."""
        known = set(self._roles.values())
        columns = enumerate(name.strip() for name in self._frame.columns)
        return [(at, name) for at, name in columns if name and at not in known]

    def _said(self, row: Sequence[object]) -> dict[str, str]:
        found = {name: cell_text(row[column]) for column, name in self._attributes}
        found = {name: text for name, text in found.items() if text}
        if "attributes" in self._roles:
            for part in cell_text(row[self._roles["attributes"]]).split("|"):
                name, equals, value = part.partition("=")
                if equals:
                    found[unescaped(name)] = unescaped(value)
        return found


def as_name(row: MentionRow, token: int) -> MentionRow:
    """Let a token stand for the mention, whose name becomes an attribute."""
    attributes = {**row.mention.attributes, NAME: row.name}
    return row._replace(mention=Mention(token, token, attributes=attributes))
