"""A comparison as one rectangular table: a row for each metric and system, and pair.

The column `kind` tells rows apart. `system` is the system of a row, and `against` the
other one of a pair; `value` is the score of a system, or the difference of a pair, and
`low` and `high` are the ends of its interval. What a row does not have is empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report.comparison.standings import systems_in_order
from corefkit.report.records import csv_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.analysis.compare.comparison import Comparison, MetricComparison
    from corefkit.report.records import Value

_FIRST = ("kind", "metric", "statistic", "system", "against", "stratum", "value")
_SYSTEMS = ("system", "a", "b")  # fields of records that name systems
_LAST = ("reason", "signature")
# What the records of a comparison call otherwise.
_RENAMED = {"score": "value", "difference": "value", "a": "system", "b": "against"}


def csv_comparison(comparison: Comparison) -> str:
    """Write a row for each metric and system, pair and stratum, and each refusal."""
    rows = [*_rows(comparison)]
    filled = {field: None for row in rows for field in row}
    others = [field for field in filled if field not in (*_FIRST, *_LAST)]
    fields = [field for field in (*_FIRST, *others, *_LAST) if field in filled]
    return csv_rows([fields, *([row.get(field) for field in fields] for row in rows)])


def _rows(comparison: Comparison) -> Iterator[dict[str, Value]]:
    more: dict[str, Value] = {"units": comparison.units}
    order = comparison.systems
    if comparison.order is not None:
        order = tuple(systems_in_order(comparison))
    places = {name: place for place, name in enumerate(order)}
    for record in _in_order(comparison.to_records(), places):
        yield {"kind": "system", **_renamed(record), **more}
    for record in _in_order(comparison.to_records(pairs=True), places):
        yield {"kind": "pair", **_renamed(record), **more}
    last: dict[str, Value] = {"signature": comparison.signature}
    for metric in comparison.metrics.values():
        yield from (row | last for row in _strata(metric, order))
    for name, reason in comparison.refused.items():
        yield {"kind": "refused", "system": name, "reason": reason, **last}


def _in_order(
    records: Sequence[dict[str, Value]], places: Mapping[str, int]
) -> list[dict[str, Value]]:
    """Sort the records of each metric by the places of their systems."""
    metrics = [*dict.fromkeys(record["metric"] for record in records)]

    def place(record: dict[str, Value]) -> tuple[int, list[int]]:
        systems = [str(record[field]) for field in _SYSTEMS if field in record]
        return metrics.index(record["metric"]), sorted(map(places.__getitem__, systems))

    return sorted(records, key=place)


def _renamed(record: dict[str, Value]) -> dict[str, Value]:
    """Name fields alike in all rows, and write truths as spreadsheets do."""
    return {
        _RENAMED.get(field, field): str(value).upper()
        if isinstance(value, bool)
        else value
        for field, value in record.items()
    }


def _strata(
    metric: MetricComparison, systems: Sequence[str]
) -> Iterator[dict[str, Value]]:
    for stratum in metric.strata:
        for name in systems:
            yield {
                "kind": "stratum",
                "metric": metric.name,
                "statistic": metric.statistic,
                "system": name,
                "stratum": stratum.name,
                "value": stratum.scores[name],
                "units": stratum.units,
            }
