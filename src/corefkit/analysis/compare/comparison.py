"""The result of a comparison: systems, pairs and metrics; records and JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from corefkit.analysis.compare.procedure import Procedure
from corefkit.metrics.registry import iter_metrics
from corefkit.results.frames import Schema, make_frame
from corefkit.results.records import Value
from corefkit.results.score_table import Order
from corefkit.settings import VERSION
from corefkit.strings import escape_terminal
from corefkit.tables.model import Note


class Interval(NamedTuple):
    """The ends of an interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SystemResult:
    """One system on one metric.

    Attributes:
        name: the name of the system.
        score: its score between 0 and 1, or its number of errors.
        intervals: the intervals of the score, by kind.
        rank: 1 and the number of systems that are significantly better.
        letters: two systems differ if they share none; empty for too many systems.
        is_inverted: its rank is better than that of a system with a better score,
            because fewer systems differ from it.
        undefined: the share of draws with a ratio that has no denominator.
        runs: the score of each run, of which `score` is the mean; empty for one run.
    """

    name: str
    score: float
    intervals: Mapping[str, Interval]
    rank: int = 1
    letters: str = ""
    is_inverted: bool = False
    undefined: float = 0.0
    runs: tuple[float, ...] = ()

    @property
    def deviation(self) -> float:
        """The standard deviation of the scores of several runs (n - 1)."""
        return float(np.std(self.runs, ddof=1)) if self.runs else math.nan


@dataclass(frozen=True, slots=True)
class PairResult:
    """Two systems on one metric; `a` comes first in the order of input.

    Attributes:
        a: the name of the first system.
        b: the name of the second.
        difference: the score of `a` minus that of `b`.
        intervals: the intervals of the difference, by kind.
        p: the p-value of the selected test.
        p_adjusted: the p-value, corrected for all pairs of the metric.
        is_exact: whether all swaps were enumerated.
        samples: the number of swaps or draws that `p` is based on.
        units_that_differ: the number of units in which the counts differ.
        won: the number of units in which `a` is better.
        tied: the number of units in which neither is better.
        lost: the number of units in which `b` is better.
        p_bootstrap: the p-value of the bootstrap.
        not_better: the share of draws in which the better system is not better.
        least_detectable: the difference that would be detected in four of five samples.
        is_significant: whether the adjusted `p` is at most alpha.
        is_borderline: whether more samples could decide otherwise.
        can_be_significant: whether the least possible adjusted `p` is at most alpha.
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

    @property
    def is_hopeless(self) -> bool:
        """Whether the systems differ, but in too few units to be significant."""
        return not self.can_be_significant and self.units_that_differ > 0


@dataclass(frozen=True, slots=True)
class StratumResult:
    """The scores of one stratum on one metric.

    Attributes:
        name: the name of the stratum.
        units: the number of its units.
        scores: the score of each system, by name.
    """

    name: str
    units: int
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """One metric and statistic, which is one family of tests.

    Attributes:
        name: the name of the metric.
        label: its name in tables.
        statistic: `f1`, `recall`, `precision`, `value`, or `count` for errors.
        systems: the systems, in the order of input.
        pairs: all pairs, or those with the baseline, in the order of input.
        strata: the scores of each stratum, if strata were requested.
        warnings: limitations of the results, one sentence each.
        tests: the number of tests that p-values are corrected for, if it is not that of
            the pairs.
    """

    name: str
    label: str
    statistic: str
    systems: tuple[SystemResult, ...]
    pairs: tuple[PairResult, ...]
    strata: tuple[StratumResult, ...] = ()
    warnings: tuple[str, ...] = ()
    tests: int = 0

    @property
    def is_count(self) -> bool:
        """Whether errors are counted, so that fewer are better."""
        return self.statistic == "count"

    @property
    def ranked(self) -> tuple[SystemResult, ...]:
        """The systems, best first; equal systems in the order of input."""
        from corefkit.results.score_table import order_best_first

        scores = [system.score for system in self.systems]
        order = order_best_first(scores, is_count=self.is_count)
        return tuple(self.systems[number] for number in order)


@dataclass(frozen=True, repr=False)
class Comparison:
    """Systems compared on one key.

    Attributes:
        key: the display name of the key.
        score_signature: the signature of the scores.
        procedure: the options of the comparison.
        documents: the number of documents that were scored.
        units: the number of units that were swapped and drawn.
        systems: the names of the systems, in the order of input.
        metrics: the results, by metric.
        refused: systems that could not be scored, each with the reason.
        notes: notes about the input, one sentence each.
        warnings: limitations of the results, one sentence each.
        order: the order of systems in tables; by default tables choose a metric.
        by: the name of the classes, if they were requested.
        classes: the comparison of the same systems on each class. All classes and pairs
            of a metric are one family of tests.

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
    by: str = ""
    classes: Mapping[str, Comparison] = field(default_factory=dict)

    def __getitem__(self, name: str) -> MetricComparison:
        """Return the results of a metric, the CoNLL mean, or a kind of error."""
        if name in self.metrics:
            return self.metrics[name]
        for metric in iter_metrics():
            if metric.is_called(name) and metric.name in self.metrics:
                return self.metrics[metric.name]
        message = f"no metric {name!r} was compared, only {', '.join(self.metrics)}"
        raise KeyError(message)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the metrics."""
        return iter(self.metrics)

    def __contains__(self, name: object) -> bool:
        """Return whether a metric was compared."""
        return name in self.metrics

    def __str__(self) -> str:
        """Return the table and warnings that `corefkit compare` prints."""
        from corefkit.analysis.compare.comparison_text import COMPARISON_WRITERS

        warnings = [f"warning: {escape_terminal(warning)}" for warning in self.warnings]
        return "\n".join([COMPARISON_WRITERS["table"](self), *warnings])

    def _repr_html_(self) -> str:
        from corefkit.analysis.compare.comparison_text import build_comparison_page
        from corefkit.report.notebook import render_fragment

        hint = "to_frame() has all metrics and systems, to_frame(pairs=True) all pairs"
        parts = build_comparison_page(self, names_options=False)
        return render_fragment([*parts, Note(hint)], warnings=self.warnings)

    def __repr__(self) -> str:
        """Name the systems and the signature."""
        return f"<Comparison of {', '.join(self.systems)}: {self.signature}>"

    @property
    def tests(self) -> int:
        """The number of tests of each metric, which are one family."""
        metrics = self.metrics.values()
        return max((metric.tests or len(metric.pairs) for metric in metrics), default=0)

    @property
    def signature(self) -> str:
        """The signature of scores and procedure, to be cited with results."""
        return f"{self.score_signature}|{self.procedure.signature}"

    def sorted_by(self, sort: str) -> Comparison:
        """Return the same comparison with another order of systems in tables.

        Ranks and the order of `systems` do not change.

        Args:
            sort: a metric, best first, or a number of errors, fewest first; or `name`.

        >>> import corefkit
        >>> systems = {"A": {"d": ["ab"]}}
        >>> comparison = corefkit.compare({"d": ["ab"]}, systems, metrics="muc")
        >>> comparison.sorted_by("muc").order
        Order(metric='muc', part='')
        """
        from corefkit.analysis.compare import parse_metric_order

        statistics = {name: metric.statistic for name, metric in self.metrics.items()}
        return replace(self, order=parse_metric_order(sort, statistics))

    def to_dict(self) -> dict[str, Value]:
        """Return what `corefkit compare --format json` prints, as plain values."""
        values: dict[str, Value] = {
            "corefkit": VERSION,
            "signature": self.signature,
            "key": self.key,
            "units": self.units,
            "systems": [*self.systems],
            "warnings": [*self.warnings],
        }
        if self.notes:
            values["notes"] = [*self.notes]
        if self.refused:
            values["refused"] = [
                {"response": name, "reason": reason}
                for name, reason in self.refused.items()
            ]
        values["metrics"] = {
            name: _dump_metric(metric, self.procedure)
            for name, metric in self.metrics.items()
        }
        if self.classes:
            values["by"] = self._dump_classes()
        return values

    def _dump_classes(self) -> dict[str, Value]:
        first = next(iter(self.classes.values()))
        return {
            "class": self.by,
            "signature": first.signature,
            "classes": {
                name: {
                    "units": part.units,
                    "warnings": [*part.warnings],
                    "metrics": part.to_dict()["metrics"],
                }
                for name, part in self.classes.items()
            },
        }

    def to_records(self, *, pairs: bool = False) -> list[dict[str, Value]]:
        """Return a record for each metric and system, or pair: data frame rows.

        If there are classes, `class` names them; it is None for all mentions.

        >>> import corefkit
        >>> systems = {"A": {"d": ["ab"]}}
        >>> comparison = corefkit.compare({"d": ["ab"]}, systems, metrics="muc")
        >>> comparison.to_records()[0]["score"]
        1.0
        """
        records = []
        schema = _PAIR_SCHEMA if pairs else _SYSTEM_SCHEMA
        for metric in self.metrics.values():
            rows = (
                [_dump_pair(pair, self.procedure) for pair in metric.pairs]
                if pairs
                else [
                    {"system": system.name, **_dump_system(system, self.procedure)}
                    for system in metric.systems
                ]
            )
            for row in rows:
                row["metric"], row["statistic"] = metric.name, metric.statistic
                ends = row["interval"]
                row["low"], row["high"] = ends if isinstance(ends, list) else [None] * 2
                row["signature"] = self.signature
                records.append({name: row[name] for name in schema})
        if not self.classes:
            return records
        return [{"class": None, **record} for record in records] + [
            {"class": name, **record}
            for name, part in self.classes.items()
            for record in part.to_records(pairs=pairs)
        ]

    def to_frame(self, *, pairs: bool = False, library: str | None = None) -> Any:
        """Return the same records as a data frame.

        Args:
            pairs: whether to have pairs of systems in place of systems.
            library: `pandas` or `polars`; by default pandas, or Polars without it.

        Raises:
            CorefkitError: the library is not installed.

        >>> import corefkit
        >>> systems = {"A": {"d": ["ab"]}}
        >>> comparison = corefkit.compare({"d": ["ab"]}, systems, metrics="muc")
        >>> comparison.to_frame()["score"].to_list()
        [1.0]
        """
        schema = _PAIR_SCHEMA if pairs else _SYSTEM_SCHEMA
        if self.classes:
            schema = {"class": "text", **schema}
        return make_frame(self.to_records(pairs=pairs), schema, library)


def _dump_metric(metric: MetricComparison, procedure: Procedure) -> dict[str, Value]:
    return {
        "statistic": metric.statistic,
        "systems": {
            system.name: _dump_system(system, procedure) for system in metric.systems
        },
        "pairs": [_dump_pair(pair, procedure) for pair in metric.pairs],
        "strata": [
            {
                "name": stratum.name,
                "units": stratum.units,
                "scores": {
                    name: _dump_number(score) for name, score in stratum.scores.items()
                },
            }
            for stratum in metric.strata
        ],
        "family": {
            "pairs": metric.tests or len(metric.pairs),
            "correction": procedure.correction,
            "alpha": procedure.alpha,
        },
        "warnings": [*metric.warnings],
    }


def _dump_system(system: SystemResult, procedure: Procedure) -> dict[str, Value]:
    return {
        "score": _dump_number(system.score),
        **_dump_intervals(system, procedure),
        "rank": system.rank,
        "letters": system.letters,
        **({"inverted": True} if system.is_inverted else {}),
        **({"undefined": system.undefined} if system.undefined else {}),
        **_dump_runs(system),
    }


def _dump_runs(system: SystemResult) -> dict[str, Value]:
    if not system.runs:
        return {}
    return {"deviation": system.deviation, "runs": [*system.runs]}


def _dump_pair(pair: PairResult, procedure: Procedure) -> dict[str, Value]:
    values = {
        name: getattr(pair, f"is_{name}" if kind == "truth" else name)
        for name, kind in _PAIR_FIELDS.items()
    }
    return {
        "a": pair.a,
        "b": pair.b,
        "difference": _dump_number(pair.difference),
        **_dump_intervals(pair, procedure),
        **{
            name: _dump_number(value) if isinstance(value, float) else value
            for name, value in values.items()
        },
    }


def _dump_intervals(
    result: SystemResult | PairResult, procedure: Procedure
) -> dict[str, Value]:
    intervals: dict[str, Value] = {
        kind: None if any(map(math.isnan, ends)) else [*map(_dump_number, ends)]
        for kind, ends in result.intervals.items()
    }
    return {"interval": intervals.get(procedure.interval), "intervals": intervals}


def _dump_number(number: float) -> Value:
    # JSON has no infinity; NumPy numbers become Python numbers.
    return float(number) if math.isfinite(number) else None


_SYSTEM_SCHEMA: Schema = {
    **dict.fromkeys(("metric", "statistic", "system"), "text"),
    **dict.fromkeys(("score", "low", "high"), "number"),
    "rank": "count",
    **dict.fromkeys(("letters", "signature"), "text"),
}
_PAIR_FIELDS: Schema = {
    **dict.fromkeys(("p", "p_adjusted"), "number"),
    **dict.fromkeys(("significant", "borderline", "exact"), "truth"),
    **dict.fromkeys(("samples", "units_that_differ", "won", "tied", "lost"), "count"),
    **dict.fromkeys(("p_bootstrap", "not_better", "least_detectable"), "number"),
}
_PAIR_SCHEMA: Schema = {
    **dict.fromkeys(("metric", "statistic", "a", "b"), "text"),
    **dict.fromkeys(("difference", "low", "high"), "number"),
    **_PAIR_FIELDS,
    "signature": "text",
}
