"""Tables with one mention per row, shared by TSV, Parquet and data frames.

`docs/formats/tables.md` defines the columns and rows. A document of names has, as an
object, the sorted names as its words: equal names give equal words.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, compress, pairwise
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, cast

import numpy as np

from corefkit.arrays.building import build_columns, encode_ids, encode_numbers
from corefkit.arrays.columns import (
    Columns,
    encode_pairs,
    expand_runs,
    find_runs,
    invert,
    make_default_details,
    make_empty_columns,
    sort_indices,
    sort_runs,
)
from corefkit.exceptions import quoted
from corefkit.formats.checks import check_mentions
from corefkit.formats.in_memory import TOKEN_LIMIT, MentionNames
from corefkit.formats.problems import (
    INVALID_HEADER,
    INVALID_RECORD,
    INVALID_SPAN,
    REPEATED_DOCUMENT,
    Faults,
    LineIndex,
    sort_problems,
)
from corefkit.formats.source import (
    ATTRIBUTES,
    CROSSINGS,
    GAPS,
    HEADS,
    TYPES,
    Source,
)
from corefkit.model import Document, Entity, Mention
from corefkit.strings import normalize_id

if TYPE_CHECKING:
    from collections.abc import (
        Hashable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from corefkit.arrays.columns import Flags, Ints
    from corefkit.formats.problems import Problem, ProblemKind

# The columns with a meaning, each with its names in order of preference.
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
_REQUIRED = "document, entity, and mention or start and end"
_COLUMNS_HINT = "a table has the columns document and entity, and a mention in each row"
_TOKEN_HINT = "tokens are numbered from 0 through the document"
_GAPS_HINT = "gaps are spans inside the mention, in order, as in 4-4;7-8"

_MAX_DIGITS = 13  # of a number below TOKEN_LIMIT
_NUMBER = r"(0|[1-9][0-9]{0,12})"
_SPAN = re.compile(
    rf"{_NUMBER}|{_NUMBER}-{_NUMBER}"
    rf"|\[{_NUMBER}, ?{_NUMBER}\]|\({_NUMBER}, ?{_NUMBER}\)"
)
_MISSING = -(1 << 62)  # the code of empty cells of numbers

Roles: TypeAlias = "Mapping[str, int]"
_SORT_LOCK = Lock()
_MIN_GROWN_ROWS = 1 << 23  # of tables with more than one block


def find_roles(columns: Sequence[str]) -> Roles | None:
    """Find the columns with a meaning; None if a required one is missing."""
    names = [column.strip().lower() for column in columns]
    roles = {
        role: names.index(present[0])
        for role, spellings in ROLES.items()
        if (present := [name for name in spellings if name in names])
    }
    has_spans = "start" in roles and "end" in roles
    if not has_spans:
        roles.pop("start", None)
        roles.pop("end", None)
    elif NAME in names:
        roles["mention"] = names.index(NAME)
    else:
        roles.pop("mention", None)  # the text of the span: an attribute
    mention = {"start", "end"} if has_spans else {"mention"}
    return roles if {"document", "entity"} | mention <= roles.keys() else None


def describe_column_fault(columns: Sequence[str]) -> str | None:
    """Describe the error in the columns of a table; None if there is no error."""
    counts = Counter(column.strip().lower() for column in columns)
    for spelling in chain.from_iterable(ROLES.values()):
        if counts[spelling] > 1:
            return f"two columns have the name {spelling!r}"
    if find_roles(columns) is None:
        names = [quoted(name, most=20) for name in columns[:8]]
        if len(columns) > 8:
            names.append("...")
        return f"found columns {', '.join(names)}, expected {_REQUIRED}"
    return None


def format_cell(value: object) -> str:
    """Format a cell of any type as text; empty for a missing value."""
    if isinstance(value, str):
        return value
    if value is None or value != value:  # only NaN is not equal to itself
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def parse_token(text: str) -> int:
    """Parse the number of a token; -1 if the text is something else.

    Columns with missing cells, as other programs write them, have 3.0 instead of 3.
    """
    digits, _, fraction = text.partition(".")
    if not digits.isdecimal() or not digits.isascii() or fraction.strip("0"):
        return -1
    token = int(digits) if len(digits) <= _MAX_DIGITS else TOKEN_LIMIT
    return token if token < TOKEN_LIMIT else -1


def parse_span(text: str) -> tuple[int, int] | None:
    """Parse a span of tokens; None if the text is something else.

    Numbers have no leading zeros, so that names such as `003-005` stay names.
    """
    match = _SPAN.fullmatch(text)
    if match is None:
        return None
    numbers = [int(group) for group in match.groups() if group is not None]
    start, end = numbers[0], numbers[-1]
    return (start, end) if start <= end < TOKEN_LIMIT else None


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells of one column in a block of rows."""

    codes: Ints  # the positions of the texts, or the cells themselves if integers
    missing: Flags
    texts: Sequence[str] | None = None  # distinct; None for a column of integers

    @classmethod
    def from_texts(cls, values: Iterable[str]) -> Cells:
        numbers: dict[str, int] = {}
        codes = [numbers.setdefault(value, len(numbers)) for value in values]
        return cls.from_codes(np.array(codes, np.int64), list(numbers))

    @classmethod
    def from_codes(cls, codes: Ints, texts: Sequence[str]) -> Cells:
        """Make cells of the positions of texts; negative ones are missing."""
        missing = codes < 0
        if "" in texts:
            missing |= codes == texts.index("")
        return cls(codes, missing, texts)

    @classmethod
    def from_integers(cls, values: Ints, missing: Flags) -> Cells:
        return cls(np.where(missing, _MISSING, values), missing)

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, rows: Ints) -> Cells:
        return Cells(self.codes[rows], self.missing[rows], self.texts)

    def format(self, row: int) -> str:
        if self.missing[row]:
            return ""
        code = int(self.codes[row])
        return str(code) if self.texts is None else self.texts[code]

    def parse_tokens(self) -> Ints:
        """Return the numbers of tokens; -1 for other values."""
        if self.texts is None:
            is_token = (self.codes >= 0) & (self.codes < TOKEN_LIMIT)
            return np.where(is_token, self.codes, -1)
        return np.array([*map(parse_token, self.texts), -1], np.int64)[self.codes]

    def parse_spans(self, names: MentionNames) -> tuple[Ints, Ints]:
        """Return first and last tokens; for a name `TOKEN_LIMIT` and its number."""
        if self.texts is None:
            start = self.parse_tokens()
            rows = np.flatnonzero((start < 0) & ~self.missing)
            start[rows] = TOKEN_LIMIT + names.number(map(self.format, rows.tolist()))
            return start, start
        spans = list(map(parse_span, self.texts))
        is_name = [
            span is None and text != ""
            for span, text in zip(spans, self.texts, strict=True)
        ]
        table = np.array([span or (0, 0) for span in [*spans, None]], np.int64)
        numbers = names.number(compress(self.texts, is_name)) + TOKEN_LIMIT
        table[np.flatnonzero(is_name)] = numbers[:, None]
        start, end = table[self.codes].T
        return start, end


class Frame(LineIndex, Protocol):
    """A table from any origin: named columns, and rows by number from 0."""

    @property
    def columns(self) -> Sequence[str]:
        """The names of the columns."""

    def iter_blocks(self, columns: Sequence[int]) -> Iterator[Sequence[Cells]]:
        """Iterate over blocks of rows, with the cells of some columns."""

    def read_rows(self, numbers: Ints) -> Sequence[Sequence[object]]:
        """Read the cells of all columns in some rows, in the given order."""

    def close(self) -> None:
        """Release the resources that the frame holds."""


def iter_rows(document: Document) -> Iterator[tuple[str | int | None, ...]]:
    """Iterate over the rows of a document, with the columns of `HEADER`."""
    name = document.id or "_"
    for entity in document.entities:
        for mention in entity.mentions:
            yield name, entity.id or "_", *_format_mention(mention)
    if not any(map(len, document.entities)):
        yield name, *[None] * (len(HEADER) - 1)


def _format_mention(mention: Mention) -> tuple[str | int | None, ...]:
    attributes = dict(mention.attributes)
    columns = [attributes.pop(name, None) for name in ("type", "mention_type", NAME)]
    listing = "|".join(
        f"{escape_attribute(name)}={escape_attribute(value)}"
        for name, value in attributes.items()
    )
    if columns[-1] is not None:
        return None, None, None, None, *columns, listing or None
    gaps = ";".join(f"{start}-{end}" for start, end in mention.gaps)
    span = mention.start, mention.end
    return *span, gaps or None, mention.head, *columns, listing or None


def escape_attribute(text: str) -> str:
    """Escape a name or value for a list of attributes."""
    return text.replace("%", "%25").replace("=", "%3D").replace("|", "%7C")


def unescape_attribute(text: str) -> str:
    """Undo `escape_attribute`."""
    return text.replace("%7C", "|").replace("%3D", "=").replace("%25", "%")


# Reading: rows to mentions, a block at a time, and problems row by row.

_Gaps: TypeAlias = "Mapping[int, Sequence[tuple[int, int]]]"


class _DocumentNumbers:
    """Numbers documents in the order first seen."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        # The texts of the last block, which blocks may share, and their numbers.
        self._texts: Sequence[str] | None = None
        self._numbers = np.empty(0, np.int64)

    def number(self, cells: Cells) -> Ints:
        codes = cells.codes
        if cells.texts is None:
            values, codes = np.unique(codes, return_inverse=True)
            self._numbers = np.full(len(values), -1, np.int64)
        elif cells.texts is not self._texts:
            self._numbers = np.full(len(cells.texts) + 1, -1, np.int64)
        self._texts = cells.texts
        rows = np.flatnonzero((self._numbers[codes] < 0) & ~cells.missing)
        _, first = np.unique(codes[rows], return_index=True)
        for row in rows[np.sort(first)].tolist():
            number = self.ids.setdefault(cells.format(row), len(self.ids))
            self._numbers[codes[row]] = number
        return np.where(cells.missing, -1, self._numbers[codes])


def _read_heads(cells: Mapping[str, Cells], start: Ints) -> Ints:
    if "head" not in cells:
        return np.full(len(start), -1, np.int64)
    head = cells["head"].parse_tokens()
    head[(head < 0) & ~cells["head"].missing] = -2  # not a number
    head[start >= TOKEN_LIMIT] = -1
    return head


def _read_gaps(cells: Mapping[str, Cells], start: Ints) -> _Gaps:
    if "gaps" not in cells:
        return {}
    column = cells["gaps"]
    rows = np.flatnonzero(~column.missing & (start < TOKEN_LIMIT))
    return {
        row: [
            parse_span(part.strip()) or (-1, -1)
            for part in column.format(row).split(";")
        ]
        for row in rows.tolist()
    }


def _describe_fault(
    cells: Mapping[str, Cells],
    row: int,
    missing: Sequence[bool],
    start: int,
    end: int,
    head: int,
) -> tuple[str, str | None, ProblemKind]:
    """Return the message for an invalid row, its hint, and its kind."""
    for role in compress(("document", "entity", "mention"), missing):
        return f"the row has no {role}", None, INVALID_RECORD
    invalid = {"start": start < 0, "end": end < 0, "head": head < -1 and start <= end}
    for role in filter(invalid.get, invalid):
        value = quoted(cells[role].format(row))
        if cells[role].missing[row]:
            value = "missing"
        message = f"{role} is {value}, expected the number of a token"
        return message, _TOKEN_HINT, INVALID_SPAN
    if end < start:
        message = f"the mention ends at token {end}, before its start {start}"
        hint = "both tokens belong to the mention: end is inclusive"
    elif head >= 0 and not start <= head <= end:
        message = f"head {head} is not one of tokens {start} to {end}"
        hint = _TOKEN_HINT
    else:
        message, hint = f"gaps are {quoted(cells['gaps'].format(row))}", _GAPS_HINT
    return message, hint, INVALID_SPAN


def _are_inside(gaps: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Return whether gaps leave a token before, between and after them."""
    token = start
    for first, last in gaps:
        if first <= token:
            return False
        token = last + 1
    return token <= end


class _Rows:
    """Rows of numbers that grow by blocks, in little memory: of 32 bits if possible."""

    def __init__(self, width: int = 1) -> None:
        self._rows: Ints = np.empty((0, width), np.int32)
        self._size = 0

    def extend(self, rows: Ints) -> None:
        size = self._size + len(rows)
        is_large = max(rows.max(initial=0), -rows.min(initial=0)) >= 1 << 30
        if size > len(self._rows) or (is_large and self._rows.dtype == np.int32):
            dtype = np.int64 if is_large else self._rows.dtype
            # Memory of this size is reserved only, and later released at once.
            capacity = max(2 * size, _MIN_GROWN_ROWS) if self._size else size
            grown = np.empty((capacity, self._rows.shape[1]), dtype)
            grown[: self._size] = self.get()
            self._rows = grown
        self._rows[self._size : size] = rows.reshape(-1, self._rows.shape[1])
        self._size = size

    def get(self) -> Ints:
        return self._rows[: self._size]


def _sort_mentions(parts: list[_Rows], documents: int) -> tuple[Columns, Ints, Ints]:
    """Sort mentions by document and entity, each in the order first seen.

    Returns the mentions, the row of each, and the codes of entity ids. Numbers of 32
    bits stay such; `Columns.widen` converts them for computing.
    """
    row, document, code, start, end, head = (part.get()[:, 0] for part in parts[:-1])
    gaps = parts[-1].get()
    order, runs = sort_runs(encode_pairs(document, code))  # a run is an entity
    first_row = order[runs.first]
    # Sort the entities by document and first row.
    run = np.empty(len(order), np.int32)
    run[first_row] = np.arange(len(first_row), dtype=np.int32)
    first_row.sort()
    first_row = first_row[sort_indices(document[first_row].astype(np.int64))]
    run = run[first_row]
    size = runs.size[run]
    order = order[expand_runs(runs.first[run], size)]
    del run, runs
    columns = replace(
        make_empty_columns(documents),
        entity=np.repeat(np.arange(len(size), dtype=np.int32), size),
        start=start[order],
        end=end[order],
        entity_document=document[first_row],
    )
    if len(gaps) or (head >= 0).any():
        place = invert(order, len(order))[np.searchsorted(row, gaps[:, 0])]
        by_mention = np.argsort(place, kind="stable")
        details = replace(
            make_default_details(columns),
            head=head[order].astype(np.int64),
            gap=place[by_mention],
            gap_start=gaps[by_mention, 1].astype(np.int64),
            gap_end=gaps[by_mention, 2].astype(np.int64),
        )
        columns = replace(columns, details=details)
    return columns, row[order], code[first_row]


class MentionRow(NamedTuple):
    """A mention, with its row, its name, and the id of its entity in the table."""

    number: int
    entity: str
    name: str
    mention: Mention

    @property
    def is_name(self) -> bool:
        return self.mention.start >= TOKEN_LIMIT


def _make_mention(row: MentionRow, tokens: Mapping[str, int]) -> Mention:
    """Return the mention of a row; with words, the token that is its name."""
    if not tokens:
        return row.mention
    token, attributes = tokens[row.name], {**row.mention.attributes, NAME: row.name}
    return Mention(token, token, attributes=attributes)


class _NumberedMentions:
    """Mentions of tables by their numbers in columns: tokens, or names."""

    def __init__(self, names: MentionNames) -> None:
        self._names = names

    def __getitem__(self, number: int) -> str:
        number = int(number)
        if number < TOKEN_LIMIT:
            return str(number)
        return str(self._names[number - TOKEN_LIMIT])


class TableSource(Source):
    """The documents of a table.

    Columns with a meaning are in memory; attributes are read from the frame with the
    documents.
    """

    may_have_words = False
    names: MentionNames

    def __init__(self, frame: Frame, problems: list[Problem] | None = None) -> None:
        self.name = frame.name
        self._frame = frame
        self._faults = Faults(frame, problems)
        fault = describe_column_fault(frame.columns)
        self._roles = (None if fault else find_roles(frame.columns)) or {}
        if fault:
            self._faults(1, fault, _COLUMNS_HINT, kind=INVALID_HEADER)
        self.names = MentionNames()
        self.names.sources.append(self)
        self._entity_ids: dict[bytes, int] = {}
        documents = _DocumentNumbers()
        parts = [*(_Rows() for _ in range(6)), _Rows(3)]
        first = 0
        roles = list(self._roles.values())
        for block in frame.iter_blocks(roles) if roles else ():
            cells = dict(zip(self._roles, block, strict=True))
            block_parts = self._read_block(cells, first, documents)
            for part, rows in zip(parts, block_parts, strict=True):
                part.extend(rows)
            first += len(cells["document"])
        with _SORT_LOCK:  # sorting a table takes more memory than the table
            columns, self._row, self._codes = _sort_mentions(parts, len(documents.ids))
        self._columns = columns
        self._encoded: tuple[dict[bytes, int], Columns] | None = None
        self.ids = list(documents.ids)
        self.sizes = columns.sizes
        self.has_names = bool((columns.start >= TOKEN_LIMIT).any())
        self.takes_names = "mention" in self._roles

    def _read_block(
        self, cells: Mapping[str, Cells], first: int, documents: _DocumentNumbers
    ) -> tuple[Ints, ...]:
        """Read the mentions of a block; invalid rows are reported and skipped.

        Returns row, document, code of the entity id, start, end and head (-1 for none)
        of each mention, and the row, start and end of each gap.
        """
        document = documents.number(cells["document"])
        entity = cells["entity"]
        start, end, is_absent = self._read_spans(cells)
        head, gaps = _read_heads(cells, start), _read_gaps(cells, start)
        is_blank = is_absent & entity.missing  # the row adds a document
        is_wrong = (document < 0) | entity.missing | is_absent
        is_wrong |= (start < 0) | (end < start) | (head < -1)
        is_wrong |= (head >= 0) & ((head < start) | (head > end))
        for row, spans in gaps.items():
            is_wrong[row] |= not _are_inside(spans, start[row], end[row])
        is_wrong &= ~is_blank
        for row in np.flatnonzero(is_wrong).tolist():
            missing = document[row] < 0, entity.missing[row], is_absent[row]
            tokens = start[row], end[row], head[row]
            message, hint, kind = _describe_fault(cells, row, missing, *tokens)
            self._faults.report_at(first + row, message, hint, kind=kind)
        is_mention = ~(is_blank | is_wrong)
        rows = np.flatnonzero(is_mention)
        valid_gaps = [
            (first + row, *gap) for row in gaps if is_mention[row] for gap in gaps[row]
        ]
        return (
            first + rows,
            document[rows],
            self._encode_entities(entity.take(rows)),
            start[rows],
            end[rows],
            head[rows],
            np.array(valid_gaps, np.int64).reshape(-1, 3),
        )

    def _encode_entities(self, cells: Cells) -> Ints:
        if cells.texts is None:
            return encode_numbers(cells.codes, self._entity_ids)
        is_used = np.zeros(len(cells.texts), np.bool_)
        is_used[cells.codes] = True
        codes = np.zeros(len(cells.texts), np.int64)
        codes[is_used] = encode_ids(compress(cells.texts, is_used), self._entity_ids)
        return codes[cells.codes]

    def _read_spans(self, cells: Mapping[str, Cells]) -> tuple[Ints, Ints, Flags]:
        """Return the first and last token of each row, and rows without mention."""
        if "start" not in cells:
            mention = cells["mention"]
            return *mention.parse_spans(self.names), mention.missing
        start, end = cells["start"].parse_tokens(), cells["end"].parse_tokens()
        is_absent = cells["start"].missing & cells["end"].missing
        if "mention" in cells:
            rows = np.flatnonzero(is_absent & ~cells["mention"].missing)
            start[rows], end[rows] = cells["mention"].take(rows).parse_spans(self.names)
            is_absent[rows] = False
        return start, end, is_absent

    def close(self) -> None:
        self._frame.close()

    def format_place(self, number: int) -> str:
        rows = self._row[self._list_mentions(number)]
        return self._frame.format_place(int(rows.min())) if len(rows) else self.name

    def _list_mentions(self, number: int) -> Ints:
        first, last = self._columns.bounds["mention"][number : number + 2]
        return np.arange(first, last)

    def share_names(self, names: MentionNames) -> None:
        if names is self.names:
            return
        if self.has_names:
            numbers = names.number(self.names[:]) + TOKEN_LIMIT
            start, end = self._columns.start.copy(), self._columns.end.copy()
            rows = np.flatnonzero(start >= TOKEN_LIMIT)
            start[rows] = end[rows] = numbers[start[rows] - TOKEN_LIMIT]
            self._columns = replace(self._columns, start=start, end=end)
        self.names = names

    def read_columns(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None = None
    ) -> Columns:
        if not any(source.has_names for source in self.names.sources):
            if ids is None:
                return self._columns.take_documents(numbers).widen()
            return self._encode(ids).take_documents(numbers)  # joining widens them
        if ids is None:
            columns = self._columns.take_documents(numbers).widen()
            mentions = cast("Sequence[Hashable]", _NumberedMentions(self.names))
            return replace(columns, names=mentions)
        # The names are the words of the documents.
        return build_columns(list(map(self.read_document, numbers)), ids)

    def _encode(self, ids: dict[bytes, int]) -> Columns:
        """Return columns with the codes of entity ids, cached for one dictionary."""
        if self._encoded is None or self._encoded[0] is not ids:
            new = [-1 - ids.setdefault(name, len(ids)) for name in self._entity_ids]
            codes = self._codes.copy()
            rows = np.flatnonzero(codes < 0)
            codes[rows] = np.array(new, np.int64)[-1 - codes[rows]]
            self._encoded = ids, replace(self._columns, code=codes)
        return self._encoded[1]

    def read_document(self, number: int) -> Document:
        groups = self._read_entities(number)
        words = self._list_words(number, list(chain.from_iterable(groups)))
        tokens = {name: token for token, name in enumerate(words)}
        entities = [
            Entity(rows[0].entity, tuple(_make_mention(row, tokens) for row in rows))
            for rows in groups
        ]
        return Document(self.ids[number], (words,) if words else (), tuple(entities))

    def _list_words(self, number: int, rows: Sequence[MentionRow]) -> tuple[str, ...]:
        """List the mentions of a document in all tables, if any of them is a name."""
        document = normalize_id(self.ids[number])
        names = [(row.name, row.is_name) for row in rows]
        for source in self.names.sources:
            if source is not self:
                names += source.list_names(document)
        has_names = any(is_name for _, is_name in names)
        return tuple(sorted({name for name, _ in names})) if has_names else ()

    def list_names(self, document: str) -> Sequence[tuple[str, bool]]:
        number = self.document_numbers.get(document)
        if number is None:
            return ()
        rows = self._read_rows(self._list_mentions(number))
        return [(row.name, row.is_name) for row in rows]

    def example_name(self) -> str:
        start = self._columns.start
        return str(self.names[int(start[start >= TOKEN_LIMIT][0]) - TOKEN_LIMIT])

    def _read_entities(self, number: int) -> list[list[MentionRow]]:
        mentions = self._list_mentions(number)
        rows = self._read_rows(mentions)
        first = find_runs(self._columns.entity[mentions]).first.tolist()
        return [rows[begin:end] for begin, end in pairwise([*first, len(rows)])]

    def _read_rows(self, mentions: Ints) -> list[MentionRow]:
        columns, roles = self._columns, self._roles
        numbers = self._row[mentions]
        cells = self._frame.read_rows(numbers)
        rows = []
        for mention, number, row in zip(mentions.tolist(), numbers, cells, strict=True):
            span = columns.mention(mention)
            head = -1 if columns.details is None else int(columns.details.head[mention])
            span = replace(
                span,
                head=None if head < 0 else head,
                attributes=self._read_attributes(row),
            )
            entity = format_cell(row[roles["entity"]])
            name = format_cell(row[roles["mention"]]) if "mention" in roles else ""
            name = name or f"{span.start}-{span.end}"
            rows.append(MentionRow(int(number), entity, name, span))
        return rows

    def _read_attributes(self, cells: Sequence[object]) -> dict[str, str]:
        attributes = {
            name: text
            for column, name in self._attribute_columns
            if (text := format_cell(cells[column]))
        }
        if "attributes" in self._roles:
            for part in format_cell(cells[self._roles["attributes"]]).split("|"):
                name, equals, value = part.partition("=")
                if equals:
                    attributes[unescape_attribute(name)] = unescape_attribute(value)
        return attributes

    @cached_property
    def _attribute_columns(self) -> list[tuple[int, str]]:
        """The columns without another meaning, and their names."""
        roles = set(self._roles.values())
        columns = enumerate(name.strip() for name in self._frame.columns)
        return [(at, name) for at, name in columns if name and at not in roles]

    def check(self) -> None:
        """Report problems of several rows: equal ids, repeated mentions, overlaps."""
        first_names: dict[str, str] = {}
        for number, name in enumerate(self.ids):
            first_name = first_names.setdefault(normalize_id(name), name)
            if first_name is not name:
                message = f"document {quoted(name)} has the id of {quoted(first_name)}"
                hint = "leading and trailing blanks of ids are ignored"
                rows = self._row[self._list_mentions(number)]
                line = self._frame.line_number(int(rows[0])) if len(rows) else 1
                self._faults(line, message, hint, kind=REPEATED_DOCUMENT)
            earlier: dict[Mention, MentionRow] = {}
            for entity in self._read_entities(number):
                self._check_entity(entity, earlier)

    def _check_entity(
        self, rows: Sequence[MentionRow], earlier: dict[Mention, MentionRow]
    ) -> None:
        find_line, faults = self._frame.line_number, self._faults
        numbers = {row.mention: row.number for row in rows if not row.is_name}
        for row in rows:
            first = earlier.setdefault(row.mention, row)
            if first is not row:
                start, end = row.mention
                label = f"of tokens {start} to {end}"
                label = quoted(row.name) if row.is_name else label
                line = find_line(row.number)
                faults.report_repeated_mention(line, label, row.entity, first.entity)
        for mention, *problem, kind in check_mentions(rows[0].entity, numbers):
            faults(find_line(numbers[mention]), *problem, kind=kind)


def iter_table_problems(frame: Frame, problems: list[Problem]) -> Iterator[Problem]:
    """Iterate over all problems of a table by line; reading adds some itself."""
    TableSource(frame, problems).check()
    yield from sort_problems(problems)
