"""One side of a scoring: its documents read in blocks, and what is scored of them."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.attributes import AskedAttributes
from corefkit.alignment.blocks import Block
from corefkit.alignment.lacking import Lacking
from corefkit.alignment.matching.places import position_order
from corefkit.alignment.matching.zeros import zero_mentions
from corefkit.alignment.mention_heads import minimum_trees, own_heads
from corefkit.alignment.repeats import Repeats
from corefkit.alignment.settling import (
    Scored,
    in_larger_entities,
    policy_of,
    referring,
)
from corefkit.columns import spread_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Future

    from corefkit.alignment.blocks import Numbers
    from corefkit.columns import Columns, Ints
    from corefkit.formats.source import Source
    from corefkit.settings import Settings


_BLOCK_BYTES = 1 << 23
_BLOCK_DOCUMENTS = 1 << 12
_LARGE = 1 << 25  # bytes from which threads save more than they cost


@dataclass(slots=True)
class Side:
    """One side's source, and what is noted of it while it is read.

    Attributes:
        source: where its documents come from.
        role: `key` or `response`.
        settings: what is scored of it, and by what mentions are matched.
        repeats: the mentions that it repeats.
        lacking: what its documents lack.
    """

    source: Source
    role: str
    settings: Settings
    repeats: Repeats = field(default_factory=Repeats)
    lacking: Lacking = field(default_factory=Lacking)

    def read(self, numbers: Numbers) -> Block:
        """Read some documents, and settle which of their mentions are scored."""
        present = [number for number in numbers if number is not None]
        columns = self.source.columns(present)
        if len(present) < len(numbers):
            columns = spread_columns(columns, numbers)
        if policy_of(self.settings, self.role).early:
            columns = columns.keep(in_larger_entities(columns))
        copies = np.zeros(len(numbers), np.int64)
        settled, order = self._settled(columns, numbers, copies)
        trees = {}
        if self.settings.match != "exact":
            self.lacking.seen(columns)
            settled = own_heads(self, settled, numbers)
            trees = minimum_trees(self, settled, numbers)
        attributes = AskedAttributes(self.source, numbers, settled, self.lacking)
        return Block(numbers, columns, settled, order, copies, trees, attributes)

    def _settled(self, columns: Columns, numbers: Numbers, copies: Ints) -> Scored:
        """Choose the mentions that are scored, and count the copies of each document.

        The overlap table presumes that a mention stands in one entity of a side.
        """
        policy = policy_of(self.settings, self.role)
        if columns.details is not None:
            columns = referring(columns)
        order, repeated = position_order(columns)
        settled = Scored(columns, order)
        if repeated is not None:
            np.add.at(copies, columns.document[repeated], 1)
            refuse = policy.refuses_copies
            self.repeats.note(self.source, numbers, columns, repeated, refuse=refuse)
            settled = settled.keep(~repeated)
        if policy.singletons:
            settled = settled.keep(in_larger_entities(settled.columns))
        if policy.zeros:
            settled = settled.keep(~zero_mentions(settled.columns))
        return settled


def blocks(
    sides: Sequence[tuple[Side, Numbers]], sizes: Sequence[int]
) -> Iterator[tuple[int, int, list[Block]]]:
    """Read the same documents of all sides, block by block.

    Large input is read by a thread for each side, which is one block ahead; numpy lets
    them run at the same time.

    Args:
        sides: the sides, each with its documents.
        sizes: about how many bytes each document takes.

    Yields:
        The first document of a block, the one behind its last, and each side's block.
    """
    if sum(sizes) < _LARGE:
        for first, last in _bounds(sizes):
            read = [side.read(numbers[first:last]) for side, numbers in sides]
            yield first, last, read
        return
    # Imported here because small input does not need it and every start would pay.
    from concurrent.futures import ThreadPoolExecutor

    with ExitStack() as stack:
        lanes = [stack.enter_context(ThreadPoolExecutor(1)) for _ in sides]
        waiting: list[tuple[int, int, list[Future[Block]]]] = []
        for first, last in _bounds(sizes):
            started = [
                lane.submit(side.read, numbers[first:last])
                for lane, (side, numbers) in zip(lanes, sides, strict=True)
            ]
            waiting.append((first, last, started))
            if len(waiting) > 1:
                yield _finished(*waiting.pop(0))
        yield _finished(*waiting.pop())


def _finished(
    first: int, last: int, started: list[Future[Block]]
) -> tuple[int, int, list[Block]]:
    return first, last, [future.result() for future in started]


def _bounds(sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Part documents into blocks: the first of each, and the one behind its last."""
    first = total = 0
    for last, size in enumerate(sizes, start=1):
        total += size
        if total >= _BLOCK_BYTES or last - first >= _BLOCK_DOCUMENTS:
            yield first, last
            first, total = last, 0
    if first < len(sizes) or not sizes:
        yield first, len(sizes)
