"""Comparisons for people and programs: one function for each format.

Several metrics have an overview. Details follow for a few: for the requested metrics,
as long as they are few, or else for the one that systems are sorted by, or the CoNLL
score. The metrics that the CoNLL score averages have no details next to it.

A table for a paper has systems by metrics, and a caption that names the test. The
letters above a score are the systems that it is significantly better than, as in the
tables of ranx. More than 26 systems have numbers instead of letters.

The CSV has a row for each metric and system, and pair; its column `kind` tells rows
apart. `system` is the system of a row, and `against` the other one of a pair; `value`
is the score of a system, or the difference of a pair, and `low` and `high` are the ends
of its interval. Fields that do not apply are empty.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import inf, isfinite, isnan
from string import ascii_lowercase
from typing import TYPE_CHECKING

from corefkit.metrics.registry import CONLL
from corefkit.results.records import format_csv, format_json
from corefkit.results.score_table import (
    BY_NAME,
    list_refused,
    order_by_name,
    shorten_label,
)
from corefkit.tables.latex import render_latex
from corefkit.tables.markdown import render_markdown
from corefkit.tables.model import (
    Bullet,
    Bullets,
    Cell,
    Column,
    Emphasis,
    Heading,
    Note,
    Paragraph,
    Table,
)
from corefkit.tables.terminal import label_paths, render_terminal, strip_suffixes

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from corefkit.analysis.compare.comparison import (
        Comparison,
        Interval,
        MetricComparison,
        PairResult,
        SystemResult,
    )
    from corefkit.analysis.compare.procedure import Procedure
    from corefkit.results.records import Value
    from corefkit.tables.model import Part

UNKNOWN = "-"
SIGNIFICANT = "*"
BORDERLINE = "~"
IMPOSSIBLE = "°"
INVERTED = "†"
LEAST_SHOWN = 0.0001
_STATISTICS = {"f1": "F1", "count": "errors"}
_TESTS = {
    "randomization": "paired randomization test",
    "bootstrap": "paired bootstrap test",
    "t": "paired t-test over documents",
}
_KINDS = {
    "expanded": "expanded percentile",
    "percentile": "percentile",
    "bca": "BCa",
    "t": "t with the bootstrap's standard error",
}


def format_count(number: int, word: str) -> str:
    """Write a number of things.

    >>> format_count(1, "text"), format_count(10_000, "shuffle")
    ('1 text', '10,000 shuffles')
    """
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def format_number(metric: MetricComparison, value: float, *, sign: str = "") -> str:
    """Write a score or a difference: in points, or errors as they are counted."""
    if not isfinite(value):
        return UNKNOWN
    value, digits = (value, 0) if metric.is_count else (100 * value, 2)
    rounded = round(value, digits) + 0.0  # never a zero with a minus
    return f"{rounded:{sign if rounded else ''}.{digits}f}"


def format_difference(metric: MetricComparison, value: float) -> str:
    """Write a difference with its sign."""
    return format_number(metric, value, sign="+")


def format_interval(metric: MetricComparison, interval: Interval | None) -> str:
    """Write the ends of an interval, if there is one: a single unit gives none."""
    if interval is None or not all(map(isfinite, interval)):
        return UNKNOWN
    low, high = (format_number(metric, end) for end in interval)
    return f"[{low}, {high}]"


def format_p(p: float) -> str:
    """Write a p-value.

    >>> format_p(0.140625), format_p(1 / 10_001)
    ('0.1406', '< 0.0001')
    """
    if not isfinite(p):
        return UNKNOWN
    return f"< {LEAST_SHOWN}" if p < LEAST_SHOWN else f"{p:.4f}"


def format_short_p(p: float) -> str:
    """Write a p-value where there is little room."""
    return format_p(p).replace(" ", "")


def name_statistic(statistic: str) -> str:
    """Name a statistic as tables do."""
    return _STATISTICS.get(statistic, statistic)


def make_title(metric: MetricComparison) -> str:
    """Name a metric with what is compared of it."""
    if metric.is_count:
        return f"{metric.label} (fewer are better)"
    if metric.statistic == "value":
        return metric.label
    return f"{metric.label} {name_statistic(metric.statistic)}"


def format_percent(share: float) -> str:
    """Write a share without digits that say nothing.

    >>> format_percent(0.95), format_percent(0.0213)
    ('95%', '2.13%')
    """
    return f"{round(100 * share, 2):g}%"


def name_interval(procedure: Procedure) -> str:
    """Name the intervals of a table."""
    return f"{format_percent(1 - procedure.alpha)} interval"


def describe_test(procedure: Procedure, baseline: str = "", *, of: str = "") -> str:
    """Name the test, what of, and its side."""
    words = _TESTS.get(procedure.test, procedure.test) + (f" of {of}" if of else "")
    match procedure.alternative:
        case "greater":
            return f"one-sided {words} (greater than {baseline})"
        case "less":
            return f"one-sided {words} (less than {baseline})"
        case _:
            return f"two-sided {words}"


def describe_samples(comparison: Comparison) -> str:
    """Say how often units were swapped or drawn for the p-values."""
    procedure = comparison.procedure
    if procedure.test == "t":
        return format_count(comparison.documents, "document")
    unit = procedure.unit
    samples = format_count(procedure.samples, "shuffle")
    if procedure.test == "bootstrap":
        return f"{format_count(procedure.samples, 'draw')} of {unit}s"
    exact = {
        pair.is_exact for metric in comparison.metrics.values() for pair in metric.pairs
    }
    if exact == {True}:
        return f"all ways to swap {unit}s (exact)"
    if exact == {False}:
        return f"{samples} of {unit}s"
    return f"{samples} of {unit}s, or all (exact) where few {unit}s differ"


def describe_correction(comparison: Comparison) -> str:
    """Say how p-values were corrected, and over how many pairs."""
    pairs = max(
        (len(metric.pairs) for metric in comparison.metrics.values()), default=0
    )
    name = comparison.procedure.correction
    if pairs < 2:
        return ""
    if name == "none":
        return f"no correction for {pairs} pairs"
    many = " of each metric" if len(comparison.metrics) > 1 else ""
    return f"{name.capitalize()} correction over the {pairs} pairs{many}"


def is_adjusted(comparison: Comparison) -> bool:
    """Say whether p-values were corrected for several pairs."""
    return bool(describe_correction(comparison)) and (
        comparison.procedure.correction != "none"
    )


def describe_intervals(comparison: Comparison) -> str:
    """Say how intervals were made."""
    procedure = comparison.procedure
    kind = _KINDS.get(procedure.interval, procedure.interval)
    draws = format_count(procedure.samples, "draw")
    within = " within strata" if procedure.strata is not None else ""
    return f"{format_percent(1 - procedure.alpha)} intervals: {kind}, {draws}{within}"


def explain_impossible(pairs: Sequence[PairResult], comparison: Comparison) -> str:
    """Say why pairs cannot be significant, whatever the scores.

    With n units that differ there are 2^n ways to swap them, and two of these are as
    extreme as the most extreme. Of N samples, p is at least 1 / (N + 1).
    """
    procedure = comparison.procedure
    if not isfinite(pairs[0].p):
        return "there is no p, as nothing varies"
    if pairs[0].is_exact:
        least, why = _few_units(pairs, procedure)
    else:
        least = 1 / (procedure.samples + 1)
        what = "draw" if procedure.test == "bootstrap" else "shuffle"
        why = f"there are only {format_count(procedure.samples, what)}"
    text = f"{why}, so p is at least {format_p(least)}"
    tests = max(len(metric.pairs) for metric in comparison.metrics.values())
    if least <= procedure.alpha and tests > 1:
        text += f", and more after the correction over {tests} pairs"
    return text if pairs[0].is_exact else f"{text}: take more --samples"


def _few_units(pairs: Iterable[PairResult], procedure: Procedure) -> tuple[float, str]:
    """Give the least p of pairs that differ in few units, and say how many."""
    numbers = sorted({pair.units_that_differ for pair in pairs})
    few = " to ".join(str(end) for end in dict.fromkeys((numbers[0], numbers[-1])))
    sides = 1 if procedure.alternative == "two-sided" else 0
    differ = "differs" if numbers == [1] else "differ"
    units = procedure.unit if numbers == [1] else f"{procedure.unit}s"
    return min(1.0, 2.0 ** (sides - numbers[-1])), f"only {few} {units} {differ}"


def format_runs(numbers: Sequence[int], labels: Sequence[str]) -> str:
    """Name numbers in order by their labels; three and more in a row as a run.

    >>> (
    ...     format_runs([0, 1, 2, 4], "abcde"),
    ...     format_runs([1, 2], "abc"),
    ...     format_runs([], ""),
    ... )
    ('a-c,e', 'bc', '')
    >>> format_runs([0, 1, 2, 4], ["1", "2", "3", "4", "10"])
    '1-3,10'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = []
    for run in runs:
        names = [labels[number] for number in run]
        texts += [f"{names[0]}-{names[-1]}"] if len(run) > 2 else names
    are_letters = all(len(text) == 1 and text.isalpha() for text in texts)
    return ("" if are_letters else ",").join(texts)


CONLL_MEAN = "conll"
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


def make_standings(comparison: Comparison, metric: MetricComparison) -> Standings:
    """Put the systems of a metric in order: its own, or what somebody asked for."""
    lead = metric if comparison.order is None else None
    systems = {system.name: system for system in metric.systems}
    pairs = {(pair.a, pair.b): pair for pair in metric.pairs}
    pairs |= {(pair.b, pair.a): swap_pair(pair) for pair in metric.pairs}
    return Standings(
        metric,
        comparison.procedure.interval,
        label_systems(comparison),
        tuple(systems[name] for name in order_systems(comparison, lead)),
        pairs,
        describe_order(comparison, metric),
    )


def order_systems(
    comparison: Comparison, lead: MetricComparison | None = None
) -> list[str]:
    """Name the systems in the order of a metric, or of what pages are sorted by."""
    order = comparison.order
    if lead is None and order is not None and order.metric == BY_NAME:
        return [
            comparison.systems[place] for place in order_by_name(comparison.systems)
        ]
    return [system.name for system in (lead or find_lead_metric(comparison)).ranked]


def describe_order(
    comparison: Comparison, metric: MetricComparison | None = None
) -> str:
    """Say how systems are sorted where a metric is shown, or several are."""
    if comparison.order is None and metric is not None:
        return _OWN_ORDER
    if comparison.order is not None and comparison.order.metric == BY_NAME:
        return "by name"
    lead = find_lead_metric(comparison)
    if metric is lead or len(comparison.metrics) == 1:
        return _OWN_ORDER
    return f"{'fewest' if lead.is_count else 'best'} {shorten_label(lead.label)} first"


def label_systems(comparison: Comparison) -> dict[str, str]:
    """Name systems by their files, if that is enough, without the files' endings."""
    names = strip_suffixes(label_paths(comparison.systems))
    return dict(zip(comparison.systems, names, strict=True))


def find_lead_metric(comparison: Comparison) -> MetricComparison:
    """Choose the metric that puts systems in order.

    It is what somebody asked for, or CoNLL, or the number of all errors, or the first
    that tells systems apart.
    """
    metrics, order = comparison.metrics, comparison.order
    if order is not None and order.metric != BY_NAME:
        return metrics[order.metric]
    for name in (CONLL_MEAN, _ALL_ERRORS):
        if name in metrics:
            return metrics[name]
    first, *_ = metrics.values()
    return next(filter(_tells_apart, metrics.values()), first)


def _tells_apart(metric: MetricComparison) -> bool:
    return len({system.score for system in metric.systems}) > 1


def get_pair(comparison: Comparison, metric: MetricComparison) -> PairResult:
    """Give the pair of two systems; a baseline is what the other is compared with.

    Without a baseline, systems stay in the order of input unless they are sorted.
    """
    (pair,) = metric.pairs
    last = comparison.procedure.baseline
    if last is None and comparison.order is not None:
        last = order_systems(comparison)[-1]
    return swap_pair(pair) if pair.a == last else pair


def swap_pair(pair: PairResult) -> PairResult:
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


def get_mark(pair: PairResult) -> str:
    """Mark a pair that is significant, that could have been otherwise, or never is."""
    if is_hopeless(pair):
        return IMPOSSIBLE
    sign = SIGNIFICANT if pair.is_significant else ""
    return sign + (BORDERLINE if pair.is_borderline else "")


MOST_BESIDE = 5  # systems that stand beside each other if there are more metrics
_TIGHT, _WIDE = 1, 2  # blanks between columns
RANK = "#"  # the head of columns of ranks
BETTER, WORSE = "+", "-"  # than the baseline


def build_overview(comparison: Comparison) -> Table:
    """Show the score of every system on every metric."""
    if len(comparison.systems) == 1:
        return _alone(comparison)
    if len(comparison.systems) == 2:
        return _two_systems_grid(comparison)
    metrics = comparison.metrics.values()
    order = order_systems(comparison)
    names = label_systems(comparison)
    scores = {metric.name: _scores(comparison, metric) for metric in metrics}
    caption = _caption(comparison)
    left = Column("", "left")
    if len(order) <= MOST_BESIDE < len(scores):
        heads = [
            head for name in order for head in _score_columns(comparison, names[name])
        ]
        rows = [
            (
                Cell(metric.label),
                *(cell for name in order for cell in scores[metric.name][name]),
            )
            for metric in metrics
        ]
        return Table((left, *heads), tuple(rows), caption, gap=_TIGHT)
    labels = [shorten_label(metric.label) for metric in metrics]
    heads = [head for label in labels for head in _score_columns(comparison, label)]
    return Table(
        (left, *heads),
        tuple(
            (
                Cell(names[name]),
                *(cell for metric in metrics for cell in scores[metric.name][name]),
            )
            for name in order
        ),
        caption,
        first="names",
        gap=_TIGHT if len(scores) > MOST_BESIDE else _WIDE,
    )


def _score_columns(comparison: Comparison, name: str) -> list[Column]:
    """Make the columns of a metric or system: its scores and ranks."""
    if comparison.procedure.baseline is not None:
        return [Column(name, is_name=True)]
    return [Column("", group=name), Column(RANK, group=name)]


def make_metric_columns(metrics: Iterable[MetricComparison]) -> list[Column]:
    """Make a column for each metric; without brackets, there is room for more."""
    return [Column(shorten_label(metric.label)) for metric in metrics]


def _caption(comparison: Comparison) -> str:
    metrics = comparison.metrics.values()
    marks = "" if comparison.procedure.baseline else f" and rank ({RANK})"
    return f"{describe_statistics(metrics)}{marks}, {describe_order(comparison)}"


def _scores(
    comparison: Comparison, metric: MetricComparison
) -> dict[str, tuple[Cell, ...]]:
    """Return each system's score and rank, or if it is better than the baseline."""
    if comparison.procedure.baseline is None:
        return {
            system.name: (
                Cell(format_number(metric, system.score)),
                Cell(str(system.rank), INVERTED if system.is_inverted else ""),
            )
            for system in metric.systems
        }
    standings = make_standings(comparison, metric)
    cells: dict[str, tuple[Cell, ...]] = {}
    for system in metric.systems:
        pair = standings.pairs.get((system.name, comparison.procedure.baseline))
        mark = ""
        if pair is not None and pair.is_significant:
            mark = BETTER if standings.is_won(pair) else WORSE
        cells[system.name] = (Cell(format_number(metric, system.score), mark),)
    return cells


def _alone(comparison: Comparison) -> Table:
    """Show the intervals of one system."""
    kind = comparison.procedure.interval
    rows = [
        (
            Cell(metric.label),
            Cell(format_number(metric, system.score)),
            Cell(format_interval(metric, system.intervals.get(kind))),
        )
        for metric in comparison.metrics.values()
        for system in metric.systems
    ]
    (name,) = label_systems(comparison).values()
    heads = [
        Column(describe_statistics(comparison.metrics.values())),
        Column(name_interval(comparison.procedure)),
    ]
    return Table((Column("", "left"), *heads), tuple(rows), name)


def describe_statistics(metrics: Collection[MetricComparison]) -> str:
    """Say what the numbers of metrics are, as in "F1, of α the value"."""
    kinds = {metric.statistic: None for metric in metrics}
    if "value" in kinds and len(kinds) > 1:
        del kinds["value"]
        valued = [
            shorten_label(metric.label)
            for metric in metrics
            if metric.statistic == "value"
        ]
        kinds[f"of {', '.join(valued)} the value"] = None
    text = ", ".join(map(name_statistic, kinds))
    return text[0].upper() + text[1:]


def _two_systems_grid(comparison: Comparison) -> Table:
    """Show two systems, a row for each metric."""
    kind = comparison.procedure.interval
    rows = []
    for metric in comparison.metrics.values():
        pair = get_pair(comparison, metric)
        scores = {system.name: system.score for system in metric.systems}
        rows.append(
            (
                Cell(metric.label),
                *(
                    Cell(format_number(metric, scores[name]))
                    for name in (pair.a, pair.b)
                ),
                Cell(format_difference(metric, pair.difference), get_mark(pair)),
                Cell(format_interval(metric, pair.intervals.get(kind))),
                Cell(format_short_p(pair.p)),
            )
        )
    pair = get_pair(comparison, find_lead_metric(comparison))
    names = label_systems(comparison)
    heads = [
        *(Column(names[name], is_name=True) for name in (pair.a, pair.b)),
        Column("Difference", short="Diff."),
        Column(name_interval(comparison.procedure), short="Interval"),
        Column("p"),
    ]
    return Table(
        (Column("", "left"), *heads),
        tuple(rows),
        describe_statistics(comparison.metrics.values()),
    )


WON_TIED_LOST = "W/T/L"
_LEFT = Column("", "left")
_MOST_WITH_ROOM = 6  # systems


def build_matrix(comparison: Comparison, standings: Standings) -> Table:
    """Show the difference of each pair above the diagonal, adjusted p below."""
    metric = standings.metric
    rows = []
    for row, (name, system) in enumerate(
        zip(standings.numbered, standings.systems, strict=True)
    ):
        cells = [Cell(name)]
        for column, other in enumerate(standings.systems):
            pair = standings.pairs.get((system.name, other.name))
            if pair is None:
                cells.append(Cell(""))
            elif row < column:
                text = format_number(metric, pair.difference)
                cells.append(Cell(text, get_mark(pair)))
            else:
                cells.append(Cell(format_short_p(pair.p_adjusted)))
        rows.append(tuple(cells))
    heads = [Column(str(place)) for place in range(1, len(rows) + 1)]
    p = "adjusted p" if is_adjusted(comparison) else "p"
    return Table(
        (_LEFT, *heads),
        tuple(rows),
        f"Differences above the diagonal, {p} below",
        first="names",
        gap=_WIDE if len(rows) <= _MOST_WITH_ROOM else _TIGHT,
    )


def build_pair_table(comparison: Comparison, standings: Standings) -> Table:
    """Show all of each pair by the numbers of the ranking.

    The better one comes first, unless systems are sorted by something else.
    """
    is_own = standings.is_own_order
    written = format_number if is_own else format_difference
    places = enumerate(standings.systems, start=1)
    rows = []
    for (one, first), (other, second) in combinations(places, 2):
        pair = standings.pairs[first.name, second.name]
        text = written(standings.metric, pair.difference)
        cells = _pair_cells(comparison, standings, pair, has_bootstrap=True)
        rows.append((Cell(f"{one} and {other}"), Cell(text, get_mark(pair)), *cells))
    heads = _pair_heads(comparison, has_bootstrap=True)
    what = "the better one first" if is_own else "with the difference of the first"
    return Table((_LEFT, *heads), tuple(rows), f"Pairs, {what}")


def build_baseline_table(comparison: Comparison, standings: Standings) -> Table:
    """Show a row for each system, with its difference to the baseline."""
    metric, baseline = standings.metric, comparison.procedure.baseline
    heads = _pair_heads(comparison)
    rows = []
    for system in standings.systems:
        score = Cell(format_number(metric, system.score))
        pair = standings.pairs.get((system.name, baseline or ""))
        if pair is None:
            cells = [Cell("baseline"), *[Cell("")] * (len(heads) - 1)]
        else:
            text = format_difference(metric, pair.difference)
            more = _pair_cells(comparison, standings, pair)
            cells = [Cell(text, get_mark(pair)), *more]
        rows.append((Cell(standings.names[system.name]), score, *cells))
    score_head = Column(name_statistic(metric.statistic).capitalize())
    title = f"{make_title(metric)}, {standings.order}"
    return Table((_LEFT, score_head, *heads), tuple(rows), title, first="names")


def _pair_heads(comparison: Comparison, *, has_bootstrap: bool = False) -> list[Column]:
    heads = ["p", "adj. p"] if is_adjusted(comparison) else ["p"]
    if has_bootstrap and comparison.procedure.test != "bootstrap":
        heads.append("boot. p")
    return [
        Column("Diff."),
        Column(name_interval(comparison.procedure), short="Interval"),
        *map(Column, heads),
        Column(WON_TIED_LOST),
    ]


def _pair_cells(
    comparison: Comparison,
    standings: Standings,
    pair: PairResult,
    *,
    has_bootstrap: bool = False,
) -> list[Cell]:
    """Give what stands behind the difference of a pair; there is no p twice."""
    ps = [pair.p, pair.p_adjusted] if is_adjusted(comparison) else [pair.p]
    if has_bootstrap and comparison.procedure.test != "bootstrap":
        ps.append(pair.p_bootstrap)
    return [
        Cell(format_interval(standings.metric, standings.interval(pair))),
        *(Cell(format_short_p(p)) for p in ps),
        Cell(f"{pair.won}/{pair.tied}/{pair.lost}"),
    ]


MOST_IN_MATRIX = 8  # systems
MOST_IN_LIST = 5  # systems, whose pairs have a row each
LETTERS = "Letters"
_SHARES = ("f1", "recall", "precision")  # statistics between 0 and 1


def build_details(
    comparison: Comparison,
    standings: Standings,
    *,
    most_in_matrix: int = MOST_IN_MATRIX,
) -> Iterator[Part]:
    """Show what was found on one metric; a matrix of so many systems at most."""
    if len(standings.systems) == 2:
        yield _two_systems_items(comparison, standings)
    elif comparison.procedure.baseline is not None:
        yield build_baseline_table(comparison, standings)
    elif len(standings.systems) > 2:
        yield _ranking(comparison, standings)
        if len(standings.systems) <= most_in_matrix:
            yield build_matrix(comparison, standings)
        if len(standings.systems) <= MOST_IN_LIST:
            yield build_pair_table(comparison, standings)
    if len(standings.systems) > 2:
        for text in describe_limits(standings, comparison.procedure.unit):
            yield Paragraph(f"For pairs without significance, {text}.")
    if standings.metric.strata:
        yield _strata_grid(comparison, standings)


def _two_systems_items(comparison: Comparison, standings: Standings) -> Bullets:
    metric, names = standings.metric, standings.names
    pair = get_pair(comparison, metric)
    systems = {system.name: system for system in metric.systems}
    scores = [
        f"{names[system.name]} {format_number(metric, system.score)} "
        f"{format_interval(metric, standings.interval(system))}".removesuffix(
            f" {UNKNOWN}"
        )
        for system in (systems[pair.a], systems[pair.b])
    ]
    items = [
        Bullet(_difference(comparison, standings, pair), "Difference"),
        Bullet(_p(comparison, pair), "p"),
        Bullet(
            _texts(comparison, standings, pair),
            f"{comparison.procedure.unit}s".capitalize(),
        ),
    ]
    items += [
        Bullet(text, "Bootstrap") for text in _bootstrap(comparison, standings, pair)
    ]
    unit = comparison.procedure.unit
    items += [Bullet(text, "Limit") for text in describe_limits(standings, unit)]
    return Bullets(tuple(items), make_title(metric), ", ".join(scores))


def _difference(comparison: Comparison, standings: Standings, pair: PairResult) -> str:
    metric = standings.metric
    points = "errors" if metric.is_count else "points"
    text = f"{format_difference(metric, pair.difference)} {points}"
    interval = format_interval(metric, standings.interval(pair))
    if interval == UNKNOWN:
        return text
    return f"{text}, {name_interval(comparison.procedure)} {interval}"


def _p(comparison: Comparison, pair: PairResult) -> str:
    procedure = comparison.procedure
    if not isfinite(pair.p):
        return explain_impossible([pair], comparison)
    verdict = "significant" if pair.is_significant else "not significant"
    text = f"{format_p(pair.p)}, {verdict} at {procedure.alpha:g}"
    if is_hopeless(pair):
        return f"{text}: {explain_impossible([pair], comparison)}"
    if pair.is_borderline:
        return f"{text}, but borderline: more --samples could decide otherwise"
    return text


def _texts(comparison: Comparison, standings: Standings, pair: PairResult) -> str:
    if not pair.units_that_differ:
        unit = comparison.procedure.unit
        return f"the counts of both are the same in every {unit}"
    name = standings.names[pair.a]
    return f"{name} wins {pair.won}, ties {pair.tied}, loses {pair.lost}"


def _bootstrap(
    comparison: Comparison, standings: Standings, pair: PairResult
) -> Iterator[str]:
    is_known = isfinite(pair.p_bootstrap) and isfinite(pair.not_better)
    if not pair.units_that_differ or not pair.difference or not is_known:
        return
    better = pair.a if (pair.difference > 0) != standings.metric.is_count else pair.b
    share = format_percent(pair.not_better)
    text = f"{standings.names[better]} is not better in {share} of draws"
    is_test = comparison.procedure.test == "bootstrap"
    yield text if is_test else f"p {format_p(pair.p_bootstrap)}; {text}"


def describe_limits(standings: Standings, unit: str) -> Iterator[str]:
    """Say which differences would not be seen, if any is not significant.

    Scores between 0 and 1 differ by 1 at most: where the least difference that could
    be seen is greater, or is not known, there is none.
    """
    metric = standings.metric
    most = 1.0 if metric.statistic in _SHARES else inf
    pairs = [pair for pair in standings.open_pairs() if pair.units_that_differ]
    known = sorted(
        pair.least_detectable for pair in pairs if 0 < pair.least_detectable < inf
    )
    least = [number for number in known if number <= most]
    never = len(known) > len(least) or any(isnan(p.least_detectable) for p in pairs)
    if not least:
        if never:
            yield f"no difference could be seen reliably with so few {unit}s"
        return
    ends = dict.fromkeys(format_number(metric, end) for end in (least[0], least[-1]))
    points = "errors" if metric.is_count else "points"
    some = ", and for some pairs any difference," if never else ""
    text = f"differences below {' to '.join(ends)} {points}"
    yield f"{text}{some} would mostly go unseen here"


def _ranking(comparison: Comparison, standings: Standings) -> Table:
    """Show the systems of one metric, the best first, with numbers to name them by."""
    metric = standings.metric
    has_letters = any(system.letters for system in metric.systems)
    is_many = len(standings.systems) > MOST_IN_MATRIX
    numbers = [str(place) for place in range(1, len(standings.systems) + 1)]
    rows = []
    for name, system in zip(standings.numbered, standings.systems, strict=True):
        row = [
            Cell(name),
            Cell(format_number(metric, system.score)),
            Cell(format_interval(metric, standings.interval(system))),
            Cell(str(system.rank), INVERTED if system.is_inverted else ""),
        ]
        if has_letters:
            row.append(Cell(system.letters))
        if is_many:
            beaten = format_runs(standings.beaten(system.name), numbers)
            row.append(Cell(beaten.replace(",", ", ")))
        rows.append(tuple(row))
    heads = [
        Column(name_statistic(metric.statistic).capitalize()),
        Column(name_interval(comparison.procedure), short="Interval"),
        Column("Rank"),
        *([Column(LETTERS, "left")] if has_letters else []),
        *([Column("Beats", "left")] if is_many else []),
    ]
    title = f"{make_title(metric)}, {standings.order}"
    return Table((_LEFT, *heads), tuple(rows), title, first="names")


def _strata_grid(comparison: Comparison, standings: Standings) -> Table:
    """Show the scores of each stratum, a row for each."""
    metric = standings.metric
    names = [system.name for system in standings.systems]
    if len(names) == 2:
        pair = get_pair(comparison, metric)
        names = [pair.a, pair.b]
    rows = []
    for stratum in metric.strata:
        scores = [stratum.scores[name] for name in names]
        row = [Cell(stratum.name), Cell(str(stratum.units))]
        row += [Cell(format_number(metric, score)) for score in scores]
        if len(names) == 2:
            row.append(Cell(format_difference(metric, scores[0] - scores[1])))
        rows.append(tuple(row))
    unit = comparison.procedure.unit
    heads = [
        Column(f"{unit}s".capitalize()),
        *(Column(standings.names[name], is_name=True) for name in names),
        *([Column("Difference", short="Diff.")] if len(names) == 2 else []),
    ]
    strata = comparison.procedure.strata
    by = strata if strata == "genre" else "stratum"
    title = f"{metric.label} by {by}; no test within"
    return Table((_LEFT, *heads), tuple(rows), title)


_MOST_UNDEFINED = 0.01  # the share of draws that needs no word


def explain_marks(
    comparison: Comparison, shown: Sequence[Standings], tables: Iterable[Part]
) -> Iterator[str]:
    """Explain the marks of tables, a line each."""
    grids = [table for table in tables if isinstance(table, Table)]
    cells = [cell for grid in grids for row in grid.rows for cell in row]
    marks = {sign for cell in cells for sign in cell.mark}
    if len(comparison.systems) > 2 and comparison.procedure.baseline is None:
        heads = {column.head for grid in grids for column in grid.columns}
        sign = f" ({RANK})" if RANK in heads else ""
        yield f"rank{sign}: 1 and the number of systems that are significantly better"
    if INVERTED in marks:
        yield f"{INVERTED} {_inverted(comparison)}"
    if any(column.head == LETTERS for grid in grids for column in grid.columns):
        yield "letters: two systems differ significantly if they share none"
    if {BETTER, WORSE} & marks:
        baseline = label_systems(comparison)[comparison.procedure.baseline or ""]
        yield f"{BETTER} {WORSE} significantly better, worse than {baseline}"
    if any(column.head == WON_TIED_LOST for grid in grids for column in grid.columns):
        units = f"{comparison.procedure.unit}s"
        by = "against the baseline" if comparison.procedure.baseline else "by the first"
        yield f"{WON_TIED_LOST}: {units} won, tied, lost {by}"
    if SIGNIFICANT in marks:
        yield f"{SIGNIFICANT} significant: {_level(comparison)}"
    pairs = _pairs(comparison, shown, has_overview=len(comparison.metrics) > 1)
    yield from _borderline(pairs, is_marked=BORDERLINE in marks)
    yield from _never(comparison, pairs, is_marked=IMPOSSIBLE in marks)
    yield from _undefined(comparison)


def _level(comparison: Comparison) -> str:
    adjusted = "adjusted " if is_adjusted(comparison) else ""
    return f"{adjusted}p at most {comparison.procedure.alpha:g}"


def _inverted(comparison: Comparison) -> str:
    metrics = comparison.metrics.values()
    systems = [system for metric in metrics for system in metric.systems]
    if all(system.rank == 1 for system in systems if system.is_inverted):
        return "differs from none above it"
    return "differs from fewer above it than a system with a better score does"


def _pairs(
    comparison: Comparison, shown: Sequence[Standings], *, has_overview: bool
) -> list[PairResult]:
    """List the pairs that tables show; of two systems, the overview has all."""
    metrics = [standings.metric for standings in shown]
    if len(comparison.systems) == 2:
        # Details say in words what marks say in the overview.
        metrics = [*comparison.metrics.values()] if has_overview else []
    return [pair for metric in metrics for pair in metric.pairs]


def _borderline(pairs: Sequence[PairResult], *, is_marked: bool) -> Iterator[str]:
    number = sum(pair.is_borderline for pair in pairs)
    if number:
        sign = (
            BORDERLINE
            if is_marked
            else f"{number} of {format_count(len(pairs), 'pair')}"
        )
        yield f"{sign} borderline: more --samples could decide otherwise"


def _never(
    comparison: Comparison, pairs: Sequence[PairResult], *, is_marked: bool
) -> Iterator[str]:
    """Say why pairs cannot be significant."""
    kinds: dict[tuple[bool, bool], list[PairResult]] = {}
    for pair in filter(is_hopeless, pairs):
        kinds.setdefault((isfinite(pair.p), pair.is_exact), []).append(pair)
    for never in kinds.values():
        many = f"{len(never)} of {format_count(len(pairs), 'pair')}"
        sign = IMPOSSIBLE if is_marked else many
        why = explain_impossible(never, comparison)
        yield f"{sign} cannot be significant: {why}"


def _undefined(comparison: Comparison) -> Iterator[str]:
    names = label_systems(comparison)
    found: dict[tuple[str, str], list[str]] = {}
    for metric in comparison.metrics.values():
        for system in metric.systems:
            # A ratio that no draw has is missing in the score too: nothing varies.
            if _MOST_UNDEFINED < system.undefined < 1:
                place = names[system.name], format_percent(system.undefined)
                found.setdefault(place, []).append(metric.label)
    for (name, share), labels in found.items():
        yield f"undefined in {share} of draws of {name}: {', '.join(labels)}"


MOST_DETAILED = 3  # metrics


def build_comparison_page(
    comparison: Comparison, *, names_options: bool = True
) -> list[Part]:
    """Set a comparison out: overview, details, and how it was tested.

    Args:
        comparison: the comparison.
        names_options: whether to say which options of the command show more.
    """
    shown = [
        make_standings(comparison, comparison.metrics[name])
        for name in select_detailed(comparison)
    ]
    tables: list[Part] = []
    if len(comparison.metrics) > 1 or len(comparison.systems) == 1:
        tables.append(build_overview(comparison))
    for standings in shown:
        tables += build_details(comparison, standings)
    lines = [
        *explain_marks(comparison, shown, tables),
        *describe_method(comparison),
        *(_list_omitted(comparison, shown) if names_options else ()),
    ]
    return [
        Paragraph(describe_subject(comparison), is_literal=True),
        *tables,
        *list_refused(comparison.refused, "Not compared", "scored"),
        Bullets(tuple(map(Bullet, lines))),
        Note(comparison.signature, is_code=True),
    ]


def select_detailed(comparison: Comparison) -> list[str]:
    """Choose the metrics that are shown in detail."""
    metrics, order = comparison.metrics, comparison.order
    lead = order.metric if order is not None and order.metric in metrics else ""
    parts = CONLL if "conll" in metrics else ()
    names = [name for name in metrics if name not in parts or name == lead]
    if len(names) <= MOST_DETAILED:
        return names
    return [name for name in (lead or "conll",) if name in metrics]


def describe_subject(comparison: Comparison) -> str:
    """Say in a line what was compared, and by which test."""
    procedure = comparison.procedure
    units = format_count(comparison.units, procedure.unit)
    (key,) = label_paths([comparison.key])
    what = f"{format_count(len(comparison.systems), 'system')} on {units} of {key}"
    if comparison.units != comparison.documents:
        what += f" ({format_count(comparison.documents, 'document')})"
    if len(comparison.systems) == 1:
        return f"{what}: intervals only, as a test needs two"
    baseline = label_systems(comparison).get(procedure.baseline or "", "")
    is_several = baseline and len(comparison.systems) > 2
    against = f", each against {baseline}" if is_several else ""
    statistics = {metric.statistic for metric in comparison.metrics.values()}
    statistic = procedure.statistic if len(statistics) > 1 else next(iter(statistics))
    test = describe_test(procedure, baseline, of=name_statistic(statistic))
    return f"{what}{against}: {test}"


def describe_method(comparison: Comparison) -> Iterator[str]:
    """Say how the numbers were made."""
    procedure = comparison.procedure
    if len(comparison.systems) > 1:
        how = [describe_samples(comparison), f"seed {procedure.seed}"]
        how += filter(None, [describe_correction(comparison)])
        yield f"test: {', '.join([*how, f'alpha {procedure.alpha:g}'])}"
        if procedure.test == "t":
            yield (
                "the t-test is on the mean over documents, as in Cai and Strube "
                "(2010), not on the scores shown"
            )
    metrics = comparison.metrics.values()
    scores = "" if all(metric.is_count for metric in metrics) else "scores in percent; "
    yield f"{scores}{describe_intervals(comparison)}"


def _list_omitted(comparison: Comparison, shown: Sequence[Standings]) -> Iterator[str]:
    """Say where there are more numbers."""
    procedure = comparison.procedure
    names = {*CONLL, *(standings.metric.name for standings in shown)}
    others = [name for name in comparison.metrics if name not in names]
    if others and len(comparison.systems) > 1:
        example = "lea" if "lea" in others else others[-1]
        label = comparison.metrics[example].label
        yield f"`--metric {example}` shows {label} in detail; `--format csv` has all"
    elif len(comparison.systems) > MOST_IN_MATRIX and procedure.baseline is None:
        yield "`--format csv` has the p-values of all pairs"


_FIRST = ("kind", "metric", "statistic", "system", "against", "stratum", "value")
_SYSTEMS = ("system", "a", "b")  # fields of records that name systems
_LAST = ("reason", "signature")
# What the records of a comparison call otherwise.
_RENAMED = {"score": "value", "difference": "value", "a": "system", "b": "against"}


def render_csv_comparison(comparison: Comparison) -> str:
    """Write a row for each metric and system, pair and stratum, and each refusal."""
    rows = [*_rows(comparison)]
    filled = {field: None for row in rows for field in row}
    others = [field for field in filled if field not in (*_FIRST, *_LAST)]
    fields = [field for field in (*_FIRST, *others, *_LAST) if field in filled]
    return format_csv([fields, *([row.get(field) for field in fields] for row in rows)])


def _rows(comparison: Comparison) -> Iterator[dict[str, Value]]:
    more: dict[str, Value] = {"units": comparison.units}
    order = comparison.systems
    if comparison.order is not None:
        order = tuple(order_systems(comparison))
    places = {name: place for place, name in enumerate(order)}
    for record in _in_order(comparison.to_records(), places):
        yield {"kind": "system", **_renamed(record), **more}
    for record in _in_order(comparison.to_records(pairs=True), places):
        yield {"kind": "pair", **_renamed(record), **more}
    last: dict[str, Value] = {"signature": comparison.signature}
    for metric in comparison.metrics.values():
        yield from (row | last for row in _stratum_rows(metric, order))
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


def _stratum_rows(
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


_CAPTION = "caption"


def render_markdown_comparison(comparison: Comparison) -> str:
    """Write the table and its caption as Markdown."""
    return render_markdown(
        [
            build_paper_table(comparison),
            Paragraph(write_caption(comparison), is_literal=True),
            *_notes(comparison),
        ]
    )


def render_latex_comparison(comparison: Comparison) -> str:
    """Write the table and its caption as LaTeX; the rest is comments."""
    heading = Heading(2, write_caption(comparison), _CAPTION)
    grid = build_paper_table(comparison)
    return render_latex([heading, grid, *_notes(comparison)])


def _notes(comparison: Comparison) -> Iterator[Note]:
    for name, reason in comparison.refused.items():
        yield Note(f"not compared: {name}: {reason}")
    yield Note(comparison.signature, is_code=True)


def build_paper_table(comparison: Comparison) -> Table:
    """Set systems out, the best first; one of them, or one metric, with intervals."""
    if len(comparison.systems) == 1:
        return replace(build_overview(comparison), caption="")
    metrics = [*comparison.metrics.values()]
    order = order_systems(comparison)
    signs = make_row_signs(len(order))
    names = label_systems(comparison)
    columns = [_cells(comparison, metric, order, signs) for metric in metrics]
    heads = make_metric_columns(metrics)
    if len(metrics) == 1:
        intervals, ranks = _interval_cells(comparison, order, *metrics)
        columns += [intervals, *([ranks] if has_ranks(comparison) else [])]
        heads.append(Column(name_interval(comparison.procedure)))
        heads += [Column("Rank")] * has_ranks(comparison)
    left = (Column("", "left"), Column("System", "left"))
    rows = zip(
        map(Cell, signs), (Cell(names[name]) for name in order), *columns, strict=True
    )
    return Table((*left, *heads), tuple(rows))


def has_ranks(comparison: Comparison) -> bool:
    """Say whether ranks mean something: with a baseline, the others never meet."""
    return len(comparison.systems) > 2 and comparison.procedure.baseline is None


def make_row_signs(count: int) -> list[str]:
    """Give each row a letter, or where these do not suffice a number."""
    if count <= len(ascii_lowercase):
        return [*ascii_lowercase[:count]]
    return [str(number) for number in range(1, count + 1)]


def _cells(
    comparison: Comparison,
    metric: MetricComparison,
    order: Sequence[str],
    signs: Sequence[str],
) -> list[Cell]:
    """Give the scores of a metric, the best one in bold, with who is beaten."""
    standings = make_standings(comparison, metric)
    row_of = {name: row for row, name in enumerate(order)}
    cells = []
    best = format_number(metric, metric.ranked[0].score)
    scores = {system.name: system.score for system in metric.systems}
    for name in order:
        places = standings.beaten(name)
        rows = sorted(row_of[standings.systems[place].name] for place in places)
        text = format_number(metric, scores[name])
        emphasis = Emphasis.BEST if text == best else Emphasis.NONE
        cells.append(Cell(text, above=format_runs(rows, signs), emphasis=emphasis))
    return cells


def _interval_cells(
    comparison: Comparison, order: Sequence[str], metric: MetricComparison
) -> tuple[list[Cell], list[Cell]]:
    systems = {system.name: system for system in metric.systems}
    kind = comparison.procedure.interval
    intervals = [systems[name].intervals.get(kind) for name in order]
    return (
        [Cell(format_interval(metric, interval)) for interval in intervals],
        [Cell(str(systems[name].rank)) for name in order],
    )


def write_caption(comparison: Comparison) -> str:
    """Say what the table shows, and name test, units, correction, level and seed."""
    return " ".join(_sentences(comparison))


def _sentences(comparison: Comparison) -> Iterator[str]:
    procedure, metrics = comparison.procedure, comparison.metrics.values()
    systems = format_count(len(comparison.systems), "system")
    units = format_count(comparison.units, procedure.unit)
    yield f"{_what(comparison)} of {systems} on {units}."
    if len(comparison.systems) > 1:
        yield from _of_two(comparison)
        yield _finding(comparison)
        if procedure.test == "t":
            yield "The test is on the mean over documents, as in Cai and Strube (2010)."
        yield "The best score is in bold."
    if 1 in {len(metrics), len(comparison.systems)}:
        yield f"{describe_intervals(comparison)}."
    if len(metrics) == 1 and has_ranks(comparison):
        yield "Rank: 1 and the number of systems that are significantly better."


def _finding(comparison: Comparison) -> str:
    """Say what the letters mean, or that there are none, and how that was tested."""
    procedure, names = comparison.procedure, label_systems(comparison)
    baseline = names.get(procedure.baseline or "", "")
    how = [
        f"level {procedure.alpha:g}",
        describe_test(procedure, baseline),
        describe_samples(comparison),
        f"seed {procedure.seed}",
        describe_correction(comparison),
        f"each system is compared with {baseline} only" if baseline else "",
    ]
    signs = "Letters" if make_row_signs(len(names))[0].isalpha() else "Numbers"
    meaning = (
        f"{signs} above a score name the systems that this one is significantly better "
        "than"
    )
    pairs = [pair for metric in comparison.metrics.values() for pair in metric.pairs]
    if not any(pair.is_significant for pair in pairs):
        meaning = "No difference between systems is significant"
    return f"{meaning} ({'; '.join(filter(None, how))})."


def _of_two(comparison: Comparison) -> Iterator[str]:
    """Say how two systems differ, if it is about one metric."""
    if len(comparison.systems) == 2 and len(comparison.metrics) == 1:
        (metric,) = comparison.metrics.values()
        pair = get_pair(comparison, metric)
        interval = pair.intervals.get(comparison.procedure.interval)
        ends = format_interval(metric, interval).removeprefix(UNKNOWN)
        text = f"{format_difference(metric, pair.difference)} {ends}".rstrip()
        p = format_p(pair.p)
        if p != UNKNOWN:
            text += f", p {p}" if p.startswith("<") else f", p = {p}"
        yield f"Difference: {text}."


def _what(comparison: Comparison) -> str:
    metrics = comparison.metrics.values()
    scored = [metric for metric in metrics if not metric.is_count]
    if not scored:
        return "Numbers of errors (fewer are better)"
    kind = f"{describe_statistics(scored)} in percent"
    if len(scored) < len(metrics):
        return f"{kind} and numbers of errors (fewer are better)"
    return kind


def table_comparison(comparison: Comparison) -> str:
    """Write a comparison for a terminal."""
    return render_terminal(build_comparison_page(comparison))


def json_comparison(comparison: Comparison) -> str:
    """Write the JSON of a comparison."""
    return format_json(comparison.to_dict())


COMPARISON_WRITERS: Mapping[str, Callable[[Comparison], str]] = {
    "table": table_comparison,
    "json": json_comparison,
    "csv": render_csv_comparison,
    "markdown": render_markdown_comparison,
    "latex": render_latex_comparison,
}
