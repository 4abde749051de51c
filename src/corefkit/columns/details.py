"""What is known of mentions and entities besides spans, and how it moves with them.

Each array declares what it has a row for, and what its numbers count. How mentions are
taken, joined and left unknown follows from that, so that no function lists the fields.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.columns import Columns, Flags, Ints

_Kind = TypeVar("_Kind", "Details", "Empties")


class _Declared(NamedTuple):
    """An array: its name, what it has a row for, and what the numbers in it count."""

    name: str  # the field
    rows: str  # what there is a row for: mentions, entities, or things of its own
    # What the numbers of each column count; none where they are values.
    counts: tuple[str, ...]
    needed: int  # how many of these columns, from the first, a row must have
    ordered: bool  # whether the rows stand in the order of their numbers
    unknown: int | bool  # the value where nothing is known


def _rows(
    rows: str, *counts: str, ordered: bool = False, unknown: int | bool = -1
) -> dict[str, Any]:
    """Declare what an array has a row for, and what the numbers in it count.

    The first array of some rows decides which of them are kept: those whose numbers are
    all there, except those with a `?`, which may be -1.
    """
    names = tuple(name.rstrip("?") for name in counts)
    needed = sum(not name.endswith("?") for name in counts)
    return dict(
        rows=rows, counts=names, needed=needed, ordered=ordered, unknown=unknown
    )


@dataclass(frozen=True, slots=True)
class Empties:
    """The empty nodes of a block, and what they depend on.

    Attributes:
        document: the document of each, counted in the block.
        token: its number in the document, empty nodes included.
        initial: whether it stands before the first word of its sentence.
        dependent: for each enhanced dependency, the number of the node in these rows.
        parent: the token that it depends on; below 0 the root of a sentence,
            a number for each.
        relation: a hash of the kind of dependency.
    """

    document: Ints = field(metadata=_rows("node", "document"))
    token: Ints = field(metadata=_rows("node"))
    initial: Flags = field(metadata=_rows("node"))
    dependent: Ints = field(metadata=_rows("dependency", "node"))
    parent: Ints = field(metadata=_rows("dependency"))
    relation: Ints = field(metadata=_rows("dependency"))


@dataclass(frozen=True, slots=True)
class Details:
    """What is known of mentions and entities besides spans, where a format has it.

    Attributes:
        head: the head of each mention, -1 where it has none.
        minimum_start: the first token of its minimum, -1 where it has none.
        minimum_end: the last token of its minimum, -1 where it has none.
        gap: for each gap of a discontinuous mention, the number of the mention.
        gap_start: the first token of the gap.
        gap_end: the last token of the gap.
        referring: for each entity, whether it refers.
        split: rows of an entity and one of its split antecedents.
        bridge: rows of a bridging anaphor, the entity that it hangs on, and the mention
            of it that the file names or -1.
        empties: the empty nodes; None where there is none.
    """

    head: Ints = field(metadata=_rows("mention"))
    minimum_start: Ints = field(metadata=_rows("mention"))
    minimum_end: Ints = field(metadata=_rows("mention"))
    gap: Ints = field(metadata=_rows("gap", "mention", ordered=True))
    gap_start: Ints = field(metadata=_rows("gap"))
    gap_end: Ints = field(metadata=_rows("gap"))
    referring: Flags = field(metadata=_rows("entity", unknown=True))
    split: Ints = field(metadata=_rows("split", "entity", "entity"))
    bridge: Ints = field(metadata=_rows("bridge", "mention", "entity?", "mention?"))
    empties: Empties | None = None

    def take(self, mentions: Ints, entities: Ints) -> Details:
        """Take some mentions and entities, in the order given, and the rows on them."""
        rows = {"mention": mentions, "entity": entities}
        number = {
            "mention": _new_numbers(mentions, len(self.head)),
            "entity": _new_numbers(entities, len(self.referring)),
        }
        taken: dict[str, Any] = {}
        for name, space, counts, needed, ordered, _ in DECLARED[Details]:
            values = getattr(self, name)
            if counts and len(values):
                columns = [values] if len(counts) == 1 else values.T
                pairs = zip(counts, columns, strict=True)
                found = [number[of][column] for of, column in pairs]
                rows[space] = _kept(found[:needed], ordered=ordered)
                values = found[0] if len(counts) == 1 else np.stack(found, axis=1)
            # Without a row there is nothing to take, nor to number.
            taken[name] = values[rows[space]] if len(values) else values
        return Details(**taken, empties=self.empties)

    def renumber_documents(self, number: Ints) -> Details:
        """Renumber the documents by their numbers in another block."""
        if self.empties is None:
            return self
        document = number[self.empties.document]
        return replace(self, empties=replace(self.empties, document=document))


DECLARED = {
    kind: tuple(
        _Declared(array.name, **array.metadata)
        for array in fields(kind)
        if array.metadata
    )
    for kind in (Details, Empties)
}


_NO_ROWS = {
    declared.name: np.empty(
        (0, *[len(declared.counts)] * (len(declared.counts) > 1)), np.int64
    )
    for declared in DECLARED[Details]
}


def plain_details(columns: Columns) -> Details:
    """Return details that say that nothing is known besides the spans."""
    sizes = {"mention": len(columns.entity), "entity": len(columns.entity_document)}
    unknown: dict[str, Any] = {
        declared.name: np.full(sizes[declared.rows], declared.unknown)
        for declared in DECLARED[Details]
        if declared.rows in sizes
    }
    return Details(**{**_NO_ROWS, **unknown})


def join_details(
    parts: Sequence[Details], offsets: Mapping[str, Sequence[int]]
) -> Details:
    """Join the details of blocks, one behind the other.

    The offsets say how many mentions, entities and documents are before each block.
    """
    joined = _joined(Details, parts, offsets)
    there = [part for part, details in enumerate(parts) if details.empties is not None]
    if not there:
        return joined
    empties = [details.empties for details in parts if details.empties is not None]
    nodes = {
        "document": [offsets["document"][part] for part in there],
        "node": offsets_of(len(part.token) for part in empties),
    }
    return replace(joined, empties=_joined(Empties, empties, nodes))


def offsets_of(sizes: Iterable[int]) -> list[int]:
    """Count what is before each of some blocks, and finally all of it.

    >>> offsets_of([2, 3])
    [0, 2, 5]
    """
    return [0, *np.cumsum(list(sizes)).tolist()]


def shifted(numbers: Ints, offset: int | Ints) -> Ints:
    """Add an offset to numbers; those below 0 stand for none, and stay.

    >>> shifted(np.array([0, -1, 2]), 5).tolist()
    [5, -1, 7]
    """
    return np.where(numbers < 0, numbers, numbers + offset)


def _joined(
    kind: type[_Kind], parts: Sequence[_Kind], offsets: Mapping[str, Sequence[int]]
) -> _Kind:
    joined: dict[str, Any] = {}
    for declared in DECLARED[kind]:
        arrays = [getattr(part, declared.name) for part in parts]
        if declared.counts:
            for part, array in enumerate(arrays):
                before = [offsets[name][part] for name in declared.counts]
                offset = before[0] if array.ndim == 1 else np.array(before)
                arrays[part] = shifted(array, offset)
        joined[declared.name] = np.concatenate(arrays)
    return kind(**joined)


def _new_numbers(chosen: Ints, size: int) -> Ints:
    """Number what is chosen anew; what is not, and what was -1, becomes -1."""
    number = np.full(size + 1, -1, np.int64)  # the last is that of -1
    number[chosen] = np.arange(len(chosen))
    return number


def _kept(needed: Sequence[Ints], *, ordered: bool) -> Ints:
    """Find the rows whose numbers are there, in the order of the first if asked for."""
    there = needed[0] >= 0
    for column in needed[1:]:
        there &= column >= 0
    rows = np.flatnonzero(there)
    return rows[np.argsort(needed[0][rows], kind="stable")] if ordered else rows
