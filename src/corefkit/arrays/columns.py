"""Mentions of many documents as flat arrays, which readers fill and scoring reads.

One `Columns` value holds a block of documents of one side. No mention is an object;
`Columns.members` creates `Mention` objects for inspection.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

# The same as numpy.typing.NDArray, which takes 10 ms to import.
Ints: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
Floats: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
Flags: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.bool_]]
Hashes: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.uint64]]
# Counts are int64 if all terms are integers, float64 otherwise.
Counts: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[Any]]
_Number = TypeVar("_Number", np.int64, np.uint64)
_Table = TypeVar("_Table", "Details", "Empties")
_MENTION_BYTES = 32  # the approximate size of a mention in columns


def sort_indices(values: Ints) -> Ints:
    """Return the indices that sort non-negative integers; the sort is stable."""
    bits = len(values).bit_length()
    if int(values.max(initial=0)).bit_length() + bits > 63:
        return np.argsort(values, kind="stable")
    # Sorting values packed with their indices is several times faster than argsort.
    packed = values << bits
    packed |= np.arange(len(values))
    packed.sort()
    packed &= (1 << bits) - 1
    return packed


class Runs(NamedTuple):
    """Runs of equal numbers: the first index and the length of each."""

    first: Ints
    size: Ints


def find_runs(numbers: Ints) -> Runs:
    """Find the runs of equal numbers."""
    is_first = np.ones(len(numbers), np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=is_first[1:])
    first = is_first.nonzero()[0]
    size = np.empty(len(first), np.int64)
    np.subtract(first[1:], first[:-1], out=size[:-1])
    size[-1:] = len(numbers) - first[-1:]
    return Runs(first, size)


def rank_in_runs(numbers: Ints) -> Ints:
    """Return the position of each number in its run of equal numbers."""
    first, size = find_runs(numbers)
    return np.arange(len(numbers)) - np.repeat(first, size)


def repeat_for_runs(values: NDArray[_Number], size: Ints) -> NDArray[_Number]:
    """Repeat the value of each run for its members, but not a single value."""
    return values if len(values) == 1 else np.repeat(values, size)


def expand_runs(first: Ints, size: Ints) -> Ints:
    """Concatenate ranges given by their first number and their size."""
    offset = np.cumsum(size) - size
    numbers: Ints = np.arange(int(size.sum())) + np.repeat(first - offset, size)
    return numbers


def compute_offsets(sizes: Iterable[int]) -> list[int]:
    """Return the offset of each block in a concatenation, and the total size."""
    return [0, *np.cumsum(list(sizes)).tolist()]


def add_offset(numbers: Ints, offset: int | Ints) -> Ints:
    """Add an offset to numbers; negative ones, which mean "none", are kept."""
    return np.where(numbers < 0, numbers, numbers + offset)


def number_entities(document: Ints, code: Ints) -> tuple[Ints, Ints]:
    """Number entities by document and code, in the order of their first rows.

    Returns the entity of each row, and the first row of each entity.
    """
    value = encode_pairs(document, code)
    highest = int(value.max(initial=-1)) + 1
    if highest <= 4 * len(code):
        # Few numbers are left out: a table of all of them is faster than sorting.
        rows = np.arange(len(code))
        first_rows = np.empty(highest, np.int64)
        first_rows[value[::-1]] = rows[::-1]
        first = first_rows[value]
        is_first = first == rows
        return (np.cumsum(is_first) - 1)[first], np.flatnonzero(is_first)
    order, runs = sort_runs(value)
    first_row = order[runs.first]
    by_row = sort_indices(first_row)
    entity = np.empty_like(order)
    entity[order] = np.repeat(invert(by_row, len(by_row))[:-1], runs.size)
    return entity, first_row[by_row]


def encode_pairs(document: Ints, code: Ints) -> Ints:
    """Return one number for each pair of numbers; it is ordered like the pairs."""
    lowest = int(code.min(initial=0))
    width = int(code.max(initial=0)) + 1 - lowest
    if width * (int(document.max(initial=0)) + 1) >= 1 << 63:
        lowest, code = 0, np.unique(code, return_inverse=True)[1]
        width = int(code.max(initial=0)) + 1
    value = document.astype(np.int64)
    value *= width
    value += code
    value -= lowest
    return value


def sort_runs(values: Ints) -> tuple[Ints, Runs]:
    """Sort as `sort_indices`, and find runs; the integers are overwritten."""
    bits = len(values).bit_length()
    if int(values.max(initial=0)).bit_length() + bits > 63:
        order = np.argsort(values, kind="stable")
        return order, find_runs(values[order])
    values <<= bits
    values |= np.arange(len(values))
    values.sort()
    runs = find_runs(values >> bits)
    values &= (1 << bits) - 1
    return values, runs


@dataclass(frozen=True, eq=False)
class Columns:
    """The mentions of a block of documents of one side, ordered by entity."""

    # The entity of each mention. Entities are numbered through the block, in document
    # order and, inside a document, in the order of their first mentions.
    entity: Ints
    start: Ints  # the first token of each mention, or its index in `names`
    end: Ints  # the last token of each mention, or its index in `names`
    entity_document: Ints  # the document of each entity, numbered in the block
    # The number of words of each document without empty nodes, -1 if unknown.
    token_count: Ints
    text_hash: Hashes  # a hash of the words of each document, 0 if it has none
    # The mentions if they are not spans.
    names: Sequence[Hashable] | None = None
    # Annotation other than spans; None if there is none.
    details: Details | None = None
    # A number for the id of each entity, see `corefkit.arrays.building.encode_ids`;
    # None if they were not requested.
    code: Ints | None = None

    @property
    def documents(self) -> int:
        """The number of documents."""
        return len(self.token_count)

    @property
    def document(self) -> Ints:
        """The document of each mention."""
        return self.entity_document[self.entity]

    @property
    def empty_counts(self) -> Ints:
        """The number of empty nodes of each document."""
        nodes = self.details and self.details.empties
        return np.bincount(nodes.document if nodes else (), minlength=self.documents)

    @property
    def sizes(self) -> list[int]:
        """The approximate number of bytes that each document takes."""
        sizes: list[int] = (np.diff(self.bounds["mention"]) * _MENTION_BYTES).tolist()
        return sizes

    @cached_property
    def bounds(self) -> Mapping[str, Ints]:
        """The first row of each document, then the end of the last, by kind of row."""
        numbers = np.arange(self.documents + 1)
        entity = np.searchsorted(self.entity_document, numbers)
        bounds = {"entity": entity, "mention": np.searchsorted(self.entity, entity)}
        for table in (self.details, self.details and self.details.empties):
            for name, array in ARRAYS[type(table)].items() if table else ():
                if array.rows in bounds:
                    continue
                # The first number of a row determines its document.
                values = getattr(table, name)
                values = values if values.ndim == 1 else values[:, 0]
                counted = array.counts[0]
                if counted != "document":
                    values = np.searchsorted(bounds[counted], values, side="right") - 1
                bounds[array.rows] = np.searchsorted(values, numbers)
        return bounds

    def members(self, entity: int) -> tuple[Hashable, ...]:
        """Return the mentions of one entity as objects, or their names."""
        first, last = np.searchsorted(self.entity, (entity, entity + 1))
        if self.names is not None:
            return tuple(self.names[number] for number in self.start[first:last])
        return tuple(self.mention(number) for number in range(first, last))

    def mention(self, number: int) -> Mention:
        start, end = int(self.start[number]), int(self.end[number])
        if self.details is None:
            return Mention(start, end)
        rows = slice(*np.searchsorted(self.details.gap, (number, number + 1)))
        gaps = np.stack((self.details.gap_start[rows], self.details.gap_end[rows]), 1)
        return Mention(start, end, tuple(map(tuple, gaps.tolist())))

    def widen(self) -> Columns:
        """Convert arrays of 32 bits, which take less memory, for computing."""
        names = ("entity", "start", "end", "entity_document")
        arrays: dict[str, Any] = {
            name: getattr(self, name).astype(np.int64, copy=False) for name in names
        }
        return replace(self, **arrays)

    def keep(self, mentions: Flags) -> Columns:
        """Keep the flagged mentions, and the entities that still have mentions."""
        entity = self.entity[mentions]
        entities = entity[find_runs(entity).first]
        return self.take_mentions(np.flatnonzero(mentions), entities)

    def take_mentions(self, mentions: Ints, entities: Ints) -> Columns:
        """Select entities and mentions of them, in the given orders."""
        return replace(
            self,
            entity=invert(entities, len(self.entity_document))[self.entity[mentions]],
            start=self.start[mentions],
            end=self.end[mentions],
            entity_document=self.entity_document[entities],
            details=self.details and self.details.take(mentions, entities),
            code=None if self.code is None else self.code[entities],
        )

    def take_documents(self, numbers: Sequence[int | None]) -> Columns:
        """Select documents by number; None selects one without mentions and words."""
        if numbers == range(self.documents):
            return self
        chosen = np.array([-1 if n is None else n for n in numbers], np.int64)
        is_present = chosen >= 0
        places = np.arange(len(chosen))
        if len(chosen) and is_present.all() and np.all(chosen - chosen[0] == places):
            if len(chosen) == self.documents:
                return self
            take = _take_slice
        else:
            take = _take_rows
        rows = {kind: take(bounds, chosen) for kind, bounds in self.bounds.items()}
        rows["document"] = _RowSelection(places, np.ones_like(chosen), places - chosen)
        mention, entity = rows["mention"], rows["entity"]
        offset = repeat_for_runs(entity.offset, mention.size)
        token_count = np.full(len(chosen), -1, np.int64)
        token_count[is_present] = self.token_count[chosen[is_present]]
        text_hash = np.zeros(len(chosen), np.uint64)
        text_hash[is_present] = self.text_hash[chosen[is_present]]
        return replace(
            self,
            entity=self.entity[mention.selected] + offset,
            start=self.start[mention.selected],
            end=self.end[mention.selected],
            entity_document=np.repeat(places, entity.size),
            token_count=token_count,
            text_hash=text_hash,
            details=self.details and self.details.take_documents(rows),
            code=None if self.code is None else self.code[entity.selected],
        )


class _RowSelection(NamedTuple):
    """The rows of one kind of the selected documents."""

    selected: Ints | slice
    size: Ints  # the number of rows of each document
    offset: Ints  # added to numbers of such rows, for each document

    def renumber(self, values: Ints, counted: _RowSelection) -> Ints:
        return add_offset(values, repeat_for_runs(counted.offset, self.size))


def _take_rows(bounds: Ints, chosen: Ints) -> _RowSelection:
    first = bounds[chosen]
    size = np.where(chosen < 0, 0, bounds[chosen + 1] - first)
    return _RowSelection(expand_runs(first, size), size, np.cumsum(size) - size - first)


def _take_slice(bounds: Ints, chosen: Ints) -> _RowSelection:
    """Select the rows of consecutive documents without copying them."""
    first, last = int(bounds[chosen[0]]), int(bounds[chosen[-1] + 1])
    size = bounds[chosen + 1] - bounds[chosen]
    return _RowSelection(slice(first, last), size, np.array([-first]))


def make_empty_columns(documents: int) -> Columns:
    """Create columns for documents without mentions and words."""
    none = np.empty(0, np.int64)
    unknown = np.full(documents, -1, np.int64)
    return Columns(none, none, none, none, unknown, np.zeros(documents, np.uint64))


def join_columns(parts: Sequence[Columns]) -> Columns:
    """Concatenate blocks of documents with the same `names`."""
    if not parts:
        return make_empty_columns(0)
    if len(parts) == 1:
        return parts[0]
    offsets = {
        "mention": compute_offsets(len(part.entity) for part in parts),
        "entity": compute_offsets(len(part.entity_document) for part in parts),
        "document": compute_offsets(part.documents for part in parts),
    }
    details = None
    if any(part.details is not None for part in parts):
        details = _join_details(
            [part.details or make_default_details(part) for part in parts], offsets
        )
    codes = [part.code for part in parts if part.code is not None]
    rows = zip(parts, offsets["entity"], offsets["document"], strict=False)
    entities, documents = zip(
        *((part.entity + row, part.entity_document + at) for part, row, at in rows),
        strict=True,
    )
    return Columns(
        entity=np.concatenate(entities),
        start=np.concatenate([part.start for part in parts]),
        end=np.concatenate([part.end for part in parts]),
        entity_document=np.concatenate(documents),
        token_count=np.concatenate([part.token_count for part in parts]),
        text_hash=np.concatenate([part.text_hash for part in parts]),
        names=parts[0].names,
        details=details,
        code=np.concatenate(codes) if len(codes) == len(parts) else None,
    )


class _Array(NamedTuple):
    """The declaration of an array of details, from which moving its rows follows."""

    rows: str  # the subject of each row: a mention, an entity, a gap ...
    # The units that each column counts; empty for other values.
    counts: tuple[str, ...]
    required: int  # how many of these columns, from the first, a row cannot lack
    is_sorted: bool  # whether rows are in the order of their numbers
    unknown: int | bool  # the value if nothing is known


def _rows(
    rows: str,
    *counts: str,
    required: int | None = None,
    is_sorted: bool = False,
    unknown: int | bool = -1,
) -> dict[str, _Array]:
    """Declare the rows of an array, and what its numbers count.

    The first array of a kind of rows determines which of them are kept: those with all
    their numbers, or the first `required`; the others may be -1.
    """
    required = len(counts) if required is None else required
    return {"array": _Array(rows, counts, required, is_sorted, unknown)}


@dataclass(frozen=True, slots=True)
class Empties:
    """The empty nodes of a block, and their enhanced dependencies."""

    document: Ints = field(metadata=_rows("node", "document"))
    token: Ints = field(metadata=_rows("node"))  # its number with empty nodes
    initial: Flags = field(metadata=_rows("node"))  # before the first word
    dependent: Ints = field(metadata=_rows("dependency", "node"))
    # A token; negative for the root of a sentence, a number for each.
    parent: Ints = field(metadata=_rows("dependency"))
    relation: Ints = field(metadata=_rows("dependency"))  # its hash


@dataclass(frozen=True, slots=True)
class Details:
    """Annotation of mentions and entities other than spans; -1 means none."""

    head: Ints = field(metadata=_rows("mention"))
    minimum_start: Ints = field(metadata=_rows("mention"))
    minimum_end: Ints = field(metadata=_rows("mention"))
    # The mention of each gap.
    gap: Ints = field(metadata=_rows("gap", "mention", is_sorted=True))
    gap_start: Ints = field(metadata=_rows("gap"))
    gap_end: Ints = field(metadata=_rows("gap"))
    referring: Flags = field(metadata=_rows("entity", unknown=True))
    split: Ints = field(metadata=_rows("split", "entity", "entity"))
    # The anaphor, the entity of the antecedent, and its mention if it is specified.
    bridge: Ints = field(
        metadata=_rows("bridge", "mention", "entity", "mention", required=1)
    )
    empties: Empties | None = None

    def take(self, mentions: Ints, entities: Ints) -> Details:
        """Select mentions and entities, in the given order, and the rows about them."""
        rows = {"mention": mentions, "entity": entities}
        number = {
            "mention": invert(mentions, len(self.head)),
            "entity": invert(entities, len(self.referring)),
        }
        taken: dict[str, Any] = {}
        for name, array in ARRAYS[Details].items():
            values = getattr(self, name)
            if array.counts and len(values):
                columns = [values] if values.ndim == 1 else values.T
                numbers = [
                    number[counted][column]
                    for counted, column in zip(array.counts, columns, strict=True)
                ]
                rows[array.rows] = _find_complete(
                    numbers[: array.required], is_sorted=array.is_sorted
                )
                values = numbers[0] if values.ndim == 1 else np.stack(numbers, axis=1)
            taken[name] = values[rows[array.rows]] if len(values) else values
        return Details(**taken, empties=self.empties)

    def take_documents(self, rows: Mapping[str, _RowSelection]) -> Details:
        details = _take_table(self, rows)
        if self.empties is None:
            return details
        empties = _take_table(self.empties, rows)
        return replace(details, empties=empties if len(empties.token) else None)


ARRAYS: Mapping[type, Mapping[str, _Array]] = {
    table: {f.name: f.metadata["array"] for f in fields(table) if f.metadata}
    for table in (Details, Empties)
}


def make_default_details(columns: Columns) -> Details:
    """Create details that state nothing: no heads, gaps or links, all refer."""
    sizes = {"mention": len(columns.entity), "entity": len(columns.entity_document)}
    arrays: dict[str, Any] = {}
    for name, array in ARRAYS[Details].items():
        size, width = sizes.get(array.rows, 0), len(array.counts)
        shape = (size, width) if width > 1 else size
        arrays[name] = np.full(shape, array.unknown)
    return Details(**arrays)


def _take_table(table: _Table, rows: Mapping[str, _RowSelection]) -> _Table:
    taken: dict[str, Any] = {}
    for name, array in ARRAYS[type(table)].items():
        chosen = rows[array.rows]
        values = getattr(table, name)[chosen.selected]
        if len(array.counts) == 1:
            values = chosen.renumber(values, rows[array.counts[0]])
        elif array.counts:
            columns = zip(values.T, array.counts, strict=True)
            values = np.stack(
                [chosen.renumber(column, rows[counted]) for column, counted in columns],
                axis=1,
            )
        taken[name] = values
    return type(table)(**taken)


def _join_details(
    parts: Sequence[Details], offsets: Mapping[str, Sequence[int]]
) -> Details:
    """Concatenate the details of blocks with the given numbers of preceding rows."""
    joined = _join_tables(Details, parts, offsets)
    nodes = {  # by the number of preceding documents
        offset: details.empties
        for offset, details in zip(offsets["document"], parts, strict=False)
        if details.empties is not None
    }
    if not nodes:
        return joined
    sizes = (len(empties.token) for empties in nodes.values())
    offsets = {"document": list(nodes), "node": compute_offsets(sizes)}
    return replace(joined, empties=_join_tables(Empties, list(nodes.values()), offsets))


def _join_tables(
    table: type[_Table], parts: Sequence[_Table], offsets: Mapping[str, Sequence[int]]
) -> _Table:
    joined: dict[str, Any] = {}
    for name, array in ARRAYS[table].items():
        values = [getattr(part, name) for part in parts]
        if array.counts:
            for part, value in enumerate(values):
                offset = np.array([offsets[counted][part] for counted in array.counts])
                values[part] = add_offset(value, offset)
        joined[name] = np.concatenate(values)
    return table(**joined)


def invert(chosen: Ints, size: int) -> Ints:
    """Return the new number of each of `size` rows, -1 if it is not chosen."""
    number = np.full(size + 1, -1, np.int64)  # the last item is looked up by -1
    number[chosen] = np.arange(len(chosen))
    return number


def _find_complete(numbers: Sequence[Ints], *, is_sorted: bool) -> Ints:
    is_complete = numbers[0] >= 0
    for column in numbers[1:]:
        is_complete &= column >= 0
    rows = np.flatnonzero(is_complete)
    return rows[np.argsort(numbers[0][rows], kind="stable")] if is_sorted else rows
