"""One metric of a comparison as pages show it: best first, and who beats whom."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corefkit.report.comparison.words import BORDERLINE, IMPOSSIBLE, SIGNIFICANT
from corefkit.report.names import names_of, without_endings
from corefkit.report.ranking import BY_NAME, by_name
from corefkit.report.scores import short_label

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.analysis.compare.comparison import (
        Comparison,
        Interval,
        MetricComparison,
        PairResult,
        SystemResult,
    )

CONLL = "conll"
_ALL_ERRORS = "errors"
_OWN_ORDER = "best first"


@dataclass(frozen=True, slots=True)
class Standings:
    """The systems of one metric, and its pairs from the side of either."""

    metric: MetricComparison
    kind: str  # of the intervals to show
    names: Mapping[str, str]  # as pages call the systems
    systems: tuple[SystemResult, ...]  # the best first, or as somebody asked for
    pairs: Mapping[tuple[str, str], PairResult]
    order: str  # the order of the systems, in words

    @property
    def is_own_order(self) -> bool:
        """Whether the metric itself puts systems in order."""
        return self.order == _OWN_ORDER

    def interval(self, result: SystemResult | PairResult) -> Interval | None:
        """Give the interval to show, if there is one."""
        return result.intervals.get(self.kind)

    def is_won(self, pair: PairResult) -> bool:
        """Say whether the first of a pair is significantly better."""
        if not pair.is_significant:
            return False
        return pair.difference < 0 if self.metric.is_count else pair.difference > 0

    def beaten(self, name: str) -> list[int]:
        """Give the places of the systems that one is significantly better than."""
        pairs = [self.pairs.get((name, other.name)) for other in self.systems]
        return [place for place, pair in enumerate(pairs) if pair and self.is_won(pair)]

    @property
    def numbered(self) -> list[str]:
        """The names of the systems, each with its place."""
        room = len(str(len(self.systems)))
        return [
            f"{place:>{room}} {self.names[system.name]}"
            for place, system in enumerate(self.systems, start=1)
        ]

    def open_pairs(self) -> Iterator[PairResult]:
        """Go through the pairs without a significant difference."""
        return (pair for pair in self.metric.pairs if not pair.is_significant)


def standings_of(comparison: Comparison, metric: MetricComparison) -> Standings:
    """Put the systems of a metric in order: its own, or what somebody asked for."""
    lead = metric if comparison.order is None else None
    systems = {system.name: system for system in metric.systems}
    pairs = {(pair.a, pair.b): pair for pair in metric.pairs}
    pairs |= {(pair.b, pair.a): turned(pair) for pair in metric.pairs}
    return Standings(
        metric,
        comparison.procedure.interval,
        display_names(comparison),
        tuple(systems[name] for name in systems_in_order(comparison, lead)),
        pairs,
        order_words(comparison, metric),
    )


def systems_in_order(
    comparison: Comparison, lead: MetricComparison | None = None
) -> list[str]:
    """Name the systems in the order of a metric, or of what pages are sorted by."""
    order = comparison.order
    if lead is None and order is not None and order.metric == BY_NAME:
        return [comparison.systems[place] for place in by_name(comparison.systems)]
    return [system.name for system in (lead or lead_metric(comparison)).ranked]


def order_words(comparison: Comparison, metric: MetricComparison | None = None) -> str:
    """Say how systems are sorted where a metric is shown, or several are."""
    if comparison.order is None and metric is not None:
        return _OWN_ORDER
    if comparison.order is not None and comparison.order.metric == BY_NAME:
        return "by name"
    lead = lead_metric(comparison)
    if metric is lead or len(comparison.metrics) == 1:
        return _OWN_ORDER
    return f"{'fewest' if lead.is_count else 'best'} {short_label(lead.label)} first"


def display_names(comparison: Comparison) -> dict[str, str]:
    """Name systems by their files, if that is enough, without the files' endings."""
    names = without_endings(names_of(comparison.systems))
    return dict(zip(comparison.systems, names, strict=True))


def lead_metric(comparison: Comparison) -> MetricComparison:
    """Choose the metric that puts systems in order.

    It is what somebody asked for, or CoNLL, or the number of all errors, or the first
    that tells systems apart.
    """
    metrics, order = comparison.metrics, comparison.order
    if order is not None and order.metric != BY_NAME:
        return metrics[order.metric]
    for name in (CONLL, _ALL_ERRORS):
        if name in metrics:
            return metrics[name]
    first, *_ = metrics.values()
    return next(filter(_tells_apart, metrics.values()), first)


def _tells_apart(metric: MetricComparison) -> bool:
    return len({system.score for system in metric.systems}) > 1


def only_pair(comparison: Comparison, metric: MetricComparison) -> PairResult:
    """Give the pair of two systems; a baseline is what the other is compared with.

    Without a baseline, systems stay in the order of input unless they are sorted.
    """
    (pair,) = metric.pairs
    last = comparison.procedure.baseline
    if last is None and comparison.order is not None:
        last = systems_in_order(comparison)[-1]
    return turned(pair) if pair.a == last else pair


def turned(pair: PairResult) -> PairResult:
    """Look at a pair from the other side."""
    return replace(
        pair,
        a=pair.b,
        b=pair.a,
        difference=-pair.difference,
        intervals={
            kind: interval._replace(low=-interval.high, high=-interval.low)
            for kind, interval in pair.intervals.items()
        },
        won=pair.lost,
        lost=pair.won,
    )


def is_hopeless(pair: PairResult) -> bool:
    """Say whether a difference is too small in units to be ever significant."""
    return not pair.can_be_significant and pair.units_that_differ > 0


def mark_of(pair: PairResult) -> str:
    """Mark a pair that is significant, that could have been otherwise, or never is."""
    if is_hopeless(pair):
        return IMPOSSIBLE
    sign = SIGNIFICANT if pair.is_significant else ""
    return sign + (BORDERLINE if pair.is_borderline else "")
