"""Mentions of key and response as one table: one row for each mention.

All steps of the analysis are sorts and joins on this table. Rows are ordered by
document and then by position: first token, last token, then all tokens. "First",
"earliest" and "latest" refer to this order. Mentions that are names are sorted by their
values if these are comparable; otherwise numbers come first, then `repr`.

Usually both sides of a document have the same tokens. If the tokens differ, mentions
were compared by characters, and a mention gets the tokens of the key that contain its
characters. If a side has other empty nodes, words have other indices there; an empty
node that the key lacks gets the position of the preceding word.

Each mention is in one entity of a side. Of duplicate mentions, one is analysed, and
split antecedents are ignored, even if scores count both: their repair is not defined.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence, Set, Sized
from dataclasses import dataclass, field, replace
from functools import partial
from numbers import Integral
from typing import Any, TypeAlias, TypeGuard

import numpy as np

from corefkit.alignment.matching import Positions, compute_positions
from corefkit.alignment.scored_mentions import AlignedBlock
from corefkit.arrays.columns import Columns, Flags, Ints, find_runs
from corefkit.model import Mention
from corefkit.settings import Settings

Gaps: TypeAlias = tuple[tuple[int, int], ...]


def format_name(name: Hashable) -> str:
    """Format a mention that is a name, as the ids of errors contain it."""
    if is_span(name):
        return f"{name[0]}-{name[1]}"
    if isinstance(name, Set) and name:
        # The order of a set changes from one Python process to the next.
        members = ", ".join(map(repr, sorted(name, key=_make_sort_key)))
        return f"{type(name).__name__}({{{members}}})"
    return str(name)


def is_span(name: object) -> TypeGuard[tuple[int, int]]:
    """Return whether a name is a valid pair of a first and a last token."""
    if not isinstance(name, tuple) or len(name) != 2:
        return False
    is_integral = all(isinstance(part, Integral) for part in name)
    return is_integral and 0 <= name[0] <= name[1]


def sort_names(names: Sequence[Hashable]) -> list[int]:
    """Return the indices that sort names by value, or else by `repr`."""
    indices = range(len(names))
    try:
        # Sets compare without an error, but by inclusion.
        if not any(isinstance(name, Set) or name != name for name in names):
            comparable: Sequence[Any] = names
            return sorted(indices, key=comparable.__getitem__)
    except TypeError:
        pass
    return sorted(indices, key=lambda index: _make_sort_key(names[index]))


def _make_sort_key(name: Hashable) -> tuple[float, str, list[Any]]:
    """Make a sort key for names of any type: numbers first, sets by their members."""
    if isinstance(name, int | float) and name == name:
        return name, "", []
    parts = sorted(map(_make_sort_key, name)) if isinstance(name, Set) else [repr(name)]
    return math.inf, type(name).__name__, parts


def keep_first_duplicates(settings: Settings) -> Settings:
    """Replace the setting `repeated` if it counts duplicate mentions."""
    return replace(settings, repeated="first") if settings.counts_copies else settings


@dataclass(frozen=True, slots=True)
class MentionTable:
    """Mentions of key and response; if aligned, they share a row with key tokens."""

    documents: int
    document: Ints  # of each mention
    # The entity of each mention, numbered across documents; -1 if a side lacks it.
    key_entity: Ints
    response_entity: Ints
    start: Ints  # the first token, or the rank of a mention that is a name
    end: Ints  # the last token, or the rank
    is_pronoun: Flags  # all false until mentions are described
    # The index of each mention in the columns of its block; -1 if a side lacks it.
    key_mention: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    response_mention: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    gaps: Mapping[int, Gaps] = field(default_factory=dict)  # by row
    names: Sequence[Hashable] | None = None  # the mentions, unless they are spans
    # Mentions by row, so that each object is created once.
    cached: dict[int, Mention] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.document)

    def mention(self, row: int) -> Hashable:
        if self.names is not None:
            return self.names[row]
        mention = self.cached.get(row)
        if mention is None:
            gaps = self.gaps.get(row, ())
            mention = Mention(self.start.item(row), self.end.item(row), gaps)
            self.cached[row] = mention
        return mention

    def label(self, row: int) -> str:
        if self.names is None:
            return f"{self.start[row]}-{self.end[row]}"
        return format_name(self.names[row])


@dataclass(frozen=True, slots=True)
class MentionFacts:
    """Facts about the mentions of a `MentionTable` other than their entities."""

    type: Ints  # the index into `TYPES`; -1 if unknown
    pronoun: Sequence[str]  # the fine type, such as `personal`; empty for others
    head: Ints  # the head token; -1 if unknown
    sentence: Ints  # in which the mention starts; -1 if unknown
    text: Sequence[str]  # the words, case-folded; empty if unknown
    head_word: Sequence[str]  # the same for the head
    trimmed_start: Ints  # the first token after trimming
    trimmed_end: Ints
    has_tokens: bool = True  # otherwise mentions are names
    tag: Sequence[str] = ()  # the part of speech of the head; empty if unknown


def join_mentions(block: AlignedBlock) -> MentionTable:
    mentions = block.table.mentions
    key, response, alignment = mentions.key, mentions.response, mentions.alignment
    partner = np.full(len(key.entity), -1, np.int64)
    partner[alignment.key] = alignment.response
    unaligned = np.delete(np.arange(len(response.entity)), alignment.response)
    key_mention = np.concatenate((np.arange(len(partner)), np.full(len(unaligned), -1)))
    response_mention = np.concatenate((partner, unaligned))
    document = np.concatenate((key.document, response.document[unaligned]))
    number = np.concatenate((key.start, response.start[unaligned]))  # of a name
    has_names = key.names is not None and response.names is not None
    if has_names:
        order = np.lexsort((_rank_names(number, (key, response)), document))
    else:
        order = _sort_by_position(document, compute_positions(key, response), unaligned)
    key_mention, response_mention = key_mention[order], response_mention[order]
    document = document[order]
    gaps: Mapping[int, Gaps] = {}
    names: list[Hashable] | None = None
    if has_names:
        all_names = _get_names((key, response))
        names = [all_names[index] for index in number[order].tolist()]
        first, size = find_runs(document)
        start = end = np.arange(len(document)) - np.repeat(first, size)
        if names and all(map(is_span, names)):
            start, end = np.array(names, np.int64).T
    else:
        start, end, gaps = compute_key_spans(
            block, document, key_mention, response_mention
        )
    return MentionTable(
        key.documents,
        document,
        _take(key.entity, key_mention),
        _take(response.entity, response_mention),
        start,
        end,
        np.zeros(len(order), np.bool_),
        key_mention,
        response_mention,
        gaps,
        names,
    )


def _take(values: Ints, index: Ints) -> Ints:
    """Take values by index; the result is -1 if the index is negative."""
    if not len(values):
        return np.full(len(index), -1, np.int64)
    return np.where(index < 0, -1, values[index])


def _sort_by_position(
    document: Ints, sides: Sequence[Positions], unaligned: Ints
) -> Ints:
    key, response = sides
    start = np.concatenate((key.start, response.start[unaligned]))
    end = np.concatenate((key.end, response.end[unaligned]))
    shape = np.zeros(len(start), np.int64)
    if key.scattered or response.scattered:
        shape = _rank_shapes((end, start, document), sides, unaligned)
    return np.lexsort((shape, end, start, document))


def _rank_shapes(
    bounds: tuple[Ints, Ints, Ints],
    sides: Sequence[Positions],
    unaligned: Ints,
) -> Ints:
    """Rank mentions by their tokens if a mention with the same bounds is scattered."""
    key, response = sides
    size = len(key.start)
    row_of = {int(mention): size + row for row, mention in enumerate(unaligned)}
    scattered = [*key.scattered]
    scattered += [row_of[row] for row in response.scattered if row in row_of]
    order = np.lexsort(bounds)
    differs = np.any([np.diff(bound[order]) for bound in bounds], axis=0)
    group = np.empty(len(order), np.int64)
    group[order] = np.cumsum(np.concatenate(([0], differs)))
    rows = np.flatnonzero(np.isin(group, group[np.array(scattered, np.int64)])).tolist()
    tokens = {
        row: sorted(
            key.set_of(row)
            if row < size
            else response.set_of(int(unaligned[row - size]))
        )
        for row in rows
    }
    shape = np.zeros(len(order), np.int64)
    for rank, row in enumerate(sorted(rows, key=tokens.__getitem__)):
        shape[row] = rank
    return shape


def _get_names(sides: tuple[Columns, Columns]) -> Sequence[Hashable]:
    """Return the common names; of two tables, which grow on demand, the longer one."""
    tables = [side.names for side in sides if side.names is not None]
    sized = [names for names in tables if isinstance(names, Sized)]
    return max(sized, key=len) if sized else tables[0]


def list_response_names(block: AlignedBlock, numbers: Ints) -> list[Hashable]:
    """Return the names of mentions of the response by index."""
    mentions = block.table.mentions
    names = _get_names((mentions.key, mentions.response))
    return [names[index] for index in mentions.response.start[numbers].tolist()]


def _rank_names(number: Ints, sides: tuple[Columns, Columns]) -> Ints:
    unique = np.unique(number)
    names = _get_names(sides)
    order = sort_names([names[index] for index in unique.tolist()])
    rank = np.empty(len(order), np.int64)
    rank[np.array(order, np.int64)] = np.arange(len(order))
    return rank[np.searchsorted(unique, number)]


def compute_key_spans(
    block: AlignedBlock, document: Ints, key_mention: Ints, response_mention: Ints
) -> tuple[Ints, Ints, Mapping[int, Gaps]]:
    """Return first tokens, last tokens and gaps, in the key's text if aligned."""
    mentions = block.table.mentions
    start, end = np.empty_like(document), np.empty_like(document)
    gaps: dict[int, Gaps] = {}
    in_key = key_mention >= 0
    for side, number, rows in (
        (mentions.key, key_mention, np.flatnonzero(in_key)),
        (mentions.response, response_mention, np.flatnonzero(~in_key)),
    ):
        start[rows], end[rows] = side.start[number[rows]], side.end[number[rows]]
        if side.details is not None:
            for row in rows[np.isin(number[rows], side.details.gap)].tolist():
                gaps[row] = side.mention(int(number[row])).gaps

    def convert_rows(rows: Ints, convert: Callable[[Ints, Ints], Ints]) -> None:
        for row in gaps.keys() & {*rows.tolist()}:
            mention = Mention(int(start[row]), int(end[row]), gaps.pop(row))
            tokens = np.array(mention.tokens, np.int64)
            tokens = convert(np.full(len(tokens), document[row]), tokens)
            if new_gaps := Mention.of(tokens.tolist()).gaps:
                gaps[row] = new_gaps
        # An empty node that the key lacks is mapped to the preceding word, which may
        # precede the first node of the mention.
        start[rows] = convert(document[rows], start[rows])
        end[rows] = np.maximum(start[rows], convert(document[rows], end[rows]))

    for current, difference in block.differences.items():
        if difference.characters is not None:
            # The mentions of both sides consist of characters.
            convert = partial(_find_tokens, difference.characters[0].end)
            convert_rows(np.flatnonzero(document == current), convert)
    key, response = compute_positions(mentions.key, mentions.response)
    if key.stride > 1:
        convert = partial(_convert_tokens, key, response)
        convert_rows(np.flatnonzero(~in_key), convert)
    return start, end, gaps


def _find_tokens(ends: Ints, document: Ints, characters: Ints) -> Ints:
    """Return the tokens that contain characters, by the last character of each."""
    del document  # all are in one
    return np.searchsorted(ends, characters)


def _convert_tokens(
    key: Positions, response: Positions, document: Ints, tokens: Ints
) -> Ints:
    """Convert tokens of the response to tokens of the key, if empty nodes differ."""
    stride, details = key.stride, key.columns.details
    position = response.of(document, tokens)
    node_document = node_position = np.empty(0, np.int64)
    if details is not None and details.empties is not None:
        node_document, node_token = details.empties.document, details.empties.token
        node_position = key.of(node_document, node_token)
    width = stride + max(position.max(initial=0), node_position.max(initial=0))
    nodes = np.sort(node_document * width + node_position)
    is_word = position % stride == stride - 1
    is_lacking = ~is_word & ~np.isin(document * width + position, nodes)
    # Then it has the position of the preceding word.
    preceding = np.maximum(position // stride, 1) * stride - 1
    position = np.where(is_lacking, preceding, position)
    nodes_before = np.searchsorted(nodes, document * width + position)
    nodes_before -= np.searchsorted(nodes, document * width)
    converted: Ints = position // stride + nodes_before
    return converted
