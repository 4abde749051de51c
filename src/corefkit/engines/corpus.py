"""Entities across all documents: the engine makes the table, the metrics count it.

Mentions stay where the engine has them. What comes here are the cells of the overlap
table and the sizes of entities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefkit.alignment.blocks import Repeats
from corefkit.alignment.seen import Meeting
from corefkit.alignment.table import Entities, Overlap
from corefkit.engines import corpus_plans
from corefkit.engines.ceaf import counted_within
from corefkit.engines.corpus_checks import check_mentions
from corefkit.exceptions import FormatError, SettingsError
from corefkit.formats.tables.frames import pyarrow
from corefkit.settings import by_choice
from corefkit.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from corefkit.alignment.runs import Run
    from corefkit.columns import Flags, Ints
    from corefkit.engines.scoring import Tables
    from corefkit.metrics.base import Metric
    from corefkit.settings import Settings

_SIDES = ("key", "response")


class Cells(NamedTuple):
    """Entities of both sides by number, -1 for none, and the mentions of each pair."""

    key_entity: Ints
    response_entity: Ints
    mentions: Ints

    def sizes(self, entity: Ints) -> Ints:
        """Count the mentions of each entity of a side."""
        there = entity >= 0
        count = int(entity.max(initial=-1)) + 1
        size = np.zeros(count, np.int64)
        np.add.at(size, entity[there], self.mentions[there])
        return size


def counted_corpus(
    tables: Tables, run: Run, metrics: tuple[Metric, ...], *, bounds: bool = False
) -> Tally:
    """Count all documents as one; what is seen on the way goes to the run."""
    check_mentions(tables, run.settings)
    cells = _cells(tables, run)
    sizes = cells.sizes(cells.key_entity), cells.sizes(cells.response_entity)
    table = overlap_of(cells, sizes, run.settings)
    run.meeting.take(_meeting(cells, table))
    tally = Tally(metrics)
    counts: dict[str, tuple[Metric, NDArray[Any]]] = {}
    for metric in metrics:
        try:
            counts |= counted_within(metric, table, bounds=bounds)
        except SettingsError as error:
            message = f"{metric.name}: {error.message}"
            hint = "across documents, an engine sends counts and no mentions"
            raise SettingsError(message, hint=error.hint or hint) from error
    tally.metrics = tuple(metric for metric, _ in counts.values())
    tally.rows.append({name: rows for name, (_, rows) in counts.items()})
    # As read; its tokens stay with the engine, and have no hash.
    read = run.seen.key_repeats.count + int(sizes[0].sum())
    prints = np.array([[0, 0, 0, 0, read, len(sizes[0])]], np.uint64)
    tally.key_read.append(prints)
    return tally


def overlap_of(cells: Cells, sizes: tuple[Ints, Ints], settings: Settings) -> Overlap:
    """Make the table of one document; entities of one mention may be left out."""
    scored: list[Flags] = [
        size > 1 if role in settings.without_singletons else size > 0
        for role, size in zip(_SIDES, sizes, strict=True)
    ]
    number = [np.cumsum(flags) - 1 for flags in scored]
    both = (cells.key_entity >= 0) & (cells.response_entity >= 0)
    both[both] &= scored[0][cells.key_entity[both]]
    both[both] &= scored[1][cells.response_entity[both]]
    key = number[0][cells.key_entity[both]]
    response = number[1][cells.response_entity[both]]
    order = np.lexsort((response, key))
    ours, theirs = (
        Entities(np.zeros(int(flags.sum()), np.int64), size[flags])
        for flags, size in zip(scored, sizes, strict=True)
    )
    return Overlap(
        1, ours, theirs, key[order], response[order], cells.mentions[both][order]
    )


def _meeting(cells: Cells, table: Overlap) -> Meeting:
    key, response = (int(side.size.sum()) for side in (table.key, table.response))
    read = [
        int(cells.mentions[entity >= 0].sum())
        for entity in (cells.key_entity, cells.response_entity)
    ]
    return Meeting(
        key=key,
        response=response,
        both=int(table.shared.sum()),
        key_dropped=read[0] - key,
        response_dropped=read[1] - response,
        documents=1,
    )


def _cells(tables: Tables, run: Run) -> Cells:
    """Ask for the cells; where mentions are repeated, ask again for each row once."""
    mapped = bool(tables.mapping)
    cells, lone = _asked(tables, mapped=mapped, once=False)
    found = cells.key_entity, cells.response_entity
    met = [int(cells.mentions[entity >= 0].sum()) for entity in found]
    wanted = [
        _number(
            tables, corpus_plans.count_mentions(*tables.relations, role, mapped=mapped)
        )
        for role in _SIDES
    ]
    if lone == 0 and met == wanted:
        return cells
    _settle(tables, run, mapped=mapped)
    cells, _ = _asked(tables, mapped=mapped, once=True)
    return cells


def _asked(tables: Tables, *, mapped: bool, once: bool) -> tuple[Cells, int]:
    arrow = pyarrow("overlap")
    plan = corpus_plans.overlap(*tables.relations, mapped=mapped, once=once)
    batches = list(tables.engine.query(plan, tables.named))
    table = arrow.Table.from_batches(batches).combine_chunks()
    repeated = table.column("repeated").to_numpy()
    mentions = table.column("mentions").to_numpy()
    there = mentions > 0  # the row of repeated mentions has none
    numbers = [_coded(table.column(f"{role}_entity"))[there] for role in _SIDES]
    return Cells(numbers[0], numbers[1], mentions[there]), int(repeated.sum())


def _coded(column: Any) -> Ints:
    """Number the entities of a side; -1 where there is none."""
    try:
        encoded = column.combine_chunks().dictionary_encode()
    except NotImplementedError as error:
        message = f"entities are of type {column.type}, which is not compared"
        hint = "give entities numbers or names"
        raise FormatError(message, hint=hint) from error
    if hasattr(encoded, "combine_chunks"):
        encoded = encoded.unify_dictionaries().combine_chunks()
    codes: Ints = encoded.indices.fill_null(-1).to_numpy().astype(np.int64)
    return codes


def _number(tables: Tables, plan: str) -> int:
    (row,) = _rows(tables, plan)
    return int(row["mentions"])


def _rows(tables: Tables, plan: str) -> list[Mapping[str, Any]]:
    batches = tables.engine.query(plan, tables.named)
    return [row for batch in batches for row in batch.to_pylist()]


def _settle(tables: Tables, run: Run, *, mapped: bool) -> None:
    """Note repeated mentions, or refuse those that an order of rows would settle."""
    repeats = run.seen.key_repeats, run.seen.response_repeats
    sides = run.key.source, run.response.source
    for role, found, source in zip(_SIDES, repeats, sides, strict=True):
        plan = corpus_plans.repeats(*tables.relations, role, mapped=mapped)
        (row,) = _rows(tables, plan)
        copies, unsettled = int(row["copies"] or 0), int(row["unsettled"])
        if not copies:
            continue
        told = {
            "first": unsettled and f"{_mentions(unsettled)} in several entities",
            "error": f"{_mentions(copies)} more than once",
            "reference": f"{_mentions(copies)} more than once",
        }
        refused = by_choice(run.settings, "repeated", told)
        if refused:
            message = f"{refused}, expected every mention in one entity"
            hint = "an engine has no order to settle them by: settle them before"
            raise FormatError(message, place=source.name, hint=hint)
        found.take(Repeats(copies, source.place(0)))


def _mentions(count: int) -> str:
    return "1 mention stands" if count == 1 else f"{count} mentions stand"
