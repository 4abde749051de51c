"""Tables of mentions for the tests with Spark, and what is the same in every bit."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from corefkit.engines.table_scoring import score_table
from corefkit.metrics.registry import find_metrics
from corefkit.settings import resolve_settings


def scored(engine, key, response, *, metrics=None, **settings):
    """Score two tables with an engine."""
    return score_table(
        engine,
        key,
        response,
        metrics=find_metrics(metrics),
        settings=resolve_settings(**settings),
    )


def exactly(evaluation):
    """Return what must be equal in every bit."""
    counts = {
        name: (rows.dtype.str, rows.shape, rows.tobytes())
        for name, rows in evaluation.counts.items()
    }
    scores = {name: evaluation[name] for name in evaluation}
    return evaluation.documents, counts, scores, evaluation.corpus


def by_document(evaluation):
    """Return the counts of each document and the scores, in whatever order."""
    rows = {
        document: {name: evaluation.counts[name][at].tolist() for name in evaluation}
        for at, document in enumerate(evaluation.documents)
    }
    scores = {name: evaluation[name] for name in evaluation}
    return rows, scores, evaluation.corpus, sorted(evaluation.missing)


def tables(documents, mentions, *, seed=0):
    """Make a key and a response with documents of uneven sizes."""
    random = np.random.default_rng(seed)
    sizes = random.integers(1, 2 * mentions, documents)
    sizes[0] *= 20  # one is much larger than the others
    document = np.repeat(np.arange(documents), sizes)
    start = np.arange(len(document)) * 2
    entity = random.zipf(1.5, len(document)) % (1 + sizes[document] // 3)
    kept = random.random(len(document)) < 0.85
    moved = np.where(random.random(len(document)) < 0.2, entity + 1, entity)
    key = _table(document, start, start + random.integers(0, 2, len(start)), entity)
    response = key.set_column(3, "entity", pa.array(np.char.mod("r%d", moved)))
    return key, response.filter(pa.array(kept))


def _table(document, start, end, entity):
    return pa.table(
        {
            "document": np.char.mod("d%03d", document).tolist(),
            "start": start,
            "end": end,
            "entity": pa.array(np.char.mod("k%d", entity)),
        }
    )
