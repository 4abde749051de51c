"""Documents counted where an engine has them, and their counts put together."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.attributes import Lacking
from corefkit.engines import counting, plans
from corefkit.engines.base import BLOCK
from corefkit.engines.blocks import CountedBlock
from corefkit.engines.counting import CountDocuments
from corefkit.exceptions import FormatError
from corefkit.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.alignment.pipeline import Progress
    from corefkit.alignment.runs import Run
    from corefkit.alignment.seen import Seen
    from corefkit.engines.scoring import Tables
    from corefkit.metrics.base import Metric


def counted_documents(
    tables: Tables,
    run: Run,
    metrics: tuple[Metric, ...],
    progress: Progress | None = None,
) -> Tally:
    """Count all documents; what is seen on the way goes to the run.

    Rows are first counted without their places, which only repeated mentions and
    messages ask for: these are rare, and sorting costs half as much without.
    """
    blocks = _blocks(tables, run, metrics, progress, placed=False)
    if blocks is None:
        blocks = _blocks(tables, run, metrics, progress, placed=True)
        assert blocks is not None, "with their places, all rows can be counted"
    # What is told first is what stands first: blocks come in another order.
    number = {name: at for at, name in enumerate(run.documents)}
    blocks.sort(
        key=lambda block: min([number[name] for name in block.documents], default=0)
    )
    for block in blocks:
        run.seen.take(block.seen)
    _place_repeats(run.seen, blocks, number)
    for lacking in _lacking(blocks):
        lacking.check()
    return _tally(blocks, run, metrics)


def _blocks(
    tables: Tables,
    run: Run,
    metrics: tuple[Metric, ...],
    progress: Progress | None,
    *,
    placed: bool,
) -> list[CountedBlock] | None:
    """Count blocks of documents; None where that asks for the places of rows."""
    may_ask = not placed and any(side.where for side in tables.relations)
    done, total = 0, sum(sum(source.rows) for source in tables.sources)
    found: list[CountedBlock] = []
    with closing(_gathered(tables, run, metrics, placed=placed)) as blocks:
        for block in blocks:
            repeats = block.seen.key_repeats.count + block.seen.response_repeats.count
            if may_ask and (block.error or block.unsettled or repeats):
                return None
            if block.error is not None:
                raise block.error
            found.append(block)
            done += block.rows
            if progress is not None:
                progress(min(done, total), total)
    if may_ask and any(side.errors.keys() - side.known for side in _lacking(found)):
        return None
    unsettled = sum(block.unsettled for block in found)
    if unsettled:
        raise _unordered(tables, unsettled)
    return found


def _gathered(
    tables: Tables, run: Run, metrics: tuple[Metric, ...], *, placed: bool
) -> Generator[CountedBlock]:
    mapped = bool(tables.mapping)
    statement = plans.tagged(*tables.relations, mapped=mapped, placed=placed)
    # Documents of a topic are joined in the order of the key.
    together = ["together", "position"] if mapped else ["document"]
    layouts, rows = tables.layouts, counting.ROWS
    count = CountDocuments(metrics, run.settings, layouts, together[0], rows)
    batches = tables.engine.by_document(
        statement, tables.named, count, together=together
    )
    try:
        for batch in batches:
            for cell in batch.column(BLOCK):
                yield CountedBlock.from_bytes(cell.as_buffer().to_pybytes())
    finally:
        # What is left half read would keep the engine from other statements.
        if isinstance(batches, Generator):
            batches.close()


def _unordered(tables: Tables, count: int) -> FormatError:
    names = [side.name for side in tables.relations if side.where is None]
    stand = "mention stands" if count == 1 else "mentions stand"
    message = (
        f"{count} {stand} in several entities, and rows without an order do not say "
        "which of them is the first"
    )
    hint = "settle them, or name Parquet files, whose rows have an order"
    return FormatError(message, place=" and ".join(names), hint=hint)


def _place_repeats(
    seen: Seen, blocks: Sequence[CountedBlock], number: Mapping[str, int]
) -> None:
    """Name the first repeated mention of each side: blocks share no order inside."""
    sides = ("key_repeats", "response_repeats")
    for total, side in zip(
        (seen.key_repeats, seen.response_repeats), sides, strict=True
    ):
        found = [getattr(block.seen, side) for block in blocks]
        placed = [repeats for repeats in found if repeats.place]
        if placed:
            first = min(placed, key=lambda one: number.get(one.document, len(number)))
            total.place, total.document = first.place, first.document


def _lacking(blocks: Sequence[CountedBlock]) -> tuple[Lacking, Lacking]:
    """Find what documents of key and response lack; one that has it is enough."""
    found = Lacking(), Lacking()
    for block in blocks:
        for side, more in zip(found, block.lacking, strict=True):
            side.take(more)
    return found


def _tally(
    blocks: Sequence[CountedBlock], run: Run, metrics: tuple[Metric, ...]
) -> Tally:
    """Put blocks together, their documents in the order of the run."""
    tally = Tally(metrics)
    number = {name: at for at, name in enumerate(run.documents)}
    rows = [number[name] for block in blocks for name in block.documents]
    assert len(rows) == len(number), "every document is counted once"
    order = np.argsort(np.array(rows, np.int64))
    counts = {
        metric.name: np.concatenate([block.counts[metric.name] for block in blocks])
        for metric in metrics
    }
    prints = np.concatenate([block.prints for block in blocks])
    if any(block.named for block in blocks) and not run.settings.joins_documents:
        prints[:, 1:3] = 0  # names have no hashes, and are not spread over all blocks
    tally.rows.append({name: found[order] for name, found in counts.items()})
    tally.key_read.append(prints[order])
    for block in blocks:
        tally.repetitions += block.repetitions
        tally.unknown_to_reference |= dict.fromkeys(block.unknown_to_reference)
    return tally
