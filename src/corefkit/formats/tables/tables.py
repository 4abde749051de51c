"""Tables with one mention per row: what TSV, Parquet and data frames share.

1.  Columns go by name, in any order, in large or small letters. `document` (or `doc`,
    `doc_id`, `doc_key`, `document_id`) and `entity` (or `entity_id`, `cluster`,
    `cluster_id`) must be there.
2.  The mention is `start` and `end`: its first and last token, counted from 0 in the
    document, both included. Without the two it is `mention`: a span written `3-5`,
    `[3, 5]` or `(3, 5)`, a token `3`, or else a name, which is any other text, as in
    tables of records. `mention_name` means the same, and may be used together with
    `start` and `end`, for rows that have neither.
3.  `head` is a token of the mention; `gaps` are spans inside it that do not belong to
    it, as in `4-4;7-8`. With names, both are ignored. `attributes` is
    `name=value|name=value`. Every other column is an attribute by its own name.
4.  Rows come in any order. Documents and, in each, entities stand in the order in which
    they are first seen. An entity belongs to its document.
5.  A row with a document and neither entity nor mention says that there is such a
    document, even if no other row does.
6.  Names are compared as they stand, through hashes. As an object, a document of names
    has the sorted names as its words, so that the same names give the same words.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

import numpy as np

from corefkit.exceptions import quoted
from corefkit.formats.base import ATTRIBUTES, CROSSINGS, GAPS, HEADS, TYPES
from corefkit.formats.faults import Located
from corefkit.formats.tables.cells import cell_text
from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.columns import Ints
    from corefkit.formats.tables.cells import Cells
    from corefkit.formats.tables.reading import OrderedRows
    from corefkit.model import Document

# The columns with a meaning, each with its names; the first of them that is there.
ROLES: Mapping[str, tuple[str, ...]] = {
    "document": ("document", "doc", "doc_id", "doc_key", "document_id"),
    "entity": ("entity", "entity_id", "cluster", "cluster_id"),
    "start": ("start",),
    "end": ("end",),
    "mention": ("mention", "mention_name"),
    "head": ("head",),
    "gaps": ("gaps",),
    "attributes": ("attributes",),
}
NAME = "mention_name"
# What writers write.
CARRIED = CROSSINGS | {GAPS, HEADS, TYPES, ATTRIBUTES}
HEADER = (
    *("document", "entity", "start", "end", "gaps", "head"),
    *("type", "mention_type", NAME, "attributes"),
)
_NEEDED = "document, entity, and mention or start and end"

Roles: TypeAlias = "Mapping[str, int]"


class Frame(Located, Protocol):
    """A table, wherever it comes from: named columns, rows by number from 0."""

    @property
    def columns(self) -> Sequence[str]:
        """The names of the columns."""
        ...

    def blocks(self, columns: Sequence[int]) -> Iterator[Sequence[Cells]]:
        """Iterate over the rows in blocks, with the cells of some columns."""
        ...

    def rows(self, numbers: Ints) -> Sequence[Sequence[object]]:
        """Return some rows, in the order asked for, with the cells of all columns."""
        ...

    def close(self) -> None:
        """Release what the frame holds open."""
        ...


def roles_of(columns: Sequence[str]) -> Roles | None:
    """Find the columns with a meaning; None if a required one is missing.

    >>> roles_of(["Doc", "mention", "text", "cluster"])
    {'document': 0, 'entity': 3, 'mention': 1}
    >>> roles_of(["Doc", "start", "cluster"])
    """
    names = [column.strip().lower() for column in columns]
    found = {
        role: names.index(called[0])
        for role, spellings in ROLES.items()
        if (called := [name for name in spellings if name in names])
    }
    spans = "start" in found and "end" in found
    if spans and NAME in names:
        found["mention"] = names.index(NAME)
    elif spans:
        found.pop("mention", None)  # its text: an attribute
    needed = {"document", "entity"} | ({"start", "end"} if spans else {"mention"})
    if not needed <= found.keys():
        return None
    if not spans:
        found = {role: at for role, at in found.items() if role not in ("start", "end")}
    return found


def column_fault(columns: Sequence[str]) -> str | None:
    """Describe what is wrong with the columns of a table, if anything is.

    >>> column_fault(["document", "cluster"])
    "found columns 'document', 'cluster', expected document, entity, and mention or \
start and end"
    """
    names = Counter(column.strip().lower() for column in columns)
    known = [name for spellings in ROLES.values() for name in spellings]
    twice = [name for name in known if names[name] > 1]
    if twice:
        return f"two columns are called {twice[0]!r}"
    if roles_of(columns) is None:
        found = ", ".join(quoted(name, most=20) for name in columns[:8])
        more = ", ..." if len(columns) > 8 else ""
        return f"found columns {found}{more}, expected {_NEEDED}"
    return None


def table_rows(document: Document) -> Iterator[tuple[str | int | None, ...]]:
    """Iterate over the rows of a document, with the columns of `HEADER`.

    >>> from corefkit.model import Document, Entity, Mention
    >>> mention = Mention(3, 7, gaps=((5, 5),), attributes={"type": "person"})
    >>> next(table_rows(Document("d", (), (Entity("1", (mention,)),))))[:7]
    ('d', '1', 3, 7, '5-5', None, 'person')
    """
    empty = True
    for entity in document.entities:
        for mention in entity.mentions:
            empty = False
            yield document.id or "_", entity.id or "_", *_mention_cells(mention)
    if empty:
        yield document.id or "_", *[None] * (len(HEADER) - 1)


def _mention_cells(mention: Mention) -> tuple[str | int | None, ...]:
    attributes = dict(mention.attributes)
    known = [attributes.pop(name, None) for name in ("type", "mention_type", NAME)]
    others = "|".join(
        f"{escaped(name)}={escaped(value)}" for name, value in attributes.items()
    )
    if known[-1] is not None:
        return None, None, None, None, *known, others or None
    gaps = ";".join(f"{start}-{end}" for start, end in mention.gaps)
    span = mention.start, mention.end
    return *span, gaps or None, mention.head, *known, others or None


def escaped(text: str) -> str:
    """Escape a name or value for a list of attributes.

    >>> escaped("50%=a|b")
    '50%25%3Da%7Cb'
    """
    return text.replace("%", "%25").replace("=", "%3D").replace("|", "%7C")


def unescaped(text: str) -> str:
    """Undo `escaped`."""
    return text.replace("%7C", "|").replace("%3D", "=").replace("%25", "%")


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
