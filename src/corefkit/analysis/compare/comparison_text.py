"""Tables and text of comparisons: one writer for each format.

Several metrics have an overview. A few metrics have details: the requested ones, if
there are few, or else the one that systems are sorted by, or the CoNLL score.

A table for a paper has systems by metrics, and a caption that names the test. Letters
after a score name the systems that it is significantly better than, as in the tables of
ranx; with more than 26 systems, they are numbers.

The CSV has a row for each metric and system, and each metric and pair; its column
`kind` distinguishes them. `against` is the second system of a pair; `value` is a score
or a difference, and `low` and `high` are the ends of its interval.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, combinations
from math import inf, isfinite, isnan
from string import ascii_lowercase
from typing import TYPE_CHECKING

from corefkit.analysis.compare.judging import format_p_bound
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
BETTER, WORSE = "+", "-"  # than the baseline
RANK = "#"  # the head of columns of ranks
WON_TIED_LOST = "W/T/L"
LETTERS = "Letters"
MIN_P = 0.0001  # shown as a number
MAX_SYSTEMS_ACROSS = 5  # with a column each, if there are more metrics
MAX_IN_MATRIX = 8  # systems
MAX_IN_PAIR_TABLE = 5  # systems
MAX_DETAILED = 3  # metrics
_MAX_IN_WIDE_MATRIX = 6
_MAX_UNDEFINED = 0.01  # the share of draws that needs no remark
_TIGHT, _WIDE = 1, 2  # blanks between columns
_MINUS = "\N{MINUS SIGN}"
_LEFT = Column("", "left")
_CONLL_MEAN = "conll"
_ALL_ERRORS = "errors"
_BEST_FIRST = "best first"
_RATIOS = ("f1", "recall", "precision")
_STATISTICS = {"f1": "F1", "count": "errors"}
_TESTS = {
    "randomization": "paired randomization test",
    "bootstrap": "paired bootstrap test",
    "t": "paired t-test over documents",
}
_INTERVALS = {
    "expanded": "expanded percentile",
    "percentile": "percentile",
    "bca": "BCa",
    "t": "t with the bootstrap's standard error",
}


def format_count(number: int, word: str) -> str:
    """Format a number of things.

    >>> format_count(1, "text"), format_count(10_000, "shuffle")
    ('1 text', '10,000 shuffles')
    """
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def format_number(metric: MetricComparison, value: float, *, sign: str = "") -> str:
    """Format a score or a difference in points, or a number of errors."""
    if not isfinite(value):
        return UNKNOWN
    value, digits = (value, 0) if metric.is_count else (100 * value, 2)
    rounded = round(value, digits) + 0.0  # no negative zero
    return f"{rounded:{sign if rounded else ''}.{digits}f}"


def format_difference(metric: MetricComparison, value: float) -> str:
    """Format a difference with its sign."""
    return format_number(metric, value, sign="+")


def format_interval(metric: MetricComparison, interval: Interval | None) -> str:
    """Format an interval; one without width, as of identical files, is unknown."""
    if interval is None or not all(map(isfinite, interval)):
        return UNKNOWN
    if interval.high - interval.low <= 0:
        return UNKNOWN
    low, high = (format_number(metric, end) for end in interval)
    return f"[{low}, {high}]"


def format_p(p: float) -> str:
    """Format a p-value.

    >>> format_p(0.140625), format_p(1 / 10_001)
    ('0.1406', '< 0.0001')
    """
    if not isfinite(p):
        return UNKNOWN
    return f"< {MIN_P}" if p < MIN_P else f"{p:.4f}"


def _make_p_cell(p: float) -> Cell:
    return Cell(format_p(p).replace(" ", ""))


def name_statistic(statistic: str) -> str:
    """Return the name of a statistic in tables."""
    return _STATISTICS.get(statistic, statistic)


def make_title(metric: MetricComparison) -> str:
    """Name a metric and its statistic."""
    if metric.is_count:
        return f"{metric.label} (fewer are better)"
    if metric.statistic == "value":
        return metric.label
    return f"{metric.label} {name_statistic(metric.statistic)}"


def format_percent(share: float) -> str:
    """Format a share without trailing zeros.

    >>> format_percent(0.95), format_percent(0.0213)
    ('95%', '2.13%')
    """
    return f"{round(100 * share, 2):g}%"


def name_interval(procedure: Procedure) -> str:
    """Return the head of a column of intervals."""
    return f"{format_percent(1 - procedure.alpha)} interval"


def describe_test(procedure: Procedure, baseline: str = "", *, of: str = "") -> str:
    """Describe the test, its statistic, and its alternative."""
    test = _TESTS.get(procedure.test, procedure.test) + (f" of {of}" if of else "")
    match procedure.alternative:
        case "greater":
            return f"one-sided {test} (greater than {baseline})"
        case "less":
            return f"one-sided {test} (less than {baseline})"
        case _:
            return f"two-sided {test}"


def describe_samples(comparison: Comparison) -> str:
    """Describe how many swaps or draws the p-values are based on."""
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


def _count_pairs(comparison: Comparison) -> int:
    return max((len(metric.pairs) for metric in comparison.metrics.values()), default=0)


def describe_correction(comparison: Comparison) -> str:
    """Describe how p-values were corrected; empty for a single pair."""
    pairs = _count_pairs(comparison)
    name = comparison.procedure.correction
    if pairs < 2:
        return ""
    if name == "none":
        return f"no correction for {pairs} pairs"
    family = " of each metric" if len(comparison.metrics) > 1 else ""
    return f"{name.capitalize()} correction over the {pairs} pairs{family}"


def is_adjusted(comparison: Comparison) -> bool:
    """Return whether p-values were corrected for several pairs."""
    return _count_pairs(comparison) > 1 and comparison.procedure.correction != "none"


def describe_intervals(comparison: Comparison) -> str:
    """Describe how intervals were computed."""
    procedure = comparison.procedure
    kind = _INTERVALS.get(procedure.interval, procedure.interval)
    draws = format_count(procedure.samples, "draw")
    strata = " within strata" if procedure.strata is not None else ""
    return f"{format_percent(1 - procedure.alpha)} intervals: {kind}, {draws}{strata}"


def explain_impossible(pairs: Sequence[PairResult], comparison: Comparison) -> str:
    """Explain why pairs cannot be significant."""
    if not isfinite(pairs[0].p):
        return "there is no p, as nothing varies"
    return format_p_bound(pairs, comparison.procedure, tests=_count_pairs(comparison))


def format_runs(numbers: Sequence[int], labels: Sequence[str]) -> str:
    """Format sorted numbers by their labels; three or more in a row form a range.

    >>> format_runs([0, 1, 2, 4], "abcde"), format_runs([1, 2], "abc")
    ('a-c,e', 'bc')
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
    is_all_letters = all(len(text) == 1 and text.isalpha() for text in texts)
    return ("" if is_all_letters else ",").join(texts)


@dataclass(frozen=True, slots=True)
class Standings:
    """The systems of a metric in the order of tables, and its pairs in both orders."""

    metric: MetricComparison
    kind: str  # of the intervals to show
    names: Mapping[str, str]  # display names
    systems: tuple[SystemResult, ...]
    pairs: Mapping[tuple[str, str], PairResult]
    order: str  # a description of the order

    @property
    def is_best_first(self) -> bool:
        """Whether systems are sorted by the metric."""
        return self.order == _BEST_FIRST

    def interval(self, result: SystemResult | PairResult) -> Interval | None:
        """Return the interval to show, if there is one."""
        return result.intervals.get(self.kind)

    def is_won(self, pair: PairResult) -> bool:
        """Return whether the first system of a pair is significantly better."""
        if not pair.is_significant:
            return False
        return pair.difference < 0 if self.metric.is_count else pair.difference > 0

    def list_beaten(self, name: str) -> list[int]:
        """Return the positions of the systems that are significantly worse."""
        pairs = [self.pairs.get((name, other.name)) for other in self.systems]
        return [
            position
            for position, pair in enumerate(pairs)
            if pair and self.is_won(pair)
        ]

    @property
    def numbered(self) -> list[str]:
        """The names of the systems after their positions."""
        room = len(str(len(self.systems)))
        return [
            f"{position:>{room}} {self.names[system.name]}"
            for position, system in enumerate(self.systems, start=1)
        ]


def make_standings(comparison: Comparison, metric: MetricComparison) -> Standings:
    """Sort the systems of a metric by it, or by the requested order."""
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
    """Return the names of systems sorted by a metric, or by the order of the tables."""
    order = comparison.order
    if lead is None and order is not None and order.metric == BY_NAME:
        rows = order_by_name(comparison.systems)
        return [comparison.systems[row] for row in rows]
    return [system.name for system in (lead or find_lead_metric(comparison)).ranked]


def describe_order(
    comparison: Comparison, metric: MetricComparison | None = None
) -> str:
    """Describe how systems are sorted in the table of a metric, or of several."""
    if comparison.order is None and metric is not None:
        return _BEST_FIRST
    if comparison.order is not None and comparison.order.metric == BY_NAME:
        return "by name"
    lead = find_lead_metric(comparison)
    if metric is lead or len(comparison.metrics) == 1:
        return _BEST_FIRST
    return f"{'fewest' if lead.is_count else 'best'} {shorten_label(lead.label)} first"


def label_systems(comparison: Comparison) -> dict[str, str]:
    """Return short display names of the systems."""
    names = strip_suffixes(label_paths(comparison.systems))
    return dict(zip(comparison.systems, names, strict=True))


def find_lead_metric(comparison: Comparison) -> MetricComparison:
    """Return the metric that systems are sorted by.

    It is the requested one, or CoNLL, or the number of all errors, or the first metric
    whose scores differ.
    """
    metrics, order = comparison.metrics, comparison.order
    if order is not None and order.metric != BY_NAME:
        return metrics[order.metric]
    for name in (_CONLL_MEAN, _ALL_ERRORS):
        if name in metrics:
            return metrics[name]
    for metric in metrics.values():
        if len({system.score for system in metric.systems}) > 1:
            return metric
    return next(iter(metrics.values()))


def get_pair(comparison: Comparison, metric: MetricComparison) -> PairResult:
    """Return the pair of two systems; the baseline, if any, is the second one."""
    (pair,) = metric.pairs
    last = comparison.procedure.baseline
    if last is None and comparison.order is not None:
        last = order_systems(comparison)[-1]
    return swap_pair(pair) if pair.a == last else pair


def swap_pair(pair: PairResult) -> PairResult:
    """Exchange the two systems of a pair."""
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
    """Return whether a pair differs, but in too few units to be significant."""
    return not pair.can_be_significant and pair.units_that_differ > 0


def get_mark(pair: PairResult) -> str:
    """Return the mark of a significant, borderline or hopeless pair."""
    if is_hopeless(pair):
        return IMPOSSIBLE
    sign = SIGNIFICANT if pair.is_significant else ""
    return sign + (BORDERLINE if pair.is_borderline else "")


def build_overview(comparison: Comparison) -> Table:
    """Build the table of the scores of all systems on all metrics."""
    if len(comparison.systems) == 1:
        return _build_interval_table(comparison)
    if len(comparison.systems) == 2:
        return _build_two_system_table(comparison)
    metrics = comparison.metrics.values()
    order = order_systems(comparison)
    names = label_systems(comparison)
    scores = {metric.name: _make_score_cells(comparison, metric) for metric in metrics}
    has_baseline = comparison.procedure.baseline is not None
    ranks = "" if has_baseline else f" and rank ({RANK})"
    caption = f"{describe_statistics(metrics)}{ranks}, {describe_order(comparison)}"
    is_across = len(order) <= MAX_SYSTEMS_ACROSS < len(scores)
    if is_across:
        heads = [names[name] for name in order]
        rows = [
            (metric.label, [scores[metric.name][name] for name in order])
            for metric in metrics
        ]
    else:
        heads = [shorten_label(metric.label) for metric in metrics]
        rows = [
            (names[name], [scores[metric.name][name] for metric in metrics])
            for name in order
        ]
    columns = [Column(head, is_name=is_across) for head in heads]
    if not has_baseline:
        columns = [Column(head, group=name) for name in heads for head in ("", RANK)]
    return Table(
        (_LEFT, *columns),
        tuple((Cell(label), *chain.from_iterable(cells)) for label, cells in rows),
        caption,
        first="labels" if is_across else "names",
        gap=_TIGHT if len(scores) > MAX_SYSTEMS_ACROSS else _WIDE,
    )


def make_metric_columns(metrics: Iterable[MetricComparison]) -> list[Column]:
    """Make a column for each metric."""
    return [Column(shorten_label(metric.label)) for metric in metrics]


def _make_score_cells(
    comparison: Comparison, metric: MetricComparison
) -> dict[str, tuple[Cell, ...]]:
    """Return each system's score and rank, or its score compared with the baseline."""
    baseline = comparison.procedure.baseline
    standings = make_standings(comparison, metric)
    cells: dict[str, tuple[Cell, ...]] = {}
    for system in metric.systems:
        score = Cell(format_number(metric, system.score))
        if baseline is None:
            rank = Cell(str(system.rank), INVERTED if system.is_inverted else "")
            cells[system.name] = (score, rank)
            continue
        pair = standings.pairs.get((system.name, baseline))
        mark = ""
        if pair is not None and pair.is_significant:
            mark = BETTER if standings.is_won(pair) else WORSE
        cells[system.name] = (score._replace(mark=mark),)
    return cells


def _build_interval_table(comparison: Comparison) -> Table:
    """Build the table of one system."""
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
    return Table((_LEFT, *heads), tuple(rows), name)


def describe_statistics(metrics: Collection[MetricComparison]) -> str:
    """Name the statistics of metrics, as in "F1, of α the value"."""
    statistics = {metric.statistic: None for metric in metrics}
    if "value" in statistics and len(statistics) > 1:
        del statistics["value"]
        labels = [
            shorten_label(metric.label)
            for metric in metrics
            if metric.statistic == "value"
        ]
        statistics[f"of {', '.join(labels)} the value"] = None
    text = ", ".join(map(name_statistic, statistics))
    return text[0].upper() + text[1:]


def _make_difference_column(first: str, second: str) -> Column:
    return Column(f"{first} {_MINUS} {second}", short="Diff.")


def _build_two_system_table(comparison: Comparison) -> Table:
    """Build the table of two systems, with a row for each metric."""
    kind = comparison.procedure.interval
    rows = []
    for metric in comparison.metrics.values():
        pair = get_pair(comparison, metric)
        scores = {system.name: system.score for system in metric.systems}
        rows.append(
            (
                Cell(metric.label),
                Cell(format_number(metric, scores[pair.a])),
                Cell(format_number(metric, scores[pair.b])),
                Cell(format_difference(metric, pair.difference), get_mark(pair)),
                Cell(format_interval(metric, pair.intervals.get(kind))),
                _make_p_cell(pair.p),
            )
        )
    pair = get_pair(comparison, find_lead_metric(comparison))
    names = label_systems(comparison)
    first, second = names[pair.a], names[pair.b]
    heads = [
        Column(first, is_name=True),
        Column(second, is_name=True),
        _make_difference_column(first, second),
        Column(name_interval(comparison.procedure), short="Interval"),
        Column("p"),
    ]
    caption = describe_statistics(comparison.metrics.values())
    return Table((_LEFT, *heads), tuple(rows), caption)


def build_matrix(comparison: Comparison, standings: Standings) -> Table:
    """Build the table of differences above the diagonal and p-values below."""
    metric = standings.metric
    rows = []
    labels = zip(standings.numbered, standings.systems, strict=True)
    for row, (label, system) in enumerate(labels):
        cells = [Cell(label)]
        for column, other in enumerate(standings.systems):
            pair = standings.pairs.get((system.name, other.name))
            if pair is None:
                cells.append(Cell(""))
            elif row < column:
                text = format_number(metric, pair.difference)
                cells.append(Cell(text, get_mark(pair)))
            else:
                cells.append(_make_p_cell(pair.p_adjusted))
        rows.append(tuple(cells))
    heads = [Column(str(position)) for position in range(1, len(rows) + 1)]
    p = "adjusted p" if is_adjusted(comparison) else "p"
    return Table(
        (_LEFT, *heads),
        tuple(rows),
        f"Row {_MINUS} column above the diagonal, {p} below",
        first="names",
        gap=_WIDE if len(rows) <= _MAX_IN_WIDE_MATRIX else _TIGHT,
    )


def build_pair_table(comparison: Comparison, standings: Standings) -> Table:
    """Build the table of all pairs, named by the numbers of their systems."""
    is_best_first = standings.is_best_first
    format_cell = format_number if is_best_first else format_difference
    rows = []
    systems = enumerate(standings.systems, start=1)
    for (number, first), (other_number, second) in combinations(systems, 2):
        pair = standings.pairs[first.name, second.name]
        text = format_cell(standings.metric, pair.difference)
        cells = _make_pair_cells(comparison, standings, pair, has_bootstrap=True)
        label = Cell(f"{number} {_MINUS} {other_number}")
        rows.append((label, Cell(text, get_mark(pair)), *cells))
    heads = [Column("Diff."), *_make_pair_heads(comparison, has_bootstrap=True)]
    caption = "Pairs, the better system first" if is_best_first else "Pairs"
    return Table((_LEFT, *heads), tuple(rows), caption)


def build_baseline_table(comparison: Comparison, standings: Standings) -> Table:
    """Build the table of systems and their differences to the baseline."""
    metric, baseline = standings.metric, comparison.procedure.baseline or ""
    heads = _make_pair_heads(comparison)
    rows = []
    for system in standings.systems:
        score = Cell(format_number(metric, system.score))
        pair = standings.pairs.get((system.name, baseline))
        if pair is None:
            cells = [Cell("baseline"), *[Cell("")] * len(heads)]
        else:
            text = format_difference(metric, pair.difference)
            cells = [Cell(text, get_mark(pair))]
            cells += _make_pair_cells(comparison, standings, pair)
        rows.append((Cell(standings.names[system.name]), score, *cells))
    columns = (
        _LEFT,
        Column(name_statistic(metric.statistic).capitalize()),
        Column(f"{_MINUS} {standings.names[baseline]}", short="Diff."),
        *heads,
    )
    title = f"{make_title(metric)}, {standings.order}"
    return Table(columns, tuple(rows), title, first="names")


def _make_pair_heads(
    comparison: Comparison, *, has_bootstrap: bool = False
) -> list[Column]:
    heads = ["p", "adj. p"] if is_adjusted(comparison) else ["p"]
    if has_bootstrap and comparison.procedure.test != "bootstrap":
        heads.append("boot. p")
    return [
        Column(name_interval(comparison.procedure), short="Interval"),
        *map(Column, heads),
        Column(WON_TIED_LOST),
    ]


def _make_pair_cells(
    comparison: Comparison,
    standings: Standings,
    pair: PairResult,
    *,
    has_bootstrap: bool = False,
) -> list[Cell]:
    """Return the cells after the difference of a pair."""
    p_values = [pair.p, pair.p_adjusted] if is_adjusted(comparison) else [pair.p]
    if has_bootstrap and comparison.procedure.test != "bootstrap":
        p_values.append(pair.p_bootstrap)
    return [
        Cell(format_interval(standings.metric, standings.interval(pair))),
        *map(_make_p_cell, p_values),
        Cell(f"{pair.won}/{pair.tied}/{pair.lost}"),
    ]


def build_details(
    comparison: Comparison,
    standings: Standings,
    *,
    max_in_matrix: int = MAX_IN_MATRIX,
) -> Iterator[Part]:
    """Build the detailed tables of one metric."""
    if len(standings.systems) == 2:
        yield _build_two_system_list(comparison, standings)
    elif comparison.procedure.baseline is not None:
        yield build_baseline_table(comparison, standings)
    elif len(standings.systems) > 2:
        yield _build_ranking(comparison, standings)
        if len(standings.systems) <= max_in_matrix:
            yield build_matrix(comparison, standings)
        if len(standings.systems) <= MAX_IN_PAIR_TABLE:
            yield build_pair_table(comparison, standings)
    if len(standings.systems) > 2:
        for text in describe_limits(standings, comparison.procedure.unit):
            yield Paragraph(f"For pairs without significance, {text}.")
    if standings.metric.strata:
        yield _build_strata_table(comparison, standings)


def _build_two_system_list(comparison: Comparison, standings: Standings) -> Bullets:
    metric, names = standings.metric, standings.names
    unit = comparison.procedure.unit
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
        Bullet(_describe_difference(comparison, standings, pair), "Difference"),
        Bullet(_describe_p(comparison, pair), "p"),
        Bullet(_describe_units(comparison, standings, pair), f"{unit}s".capitalize()),
    ]
    items += [
        Bullet(text, "Bootstrap")
        for text in _describe_bootstrap(comparison, standings, pair)
    ]
    items += [Bullet(text, "Limit") for text in describe_limits(standings, unit)]
    return Bullets(tuple(items), make_title(metric), ", ".join(scores))


def _describe_difference(
    comparison: Comparison, standings: Standings, pair: PairResult
) -> str:
    metric, names = standings.metric, standings.names
    points = "errors" if metric.is_count else "points"
    text = (
        f"{names[pair.a]} {_MINUS} {names[pair.b]} = "
        f"{format_difference(metric, pair.difference)} {points}"
    )
    interval = format_interval(metric, standings.interval(pair))
    if interval == UNKNOWN:
        return text
    return f"{text}, {name_interval(comparison.procedure)} {interval}"


def _describe_p(comparison: Comparison, pair: PairResult) -> str:
    if not isfinite(pair.p):
        return explain_impossible([pair], comparison)
    verdict = "significant" if pair.is_significant else "not significant"
    text = f"{format_p(pair.p)}, {verdict} at {comparison.procedure.alpha:g}"
    if is_hopeless(pair):
        return f"{text}: {explain_impossible([pair], comparison)}"
    if pair.is_borderline:
        return f"{text}, but borderline: more --samples could decide otherwise"
    return text


def _describe_units(
    comparison: Comparison, standings: Standings, pair: PairResult
) -> str:
    if not pair.units_that_differ:
        unit = comparison.procedure.unit
        return f"identical: both have the same counts in every {unit}"
    name = standings.names[pair.a]
    return f"{name} wins {pair.won}, ties {pair.tied}, loses {pair.lost}"


def _describe_bootstrap(
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
    """Describe the differences that would not be detected, if any is not significant.

    Ratios differ by 1 at most: no difference can be detected if the least detectable
    difference is greater, or unknown.
    """
    metric = standings.metric
    largest = 1.0 if metric.statistic in _RATIOS else inf
    limits = [
        pair.least_detectable
        for pair in metric.pairs
        if not pair.is_significant and pair.units_that_differ
    ]
    detectable = sorted(limit for limit in limits if 0 < limit <= min(largest, 1e308))
    has_undetectable = any(isnan(limit) or largest < limit < inf for limit in limits)
    if not detectable:
        if has_undetectable:
            yield f"no difference could be detected reliably with so few {unit}s"
        return
    ends = [format_number(metric, end) for end in (detectable[0], detectable[-1])]
    points = "errors" if metric.is_count else "points"
    some = ", and for some pairs any difference," if has_undetectable else ""
    text = f"differences below {' to '.join(dict.fromkeys(ends))} {points}"
    yield f"{text}{some} would mostly not be detected here"


def _build_ranking(comparison: Comparison, standings: Standings) -> Table:
    """Build the table of systems with intervals and ranks."""
    metric = standings.metric
    has_letters = any(system.letters for system in metric.systems)
    has_beaten = len(standings.systems) > MAX_IN_MATRIX
    numbers = [str(position) for position in range(1, len(standings.systems) + 1)]
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
        if has_beaten:
            beaten = format_runs(standings.list_beaten(system.name), numbers)
            row.append(Cell(beaten.replace(",", ", ")))
        rows.append(tuple(row))
    heads = [
        Column(name_statistic(metric.statistic).capitalize()),
        Column(name_interval(comparison.procedure), short="Interval"),
        Column("Rank"),
        *([Column(LETTERS, "left")] if has_letters else []),
        *([Column("Beats", "left")] if has_beaten else []),
    ]
    title = f"{make_title(metric)}, {standings.order}"
    return Table((_LEFT, *heads), tuple(rows), title, first="names")


def _build_strata_table(comparison: Comparison, standings: Standings) -> Table:
    """Build the table of the scores of each stratum."""
    metric = standings.metric
    names = [system.name for system in standings.systems]
    is_pair = len(names) == 2
    if is_pair:
        pair = get_pair(comparison, metric)
        names = [pair.a, pair.b]
    rows = []
    for stratum in metric.strata:
        scores = [stratum.scores[name] for name in names]
        row = [Cell(stratum.name), Cell(str(stratum.units))]
        row += [Cell(format_number(metric, score)) for score in scores]
        if is_pair:
            row.append(Cell(format_difference(metric, scores[0] - scores[1])))
        rows.append(tuple(row))
    labels = [standings.names[name] for name in names]
    heads = [
        Column(f"{comparison.procedure.unit}s".capitalize()),
        *(Column(label, is_name=True) for label in labels),
        *([_make_difference_column(*labels)] if is_pair else []),
    ]
    strata = "genre" if comparison.procedure.strata == "genre" else "stratum"
    title = f"{metric.label} by {strata}; no test within"
    return Table((_LEFT, *heads), tuple(rows), title)


def explain_marks(
    comparison: Comparison, shown: Sequence[Standings], tables: Iterable[Part]
) -> Iterator[str]:
    """Explain the marks of tables, one line each."""
    parts = [table for table in tables if isinstance(table, Table)]
    heads = {column.head for table in parts for column in table.columns}
    cells = [cell for table in parts for row in table.rows for cell in row]
    marks = {sign for cell in cells for sign in cell.mark}
    baseline = comparison.procedure.baseline
    if len(comparison.systems) > 2 and baseline is None:
        sign = f" ({RANK})" if RANK in heads else ""
        yield f"rank{sign}: 1 and the number of systems that are significantly better"
    if INVERTED in marks:
        yield f"{INVERTED} {_explain_inverted(comparison)}"
    if LETTERS in heads:
        yield "letters: two systems differ significantly if they share none"
    if {BETTER, WORSE} & marks:
        name = label_systems(comparison)[baseline or ""]
        yield f"{BETTER} {WORSE} significantly better, worse than {name}"
    if WON_TIED_LOST in heads:
        units = f"{comparison.procedure.unit}s"
        against = "against the baseline" if baseline else "by the first"
        yield f"{WON_TIED_LOST}: {units} won, tied, lost {against}"
    if SIGNIFICANT in marks:
        p = "adjusted p" if is_adjusted(comparison) else "p"
        yield f"{SIGNIFICANT} significant: {p} at most {comparison.procedure.alpha:g}"
    pairs = _list_shown_pairs(comparison, shown)
    yield from _explain_pairs(comparison, pairs, marks)
    yield from _list_undefined(comparison)
    yield from _list_identical(comparison)


def _explain_inverted(comparison: Comparison) -> str:
    metrics = comparison.metrics.values()
    systems = [system for metric in metrics for system in metric.systems]
    if all(system.rank == 1 for system in systems if system.is_inverted):
        return "differs from none above it"
    return "differs from fewer above it than a system with a better score does"


def _list_shown_pairs(
    comparison: Comparison, shown: Sequence[Standings]
) -> list[PairResult]:
    """List the pairs of tables; the details of two systems are sentences."""
    metrics = [standings.metric for standings in shown]
    if len(comparison.systems) == 2:
        has_overview = len(comparison.metrics) > 1
        metrics = [*comparison.metrics.values()] if has_overview else []
    return [pair for metric in metrics for pair in metric.pairs]


def _explain_pairs(
    comparison: Comparison, pairs: Sequence[PairResult], marks: Collection[str]
) -> Iterator[str]:
    """Explain borderline pairs, and pairs that cannot be significant."""
    total = format_count(len(pairs), "pair")
    borderline = sum(pair.is_borderline for pair in pairs)
    if borderline:
        sign = BORDERLINE if BORDERLINE in marks else f"{borderline} of {total}"
        yield f"{sign} borderline: more --samples could decide otherwise"
    kinds: dict[tuple[bool, bool], list[PairResult]] = {}
    for pair in filter(is_hopeless, pairs):
        kinds.setdefault((isfinite(pair.p), pair.is_exact), []).append(pair)
    for hopeless in kinds.values():
        sign = IMPOSSIBLE if IMPOSSIBLE in marks else f"{len(hopeless)} of {total}"
        reason = explain_impossible(hopeless, comparison)
        yield f"{sign} cannot be significant: {reason}"


def _list_undefined(comparison: Comparison) -> Iterator[str]:
    names = label_systems(comparison)
    labels: dict[tuple[str, str], list[str]] = {}
    for metric in comparison.metrics.values():
        for system in metric.systems:
            # A ratio that is undefined in all draws does not vary.
            if _MAX_UNDEFINED < system.undefined < 1:
                place = names[system.name], format_percent(system.undefined)
                labels.setdefault(place, []).append(metric.label)
    for (name, share), undefined in labels.items():
        yield f"undefined in {share} of draws of {name}: {', '.join(undefined)}"


def _list_identical(comparison: Comparison) -> Iterator[str]:
    """List systems that equal the key or each other on all metrics."""
    names = label_systems(comparison)
    metrics = comparison.metrics.values()
    perfect = [
        {system.name for system in metric.systems if system.score == 1}
        for metric in metrics
        if not metric.is_count
    ]
    for system in comparison.systems:
        if perfect and all(system in systems for systems in perfect):
            yield f"{names[system]} is identical to the key: it has no intervals"
    differ: dict[tuple[str, str], int] = {}
    for metric in metrics:
        for pair in metric.pairs:
            key = names[pair.a], names[pair.b]
            differ[key] = differ.get(key, 0) + pair.units_that_differ
    for (first, second), units in differ.items():
        if not units:
            unit = comparison.procedure.unit
            yield f"{first} and {second} are identical: same counts in every {unit}"


def build_comparison_page(
    comparison: Comparison, *, names_options: bool = True
) -> list[Part]:
    """Build the page of a comparison: overview, details, marks and method.

    Args:
        comparison: the comparison.
        names_options: whether to mention options of the command that show more.
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
    """Select the metrics that have details."""
    metrics, order = comparison.metrics, comparison.order
    lead = order.metric if order is not None and order.metric in metrics else ""
    parts = CONLL if _CONLL_MEAN in metrics else ()
    names = [name for name in metrics if name not in parts or name == lead]
    if len(names) <= MAX_DETAILED:
        return names
    return [name for name in (lead or _CONLL_MEAN,) if name in metrics]


def describe_subject(comparison: Comparison) -> str:
    """Describe in one line the systems, the key and the test."""
    procedure = comparison.procedure
    units = format_count(comparison.units, procedure.unit)
    (key,) = label_paths([comparison.key])
    systems = len(comparison.systems)
    rejected = len(comparison.refused)
    text = format_count(systems, "system")
    if rejected:
        submissions = format_count(systems + rejected, "submission")
        text = f"{submissions}, {rejected:,} rejected: {text}"
    text += f" on {units} of {key}"
    if comparison.units != comparison.documents:
        text += f" ({format_count(comparison.documents, 'document')})"
    if systems == 1:
        return f"{text}: intervals only, as a test needs two"
    baseline = label_systems(comparison).get(procedure.baseline or "", "")
    against = f", each against {baseline}" if baseline and systems > 2 else ""
    statistics = {metric.statistic for metric in comparison.metrics.values()}
    statistic = procedure.statistic if len(statistics) > 1 else next(iter(statistics))
    test = describe_test(procedure, baseline, of=name_statistic(statistic))
    return f"{text}{against}: {test}"


def describe_method(comparison: Comparison) -> Iterator[str]:
    """Describe the test and the intervals."""
    procedure = comparison.procedure
    if len(comparison.systems) > 1:
        method = [describe_samples(comparison), f"seed {procedure.seed}"]
        method += filter(None, [describe_correction(comparison)])
        yield f"test: {', '.join([*method, f'alpha {procedure.alpha:g}'])}"
        if procedure.test == "t":
            yield (
                "the t-test is on the mean over documents, as in Cai and Strube "
                "(2010), not on the scores shown"
            )
    metrics = comparison.metrics.values()
    scores = "" if all(metric.is_count for metric in metrics) else "scores in percent; "
    yield f"{scores}{describe_intervals(comparison)}"


def _list_omitted(comparison: Comparison, shown: Sequence[Standings]) -> Iterator[str]:
    """Name the options that show more numbers."""
    names = {*CONLL, *(standings.metric.name for standings in shown)}
    hidden = [name for name in comparison.metrics if name not in names]
    has_baseline = comparison.procedure.baseline is not None
    if hidden and len(comparison.systems) > 1:
        example = "lea" if "lea" in hidden else hidden[-1]
        label = comparison.metrics[example].label
        yield f"`--metric {example}` shows {label} in detail; `--format csv` has all"
    elif len(comparison.systems) > MAX_IN_MATRIX and not has_baseline:
        yield "`--format csv` has the p-values of all pairs"


_FIRST_FIELDS = (
    *("kind", "metric", "statistic", "system", "against", "stratum", "value"),
)
_LAST_FIELDS = ("reason", "signature")
_SYSTEM_FIELDS = ("system", "a", "b")  # of records
_CSV_NAMES = {"score": "value", "difference": "value", "a": "system", "b": "against"}


def render_csv_comparison(comparison: Comparison) -> str:
    """Render a row for each metric and system, pair and stratum, and each refusal."""
    rows = [*_make_csv_rows(comparison)]
    present = {field: None for row in rows for field in row}
    middle_fields = [
        field for field in present if field not in (*_FIRST_FIELDS, *_LAST_FIELDS)
    ]
    fields = [
        field
        for field in (*_FIRST_FIELDS, *middle_fields, *_LAST_FIELDS)
        if field in present
    ]
    return format_csv([fields, *([row.get(field) for field in fields] for row in rows)])


def _make_csv_rows(comparison: Comparison) -> Iterator[dict[str, Value]]:
    order = comparison.systems
    if comparison.order is not None:
        order = tuple(order_systems(comparison))
    positions = {name: position for position, name in enumerate(order)}
    metrics = {name: position for position, name in enumerate(comparison.metrics)}

    def make_key(record: dict[str, Value]) -> tuple[int, list[int]]:
        systems = [str(record[field]) for field in _SYSTEM_FIELDS if field in record]
        metric = metrics[str(record["metric"])]
        return metric, sorted(map(positions.__getitem__, systems))

    for kind in ("system", "pair"):
        records = comparison.to_records(pairs=kind == "pair")
        for record in sorted(records, key=make_key):
            values = {
                # As spreadsheets write truth values.
                _CSV_NAMES.get(field, field): str(value).upper()
                if isinstance(value, bool)
                else value
                for field, value in record.items()
            }
            yield {"kind": kind, **values, "units": comparison.units}
    last: dict[str, Value] = {"signature": comparison.signature}
    for metric in comparison.metrics.values():
        for stratum in metric.strata:
            for name in order:
                yield {
                    "kind": "stratum",
                    "metric": metric.name,
                    "statistic": metric.statistic,
                    "system": name,
                    "stratum": stratum.name,
                    "value": stratum.scores[name],
                    "units": stratum.units,
                    **last,
                }
    for name, reason in comparison.refused.items():
        yield {"kind": "refused", "system": name, "reason": reason, **last}


def render_markdown_comparison(comparison: Comparison) -> str:
    """Render the table for a paper and its caption as Markdown."""
    caption = Paragraph(write_caption(comparison), is_literal=True)
    return render_markdown(
        [build_paper_table(comparison), caption, *_make_notes(comparison)]
    )


def render_latex_comparison(comparison: Comparison) -> str:
    """Render the table for a paper and its caption as LaTeX."""
    heading = Heading(2, write_caption(comparison), "caption")
    table = build_paper_table(comparison)
    return render_latex([heading, table, *_make_notes(comparison)])


def _make_notes(comparison: Comparison) -> Iterator[Note]:
    for name, reason in comparison.refused.items():
        yield Note(f"not compared: {name}: {reason}")
    yield Note(comparison.signature, is_code=True)


def build_paper_table(comparison: Comparison) -> Table:
    """Build the table of systems by metrics; of a single one, with intervals."""
    if len(comparison.systems) == 1:
        return replace(build_overview(comparison), caption="")
    metrics = [*comparison.metrics.values()]
    order = order_systems(comparison)
    signs = make_row_signs(len(order))
    names = label_systems(comparison)
    columns = [
        _make_paper_cells(comparison, metric, order, signs) for metric in metrics
    ]
    heads = make_metric_columns(metrics)
    if len(metrics) == 1:
        (metric,) = metrics
        systems = {system.name: system for system in metric.systems}
        kind = comparison.procedure.interval
        intervals = [systems[name].intervals.get(kind) for name in order]
        heads.append(Column(name_interval(comparison.procedure)))
        columns.append([Cell(format_interval(metric, ends)) for ends in intervals])
        if has_ranks(comparison):
            heads.append(Column("Rank"))
            columns.append([Cell(str(systems[name].rank)) for name in order])
    labels = (Column("", "left"), Column("System", "left"))
    rows = zip(
        map(Cell, signs), (Cell(names[name]) for name in order), *columns, strict=True
    )
    return Table((*labels, *heads), tuple(rows))


def has_ranks(comparison: Comparison) -> bool:
    """Return whether systems have ranks, that is, whether all pairs were tested."""
    return len(comparison.systems) > 2 and comparison.procedure.baseline is None


def make_row_signs(count: int) -> list[str]:
    """Return a letter for each row, or a number for more than 26 rows."""
    if count <= len(ascii_lowercase):
        return [*ascii_lowercase[:count]]
    return [str(number) for number in range(1, count + 1)]


def _make_paper_cells(
    comparison: Comparison,
    metric: MetricComparison,
    order: Sequence[str],
    signs: Sequence[str],
) -> list[Cell]:
    """Return the scores of a metric, with the signs of the systems that they beat."""
    standings = make_standings(comparison, metric)
    rows = {name: row for row, name in enumerate(order)}
    best = format_number(metric, metric.ranked[0].score)
    scores = {system.name: system.score for system in metric.systems}
    cells = []
    for name in order:
        positions = standings.list_beaten(name)
        beaten = sorted(
            rows[standings.systems[position].name] for position in positions
        )
        text = format_number(metric, scores[name])
        emphasis = Emphasis.BEST if text == best else Emphasis.NONE
        cells.append(Cell(text, above=format_runs(beaten, signs), emphasis=emphasis))
    return cells


def write_caption(comparison: Comparison) -> str:
    """Write the caption of the table for a paper, with test, units, level and seed."""
    return " ".join(_write_sentences(comparison))


def _write_sentences(comparison: Comparison) -> Iterator[str]:
    procedure, metrics = comparison.procedure, comparison.metrics.values()
    systems = format_count(len(comparison.systems), "system")
    units = format_count(comparison.units, procedure.unit)
    yield f"{_describe_scores(comparison)} of {systems} on {units}."
    if len(comparison.systems) > 1:
        yield from _write_pair_sentence(comparison)
        yield _write_significance_sentence(comparison)
        if procedure.test == "t":
            yield "The test is on the mean over documents, as in Cai and Strube (2010)."
        yield "The best score is in bold."
    if 1 in {len(metrics), len(comparison.systems)}:
        yield f"{describe_intervals(comparison)}."
    if len(metrics) == 1 and has_ranks(comparison):
        yield "Rank: 1 and the number of systems that are significantly better."


def _write_significance_sentence(comparison: Comparison) -> str:
    procedure, names = comparison.procedure, label_systems(comparison)
    baseline = names.get(procedure.baseline or "", "")
    method = [
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
    return f"{meaning} ({'; '.join(filter(None, method))})."


def _write_pair_sentence(comparison: Comparison) -> Iterator[str]:
    """Describe the difference of two systems on a single metric."""
    if len(comparison.systems) != 2 or len(comparison.metrics) != 1:
        return
    (metric,) = comparison.metrics.values()
    pair = get_pair(comparison, metric)
    names = label_systems(comparison)
    interval = pair.intervals.get(comparison.procedure.interval)
    ends = format_interval(metric, interval).removeprefix(UNKNOWN)
    text = f"{format_difference(metric, pair.difference)} {ends}".rstrip()
    p = format_p(pair.p)
    if p != UNKNOWN:
        text += f", p {p}" if p.startswith("<") else f", p = {p}"
    yield f"Difference ({names[pair.a]} {_MINUS} {names[pair.b]}): {text}."


def _describe_scores(comparison: Comparison) -> str:
    metrics = comparison.metrics.values()
    scores = [metric for metric in metrics if not metric.is_count]
    if not scores:
        return "Numbers of errors (fewer are better)"
    text = f"{describe_statistics(scores)} in percent"
    if len(scores) < len(metrics):
        return f"{text} and numbers of errors (fewer are better)"
    return text


COMPARISON_WRITERS: Mapping[str, Callable[[Comparison], str]] = {
    "table": lambda comparison: render_terminal(build_comparison_page(comparison)),
    "json": lambda comparison: format_json(comparison.to_dict()),
    "csv": render_csv_comparison,
    "markdown": render_markdown_comparison,
    "latex": render_latex_comparison,
}
