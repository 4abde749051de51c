"""Which mentions of key and response are one: repeated ones settled, then aligned.

Mentions are compared through codes, one number for a place in a block of documents;
equality of mentions never changes, whatever the way of matching.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.columns import sorting_order

if TYPE_CHECKING:
    from corefkit.columns import Columns, Flags, Ints


class Alignment(NamedTuple):
    """A one-to-one map: the mention numbers of key and response that are one."""

    key: Ints
    response: Ints


def exact(key: Columns, response: Columns) -> Alignment:
    """Align the mentions that cover the same tokens; no side may repeat a mention."""
    key_code, response_code = codes(key, response)
    key_order, response_order = sorting_order(key_code), sorting_order(response_code)
    ranked, wanted = key_code[key_order], response_code[response_order]
    place = np.searchsorted(ranked, wanted)  # both in order, so the search is short
    there = np.flatnonzero(place < len(ranked))
    there = there[ranked[place[there]] == wanted[there]]
    return Alignment(key_order[place[there]], response_order[there])


def repeated(columns: Columns) -> Flags:
    """Flag the mentions that stand in an earlier place of their document already.

    Mentions are ordered by entity, so the copy in the entity seen first is not flagged.
    """
    code, _ = codes(columns, columns)
    flags = np.zeros(len(code), np.bool_)
    ranked = np.sort(code)
    if np.any(ranked[1:] == ranked[:-1]):
        flags[:] = True
        flags[np.unique(code, return_index=True)[1]] = False
    return flags


def codes(key: Columns, response: Columns) -> tuple[Ints, Ints]:
    """Number the places of two blocks: equal numbers are equal spans of a document."""
    key_start, response_start = key.start, response.start
    key_length = key.end - key.start
    response_length = response.end - response.start
    longest = max(int(key_length.max(initial=0)), int(response_length.max(initial=0)))
    last = max(int(key_start.max(initial=0)), int(response_start.max(initial=0)))
    if (longest + 1) * (last + 1) * key.documents >= 1 << 63:
        # Spans this far out come from no real text: number the ones there are.
        starts = np.unique(np.concatenate((key_start, response_start)))
        lengths = np.unique(np.concatenate((key_length, response_length)))
        key_start = np.searchsorted(starts, key_start)
        response_start = np.searchsorted(starts, response_start)
        key_length = np.searchsorted(lengths, key_length)
        response_length = np.searchsorted(lengths, response_length)
        longest, last = len(lengths), len(starts)
    return (
        (key.document * (last + 1) + key_start) * (longest + 1) + key_length,
        (response.document * (last + 1) + response_start) * (longest + 1)
        + response_length,
    )
