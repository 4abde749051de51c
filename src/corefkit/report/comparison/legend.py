"""What the marks of a comparison's tables mean; only those that are there."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from corefkit.report.comparison.details import LETTERS
from corefkit.report.comparison.overview import BETTER, WORSE
from corefkit.report.comparison.pairs import WON_TIED_LOST
from corefkit.report.comparison.standings import display_names, is_hopeless
from corefkit.report.comparison.words import (
    BORDERLINE,
    IMPOSSIBLE,
    INVERTED,
    SIGNIFICANT,
    counted,
    impossible_words,
    is_adjusted,
    percent,
)
from corefkit.report.grids import Grid

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.analysis.compare.comparison import Comparison, PairResult
    from corefkit.report.comparison.standings import Standings
    from corefkit.report.page import Part

_MOST_UNDEFINED = 0.01  # the share of draws that needs no word


def legend(
    comparison: Comparison, shown: Sequence[Standings], tables: Iterable[Part]
) -> Iterator[str]:
    """Explain the marks of tables, a line each."""
    grids = [table for table in tables if isinstance(table, Grid)]
    cells = [cell for grid in grids for row in grid.rows for cell in row]
    marks = {sign for cell in cells for sign in cell.mark}
    if len(comparison.systems) > 2 and comparison.procedure.baseline is None:
        sign = " (¹)" if any(cell.above for cell in cells) else ""
        yield f"rank{sign}: 1 and the number of systems that are significantly better"
    if INVERTED in marks:
        yield f"{INVERTED} {_inverted(comparison)}"
    if any(column.head == LETTERS for grid in grids for column in grid.columns):
        yield "letters: two systems differ significantly if they share none"
    if {BETTER, WORSE} & marks:
        baseline = display_names(comparison)[comparison.procedure.baseline or ""]
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
        sign = BORDERLINE if is_marked else f"{number} of {counted(len(pairs), 'pair')}"
        yield f"{sign} borderline: more --samples could decide otherwise"


def _never(
    comparison: Comparison, pairs: Sequence[PairResult], *, is_marked: bool
) -> Iterator[str]:
    """Say why pairs cannot be significant."""
    kinds: dict[tuple[bool, bool], list[PairResult]] = {}
    for pair in filter(is_hopeless, pairs):
        kinds.setdefault((isfinite(pair.p), pair.is_exact), []).append(pair)
    for never in kinds.values():
        many = f"{len(never)} of {counted(len(pairs), 'pair')}"
        sign = IMPOSSIBLE if is_marked else many
        why = impossible_words(never, comparison)
        yield f"{sign} cannot be significant: {why}"


def _undefined(comparison: Comparison) -> Iterator[str]:
    names = display_names(comparison)
    found: dict[tuple[str, str], list[str]] = {}
    for metric in comparison.metrics.values():
        for system in metric.systems:
            # A ratio that no draw has is missing in the score too: nothing varies.
            if _MOST_UNDEFINED < system.undefined < 1:
                place = names[system.name], percent(system.undefined)
                found.setdefault(place, []).append(metric.label)
    for (name, share), labels in found.items():
        yield f"undefined in {share} of draws of {name}: {', '.join(labels)}"
