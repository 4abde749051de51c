"""Tables of errors: kinds, links, documents, and errors that systems share.

One system has a row for each kind; two and three are side by side, two with the
differences of the first to the second. More systems have a row each.

A system with more mentions has more links to get wrong, so that counts of errors alone
would be misleading: tables have rates too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from corefkit.analysis.errors.error_analysis import (
    ALL_ERRORS,
    ERROR_LABELS,
    KINDS,
    LINKS,
    RESPONSE,
    TYPES,
    UNKNOWN_TYPE,
    Across,
    ErrorAnalysis,
    SystemErrors,
    get_error_count,
    is_error_count,
)
from corefkit.analysis.errors.links import LinkCounts
from corefkit.metrics.registry import get_label
from corefkit.results.score_table import (
    BY_NAME,
    Order,
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
    Part,
    Table,
    make_rows,
)
from corefkit.tables.terminal import label_paths, shorten_names, strip_suffixes

MOST_SIDE_BY_SIDE = 3
KIND_LABELS = {
    **{kind: kind.replace("_", " ").capitalize() for kind in KINDS},
    "recall": "Missing link",
    "precision": "Wrong link",
}
_ALL = "All"
_SINGLETONS = "/singletons"  # after a kind of errors
_ROW_LABELS = KIND_LABELS | {
    name: name.capitalize() for name in (RESPONSE, *TYPES, UNKNOWN_TYPE)
}
_PER = 1000
_COUNT_HEADS = ("Errors", "per 1,000")
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
    "relation": "by the relation of anaphor and antecedent",
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
# The view and kind by which a metric can fall, the step before it, and why.
_FALLS = (
    (
        "ladder",
        "conflated",
        "span",
        "can fall where conflated entities are repaired: splitting them adds entities "
        "that align with nothing, until they are joined with others.",
    ),
    (
        "alone",
        "divided",
        RESPONSE,
        "can fall if only divided entities are repaired: joining them spreads mentions "
        "that are still conflated.",
    ),
)
_MIN_FALL = 1e-12  # of F1; smaller differences are rounding errors


def get_order(analysis: ErrorAnalysis) -> list[int]:
    """Return the indices of systems in the order of tables; ties keep their order."""
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
    """Return labels in the order of input, for rows without the suffixes of files."""
    names = label_paths([system.response for system in analysis.systems])
    return strip_suffixes(names) if len(names) > MOST_SIDE_BY_SIDE else names


def build_kind_tables(
    systems: Sequence[SystemErrors], names: Sequence[str], metrics: Sequence[str]
) -> Iterator[Table]:
    """Build tables of the number of errors, and of F1 with repairs."""
    if not systems:
        return
    if len(systems) > MOST_SIDE_BY_SIDE:
        yield from _build_system_rows(systems, names, metrics)
        return
    rows = [
        row
        for kind in systems[0].counts
        for row in (kind, f"{kind}{_SINGLETONS}")
        if row == kind or any(_count_errors(system, row) for system in systems)
    ] + [_ALL]
    is_single, is_pair = len(systems) == 1, len(systems) == 2
    groups = [""] if is_single else names
    heads = [Column(head, group=group) for group in groups for head in _COUNT_HEADS]
    if is_pair:
        heads.append(Column("Errors", group=_format_difference(names)))

    def format_counts(row: str) -> list[str]:
        cells = [cell for system in systems for cell in _format_count(system, row)]
        if is_single:
            for metric in metrics:
                cells += _format_f1(systems[0], row, metric)
        if is_pair:
            first, second = (_count_errors(system, row) or 0 for system in systems)
            cells.append(_format_signed(first - second, ",d"))
        return cells

    if is_single:
        for label in map(get_label, metrics):
            heads += [Column(view, group=label) for view in _VIEWS.values()]
        yield _build_rows([RESPONSE, *rows], heads, format_counts)
        return
    yield _build_rows(rows, heads, format_counts)
    groups = [*names, *([_format_difference(names)] if is_pair else [])]
    heads = [Column(view, group=name) for name in groups for view in _VIEWS.values()]
    for metric in metrics:
        yield _build_rows(
            [*systems[0].ladder],
            heads,
            lambda row, metric=metric: _compare_f1(systems, row, metric),  # type: ignore[misc]
            f"{get_label(metric)} with one kind repaired, and with kinds in order",
        )


def _build_rows(
    rows: Sequence[str],
    heads: Sequence[Column],
    format_row: Callable[[str], Iterable[Cell | str]],
    caption: str = "",
    *,
    labels: Mapping[str, str] = _ROW_LABELS,
) -> Table:
    cells = [
        [
            "  of one mention" if row.endswith(_SINGLETONS) else labels.get(row, row),
            *format_row(row),
        ]
        for row in rows
    ]
    return Table((_NAMES, *heads), make_rows(cells), caption)


def _build_system_rows(
    systems: Sequence[SystemErrors], names: Sequence[str], metrics: Sequence[str]
) -> Iterator[Table]:
    kinds = [*systems[0].counts]
    heads = [*map(_make_kind_column, kinds), Column(_ALL)]
    captions = ("Errors", "Errors per 1,000 key mentions")
    for number, caption in enumerate(captions):
        rows = [
            [_format_count(system, row)[number] for row in (*kinds, _ALL)]
            for system in systems
        ]
        yield _build_named_rows(names, heads, rows, caption)
    heads = [Column(RESPONSE.capitalize(), short="Resp."), *heads[:-1]]
    for metric in metrics:
        for view, about in _VIEW_CAPTIONS.items():
            steps = [(RESPONSE, "ladder"), *((kind, view) for kind in kinds)]
            rows = [
                [_format_percent(_get_f1(system, *step, metric)) for step in steps]
                for system in systems
            ]
            caption = f"{get_label(metric)} with {about} ({view})"
            yield _build_named_rows(names, heads, rows, caption)


def _build_named_rows(
    names: Sequence[str],
    heads: Sequence[Column],
    rows: Iterable[Sequence[Cell | str]],
    caption: str,
) -> Table:
    cells = [[name, *row] for name, row in zip(names, rows, strict=True)]
    return Table((_NAMES, *heads), make_rows(cells), caption, first="names")


def _make_kind_column(kind: str) -> Column:
    """Make the column of a kind; extra ones, missing ones and links are grouped."""
    if kind in LINKS:
        return Column(KIND_LABELS[kind].partition(" ")[0], group="Links")
    group, _, noun = kind.partition("_")
    if noun:
        short = _SHORT_HEADS[noun]
        return Column(noun.capitalize(), group=group.capitalize(), short=short)
    label = KIND_LABELS[kind]
    return Column(label, short=f"{label[:5]}." if len(label) > 5 else label)


def _count_errors(system: SystemErrors, row: str) -> int | None:
    """Return the number in a row of a table; None for the response."""
    if row.endswith(_SINGLETONS):
        return system.singletons.get(row.removesuffix(_SINGLETONS), 0)
    return sum(system.counts.values()) if row == _ALL else system.counts.get(row)


def _format_count(system: SystemErrors, row: str) -> list[str]:
    count = _count_errors(system, row)
    if count is None:
        return ["", ""]
    mentions = system.key_mentions
    return [f"{count:,}", f"{_PER * count / mentions:.1f}" if mentions else "-"]


def _get_f1(system: SystemErrors, row: str, view: str, metric: str) -> float | None:
    score: float | None = getattr(system, view).get(row, {}).get(metric)
    return score


def _format_f1(system: SystemErrors, row: str, metric: str) -> list[str]:
    return [_format_percent(_get_f1(system, row, view, metric)) for view in _VIEWS]


def _compare_f1(systems: Sequence[SystemErrors], row: str, metric: str) -> list[str]:
    cells = [cell for system in systems for cell in _format_f1(system, row, metric)]
    for view in _VIEWS if len(systems) == 2 else ():
        first, second = (_get_f1(system, row, view, metric) for system in systems)
        difference = ""
        if first is not None and second is not None:
            difference = _format_signed(round(100 * (first - second), 2), ".2f")
        cells.append(difference)
    return cells


def _format_signed(number: float, spec: str) -> str:
    return format(number, f"+{spec}") if number else format(abs(number), spec)


def _format_difference(names: Sequence[str]) -> str:
    """Format the head of differences: the first system minus the second."""
    short = shorten_names(strip_suffixes(names), _MAX_HEAD_NAME)
    return " \N{MINUS SIGN} ".join(short)


def _format_percent(share: float | None) -> str:
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
    classes = [*dict.fromkeys(label for row in counts for label in row)]
    has_system_rows = len(names) > MOST_SIDE_BY_SIDE
    groups = classes if has_system_rows else names if len(names) > 1 else [""]
    heads = [Column(head, group=group) for group in groups for head in _LINK_HEADS]
    if has_system_rows:
        rows = [_format_links(row.get(label) for label in classes) for row in counts]
        return _build_named_rows(names, heads, rows, caption)
    return _build_rows(
        classes,
        heads,
        lambda label: _format_links(row.get(label) for row in counts),
        caption,
        labels={},
    )


def _format_links(counts: Iterable[LinkCounts | None]) -> list[Cell | str]:
    cells: list[Cell | str] = []
    for links in counts:
        if links is None:
            cells += ["0", "0", "-"]
        else:
            share = links.rate if links.edges else None
            rate = Cell(_format_percent(share) or "-", share=share)
            cells += [f"{links.errors:,}", f"{links.edges:,}", rate]
    return cells


def build_shared_tables(
    across: Across, names: Sequence[str], numbers: Sequence[int]
) -> Iterator[Part]:
    """Build tables of the changes of two systems, in the order of input, or of more."""
    total = len(names)
    if changes := across.changes:
        ordered = [name for _, name in sorted(zip(numbers, names, strict=True))]
        title = f"From {' to '.join(shorten_names(ordered, _MAX_NAME))}"
        kinds = {change: errors.by_kind for change, errors in changes.items()}
        yield _build_changes(across.kinds, kinds, f"{title}: errors by kind")
        types = {change: errors.by_type for change, errors in changes.items()}
        rows = [
            name for name in across.types if any(row[name] for row in types.values())
        ]
        if rows:
            yield _build_changes(rows, types, f"{title}: by type of the first mention")
        return
    by_number = {kind: across.by_number(kind) for kind in across.kinds}
    only = [across.only(number).by_kind for number in numbers]
    if total <= MOST_SIDE_BY_SIDE:
        shared = [*range(total, 1, -1)]
        heads = [Column(f"{n} of {total}" if n < total else f"All {n}") for n in shared]
        heads += [Column(name, group="Only", is_name=True) for name in names]
        yield _build_rows(
            across.kinds,
            heads,
            lambda kind: _format_counts(
                [by_number[kind][n] for n in shared] + [row[kind] for row in only]
            ),
            "Errors by the systems that make them",
        )
        return
    heads = [*map(_make_kind_column, across.kinds)]
    yield Table(
        (Column("Systems", "left"), *heads),
        make_rows(
            [
                f"{number}" if number < total else f"all {number}",
                *_format_counts(by_number[kind][number] for kind in across.kinds),
            ]
            for number in range(1, total + 1)
        ),
        "Errors by the number of systems that make them",
    )
    cells = [_format_counts(row[kind] for kind in across.kinds) for row in only]
    yield _build_named_rows(names, heads, cells, "Errors that no other system makes")


def _build_changes(
    rows: Sequence[str], counts: Mapping[str, Mapping[str, int]], caption: str
) -> Table:
    return _build_rows(
        rows,
        [Column(_CHANGES[change]) for change in counts],
        lambda row: _format_counts(column[row] for column in counts.values()),
        caption,
    )


def _format_counts(counts: Iterable[int]) -> list[str]:
    return [f"{count:,}" for count in counts]


def build_document_table(
    systems: Sequence[SystemErrors], names: Sequence[str], order: Order | None
) -> Table:
    """Build a table of errors by document; several systems have a column each."""
    if len(systems) == 1:
        kinds = [*systems[0].counts]
        documents = systems[0].documents
        rows = [
            _format_counts([*document.counts.values(), sum(document.counts.values())])
            for document in documents
        ]
        return _build_named_rows(
            [format_id(document.document) for document in documents],
            [*map(_make_kind_column, kinds), Column(_ALL)],
            rows,
            "Errors by document",
        )
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
    ids = [*dict.fromkeys(document for column in counts for document in column)]
    return _build_named_rows(
        [*map(format_id, ids)],
        [*map(make_name_column, names)],
        [[column.get(document, "") for column in counts] for document in ids],
        f"{ERROR_LABELS[name]} by document",
    )


def iter_remarks(
    analysis: ErrorAnalysis,
    *,
    metrics: Sequence[str],
    kinds: Sequence[str] | None = None,
) -> Iterator[Part]:
    """Iterate over remarks on tables of some metrics, or on a list of some kinds."""
    yield from list_refused(analysis.refused, "Not analysed", "analysed")
    if metrics:
        mentions = {system.key_mentions for system in analysis.systems}
        documents = {len(system.documents) for system in analysis.systems}
        counts = [
            " or ".join(_format_counts(sorted(numbers)))
            for numbers in (mentions, documents)
        ]
        plural = "" if documents == {1} else "s"
        yield Paragraph(
            f"{counts[0]} key mentions in {counts[1]} document{plural}; F1 in percent: "
            "alone, with one kind repaired; ladder, with that kind and all above it.",
            is_literal=True,
        )
    extra = sum(system.kept_apart for system in analysis.systems)
    if extra and (kinds is None or "extra_mention" in kinds):
        subject, them = f"{extra:,} extra mentions are not counted, each", "them"
        if extra == 1:
            subject, them = "1 extra mention is not counted,", "it"
        yield Paragraph(
            f"{subject} kept apart as the first mention of its entity: what hung on "
            f"{them} is counted, as conflated."
        )
    for view, kind, previous, text in _FALLS:
        falling = dict.fromkeys(
            name
            for system in analysis.systems
            for name in metrics
            if name in system.ladder[RESPONSE]
            and getattr(system, view)[kind][name]
            < system.ladder[previous][name] - _MIN_FALL
        )
        if falling:
            yield Paragraph(f"{join_words(map(get_label, falling))} {text}")
    if analysis.sources:
        parts = [source.partition(": ") for source in analysis.sources]
        items = [Bullet(text or word, word * bool(text)) for word, _, text in parts]
        yield Bullets(tuple(items), text="Sources:")
    if order := describe_order(analysis):
        yield Note(order)
    yield Note(analysis.signature, is_code=True)
