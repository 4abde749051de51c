"""Ways to read mentions that might have been meant, each tried on all mentions.

A trial takes the spans of both sides and says how large a share of the smaller side's
mentions would be found in the other. All trials are pure; none reads a file.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.columns import Columns, Ints

_NO_TOKEN = 1 << 31
_FARTHEST = 2  # tokens by which starts and ends are moved
_MOST_DOCUMENTS = 64  # among which other partners are looked for
_MOVES = {
    (-1, -1): "with its tokens counted from 1",
    (1, 1): "with the key's tokens counted from 1",
    (0, -1): "with its ends taken as exclusive",
    (0, 1): "with the key's ends taken as exclusive",
    (-1, -2): "with its tokens counted from 1 and its ends taken as exclusive",
    (1, 2): "with the key's tokens counted from 1 and ends taken as exclusive",
    (-1, 0): "with its starts taken as exclusive",
    (1, 0): "with the key's starts taken as exclusive",
}


@dataclass(frozen=True, slots=True)
class Spans:
    """The mentions of one side: document, first and last token, head or -1."""

    document: Ints
    start: Ints
    end: Ints
    head: Ints

    def __len__(self) -> int:
        """Count the mentions."""
        return len(self.document)

    def rows(self) -> Iterator[tuple[int, int, int]]:
        """Go through document, first and last token of each mention."""
        columns = self.document, self.start, self.end
        return zip(*(column.tolist() for column in columns), strict=True)


class Trial(NamedTuple):
    """How large a share of mentions would match, and what would have to hold."""

    share: float
    reason: str

    def __str__(self) -> str:
        """Say what was found."""
        return f"{self.reason} {100 * self.share:.1f} % of mentions would match"


def spans_of(columns: Columns) -> Spans | None:
    """Take the spans of mentions; None where mentions are no spans.

    Named mentions are spans where all of them are pairs of numbers.
    """
    start, end = columns.start, columns.end
    head = np.full(len(start), -1, np.int64)
    if columns.names is not None:
        pairs = [columns.names[number] for number in start.tolist()]
        if not all(_is_pair(pair) for pair in pairs):
            return None
        both = np.array(pairs, np.int64).reshape(-1, 2)
        start, end = both[:, 0], both[:, 1]
    elif end.max(initial=0) >= _NO_TOKEN:
        return None  # hashes of names, as tables have them
    elif columns.details is not None:
        head = columns.details.head
    return Spans(columns.document, start, end, head)


def _is_pair(name: object) -> bool:
    if not isinstance(name, tuple) or len(name) != 2:
        return False
    return all(type(part) is int and abs(part) < _NO_TOKEN for part in name)


def other_bounds(key: Spans, response: Spans) -> Iterator[Trial]:
    """Try other ways to count tokens: from 1, or up to the token behind the last.

    >>> none = np.array([-1, -1])
    >>> key = Spans(np.zeros(2, int), np.array([0, 4]), np.array([2, 4]), none)
    >>> response = Spans(np.zeros(2, int), np.array([0, 4]), np.array([3, 5]), none)
    >>> print(max(other_bounds(key, response)))
    with its ends taken as exclusive, 100.0 % of mentions would match
    """
    codes, width = _codes(key, response, margin=_FARTHEST)
    (ours, our_counts), (theirs, their_counts) = map(_counted, codes)
    least = max(min(len(key), len(response)), 1)
    steps = range(-_FARTHEST, _FARTHEST + 1)
    for by in sorted(product(steps, steps), key=lambda by: by not in _MOVES):
        if by != (0, 0):
            there = theirs + by[0] * width + by[1]
            common = _common((ours, our_counts), (there, their_counts))
            reason = _MOVES.get(by) or (
                f"with its starts moved by {by[0]:+} and its ends by {by[1]:+}"
            )
            yield Trial(common / least, f"{reason},")


def by_head(key: Spans, response: Spans) -> Iterator[Trial]:
    """Try the heads that are known; the head of one token is the token."""
    heads = [
        np.where(side.start == side.end, side.end, side.head)
        for side in (key, response)
    ]
    yield Trial(_share_of_tokens(key, response, *heads), "by head")


def by_edge(key: Spans, response: Spans) -> Iterator[Trial]:
    """Try the last and the first tokens of mentions, as heads of a kind."""
    for edge, ours, theirs in (
        ("last", key.end, response.end),
        ("first", key.start, response.start),
    ):
        share = _share_of_tokens(key, response, ours, theirs)
        yield Trial(share, f"by their {edge} token")


def by_sentence(key: Spans, response: Spans, starts: Sequence[Ints]) -> Iterator[Trial]:
    """Try tokens that are counted in each sentence; `starts` are the key's sentences.

    Which sentence is meant is not known, so half of all mentions fit by chance.
    """
    first = np.zeros(len(key), np.int64)
    for document, begins in enumerate(starts):
        here = np.flatnonzero(key.document == document)
        if len(begins):
            row = np.searchsorted(begins, key.start[here], side="right") - 1
            first[here] = begins[np.maximum(row, 0)]
    inside = replace(key, start=key.start - first, end=key.end - first)
    share = share_of(inside, response)
    if share > 0.6:
        yield Trial(share, "with its tokens counted in each sentence anew,")


def by_character(
    key: Spans, response: Spans, words: Sequence[Sequence[str]]
) -> Iterator[Trial]:
    """Try characters in place of tokens, the key's words set apart by blanks."""
    start, end = key.start.copy(), key.end.copy()
    for document, tokens in enumerate(words):
        length = np.array([len(word) for word in tokens], np.int64)
        begins = np.cumsum(length + 1) - length - 1
        here = np.flatnonzero((key.document == document) & (key.end < len(tokens)))
        start[here] = begins[key.start[here]]
        end[here] = (begins + length)[key.end[here]]
    for last, how in ((end, "exclusive"), (end - 1, "inclusive")):
        share = share_of(replace(key, start=start, end=last), response)
        yield Trial(share, f"with its spans taken as characters, ends {how},")


def by_other_document(
    key: Spans, response: Spans, ids: Sequence[tuple[str, str]]
) -> Iterator[Trial]:
    """Try every document of the key for each of the response; `ids` are the pairs'."""
    if not 1 < len(ids) <= _MOST_DOCUMENTS or not len(key) or not len(response):
        return
    ours, theirs = (_by_document(side, len(ids)) for side in (key, response))
    found, example = 0, ""
    for number, mine in enumerate(theirs):
        others = [
            (len(mine & other), row) for row, other in enumerate(ours) if row != number
        ]
        most, row = max(others, key=lambda other: other[0])
        found += most
        if most and not example:
            example = f"{ids[number][1]!r} with {ids[row][0]!r}"
    share = found / min(len(key), len(response))
    yield Trial(min(share, 1.0), f"with documents paired otherwise, such as {example},")


def by_spelling(key: Columns, response: Columns) -> Iterator[Trial]:
    """Try the letters and digits alone of mentions that have names."""
    if key.names is None or response.names is None:
        return
    ours, theirs = (
        Counter(
            (document, *re.findall(r"\w+", str(side.names[number]).casefold()))
            for document, number in zip(
                side.document.tolist(), side.start.tolist(), strict=True
            )
            if side.names is not None
        )
        for side in (key, response)
    )
    least = min(len(key.start), len(response.start))
    if least:
        share = (ours & theirs).total() / least
        yield Trial(share, "by their letters and digits alone, whatever their type,")


def _by_document(side: Spans, documents: int) -> list[set[tuple[int, int]]]:
    sets: list[set[tuple[int, int]]] = [set() for _ in range(documents)]
    for document, start, end in side.rows():
        sets[document].add((start, end))
    return sets


def share_of(key: Spans, response: Spans) -> float:
    """Say how large a share of the smaller side's mentions the other has."""
    codes, _ = _codes(key, response)
    return _common(*map(_counted, codes)) / max(min(len(key), len(response)), 1)


def _codes(
    key: Spans, response: Spans, *, margin: int = 0
) -> tuple[tuple[Ints, Ints], int]:
    """Number the spans of both sides, equal ones alike.

    Returns:
        The numbers, and by how much they rise where a mention begins a token later; by
        1 where it ends a token later. Both may be so by as much as the margin.
    """
    bounds = [bound for side in (key, response) for bound in (side.start, side.end)]
    lowest = min(int(bound.min(initial=0)) for bound in bounds) - margin
    width = 1 + max(int(bound.max(initial=0)) for bound in bounds) + margin - lowest
    ours, theirs = (
        (side.document * width + side.start - lowest) * width + side.end - lowest
        for side in (key, response)
    )
    return (ours, theirs), width


def _share_of_tokens(
    key: Spans, response: Spans, key_token: Ints, response_token: Ints
) -> float:
    width = 2 + max(int(token.max(initial=0)) for token in (key_token, response_token))
    counted = [
        _counted((side.document * width + token)[token >= 0])
        for side, token in ((key, key_token), (response, response_token))
    ]
    return _common(*counted) / max(min(len(key), len(response)), 1)


def _counted(numbers: Ints) -> tuple[Ints, Ints]:
    """List numbers in order, and how often each is there."""
    values, counts = np.unique(numbers, return_counts=True)
    return values, counts


def _common(one: tuple[Ints, Ints], other: tuple[Ints, Ints]) -> int:
    """Count the numbers that both have, those there twice twice."""
    (ours, our_counts), (theirs, their_counts) = one, other
    if not len(ours):
        return 0
    row = np.minimum(np.searchsorted(ours, theirs), len(ours) - 1)
    both = ours[row] == theirs
    return int(np.minimum(our_counts[row], their_counts)[both].sum())
