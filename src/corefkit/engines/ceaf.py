"""CEAF of very many cells: one round first, and a bound on what is left to align.

The best map is found here, on one machine. Most cells of real tables have no rival and
are settled by one round; what is left may still be one large knot. Where that is larger
than `MOST_LEFT`, the metric is refused, or bounds are given for it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.alignment.assignment import first_round
from corefkit.exceptions import SettingsError
from corefkit.metrics.base import Named

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from corefkit.alignment.table import Overlap
    from corefkit.columns import Floats, Ints
    from corefkit.metrics.base import Metric

MOST_CELLS = 20_000_000  # that are aligned without a look at them
MOST_LEFT = 2_000_000  # that are aligned after one round
_ROUNDS = 20


def counted_within(
    metric: Metric, table: Overlap, *, bounds: bool = False
) -> dict[str, tuple[Metric, NDArray[Any]]]:
    """Count a metric, or refuse an alignment that is too large.

    With `bounds`, such a metric becomes two: what it has at least, and at most.
    """
    similarity = _similarity(metric)
    if similarity is None or len(table.shared) <= MOST_CELLS:
        return {metric.name: (metric, metric.count(table))}
    weight = similarity(table.shared, table.key_size, table.response_size)
    like = np.flatnonzero(weight > 0)
    row, column, weight = (
        table.key_entity[like],
        table.response_entity[like],
        weight[like],
    )
    taken, left = first_round(row, column, weight)
    if len(left) <= MOST_LEFT:
        return {metric.name: (metric, metric.count(table))}
    if not bounds:
        message = (
            f"of {len(like):,} pairs of entities, {len(left):,} are left to align "
            f"after the first round, more than {MOST_LEFT:,}"
        )
        hint = f"--ceaf-bounds gives bounds; other metrics than {metric.name} need none"
        raise SettingsError(message, hint=hint)
    least = weight[taken].sum() + _mutual(row[left], column[left], weight[left])
    most = min(_best(row, weight).sum(), _best(column, weight).sum())
    sides = [similarity(*[side.size] * 3).sum() for side in (table.key, table.response)]
    found = {}
    for name, label, total in (("least", "at least", least), ("most", "at most", most)):
        bound = replace(
            metric, name=f"{metric.name}_{name}", label=f"{metric.label} {label}"
        )
        rows = np.array([[total, sides[0], total, sides[1]]], np.float64)
        found[bound.name] = (bound, rows)
    return found


def _similarity(metric: Metric) -> Callable[..., Floats] | None:
    """Find how a metric of the CEAF family compares entities; None for others."""
    count = metric.count
    if isinstance(count, Named) and count.module == "corefkit.metrics.ceaf":
        found = count.value
        if isinstance(found, partial):
            similarity: Callable[..., Floats] = found.keywords["similarity"]
            return similarity
    return None


def _mutual(row: Ints, column: Ints, weight: Floats) -> float:
    """Align cells that are the best of row and column, again and again."""
    total = 0.0
    for _ in range(_ROUNDS):
        if not len(row):
            break
        best = (weight == _best(row, weight)[row]) & (
            weight == _best(column, weight)[column]
        )
        cell = np.flatnonzero(best)
        cell = cell[np.unique(row[cell], return_index=True)[1]]
        cell = cell[np.unique(column[cell], return_index=True)[1]]
        total += float(weight[cell].sum())
        stays = ~(np.isin(row, row[cell]) | np.isin(column, column[cell]))
        row, column, weight = row[stays], column[stays], weight[stays]
    return total


def _best(line: Ints, weight: Floats) -> Floats:
    """Find the largest weight of each row or column."""
    best = np.zeros(int(line.max(initial=-1)) + 1)
    np.maximum.at(best, line, weight)
    return best
