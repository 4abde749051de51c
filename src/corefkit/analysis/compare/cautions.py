"""Why a comparison may not say what it seems to say, one sentence each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.analysis.compare.comparison import MetricComparison
    from corefkit.analysis.compare.procedure import Procedure

_FEW_UNITS = 20
_MOST_NAMES = 3  # that a sentence lists


def few_units(units: int, procedure: Procedure) -> list[str]:
    """Warn of intervals and tests that rest on few units.

    >>> from corefkit.analysis.compare.procedure import Procedure
    >>> few_units(2, Procedure(unit="document"))
    ['intervals and tests rest on few documents: 2']
    """
    if units >= _FEW_UNITS:
        return []
    if units == 1:
        return [f"one {procedure.unit} does not vary: it has no intervals, and no test"]
    return [f"intervals and tests rest on few {procedure.unit}s: {units}"]


def tested(metrics: Mapping[str, MetricComparison], procedure: Procedure) -> list[str]:
    """Say how many tests there were, and what was corrected for."""
    many = len(metrics)
    pairs = max((len(metric.pairs) for metric in metrics.values()), default=0)
    if not pairs:
        return []
    notes = []
    if many > 1:
        notes.append(f"{many} metrics were tested; p is not corrected across metrics")
    if pairs > 1 and procedure.correction == "none":
        notes.append(f"{pairs} pairs were tested, and p is not corrected for that")
    return notes


def cautions(metrics: Mapping[str, MetricComparison]) -> list[str]:
    """Put the warnings of all metrics together, and add what is borderline."""
    said: dict[str, list[str]] = {}
    for metric in metrics.values():
        for warning in metric.warnings:
            said.setdefault(warning, []).append(metric.label)
        close = [
            f"{pair.a} and {pair.b}" for pair in metric.pairs if pair.is_borderline
        ]
        if close:
            # The tables count them; a list of many would be long and of no use.
            which = ", ".join(close) if len(close) <= _MOST_NAMES else "many pairs"
            warning = f"borderline, more --samples could decide otherwise: {which}"
            said.setdefault(warning, []).append(metric.label)
    return [f"{_listed(labels)}: {warning}" for warning, labels in said.items()]


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMES
    listed = ", ".join(names[:_MOST_NAMES])
    return f"{listed} and {more} more" if more > 0 else listed
