"""Pairs of mentions that might be one though their tokens differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.blocks import CrowdedDocument
from corefkit.alignment.matching.pairs import Pairs
from corefkit.columns import expanded, sorting_order
from corefkit.columns.details import plain_details

if TYPE_CHECKING:
    from corefkit.alignment.matching.pairs import Free
    from corefkit.alignment.matching.positions import Positions
    from corefkit.columns import Flags, Floats, Ints


# Pairs of mentions that one document may have, and for each mention on average: real
# ones, which lie in one another a few deep, stay far below.
MOST_PAIRS, _MOST_FOR_EACH = 1 << 20, 100

_NESTED = "pairs of key and response mentions overlap or lie around one head"
_HINT = (
    "such mentions lie one in another: look for brackets that never close; `--match "
    "exact`, without the metrics that compare overlaps, looks at no pairs"
)


def check_pairs(
    key: Positions,
    response: Positions,
    document: Ints,
    size: Ints,
    *,
    pairs_that: str = _NESTED,
    hint: str = _HINT,
) -> None:
    """Refuse documents whose mentions can be paired in more ways than can be weighed.

    Of each mention of a side that may be paired, `document` has its document and `size`
    how many of the other side it may be paired with.
    """
    documents = key.columns.documents
    pairs = np.bincount(document, np.maximum(size, 0), documents)
    mentions = np.zeros(documents)
    for side in (key, response):
        mentions += np.bincount(side.columns.document, minlength=documents)
    most = np.maximum(mentions * _MOST_FOR_EACH, MOST_PAIRS)
    if np.any(pairs > most):
        number = int(np.argmax(pairs - most))
        message = (
            f"{int(pairs[number]):,} {pairs_that}, "
            f"expected at most {int(most[number]):,} in a document"
        )
        raise CrowdedDocument(message, document=number, hint=hint)


def check_lengths(document: int, start: Ints, end: Ints) -> None:
    """Refuse a document whose mentions have more words than can be looked at for each.

    A tree is made of each mention's own words, so that what lies in another mention is
    looked at again.
    """
    total, most = int((end - start + 1).sum()), len(start) * _MOST_FOR_EACH
    if total > max(most, MOST_PAIRS):
        message = (
            f"its mentions have {total:,} words to look up in trees, "
            f"expected at most {max(most, MOST_PAIRS):,} in a document"
        )
        raise CrowdedDocument(message, document=document, hint=_HINT)


def head_positions(side: Positions) -> Ints:
    """Find the place of each mention's head; -1 where none is known.

    A mention of one token is its own head, whether its file says so or not.
    """
    details = side.columns.details or plain_details(side.columns)
    head = side.of(side.columns.document, details.head)
    alone = (head < 0) & (side.columns.start == side.columns.end)
    return np.where(alone, side.start, head)


def same_anchor(
    key: Positions, response: Positions, free: Free, anchors: tuple[Ints, Ints]
) -> Pairs:
    """Pair the free mentions that have the same anchor, weighed by their overlap.

    An anchor is a number for a document's head or minimum span; below 0 there is none.
    """
    sides = []
    for side, mentions, anchor in zip((key, response), free, anchors, strict=True):
        anchored = np.flatnonzero(mentions & (anchor >= 0))
        sides.append((anchored, side.columns.document[anchored], anchor[anchored]))
    (keys, key_document, key_anchor), (others, document, anchor) = sides
    width = max(int(key_anchor.max(initial=0)), int(anchor.max(initial=0))) + 1
    wanted = key_document * width + key_anchor
    order = sorting_order(document * width + anchor)
    ranked = (document * width + anchor)[order]
    first = np.searchsorted(ranked, wanted, "left")
    last = np.searchsorted(ranked, wanted, "right")
    check_pairs(key, response, key_document, last - first)
    row, found = expanded(first, last)
    return overlapping(key, response, keys[row], others[order[found]])


def within_and_around(
    key: Positions, response: Positions, free: Free, *, minimum: bool
) -> Pairs:
    """Pair key mentions with response mentions inside them, around their head.

    With `minimum` it is the key mention's minimum that the response must have, and its
    head only where it has no minimum.
    """
    first, last = _cores(key, minimum=minimum)
    keys = np.flatnonzero(free[0] & (first >= 0))
    others = np.flatnonzero(free[1])
    document = response.columns.document[others]
    width = int(max(response.start.max(initial=0), key.end.max(initial=0))) + 1
    order = sorting_order(document * width + response.start[others])
    ranked = (document * width + response.start[others])[order]
    base = key.columns.document[keys] * width
    # Those that begin between the key mention's begin and its core, then the others'.
    low = np.searchsorted(ranked, base + key.start[keys], "left")
    high = np.searchsorted(ranked, base + first[keys], "right")
    check_pairs(key, response, key.columns.document[keys], high - low)
    row, found = expanded(low, high)
    one, other = keys[row], others[order[found]]
    fits = (response.end[other] >= last[one]) & (response.end[other] <= key.end[one])
    one, other = one[fits], other[fits]
    inside = _inside(key, response, one, other, first, last)
    return overlapping(key, response, one[inside], other[inside])


def _cores(key: Positions, *, minimum: bool) -> tuple[Ints, Ints]:
    """Find the first and last place that a response to each key mention must have."""
    head = head_positions(key)
    if not minimum:
        return head, head
    columns = key.columns
    details = columns.details or plain_details(columns)
    known = details.minimum_start >= 0
    first = key.of(columns.document, details.minimum_start)
    last = key.of(columns.document, details.minimum_end)
    return np.where(known, first, head), np.where(known, last, head)


def _inside(
    key: Positions, response: Positions, one: Ints, other: Ints, first: Ints, last: Ints
) -> Flags:
    inside = np.ones(len(one), np.bool_)
    for row in _scattered_rows(key, response, one, other):
        mention = int(one[row])
        positions = response.set_of(int(other[row]))
        whole = key.set_of(mention)
        core = {
            place
            for place in whole
            if int(first[mention]) <= place <= int(last[mention])
        }
        inside[row] = core <= positions <= whole
    return inside


def overlapping(key: Positions, response: Positions, one: Ints, other: Ints) -> Pairs:
    """Weigh pairs by the share of the key mention's tokens that both have."""
    shared = shared_tokens(key, response, one, other)
    there = shared > 0
    return Pairs(one[there], other[there], shared[there] / key.size()[one[there]])


def shared_tokens(
    key: Positions, response: Positions, one: Ints, other: Ints
) -> Floats:
    """Count the tokens that the two mentions of each pair have in common."""
    start = np.maximum(key.start[one], response.start[other])
    end = np.minimum(key.end[one], response.end[other])
    shared: Floats = np.maximum((end - start) // key.stride + 1, 0).astype(float)
    if key.stride > 1:
        # An empty node by itself is shared only with itself, or with what is scattered.
        alone = key.are_empty(one) | response.are_empty(other)
        same = key.start[one] == response.start[other]
        shared[alone] = same[alone] & (key.end[one] == response.end[other])[alone]
    for row in _scattered_rows(key, response, one, other):
        both = key.set_of(int(one[row])) & response.set_of(int(other[row]))
        shared[row] = len(both)
    return shared


def overlapping_mentions(key: Positions, response: Positions) -> Pairs:
    """Pair the mentions that have tokens in common, weighed by how many.

    Pairs are ordered by the key's mention.
    """
    # Where spans overlap, one begins inside the other.
    first, second = _beginning_inside(key, response, beside=True)
    third, fourth = _beginning_inside(response, key, beside=False)
    one, other = np.concatenate((first, fourth)), np.concatenate((second, third))
    shared = shared_tokens(key, response, one, other)
    order = sorting_order(one)
    return Pairs(one, other, shared).only(order[shared[order] > 0])


def _beginning_inside(
    around: Positions, inside: Positions, *, beside: bool
) -> tuple[Ints, Ints]:
    """Pair mentions with those of the other side that begin inside them.

    Those that begin in the same place count only with `beside`.
    """
    width = int(max(around.end.max(initial=0), inside.start.max(initial=0))) + 2
    begin = inside.columns.document * width + inside.start
    order = sorting_order(begin)
    base = around.columns.document * width
    low = np.searchsorted(begin[order], base + around.start + (not beside))
    high = np.searchsorted(begin[order], base + around.end, "right")
    check_pairs(around, inside, around.columns.document, high - low)
    row, found = expanded(low, high)
    return row, order[found]


def _scattered_rows(
    key: Positions, response: Positions, one: Ints, other: Ints
) -> list[int]:
    if not key.scattered and not response.scattered:
        return []
    ours = np.isin(one, list(key.scattered))
    theirs = np.isin(other, list(response.scattered))
    return np.flatnonzero(ours | theirs).tolist()
