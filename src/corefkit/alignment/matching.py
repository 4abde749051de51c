"""Alignment of key and response mentions.

Mentions are equal if they have the same positions, for every value of the setting
`match`, which determines a one-to-one alignment:

    exact     mentions with the same tokens
    head      first mentions with the same tokens and head, then those with the same
              head
    partial   first mentions with the same tokens, then a response mention that lies
              inside a key mention and contains its head
    min       the same, but it must contain its minimum (MUC's MIN); if the key has
              trees and no minima, mentions with the same minimum spans (`trees`)
    craft     first mentions with the same tokens, then a response mention with a part
              inside the first part of a key mention, unless either is an empty node
    overlap   mentions whose shared tokens are at least a given part of all tokens of
              the two; mentions with the same tokens are not aligned first

If several pairs of mentions could match, the alignment contains those with the largest
total overlap, in proportion to the key mentions (with `overlap`, to all tokens of the
two mentions, and of equal totals the one with most mentions that are the same); if
several choices are best, the one that scipy's assignment returns for the mentions in
the order of the text. Zero mentions are matched by position like others, or first by
their dependencies (`zeros`).

Sources: the CorefUD scorer 1.2 for head, partial and zeros; Moosavi et al. 2019 for
minimum spans in trees; the Universal Anaphora scorer 2.0 for craft.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.candidates import (
    Alignment,
    choose_all_pairs,
    choose_pairs,
    find_head_positions,
    pair_by_anchor,
    pair_by_core,
    pair_by_first_part,
    pair_by_overlap,
)
from corefkit.arrays.columns import rank_in_runs, sort_indices
from corefkit.settings import select_by

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corefkit.alignment.candidates import Free, MentionPairs
    from corefkit.arrays.columns import Columns, Details, Flags, Ints
    from corefkit.settings import Settings

_MAX_CODE = 1 << 63
_MAX_SMALL = 1 << 8  # numbers that argsort sorts as fast as `sort_indices`

# Positions: numbers for the places of mentions that both sides share.
#
# A token of the text has the same number on both sides, but an empty node may not: a
# side may have more of them than the other. So a position is computed from the number
# of words before a token: the empty nodes after a word, and those before the first word
# of a sentence, are distinguished by their order. Without empty nodes, the position of
# a token is its number.
#
# A mention with gaps, or with empty nodes inside, is *scattered*: its start and end do
# not determine its positions, and the few such mentions have a set of them.


class Positions(NamedTuple):
    """The positions of the mentions of one side."""

    columns: Columns
    start: Ints  # the first position of each mention
    end: Ints  # the last position
    scattered: dict[int, frozenset[int]]  # all positions of scattered mentions
    stride: int  # the difference between the positions of two adjacent words
    empties: _EmptyNodes | None

    def of(self, document: Ints, token: Ints) -> Ints:
        """Return the positions of tokens; negative numbers are kept."""
        if self.stride == 1:
            return token
        if self.empties is None:
            return np.where(token < 0, token, (token + 1) * self.stride - 1)
        return self.empties.compute_positions(document, token, self.stride)

    def are_empty(self, mentions: Ints) -> Flags:
        """Flag the mentions that start with an empty node."""
        flags: Flags = self.start[mentions] % self.stride != self.stride - 1
        return flags

    def size(self) -> Ints:
        size = (self.end - self.start) // self.stride + 1
        for mention, positions in self.scattered.items():
            size[mention] = len(positions)
        return size

    def set_of(self, mention: int) -> frozenset[int]:
        positions = self.scattered.get(mention)
        if positions is None:
            start, end = int(self.start[mention]), int(self.end[mention])
            positions = frozenset(range(start, end + 1, self.stride))
        return positions


def compute_positions(*sides: Columns) -> list[Positions]:
    """Compute the positions of the mentions of sides."""
    nodes = list(map(_EmptyNodes.of, sides))
    stride = 2 * max([0 if empty is None else empty.longest for empty in nodes]) + 1
    return [
        _place_mentions(side, empty, stride)
        for side, empty in zip(sides, nodes, strict=True)
    ]


class _EmptyNodes(NamedTuple):
    """The empty nodes of a side, in the order of documents and tokens."""

    code: Ints  # document and token as one number
    document: Ints
    rank: Ints  # among the nodes after the same word
    initial: Ints  # 1 before the first word of a sentence
    width: int  # the factor of the document in codes
    longest: int  # the largest number of nodes after one word

    @classmethod
    def of(cls, columns: Columns) -> _EmptyNodes | None:
        details = columns.details
        if details is None or details.empties is None or not len(details.empties.token):
            return None
        empties = details.empties
        order = np.lexsort((empties.token, empties.document))
        document, token = empties.document[order], empties.token[order]
        initial = empties.initial[order].astype(np.int64)
        width = int(token.max()) + 2
        # Nodes after the same word are consecutive.
        words = token - (np.arange(len(token)) - np.searchsorted(document, document))
        slot = (document * width + words) * 2 + initial
        rank = rank_in_runs(slot)
        code = document * width + token
        return cls(code, document, rank, initial, width, int(rank.max()) + 1)

    def count_before(self, document: Ints, token: Ints) -> Ints:
        first = np.searchsorted(self.document, document)
        code = document * self.width + np.minimum(token, self.width - 1)
        count: Ints = np.searchsorted(self.code, code) - first
        return count

    def compute_positions(self, document: Ints, token: Ints, stride: int) -> Ints:
        position = (token - self.count_before(document, token) + 1) * stride - 1
        code = document * self.width + np.minimum(token, self.width - 1)
        row = np.minimum(np.searchsorted(self.code, code), len(self.code) - 1)
        # First the nodes after a word, then those before the next sentence.
        offset = self.rank[row] + self.initial[row] * (stride // 2)
        is_empty = self.code[row] == code
        position = np.where(is_empty, position - (stride - 1) + offset, position)
        return np.where(token < 0, token, position)


def _place_mentions(
    columns: Columns, nodes: _EmptyNodes | None, stride: int
) -> Positions:
    placed = Positions(columns, columns.start, columns.end, {}, stride, nodes)
    if stride > 1:
        start = placed.of(columns.document, columns.start)
        end = placed.of(columns.document, columns.end)
        placed = placed._replace(start=start, end=end)
    if columns.details is None:
        return placed
    for mention in _find_scattered(columns, columns.details, nodes).tolist():
        token = np.array(columns.mention(mention).tokens, np.int64)
        document = np.full(len(token), columns.document[mention])
        positions = frozenset(placed.of(document, token).tolist())
        # A gap may contain only empty nodes, which the other side may lack.
        length = (placed.end[mention] - placed.start[mention]) // stride + 1
        has_empty = any(position % stride != stride - 1 for position in positions)
        if has_empty or len(positions) < length:
            placed.scattered[mention] = positions
    return placed


def _find_scattered(
    columns: Columns, details: Details, nodes: _EmptyNodes | None
) -> Ints:
    """Return the mentions that may be scattered."""
    scattered = details.gap
    if nodes is not None:
        document = columns.document
        count = nodes.count_before(document, columns.end + 1)
        count -= nodes.count_before(document, columns.start)
        # A single empty node is not scattered: it has one position.
        has_empty = (count > 0) & (columns.end > columns.start)
        scattered = np.concatenate((scattered, np.flatnonzero(has_empty)))
    return np.unique(scattered)


# Codes: one number for all positions of a mention.


def encode_positions(*sides: Positions) -> list[Ints]:
    """Return equal codes for equal mentions; scattered mentions come last."""
    lengths = [side.end - side.start for side in sides]
    starts = [side.start for side in sides]
    last, longest = _find_largest(starts), _find_largest(lengths)
    documents = max(len(sides[0].columns.token_count), 1)
    if (longest + 1) * (last + 1) * documents >= _MAX_CODE:
        # No real text has such numbers: replace them by their ranks.
        starts, lengths = _rank(starts), _rank(lengths)
        last, longest = _find_largest(starts), _find_largest(lengths)
    codes = []
    for side, start, length in zip(sides, starts, lengths, strict=True):
        # Changed in place, since it may be large.
        code = side.columns.entity_document[side.columns.entity]
        code *= last + 1
        code += start
        code *= longest + 1
        code += length
        codes.append(code)
    if any([side.scattered for side in sides]):
        codes = _rank(codes)
        first, shapes = _find_largest(codes) + 1, dict[frozenset[int], int]()
        for side, code in zip(sides, codes, strict=True):
            document = side.columns.document
            for mention, positions in side.scattered.items():
                shape = positions | {-1 - int(document[mention])}
                code[mention] = first + shapes.setdefault(shape, len(shapes))
    return codes


def _find_largest(arrays: Sequence[Ints]) -> int:
    return max([int(np.maximum.reduce(array, initial=0)) for array in arrays])


def _rank(arrays: Sequence[Ints]) -> list[Ints]:
    rank = np.unique(np.concatenate(arrays), return_inverse=True)[1]
    return np.split(rank, np.cumsum([len(array) for array in arrays[:-1]]))


def encode_mentions(*sides: Columns) -> list[Ints]:
    """Return codes for the mentions of sides; equal mentions have equal codes."""
    if all([len(side.token_count) == 1 and side.names is not None for side in sides]):
        return [side.start for side in sides]  # the numbers of their names
    return encode_positions(*compute_positions(*sides))


def encode_equality(sides: Sequence[Positions], settings: Settings) -> list[Ints]:
    """Return equal codes for equal mentions, with `match:head` also of equal heads."""
    codes = encode_positions(*sides)
    if not settings.by_head:
        return codes
    heads = np.concatenate([find_head_positions(side) for side in sides])
    pairs = np.stack((np.concatenate(codes), heads))
    code = np.unique(pairs, axis=1, return_inverse=True)[1].reshape(-1)
    return np.split(code, [len(codes[0])])


def mark_duplicates(columns: Columns) -> Flags:
    """Flag duplicates; of equal mentions, the one of the first entity is not."""
    (code,) = encode_mentions(columns)
    is_duplicate = np.zeros(len(code), np.bool_)
    if len(code) < _MAX_SMALL and len(set(code.tolist())) == len(code):
        return is_duplicate
    ranked = np.sort(code)  # faster than sorting indices, and mostly enough
    if not np.any(ranked[1:] == ranked[:-1]):
        return is_duplicate
    order = _sort_codes(code)
    ranked = code[order]
    is_duplicate[order[1:][ranked[1:] == ranked[:-1]]] = True
    return is_duplicate


def _sort_codes(code: Ints) -> Ints:
    is_small = len(code) < _MAX_SMALL
    return code.argsort(kind="stable") if is_small else sort_indices(code)


# Alignment.


def align(
    key: Columns,
    response: Columns,
    settings: Settings,
    *,
    anchors: tuple[Ints, Ints] | None = None,
) -> Alignment:
    """Align the mentions of two sides, neither of which may contain duplicates.

    With `match:min`, `anchors` number the minimum spans from trees; -1 is none.
    """
    by_dependency = settings.by_dependency and all(
        side.details is not None and side.details.empties is not None
        for side in (key, response)
    )
    if settings.is_exact and not by_dependency:
        return match_codes(encode_mentions(key, response))
    key_side, response_side = compute_positions(key, response)
    sides = key_side, response_side
    aligned = Alignment.empty()
    if by_dependency:
        from corefkit.alignment.zeros import align_by_dependencies

        aligned = align_by_dependencies(*sides)
    if settings.threshold is not None:
        free = _mark_free(sides, aligned)
        pairs = pair_by_overlap(*sides, free, threshold=settings.threshold)
        return aligned.join(choose_all_pairs(pairs, *sides))
    codes = encode_equality(sides, settings)
    keys, responses = (
        np.delete(np.arange(len(code)), rows)
        for code, rows in zip(codes, aligned, strict=True)
    )
    equal = match_codes([codes[0][keys], codes[1][responses]])
    aligned = aligned.join(Alignment(keys[equal.key], responses[equal.response]))
    if settings.is_exact:
        return aligned
    free = _mark_free(sides, aligned)
    pairs = select_by(settings, "match", _CANDIDATES)(*sides, free)
    if anchors is not None:
        pairs = pairs.join(pair_by_anchor(*sides, free, anchors))
    return aligned.join(choose_pairs(pairs, *sides, free))


def _mark_free(sides: tuple[Positions, Positions], aligned: Alignment) -> Free:
    keys, responses = (np.ones(len(side.start), np.bool_) for side in sides)
    keys[aligned.key] = responses[aligned.response] = False
    return keys, responses


def align_equal(key: Columns, response: Columns, settings: Settings) -> Alignment:
    """Align the mentions with the same tokens, and with `match:head` the same head."""
    return match_codes(encode_equality(compute_positions(key, response), settings))


def match_codes(codes: list[Ints]) -> Alignment:
    """Align the mentions with equal codes; the list is emptied, to save memory."""
    response_code, key_code = codes.pop(), codes.pop()
    if not len(key_code):
        return Alignment.empty()
    key_order = _sort_codes(key_code)
    key_ranked = key_code[key_order]
    del key_code
    response_order = _sort_codes(response_code)
    response_ranked = response_code[response_order]
    del response_code
    # Both are sorted, so the search accesses memory in order.
    row = key_ranked.searchsorted(response_ranked)
    matched = (key_ranked.take(row, mode="clip") == response_ranked).nonzero()[0]
    return Alignment(key_order[row[matched]], response_order[matched])


def _pair_by_head(key: Positions, response: Positions, free: Free) -> MentionPairs:
    heads = find_head_positions(key), find_head_positions(response)
    return pair_by_anchor(key, response, free, heads)


# The candidate pairs of each value of the setting `match`.
_CANDIDATES: Mapping[str, Callable[..., MentionPairs]] = {
    "head": _pair_by_head,
    "partial": partial(pair_by_core, minimum=False),
    "min": partial(pair_by_core, minimum=True),
    "craft": pair_by_first_part,
}
