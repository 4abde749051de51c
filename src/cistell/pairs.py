"""All pairs of documents, decided in batches.

Pairs of several small documents are decided together, and those of a large one in
blocks of second mentions, so that memory depends on the batch and not on the document.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cistell.features import codes_of
from cistell.features.base import Pairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cistell.features.base import Feature
    from cistell.learners.base import Classifier, Decisions
    from cistell.table import MentionTable

BATCH = 1 << 19  # pairs that are decided at once


@dataclass(frozen=True, slots=True)
class Block:
    """Some mentions of a document, with the decisions on all pairs that end in them."""

    table: MentionTable  # all mentions of the document
    start: int  # the first mention of the block
    stop: int  # the mention after the last
    # For each, those on the pairs with all earlier mentions, in order.
    decisions: Decisions

    def __iter__(self) -> Iterator[Decisions]:
        """Go through the mentions, each with the decisions on earlier ones."""
        position = 0
        for mention in range(self.start, self.stop):
            yield self.decisions[position : position + mention]
            position += mention


def preceding(table: MentionTable, start: int, stop: int) -> Pairs:
    """Pair mentions with all earlier ones.

    The pairs of one mention come together, its partners in the order of the text.
    """
    counts = np.arange(start, stop)
    second = np.repeat(counts, counts)
    ends = np.cumsum(counts)
    first = np.arange(len(second)) - np.repeat(ends - counts, counts)
    return Pairs(table, first, second)


def decided(
    tables: Iterable[MentionTable],
    features: Sequence[Feature],
    classifier: Classifier,
    *,
    batch: int = BATCH,
) -> Iterator[Block]:
    """Decide on all pairs of documents, and go through their blocks in order."""
    waiting: list[Pairs] = []
    spans: list[tuple[int, int]] = []
    size = 0
    for table in tables:
        for start, stop in _spans(len(table), batch):
            waiting.append(preceding(table, start, stop))
            spans.append((start, stop))
            size += len(waiting[-1])
            if size >= batch:
                yield from _blocks(waiting, spans, features, classifier)
                waiting, spans, size = [], [], 0
    yield from _blocks(waiting, spans, features, classifier)


def _spans(mentions: int, batch: int) -> Iterator[tuple[int, int]]:
    """Cut mentions into spans, each with about a batch of pairs.

    >>> list(_spans(5, 3)), list(_spans(0, 3))
    ([(0, 3), (3, 4), (4, 5)], [(0, 0)])
    """
    if not mentions:
        yield 0, 0
    start = 0
    while start < mentions:
        stop, size = start, 0
        while stop < mentions and (size + stop <= batch or stop == start):
            size += stop
            stop += 1
        yield start, stop
        start = stop


def _blocks(
    waiting: Sequence[Pairs],
    spans: Sequence[tuple[int, int]],
    features: Sequence[Feature],
    classifier: Classifier,
) -> Iterator[Block]:
    if not waiting:
        return
    codes = np.concatenate([codes_of(pairs, features) for pairs in waiting])
    decisions = classifier.decide(codes)
    position = 0
    for pairs, (start, stop) in zip(waiting, spans, strict=True):
        own = decisions[position : position + len(pairs)]
        yield Block(pairs.table, start, stop, own)
        position += len(pairs)
