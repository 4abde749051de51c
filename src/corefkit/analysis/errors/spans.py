"""Span errors: mentions of key and response that differ at their borders only.

Of the response mentions that the key lacks and the key mentions that the response
lacks, two are paired

1.  by trimming: without articles, possessive endings and punctuation at their borders
    they have the same tokens, in the same sentence. In order, each response mention
    takes the earliest key mention that is free;
2.  by heads: of what is left, no other mention of either side has their head.

A paired response mention then stands where the key's does, and has its type.

Source: Kummerfeld and Klein 2013. Their program also lets a response mention that trims
to two key mentions block both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import places_in_runs

if TYPE_CHECKING:
    from corefkit.analysis.errors.joined import Description, Joined
    from corefkit.columns import Flags, Ints


@dataclass(frozen=True, slots=True)
class SpanErrors:
    """The span errors of a table, by place of the response mention.

    Attributes:
        response: the row of each response mention.
        key: the row of the key mention that it is paired with.
        by_head: whether their head paired them, and not trimming.
    """

    response: Ints
    key: Ints
    by_head: Flags

    def __len__(self) -> int:
        """Count the errors."""
        return len(self.response)


def no_span_errors() -> SpanErrors:
    """Return no span errors, for tables of which neither words nor heads are known."""
    none = np.empty(0, np.int64)
    return SpanErrors(none, none, np.empty(0, np.bool_))


def span_errors(table: Joined, description: Description) -> SpanErrors:
    """Pair the mentions that differ at their borders only."""
    extra = np.flatnonzero(table.key_entity < 0)
    missing = np.flatnonzero(table.response_entity < 0)
    trimmed = _by_trimming(table, description, extra, missing)
    extra = np.setdiff1d(extra, trimmed[0], assume_unique=True)
    missing = np.setdiff1d(missing, trimmed[1], assume_unique=True)
    headed = _by_heads(table, description.head, extra, missing)
    response = np.concatenate((trimmed[0], headed[0]))
    key = np.concatenate((trimmed[1], headed[1]))
    by_head = np.arange(len(response)) >= len(trimmed[0])
    order = np.argsort(response)
    return SpanErrors(response[order], key[order], by_head[order])


def with_spans_repaired(table: Joined, errors: SpanErrors) -> Joined:
    """Let response mentions take the places of the key mentions they are paired with.

    The rows stay; that of a response mention that moved is in no entity any more.
    """
    if not len(errors):
        return table
    entity = table.response_entity.copy()
    entity[errors.key] = entity[errors.response]
    entity[errors.response] = -1
    return replace(table, response_entity=entity)


def _by_trimming(
    table: Joined, description: Description, extra: Ints, missing: Ints
) -> tuple[Ints, Ints]:
    columns = [
        table.document,
        description.sentence,
        description.trimmed_start,
        description.trimmed_end,
    ]
    if table.gaps:
        columns.append(_gaps_inside(table, description))
    # Those that trim to the same tokens are exchangeable: the first of one side takes
    # the first of the other, the second takes the second.
    rows = np.concatenate((extra, missing))
    code = _numbered(columns, rows)
    ours, theirs = code[: len(extra)], code[len(extra) :]
    places = _places_among_equals(ours), _places_among_equals(theirs)
    width = max(len(rows), 1)
    _, mine, other = np.intersect1d(
        ours * width + places[0],
        theirs * width + places[1],
        assume_unique=True,
        return_indices=True,
    )
    return extra[mine], missing[other]


def _by_heads(
    table: Joined, head: Ints, extra: Ints, missing: Ints
) -> tuple[Ints, Ints]:
    extra, missing = extra[head[extra] >= 0], missing[head[missing] >= 0]
    code = _numbered([table.document, head], np.concatenate((extra, missing)))
    ours, theirs = code[: len(extra)], code[len(extra) :]
    many = [np.bincount(side, minlength=len(code)) for side in (ours, theirs)]
    single = (many[0] == 1) & (many[1] == 1)
    mine, other = np.flatnonzero(single[ours]), np.flatnonzero(single[theirs])
    return (
        extra[mine[np.argsort(ours[mine])]],
        missing[other[np.argsort(theirs[other])]],
    )


def _numbered(columns: list[Ints], rows: Ints) -> Ints:
    """Number rows so that those that are equal in all columns have the same number."""
    code = np.zeros(len(rows), np.int64)
    for column in columns:
        number = np.unique(column[rows], return_inverse=True)[1].reshape(-1)
        code = code * (int(number.max(initial=0)) + 1) + number
        code = np.unique(code, return_inverse=True)[1].reshape(-1)
    return code


def _places_among_equals(code: Ints) -> Ints:
    """Count through the rows of each number, in their order."""
    order = np.argsort(code, kind="stable")
    place = np.empty(len(code), np.int64)
    place[order] = places_in_runs(code[order])
    return place


def _gaps_inside(table: Joined, description: Description) -> Ints:
    """Number the gaps that are left inside trimmed mentions; 0 where there is none."""
    numbers: dict[tuple[tuple[int, int], ...], int] = {(): 0}
    found = np.zeros(len(table), np.int64)
    for row, gaps in table.gaps.items():
        start, end = description.trimmed_start[row], description.trimmed_end[row]
        inside = tuple(gap for gap in gaps if gap[0] > start and gap[1] < end)
        found[row] = numbers.setdefault(inside, len(numbers))
    return found
