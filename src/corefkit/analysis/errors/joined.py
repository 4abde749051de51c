"""Mentions of both sides as one table: a row a mention, with the entities it is in.

All steps of the analysis are sorts and joins on such a table. Rows are ordered by
document and, inside a document, by position: first token, last token, then tokens.
"First", "earliest" and "latest" mean this order. Mentions that are names are sorted
where names can be, and else numbers stand first, then others as they are written.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.matching.positions import positions
from corefkit.analysis.errors.key_tokens import key_spans
from corefkit.analysis.errors.mention_names import (
    all_names,
    is_span,
    label_of_name,
    order_of_names,
)
from corefkit.columns import runs
from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from corefkit.alignment.blocks import AlignedBlock
    from corefkit.alignment.matching.positions import Positions
    from corefkit.analysis.errors.key_tokens import Gaps
    from corefkit.columns import Columns, Flags, Ints


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
    >>> from corefkit.alignment.pipeline import aligned_blocks, opened_runs
    >>> with opened_runs(["abc"], [["ad"]], settings=DEFAULT_SETTINGS) as opened:
    ...     ((_, block),) = aligned_blocks(opened)
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
        order = _text_order(document, positions(key, response), alone)
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
    first, size = runs(document)
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
