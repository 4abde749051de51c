"""All systems on all metrics, in one grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report.comparison.standings import (
    display_names,
    lead_metric,
    mark_of,
    only_pair,
    order_words,
    standings_of,
    systems_in_order,
)
from corefkit.report.comparison.words import (
    INVERTED,
    difference_text,
    interval_head,
    interval_text,
    number_text,
    p_cell,
    statistic_words,
)
from corefkit.report.grids import Cell, Column, Grid, Spacing
from corefkit.report.scores import short_label

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from corefkit.analysis.compare.comparison import (
        Comparison,
        MetricComparison,
        SystemResult,
    )

MOST_BESIDE = 5  # systems that stand beside each other if there are more metrics
_TIGHT = Spacing(gap=1)
BETTER, WORSE = "+", "-"  # than the baseline


def overview(comparison: Comparison) -> Grid:
    """Show the score of every system on every metric."""
    if len(comparison.systems) == 1:
        return _alone(comparison)
    if len(comparison.systems) == 2:
        return _two(comparison)
    metrics = comparison.metrics.values()
    order = systems_in_order(comparison)
    names = display_names(comparison)
    scores = {metric.name: _scores(comparison, metric) for metric in metrics}
    caption = _caption(comparison)
    if len(order) <= MOST_BESIDE < len(scores):
        heads = [Column(names[name], is_name=True) for name in order]
        rows = [
            (Cell(metric.label), *(scores[metric.name][name] for name in order))
            for metric in metrics
        ]
        return Grid((Column("", "left"), *heads), tuple(rows), caption, spacing=_TIGHT)
    return Grid(
        (Column("", "left"), *metric_columns(metrics)),
        tuple(
            (Cell(names[name]), *(scores[metric.name][name] for metric in metrics))
            for name in order
        ),
        caption,
        first="names",
        spacing=_TIGHT if len(scores) > MOST_BESIDE else Spacing(),
    )


def metric_columns(metrics: Iterable[MetricComparison]) -> list[Column]:
    """Make a column for each metric; without brackets, there is room for more."""
    return [Column(short_label(metric.label)) for metric in metrics]


def _caption(comparison: Comparison) -> str:
    metrics = comparison.metrics.values()
    marks = "" if comparison.procedure.baseline else " and rank"
    return f"{kind_of(metrics)}{marks}, {order_words(comparison)}"


def _scores(comparison: Comparison, metric: MetricComparison) -> dict[str, Cell]:
    """Give each system's score, with its rank or how it does beside the baseline."""
    if comparison.procedure.baseline is None:
        return {system.name: _ranked(metric, system) for system in metric.systems}
    standings = standings_of(comparison, metric)
    cells = {}
    for system in metric.systems:
        pair = standings.pairs.get((system.name, comparison.procedure.baseline))
        mark = ""
        if pair is not None and pair.is_significant:
            mark = BETTER if standings.is_won(pair) else WORSE
        cells[system.name] = Cell(number_text(metric, system.score), mark)
    return cells


def _ranked(metric: MetricComparison, system: SystemResult) -> Cell:
    return Cell(
        number_text(metric, system.score),
        mark=INVERTED if system.is_inverted else "",
        above=str(system.rank),
    )


def _alone(comparison: Comparison) -> Grid:
    """Show the intervals of one system."""
    kind = comparison.procedure.interval
    rows = [
        (
            Cell(metric.label),
            Cell(number_text(metric, system.score)),
            Cell(interval_text(metric, system.intervals.get(kind))),
        )
        for metric in comparison.metrics.values()
        for system in metric.systems
    ]
    (name,) = display_names(comparison).values()
    heads = [
        Column(kind_of(comparison.metrics.values())),
        Column(interval_head(comparison.procedure)),
    ]
    return Grid((Column("", "left"), *heads), tuple(rows), name)


def kind_of(metrics: Collection[MetricComparison]) -> str:
    """Say what the numbers of metrics are, as in "F1, of α the value"."""
    kinds = {metric.statistic: None for metric in metrics}
    if "value" in kinds and len(kinds) > 1:
        del kinds["value"]
        valued = [
            short_label(metric.label)
            for metric in metrics
            if metric.statistic == "value"
        ]
        kinds[f"of {', '.join(valued)} the value"] = None
    text = ", ".join(map(statistic_words, kinds))
    return text[0].upper() + text[1:]


def _two(comparison: Comparison) -> Grid:
    """Show two systems, a row for each metric."""
    kind = comparison.procedure.interval
    rows = []
    for metric in comparison.metrics.values():
        pair = only_pair(comparison, metric)
        scores = {system.name: system.score for system in metric.systems}
        rows.append(
            (
                Cell(metric.label),
                *(Cell(number_text(metric, scores[name])) for name in (pair.a, pair.b)),
                Cell(difference_text(metric, pair.difference), mark_of(pair)),
                Cell(interval_text(metric, pair.intervals.get(kind))),
                Cell(p_cell(pair.p)),
            )
        )
    pair = only_pair(comparison, lead_metric(comparison))
    names = display_names(comparison)
    heads = [
        *(Column(names[name], is_name=True) for name in (pair.a, pair.b)),
        Column("Difference", short="Diff."),
        Column(interval_head(comparison.procedure), short="Interval"),
        Column("p"),
    ]
    return Grid(
        (Column("", "left"), *heads), tuple(rows), kind_of(comparison.metrics.values())
    )
