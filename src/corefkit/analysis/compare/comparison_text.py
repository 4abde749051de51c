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

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from math import inf, isfinite, isnan
from string import ascii_lowercase

from corefkit.analysis.compare.comparison import (
    Comparison,
    Interval,
    MetricComparison,
    PairResult,
    SystemResult,
)
from corefkit.analysis.compare.judging import MAX_LETTERS, format_p_bound
from corefkit.analysis.compare.procedure import Procedure
from corefkit.metrics.registry import CONLL
from corefkit.results.records import Value, format_csv, format_json
from corefkit.results.score_table import (
    BY_NAME,
    Order,
    list_refused,
    order_by_name,
    shorten_label,
)
from corefkit.strings import format_count
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
    Part,
    Table,
)
from corefkit.tables.terminal import label_paths, render_terminal, strip_suffixes

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
MAX_SYSTEMS_ACROSS = 5  # with a column each
MAX_PAIRED = 8  # systems with a table of all pairs
MAX_DETAILED = 3  # metrics
_MINUS = "\N{MINUS SIGN}"
ALL = "all"  # mentions, in tables by class
_LEFT = Column("", "left")
_CONLL_MEAN = "conll"
_ALL_ERRORS = "errors"
_BEST_FIRST = "best first"
_RANK_MEANING = "1 and the number of systems that are significantly better"
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


def format_number(metric: MetricComparison, value: float, *, sign: str = "") -> str:
    """Format a score or a difference in points, or a number of errors."""
    if not isfinite(value):
        return UNKNOWN
    value, digits = (value, 0) if metric.is_count else (100 * value, 2)
    rounded = round(value, digits) + 0.0  # no negative zero
    return f"{rounded:{sign if rounded else ''}.{digits}f}"


def format_interval(metric: MetricComparison, interval: Interval | None) -> str:
    """Format an interval; one without width, as of identical files, is unknown."""
    if interval is None or not 0 < interval.high - interval.low < inf:
        return UNKNOWN
    low, high = (format_number(metric, end) for end in interval)
    return f"[{low}, {high}]"


def format_p(p: float) -> str:
    if not isfinite(p):
        return UNKNOWN
    return f"< {MIN_P}" if p < MIN_P else f"{p:.4f}"


def format_percent(share: float) -> str:
    """Format a share without trailing zeros."""
    return f"{round(100 * share, 2):g}%"


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


def name_statistic(statistic: str) -> str:
    return _STATISTICS.get(statistic, statistic)


def name_interval(procedure: Procedure) -> str:
    """Return the head of a column of intervals."""
    return f"{format_percent(1 - procedure.alpha)} interval"


def make_title(metric: MetricComparison) -> str:
    if metric.is_count:
        return f"{metric.label} (fewer are better)"
    if metric.statistic == "value":
        return metric.label
    return f"{metric.label} {name_statistic(metric.statistic)}"


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


def describe_test(comparison: Comparison, *, of: str) -> str:
    """Describe the test, its statistic, and its alternative."""
    procedure = comparison.procedure
    test = f"{_TESTS[procedure.test]} of {of}"
    if procedure.alternative == "two-sided":
        return f"two-sided {test}"
    baseline = label_systems(comparison)[procedure.baseline or ""]
    return f"one-sided {test} ({procedure.alternative} than {baseline})"


def describe_samples(comparison: Comparison) -> str:
    """Describe how many swaps or draws the p-values are based on."""
    procedure = comparison.procedure
    unit = procedure.unit
    if procedure.test == "t":
        return format_count(comparison.documents, "document")
    if procedure.test == "bootstrap":
        has_runs = any(
            system.runs
            for metric in comparison.metrics.values()
            for system in metric.systems
        )
        draws = format_count(procedure.samples, "draw")
        return f"{draws} of {unit}s{' and runs' if has_runs else ''}"
    exact = {
        pair.is_exact for metric in comparison.metrics.values() for pair in metric.pairs
    }
    if exact == {True}:
        return f"all ways to swap {unit}s (exact)"
    samples = f"{format_count(procedure.samples, 'shuffle')} of {unit}s"
    mixed = f", or all (exact) where few {unit}s differ"
    return samples if exact == {False} else samples + mixed


def describe_correction(comparison: Comparison) -> str:
    """Describe how p-values were corrected; empty for a single pair."""
    pairs, name = comparison.tests, comparison.procedure.correction
    if pairs < 2:
        return ""
    if name == "none":
        return f"no correction for {pairs} pairs"
    family = " of each metric" if len(comparison.metrics) > 1 else ""
    return f"{name.capitalize()} correction over the {pairs} pairs{family}"


def is_adjusted(comparison: Comparison) -> bool:
    """Return whether p-values were corrected for several pairs."""
    return comparison.tests > 1 and comparison.procedure.correction != "none"


def explain_impossible(pairs: Sequence[PairResult], comparison: Comparison) -> str:
    """Explain why pairs cannot be significant."""
    groups: dict[object, list[PairResult]] = {}
    for pair in pairs:
        groups.setdefault((isfinite(pair.p), pair.is_exact), []).append(pair)
    return "; ".join(
        format_p_bound(group, comparison.procedure, tests=comparison.tests)
        for group in groups.values()
    )


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
        return self.order == _BEST_FIRST

    @property
    def title(self) -> str:
        return f"{make_title(self.metric)}, {self.order}"

    def format_interval(self, result: SystemResult | PairResult) -> str:
        return format_interval(self.metric, result.intervals.get(self.kind))

    def is_won(self, pair: PairResult) -> bool:
        """Return whether the first system of a pair is significantly better."""
        is_better = (pair.difference > 0) != self.metric.is_count
        return pair.is_significant and pair.difference != 0 and is_better

    def list_beaten(self, name: str) -> list[int]:
        """Return the positions of the systems that are significantly worse."""
        pairs = [self.pairs.get((name, system.name)) for system in self.systems]
        return [i for i, pair in enumerate(pairs) if pair and self.is_won(pair)]


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


def has_ranks(comparison: Comparison) -> bool:
    """Return whether systems have ranks, that is, whether all pairs were tested."""
    return len(comparison.systems) > 2 and comparison.procedure.baseline is None


def build_overview(comparison: Comparison) -> Table:
    """Build the table of the scores of all systems on all metrics.

    Few systems are columns: one has its interval, and two have their difference.
    """
    metrics = comparison.metrics.values()
    order, names = order_systems(comparison), label_systems(comparison)
    if len(order) == 2:
        pair = get_pair(comparison, find_lead_metric(comparison))
        order = [pair.a, pair.b]
    scores = {metric.name: _make_score_cells(comparison, metric) for metric in metrics}
    is_across = len(order) <= MAX_SYSTEMS_ACROSS
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
    caption = describe_statistics(metrics)
    if has_ranks(comparison):
        columns = [Column(head, group=name) for name in heads for head in ("", RANK)]
        caption += f" and rank ({RANK})"
    if len(order) > 2:
        caption += f", {describe_order(comparison)}"
    elif len(order) == 2:
        columns += _make_pair_heads(comparison, f" {_MINUS} ".join(heads))
    else:
        columns.append(_make_interval_column(comparison))
    for metric, (_, cells) in zip(
        metrics, rows if len(order) <= 2 else (), strict=False
    ):
        standings = make_standings(comparison, metric)
        if len(order) == 1:
            cells.append((Cell(standings.format_interval(metric.systems[0])),))
        else:
            pair = get_pair(comparison, metric)
            cells.append((*_make_pair_cells(comparison, standings, pair, sign="+"),))
    return Table(
        (_LEFT, *columns),
        tuple((Cell(label), *chain.from_iterable(cells)) for label, cells in rows),
        caption,
        first="labels" if is_across else "names",
        gap=1 if len(order) > 2 else 2,
    )


def _make_score_cells(
    comparison: Comparison, metric: MetricComparison
) -> dict[str, tuple[Cell, ...]]:
    """Return each system's score and rank, or its score compared with the baseline."""
    baseline = comparison.procedure.baseline
    standings = make_standings(comparison, metric)
    cells: dict[str, tuple[Cell, ...]] = {}
    for system in metric.systems:
        score = Cell(format_number(metric, system.score))
        pair = standings.pairs.get((system.name, baseline or ""))
        if has_ranks(comparison):
            cells[system.name] = score, _make_rank_cell(system)
        elif len(metric.systems) > 2 and pair is not None and pair.is_significant:
            mark = BETTER if standings.is_won(pair) else WORSE
            cells[system.name] = (score._replace(mark=mark),)
        else:
            cells[system.name] = (score,)
    return cells


def _make_rank_cell(system: SystemResult) -> Cell:
    return Cell(str(system.rank), INVERTED if system.is_inverted else "")


def _make_interval_column(comparison: Comparison) -> Column:
    return Column(name_interval(comparison.procedure), short="Interval")


def _make_p_cell(p: float) -> Cell:
    return Cell(format_p(p).replace(" ", ""))


def build_details(comparison: Comparison, standings: Standings) -> Iterator[Part]:
    count = len(standings.systems)
    if count == 2:
        yield Paragraph(_describe_two_scores(comparison, standings), is_literal=True)
    elif count > 2 and comparison.procedure.baseline is not None:
        yield _build_baseline_table(comparison, standings)
    elif count > 2:
        yield _build_ranking(comparison, standings)
        if count <= MAX_PAIRED:
            yield _build_pair_table(comparison, standings)
    limit = describe_limit(standings.metric, comparison.procedure.unit)
    if limit:
        yield Paragraph(limit)
    if standings.metric.strata:
        yield _build_strata_table(comparison, standings)


def _build_ranking(comparison: Comparison, standings: Standings) -> Table:
    metric = standings.metric
    has_letters = any(system.letters for system in metric.systems)
    has_beaten = len(standings.systems) > MAX_PAIRED
    numbers = [str(position) for position in range(1, len(standings.systems) + 1)]
    rows = []
    for number, system in zip(numbers, standings.systems, strict=True):
        label = f"{number:>{len(numbers[-1])}} {standings.names[system.name]}"
        beaten = format_runs(standings.list_beaten(system.name), numbers)
        rows.append(
            (
                Cell(label),
                Cell(format_number(metric, system.score)),
                Cell(standings.format_interval(system)),
                _make_rank_cell(system),
                *([Cell(system.letters)] if has_letters else []),
                *([Cell(beaten.replace(",", ", "))] if has_beaten else []),
            )
        )
    heads = [
        Column(name_statistic(metric.statistic).capitalize()),
        _make_interval_column(comparison),
        Column("Rank"),
        *([Column(LETTERS, "left")] if has_letters else []),
        *([Column("Beats", "left")] if has_beaten else []),
    ]
    return Table((_LEFT, *heads), tuple(rows), standings.title, first="names")


def _build_baseline_table(comparison: Comparison, standings: Standings) -> Table:
    metric, baseline = standings.metric, comparison.procedure.baseline or ""
    heads = _make_pair_heads(comparison, f"{_MINUS} {standings.names[baseline]}")
    rows = []
    for system in standings.systems:
        pair = standings.pairs.get((system.name, baseline))
        cells = [Cell("baseline"), *[Cell("")] * (len(heads) - 1)]
        if pair is not None:
            cells = _make_pair_cells(comparison, standings, pair, sign="+")
        score = Cell(format_number(metric, system.score))
        rows.append((Cell(standings.names[system.name]), score, *cells))
    score_column = Column(name_statistic(metric.statistic).capitalize())
    columns = (_LEFT, score_column, *heads)
    return Table(columns, tuple(rows), standings.title, first="names")


def _describe_two_scores(comparison: Comparison, standings: Standings) -> str:
    pair = get_pair(comparison, standings.metric)
    systems = {system.name: system for system in standings.systems}
    scores = [
        f"{standings.names[name]} "
        f"{format_number(standings.metric, systems[name].score)} "
        f"{standings.format_interval(systems[name])}".removesuffix(f" {UNKNOWN}")
        for name in (pair.a, pair.b)
    ]
    return f"{make_title(standings.metric)}: {', '.join(scores)}"


def _build_pair_table(comparison: Comparison, standings: Standings) -> Table:
    """Build the table of all pairs, named by the numbers of their systems."""
    sign = "" if standings.is_best_first else "+"
    rows = []
    numbered = enumerate(standings.systems, start=1)
    for (i, first), (j, second) in combinations(numbered, 2):
        pair = standings.pairs[first.name, second.name]
        cells = _make_pair_cells(comparison, standings, pair, sign=sign)
        rows.append((Cell(f"{i} {_MINUS} {j}"), *cells))
    better = ", the better system first" if standings.is_best_first else ""
    heads = _make_pair_heads(comparison, "Diff.")
    return Table((_LEFT, *heads), tuple(rows), f"Pairs{better}")


def _make_pair_heads(comparison: Comparison, difference: str) -> list[Column]:
    return [
        Column(difference, short="Diff."),
        _make_interval_column(comparison),
        Column("p"),
        *([Column("adj. p")] if is_adjusted(comparison) else []),
        Column(WON_TIED_LOST),
    ]


def _make_pair_cells(
    comparison: Comparison, standings: Standings, pair: PairResult, *, sign: str
) -> list[Cell]:
    difference = format_number(standings.metric, pair.difference, sign=sign)
    mark = SIGNIFICANT * pair.is_significant + BORDERLINE * pair.is_borderline
    return [
        Cell(difference, IMPOSSIBLE if pair.is_hopeless else mark),
        Cell(standings.format_interval(pair)),
        _make_p_cell(pair.p),
        *([_make_p_cell(pair.p_adjusted)] if is_adjusted(comparison) else []),
        Cell(f"{pair.won}/{pair.tied}/{pair.lost}"),
    ]


def describe_limit(metric: MetricComparison, unit: str) -> str:
    """Describe the differences that would not be detected; empty if all were.

    Ratios differ by 1 at most: with a greater or unknown limit, no difference of a pair
    can be detected.
    """
    limits = [
        inf if isnan(pair.least_detectable) else pair.least_detectable
        for pair in metric.pairs
        if not pair.is_significant and pair.units_that_differ
    ]
    limit = max(limits, default=0.0)
    if limit > (1.0 if metric.statistic in _RATIOS else 1e308):
        return f"No difference could be detected reliably with so few {unit}s."
    points = "errors" if metric.is_count else "points"
    text = f"Differences below {format_number(metric, limit)} {points}"
    return f"{text} would mostly not be detected here." if limit > 0 else ""


def _build_strata_table(comparison: Comparison, standings: Standings) -> Table:
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
            difference = format_number(metric, scores[0] - scores[1], sign="+")
            row.append(Cell(difference))
        rows.append(tuple(row))
    labels = [standings.names[name] for name in names]
    heads = [
        Column(f"{comparison.procedure.unit}s".capitalize()),
        *(Column(label, is_name=True) for label in labels),
        *([Column(f" {_MINUS} ".join(labels), short="Diff.")] if is_pair else []),
    ]
    strata = "genre" if comparison.procedure.strata == "genre" else "stratum"
    title = f"{metric.label} by {strata}; no test within"
    return Table((_LEFT, *heads), tuple(rows), title)


def build_run_table(comparison: Comparison) -> list[Table]:
    """Build the table of means and deviations of systems with several runs."""
    names = label_systems(comparison)
    systems = [
        name
        for name in order_systems(comparison)
        if any(
            system.name == name and system.runs
            for system in find_lead_metric(comparison).systems
        )
    ]
    if not systems:
        return []
    rows = []
    for metric in comparison.metrics.values():
        by_name = {system.name: system for system in metric.systems}
        cells = [
            f"{format_number(metric, by_name[name].score)} \N{PLUS-MINUS SIGN} "
            f"{format_number(metric, by_name[name].deviation)}"
            for name in systems
        ]
        rows.append(tuple(map(Cell, [metric.label, *cells])))
    columns = [Column(names[name], is_name=True) for name in systems]
    caption = "Mean and standard deviation over runs"
    return [Table((_LEFT, *columns), tuple(rows), caption)]


def explain_marks(
    comparison: Comparison, shown: Sequence[Standings], tables: Iterable[Part]
) -> Iterator[str]:
    """Explain the marks of tables, one line each."""
    parts = [table for table in tables if isinstance(table, Table)]
    heads = {column.head for table in parts for column in table.columns}
    cells = [cell for table in parts for row in table.rows for cell in row]
    marks = {sign for cell in cells for sign in cell.mark}
    baseline, alpha = comparison.procedure.baseline, comparison.procedure.alpha
    if has_ranks(comparison):
        sign = f" ({RANK})" if RANK in heads else ""
        yield f"rank{sign}: {_RANK_MEANING}"
    if INVERTED in marks:
        yield (
            f"{INVERTED} differs from fewer systems above it than a system with a "
            "better score does"
        )
    if LETTERS in heads:
        yield "letters: two systems differ significantly if they share none"
    if {BETTER, WORSE} & marks:
        name = label_systems(comparison)[baseline or ""]
        yield f"{BETTER} {WORSE} significantly better, worse than {name}"
    if WON_TIED_LOST in heads:
        units = f"{comparison.procedure.unit}s"
        against = "against the baseline" if baseline else "by the first"
        yield f"{WON_TIED_LOST}: {units} won, tied, lost {against}"
    p = "adjusted p" if is_adjusted(comparison) else "p"
    metrics = [standings.metric for standings in shown]
    if len(comparison.systems) == 2:
        metrics = [*comparison.metrics.values()]  # of the overview
    pairs = [pair for metric in metrics for pair in metric.pairs]
    if SIGNIFICANT in marks:
        yield f"{SIGNIFICANT} significant: {p} at most {alpha:g}"
    elif pairs and not any(pair.is_significant for pair in pairs):
        yield f"no significant difference: {p} above {alpha:g}"
    if BORDERLINE in marks:
        yield f"{BORDERLINE} borderline: more --samples could decide otherwise"
    if IMPOSSIBLE in marks:
        reason = explain_impossible([p for p in pairs if p.is_hopeless], comparison)
        yield f"{IMPOSSIBLE} cannot be significant: {reason}"
    yield from _list_identical(comparison)


def _list_identical(comparison: Comparison) -> Iterator[str]:
    names = label_systems(comparison)
    metrics = comparison.metrics.values()
    systems = [metric.systems for metric in metrics if not metric.is_count]
    for scores in zip(*systems, strict=True):
        if all(system.score == 1 for system in scores):
            name = names[scores[0].name]
            yield f"{name} is identical to the key: it has no intervals"
    for pairs in zip(*(metric.pairs for metric in metrics), strict=True):
        if not any(pair.units_that_differ for pair in pairs):
            systems_text = f"{names[pairs[0].a]} and {names[pairs[0].b]}"
            unit = comparison.procedure.unit
            yield f"{systems_text} are identical: same counts in every {unit}"


def build_comparison_page(
    comparison: Comparison, *, names_options: bool = True
) -> list[Part]:
    """Build the page: overview, details, marks, method and hints on options."""
    shown = [
        make_standings(comparison, comparison.metrics[name])
        for name in select_detailed(comparison)
    ]
    tables: list[Part] = []
    if len(comparison.metrics) > 1 or len(comparison.systems) <= 2:
        tables.append(build_overview(comparison))
    for standings in shown:
        tables += build_details(comparison, standings)
    tables += build_run_table(comparison)
    by_class = list_class_comparisons(comparison)
    class_tables = build_class_tables(comparison)
    lines = [
        *explain_marks(comparison, shown, tables),
        *explain_class_marks(comparison, by_class, class_tables),
        *describe_method(comparison),
        *(_list_omitted(comparison, shown) if names_options else ()),
    ]
    return [
        Paragraph(describe_subject(comparison), is_literal=True),
        *tables,
        *class_tables,
        *list_refused(comparison.refused, "Not compared", "scored"),
        Bullets(tuple(map(Bullet, lines))),
        *_list_signatures(comparison),
    ]


def _list_signatures(comparison: Comparison) -> Iterator[Note]:
    yield Note(comparison.signature, is_code=True)
    for part in [*comparison.classes.values()][:1]:
        yield Note(f"by {comparison.by}: {part.signature}", is_code=True)


def list_class_comparisons(comparison: Comparison) -> list[Comparison]:
    """Return a comparison for each metric, in which classes are the metrics."""
    parts, order = comparison.classes, comparison.order
    if order is not None and order.metric != BY_NAME:
        order = Order(ALL)
    rows = [
        (ALL, ALL, comparison),
        *((f"{comparison.by}:{name}", name, part) for name, part in parts.items()),
    ]
    metrics = [metric for part in [*parts.values()][:1] for metric in part.metrics]
    return [
        replace(
            comparison,
            metrics={
                name: replace(part.metrics[metric], name=name, label=label)
                for name, label, part in rows
            },
            order=order,
            classes={},
        )
        for metric in metrics
    ]


def build_class_tables(comparison: Comparison) -> list[Table]:
    """Build a table by class for each metric."""
    parts = [*comparison.classes.values()][:1]
    titles = [make_title(metric) for part in parts for metric in part.metrics.values()]
    return [
        replace(build_overview(by_class), caption=f"{title} by {comparison.by}")
        for title, by_class in zip(
            titles, list_class_comparisons(comparison), strict=True
        )
    ]


def explain_class_marks(
    comparison: Comparison, by_class: Sequence[Comparison], tables: Sequence[Table]
) -> Iterator[str]:
    """Explain the marks of tables by class, and the correction of their tests."""
    lines = [
        line
        for part, table in zip(by_class, tables, strict=True)
        for line in explain_marks(part, [], [table])
        if SIGNIFICANT in line or BORDERLINE in line or IMPOSSIBLE in line
    ]
    yield from dict.fromkeys(f"by {comparison.by}: {line}" for line in lines)
    name = comparison.procedure.correction.capitalize()
    if by_class and is_adjusted(by_class[0]):
        tests = format_count(by_class[0].tests, "test")
        yield f"by {comparison.by}: {name} correction over all classes, {tests}"


def select_detailed(comparison: Comparison) -> list[str]:
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
    baseline = label_systems(comparison).get(procedure.baseline or "")
    return f"{text}, each against {baseline}" if baseline else text


def describe_method(comparison: Comparison) -> Iterator[str]:
    """Describe the test and the intervals."""
    procedure, metrics = comparison.procedure, comparison.metrics.values()
    if len(comparison.systems) > 1:
        statistics = {metric.statistic for metric in metrics}
        is_mixed = len(statistics) > 1
        statistic = procedure.statistic if is_mixed else next(iter(statistics))
        details = [
            describe_test(comparison, of=name_statistic(statistic)),
            describe_samples(comparison),
            f"seed {procedure.seed}",
            *filter(None, [describe_correction(comparison)]),
            f"alpha {procedure.alpha:g}",
        ]
        yield f"test: {', '.join(details)}"
        if procedure.test == "t":
            yield (
                "the t-test is on the mean over documents, as in Cai and Strube "
                "(2010), not on the scores shown"
            )
    scores = "" if all(metric.is_count for metric in metrics) else "scores in percent; "
    draws = format_count(procedure.samples, "draw")
    strata = " within strata" if procedure.strata is not None else ""
    yield (
        f"{scores}{name_interval(procedure)}s: {_INTERVALS[procedure.interval]}, "
        f"{draws}{strata}"
    )


def _list_omitted(comparison: Comparison, shown: Sequence[Standings]) -> Iterator[str]:
    names = {*CONLL, *(standings.metric.name for standings in shown)}
    hidden = [name for name in comparison.metrics if name not in names]
    if hidden and len(comparison.systems) > 1:
        label = comparison.metrics[hidden[-1]].label
        yield f"`--metric {hidden[-1]}` shows {label} in detail; `--format csv` has all"
    elif len(comparison.systems) > MAX_PAIRED and has_ranks(comparison):
        yield "`--format csv` has the p-values of all pairs"


_FIELDS = (
    "kind",
    "class",
    "metric",
    "statistic",
    "system",
    "against",
    "stratum",
    "value",
)
_POSITIONS = {field: number - len(_FIELDS) for number, field in enumerate(_FIELDS)}
_POSITIONS |= {"reason": 1, "signature": 2}  # other fields have 0
_CSV_NAMES = {"score": "value", "difference": "value", "a": "system", "b": "against"}


def render_csv_comparison(comparison: Comparison) -> str:
    """Render a row for each metric and system, pair, stratum and rejected system."""
    rows = [*_iter_csv_rows(comparison)]
    present = dict.fromkeys(chain.from_iterable(rows))
    fields = sorted(present, key=lambda field: _POSITIONS.get(field, 0))
    return format_csv([fields, *([row.get(field) for field in fields] for row in rows)])


def _iter_csv_rows(comparison: Comparison) -> Iterator[dict[str, Value]]:
    is_sorted = comparison.order is not None
    order = order_systems(comparison) if is_sorted else comparison.systems
    metrics = [*comparison.metrics]

    def make_key(record: dict[str, Value]) -> tuple[int, list[int]]:
        systems = [record[field] for field in ("system", "a", "b") if field in record]
        positions = sorted(order.index(str(system)) for system in systems)
        return metrics.index(str(record["metric"])), positions

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
            part = comparison.classes.get(str(record.get("class"))) or comparison
            yield {"kind": kind, **values, "units": part.units}
    signature = comparison.signature
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
                    "signature": signature,
                }
    for name, reason in comparison.refused.items():
        row: dict[str, Value] = {"kind": "refused", "system": name, "reason": reason}
        yield {**row, "signature": signature}


def render_markdown_comparison(comparison: Comparison) -> str:
    """Render the table for a paper and its caption as Markdown."""
    caption = Paragraph(write_caption(comparison), is_literal=True)
    table = build_paper_table(comparison)
    return render_markdown(
        [table, *build_class_tables(comparison), caption, *_make_notes(comparison)]
    )


def render_latex_comparison(comparison: Comparison) -> str:
    """Render the table for a paper and its caption as LaTeX."""
    heading = Heading(2, write_caption(comparison), "caption")
    table = build_paper_table(comparison)
    tables = table, *build_class_tables(comparison)
    return render_latex([heading, *tables, *_make_notes(comparison)])


def _make_notes(comparison: Comparison) -> Iterator[Note]:
    for name, reason in comparison.refused.items():
        yield Note(f"not compared: {name}: {reason}")
    yield from _list_signatures(comparison)


def build_paper_table(comparison: Comparison) -> Table:
    """Build the table of systems by metrics; one or two systems have the overview."""
    if len(comparison.systems) <= 2:
        return replace(build_overview(comparison), caption="")
    metrics = [*comparison.metrics.values()]
    order = order_systems(comparison)
    signs = [*ascii_lowercase]
    if len(order) > MAX_LETTERS:
        signs = [str(number) for number, _ in enumerate(order, start=1)]
    names = label_systems(comparison)
    heads = [Column(shorten_label(metric.label)) for metric in metrics]
    columns = [
        _make_paper_cells(comparison, metric, order, signs) for metric in metrics
    ]
    if len(metrics) == 1:
        standings = make_standings(comparison, metrics[0])
        systems = {system.name: system for system in standings.systems}
        heads.append(Column(name_interval(comparison.procedure)))
        columns.append(
            [Cell(standings.format_interval(systems[name])) for name in order]
        )
        if has_ranks(comparison):
            heads.append(Column("Rank"))
            columns.append([Cell(str(systems[name].rank)) for name in order])
    labels = (Column("", "left"), Column("System", "left"))
    rows = [
        (Cell(sign), Cell(names[name]), *cells)
        for sign, name, *cells in zip(signs, order, *columns, strict=False)
    ]
    return Table((*labels, *heads), tuple(rows))


def _make_paper_cells(
    comparison: Comparison,
    metric: MetricComparison,
    order: Sequence[str],
    signs: Sequence[str],
) -> list[Cell]:
    """Return the scores of a metric, with the signs of the systems that they beat."""
    standings = make_standings(comparison, metric)
    best = format_number(metric, metric.ranked[0].score)
    scores = {system.name: system.score for system in metric.systems}
    cells = []
    for name in order:
        beaten = sorted(
            order.index(standings.systems[position].name)
            for position in standings.list_beaten(name)
        )
        text = format_number(metric, scores[name])
        emphasis = Emphasis.BEST if text == best else Emphasis.NONE
        cells.append(Cell(text, above=format_runs(beaten, signs), emphasis=emphasis))
    return cells


def write_caption(comparison: Comparison) -> str:
    """Write the caption of the table for a paper, with test, units, level and seed."""
    procedure, metrics = comparison.procedure, comparison.metrics.values()
    systems = format_count(len(comparison.systems), "system")
    units = format_count(comparison.units, procedure.unit)
    sentences = [f"{describe_statistics(metrics)} of {systems} on {units}"]
    if len(comparison.systems) == 2:
        sentences += explain_marks(comparison, [], [build_overview(comparison)])
    elif len(comparison.systems) > 2:
        signs = "letters" if len(comparison.systems) <= MAX_LETTERS else "numbers"
        sentences.append(
            f"{signs} above a score name the systems that this one is significantly "
            "better than"
            if any(pair.is_significant for metric in metrics for pair in metric.pairs)
            else "no difference between systems is significant"
        )
        sentences.append("the best score is in bold")
    sentences += describe_method(comparison)
    if len(metrics) == 1 and has_ranks(comparison):
        sentences.append(f"rank: {_RANK_MEANING}")
    return " ".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in sentences)


COMPARISON_WRITERS: Mapping[str, Callable[[Comparison], str]] = {
    "table": lambda comparison: render_terminal(build_comparison_page(comparison)),
    "json": lambda comparison: format_json(comparison.to_dict()),
    "csv": render_csv_comparison,
    "markdown": render_markdown_comparison,
    "latex": render_latex_comparison,
}
