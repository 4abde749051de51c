"""A comparison as one rectangular table: a row for each metric and system, and pair.

The column `kind` tells rows apart. `system` is the system of a row, and `against` the
other one of a pair; `value` is the score of a system, or the difference of a pair, and
`low` and `high` are the ends of its interval. What a row does not have is empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report.records import csv_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.analysis.compare.comparison import Comparison, MetricComparison
    from corefkit.report.records import Value

_FIRST = ("kind", "metric", "statistic", "system", "against", "stratum", "value")
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
    for record in comparison.to_records():
        yield {"kind": "system", **_renamed(record), **more}
    for record in comparison.to_records(pairs=True):
        yield {"kind": "pair", **_renamed(record), **more}
    last: dict[str, Value] = {"signature": comparison.signature}
    for metric in comparison.metrics.values():
        yield from (row | last for row in _strata(metric))
    for name, reason in comparison.refused.items():
        yield {"kind": "refused", "system": name, "reason": reason, **last}


def _renamed(record: dict[str, Value]) -> dict[str, Value]:
    """Name fields alike in all rows, and write truths as spreadsheets do."""
    return {
        _RENAMED.get(field, field): str(value).upper()
        if isinstance(value, bool)
        else value
        for field, value in record.items()
    }


def _strata(metric: MetricComparison) -> Iterator[dict[str, Value]]:
    for stratum in metric.strata:
        for name, score in stratum.scores.items():
            yield {
                "kind": "stratum",
                "metric": metric.name,
                "statistic": metric.statistic,
                "system": name,
                "stratum": stratum.name,
                "value": score,
                "units": stratum.units,
            }
