"""What a comparison finds: values, from the systems of a metric up to the whole."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from corefkit.metrics import known_metrics
from corefkit.strings.escaping import for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.analysis.compare.procedure import Procedure
    from corefkit.report.ranking import Order
    from corefkit.report.records import Value


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
        from corefkit.report.ranking import best_first

        scores = [system.score for system in self.systems]
        places = best_first(scores, is_count=self.is_count)
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
        for metric in known_metrics():
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
        from corefkit.report.comparison import COMPARISON_WRITERS

        warnings = [f"warning: {for_terminal(warning)}" for warning in self.warnings]
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
        from corefkit.analysis.compare.sorting import order_of_metrics

        statistics = {name: one.statistic for name, one in self.metrics.items()}
        return replace(self, order=order_of_metrics(sort, statistics))

    def to_dict(self) -> dict[str, Value]:
        """Return what `corefkit compare --format json` prints, as plain values."""
        from corefkit.analysis.compare.values import comparison_values

        return comparison_values(self)

    def to_records(self, *, pairs: bool = False) -> list[dict[str, Value]]:
        """Return a record for each metric and system, or pair: data frame rows.

        >>> import corefkit
        >>> found = corefkit.compare({"d": ["ab"]}, {"A": {"d": ["ab"]}}, metrics="muc")
        >>> found.to_records()[0]["score"]
        1.0
        """
        from corefkit.analysis.compare.values import pair_records, system_records

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
        from corefkit.report.frames.comparisons import comparison_frame

        return comparison_frame(self, pairs=pairs, library=library)
