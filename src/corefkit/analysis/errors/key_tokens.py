"""Mentions of both sides in the tokens of the key's text.

Most documents have the same tokens on both sides. Where one has other tokens, mentions
were compared by characters: a mention gets the key's tokens that hold its characters.
Where a side has other empty nodes, the same word has another number there; an empty
node that the key lacks is put at the word in front of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.columns import Flags, Ints, places_in_runs, runs
from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.alignment.blocks import AlignedBlock
    from corefkit.columns import Columns

Gaps: TypeAlias = tuple[tuple[int, int], ...]
_ToKey: TypeAlias = Callable[[Ints], Ints]


class KeySpans(NamedTuple):
    """First and last tokens of mentions, and gaps by row."""

    start: Ints
    end: Ints
    gaps: Mapping[int, Gaps]


def key_spans(
    block: AlignedBlock, document: Ints, key_mention: Ints, response_mention: Ints
) -> KeySpans:
    """Find the tokens of mentions, those of the key where they are in both."""
    mentions = block.table.mentions
    start, end = np.empty_like(document), np.empty_like(document)
    gaps: dict[int, Gaps] = {}
    in_key = key_mention >= 0
    for side, number, rows in (
        (mentions.key, key_mention, np.flatnonzero(in_key)),
        (mentions.response, response_mention, np.flatnonzero(~in_key)),
    ):
        start[rows], end[rows] = side.start[number[rows]], side.end[number[rows]]
        for row in _rows_with_gaps(side, number, rows):
            gaps[row] = side.mention(int(number[row])).gaps
    for here, of_response, to_key in _differing(block):
        first, last = np.searchsorted(document, (here, here + 1))
        rows = first + np.flatnonzero(in_key[first:last] != of_response)
        for row in rows.tolist():
            if row in gaps:
                mention = Mention(int(start[row]), int(end[row]), gaps.pop(row))
                tokens = to_key(np.array(mention.tokens, np.int64))
                if found := Mention.of(tokens.tolist()).gaps:
                    gaps[row] = found
        # An empty node that the key lacks stands at the word before it, which can be
        # before the node that the mention begins with.
        start[rows] = to_key(start[rows])
        end[rows] = np.maximum(start[rows], to_key(end[rows]))
    return KeySpans(start, end, gaps)


def _rows_with_gaps(side: Columns, number: Ints, rows: Ints) -> list[int]:
    if side.details is None or not len(side.details.gap):
        return []
    found: list[int] = rows[np.isin(number[rows], side.details.gap)].tolist()
    return found


def _differing(block: AlignedBlock) -> Iterator[tuple[int, bool, _ToKey]]:
    """Go through documents with other tokens: which side's are how led to the key's."""
    for document, other in block.other_tokens.items():
        if other.characters is not None:
            # Both sides were made to point to characters.
            for of_response in (False, True):
                yield document, of_response, partial(_holding, other.characters[0].end)
    mentions = block.table.mentions
    key, response = (_empties(side) for side in (mentions.key, mentions.response))
    for document in sorted({*key, *response}):
        nodes = key.get(document, _NONE), response.get(document, _NONE)
        if not np.array_equal(nodes[0].token, nodes[1].token):
            yield document, True, partial(_counted_anew, *nodes)


def _holding(ends: Ints, characters: Ints) -> Ints:
    """Find the tokens that hold characters; those without any hold none."""
    return np.searchsorted(ends, characters)


class _Nodes(NamedTuple):
    """The empty nodes of a document, in order."""

    token: Ints
    initial: Flags

    @property
    def words(self) -> Ints:
        """How many words stand in front of each."""
        return self.token - np.arange(len(self.token))

    @property
    def places(self) -> list[tuple[int, bool, int]]:
        """Where each stands: words before, at a sentence's start or not, and number."""
        number = places_in_runs(self.words * 2 + self.initial)
        columns = (self.words, self.initial, number)
        return list(zip(*(column.tolist() for column in columns), strict=True))


_NONE = _Nodes(np.empty(0, np.int64), np.empty(0, np.bool_))


def _empties(side: Columns) -> dict[int, _Nodes]:
    """List the empty nodes of each document that has any."""
    empties = side.details.empties if side.details is not None else None
    if empties is None or not len(empties.token):
        return {}
    order = np.lexsort((empties.token, empties.document))
    document = empties.document[order]
    first = runs(document).first
    parts = zip(
        document[first].tolist(),
        np.split(empties.token[order], first[1:]),
        np.split(empties.initial[order], first[1:]),
        strict=True,
    )
    return {number: _Nodes(token, initial) for number, token, initial in parts}


def _counted_anew(key: _Nodes, response: _Nodes, tokens: Ints) -> Ints:
    """Find the key's tokens for those of the response."""
    before = np.searchsorted(response.token, tokens)
    words = tokens - before
    found: Ints = words + np.searchsorted(key.words, words, side="right")
    empty = np.flatnonzero(np.isin(tokens, response.token))
    if len(empty):
        token_of = dict(zip(key.places, key.token.tolist(), strict=True))
        places = response.places
        for row in empty.tolist():
            place = places[before[row]]
            front = max(place[0] - 1, 0)
            word = front + int(np.searchsorted(key.words, front, side="right"))
            found[row] = token_of.get(place, word)
    return found
