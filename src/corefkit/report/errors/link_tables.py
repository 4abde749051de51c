"""Links that are missing or wrong, by what they are; rates stand beside counts.

A system with more mentions has more links to get wrong, so counts of errors alone would
mislead. Up to three systems are side by side; more have a row each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report.errors.tables import MOST_SIDE_BY_SIDE, percent
from corefkit.report.grids import Cell, Column, Grid, cells, columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.analysis.errors.analysis import SystemErrors
    from corefkit.analysis.errors.rates import Links, Rate

_SIDES = {"recall": "Missing links", "precision": "Wrong links"}
# Where errors are by document, there is a row for each.
_NOT_SHOWN = ("document",)
_LABELS = {
    "types": "by types of anaphor and antecedent",
    "pronouns": "by kind of pronoun",
    "distance": "by distance in sentences",
    "entity_size": "by size of the entity",
    "relation": "by how anaphor and antecedent are alike",
    "cause": "by cause",
    "stratum": "by stratum",
}
_CAUSES = {
    "recall": {
        "anaphor": "anaphor not found",
        "antecedent": "antecedent not found",
        "link": "both found, not linked",
    },
    "precision": {
        "anaphor": "anaphor not in the key",
        "antecedent": "antecedent not in the key",
        "link": "both in the key, not linked there",
    },
}
_HEADS = ("Errors", "Links", "Rate")


def link_parts(systems: Sequence[SystemErrors], names: Sequence[str]) -> Iterator[Grid]:
    """Set the links of both sides out, then each way to part them."""
    arrange = _beside if len(names) <= MOST_SIDE_BY_SIDE else _by_system
    totals = [
        {title: getattr(system, side) for side, title in _SIDES.items()}
        for system in systems
    ]
    yield arrange(totals, names, "Links of the spanning trees, rates in percent")
    for side, title in _SIDES.items():
        found: list[Links] = [getattr(system, side) for system in systems]
        for name in dict.fromkeys(n for links in found for n in links.breakdowns):
            parted = [links.breakdowns.get(name, {}) for links in found]
            if name not in _NOT_SHOWN and any(parted):
                caption = f"{title} {_LABELS.get(name, f'by {name}')}"
                labels = _CAUSES[side] if name == "cause" else {}
                named = [
                    {labels.get(label, label): rate for label, rate in rates.items()}
                    for rates in parted
                ]
                yield arrange(named, names, caption)


def _beside(
    parted: Sequence[Mapping[str, Rate | Links]], names: Sequence[str], caption: str
) -> Grid:
    """Give each class a row, and each system a group of columns."""
    rows = [
        [label, *_cells(rates.get(label) for rates in parted)]
        for label in _classes(parted)
    ]
    groups = [""] if len(names) == 1 else names
    heads = [Column(head, group=name) for name in groups for head in _HEADS]
    return Grid((*columns([""]), *heads), cells(rows), caption)


def _by_system(
    parted: Sequence[Mapping[str, Rate | Links]], names: Sequence[str], caption: str
) -> Grid:
    """Give each system a row, and each class a group of columns."""
    labels = _classes(parted)
    rows = [
        [name, *_cells(rates.get(label) for label in labels)]
        for name, rates in zip(names, parted, strict=True)
    ]
    heads = [Column(head, group=label) for label in labels for head in _HEADS]
    return Grid((*columns([""]), *heads), cells(rows), caption, first="names")


def _classes(parted: Sequence[Mapping[str, Rate | Links]]) -> list[str]:
    return [*dict.fromkeys(label for rates in parted for label in rates)]


def _cells(rates: Iterable[Rate | Links | None]) -> Iterator[Cell | str]:
    for rate in rates:
        if rate is None:
            yield from ("0", "0", "-")
        else:
            yield from (f"{rate.errors:,}", f"{rate.edges:,}")
            share = rate.rate if rate.edges else None
            yield Cell("-" if share is None else percent(share), share=share)
