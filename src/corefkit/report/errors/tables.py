"""Kinds of errors and systems: counts, and F1 where kinds are repaired.

One system has a row for each kind; two and three are side by side, two with the
differences of the second to the first. More systems have a row each.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from corefkit.metrics import label_of
from corefkit.report.grids import Column, Grid, cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.analysis.errors.analysis import Scores, SystemErrors

MOST_SIDE_BY_SIDE = 3
KIND_LABELS = {
    "span": "Span",
    "conflated": "Conflated",
    "extra_mention": "Extra mention",
    "extra_entity": "Extra entity",
    "divided": "Divided",
    "missing_mention": "Missing mention",
    "missing_entity": "Missing entity",
    "recall": "Missing link",
    "precision": "Wrong link",
}
RESPONSE = "response"  # the step of the ladder before any kind is repaired
ALL = "All"
DIFFERENCE = "Difference"
PER = 1000
_PER_LABEL = "per 1,000"
_NAMES = Column("", "left")
_SHORT = {"mention": "Ment.", "entity": "Ent."}
_LINKS = {"recall": "Missing", "precision": "Wrong"}
_SINGLETONS = "  of one mention"
_Item = TypeVar("_Item")
_VIEWS = {"alone": "Alone", "ladder": "Ladder"}
_ABOUT = {"alone": "one kind repaired", "ladder": "kinds repaired in order"}


def kind_grids(
    systems: Sequence[SystemErrors], names: Sequence[str], metrics: Sequence[str]
) -> Iterator[Grid]:
    """Set counts and F1 of repairs out for all systems."""
    if len(systems) == 1:
        yield _one(systems[0], metrics)
    elif 1 < len(systems) <= MOST_SIDE_BY_SIDE:
        yield _counts_beside(systems, names)
        for metric in metrics:
            yield _repairs_beside(systems, names, metric)
    elif systems:
        yield from _many(systems, names, metrics)


def _one(system: SystemErrors, metrics: Sequence[str]) -> Grid:
    """Set one system out, all that is known of a kind in a row."""
    blank = ["", ""]
    base = [percent(system.ladder[RESPONSE].get(name)) for name in metrics]
    rows = [[RESPONSE.capitalize(), *blank, *_flat([["", cell] for cell in base])]]
    for kind, count in system.counts.items():
        repaired = [
            [percent(getattr(system, view)[kind].get(name)) for view in _VIEWS]
            for name in metrics
        ]
        rows.append([KIND_LABELS[kind], *_counted(count, system), *_flat(repaired)])
        if alone := system.singletons.get(kind, 0):
            more = [""] * 2 * len(metrics)
            rows.append([_SINGLETONS, *_counted(alone, system), *more])
    total = _counted(sum(system.counts.values()), system)
    rows.append([ALL, *total, *[""] * 2 * len(metrics)])
    heads = [
        Column(view, group=label_of(n)) for n in metrics for view in _VIEWS.values()
    ]
    columns = (_NAMES, Column("Errors"), Column(_PER_LABEL), *heads)
    return Grid(columns, cells(rows))


def _counts_beside(systems: Sequence[SystemErrors], names: Sequence[str]) -> Grid:
    rows = []
    for label, found in _count_rows(systems):
        pairs = zip(found, systems, strict=True)
        row = [label, *_flat([_counted(*pair) for pair in pairs])]
        if len(found) == 2:
            row.append(signed(found[1] - found[0], ",d"))
        rows.append(row)
    heads = [Column(head, group=n) for n in names for head in ("Errors", _PER_LABEL)]
    if len(systems) == 2:
        heads.append(Column("Errors", group=DIFFERENCE))
    return Grid((_NAMES, *heads), cells(rows))


def _count_rows(systems: Sequence[SystemErrors]) -> Iterator[tuple[str, list[int]]]:
    """Go through the counts of kinds, and of singletons among them, of all systems."""
    counts = [system.counts for system in systems]
    for kind in counts[0]:
        yield KIND_LABELS[kind], [of_system[kind] for of_system in counts]
        alone = [system.singletons.get(kind, 0) for system in systems]
        if any(alone):
            yield _SINGLETONS, alone
    yield ALL, [sum(of_system.values()) for of_system in counts]


def _repairs_beside(
    systems: Sequence[SystemErrors], names: Sequence[str], metric: str
) -> Grid:
    rows = []
    for step in systems[0].ladder:
        values = [
            [_value(getattr(system, view), step, metric) for view in _VIEWS]
            for system in systems
        ]
        label = KIND_LABELS.get(step, step.capitalize())
        row = [label, *(percent(value) for value in _flat(values))]
        if len(systems) == 2:
            row += [_change(*pair) for pair in zip(*values, strict=True)]
        rows.append(row)
    groups = [*names, *([DIFFERENCE] * (len(systems) == 2))]
    heads = [Column(view, group=name) for name in groups for view in _VIEWS.values()]
    caption = f"{label_of(metric)} with one kind repaired, and with kinds in order"
    return Grid((_NAMES, *heads), cells(rows), caption)


def _many(
    systems: Sequence[SystemErrors], names: Sequence[str], metrics: Sequence[str]
) -> Iterator[Grid]:
    """Give each system a row, and each kind a column."""
    kinds = [*systems[0].counts]
    counts = [[*system.counts.values()] for system in systems]
    rows = [[f"{count:,}" for count in (*row, sum(row))] for row in counts]
    heads = [*map(kind_column, kinds)]
    yield _by_system(names, [*heads, Column(ALL)], rows, "Errors")
    shares = [
        [_share(count, system) for count in (*row, sum(row))]
        for row, system in zip(counts, systems, strict=True)
    ]
    caption = "Errors per 1,000 key mentions"
    yield _by_system(names, [*heads, Column(ALL)], shares, caption)
    start = Column(RESPONSE.capitalize(), short="Resp.")
    for metric in metrics:
        for view, about in _ABOUT.items():
            rows = [
                [
                    percent(_value(system.ladder, RESPONSE, metric)),
                    *(percent(_value(getattr(system, view), k, metric)) for k in kinds),
                ]
                for system in systems
            ]
            caption = f"{label_of(metric)} with {about} ({view})"
            yield _by_system(names, [start, *heads], rows, caption)


def _by_system(
    names: Sequence[str],
    heads: Sequence[Column],
    rows: Sequence[Sequence[str]],
    caption: str,
) -> Grid:
    named = [[name, *row] for name, row in zip(names, rows, strict=True)]
    return Grid((_NAMES, *heads), cells(named), caption, first="names")


def kind_column(kind: str) -> Column:
    """Head the column of a kind: extra and missing ones, and links, are groups."""
    if kind in _LINKS:
        return Column(_LINKS[kind], group="Links")
    group, _, what = kind.partition("_")
    if what:
        return Column(what.capitalize(), group=group.capitalize(), short=_SHORT[what])
    label = KIND_LABELS[kind]
    return Column(label, short=f"{label[:5]}." if len(label) > 5 else label)


def _flat(rows: Iterable[Iterable[_Item]]) -> list[_Item]:
    return [*chain.from_iterable(rows)]


def _counted(count: int, system: SystemErrors) -> list[str]:
    return [f"{count:,}", _share(count, system)]


def _share(count: int, system: SystemErrors) -> str:
    return f"{PER * count / system.key_mentions:.1f}" if system.key_mentions else "-"


def _value(states: Mapping[str, Scores], step: str, metric: str) -> float | None:
    return states[step].get(metric) if step in states else None


def _change(before: float | None, after: float | None) -> str:
    if before is None or after is None:
        return ""
    return signed(round(100 * (after - before), 2), ".2f")


def signed(number: float, how: str) -> str:
    """Write a difference with its sign; none has none.

    >>> signed(3, ",d"), signed(-1.5, ".2f"), signed(-0.0, ".2f")
    ('+3', '-1.50', '0.00')
    """
    return format(number, f"+{how}") if number else format(abs(number), how)


def percent(share: float | None) -> str:
    """Write a share in percent; nothing where it is not known."""
    return "" if share is None else f"{100 * share:.2f}"
