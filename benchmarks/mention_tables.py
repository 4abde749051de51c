"""Synthetic tables of mentions for the benchmarks of engines, as Parquet.

Entities have Zipf sizes. The response lacks 15 % of the mentions; of the entities 15 %
are split and 10 % merged; 5 % of the mentions stand in another entity, and 10 % are
added. `document` tables have 124 mentions a document, entities inside them; in `corpus`
tables entities go through all documents. Rows of `corpus` tables are shuffled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.random import Generator
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

MENTIONS = 124  # a document
DROPPED, SPLIT, MERGED, MOVED, ADDED = 0.15, 0.15, 0.10, 0.05, 0.10
_ZIPF = 1.8
_LARGEST = {"document": 40, "corpus": 5_000}
_PART = 1 << 20  # mentions of a document table that are made at a time


class Side(NamedTuple):
    """Mentions: the number of their document, tokens, the number of their entity."""

    document: Ints
    start: Ints
    end: Ints
    entity: Ints


class Tables(NamedTuple):
    """The files of a benchmark."""

    key: Path
    response: Path


def tables(folder: Path, scope: str, mentions: int) -> Tables:
    """Write the tables of a scope, unless they are there already."""
    paths = Tables(*(folder / f"{scope}-{mentions}.{side}.parquet" for side in Tables._fields))
    if not all(path.exists() for path in paths):
        unready = [path.with_suffix(".unready") for path in paths]
        writers = [pq.ParquetWriter(path, _SCHEMA) for path in unready]
        for sides in _parts(scope, mentions):
            for writer, side in zip(writers, sides, strict=True):
                writer.write_table(_table(side))
        for writer, path, ready in zip(writers, unready, paths, strict=True):
            writer.close()
            path.rename(ready)
    return paths


_SCHEMA = pa.schema(
    [
        ("document", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("entity", pa.string()),
    ]
)


def _table(side: Side) -> pa.Table:
    text = [
        pa.array(np.char.mod(form, numbers))
        for form, numbers in (("d%07d", side.document), ("e%d", side.entity))
    ]
    columns = [text[0], pa.array(side.start), pa.array(side.end), text[1]]
    return pa.table(columns, schema=_SCHEMA)


def _parts(scope, mentions):
    random = np.random.default_rng(mentions)
    if scope == "corpus":
        yield [_shuffled(random, side) for side in _sides(random, scope, mentions, 0)]
        return
    part = _PART // MENTIONS * MENTIONS
    for first in range(0, mentions, part):
        size = min(part, mentions - first)
        yield _sides(random, scope, size, first // MENTIONS)


def _sides(random: Generator, scope: str, mentions: int, first: int) -> list[Side]:
    document = first + np.arange(mentions) // MENTIONS
    start = 3 * (np.arange(mentions) % MENTIONS)
    end = start + random.integers(0, 2, mentions)
    entity = _entities(random, mentions, _LARGEST[scope])
    if scope == "corpus":
        entity = random.permutation(entity)
    else:
        # Inside documents, whose mentions are in an order of their own.
        order = np.lexsort((random.random(mentions), document))
        entity = entity[order] + first * MENTIONS
    key = Side(document, start, end, entity)
    return [key, _response(random, key, scope)]


def _entities(random: Generator, mentions: int, largest: int) -> Ints:
    sizes = np.minimum(random.zipf(_ZIPF, mentions), largest)
    return np.repeat(np.arange(mentions), sizes)[:mentions]


def _response(random: Generator, key: Side, scope: str) -> Side:
    mentions = len(key.entity)
    low = int(key.entity.min())
    names = int(key.entity.max()) + 1 - low
    fate = random.random(names)
    split = (fate < SPLIT)[key.entity - low] & (random.random(mentions) < 0.5)
    merged = (fate > 1 - MERGED)[key.entity - low]
    entity = np.where(merged, key.entity ^ 1, key.entity) * 2 + split
    other = _others(random, mentions, scope)
    moved = random.random(mentions) < MOVED
    entity = np.where(moved, entity[other], entity)
    kept = random.random(mentions) >= DROPPED
    added = random.random(mentions) < ADDED
    return Side(
        np.concatenate((key.document[kept], key.document[added])),
        np.concatenate((key.start[kept], key.start[added] + 2)),
        np.concatenate((key.end[kept], key.start[added] + 2)),
        np.concatenate((entity[kept], entity[other][added])),
    )


def _others(random: Generator, mentions: int, scope: str) -> Ints:
    """Draw another mention for each; of its document, unless entities cross them."""
    if scope == "corpus":
        return random.integers(0, mentions, mentions)
    at = np.arange(mentions)
    first = at - at % MENTIONS
    size = np.minimum(mentions - first, MENTIONS)
    return first + (random.random(mentions) * size).astype(np.int64)


def _shuffled(random: Generator, side: Side) -> Side:
    order = random.permutation(len(side.entity))
    return Side(*(column[order] for column in side))
