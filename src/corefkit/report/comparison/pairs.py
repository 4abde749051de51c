"""The pairs of a metric: matrix, list, and all systems against a baseline."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from corefkit.report.comparison.standings import mark_of
from corefkit.report.comparison.words import (
    difference_text,
    interval_head,
    interval_text,
    is_adjusted,
    number_text,
    p_cell,
    statistic_words,
    title_of,
)
from corefkit.report.grids import Cell, Column, Grid, Spacing

if TYPE_CHECKING:
    from corefkit.analysis.compare.comparison import Comparison, PairResult
    from corefkit.report.comparison.standings import Standings

WON_TIED_LOST = "W/T/L"
_LEFT = Column("", "left")
_MOST_WITH_ROOM = 6  # systems


def matrix(comparison: Comparison, standings: Standings) -> Grid:
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
    p = "adjusted p" if is_adjusted(comparison) else "p"
    return Grid(
        (_LEFT, *heads),
        tuple(rows),
        f"Differences above the diagonal, {p} below",
        first="names",
        spacing=Spacing(gap=2 if len(rows) <= _MOST_WITH_ROOM else 1),
    )


def pair_list(comparison: Comparison, standings: Standings) -> Grid:
    """Show all of each pair by the numbers of the ranking.

    The better one comes first, unless systems are sorted by something else.
    """
    is_own = standings.is_own_order
    written = number_text if is_own else difference_text
    places = enumerate(standings.systems, start=1)
    rows = []
    for (one, first), (other, second) in combinations(places, 2):
        pair = standings.pairs[first.name, second.name]
        text = written(standings.metric, pair.difference)
        cells = _pair_cells(comparison, standings, pair, has_bootstrap=True)
        rows.append((Cell(f"{one} and {other}"), Cell(text, mark_of(pair)), *cells))
    heads = _pair_heads(comparison, has_bootstrap=True)
    what = "the better one first" if is_own else "with the difference of the first"
    return Grid((_LEFT, *heads), tuple(rows), f"Pairs, {what}")


def beside_baseline(comparison: Comparison, standings: Standings) -> Grid:
    """Show a row for each system, with its difference to the baseline."""
    metric, baseline = standings.metric, comparison.procedure.baseline
    heads = _pair_heads(comparison)
    rows = []
    for system in standings.systems:
        score = Cell(number_text(metric, system.score))
        pair = standings.pairs.get((system.name, baseline or ""))
        if pair is None:
            cells = [Cell("baseline"), *[Cell("")] * (len(heads) - 1)]
        else:
            text = difference_text(metric, pair.difference)
            more = _pair_cells(comparison, standings, pair)
            cells = [Cell(text, mark_of(pair)), *more]
        rows.append((Cell(standings.names[system.name]), score, *cells))
    score_head = Column(statistic_words(metric.statistic).capitalize())
    title = f"{title_of(metric)}, {standings.order}"
    return Grid((_LEFT, score_head, *heads), tuple(rows), title, first="names")


def _pair_heads(comparison: Comparison, *, has_bootstrap: bool = False) -> list[Column]:
    heads = ["p", "adj. p"] if is_adjusted(comparison) else ["p"]
    if has_bootstrap and comparison.procedure.test != "bootstrap":
        heads.append("boot. p")
    return [
        Column("Diff."),
        Column(interval_head(comparison.procedure), short="Interval"),
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
        Cell(interval_text(standings.metric, standings.interval(pair))),
        *(Cell(p_cell(p)) for p in ps),
        Cell(f"{pair.won}/{pair.tied}/{pair.lost}"),
    ]
