"""The pairs of a metric: matrix, list, and all systems against a baseline."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from corefkit.report.comparison.standings import mark_of
from corefkit.report.comparison.words import (
    difference_text,
    interval_head,
    interval_text,
    number_text,
    p_cell,
    statistic_words,
    title_of,
)
from corefkit.report.page import Cell, Column, Grid, Spacing

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefkit.analysis.compare.comparison import Comparison, PairResult
    from corefkit.report.comparison.standings import Standings

WON_TIED_LOST = "W/T/L"
_LEFT = Column("", "left")
_MOST_WITH_ROOM = 6  # systems


def matrix(standings: Standings) -> Grid:
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
                text = number_text(metric, pair.difference)
                cells.append(Cell(text, mark_of(pair)))
            else:
                cells.append(Cell(p_cell(pair.p_adjusted)))
        rows.append(tuple(cells))
    heads = [Column(str(place)) for place in range(1, len(rows) + 1)]
    return Grid(
        (_LEFT, *heads),
        tuple(rows),
        "Differences above the diagonal, adjusted p below",
        first="names",
        spacing=Spacing(gap=2 if len(rows) <= _MOST_WITH_ROOM else 1),
    )


def pair_list(comparison: Comparison, standings: Standings) -> Grid:
    """Show all of each pair, the better one first, by the numbers of the ranking."""
    places = enumerate(standings.systems, start=1)
    rows = []
    for (one, first), (other, second) in combinations(places, 2):
        pair = standings.pairs[first.name, second.name]
        cells = _pair_cells(standings, pair, difference=number_text)
        bootstrap = Cell(p_cell(pair.p_bootstrap))
        rows.append((Cell(f"{one} and {other}"), *cells[:-1], bootstrap, cells[-1]))
    heads = _pair_heads(comparison)
    columns = (_LEFT, *heads[:-1], Column("boot. p"), heads[-1])
    return Grid(columns, tuple(rows), "Pairs, the better one first")


def _pair_heads(comparison: Comparison) -> list[Column]:
    return [
        Column("Diff."),
        Column(interval_head(comparison.procedure), short="Interval"),
        Column("p"),
        Column("adj. p"),
        Column(WON_TIED_LOST),
    ]


def _pair_cells(
    standings: Standings, pair: PairResult, *, difference: Callable[..., str]
) -> list[Cell]:
    metric = standings.metric
    return [
        Cell(difference(metric, pair.difference), mark_of(pair)),
        Cell(interval_text(metric, standings.interval(pair))),
        Cell(p_cell(pair.p)),
        Cell(p_cell(pair.p_adjusted)),
        Cell(f"{pair.won}/{pair.tied}/{pair.lost}"),
    ]


def beside_baseline(comparison: Comparison, standings: Standings) -> Grid:
    """Show a row for each system, with its difference to the baseline."""
    metric, baseline = standings.metric, comparison.procedure.baseline
    rows = []
    for system in standings.systems:
        pair = standings.pairs.get((system.name, baseline or ""))
        rows.append(
            (
                Cell(standings.names[system.name]),
                Cell(number_text(metric, system.score)),
                *(
                    [Cell("baseline"), *[Cell("")] * 4]
                    if pair is None
                    else _pair_cells(standings, pair, difference=difference_text)
                ),
            )
        )
    score = Column(statistic_words(metric.statistic).capitalize())
    columns = (_LEFT, score, *_pair_heads(comparison))
    title = f"{title_of(metric)}, best first"
    return Grid(columns, tuple(rows), title, first="names")
