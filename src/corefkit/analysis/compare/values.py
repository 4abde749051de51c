"""A comparison as plain values: for JSON, and for data frames."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.analysis.compare.comparison import (
        Comparison,
        Interval,
        MetricComparison,
        PairResult,
        SystemResult,
    )
    from corefkit.analysis.compare.procedure import Procedure
    from corefkit.report.records import Value


def comparison_values(comparison: Comparison) -> dict[str, Value]:
    """Return the JSON of a comparison; a number that cannot be computed is null."""
    procedure = comparison.procedure
    values: dict[str, Value] = {
        "corefkit": VERSION,
        "signature": comparison.signature,
        "key": comparison.key,
        "units": comparison.units,
        "systems": [*comparison.systems],
        "warnings": [*comparison.warnings],
    }
    if comparison.notes:
        values["notes"] = [*comparison.notes]
    if comparison.refused:
        values["refused"] = [
            {"response": name, "reason": reason}
            for name, reason in comparison.refused.items()
        ]
    values["metrics"] = {
        name: _metric(metric, procedure) for name, metric in comparison.metrics.items()
    }
    return values


def _metric(metric: MetricComparison, procedure: Procedure) -> dict[str, Value]:
    return {
        "statistic": metric.statistic,
        "systems": {one.name: _system(one, procedure) for one in metric.systems},
        "pairs": [_pair(pair, procedure) for pair in metric.pairs],
        "strata": [
            {
                "name": stratum.name,
                "units": stratum.units,
                "scores": {name: _number(s) for name, s in stratum.scores.items()},
            }
            for stratum in metric.strata
        ],
        "family": {
            "pairs": len(metric.pairs),
            "correction": procedure.correction,
            "alpha": procedure.alpha,
        },
        "warnings": [*metric.warnings],
    }


def _system(system: SystemResult, procedure: Procedure) -> dict[str, Value]:
    return {
        "score": _number(system.score),
        "interval": _ends(system.intervals.get(procedure.interval)),
        "intervals": _intervals(system.intervals),
        "rank": system.rank,
        "letters": system.letters,
        **({"inverted": True} if system.is_inverted else {}),
        **({"undefined": system.undefined} if system.undefined else {}),
    }


def _pair(pair: PairResult, procedure: Procedure) -> dict[str, Value]:
    return {
        "a": pair.a,
        "b": pair.b,
        "difference": _number(pair.difference),
        "interval": _ends(pair.intervals.get(procedure.interval)),
        "intervals": _intervals(pair.intervals),
        "p": _number(pair.p),
        "p_adjusted": _number(pair.p_adjusted),
        "significant": pair.is_significant,
        "borderline": pair.is_borderline,
        "exact": pair.is_exact,
        "samples": pair.samples,
        "units_that_differ": pair.units_that_differ,
        "won": pair.won,
        "tied": pair.tied,
        "lost": pair.lost,
        "p_bootstrap": _number(pair.p_bootstrap),
        "not_better": _number(pair.not_better),
        "least_detectable": _number(pair.least_detectable),
    }


def _intervals(intervals: Mapping[str, Interval]) -> dict[str, Value]:
    return {kind: _ends(ends) for kind, ends in intervals.items()}


def _ends(interval: Interval | None) -> Value:
    if interval is None or any(map(math.isnan, interval)):
        return None
    return [_number(end) for end in interval]


def _number(number: float) -> Value:
    # JSON has no infinity; numpy's numbers become Python's.
    return float(number) if math.isfinite(number) else None


def system_records(comparison: Comparison) -> list[dict[str, Value]]:
    """Return a record for each metric and system."""
    procedure, signature = comparison.procedure, comparison.signature
    return [
        _flat(
            {"metric": metric.name, "statistic": metric.statistic, "system": one.name}
        )
        | _flat(_system(one, procedure))
        | {"signature": signature}
        for metric in comparison.metrics.values()
        for one in metric.systems
    ]


def pair_records(comparison: Comparison) -> list[dict[str, Value]]:
    """Return a record for each metric and pair of systems."""
    procedure, signature = comparison.procedure, comparison.signature
    return [
        _flat({"metric": metric.name, "statistic": metric.statistic})
        | _flat(_pair(pair, procedure))
        | {"signature": signature}
        for metric in comparison.metrics.values()
        for pair in metric.pairs
    ]


def _flat(values: dict[str, Value]) -> dict[str, Value]:
    """Write the interval as two numbers, and leave out those of other kinds."""
    flat: dict[str, Value] = {}
    for name, value in values.items():
        if name == "interval":
            low, high = value if isinstance(value, list) else (None, None)
            flat |= {"low": low, "high": high}
        elif name not in ("intervals", "inverted", "undefined"):
            flat[name] = value
    return flat
