"""Synthetic tables of mentions as Parquet, the same for the same seed.

Sizes of entities follow Zipf's law. The response lacks 15 % of the mentions, splits
15 % of the entities, merges 10 %, has 5 % of its mentions in other entities, and adds
10 % that the key lacks: it has 0.95 mentions for each of the key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import parquet

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.random import Generator
    from numpy.typing import NDArray

IN_DOCUMENT = 124  # mentions
_DROPPED, _SPLIT, _MERGED, _MOVED, _SPURIOUS = 0.15, 0.15, 0.10, 0.05, 0.10
_ZIPF = 2.0
_STEP = 4  # tokens from one mention to the next; a spurious one begins between them
_ROWS = 1 << 20  # written at a time


class Tables(NamedTuple):
    """A key and a response."""

    key: Path
    response: Path


class _Side(NamedTuple):
    document: NDArray[np.int64]
    entity: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]


def tables(
    folder: Path, mentions: int, *, across: bool = False, texts: bool = False
) -> Tables:
    """Write two tables, unless they are there.

    Entities lie inside documents, whose rows follow one another; `across`, they go
    through all documents, and rows are shuffled. `texts` makes ids of entities texts.
    """
    kind = f"{'across' if across else 'inside'}{'-texts' if texts else ''}-{mentions}"
    paths = Tables(*(folder / f"{kind}.{side}.parquet" for side in Tables._fields))
    if all(path.exists() for path in paths):
        return paths
    random = np.random.default_rng(mentions)
    key = _key(random, mentions, across=across)
    for path, side in zip(
        paths, (key, _response(random, key, across=across)), strict=True
    ):
        order = random.permutation(len(side.start)) if across else None
        _write(path, side, order, texts=texts)
    return paths


def _key(random: Generator, mentions: int, *, across: bool) -> _Side:
    number = np.arange(mentions)
    document = number // IN_DOCUMENT
    largest = mentions // 100 if across else IN_DOCUMENT // 4
    sizes = np.minimum(random.zipf(_ZIPF, mentions), largest)
    entity = np.repeat(number, sizes)[:mentions]
    order = random.permutation(mentions)
    if not across:
        order = order[np.argsort(order // IN_DOCUMENT, kind="stable")]
    start = number % IN_DOCUMENT * _STEP
    return _Side(
        document, entity[order], start, start + random.integers(3, size=mentions)
    )


def _response(random: Generator, key: _Side, *, across: bool) -> _Side:
    mentions = len(key.start)
    fate = random.random(mentions)  # of entities
    entity = key.entity.copy()
    merged = fate[entity] < _MERGED
    entity[merged] -= entity[merged] % 16 - 1 if across else 1
    split = (fate[key.entity] > 1 - _SPLIT) & (random.random(mentions) < 0.5)
    entity[split] += mentions
    other = _neighbours(random, mentions, across=across)
    moved = random.random(mentions) < _MOVED
    entity[moved] = key.entity[other][moved]
    there = np.flatnonzero(random.random(mentions) >= _DROPPED)
    added = np.flatnonzero(random.random(mentions) < _SPURIOUS)
    rows = np.concatenate((there, added))
    start = np.concatenate((key.start[there], key.start[added] + _STEP - 1))
    end = np.concatenate((key.end[there], key.start[added] + _STEP - 1))
    side = _Side(
        key.document[rows],
        np.concatenate((entity[there], key.entity[other[added]])),
        start,
        end,
    )
    order = np.argsort(side.document, kind="stable")
    return _Side(*(column[order] for column in side))


def _neighbours(random: Generator, mentions: int, *, across: bool) -> NDArray[np.int64]:
    """Choose another mention for each: of its document, or of any."""
    number = np.arange(mentions)
    if across:
        return random.permutation(number)
    first = number - number % IN_DOCUMENT
    size = np.minimum(first + IN_DOCUMENT, mentions) - first
    return first + (random.random(mentions) * size).astype(np.int64)


def _write(
    path: Path, side: _Side, order: NDArray[np.int64] | None, *, texts: bool
) -> None:
    entity = pa.string() if texts else pa.int64()
    schema = pa.schema(
        [
            ("document", pa.string()),
            ("entity", entity),
            ("start", pa.int32()),
            ("end", pa.int32()),
        ]
    )
    unready = path.with_suffix(".unready")
    with parquet.ParquetWriter(unready, schema) as writer:
        for first in range(0, len(side.start), _ROWS):
            rows = (
                slice(first, first + _ROWS) if order is None else order[first:][:_ROWS]
            )
            part = _Side(*(column[rows] for column in side))
            names = np.char.add("d", part.document.astype("U9"))
            ids = np.char.add("e", part.entity.astype("U9")) if texts else part.entity
            columns = [names, ids, part.start, part.end]
            writer.write_table(
                pa.table(
                    [
                        pa.array(c).cast(f.type)
                        for c, f in zip(columns, schema, strict=True)
                    ],
                    schema=schema,
                )
            )
    unready.rename(path)
