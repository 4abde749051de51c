"""The result of a comparison: values of systems, pairs and metrics."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from corefkit.metrics.registry import iter_metrics
from corefkit.results.frames import make_frame
from corefkit.settings import VERSION
from corefkit.strings import escape_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.analysis.compare.procedure import Procedure
    from corefkit.results.frames import Schema
    from corefkit.results.records import Value
    from corefkit.results.score_table import Order


class Interval(NamedTuple):
    """The ends of an interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SystemResult:
    """One system on one metric.

    Attributes:
        name: what the system is called.
        score: between 0 and 1; but a number of errors is as it was counted.
        intervals: those of the score, by kind.
        rank: 1 and the number of systems that are significantly better.
        letters: two systems differ if they share none; empty for too many systems.
        is_inverted: its rank is better than that of a system with a better score,
            because it differs from none above it.
        undefined: the share of draws with a ratio that has no denominator.
    """

    name: str
    score: float
    intervals: Mapping[str, Interval]
    rank: int = 1
    letters: str = ""
    is_inverted: bool = False
    undefined: float = 0.0


@dataclass(frozen=True, slots=True)
class PairResult:
    """Two systems on one metric; `a` comes first in the order of input.

    Attributes:
        a: the name of the first system.
        b: the name of the second.
        difference: the score of `a` less that of `b`.
        intervals: those of the difference, by kind.
        p: that of the test that decides.
        p_adjusted: the same, corrected for all pairs of the metric.
        is_exact: whether all swaps were enumerated.
        samples: how many swaps or draws `p` rests on.
        units_that_differ: how many units the two have other counts for.
        won: the texts in which `a` is better.
        tied: those in which neither is.
        lost: those in which `b` is better.
        p_bootstrap: that of the bootstrap.
        not_better: the share of draws in which the better one is not better.
        least_detectable: a difference that would mostly be seen.
        is_significant: whether the adjusted `p` is at most alpha.
        is_borderline: whether more samples could decide otherwise.
        can_be_significant: whether the least adjusted `p` to be had is at most alpha.
    """

    a: str
    b: str
    difference: float
    intervals: Mapping[str, Interval]
    p: float
    p_adjusted: float
    is_exact: bool
    samples: int
    units_that_differ: int
    won: int
    tied: int
    lost: int
    p_bootstrap: float
    not_better: float
    least_detectable: float
    is_significant: bool = False
    is_borderline: bool = False
    can_be_significant: bool = True


@dataclass(frozen=True, slots=True)
class StratumResult:
    """The scores of one stratum on one metric.

    Attributes:
        name: what the stratum is called.
        units: how many units it has.
        scores: the score of each system, by its name.
    """

    name: str
    units: int
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """One metric and statistic, which is one family of tests.

    Attributes:
        name: the name of the metric.
        label: how tables call it.
        statistic: `f1`, `recall`, `precision`, `value`, or `count` for errors.
        systems: the systems, in the order of input.
        pairs: all pairs, in the order of input; with a baseline, its own.
        strata: the scores of each stratum, where strata were asked for.
        warnings: why the results may not say what they should, one sentence each.
    """

    name: str
    label: str
    statistic: str
    systems: tuple[SystemResult, ...]
    pairs: tuple[PairResult, ...]
    strata: tuple[StratumResult, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def is_count(self) -> bool:
        """Whether errors are counted, so that fewer are better."""
        return self.statistic == "count"

    @property
    def ranked(self) -> tuple[SystemResult, ...]:
        """The systems, the best first; equal ones in the order of input."""
        from corefkit.results.score_table import order_best_first

        scores = [system.score for system in self.systems]
        places = order_best_first(scores, is_count=self.is_count)
        return tuple(self.systems[place] for place in places)


@dataclass(frozen=True, repr=False)
class Comparison:
    """Systems compared on one key.

    Attributes:
        key: what the user called the key.
        score_signature: the signature of the scores.
        procedure: what was tested, and how.
        documents: how many documents were scored.
        units: how many units were swapped and drawn.
        systems: the names of the systems, in the order of input.
        metrics: what was found, by metric.
        refused: systems that could not be scored, each with the reason.
        notes: what a user should know about the input, one sentence each.
        warnings: why the results may not say what they should, one sentence each.
        order: what tables sort systems by; they choose a metric if it is None.

    >>> import corefkit
    >>> key = {"one": ["abc", "de"], "two": ["fg", "hi"]}
    >>> worse = {"one": ["ab"], "two": ["fghi"]}
    >>> comparison = corefkit.compare(key, {"A": key, "B": worse}, metrics="lea")
    >>> comparison["lea"].pairs[0].p, comparison["lea"].systems[1].rank
    (0.5, 1)
    """

    key: str
    score_signature: str
    procedure: Procedure
    documents: int
    units: int
    systems: tuple[str, ...]
    metrics: Mapping[str, MetricComparison]
    refused: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    order: Order | None = None

    def __getitem__(self, name: str) -> MetricComparison:
        """Return what was found for a metric, the CoNLL mean, or a kind of error."""
        if name in self.metrics:
            return self.metrics[name]
        for metric in iter_metrics():
            if metric.is_called(name) and metric.name in self.metrics:
                return self.metrics[metric.name]
        message = f"no metric {name!r} was compared, only {', '.join(self.metrics)}"
        raise KeyError(message)

    def __iter__(self) -> Iterator[str]:
        """Go through the names of the metrics."""
        return iter(self.metrics)

    def __contains__(self, name: object) -> bool:
        """Say whether a metric was compared."""
        return name in self.metrics

    def __str__(self) -> str:
        """Return the table that `corefkit compare` prints, and what it warns of."""
        from corefkit.analysis.compare.comparison_text import COMPARISON_WRITERS

        warnings = [f"warning: {escape_terminal(warning)}" for warning in self.warnings]
        return "\n".join([COMPARISON_WRITERS["table"](self), *warnings])

    def _repr_html_(self) -> str:
        from corefkit.report.notebook import comparison_html

        return comparison_html(self)

    def __repr__(self) -> str:
        """Name what was compared, and how."""
        return f"<Comparison of {', '.join(self.systems)}: {self.signature}>"

    @property
    def signature(self) -> str:
        """The scores' signature and that of the procedure, to be cited with results."""
        return f"{self.score_signature}|{self.procedure.signature}"

    def sorted_by(self, sort: str) -> Comparison:
        """Return the same comparison, whose tables sort systems otherwise.

        Ranks stay those of the tests, and `systems` stays in the order of input.

        Args:
            sort: a metric, best first, or a number of errors, fewest first; or `name`.

        >>> import corefkit
        >>> found = corefkit.compare({"d": ["ab"]}, {"A": {"d": ["ab"]}}, metrics="muc")
        >>> found.sorted_by("muc").order
        Order(metric='muc', part='')
        """
        from corefkit.analysis.compare import parse_metric_order

        statistics = {name: one.statistic for name, one in self.metrics.items()}
        return replace(self, order=parse_metric_order(sort, statistics))

    def to_dict(self) -> dict[str, Value]:
        """Return what `corefkit compare --format json` prints, as plain values."""
        return comparison_values(self)

    def to_records(self, *, pairs: bool = False) -> list[dict[str, Value]]:
        """Return a record for each metric and system, or pair: data frame rows.

        >>> import corefkit
        >>> found = corefkit.compare({"d": ["ab"]}, {"A": {"d": ["ab"]}}, metrics="muc")
        >>> found.to_records()[0]["score"]
        1.0
        """
        return pair_records(self) if pairs else system_records(self)

    def to_frame(self, *, pairs: bool = False, library: str | None = None) -> Any:
        """Return the same records as a data frame.

        Args:
            pairs: whether to have pairs of systems in place of systems.
            library: `pandas` or `polars`; by default pandas, or Polars without it.

        Raises:
            CorefkitError: the library is not installed.

        >>> import corefkit
        >>> found = corefkit.compare({"d": ["ab"]}, {"A": {"d": ["ab"]}}, metrics="muc")
        >>> found.to_frame()["score"].to_list()
        [1.0]
        """
        return comparison_frame(self, pairs=pairs, library=library)


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


_METRIC: Schema = {"metric": "text", "statistic": "text"}
_SYSTEMS: Schema = {
    **_METRIC,
    "system": "text",
    "score": "number",
    "low": "number",
    "high": "number",
    "rank": "count",
    "letters": "text",
    "signature": "text",
}
_PAIRS: Schema = {
    **_METRIC,
    "a": "text",
    "b": "text",
    "difference": "number",
    "low": "number",
    "high": "number",
    "p": "number",
    "p_adjusted": "number",
    "significant": "truth",
    "borderline": "truth",
    "exact": "truth",
    "samples": "count",
    "units_that_differ": "count",
    "won": "count",
    "tied": "count",
    "lost": "count",
    "p_bootstrap": "number",
    "not_better": "number",
    "least_detectable": "number",
    "signature": "text",
}


def comparison_frame(
    comparison: Comparison, *, pairs: bool = False, library: str | None = None
) -> Any:
    """Make a frame of the records of a comparison."""
    rows = comparison.to_records(pairs=pairs)
    return make_frame(rows, _PAIRS if pairs else _SYSTEMS, library)
