"""Document scope: blocks of complete documents counted by the pipeline.

`CountDocuments` is a pure function of its rows: an engine calls it in any process, and
may call it again. It returns serialized tallies, or the exceptions for invalid input.
"""

from __future__ import annotations

import pickle
from bisect import bisect_left
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.pairing import Pair
from corefkit.alignment.pipeline import align_group, find_missing_attribute, make_run
from corefkit.alignment.scored_mentions import list_entities
from corefkit.engines import BLOCK, PLACE, sql
from corefkit.evaluation import count_blocks
from corefkit.exceptions import CorefkitError, FormatError, quoted
from corefkit.formats.frames import arrow_cells, convert_arrow_errors, import_pyarrow
from corefkit.formats.problems import REPEATED_MENTION
from corefkit.formats.source import share_names
from corefkit.formats.tables import TableSource
from corefkit.tally import SIDES, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pyarrow as pa

    from corefkit.alignment.pipeline import Progress, Run
    from corefkit.alignment.scored_mentions import AlignedBlock, Block
    from corefkit.arrays.columns import Ints
    from corefkit.engines import Relation
    from corefkit.engines.table_scoring import Tables
    from corefkit.formats.tables import Cells
    from corefkit.metrics.metric import Metric
    from corefkit.settings import Settings
    from corefkit.tally import First

ROWS = 1 << 16  # of a block, unless a document has more


def count_documents(
    tables: Tables,
    run: Run,
    metrics: tuple[Metric, ...],
    progress: Progress | None = None,
) -> None:
    """Count all documents into the tally of the run.

    Rows are first counted without their places, which only duplicate mentions and error
    messages require: both are rare, and sorting is twice as fast without places.
    """
    blocks = _count_blocks(tables, run, metrics, progress, placed=False)
    if blocks is None:
        blocks = _count_blocks(tables, run, metrics, progress, placed=True)
        assert blocks is not None, "with their places, all rows can be counted"
    number = {name: row for row, name in enumerate(run.documents)}
    blocks.sort(
        key=lambda block: min([number[name] for name in block.documents], default=0)
    )
    for name, first in _find_firsts(blocks, number).items():
        run.tally.firsts.setdefault(name, first)
    for block in blocks:
        run.tally += block
    assert len(run.tally.documents) == len(number), "every document is counted once"
    run.tally.sort(run.documents)
    if run.tally.totals["named"] and not run.settings.joins_documents:
        # Names have no hashes; if only some blocks have names, only some have hashes.
        prints = run.tally.joined_prints
        prints[:, 1:3] = 0
        run.tally.prints = [prints]
    for role in SIDES:
        error = find_missing_attribute(run.tally, role, run.settings)
        if error is not None:
            raise error


def _find_firsts(
    blocks: Sequence[Tally], number: Mapping[str, int]
) -> dict[str, First]:
    """Find the first text of each name: blocks have documents in any order."""
    firsts: dict[str, First] = {}
    for block in blocks:
        for name, first in block.firsts.items():
            rank = number.get(first[0], len(number))
            if name not in firsts or rank < number.get(firsts[name][0], len(number)):
                firsts[name] = first
    return firsts


def _count_blocks(
    tables: Tables,
    run: Run,
    metrics: tuple[Metric, ...],
    progress: Progress | None,
    *,
    placed: bool,
) -> list[Tally] | None:
    """Count blocks of documents; return None if that requires the places of rows."""
    may_place = not placed and any(side.where for side in tables.relations)
    total = sum(sum(source.rows) for source in tables.sources)
    blocks: list[Tally] = []
    notes = Tally()
    with closing(_query_blocks(tables, run, metrics, placed=placed)) as results:
        for result in results:
            if isinstance(result, CorefkitError):
                if may_place:
                    return None
                raise result
            blocks.append(result)
            notes.add_notes(result.totals, result.firsts)
            repeats = [notes.totals[f"repeated/{side}"] for side in SIDES]
            if may_place and (any(repeats) or notes.totals["unsettled"]):
                return None
            if progress is not None:
                progress(min(notes.totals["rows"], total), total)
    lacking = [find_missing_attribute(notes, side, run.settings) for side in SIDES]
    if may_place and any(lacking):
        return None
    if notes.totals["unsettled"]:
        raise _make_order_error(tables, notes.totals["unsettled"])
    return blocks


def _query_blocks(
    tables: Tables, run: Run, metrics: tuple[Metric, ...], *, placed: bool
) -> Generator[Tally | CorefkitError]:
    mapped = bool(tables.mapping)
    statement = sql.tag_rows(*tables.relations, mapped=mapped, placed=placed)
    # Documents of a topic are joined in the order of the key.
    columns = ["together", "position"] if mapped else ["document"]
    # Workers of Spark cannot unpickle its handles.
    key, response = (replace(side, handle=None) for side in tables.relations)
    count = CountDocuments(metrics, run.settings, (key, response), columns[0], ROWS)
    batches = tables.engine.count_groups(
        statement, tables.named, count, together=columns
    )
    try:
        for batch in batches:
            for cell in batch.column(BLOCK):
                yield pickle.loads(cell.as_buffer())
    finally:
        # A result that was not read to its end would block the next statements.
        if isinstance(batches, Generator):
            batches.close()


def _make_order_error(tables: Tables, count: int) -> FormatError:
    place = " and ".join(side.name for side in tables.relations if side.where is None)
    mentions = "mention is" if count == 1 else "mentions are"
    message = (
        f"{count} {mentions} in several entities, and rows without an order do not "
        "specify the first one"
    )
    hint = "remove the duplicates, or specify Parquet files, whose rows have an order"
    return FormatError(message, code=REPEATED_MENTION.code, place=place, hint=hint)


@dataclass(frozen=True, slots=True)
class CountDocuments:
    """Count rows of `corefkit.engines.sql.tag_rows`, ordered by groups of documents."""

    metrics: tuple[Metric, ...]
    settings: Settings
    relations: tuple[Relation, Relation]
    together: str = "document"  # has the same value in the rows of a group
    rows: int = ROWS  # the minimum of a block

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        arrow = import_pyarrow("counts")
        for table in split_by_group(batches, self.together, self.rows):
            result: Tally | CorefkitError
            try:
                result = self._count(table)
            except CorefkitError as error:
                result = error
            column = arrow.array([pickle.dumps(result)], "binary")
            yield arrow.RecordBatch.from_arrays([column], [BLOCK])

    def _count(self, table: pa.Table) -> Tally:
        key, response = (TableSource(f) for f in split_sides(table, self.relations))
        share_names({0: key, 1: response})
        partners = {name: number for number, name in enumerate(response.ids)}
        pairs = [
            Pair(number, partners.get(name)) for number, name in enumerate(key.ids)
        ]
        tally = Tally((key.name, response.name))
        run = make_run(key, response, pairs, tally, settings=self.settings)
        has_names = key.has_names or response.has_names
        tally.totals.update(rows=table.num_rows, named=has_names)
        try:
            for _, block in align_group([run]):
                if self._has_unsettled(run, block, placed=PLACE in table.column_names):
                    break
                count_blocks([(run, block)], self.metrics)
        finally:
            # They reference each other, and would remain until garbage collection.
            key.names.sources.clear()
        tally.prints = [tally.joined_prints]
        return tally

    def _has_unsettled(self, run: Run, block: AlignedBlock, *, placed: bool) -> bool:
        """Note mentions in several entities, if rows have no order to settle them."""
        sides = zip((block.key, block.response), self.relations, strict=True)
        unsettled = sum(
            _count_unsettled(side)
            for side, relation in sides
            if not (placed and relation.where)
        )
        run.tally.totals["unsettled"] = unsettled
        return unsettled > 0


def _count_unsettled(block: Block) -> int:
    """Count the mentions that are in several entities of a side."""
    count = 0
    for document in np.flatnonzero(block.copies).tolist():
        entities: dict[object, set[int]] = {}
        for number, mentions in enumerate(list_entities(block.read, document)):
            for mention in mentions:
                entities.setdefault(mention, set()).add(number)
        count += sum(len(numbers) > 1 for numbers in entities.values())
    return count


def split_by_group(
    batches: Iterator[pa.RecordBatch], together: str, rows: int
) -> Iterator[pa.Table]:
    """Buffer rows in blocks of a minimum size, without splitting a group."""
    arrow = import_pyarrow("counts")
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
        group = table.column(together)
        # The first row of the last group: equal rows are adjacent.
        last = bisect_left(range(count), True, key=lambda row: group[row] == group[-1])
        if last:
            yield table.slice(0, last)
            waiting = table.slice(last).to_batches()
            count -= last
    if waiting:
        yield arrow.Table.from_batches(waiting)


@dataclass(frozen=True, slots=True)
class GatheredFrame:
    """The rows of one side among the rows of a block."""

    relation: Relation
    table: pa.Table  # of both sides
    cells: Mapping[str, Cells]  # of both sides, by column
    row: Ints  # those of this side, in the order of their places

    @property
    def name(self) -> str:
        return self.relation.name

    @property
    def columns(self) -> Sequence[str]:
        return list(self.relation.titles.values())

    def close(self) -> None:
        pass

    def line_number(self, row: int) -> int:
        return row

    def format_place(self, row: int) -> str:
        at, where = int(self.row[row]), self.relation.where
        if where is not None and PLACE in self.table.column_names:
            return where(self.table.column(PLACE)[at].as_py())
        document = self.cells["document"].format(at)
        return f"{self.name}, document {quoted(document)}"

    def iter_blocks(self, columns: Sequence[int]) -> Iterator[Sequence[Cells]]:
        names = list(self.relation.titles)
        yield [self.cells[names[column]].take(self.row) for column in columns]

    def read_rows(self, numbers: Ints) -> Sequence[Sequence[object]]:
        rows = self.table.select(list(self.relation.titles)).take(self.row[numbers])
        cells = [column.to_pylist() for column in rows.columns]
        return list(zip(*cells, strict=True))


def split_sides(
    table: pa.Table, relations: tuple[Relation, Relation]
) -> tuple[GatheredFrame, GatheredFrame]:
    """Split rows that have a column `side` into the tables of two sides."""
    place = relations[0].name
    names = dict.fromkeys([*relations[0].columns, *relations[1].columns])
    with convert_arrow_errors(place):
        table = table.combine_chunks()
        cells = {name: arrow_cells(table.column(name), place) for name in names}
        side, order = table.column("side").to_numpy(), np.arange(table.num_rows)
        if PLACE in table.column_names:
            places = table.column(PLACE).combine_chunks().fill_null(0).to_numpy()
            order = np.argsort(places, kind="stable")
    key, response = (
        GatheredFrame(relation, table, cells, order[side[order] == number])
        for number, relation in enumerate(relations)
    )
    return key, response
