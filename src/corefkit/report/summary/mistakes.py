"""What each system gets wrong most: what it costs, how often, and an example."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from corefkit.analysis.compare.comparison_text import counted
from corefkit.analysis.errors.error_tables import KIND_LABELS, RESPONSE
from corefkit.metrics.registry import get_label
from corefkit.report.summary.examples import example_of
from corefkit.tables.elements import Finding, Link
from corefkit.tables.grids import Cell, Column, Grid, cells

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.analysis.errors.error_analysis import SystemErrors
    from corefkit.analysis.errors.links import Links
    from corefkit.report.summary.examples import Example
    from corefkit.report.summary.view import View
    from corefkit.tables.elements import Piece

_NO_ERROR = "Under these settings it has all that the key has, and nothing else."
# What a system does that makes errors of a kind, and how these are counted.
DOES = {
    "span": ("marks mentions with the wrong ends", "mention with wrong ends"),
    "conflated": ("joins different entities", "wrong join"),
    "extra_mention": ("adds mentions that the key lacks", "extra mention"),
    "extra_entity": ("adds entities that the key lacks", "extra entity"),
    "divided": ("splits entities", "split"),
    "missing_mention": ("leaves mentions out", "missing mention"),
    "missing_entity": ("misses whole entities", "missing entity"),
}


def mistakes(view: View) -> Iterator[Finding]:
    """Say of each system what it gets wrong most; of many, what most of them do."""
    if not view.is_beside:
        yield from _common(view)
        return
    for place in view.places:
        yield _mistake(view, place)


def _common(view: View) -> Iterator[Finding]:
    """Say which kind of error costs most systems most, with an example of the best."""
    metric = repaired_metric(view)
    kinds = [worst_kind(view.errors[place], metric) for place in view.places]
    found = Counter(filter(None, kinds)).most_common(1)
    if not found:
        return
    ((kind, many),) = found
    called = _plural(DOES[kind][1])
    place = view.places[kinds.index(kind)]
    name, example = view.names[place], example_of(view.report, place, kind)
    whole = len(view.places)
    text = f"Of all kinds of errors, {called} cost {many} of {whole} systems most."
    who = "Most systems" if 2 * many > whole else f"{many} of {whole} systems"
    yield Finding(
        f"{who} {'loses' if many == 1 else 'lose'} most by {called}",
        (text, *(_told(name, kind, example) if example else ())),
        quote=example.quote if example else (),
        see=_to(example),
        kind="mistake",
    )


def mistake_grid(view: View) -> Grid:
    """Show what each of many systems gets wrong most, with a link to an example."""
    metric = repaired_metric(view)
    rows: list[list[Cell | str]] = []
    for place in view.places:
        system = view.errors[place]
        kind = worst_kind(system, metric)
        if not kind:
            rows.append([view.names[place], "none", "", "", ""])
            continue
        example = example_of(view.report, place, kind)
        told = Cell(f"“{example.this}”", address=example.address) if example else ""
        more = f"+{100 * gain(system, kind, metric):.2f}" if metric else ""
        count = f"{system.counts[kind]:,}"
        rows.append([view.names[place], KIND_LABELS[kind], count, more, told])
    heads = (
        Column("System", "left"),
        Column("Kind", "left"),
        Column("Errors"),
        Column(f"{_label(view, metric)} without them" if metric else ""),
        Column("Example", "left"),
    )
    caption = "What costs each system most"
    return Grid(heads, cells(rows), caption, first="names", is_sortable=True)


def worst_kind(system: SystemErrors, metric: str) -> str:
    """Choose the kind of errors that costs a system most; empty without errors.

    Cost is what F1 gains where that kind alone is repaired; where that is not known,
    or alike, the kind with most errors counts.
    """
    counts = system.counts
    if not any(counts.values()):
        return ""
    return max(counts, key=lambda kind: (gain(system, kind, metric), counts[kind]))


def gain(system: SystemErrors, kind: str, metric: str) -> float:
    """Say how much F1 rises where one kind is repaired; 0 where it is not known."""
    before = system.ladder.get(RESPONSE, {}).get(metric)
    after = system.alone.get(kind, {}).get(metric)
    return 0.0 if before is None or after is None else after - before


def repaired_metric(view: View) -> str:
    """Choose the metric by which errors are weighed: the one that leads, if it can."""
    computed = [*view.errors[0].ladder.get(RESPONSE, {})] if view.errors else []
    for name in (view.lead.name, "conll", "lea", *computed):
        if name in computed:
            return name
    return ""


def _label(view: View, metric: str) -> str:
    """Name a metric whose F1 is told; it says so where other scores are recall."""
    is_f1 = view.report.comparison.procedure.statistic == "f1"
    return get_label(metric) if is_f1 else f"{get_label(metric)} F1"


def _mistake(view: View, place: int) -> Finding:
    system, name = view.errors[place], view.names[place]
    metric = repaired_metric(view)
    kind = worst_kind(system, metric)
    if not kind:
        return Finding(f"{name} makes no error", (_NO_ERROR,))
    does, called = DOES[kind]
    cost = _cost(system, kind, metric, _label(view, metric))
    texts = [_count(system, kind, called), cost, _links(system)]
    example = example_of(view.report, place, kind)
    pieces: list[Piece] = [" ".join(filter(None, texts))]
    return Finding(
        f"{name} {does}",
        (*pieces, *(_told(name, kind, example) if example else ())),
        quote=example.quote if example else (),
        see=_to(example),
        kind="mistake",
    )


def _count(system: SystemErrors, kind: str, called: str) -> str:
    count, whole = system.counts[kind], sum(system.counts.values())
    if count == whole:
        return f"All of its {counted(whole, 'error')} are of this kind."
    are = "is a" if count == 1 else "are"
    many = called if count == 1 else _plural(called)
    return f"{count:,} of its {whole:,} errors {are} {many}."


def _plural(called: str) -> str:
    """Name several errors of a kind.

    >>> _plural("missing entity"), _plural("mention with wrong ends")
    ('missing entities', 'mentions with wrong ends')
    """
    first, _, rest = called.partition(" with ")
    many = f"{first[:-1]}ies" if first.endswith("y") else f"{first}s"
    return f"{many} with {rest}" if rest else many


def _cost(system: SystemErrors, kind: str, metric: str, label: str) -> str:
    more = gain(system, kind, metric)
    if more <= 0:
        return ""
    before = 100 * system.ladder[RESPONSE][metric]
    them = "it" if system.counts[kind] == 1 else "them"
    return (
        f"Without {them}, {label} would rise from {before:.2f} to "
        f"{before + 100 * more:.2f}."
    )


def _links(system: SystemErrors) -> str:
    """Say in plain numbers whether a system links too little, or too much."""
    missing, wrong = system.recall, system.precision
    if not missing.edges or not wrong.edges:
        return ""
    return (
        f"Of the {counted(missing.edges, 'link')} of the key it misses "
        f"{_share(missing)}; of its own {wrong.edges:,}, {_share(wrong)} "
        f"{'is' if wrong.errors == 1 else 'are'} wrong."
    )


def _share(links: Links) -> str:
    return f"{links.errors:,}" if links.errors else "none"


def _told(name: str, kind: str, example: Example) -> tuple[Piece, ...]:
    """Say what is wrong in the example."""
    this, other = f"“{example.this}”", f"“{example.other}”"
    match kind:
        case "span":
            text = f"marks {this} where the key has {other}."
        case "conflated":
            text = f"puts {this} and {other} into one entity; the key does not."
        case "extra_mention":
            text = f"adds {this} to the entity of {other}; the key has no such mention."
        case "divided":
            text = f"keeps {this} apart from {other}, which is the same in the key."
        case "missing_mention" if example.other:
            text = f"does not have {this}, which refers to the same as {other}."
        case "extra_entity":
            text = f"has {this} as an entity, which the key does not."
        case _:
            text = f"does not have {this}."
    return (f" For example, {name} {text}",)


def _to(example: Example | None) -> tuple[Piece, ...]:
    if example is None:
        return (Link("All errors", "#errors"),)
    return (
        Link("Show it in the text", example.address),
        " · ",
        Link("All errors", "#errors"),
    )
