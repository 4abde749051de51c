"""Tables of errors: kinds, links, documents, and errors that systems share.

One system has a row for each kind; two and three are side by side, two with the
differences of the first to the second. More systems have a row each.

A system with more mentions has more links to get wrong, so that counts of errors alone
would be misleading: tables have rates too.
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING, Literal, TypeVar

from corefkit.analysis.errors.error_analysis import (
    ALL_ERRORS,
    ERROR_LABELS,
    LINKS,
    RESPONSE,
    get_error_count,
    is_error_count,
)
from corefkit.metrics.registry import get_label
from corefkit.results.score_table import (
    BY_NAME,
    list_refused,
    make_name_column,
    order_best_first,
    order_by_name,
)
from corefkit.strings import format_id, join_words
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
    from corefkit.analysis.errors.links import LinkCounts
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
_ALL = "All"
_SINGLETONS = "  of one mention"
_PER = 1000
_PER_LABEL = "per 1,000"
_NAMES = Column("", "left")
_SHORT_HEADS = {"mention": "Ment.", "entity": "Ent."}
_VIEWS = {"alone": "Alone", "ladder": "Ladder"}
_VIEW_CAPTIONS = {"alone": "one kind repaired", "ladder": "kinds repaired in order"}
_MAX_NAME = 20  # characters of a name in a caption
_MAX_HEAD_NAME = 10  # characters of each of two names above a difference
_LINK_HEADS = ("Errors", "Links", "Rate")
_LINK_LABELS = {"recall": "Missing links", "precision": "Wrong links"}
_BREAKDOWN_LABELS = {
    "types": "by types of anaphor and antecedent",
    "pronouns": "by kind of pronoun",
    "distance": "by distance in sentences",
    "entity_size": "by size of the entity",
    "relation": "by how anaphor and antecedent are alike",
    "cause": "by cause",
    "stratum": "by stratum",
}
_CAUSE_LABELS = {
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
_CHANGES = {"fixed": "Fixed", "introduced": "Introduced", "still_there": "Still there"}
_Item = TypeVar("_Item")
_MIN_FALL = 1e-12  # of F1; smaller differences are rounding errors


def get_order(analysis: ErrorAnalysis) -> list[int]:
    """Return the numbers of the systems in the order of tables.

    They are sorted by the number of errors, fewest first; by F1 of the response, best
    first; or by name. Equal ones keep the order of input.
    """
    order, systems = analysis.order, analysis.systems
    if order is None:
        return [*range(len(systems))]
    if order.metric == BY_NAME:
        return order_by_name([system.response for system in systems])
    is_count = is_error_count(order.metric)
    numbers = [
        get_error_count(system.counts, order.metric)
        if is_count
        else system.ladder[RESPONSE].get(order.metric)
        for system in systems
    ]
    return order_best_first(numbers, is_count=is_count)


def describe_order(analysis: ErrorAnalysis) -> str:
    """Describe how systems are sorted; empty if they are not, or for a single one."""
    order = analysis.order
    if order is None or len(analysis.systems) < 2:
        return ""
    if order.metric == BY_NAME:
        return "sorted by name"
    if not is_error_count(order.metric):
        return f"sorted by {get_label(order.metric)} of the response, best first"
    return f"sorted by {ERROR_LABELS[order.metric].lower()}, fewest first"


def label_systems(analysis: ErrorAnalysis) -> list[str]:
    """Return the labels of the systems, in the order of input.

    If each system has a row, labels lack the suffixes of files.
    """
    names = label_paths([system.response for system in analysis.systems])
    return strip_suffixes(names) if len(names) > MOST_SIDE_BY_SIDE else names


def build_kind_tables(
    systems: Sequence[SystemErrors], names: Sequence[str], metrics: Sequence[str]
) -> Iterator[Table]:
    """Build tables of the number of errors, and of F1 with repairs."""
    if len(systems) == 1:
        yield _build_table_of_one(systems[0], metrics)
    elif 1 < len(systems) <= MOST_SIDE_BY_SIDE:
        yield _build_counts(systems, names)
        for metric in metrics:
            yield _build_repairs(systems, names, metric)
    elif systems:
        yield from _build_system_rows(systems, names, metrics)


def _iter_counts(
    systems: Sequence[SystemErrors],
) -> Iterator[tuple[str, str, list[int]]]:
    """Iterate over kinds, and singletons among them: kind, label, a count a system."""
    for kind in systems[0].counts:
        yield kind, KIND_LABELS[kind], [system.counts[kind] for system in systems]
        singletons = [system.singletons.get(kind, 0) for system in systems]
        if any(singletons):
            yield "", _SINGLETONS, singletons
    yield "", _ALL, [sum(system.counts.values()) for system in systems]


def _build_table_of_one(system: SystemErrors, metrics: Sequence[str]) -> Table:
    response = [format_percent(system.ladder[RESPONSE].get(name)) for name in metrics]
    rows = [[RESPONSE.capitalize(), "", "", *_flatten(["", cell] for cell in response)]]
    for kind, label, (count,) in _iter_counts([system]):
        repaired = [
            format_percent(getattr(system, view)[kind].get(name)) if kind else ""
            for name in metrics
            for view in _VIEWS
        ]
        rows.append([label, *_format_count(count, system), *repaired])
    heads = [
        Column(view, group=get_label(name))
        for name in metrics
        for view in _VIEWS.values()
    ]
    columns = (_NAMES, Column("Errors"), Column(_PER_LABEL), *heads)
    return Table(columns, make_rows(rows))


def _build_counts(systems: Sequence[SystemErrors], names: Sequence[str]) -> Table:
    rows = []
    for _, label, counts in _iter_counts(systems):
        pairs = zip(counts, systems, strict=True)
        rows.append([label, *_flatten(_format_count(*pair) for pair in pairs)])
        if len(counts) == 2:
            rows[-1].append(format_signed(counts[0] - counts[1], ",d"))
    heads = [Column(head, group=n) for n in names for head in ("Errors", _PER_LABEL)]
    if len(systems) == 2:
        heads.append(Column("Errors", group=format_difference(names)))
    return Table((_NAMES, *heads), make_rows(rows))


def _build_repairs(
    systems: Sequence[SystemErrors], names: Sequence[str], metric: str
) -> Table:
    rows = []
    for step in systems[0].ladder:
        values = [
            [_get_score(getattr(system, view), step, metric) for view in _VIEWS]
            for system in systems
        ]
        label = KIND_LABELS.get(step, step.capitalize())
        rows.append([label, *map(format_percent, _flatten(values))])
        if len(systems) == 2:
            rows[-1] += [
                ""
                if first is None or second is None
                else format_signed(round(100 * (first - second), 2), ".2f")
                for first, second in zip(*values, strict=True)
            ]
    groups = [*names, *([format_difference(names)] if len(systems) == 2 else [])]
    heads = [Column(view, group=name) for name in groups for view in _VIEWS.values()]
    caption = f"{get_label(metric)} with one kind repaired, and with kinds in order"
    return Table((_NAMES, *heads), make_rows(rows), caption)


def _build_system_rows(
    systems: Sequence[SystemErrors], names: Sequence[str], metrics: Sequence[str]
) -> Iterator[Table]:
    """Build tables with a row for each system and a column for each kind."""
    kinds = [*systems[0].counts]
    counts = [[*system.counts.values()] for system in systems]
    totals = [[*row, sum(row)] for row in counts]
    heads = [*map(make_kind_column, kinds)]
    all_heads = [*heads, Column(_ALL)]
    rows = [[f"{count:,}" for count in row] for row in totals]
    yield _build_named_rows(names, all_heads, rows, "Errors")
    rows = [
        [_format_share(count, system) for count in row]
        for row, system in zip(totals, systems, strict=True)
    ]
    yield _build_named_rows(names, all_heads, rows, "Errors per 1,000 key mentions")
    for metric in metrics:
        for view, about in _VIEW_CAPTIONS.items():
            rows = [
                [
                    format_percent(_get_score(scores, step, metric))
                    for scores, step in (
                        (system.ladder, RESPONSE),
                        *((getattr(system, view), kind) for kind in kinds),
                    )
                ]
                for system in systems
            ]
            caption = f"{get_label(metric)} with {about} ({view})"
            start = Column(RESPONSE.capitalize(), short="Resp.")
            yield _build_named_rows(names, [start, *heads], rows, caption)


def _build_named_rows(
    names: Sequence[str],
    heads: Sequence[Column],
    rows: Sequence[Sequence[str]],
    caption: str,
) -> Table:
    named = [[name, *row] for name, row in zip(names, rows, strict=True)]
    return Table((_NAMES, *heads), make_rows(named), caption, first="names")


def make_kind_column(kind: str) -> Column:
    """Make the column of a kind; extra ones, missing ones and links are grouped."""
    if kind in LINKS:
        return Column(KIND_LABELS[kind].partition(" ")[0], group="Links")
    group, _, noun = kind.partition("_")
    if noun:
        short = _SHORT_HEADS[noun]
        return Column(noun.capitalize(), group=group.capitalize(), short=short)
    label = KIND_LABELS[kind]
    return Column(label, short=f"{label[:5]}." if len(label) > 5 else label)


def _flatten(rows: Iterable[Iterable[_Item]]) -> list[_Item]:
    return [*chain.from_iterable(rows)]


def _format_count(count: int, system: SystemErrors) -> list[str]:
    return [f"{count:,}", _format_share(count, system)]


def _format_share(count: int, system: SystemErrors) -> str:
    return f"{_PER * count / system.key_mentions:.1f}" if system.key_mentions else "-"


def _get_score(states: Mapping[str, Scores], step: str, metric: str) -> float | None:
    return states[step].get(metric) if step in states else None


def format_signed(number: float, spec: str) -> str:
    """Format a difference with its sign; 0 has none.

    >>> format_signed(3, ",d"), format_signed(-1.5, ".2f"), format_signed(-0.0, ".2f")
    ('+3', '-1.50', '0.00')
    """
    return format(number, f"+{spec}") if number else format(abs(number), spec)


def format_difference(names: Sequence[str]) -> str:
    """Format the head of differences of two systems: the first minus the second.

    >>> format_difference(["careful.conll", "greedy.conll"])
    'careful \u2212 greedy'
    """
    short = shorten_names(strip_suffixes(names), _MAX_HEAD_NAME)
    return " \N{MINUS SIGN} ".join(short)


def format_percent(share: float | None) -> str:
    """Format a share in percent; empty if it is unknown."""
    return "" if share is None else f"{100 * share:.2f}"


def build_link_tables(
    systems: Sequence[SystemErrors], names: Sequence[str]
) -> Iterator[Table]:
    """Build tables of the links of both sides, and of each breakdown of them."""
    totals = [
        {label: getattr(system, side) for side, label in _LINK_LABELS.items()}
        for system in systems
    ]
    caption = "Links of the spanning trees, rates in percent"
    yield _build_class_table(totals, names, caption)
    for side, label in _LINK_LABELS.items():
        links: list[LinkCounts] = [getattr(system, side) for system in systems]
        breakdowns = dict.fromkeys(name for row in links for name in row.breakdowns)
        for name in breakdowns:
            counts = [row.breakdowns.get(name, {}) for row in links]
            if name != "document" and any(counts):
                caption = f"{label} {_BREAKDOWN_LABELS.get(name, f'by {name}')}"
                labels = _CAUSE_LABELS[side] if name == "cause" else {}
                labelled = [
                    {labels.get(key, key): value for key, value in classes.items()}
                    for classes in counts
                ]
                yield _build_class_table(labelled, names, caption)


def _build_class_table(
    counts: Sequence[Mapping[str, LinkCounts]], names: Sequence[str], caption: str
) -> Table:
    """Build a table with a row for each class, or for each of many systems."""
    classes = [*dict.fromkeys(label for row in counts for label in row)]
    if len(names) > MOST_SIDE_BY_SIDE:
        rows = [
            [name, *_format_links(row.get(label) for label in classes)]
            for name, row in zip(names, counts, strict=True)
        ]
        groups: Sequence[str] = classes
    else:
        rows = [
            [label, *_format_links(row.get(label) for row in counts)]
            for label in classes
        ]
        groups = names if len(names) > 1 else [""]
    heads = [Column(head, group=group) for group in groups for head in _LINK_HEADS]
    first: Literal["names", "labels"] = "labels"
    if len(names) > MOST_SIDE_BY_SIDE:
        first = "names"
    columns = (*make_columns([""]), *heads)
    return Table(columns, make_rows(rows), caption, first=first)


def _format_links(counts: Iterable[LinkCounts | None]) -> Iterator[Cell | str]:
    for links in counts:
        if links is None:
            yield from ("0", "0", "-")
        else:
            yield from (f"{links.errors:,}", f"{links.edges:,}")
            share = links.rate if links.edges else None
            yield Cell("-" if share is None else format_percent(share), share=share)


def build_shared_tables(
    across: Across, names: Sequence[str], numbers: Sequence[int]
) -> Iterator[Part]:
    """Build tables of the changes of two systems, or of the errors systems share.

    Args:
        across: the errors of all systems.
        names: the labels of the systems in tables, in their order.
        numbers: the numbers of these systems. Changes are in the order of input.
    """
    if changes := across.changes:
        ordered = [name for _, name in sorted(zip(numbers, names, strict=True))]
        title = f"From {' to '.join(shorten_names(ordered, _MAX_NAME))}"
        by_kind = {change: errors.by_kind for change, errors in changes.items()}
        yield _build_changes(by_kind, across.kinds, f"{title}: errors by kind")
        by_type = {change: errors.by_type for change, errors in changes.items()}
        types = [
            name for name in across.types if any(row[name] for row in by_type.values())
        ]
        if types:
            yield _build_changes(
                by_type, types, f"{title}: by type of the first mention"
            )
    elif len(names) <= MOST_SIDE_BY_SIDE:
        yield _build_shared_counts(across, names, numbers)
    else:
        yield from _build_shared_rows(across, names, numbers)


def _build_changes(
    counts: Mapping[str, Mapping[str, int]], rows: Sequence[str], caption: str
) -> Table:
    cells = [
        [
            KIND_LABELS.get(row, row.capitalize()),
            *(f"{column[row]:,}" for column in counts.values()),
        ]
        for row in rows
    ]
    columns = make_columns(["", *(_CHANGES[name] for name in counts)])
    return Table(columns, make_rows(cells), caption)


def _build_shared_counts(
    across: Across, names: Sequence[str], numbers: Sequence[int]
) -> Table:
    """Count, for each kind, the errors of all, of some and of each system alone."""
    only = [across.only(number).by_kind for number in numbers]
    rows = []
    for kind in across.kinds:
        by_number = across.by_number(kind)
        shared = [by_number[count] for count in range(len(names), 1, -1)]
        row = [*shared, *(by_kind[kind] for by_kind in only)]
        rows.append([KIND_LABELS[kind], *(f"{count:,}" for count in row)])
    total = len(names)
    heads = [Column(f"All {total}")]
    heads += [Column(f"{count} of {total}") for count in range(total - 1, 1, -1)]
    heads += [Column(name, group="Only", is_name=True) for name in names]
    caption = "Errors by the systems that make them"
    return Table((*make_columns([""]), *heads), make_rows(rows), caption)


def _build_shared_rows(
    across: Across, names: Sequence[str], numbers: Sequence[int]
) -> Iterator[Table]:
    """Count the errors of each kind by the number of systems, and by single system."""
    heads = [*map(make_kind_column, across.kinds)]
    by_number = {kind: across.by_number(kind) for kind in across.kinds}
    total = len(across.systems)
    rows = [
        [
            f"all {total}" if count == total else f"{count}",
            *(f"{by_number[kind][count]:,}" for kind in across.kinds),
        ]
        for count in range(1, total + 1)
    ]
    caption = "Errors by the number of systems that make them"
    yield Table((Column("Systems", "left"), *heads), make_rows(rows), caption)
    rows = []
    for number in numbers:
        by_kind = across.only(number).by_kind
        rows.append([f"{by_kind[kind]:,}" for kind in across.kinds])
    yield _build_named_rows(names, heads, rows, "Errors that no other system makes")


def build_document_table(
    systems: Sequence[SystemErrors], names: Sequence[str], order: Order | None
) -> Table:
    """Build a table of the errors of every document.

    Several systems have a column each, for the kind that they are sorted by, or else
    for all kinds.
    """
    if len(systems) == 1:
        kinds = [*systems[0].counts]
        rows = [
            [
                format_id(document.document),
                *(f"{document.counts[kind]:,}" for kind in kinds),
                f"{sum(document.counts.values()):,}",
            ]
            for document in systems[0].documents
        ]
        heads = (_NAMES, *map(make_kind_column, kinds), Column(_ALL))
        return Table(heads, make_rows(rows), "Errors by document", first="names")
    name = order.metric if order is not None else ALL_ERRORS
    if not is_error_count(name):
        name = ALL_ERRORS
    counts = [
        {
            document.document: f"{get_error_count(document.counts, name):,}"
            for document in system.documents
        }
        for system in systems
    ]
    documents = dict.fromkeys(document for column in counts for document in column)
    rows = [
        [format_id(document), *(column.get(document, "") for column in counts)]
        for document in documents
    ]
    heads = (_NAMES, *map(make_name_column, names))
    caption = f"{ERROR_LABELS[name]} by document"
    return Table(heads, make_rows(rows), caption, first="names")


def iter_remarks(
    analysis: ErrorAnalysis,
    *,
    metrics: Sequence[str],
    kinds: Sequence[str] | None = None,
) -> Iterator[Part]:
    """Iterate over remarks: rejected responses, sources of types, the signature.

    Args:
        analysis: the errors.
        metrics: the metrics of the tables.
        kinds: the kinds that are listed instead of tables.
    """
    yield from list_refused(analysis.refused, "Not analysed", "analysed")
    if metrics:
        yield Paragraph(_describe_basis(analysis), is_literal=True)
    extra = sum(system.kept_apart for system in analysis.systems)
    if extra and (kinds is None or "extra_mention" in kinds):
        subject, them = f"{extra:,} extra mentions are not counted, each", "them"
        if extra == 1:
            subject, them = "1 extra mention is not counted,", "it"
        yield Paragraph(
            f"{subject} kept apart as the first mention of its entity: what hung on "
            f"{them} is counted, as conflated."
        )
    if names := _find_falling_metrics(analysis, "ladder", metrics):
        yield Paragraph(
            f"{names} can fall where conflated entities are repaired: splitting them "
            "adds entities that align with nothing, until they are joined with others."
        )
    if names := _find_falling_metrics(analysis, "alone", metrics):
        yield Paragraph(
            f"{names} can fall where divided entities alone are repaired: joining them "
            "spreads what is still conflated."
        )
    if analysis.sources:
        parts = [source.partition(": ") for source in analysis.sources]
        items = [Bullet(text or word, word * bool(text)) for word, _, text in parts]
        yield Bullets(tuple(items), text="Where it is known from:")
    if order := describe_order(analysis):
        yield Note(order)
    yield Note(analysis.signature, is_code=True)


def _describe_basis(analysis: ErrorAnalysis) -> str:
    mentions = {system.key_mentions for system in analysis.systems}
    documents = {len(system.documents) for system in analysis.systems}
    counts = [
        " or ".join(f"{count:,}" for count in sorted(numbers))
        for numbers in (mentions, documents)
    ]
    plural = "" if documents == {1} else "s"
    return (
        f"{counts[0]} key mentions in {counts[1]} document{plural}; F1 in percent: "
        "alone, with one kind repaired; ladder, with that kind and all above it."
    )


def _find_falling_metrics(
    analysis: ErrorAnalysis, view: str, metrics: Sequence[str]
) -> str:
    """Name the metrics that fall if conflated or only divided entities are repaired."""
    falling: dict[str, None] = {}
    for system in analysis.systems:
        previous, current = system.ladder[RESPONSE], system.alone["divided"]
        if view == "ladder":
            steps = dict((step, last) for last, step in pairwise(system.ladder))
            previous = system.ladder[steps["conflated"]]
            current = system.ladder["conflated"]
        for name in metrics:
            if name in previous and current[name] < previous[name] - _MIN_FALL:
                falling[name] = None
    return join_words(map(get_label, falling)) if falling else ""
