"""Which mentions of key and response are one.

Mentions are equal if they have the same positions, whatever the way of matching; a way
of matching gives an alignment, one to one:

    exact     mentions with the same tokens
    head      first mentions with the same tokens and head, then those with the same
              head
    partial   first mentions with the same tokens, then a response mention that lies
              inside a key mention and has its head
    min       likewise, and has its minimum (MUC's MIN); where the key has trees and no
              minima, mentions whose minimum spans are the same (`trees`)

Of several that would match, the alignment takes those that together overlap most, in
proportion to the key mentions; where several choices are best, the one that scipy's
assignment finds for the mentions in the order of the text. Zero mentions are matched by
their place like others, or first of all by what they depend on (`zeros`).

Sources: the CorefUD scorer 1.2 for head, partial and zeros; Moosavi et al. 2019 for
minimum spans in trees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.matching.pairs import Alignment
from corefkit.alignment.matching.positions import Positions, positions
from corefkit.columns import sorting_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.columns import Columns, Flags, Ints
    from corefkit.settings import Settings


_FAR = 1 << 63
_FEW = 1 << 8  # numbers that any way sorts soon


def align(
    key: Columns,
    response: Columns,
    settings: Settings,
    *,
    anchors: tuple[Ints, Ints] | None = None,
    orders: tuple[Ints | None, Ints | None] = (None, None),
) -> Alignment:
    """Align the mentions of two sides; no side may repeat a mention.

    Args:
        key: the mentions of the key.
        response: the mentions of the response.
        settings: the way of matching.
        anchors: under `min`, numbers for minimum spans that were found in trees, one
            for each mention of either side, -1 where there is none.
        orders: the orders of both sides' mentions by position, where they are known.
    """
    sides = _placed(key, response)
    details = key.details, response.details
    by_dependency = settings.by_dependency and all(
        side is not None and side.empties is not None for side in details
    )
    if settings.is_exact and not by_dependency:
        return same_codes(*codes(*sides), orders)
    # Imported here because most scores are exact, and every start would pay.
    from corefkit.alignment.matching.loose import align_loosely

    return align_loosely(sides, settings, anchors, by_dependency=by_dependency)


def equal(key: Columns, response: Columns, settings: Settings) -> Alignment:
    """Align the mentions with the same tokens, and under `head` the same head.

    No side may repeat a mention.
    """
    return same_codes(*equality_codes(_placed(key, response), settings))


def equality_codes(
    sides: tuple[Positions, Positions], settings: Settings
) -> tuple[Ints, Ints]:
    """Number the mentions of two sides: equal numbers are equal mentions."""
    key_code, response_code = codes(*sides)
    if not settings.by_head:
        return key_code, response_code
    from corefkit.alignment.matching.candidates import head_positions

    heads = np.concatenate([head_positions(side) for side in sides])
    both = np.stack((np.concatenate((key_code, response_code)), heads))
    code = np.unique(both, axis=1, return_inverse=True)[1].reshape(-1)
    return code[: len(key_code)], code[len(key_code) :]


def same_codes(
    key_code: Ints,
    response_code: Ints,
    orders: tuple[Ints | None, Ints | None] = (None, None),
) -> Alignment:
    """Align the mentions that have the same numbers."""
    key_order, response_order = orders
    if key_order is None:
        key_order = sorting_order(key_code)
    if response_order is None:
        response_order = sorting_order(response_code)
    ranked, wanted = key_code[key_order], response_code[response_order]
    place = np.searchsorted(ranked, wanted)  # both in order, so the search is short
    there = np.flatnonzero(place < len(ranked))
    there = there[ranked[place[there]] == wanted[there]]
    return Alignment(key_order[place[there]], response_order[there])


def codes(key: Positions, response: Positions) -> tuple[Ints, Ints]:
    """Number the mentions of two sides: equal numbers are equal positions.

    The numbers rise with the document, then the first place, then the length; those of
    scattered mentions stand behind all others.
    """
    sides = key, response
    if key.start is key.end and response.start is response.end:
        return _codes_of_points(key, response)
    lengths = [side.end - side.start for side in sides]
    starts = [side.start for side in sides]
    last, longest = _largest(starts), _largest(lengths)
    if (longest + 1) * (last + 1) * max(len(key.columns.token_count), 1) >= _FAR:
        # Spans this far out come from no real text: number the ones there are.
        starts, lengths = _ranked(starts), _ranked(lengths)
        last, longest = _largest(starts), _largest(lengths)
    found = []
    for side, start, length in zip(sides, starts, lengths, strict=True):
        document = side.columns.entity_document[side.columns.entity]
        found.append((document * (last + 1) + start) * (longest + 1) + length)
    if key.scattered or response.scattered:
        found = _with_scattered(sides, _ranked(found))
    return found[0], found[1]


def _codes_of_points(key: Positions, response: Positions) -> tuple[Ints, Ints]:
    """Number mentions that are names, and so have one position each."""
    if len(key.columns.token_count) == 1:
        return key.start, response.start
    width = _largest((key.start, response.start)) + 1
    ours = key.columns.document * width + key.start
    if response is key:
        return ours, ours
    return ours, response.columns.document * width + response.start


def _with_scattered(
    sides: tuple[Positions, Positions], numbers: list[Ints]
) -> list[Ints]:
    """Tell scattered mentions apart by all their positions, behind all others."""
    most = _largest(numbers)
    shapes: dict[frozenset[int], int] = {}
    for side, code in zip(sides, numbers, strict=True):
        document = side.columns.document
        for mention, tokens in side.scattered.items():
            shape = tokens | {-1 - int(document[mention])}
            code[mention] = most + 1 + shapes.setdefault(shape, len(shapes))
    return numbers


def position_order(columns: Columns) -> tuple[Ints | None, Flags | None]:
    """Order the mentions of a side by position, and flag those that are repeated.

    Mentions are ordered by entity, so the copy in the entity seen first is not flagged.
    The order by document, first place and length is that of their codes beside any
    other side; it is None where mentions are scattered or there are empty nodes. The
    flags are None where no mention stands in an earlier one's place.
    """
    placed, _ = _placed(columns, columns)
    code, _ = codes(placed, placed)
    few = len(code) < _FEW
    order = np.argsort(code, kind="stable") if few else sorting_order(code)
    ranked = code[order]
    same = ranked[1:] == ranked[:-1]
    repeated: Flags | None = None
    if np.logical_or.reduce(same):
        repeated = np.zeros(len(code), np.bool_)
        repeated[order[1:][same]] = True
    simple = placed.stride == 1 and not placed.scattered
    return order if simple else None, repeated


def _largest(arrays: Sequence[Ints]) -> int:
    return max(int(np.maximum.reduce(array, initial=0)) for array in arrays)


def _ranked(arrays: Sequence[Ints]) -> list[Ints]:
    rank = np.unique(np.concatenate(arrays), return_inverse=True)[1]
    return np.split(rank, [len(arrays[0])])


def _placed(key: Columns, response: Columns) -> tuple[Positions, Positions]:
    """Place the mentions of two sides; spans alone are positions as they stand."""
    if key.details is not None or response.details is not None:
        return positions(key, response)
    ours = Positions(key, key.start, key.end, {}, 1, None)
    if response is key:
        return ours, ours
    return ours, Positions(response, response.start, response.end, {}, 1, None)
