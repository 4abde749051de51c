"""Scores with intervals, and who beats whom."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from corefkit.analysis.compare.comparison_text import (
    UNKNOWN,
    details,
    interval_head,
    interval_text,
    kind_of,
    legend,
    method_lines,
    number_text,
    overview,
    percent,
    standings_of,
    statistic_words,
    subject,
    title_of,
)
from corefkit.report.summary.view import sortable
from corefkit.results.score_table import refusals
from corefkit.strings import join_words
from corefkit.tables.elements import (
    Beside,
    Folded,
    Heading,
    Item,
    Items,
    Paragraph,
    Range,
    Ranges,
)
from corefkit.tables.grids import Cell, Column, Emphasis, Grid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.analysis.compare.comparison import MetricComparison, SystemResult
    from corefkit.report.summary.view import View
    from corefkit.tables.elements import Part

MOST_IN_MATRIX = 30  # systems, whose pairs a page has room for
_PARTS = ("recall", "precision")
_TOO = ("lea",)  # shown beside the metric that leads


def score_parts(view: View) -> Iterator[Part]:
    """Show all scores, then the differences."""
    comparison = view.report.comparison
    yield Heading(2, "Scores", "scores")
    level = percent(1 - comparison.procedure.alpha)
    more = " R is recall, P precision, F1 their harmonic mean."
    yield Paragraph(
        f"In percent: 100 is perfect. A line is the {level} interval of a score."
        f"{more if view.is_beside and _has_parts(view) else ''}"
    )
    table = _beside(view) if view.is_beside else sortable(overview(comparison))
    yield Beside((_chart(view), table))
    yield from refusals(view.report.refused, "Not scored", "scored")
    if len(view.names) > 1:
        yield Heading(2, "Who beats whom", "differences", "Differences")
        yield from _differences(view)


def _chart(view: View) -> Ranges:
    """Draw all metrics of few systems, or the metric that leads of many."""
    level = percent(1 - view.report.comparison.procedure.alpha)
    if not view.is_beside:
        systems = {system.name: system for system in view.lead.systems}
        names = view.report.comparison.systems
        title = f"{title_of(view.lead)} with {level} intervals"
        return Ranges(
            title,
            tuple(
                (
                    view.names[place],
                    (*_ranges(view, view.lead, systems[names[place]], 0),),
                )
                for place in view.places
            ),
        )
    rows = [
        (
            metric.label,
            tuple(
                one
                for series, place in enumerate(view.places)
                for one in _ranges(view, metric, metric.systems[place], series)
            ),
        )
        for metric in view.report.comparison.metrics.values()
        if not metric.is_count
    ]
    kinds = kind_of(view.report.comparison.metrics.values())
    title = f"{kinds} of each metric with {level} intervals"
    return Ranges(title, tuple(rows), tuple(view.shown))


def _ranges(
    view: View, metric: MetricComparison, system: SystemResult, series: int
) -> Iterator[Range]:
    """Give a score with its interval; none where it cannot be computed."""
    scale = 1 if metric.is_count else 100
    interval = system.intervals.get(view.report.comparison.procedure.interval)
    if not isfinite(system.score):
        return
    if interval is None or not all(map(isfinite, interval)):
        yield Range(series, scale * system.score)
    else:
        yield Range(series, scale * system.score, *(scale * end for end in interval))


def _has_parts(view: View) -> bool:
    """Say whether recall and precision stand beside the scores, which are F1 then."""
    return view.report.comparison.procedure.statistic == "f1"


def _beside(view: View) -> Grid:
    """Show recall, precision, F1 and its interval, a group of columns a system."""
    comparison = view.report.comparison
    rows = []
    for metric in comparison.metrics.values():
        best = metric.ranked[0].score
        is_told = len({system.score for system in metric.systems}) > 1
        row = [Cell(metric.label)]
        for place in view.places:
            system = metric.systems[place]
            emphasis = Emphasis.BEST if is_told and system.score == best else None
            score = Cell(number_text(metric, system.score))
            row += _parts(view, metric.name, place) if _has_parts(view) else []
            row.append(score._replace(emphasis=emphasis) if emphasis else score)
            interval = system.intervals.get(comparison.procedure.interval)
            row.append(Cell(interval_text(metric, interval)))
        rows.append(tuple(row))
    heads = [
        Column(head, group=name)
        for name in (view.shown if len(view.names) > 1 else [""])
        for head in _heads(view)
    ]
    return Grid((Column("", "left"), *heads), tuple(rows))


def _heads(view: View) -> list[str]:
    procedure = view.report.comparison.procedure
    score = statistic_words(procedure.statistic)
    parts = ["R", "P"] if _has_parts(view) else []
    return [*parts, score[0].upper() + score[1:], interval_head(procedure)]


def _parts(view: View, metric: str, place: int) -> list[Cell]:
    """Write recall and precision, which a mean does not have."""
    evaluation = view.evaluations[place]
    if metric not in evaluation.scores:
        return [Cell(""), Cell("")]
    score = evaluation.scores[metric]
    values = [getattr(score, part) for part in _PARTS]
    return [Cell(f"{100 * v:.2f}" if isfinite(v) else UNKNOWN) for v in values]


def _differences(view: View) -> Iterator[Part]:
    """Show each pair on the metric that leads, and on LEA, and what the marks mean."""
    comparison = view.report.comparison
    names = dict.fromkeys([view.lead.name, *(n for n in _TOO if n in comparison)])
    shown = [standings_of(comparison, comparison.metrics[name]) for name in names]
    yield Paragraph(f"{subject(comparison)}.", is_literal=True)
    tables: list[Part] = [overview(comparison)] if len(view.names) == 2 else []
    found = [
        [*details(comparison, standings, most_in_matrix=MOST_IN_MATRIX)]
        for standings in shown
    ]
    tables += [table for of_metric in found for table in of_metric]
    lines = [*legend(comparison, shown, tables), *method_lines(comparison)]
    marks = Items(tuple(map(Item, lines)))
    if len(view.names) == 2:
        # The table says who is better; the rest of a test is for those who ask.
        yield Beside((overview(comparison), marks))
        titles = join_words([title_of(standings.metric) for standings in shown])
        yield Folded(f"More about {titles}", (Beside(tuple(tables[1:])),))
    else:
        first, *others = [title_of(standings.metric) for standings in shown]
        yield Heading(3, first, f"by-{view.lead.name}")
        yield Beside(tuple(found[0]))
        for title, of_metric in zip(others, found[1:], strict=True):
            yield Folded(f"The same by {title}", (Beside(tuple(of_metric)),))
        yield marks
