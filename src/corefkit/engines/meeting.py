"""Where mentions of two tables in an engine hardly meet, and why."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from corefkit.alignment import meeting
from corefkit.alignment.pairing import Pair
from corefkit.alignment.pipeline import run_of
from corefkit.engines import plans
from corefkit.engines.frames import gathered_frames
from corefkit.engines.mapping import documents_table
from corefkit.formats.tables.frames import pyarrow
from corefkit.formats.tables.source import TableSource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.alignment.runs import Run
    from corefkit.engines.scoring import Tables

_MOST_DOCUMENTS = 1 << 8
_MOST_ROWS = 1 << 16


def warnings(tables: Tables, run: Run) -> tuple[str, ...]:
    """Say where mentions hardly meet; the reason is looked for in some documents."""
    if run.meeting.is_sound:
        return ()
    sample = _sample(tables)
    if not sample:
        return meeting.warnings(run)
    key, response = _read(tables, sample)
    settings = replace(run.settings, scope="document", missing="empty")
    pairs = [Pair(key.ids.index(name), _at(response, name)) for name in sample]
    tried = run_of(key, response, pairs, settings=settings)
    tried.meeting = run.meeting
    # The others are there, and not looked at: the reason says so.
    others = len(tables.pairs) - len(sample)
    tried.numbers += [0] * others
    tried.partners += [None] * others
    return meeting.warnings(tried)


def _sample(tables: Tables) -> dict[str, Pair]:
    """Choose the first documents that both sides have, as many as are read soon."""
    key, response = tables.sources
    found: dict[str, Pair] = {}
    rows = 0
    for pair in tables.pairs:
        if pair.response is None:
            continue
        rows += key.rows[pair.key] + response.rows[pair.response]
        if found and (rows > _MOST_ROWS or len(found) >= _MOST_DOCUMENTS):
            break
        found[key.ids[pair.key]] = pair
    return found


def _read(tables: Tables, sample: dict[str, Pair]) -> tuple[TableSource, TableSource]:
    arrow, (ours, theirs) = pyarrow("sample"), tables.sources
    sides: Sequence[Sequence[str | int]] = (
        [ours.cells[pair.key] for pair in sample.values()],
        [theirs.cells[pair.response or 0] for pair in sample.values()],
    )
    mapping = {
        f"{role}_documents": documents_table(
            tables.engine, list(zip(cells, sample, sample, count(), strict=False))
        )
        for role, cells in zip(("key", "response"), sides, strict=True)
    }
    statement = plans.tagged(*tables.relations, mapped=True)
    batches = tables.engine.query(statement, {**tables.named, **mapping})
    frames = gathered_frames(arrow.Table.from_batches(list(batches)), tables.layouts)
    key, response = (TableSource(frame) for frame in frames)
    key.peers = response.peers = [key, response]
    return key, response


def _at(source: TableSource, name: str) -> int | None:
    return list(source.ids).index(name) if name in source.ids else None
