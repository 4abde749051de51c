"""B³ and CEAFe added up in the order, and with the rounding, of the reference scorer.

Its percentages are cut off: where a score is 20 %, it prints 20 or 19.99, by what the
last bits of a sum are. They are the same here where the same numbers are added in the
same order: for B³ the share of each response mention, for CEAFe one minus the cost of
each key entity. The other metrics count integers, which have one sum.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.metrics import METRICS
from corefkit.metrics.b_cubed import b_cubed
from corefkit.metrics.ceaf import alignment, ceaf_e, phi4

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.alignment.table import Overlap
    from corefkit.columns import Counts, Floats, Ints
    from corefkit.metrics.base import Metric
    from corefkit.metrics.reference.listed import ListedDocument


def as_it_adds(metrics: Iterable[Metric]) -> list[Metric]:
    """Take metrics that count the same, and add as the reference scorer does.

    >>> from corefkit import METRICS, score
    >>> key, response = ["abcdefghi"], ["a"]
    >>> score(key, response, metrics="ceaf_e")["ceaf_e"].precision
    0.2
    >>> metrics = as_it_adds([METRICS["ceaf_e"]])
    >>> score(key, response, metrics=metrics)["ceaf_e"].precision
    0.19999999999999996
    """
    return [_ADDED.get(metric.name, metric) for metric in metrics]


def added_in_order(rows: Counts) -> Counts:
    """Add the counts of documents up one after the other.

    >>> added_in_order(np.array([[0.1], [0.2], [0.3]])).tolist()
    [0.6000000000000001]
    """
    if len(rows):
        rows = np.add.accumulate(rows, axis=0)[-1:]
    total: Counts = rows.sum(axis=0)
    return total


def _b_cubed(table: Overlap) -> Counts:
    """Count B³ for each document; a table without its mentions has no order."""
    counts = b_cubed(table)
    if table.behind is None:
        return counts
    order = np.argsort(table.behind.alignment.response, kind="stable")
    return _shares_added(counts, table, table.cells_of_mentions()[order], table.shared)


def _b_cubed_listed(document: ListedDocument) -> Counts:
    """Count B³ of a document that repeats mentions."""
    table = document.last
    together = document.together(table)
    counts = b_cubed(table, together)
    entity, mention = document.response
    home = document.key_of[mention]
    width = max(len(table.response), 1)
    cells = table.key_entity * width + table.response_entity
    cell = np.searchsorted(cells, (home * width + entity)[home >= 0])
    return _shares_added(counts, table, cell, together)


def _shares_added(
    counts: Counts, table: Overlap, cell: Ints, together: Floats | Ints
) -> Floats:
    """Add the shares of response mentions, each by its cell, in their order."""
    document = table.document[cell]
    counts = counts.astype(np.float64)
    for column, size in ((0, table.key_size), (2, table.response_size)):
        counts[:, column] = _added((together / size)[cell], document, len(counts))
    return counts


def _ceaf_e(table: Overlap) -> Counts:
    """Count CEAFe for each document; chosen cells are in the order of the key."""
    counts = ceaf_e(table).astype(np.float64)
    weight = phi4(table.shared, table.key_size, table.response_size)
    chosen = alignment(table.key_entity, table.response_entity, weight)
    gain = 1 - (1 - weight[chosen])
    total = _added(gain, table.document[chosen], len(counts))
    counts[:, 0] = counts[:, 2] = total
    return counts


def _ceaf_e_listed(document: ListedDocument) -> Counts:
    return _ceaf_e(document.listed)


def _added(values: Floats, document: Ints, documents: int) -> Floats:
    """Add values up for each document, one after the other."""
    total = np.zeros(documents)
    np.add.at(total, document, values)
    return total


_ADDED = {
    "b_cubed": replace(METRICS["b_cubed"], count=_b_cubed, reference=_b_cubed_listed),
    "ceaf_e": replace(METRICS["ceaf_e"], count=_ceaf_e, reference=_ceaf_e_listed),
}
