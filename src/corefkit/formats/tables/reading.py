"""Rows of a table to mentions in order, many at once; problems row by row.

The rules are those of `corefkit.formats.tables.tables`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.columns import runs, sorting_order, stretches
from corefkit.columns.grouping import grouping_order
from corefkit.columns.prints import mixed
from corefkit.exceptions import quoted
from corefkit.formats.tables.cells import NAMED, cell_spans, span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefkit.columns import Flags, Ints
    from corefkit.formats.faults import Faults
    from corefkit.formats.tables.cells import Cells
    from corefkit.formats.tables.tables import Frame, Roles

_TOKEN = "tokens are numbered from 0 through the document"
_GAPS = "gaps are spans inside the mention, in order, as in 4-4;7-8"


@dataclass(frozen=True, slots=True)
class OrderedRows:
    """The mentions of a table, ordered by document and entity."""

    ids: Sequence[str]  # of the documents
    row: Ints  # of each mention
    entity: Ints  # of each mention, numbered through the table
    entity_document: Ints
    start: Ints  # the first token of each mention; from `NAMED` on the hash of a name
    end: Ints  # the last token of each mention, or that hash
    head: Ints | None  # of each mention, -1 where it has none; None without the column
    gap: Ints  # for each gap, the number of its mention, in order
    gap_start: Ints
    gap_end: Ints


def ordered_rows(frame: Frame, roles: Roles, faults: Faults) -> OrderedRows:
    """Read the mentions of a table; rows with something wrong are left out.

    Without roles, since columns are missing, there are none.
    """
    documents = _Documents()
    blocks: list[_Block] = []
    first = 0
    for columns in frame.blocks(list(roles.values())) if roles else ():
        cells = dict(zip(roles, columns, strict=True))
        blocks.append(_read_block(cells, first, documents, faults))
        first += len(cells["document"])
    return _ordered(_joined(blocks), documents.ids)


class _Block(NamedTuple):
    """Mentions in the order of the rows; `entity` is a code, gaps are by row."""

    row: Ints
    document: Ints
    entity: Ints
    start: Ints
    end: Ints
    head: Ints
    gaps: Ints


@dataclass(frozen=True, slots=True)
class _Documents:
    """The documents seen so far: their ids, and their numbers by code."""

    ids: list[str] = field(default_factory=list)
    known: dict[int, int] = field(default_factory=dict)

    def numbers(self, cells: Cells) -> Ints:
        """Number the document of each row; -1 where there is none."""
        codes, missing = cells.codes(), cells.missing
        first, size = runs(codes)
        numbers = []
        for row, code in zip(first.tolist(), codes[first].tolist(), strict=True):
            if not missing[row] and code not in self.known:
                self.known[code] = len(self.ids)
                self.ids.append(cells.text(row))
            numbers.append(self.known.get(code, -1))
        return np.repeat(np.array(numbers, np.int64), size)


def _read_block(
    cells: Mapping[str, Cells], first: int, documents: _Documents, faults: Faults
) -> _Block:
    document = documents.numbers(cells["document"])
    start, end, absent = _mentions(cells)
    bare = absent & cells["entity"].missing  # rule 5
    head, gaps = _heads(cells, start), _gaps(cells, start)
    good = ~bare
    found: list[tuple[int, str, str | None]] = []
    for wrong, told in _checks(cells, document, start, end, absent, head, gaps):
        rows = np.flatnonzero(wrong & good)
        good[rows] = False
        found.extend((row, *told(row)) for row in rows.tolist())
    for row, message, hint in sorted(found):
        faults.at(first + row, message, hint)
    rows = np.flatnonzero(good)
    kept = [(first + row, *gap) for row in gaps if good[row] for gap in gaps[row]]
    return _Block(
        first + rows,
        document[rows],
        cells["entity"].codes()[rows],
        start[rows],
        end[rows],
        head[rows] if "head" in cells else head,
        np.array(kept, np.int64).reshape(-1, 3),
    )


def _mentions(cells: Mapping[str, Cells]) -> tuple[Ints, Ints, Flags]:
    """Return first and last token of each row, and which rows have no mention."""
    if "start" not in cells:
        mention = cells["mention"]
        return *cell_spans(mention), mention.missing
    start, end = cells["start"].numbers(), cells["end"].numbers()
    absent = cells["start"].missing & cells["end"].missing
    if "mention" in cells:
        named = absent & ~cells["mention"].missing
        at = cell_spans(cells["mention"])
        start, end = np.where(named, at[0], start), np.where(named, at[1], end)
        absent = absent & ~named
    return start, end, absent


def _heads(cells: Mapping[str, Cells], start: Ints) -> Ints:
    if "head" not in cells:
        return np.empty(0, np.int64)
    head = cells["head"].numbers()
    # Below -1 is what is no number, and was meant to be one.
    head[(head < 0) & ~cells["head"].missing] = -2
    head[start >= NAMED] = -1
    return head


_Gaps: TypeAlias = "Mapping[int, Sequence[tuple[int, int]]]"


def _gaps(cells: Mapping[str, Cells], start: Ints) -> _Gaps:
    if "gaps" not in cells:
        return {}
    column = cells["gaps"]
    rows = np.flatnonzero(~column.missing & (start < NAMED))
    return {
        row: [span(part.strip()) or (-1, -1) for part in column.text(row).split(";")]
        for row in rows.tolist()
    }


_Told: TypeAlias = "Callable[[int], tuple[str, str | None]]"


def _checks(
    cells: Mapping[str, Cells],
    document: Ints,
    start: Ints,
    end: Ints,
    absent: Flags,
    head: Ints,
    gaps: _Gaps,
) -> Iterator[tuple[Flags, _Told]]:
    """Iterate over what can be wrong with rows: where it is, and what to say of one."""
    yield document < 0, lambda _: ("the row has no document", None)
    yield cells["entity"].missing, lambda _: ("the row has no entity", None)
    yield absent, lambda _: ("the row has no mention", None)
    for role, tokens in (("start", start), ("end", end)):
        if role in cells:
            yield tokens < 0, _no_number(role, cells[role])
    yield (
        end < start,
        lambda row: (
            f"the mention ends at token {end[row]}, before its start {start[row]}",
            "both are tokens of the mention: end is the last, not the one behind it",
        ),
    )
    if "head" in cells:
        yield head < -1, _no_number("head", cells["head"])
        yield (
            (head >= 0) & ((head < start) | (head > end)),
            lambda row: (
                f"head {head[row]} is not one of tokens {start[row]} to {end[row]}",
                _TOKEN,
            ),
        )
    if gaps:
        wrong = np.zeros(len(start), np.bool_)
        wrong[[row for row in gaps if not _inside(gaps[row], start[row], end[row])]] = 1
        text = cells["gaps"].text
        yield wrong, lambda row: (f"gaps are {quoted(text(row))}", _GAPS)


def _no_number(role: str, cells: Cells) -> _Told:
    def told(row: int) -> tuple[str, str]:
        found = quoted(cells.text(row)) if cells.text(row) else "missing"
        return f"{role} is {found}, expected the number of a token", _TOKEN

    return told


def _inside(gaps: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Return whether gaps leave a token before, between and behind them."""
    before = start
    for first, last in gaps:
        if first <= before:
            return False
        before = last + 1
    return before <= end


def _joined(blocks: Sequence[_Block]) -> _Block:
    if not blocks:
        none = np.empty(0, np.int64)
        return _Block(none, none, none, none, none, none, none.reshape(0, 3))
    return _Block(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))


def _ordered(block: _Block, ids: Sequence[str]) -> OrderedRows:
    """Put the mentions in the order of documents and entities, first seen first."""
    # An entity is one of its document.
    key = mixed(block.entity.astype(np.uint64), block.document)
    order = grouping_order(key)
    first, size = runs(key[order].astype(np.int64))
    seen = order[first]  # the first row of each entity
    document = block.document[seen]
    entities = sorting_order(document * max(len(order), 1) + seen)
    order = order[stretches(first[entities], size[entities])]
    row = block.row[order]
    gap_order = _gap_order(row, block.gaps)
    return OrderedRows(
        ids,
        row,
        np.repeat(np.arange(len(entities)), size[entities]),
        document[entities],
        block.start[order],
        block.end[order],
        block.head[order] if len(block.head) else None,
        gap_order[0],
        block.gaps[gap_order[1], 1],
        block.gaps[gap_order[1], 2],
    )


def _gap_order(row: Ints, gaps: Ints) -> tuple[Ints, Ints]:
    """Return the mention of each gap in order, and the order of the gaps."""
    if not len(gaps):
        return gaps[:, 0], gaps[:, 0]
    by_row = np.argsort(row)
    mention = by_row[np.searchsorted(row, gaps[:, 0], sorter=by_row)]
    order = np.argsort(mention, kind="stable")
    return mention[order], order
