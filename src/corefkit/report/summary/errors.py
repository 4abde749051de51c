"""Kinds of errors, what they cost, and links."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from corefkit.analysis.errors.error_output import shown_metrics
from corefkit.analysis.errors.error_tables import (
    KIND_LABELS,
    RESPONSE,
    across_parts,
    kind_grids,
    link_parts,
    remarks,
)
from corefkit.metrics.registry import get_label
from corefkit.report.summary.mistakes import mistake_grid
from corefkit.report.summary.view import sortable
from corefkit.tables.elements import (
    Bars,
    Beside,
    Folded,
    Heading,
    Link,
    Paragraph,
    Share,
    Statement,
)
from corefkit.tables.grids import Grid, Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.analysis.errors.error_analysis import SystemErrors
    from corefkit.report.summary.view import View
    from corefkit.tables.elements import Part

_FIXED = (
    " Fixed: only the first of two systems makes the error. Introduced: only the "
    "second does."
)
_SHOWN = ("types",)  # what links are parted by first


def error_parts(view: View) -> Iterator[Part]:
    """Show how many errors of each kind there are, what they cost, and links."""
    systems = [view.errors[place] for place in view.places]
    metrics = shown_metrics(view.report.analysis)
    grids = [*kind_grids(systems, view.shown, metrics)]
    counts = [grid for grid in grids if _counts_errors(grid)]
    repairs = [grid for grid in grids if grid not in counts]
    yield Heading(2, "What went wrong", "errors", "Errors")
    yield Statement(
        (
            "Each error is of one kind (",
            Link("what the kinds are", "#kinds"),
            "). Per 1,000: for 1,000 mentions of the key.",
            _FIXED if len(view.names) == 2 else "",
        )
    )
    yield from _counts(view, [*_sortable(counts, view)])
    yield Heading(2, "What the errors cost", "costs", "Costs")
    yield from _costs(view, systems, metrics, repairs)
    yield Heading(2, "Links", "links")
    yield Paragraph(
        "Mentions of an entity hang together by links to an earlier one. A link of the "
        "key can be missing in the response, and one of the response can be wrong. "
        "Rates are in percent of the links of that row."
    )
    first: list[Part] = []
    rest: list[Part] = []
    for by, grids in _by_breakdown(link_parts(systems, view.shown)).items():
        part = Beside(tuple(_sortable(grids, view)))
        (first if by.startswith(_SHOWN) or not by else rest).append(part)
    yield from first
    if rest:
        yield Folded("Links by distance, size of the entity and more", tuple(rest))


def _counts(view: View, counts: Sequence[Part]) -> Iterator[Part]:
    """Show the errors of few systems whole, and of many what counts most first."""
    across: list[Part] = []
    if len(view.names) > 1:
        across += across_parts(view.report.analysis.across, view.shown, view.places)
    if view.is_beside:
        yield Beside((*counts, *across))
        return
    yield Beside((mistake_grid(view), *counts[:1]))
    rest = (*counts[1:], *across)
    yield Folded("Errors per 1,000 mentions, and errors that systems share", rest)


def _by_breakdown(grids: Iterable[Grid]) -> dict[str, list[Grid]]:
    """Put the links that are missing and those that are wrong beside each other."""
    found: dict[str, list[Grid]] = {}
    for grid in grids:
        _, _, by = grid.caption.partition(" by ")
        shown = grid if by else replace(grid, caption="All links")
        found.setdefault(by, []).append(shown)
    return found


def _counts_errors(grid: Grid) -> bool:
    """Say whether a grid counts errors; others have F1."""
    return not grid.caption or grid.caption.startswith("Errors")


def _sortable(grids: Sequence[Grid], view: View) -> Iterator[Grid]:
    """Let readers sort grids that have a row for each system."""
    for grid in grids:
        yield grid if view.is_beside else sortable(grid)


def _costs(
    view: View,
    systems: Sequence[SystemErrors],
    metrics: Sequence[str],
    repairs: Sequence[Grid],
) -> Iterator[Part]:
    yield Paragraph(
        "What F1 becomes where errors are repaired. A bar starts with the F1 of the "
        "response; each piece is what it gains when one more kind is repaired, in the "
        "order of the colours, until all is right."
    )
    for metric in metrics:
        yield _ladder(systems, view.shown, metric)
    analysis = replace(view.report.analysis, refused={})
    said = remarks(analysis, metrics=metrics)
    kept = [part for part in said if not isinstance(part, Note)]
    if repairs:
        numbers = Beside(tuple(_sortable(repairs, view)))
        yield Folded("The same in numbers, with remarks", (numbers, *kept))
    elif kept:
        yield Folded("Remarks", tuple(kept))


def _ladder(systems: Sequence[SystemErrors], names: Sequence[str], metric: str) -> Bars:
    """Draw what each kind gains when kinds are repaired in order."""
    bars = []
    for system, name in zip(systems, names, strict=True):
        steps = [
            (step, 100 * scores[metric])
            for step, scores in system.ladder.items()
            if metric in scores
        ]
        shares = [
            Share(RESPONSE, RESPONSE.capitalize(), value) for _, value in steps[:1]
        ]
        shares += [
            Share(kind, KIND_LABELS[kind], round(after - before, 9))
            for (_, before), (kind, after) in pairwise(steps)
        ]
        bars.append((name, tuple(shares)))
    title = f"{get_label(metric)} with kinds of errors repaired in order"
    return Bars(tuple(bars), title, whole=100)
