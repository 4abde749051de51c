"""Blocks of whole documents counted by the ordinary pipeline.

`CountDocuments` is a pure function of its rows, plain values in it and out of it: it
runs wherever an engine has rows, and may run again. What is wrong with the input comes
back as a block too, so that it is told in corefkit's own words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.attributes import Lacking
from corefkit.alignment.blocks import entity_lists
from corefkit.alignment.pairing import Pair
from corefkit.alignment.pipeline import aligned_blocks, run_of
from corefkit.columns.prints import document_prints
from corefkit.engines.base import BLOCK, PLACE
from corefkit.engines.blocks import CountedBlock
from corefkit.engines.frames import gathered_frames
from corefkit.exceptions import CorefkitError
from corefkit.formats.source import names_clash
from corefkit.formats.tables.frames import pyarrow
from corefkit.formats.tables.source import TableSource
from corefkit.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from corefkit.alignment.blocks import Block
    from corefkit.alignment.runs import Run
    from corefkit.engines.frames import Layout
    from corefkit.formats.source import Source
    from corefkit.metrics.base import Metric
    from corefkit.settings import Settings

ROWS = 1 << 16  # of a block, unless a document has more


@dataclass(frozen=True, slots=True)
class CountDocuments:
    """Count rows that are ordered by what belongs together.

    Rows have the columns of `corefkit.engines.plans.tagged`.

    Attributes:
        metrics: what is counted.
        settings: how.
        layouts: the columns of key and response.
        together: the column that has the same value where rows belong together.
        rows: how many rows a block has at least.
    """

    metrics: tuple[Metric, ...]
    settings: Settings
    layouts: tuple[Layout, Layout]
    together: str = "document"
    rows: int = ROWS

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Return a row for each block of documents."""
        arrow = pyarrow("counts")
        for table in whole_blocks(batches, self.together, self.rows):
            try:
                block = self.counted(table)
            except CorefkitError as error:
                block = CountedBlock(error=error)
            column = arrow.array([block.to_bytes()], "binary")
            yield arrow.RecordBatch.from_arrays([column], [BLOCK])

    def counted(self, table: pa.Table) -> CountedBlock:
        """Count the documents of some rows."""
        key, response = self._sources(table)
        try:
            return self._counted(table, key, response)
        finally:
            # They know each other, and would stay until Python looks for such.
            key.peers = response.peers = ()

    def _counted(
        self, table: pa.Table, key: TableSource, response: TableSource
    ) -> CountedBlock:
        run = self._run(key, response)
        tally = Tally(self.metrics)
        placed = PLACE in table.column_names
        for _, block in aligned_blocks([run]):
            sides = zip((block.key, block.response), self.layouts, strict=True)
            unsettled = sum(
                in_several_entities(side)
                for side, layout in sides
                if not (placed and layout.where)
            )
            if unsettled:
                return CountedBlock(unsettled=unsettled)
            tally.add(run, block, document_prints(block.key_read))
        rows = [part for part in tally.key_read if isinstance(part, np.ndarray)]
        return CountedBlock(
            run.documents,
            tally.counts,
            np.concatenate(rows),
            table.num_rows,
            run.seen,
            tally.repetitions,
            list(tally.unknown_to_reference),
            (run.key.lacking, run.response.lacking),
            named=key.named or response.named,
        )

    def _sources(self, table: pa.Table) -> tuple[TableSource, TableSource]:
        frames = gathered_frames(table, self.layouts)
        key, response = (TableSource(frame) for frame in frames)
        for source in (key, response):
            clash = names_clash(source, [key, response])
            if clash is not None:
                raise clash
        key.peers = response.peers = [key, response]
        return key, response

    def _run(self, key: TableSource, response: TableSource) -> Run:
        partners = {name: number for number, name in enumerate(response.ids)}
        pairs = [
            Pair(number, partners.get(name)) for number, name in enumerate(key.ids)
        ]
        run = run_of(key, response, pairs, settings=self.settings)
        run.key.lacking, run.response.lacking = _Noted(), _Noted()
        return run


class _Noted(Lacking):
    """What documents of a block lack; documents of other blocks may have it."""

    def check_minimum(self, source: Source) -> None:
        """Leave the judgement to those who know all blocks."""

    def check(self) -> None:
        """Leave the judgement to those who know all blocks."""


def whole_blocks(
    batches: Iterator[pa.RecordBatch], together: str, rows: int
) -> Iterator[pa.Table]:
    """Put rows together to blocks, so that nothing that belongs together is parted.

    >>> import pyarrow
    >>> batch = pyarrow.record_batch({"topic": [1, 1, 2, 2, 2, 3]})
    >>> cut = (batch.slice(first, 2) for first in (0, 2, 4))
    >>> [block.num_rows for block in whole_blocks(cut, "topic", 1)]
    [2, 3, 1]
    """
    arrow = pyarrow("counts")
    waiting: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        if not batch.num_rows:
            continue
        waiting.append(batch)
        count += batch.num_rows
        if count < rows:
            continue
        table = arrow.Table.from_batches(waiting)
        last = _last(table.column(together))
        if last:
            yield table.slice(0, last)
            waiting = table.slice(last).to_batches()
            count -= last
    if waiting:
        yield arrow.Table.from_batches(waiting)


def _last(together: pa.ChunkedArray) -> int:
    """Find where the last of what belongs together begins."""
    # Rows are ordered: those that are alike stand at the end.
    low, high, wanted = 0, len(together) - 1, together[-1]
    while low < high:
        middle = (low + high) // 2
        if together[middle] == wanted:
            high = middle
        else:
            low = middle + 1
    return low


def in_several_entities(block: Block) -> int:
    """Count the mentions that stand in several entities of a side."""
    found = 0
    for document in np.flatnonzero(block.copies).tolist():
        entities: dict[object, set[int]] = {}
        for number, mentions in enumerate(entity_lists(block.read, document)):
            for mention in mentions:
                entities.setdefault(mention, set()).add(number)
        found += sum(len(numbers) > 1 for numbers in entities.values())
    return found
