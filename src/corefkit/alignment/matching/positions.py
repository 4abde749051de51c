"""Positions: where the mentions of key and response lie, in numbers that both share.

A token of the text has the same number on both sides. An empty node has not: a side may
have more of them than the other. So a place is made of the words before a token: the
empty nodes behind a word, and those in front of the first word of a sentence, are told
apart by their order. Where no side has empty nodes, a token's place is its number.

A mention with gaps, or with empty nodes inside, is *scattered*: start and end do not
say which positions it has, and the few that are so carry a set of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.columns import runs

if TYPE_CHECKING:
    from corefkit.columns import Columns, Flags, Ints


class Positions(NamedTuple):
    """The positions of the mentions of one side."""

    columns: Columns
    start: Ints  # the first place of each mention
    end: Ints  # the last one
    scattered: dict[int, frozenset[int]]  # all positions of scattered mentions
    stride: int  # how far the positions of two neighbouring words lie apart
    empties: _Nodes | None

    def of(self, document: Ints, token: Ints) -> Ints:
        """Find the positions of tokens; what is below 0 stays."""
        if self.stride == 1:
            return token
        if self.empties is None:
            return np.where(token < 0, token, (token + 1) * self.stride - 1)
        return self.empties.positions(document, token, self.stride)

    def are_empty(self, mentions: Ints) -> Flags:
        """Say which mentions begin with an empty node."""
        flags: Flags = self.start[mentions] % self.stride != self.stride - 1
        return flags

    def size(self) -> Ints:
        """Count the tokens of each mention."""
        size = (self.end - self.start) // self.stride + 1
        for mention, positions in self.scattered.items():
            size[mention] = len(positions)
        return size

    def set_of(self, mention: int) -> frozenset[int]:
        """Return all positions of a mention."""
        found = self.scattered.get(mention)
        if found is None:
            start, end = int(self.start[mention]), int(self.end[mention])
            found = frozenset(range(start, end + 1, self.stride))
        return found


def positions(key: Columns, response: Columns) -> tuple[Positions, Positions]:
    """Place the mentions of two sides."""
    nodes = [_nodes(side) for side in (key, response)]
    longest = max((side.longest for side in nodes if side is not None), default=0)
    stride = 2 * longest + 1 if longest else 1
    return _placed(key, nodes[0], stride), _placed(response, nodes[1], stride)


class _Nodes(NamedTuple):
    """The empty nodes of a side, in the order of documents and tokens."""

    code: Ints  # document and token in one number
    document: Ints
    order: Ints  # among those that stand in the same place of the text
    initial: Ints  # 1 in front of a sentence's first word
    width: int  # what a document is multiplied by in codes
    longest: int

    def before(self, document: Ints, token: Ints) -> Ints:
        """Count the empty nodes of a document in front of a token."""
        first = np.searchsorted(self.document, document)
        code = document * self.width + np.minimum(token, self.width - 1)
        found: Ints = np.searchsorted(self.code, code) - first
        return found

    def positions(self, document: Ints, token: Ints, stride: int) -> Ints:
        """Find the positions of tokens of documents; what is below 0 stays."""
        place = (token - self.before(document, token) + 1) * stride - 1
        code = document * self.width + np.minimum(token, self.width - 1)
        row = np.minimum(np.searchsorted(self.code, code), len(self.code) - 1)
        empty = self.code[row] == code
        # Behind a word first, then in front of the next sentence's first word.
        inside = self.order[row] + self.initial[row] * (stride // 2)
        place = np.where(empty, place - (stride - 1) + inside, place)
        return np.where(token < 0, token, place)


def _nodes(columns: Columns) -> _Nodes | None:
    details = columns.details
    if details is None or details.empties is None or not len(details.empties.token):
        return None
    empties = details.empties
    order = np.lexsort((empties.token, empties.document))
    document, token = empties.document[order], empties.token[order]
    initial = empties.initial[order].astype(np.int64)
    width = int(token.max()) + 2
    code = document * width + token
    # Nodes that stand behind the same word follow one another.
    words = token - (np.arange(len(token)) - np.searchsorted(document, document))
    slot = (document * width + words) * 2 + initial
    first, size = runs(slot)
    place = np.arange(len(slot)) - np.repeat(first, size)
    return _Nodes(code, document, place, initial, width, int(size.max()))


def _placed(columns: Columns, nodes: _Nodes | None, stride: int) -> Positions:
    if stride == 1:
        start, end = columns.start, columns.end
    else:
        plain = Positions(columns, columns.start, columns.end, {}, stride, nodes)
        start = plain.of(columns.document, columns.start)
        end = plain.of(columns.document, columns.end)
    placed = Positions(columns, start, end, {}, stride, nodes)
    for mention in _scattered(columns, nodes).tolist():
        tokens = np.array(columns.mention(mention).tokens, np.int64)
        document = np.full(len(tokens), columns.document[mention])
        found = frozenset(placed.of(document, tokens).tolist())
        # A gap may hold nothing but empty nodes that the other side need not have.
        length = (end[mention] - start[mention]) // stride + 1
        words = all(place % stride == stride - 1 for place in found)
        if not words or len(found) < length:
            placed.scattered[mention] = found
    return placed


def _scattered(columns: Columns, nodes: _Nodes | None) -> Ints:
    details = columns.details
    if details is None:
        return np.empty(0, np.int64)
    scattered = details.gap
    if nodes is not None:
        document = columns.document
        inside = nodes.before(document, columns.end + 1)
        inside -= nodes.before(document, columns.start)
        # A single empty node is not scattered: its place says all.
        several = (inside > 0) & (columns.end > columns.start)
        scattered = np.concatenate((scattered, np.flatnonzero(several)))
    return np.unique(scattered)
