"""What systems share: errors by the number of systems, and changes between two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report.errors.tables import (
    KIND_LABELS,
    MOST_SIDE_BY_SIDE,
    kind_column,
)
from corefkit.report.grids import Column, Grid, cells, columns
from corefkit.report.names import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.analysis.errors.across import Across
    from corefkit.report.page import Part

_CHANGES = {"fixed": "Fixed", "introduced": "Introduced", "still_there": "Still there"}
_NAME_ROOM = 20  # columns of a name in a caption
_LINKS_BESIDE = "Errors by the systems that make them"


def across_parts(
    across: Across, names: Sequence[str], places: Sequence[int]
) -> Iterator[Part]:
    """Set out what two systems changed, or which errors more systems share.

    Args:
        across: the errors of all systems.
        names: the names of the systems as tables show them, in their order there.
        places: the numbers of these systems. What is fixed is so in the order of input.
    """
    if changes := across.changes:
        given = [name for _, name in sorted(zip(places, names, strict=True))]
        about = f"From {' to '.join(shortened(given, _NAME_ROOM))}"
        by_kind = {change: errors.by_kind for change, errors in changes.items()}
        yield _changes(by_kind, across.kinds, f"{about}: errors by kind")
        by_type = {change: errors.by_type for change, errors in changes.items()}
        known = [
            name for name in across.types if any(t[name] for t in by_type.values())
        ]
        if known:
            yield _changes(by_type, known, f"{about}: by type of the first mention")
    elif len(names) <= MOST_SIDE_BY_SIDE:
        yield _beside(across, names, places)
    else:
        yield _by_number(across)
        yield _only(across, names, places)


def _changes(
    counts: dict[str, dict[str, int]], rows: Sequence[str], caption: str
) -> Grid:
    named = [
        [
            KIND_LABELS.get(row, row.capitalize()),
            *(f"{c[row]:,}" for c in counts.values()),
        ]
        for row in rows
    ]
    return Grid(
        columns(["", *(_CHANGES[name] for name in counts)]), cells(named), caption
    )


def _beside(across: Across, names: Sequence[str], places: Sequence[int]) -> Grid:
    """Count, for each kind, the errors of all, of some and of each system alone."""
    only = [across.only(number).by_kind for number in places]
    rows = []
    for kind in across.kinds:
        numbers = across.by_number(kind)
        shared = [numbers[many] for many in range(len(names), 1, -1)]
        row = [*shared, *(by_kind[kind] for by_kind in only)]
        rows.append([KIND_LABELS[kind], *(f"{count:,}" for count in row)])
    heads = [Column(f"All {len(names)}")]
    heads += [
        Column(f"{many} of {len(names)}") for many in range(len(names) - 1, 1, -1)
    ]
    heads += [Column(name, group="Only", is_name=True) for name in names]
    return Grid((*columns([""]), *heads), cells(rows), _LINKS_BESIDE)


def _by_number(across: Across) -> Grid:
    """Count the errors of each kind that one system makes, two make, and so on."""
    numbers = {kind: across.by_number(kind) for kind in across.kinds}
    last = len(across.systems)
    rows = [
        [
            f"all {last}" if many == last else f"{many}",
            *(f"{numbers[kind][many]:,}" for kind in across.kinds),
        ]
        for many in range(1, last + 1)
    ]
    caption = "Errors by the number of systems that make them"
    return Grid((Column("Systems", "left"), *_kinds(across)), cells(rows), caption)


def _only(across: Across, names: Sequence[str], places: Sequence[int]) -> Grid:
    rows = []
    for number, name in zip(places, names, strict=True):
        by_kind = across.only(number).by_kind
        rows.append([name, *(f"{by_kind[kind]:,}" for kind in across.kinds)])
    caption = "Errors that no other system makes"
    return Grid((*columns([""]), *_kinds(across)), cells(rows), caption, first="names")


def _kinds(across: Across) -> list[Column]:
    return [kind_column(kind) for kind in across.kinds]
