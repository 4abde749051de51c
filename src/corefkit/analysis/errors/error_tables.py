"""Tables of errors: kinds, links, documents, and errors that systems share.

One system has a row for each kind; two and three are side by side, two with the
differences of the second to the first. More systems have a row each.

A system with more mentions has more links to get wrong, so counts of errors alone would
mislead: rates are next to them.
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING, TypeVar

from corefkit.metrics.registry import get_label
from corefkit.results.score_table import (
    BY_NAME,
    list_refused,
    make_name_column,
    order_best_first,
    order_by_name,
)
from corefkit.strings import join_words
from corefkit.tables.model import (
    Bullet,
    Bullets,
    Cell,
    Column,
    Note,
    Paragraph,
    Table,
    make_columns,
    make_rows,
)
from corefkit.tables.terminal import label_paths, shorten_names, strip_suffixes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.analysis.errors.error_analysis import (
        Across,
        ErrorAnalysis,
        Scores,
        SystemErrors,
    )
    from corefkit.analysis.errors.links import Links, Rate
    from corefkit.results.score_table import Order
    from corefkit.tables.model import Part

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
) -> Iterator[Table]:
    """Set counts and F1 of repairs out for all systems."""
    if len(systems) == 1:
        yield _one(systems[0], metrics)
    elif 1 < len(systems) <= MOST_SIDE_BY_SIDE:
        yield _counts_beside(systems, names)
        for metric in metrics:
            yield _repairs_beside(systems, names, metric)
    elif systems:
        yield from _many(systems, names, metrics)


def _one(system: SystemErrors, metrics: Sequence[str]) -> Table:
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
        Column(view, group=get_label(n)) for n in metrics for view in _VIEWS.values()
    ]
    columns = (_NAMES, Column("Errors"), Column(_PER_LABEL), *heads)
    return Table(columns, make_rows(rows))


def _counts_beside(systems: Sequence[SystemErrors], names: Sequence[str]) -> Table:
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
    return Table((_NAMES, *heads), make_rows(rows))


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
) -> Table:
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
    caption = f"{get_label(metric)} with one kind repaired, and with kinds in order"
    return Table((_NAMES, *heads), make_rows(rows), caption)


def _many(
    systems: Sequence[SystemErrors], names: Sequence[str], metrics: Sequence[str]
) -> Iterator[Table]:
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
            caption = f"{get_label(metric)} with {about} ({view})"
            yield _by_system(names, [start, *heads], rows, caption)


def _by_system(
    names: Sequence[str],
    heads: Sequence[Column],
    rows: Sequence[Sequence[str]],
    caption: str,
) -> Table:
    named = [[name, *row] for name, row in zip(names, rows, strict=True)]
    return Table((_NAMES, *heads), make_rows(named), caption, first="names")


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


_ALL = "errors"


def places_of(analysis: ErrorAnalysis) -> list[int]:
    """Give the places of systems in the order of tables.

    They are sorted by the number of errors, fewest first; by F1 of the response, best
    first; or by name. Equal ones stay in the order of input.
    """
    order, systems = analysis.order, analysis.systems
    if order is None:
        return [*range(len(systems))]
    if order.metric == BY_NAME:
        return order_by_name([system.response for system in systems])
    is_count = counts_errors(order.metric)
    numbers = [
        error_count(system.counts, order.metric)
        if is_count
        else system.ladder[RESPONSE].get(order.metric)
        for system in systems
    ]
    return order_best_first(numbers, is_count=is_count)


def counts_errors(name: str) -> bool:
    """Say whether a name is that of a number of errors, and not of a metric."""
    return name.partition(".")[0] == _ALL


def error_count(counts: Mapping[str, int], name: str) -> int:
    """Count the errors of a kind, or all.

    >>> counts = {"span": 1, "divided": 2}
    >>> error_count(counts, "errors.divided"), error_count(counts, "errors")
    (2, 3)
    """
    return sum(counts.values()) if name == _ALL else counts[name.rpartition(".")[2]]


def count_label(name: str) -> str:
    """Name a number of errors as captions do.

    >>> count_label("errors"), count_label("errors.extra_entity")
    ('Errors', 'Extra entity errors')
    """
    kind = name.rpartition(".")[2]
    return f"{KIND_LABELS[kind]} errors" if kind in KIND_LABELS else "Errors"


def order_words(analysis: ErrorAnalysis) -> str:
    """Say how systems are sorted; nothing of one, or of those that are not."""
    order = analysis.order
    if order is None or len(analysis.systems) < 2:
        return ""
    if order.metric == BY_NAME:
        return "sorted by name"
    if not counts_errors(order.metric):
        return f"sorted by {get_label(order.metric)} of the response, best first"
    return f"sorted by {count_label(order.metric).lower()}, fewest first"


def system_names(analysis: ErrorAnalysis) -> list[str]:
    """Name the systems, in the order of input.

    Many have a row each, and more room without the endings of their files.
    """
    names = label_paths([system.response for system in analysis.systems])
    return strip_suffixes(names) if len(names) > MOST_SIDE_BY_SIDE else names


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


def link_parts(
    systems: Sequence[SystemErrors], names: Sequence[str]
) -> Iterator[Table]:
    """Set the links of both sides out, then each way to part them."""
    arrange = _class_columns if len(names) <= MOST_SIDE_BY_SIDE else _class_rows
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


def _class_columns(
    parted: Sequence[Mapping[str, Rate | Links]], names: Sequence[str], caption: str
) -> Table:
    """Give each class a row, and each system a group of columns."""
    rows = [
        [label, *_cells(rates.get(label) for rates in parted)]
        for label in _classes(parted)
    ]
    groups = [""] if len(names) == 1 else names
    heads = [Column(head, group=name) for name in groups for head in _HEADS]
    return Table((*make_columns([""]), *heads), make_rows(rows), caption)


def _class_rows(
    parted: Sequence[Mapping[str, Rate | Links]], names: Sequence[str], caption: str
) -> Table:
    """Give each system a row, and each class a group of columns."""
    labels = _classes(parted)
    rows = [
        [name, *_cells(rates.get(label) for label in labels)]
        for name, rates in zip(names, parted, strict=True)
    ]
    heads = [Column(head, group=label) for label in labels for head in _HEADS]
    return Table((*make_columns([""]), *heads), make_rows(rows), caption, first="names")


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
        about = f"From {' to '.join(shorten_names(given, _NAME_ROOM))}"
        by_kind = {change: errors.by_kind for change, errors in changes.items()}
        yield _changes(by_kind, across.kinds, f"{about}: errors by kind")
        by_type = {change: errors.by_type for change, errors in changes.items()}
        known = [
            name for name in across.types if any(t[name] for t in by_type.values())
        ]
        if known:
            yield _changes(by_type, known, f"{about}: by type of the first mention")
    elif len(names) <= MOST_SIDE_BY_SIDE:
        yield _shared_beside(across, names, places)
    else:
        yield _by_number(across)
        yield _only(across, names, places)


def _changes(
    counts: dict[str, dict[str, int]], rows: Sequence[str], caption: str
) -> Table:
    named = [
        [
            KIND_LABELS.get(row, row.capitalize()),
            *(f"{c[row]:,}" for c in counts.values()),
        ]
        for row in rows
    ]
    return Table(
        make_columns(["", *(_CHANGES[name] for name in counts)]),
        make_rows(named),
        caption,
    )


def _shared_beside(
    across: Across, names: Sequence[str], places: Sequence[int]
) -> Table:
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
    return Table((*make_columns([""]), *heads), make_rows(rows), _LINKS_BESIDE)


def _by_number(across: Across) -> Table:
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
    return Table((Column("Systems", "left"), *_kinds(across)), make_rows(rows), caption)


def _only(across: Across, names: Sequence[str], places: Sequence[int]) -> Table:
    rows = []
    for number, name in zip(places, names, strict=True):
        by_kind = across.only(number).by_kind
        rows.append([name, *(f"{by_kind[kind]:,}" for kind in across.kinds)])
    caption = "Errors that no other system makes"
    return Table(
        (*make_columns([""]), *_kinds(across)), make_rows(rows), caption, first="names"
    )


def _kinds(across: Across) -> list[Column]:
    return [kind_column(kind) for kind in across.kinds]


_ALL_KINDS = "errors"
_DOCUMENTS = Column("", "left")


def document_grid(
    systems: Sequence[SystemErrors], names: Sequence[str], order: Order | None
) -> Table:
    """Count the errors of every document.

    Several systems are side by side, by the kind that they are sorted by, or else by
    all kinds.
    """
    if len(systems) == 1:
        return _of_one(*systems)
    name = order.metric if order is not None else _ALL_KINDS
    if not counts_errors(name):
        name = _ALL_KINDS
    counts = [
        {one.document: error_count(one.counts, name) for one in system.documents}
        for system in systems
    ]
    documents = dict.fromkeys(document for column in counts for document in column)
    rows = [
        [document, *(_written(column.get(document)) for column in counts)]
        for document in documents
    ]
    heads = (_DOCUMENTS, *map(make_name_column, names))
    caption = f"{count_label(name)} by document"
    return Table(heads, make_rows(rows), caption, first="names")


def _written(count: int | None) -> str:
    return "" if count is None else f"{count:,}"


def _of_one(system: SystemErrors) -> Table:
    kinds = [*system.counts]
    rows = []
    for one in system.documents:
        counts = [*(one.counts[kind] for kind in kinds), sum(one.counts.values())]
        rows.append([one.document, *map(_written, counts)])
    heads = (_DOCUMENTS, *map(kind_column, kinds), Column(ALL))
    return Table(heads, make_rows(rows), "Errors by document", first="names")


_CLOSE = 1e-12  # F1 that differs by less is the same
_MAY_FALL = "divided"  # repaired alone
_FALLS_AT = "conflated"  # in the ladder


def remarks(
    analysis: ErrorAnalysis,
    *,
    metrics: Sequence[str],
    kinds: Sequence[str] | None = None,
) -> Iterator[Part]:
    """Say what is left out, what falls, where types come from; end in the signature."""
    yield from list_refused(analysis.refused, "Not analysed", "analysed")
    if metrics:
        yield Paragraph(_basis(analysis), is_literal=True)
    apart = sum(system.kept_apart for system in analysis.systems)
    if apart and (kinds is None or "extra_mention" in kinds):
        yield Paragraph(_kept_apart(apart))
    for text in (_ladder_falls(analysis.systems, metrics), _alone(analysis, metrics)):
        if text:
            yield Paragraph(text)
    if analysis.sources:
        parts = [source.partition(": ") for source in analysis.sources]
        items = [Bullet(text or word, word * bool(text)) for word, _, text in parts]
        yield Bullets(tuple(items), text="Where it is known from:")
    if words := order_words(analysis):
        yield Note(words)
    yield Note(analysis.signature, is_code=True)


def _basis(analysis: ErrorAnalysis) -> str:
    mentions = {system.key_mentions for system in analysis.systems}
    documents = {len(system.documents) for system in analysis.systems}
    counts = [
        " or ".join(f"{many:,}" for many in sorted(numbers))
        for numbers in (mentions, documents)
    ]
    plural = "" if documents == {1} else "s"
    return (
        f"{counts[0]} key mentions in {counts[1]} document{plural}; F1 in percent: "
        "alone, with one kind repaired; ladder, with that kind and all above it."
    )


def _kept_apart(apart: int) -> str:
    start, them = f"{apart:,} extra mentions are not counted, each", "them"
    if apart == 1:
        start, them = "1 extra mention is not counted,", "it"
    return (
        f"{start} kept apart as the first mention of its entity: what hung on {them} "
        "is counted, as conflated."
    )


def _ladder_falls(systems: Sequence[SystemErrors], metrics: Sequence[str]) -> str:
    falling: dict[str, None] = {}
    for system in systems:
        for before, after in pairwise(system.ladder):
            if after == _FALLS_AT:
                scores = system.ladder[before], system.ladder[after]
                falling |= dict.fromkeys(_lower(*scores, metrics))
    if not falling:
        return ""
    return (
        f"{_names(falling)} can fall where conflated entities are repaired: splitting "
        "them adds entities that align with nothing, until they are joined with others."
    )


def _alone(analysis: ErrorAnalysis, metrics: Sequence[str]) -> str:
    falling: dict[str, None] = {}
    for system in analysis.systems:
        scores = system.ladder["response"], system.alone[_MAY_FALL]
        falling |= dict.fromkeys(_lower(*scores, metrics))
    if not falling:
        return ""
    return (
        f"{_names(falling)} can fall where divided entities alone are repaired: "
        "joining them spreads what is still conflated."
    )


def _lower(
    before: Mapping[str, float], after: Mapping[str, float], metrics: Sequence[str]
) -> Iterator[str]:
    for name in metrics:
        if name in before and after[name] < before[name] - _CLOSE:
            yield name


def _names(metrics: dict[str, None]) -> str:
    return join_words(map(get_label, metrics))
