"""Mentions of both sides as one table: a row for each mention, with its entities.

All steps of the analysis are sorts and joins on such a table. Rows are ordered by
document and, inside a document, by position: first token, last token, then tokens.
"First", "earliest" and "latest" mean this order. Mentions that are names are sorted if
names can be; else numbers come first, then others as they are written.

Most documents have the same tokens on both sides. If the tokens differ, mentions were
compared by characters: a mention gets the key's tokens that hold its characters. If a
side has other empty nodes, the same word has another number there; an empty node that
the key lacks gets the position of the word in front of it.

In a partition each mention is in one entity, and an entity is its mentions. Of mentions
that occur more than once, one is analysed, and split antecedents are left out, even if
scores count both: a repair of them is not defined.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Set, Sized
from dataclasses import dataclass, field, replace
from functools import partial
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeGuard

import numpy as np

from corefkit.alignment.matching import compute_positions
from corefkit.arrays.columns import Flags, Ints, find_runs, rank_in_runs
from corefkit.model import Mention
from corefkit.tally import SIDES

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from corefkit.alignment.matching import Positions
    from corefkit.alignment.scored_mentions import AlignedBlock
    from corefkit.analysis.errors import Tally
    from corefkit.arrays.columns import Columns
    from corefkit.settings import Settings


def all_names(sides: tuple[Columns, Columns]) -> Sequence[Hashable]:
    """Return the names of both sides, which are numbered together.

    Tables look names up, however many there are: those of either side know all.
    """
    known = [side.names for side in sides if side.names is not None]
    counted = [names for names in known if isinstance(names, Sized)]
    return max(counted, key=len) if counted else known[0]


def label_of_name(name: Hashable) -> str:
    """Write a name as ids of errors have it.

    >>> label_of_name((3, 5)), label_of_name("a")
    ('3-5', 'a')
    >>> label_of_name(frozenset("ba"))
    "frozenset({'a', 'b'})"
    """
    if is_span(name):
        return f"{name[0]}-{name[1]}"
    if isinstance(name, Set) and name:
        # Sets are written in another order each time Python runs.
        inside = ", ".join(map(repr, sorted(name, key=_written)))
        return f"{type(name).__name__}({{{inside}}})"
    return str(name)


def is_span(name: object) -> TypeGuard[tuple[int, int]]:
    """Tell a first and last token from other names.

    >>> is_span((3, 5)), is_span((5, 3)), is_span((3, "a")), is_span("ab")
    (True, False, False, False)
    """
    if not isinstance(name, tuple) or len(name) != 2:
        return False
    whole = all(isinstance(part, Integral) for part in name)
    return whole and 0 <= name[0] <= name[1]


def order_of_names(names: Sequence[Hashable]) -> list[int]:
    """Order names by their values; where these have no order, as they are written.

    >>> order_of_names(["b", "a"]), order_of_names(["b", 2, "a"])
    ([1, 0], [1, 2, 0])
    """
    rows = range(len(names))
    try:
        if not any(isinstance(name, Set) or name != name for name in names):
            comparable: Sequence[Any] = names
            return sorted(rows, key=comparable.__getitem__)
    except TypeError:
        pass
    # Not by when they were seen: entities and mentions may stand in sets.
    return sorted(rows, key=lambda row: _written(names[row]))


def _written(name: Hashable) -> tuple[float, str, list[Any]]:
    """Order names of all types: numbers first, sets by what is in them.

    >>> sorted(["a", 10, frozenset([8]), frozenset([7]), 9], key=_written)
    [9, 10, frozenset({7}), frozenset({8}), 'a']
    """
    if isinstance(name, int | float) and name == name:
        return name, "", []
    parts = sorted(map(_written, name)) if isinstance(name, Set) else [repr(name)]
    return math.inf, type(name).__name__, parts


_ONE_OF_EACH = (
    "repeated mentions are kept in the first of their entities here, and F1 is counted "
    "so: how the reference scorer would count them after a repair is not defined"
)
_NO_SPLIT = (
    "split antecedents are left out here, and F1 is counted so: what becomes of them "
    "in a repair is not defined"
)


def one_of_each(settings: Settings) -> Settings:
    """Keep one of mentions that stand more than once, where all would be counted.

    >>> from corefkit.settings import PRESETS
    >>> one_of_each(PRESETS["conll2012"]).repeated
    'first'
    """
    return replace(settings, repeated="first") if settings.counts_copies else settings


def effective_settings(
    asked: Settings, tallies: Sequence[Tally]
) -> tuple[Settings, list[str]]:
    """Find the settings that results come from, and say where others were asked for.

    Without repeated mentions and split antecedents, what was asked for was done.
    """
    if not tallies:
        return asked, []
    settings, notes = tallies[0].run.effective_settings, []
    has_repeats = any(
        tally.run.tally.totals[f"repeated/{side}"]
        for tally in tallies
        for side in SIDES
    )
    if asked.counts_copies and has_repeats:
        notes.append(_ONE_OF_EACH)
    else:
        settings = replace(settings, repeated=asked.repeated)
    if any(tally.has_split for tally in tallies):
        settings = replace(settings, split="ignore")
        notes.append(_NO_SPLIT)
    return settings, notes


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
    for document, other in block.differences.items():
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
        number = rank_in_runs(self.words * 2 + self.initial)
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
    first = find_runs(document).first
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


def _no_numbers() -> Ints:
    return np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class Joined:
    """The mentions of some documents, those of key and response that are one as one.

    Under a match other than exact, paired mentions are one row, with the key's tokens.
    Tokens are numbered as in the key's text: where a side has other tokens or empty
    nodes, its mentions have the key's tokens nearest to theirs.

    Attributes:
        documents: how many documents there are.
        document: the document of each mention.
        key_entity: the entity of each mention in the key, numbered through all
            documents; -1 where the key lacks it.
        response_entity: likewise in the response.
        start: the first token, or the rank of a mention that is a name.
        end: the last token, likewise.
        is_pronoun: whether it is a pronoun; nobody is before `describing` has looked.
        key_mention: the number of each mention among the key's of its block, -1 where
            the key lacks it.
        response_mention: likewise among the response's.
        gaps: the gaps of the mentions that have any, by row.
        names: the mentions themselves, where they are not spans.
        made: mentions that were asked for, by row, each made once.

    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs
    >>> with open_runs(["abc"], [["ad"]], settings=DEFAULT_SETTINGS) as opened:
    ...     ((_, block),) = iter_aligned_blocks(opened)
    >>> table = joined(block)
    >>> [table.mention(row) for row in range(4)]
    ['a', 'b', 'c', 'd']
    >>> table.key_entity.tolist(), table.response_entity.tolist()
    ([0, 0, 0, -1], [0, -1, -1, 0])
    """

    documents: int
    document: Ints
    key_entity: Ints
    response_entity: Ints
    start: Ints
    end: Ints
    is_pronoun: Flags
    key_mention: Ints = field(default_factory=_no_numbers)
    response_mention: Ints = field(default_factory=_no_numbers)
    gaps: Mapping[int, Gaps] = field(default_factory=dict)
    names: Sequence[Hashable] | None = None
    made: dict[int, Mention] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        """Count the mentions."""
        return len(self.document)

    def mention(self, row: int) -> Hashable:
        """Return one mention: its tokens in the key's text, or its name."""
        if self.names is not None:
            return self.names[row]
        found = self.made.get(row)
        if found is None:
            gaps = self.gaps.get(row, ())
            found = Mention(self.start.item(row), self.end.item(row), gaps)
            self.made[row] = found
        return found

    def label(self, row: int) -> str:
        """Say where a mention stands: `first token-last token`, or its name."""
        if self.names is None:
            return f"{self.start[row]}-{self.end[row]}"
        return label_of_name(self.names[row])


@dataclass(frozen=True, slots=True)
class Description:
    """What is known of the mentions of a `Joined` table beside their entities.

    Attributes:
        type: the type of each, by its number in `TYPES`; -1 where it is not known.
        pronoun: the fine kind of each pronoun, such as `personal`; empty for others.
        head: the head token of each; -1 where it is not known.
        sentence: the sentence in which each begins; -1 where it is not known.
        text: the words of each, case-folded; empty where they are not known.
        head_word: its head word, case-folded; empty where it is not known.
        trimmed_start: the first token after trimming.
        trimmed_end: the last token after trimming.
        sources: where pronouns, types and heads come from, one sentence each.
        has_tokens: whether mentions are made of tokens, and are no names.
    """

    type: Ints
    pronoun: Sequence[str]
    head: Ints
    sentence: Ints
    text: Sequence[str]
    head_word: Sequence[str]
    trimmed_start: Ints
    trimmed_end: Ints
    sources: tuple[str, ...]
    has_tokens: bool = True


def joined(block: AlignedBlock) -> Joined:
    """Join the mentions of key and response of a block; nobody is a pronoun yet."""
    mentions = block.table.mentions
    key, response, alignment = mentions.key, mentions.response, mentions.alignment
    paired = np.full(len(key.entity), -1, np.int64)
    paired[alignment.key] = alignment.response
    alone = np.delete(np.arange(len(response.entity)), alignment.response)
    key_mention = np.concatenate((np.arange(len(paired)), np.full(len(alone), -1)))
    response_mention = np.concatenate((paired, alone))
    document = np.concatenate((key.document, response.document[alone]))
    if key.names is not None and response.names is not None:
        place = np.concatenate((key.start, response.start[alone]))
        order = np.lexsort((_name_ranks(place, (key, response)), document))
    else:
        order = _text_order(document, compute_positions(key, response), alone)
    key_mention, response_mention = key_mention[order], response_mention[order]
    document = document[order]
    start, end, gaps, names = _places(block, document, key_mention, response_mention)
    return Joined(
        key.documents,
        document,
        _looked_up(key.entity, key_mention),
        _looked_up(response.entity, response_mention),
        start,
        end,
        np.zeros(len(order), np.bool_),
        key_mention,
        response_mention,
        gaps,
        names,
    )


def _looked_up(values: Ints, row: Ints) -> Ints:
    """Look values up; there is none for -1, which stays."""
    if not len(values):
        return np.full(len(row), -1, np.int64)
    return np.where(row < 0, -1, values[row])


def _text_order(
    document: Ints, sides: tuple[Positions, Positions], alone: Ints
) -> Ints:
    """Order mentions by document, first token, last token, then tokens."""
    key, response = sides
    start = np.concatenate((key.start, response.start[alone]))
    end = np.concatenate((key.end, response.end[alone]))
    shape = np.zeros(len(start), np.int64)
    if key.scattered or response.scattered:
        shape = _shapes(document, start, end, sides, alone)
    return np.lexsort((shape, end, start, document))


def _shapes(
    document: Ints,
    start: Ints,
    end: Ints,
    sides: tuple[Positions, Positions],
    alone: Ints,
) -> Ints:
    """Rank mentions by their tokens where one of the same bounds is scattered."""
    key, response = sides
    keys = len(key.start)
    number = {int(mention): keys + row for row, mention in enumerate(alone)}
    scattered = [*key.scattered]
    scattered += [number[row] for row in response.scattered if row in number]
    bounds = (end, start, document)
    order = np.lexsort(bounds)
    differs = np.any([np.diff(bound[order]) for bound in bounds], axis=0)
    same = np.empty(len(order), np.int64)
    same[order] = np.cumsum(np.concatenate(([0], differs)))
    rows = np.flatnonzero(np.isin(same, same[np.array(scattered, np.int64)])).tolist()
    tokens = {
        row: sorted(
            key.set_of(row) if row < keys else response.set_of(int(alone[row - keys]))
        )
        for row in rows
    }
    shape = np.zeros(len(start), np.int64)
    for rank, row in enumerate(sorted(rows, key=tokens.__getitem__)):
        shape[row] = rank
    return shape


def _places(
    block: AlignedBlock, document: Ints, key_mention: Ints, response_mention: Ints
) -> tuple[Ints, Ints, Mapping[int, Gaps], Sequence[Hashable] | None]:
    """Find first and last tokens, gaps, and names of the rows."""
    mentions = block.table.mentions
    key, response = mentions.key, mentions.response
    if key.names is None or response.names is None:
        return (*key_spans(block, document, key_mention, response_mention), None)
    number = np.where(
        key_mention < 0,
        _looked_up(response.start, response_mention),
        _looked_up(key.start, key_mention),
    )
    called = all_names((key, response))
    names = [called[row] for row in number.tolist()]
    if names and all(map(is_span, names)):
        start, end = np.array(names, np.int64).T
        return start, end, {}, names
    first, size = find_runs(document)
    rank = np.arange(len(document)) - np.repeat(first, size)
    return rank, rank, {}, names


def response_names(block: AlignedBlock, numbers: Ints) -> list[Hashable]:
    """Name mentions of the response, which are given by their numbers."""
    mentions = block.table.mentions
    called = all_names((mentions.key, mentions.response))
    return [called[place] for place in mentions.response.start[numbers].tolist()]


def _name_ranks(number: Ints, sides: tuple[Columns, Columns]) -> Ints:
    """Rank names by their values; where these have no order, as they are written.

    Sets compare without an error, but only some are above others: they have no order.
    """
    there = np.unique(number)
    called = all_names(sides)
    order = order_of_names([called[row] for row in there.tolist()])
    rank = np.empty(len(order), np.int64)
    rank[np.array(order, np.int64)] = np.arange(len(order))
    return rank[np.searchsorted(there, number)]
