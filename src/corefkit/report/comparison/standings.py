"""One metric of a comparison as pages show it: best first, and who beats whom."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corefkit.formats import FORMATS
from corefkit.report.comparison.words import BORDERLINE, IMPOSSIBLE, SIGNIFICANT
from corefkit.report.names import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.analysis.compare.comparison import (
        Comparison,
        Interval,
        MetricComparison,
        PairResult,
        SystemResult,
    )

CONLL = "conll"
_ALL_ERRORS = "errors"
_STORED = ".json"  # what `score` printed before


@dataclass(frozen=True, slots=True)
class Standings:
    """The systems of one metric, and its pairs from the side of either."""

    metric: MetricComparison
    kind: str  # of the intervals to show
    names: Mapping[str, str]  # as pages call the systems
    systems: tuple[SystemResult, ...]  # the best first
    pairs: Mapping[tuple[str, str], PairResult]

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
    """Put the systems of a metric in order."""
    pairs = {(pair.a, pair.b): pair for pair in metric.pairs}
    pairs |= {(pair.b, pair.a): turned(pair) for pair in metric.pairs}
    return Standings(
        metric,
        comparison.procedure.interval,
        display_names(comparison),
        metric.ranked,
        pairs,
    )


def display_names(comparison: Comparison) -> dict[str, str]:
    """Name systems by their files, if that is enough, without the files' endings."""
    names = without_endings(names_of(comparison.systems))
    return dict(zip(comparison.systems, names, strict=True))


def without_endings(names: Sequence[str]) -> list[str]:
    """Leave out the endings of file names, unless two names become alike.

    >>> without_endings(["a.conll", "b.jsonl"]), without_endings(["a.conll", "a.jsonl"])
    (['a', 'b'], ['a.conll', 'a.jsonl'])
    >>> without_endings(["v1.2", "v2.2"])
    ['v1.2', 'v2.2']
    """
    of_formats = {ending for format in FORMATS.values() for ending in format.suffixes}
    endings = sorted(of_formats | {_STORED}, key=len, reverse=True)
    short = []
    for name in names:
        ending = next((end for end in endings if name.endswith(end)), "")
        short.append(name.removesuffix(ending) or name)
    return short if len({*short}) == len(short) else [*names]


def lead_metric(comparison: Comparison) -> MetricComparison:
    """Choose the metric that puts systems in order.

    It is CoNLL, or the number of all errors, or the first that tells systems apart.
    """
    metrics = comparison.metrics
    for name in (CONLL, _ALL_ERRORS):
        if name in metrics:
            return metrics[name]
    first, *_ = metrics.values()
    return next(filter(_tells_apart, metrics.values()), first)


def _tells_apart(metric: MetricComparison) -> bool:
    return len({system.score for system in metric.systems}) > 1


def only_pair(comparison: Comparison, metric: MetricComparison) -> PairResult:
    """Give the pair of two systems; a baseline is what the other is compared with."""
    (pair,) = metric.pairs
    return turned(pair) if pair.a == comparison.procedure.baseline else pair


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
