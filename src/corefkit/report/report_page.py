"""The page of a report: findings, scores, errors, documents, explanations."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING

from corefkit.analysis.compare.comparison_text import (
    UNKNOWN,
    build_details,
    build_overview,
    describe_method,
    describe_statistics,
    describe_subject,
    explain_marks,
    format_count,
    format_interval,
    format_number,
    format_percent,
    make_standings,
    make_title,
    name_interval,
    name_statistic,
)
from corefkit.analysis.errors.error_analysis import RESPONSE
from corefkit.analysis.errors.error_output import choose_metrics
from corefkit.analysis.errors.error_tables import (
    KIND_LABELS,
    build_kind_tables,
    build_link_tables,
    build_shared_tables,
    iter_remarks,
)
from corefkit.metrics.metric import list_undefined
from corefkit.metrics.registry import get_label
from corefkit.report.findings import (
    build_findings,
    build_mistake_table,
    build_view,
    make_sortable,
)
from corefkit.report.reader_data import format_fragment, shorten_ids
from corefkit.results.score_table import list_refused, shorten_label
from corefkit.settings import VERSION
from corefkit.strings import join_words
from corefkit.tables.model import (
    Bars,
    Beside,
    Bullet,
    Bullets,
    Cell,
    Column,
    Emphasis,
    Folded,
    Heading,
    Link,
    Note,
    Page,
    Paragraph,
    Point,
    Range,
    Ranges,
    Scatter,
    Share,
    Statement,
    Table,
    make_columns,
    make_rows,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.analysis.compare.comparison import MetricComparison, SystemResult
    from corefkit.analysis.errors.error_analysis import SystemErrors
    from corefkit.report.assembly import Report
    from corefkit.report.findings import PageView
    from corefkit.tables.model import Part


MADE_BY = "corefkit report"
_MAX_WARNINGS = 3


def build_report_page(report: Report) -> Page:
    """Build the page of a report from its sections.

    >>> import corefkit
    >>> from corefkit.report.assembly import Report
    >>> from corefkit.report.reader_data import Reader
    >>> key, response = {"d": ["abc", "de"]}, {"d": ["ab", "cde"]}
    >>> comparison = corefkit.compare(key, {"A": response})
    >>> analysis = corefkit.errors(key, {"A": response})
    >>> scores = (corefkit.score(key, response),)
    >>> reader = Reader("key", ("A",), ())
    >>> page = build_report_page(
    ...     Report("key", ("A",), scores, comparison, analysis, reader)
    ... )
    >>> page.title
    'A against key'
    """
    view = build_view(report)
    return Page(
        view.title,
        tuple(_build_intro(view)),
        (
            *build_scores(view),
            *build_errors(view),
            *build_documents(view),
            *build_explanations(view),
            *build_citation(view),
        ),
        MADE_BY,
    )


def _build_intro(view: PageView) -> Iterator[Part]:
    yield Paragraph(view.subject, is_literal=True)
    yield from build_findings(view)
    warnings = [view.use_display_names(text) for text in view.report.warnings]
    if warnings:
        items = [
            Bullet(text, "Warning", kind="warning") for text in warnings[:_MAX_WARNINGS]
        ]
        if len(warnings) > _MAX_WARNINGS:
            items.append(
                Bullet(f"{len(warnings) - _MAX_WARNINGS} more at the end.", "")
            )
        yield Bullets(tuple(items))
    yield Statement(
        (
            "New to these scores? ",
            Link("How to read", "#reading"),
            " explains all words and metrics on it. ",
            Link("The texts", "#texts"),
            " show each error where it is.",
        )
    )


_PARTS = ("recall", "precision")
_FURTHER_METRICS = ("lea",)  # after the leading metric


def build_scores(view: PageView) -> Iterator[Part]:
    """Build the sections of scores and differences."""
    comparison = view.report.comparison
    yield Heading(2, "Scores", "scores")
    level = format_percent(1 - comparison.procedure.alpha)
    more = " R is recall, P precision, F1 their harmonic mean."
    yield Paragraph(
        f"In percent: 100 is perfect. A line is the {level} interval of a score."
        f"{more if view.is_beside and _has_recall(view) else ''}"
    )
    table = (
        _build_score_table(view)
        if view.is_beside
        else make_sortable(build_overview(comparison))
    )
    yield Beside((_draw_scores(view), table))
    yield from list_refused(view.report.refused, "Not scored", "scored")
    if len(view.names) > 1:
        yield Heading(2, "Differences", "differences")
        yield from _build_differences(view)


def _draw_scores(view: PageView) -> Ranges:
    """Draw all metrics of few systems, or the leading metric of many systems."""
    level = format_percent(1 - view.report.comparison.procedure.alpha)
    if not view.is_beside:
        systems = {system.name: system for system in view.lead.systems}
        names = view.report.comparison.systems
        title = f"{make_title(view.lead)} with {level} intervals"
        return Ranges(
            title,
            tuple(
                (
                    view.names[place],
                    (*_iter_ranges(view, view.lead, systems[names[place]], 0),),
                )
                for place in view.places
            ),
        )
    rows = [
        (
            metric.label,
            tuple(
                score
                for series, place in enumerate(view.places)
                for score in _iter_ranges(view, metric, metric.systems[place], series)
            ),
        )
        for metric in view.report.comparison.metrics.values()
        if not metric.is_count
    ]
    kinds = describe_statistics(view.report.comparison.metrics.values())
    title = f"{kinds} of each metric with {level} intervals"
    return Ranges(title, tuple(rows), tuple(view.shown))


def _iter_ranges(
    view: PageView, metric: MetricComparison, system: SystemResult, series: int
) -> Iterator[Range]:
    """Iterate over a score with its interval; empty if the score is undefined."""
    scale = 1 if metric.is_count else 100
    interval = system.intervals.get(view.report.comparison.procedure.interval)
    if not isfinite(system.score):
        return
    if interval is None or not all(map(isfinite, interval)):
        yield Range(series, scale * system.score)
    else:
        yield Range(series, scale * system.score, *(scale * end for end in interval))


def _has_recall(view: PageView) -> bool:
    """Return whether tables have recall and precision next to F1."""
    return view.report.comparison.procedure.statistic == "f1"


def _build_score_table(view: PageView) -> Table:
    """Build a table with a group of columns for each system."""
    comparison = view.report.comparison
    rows = []
    for metric in comparison.metrics.values():
        best = metric.ranked[0].score
        is_distinct = len({system.score for system in metric.systems}) > 1
        row = [Cell(metric.label)]
        for place in view.places:
            system = metric.systems[place]
            emphasis = Emphasis.BEST if is_distinct and system.score == best else None
            score = Cell(format_number(metric, system.score))
            row += _format_parts(view, metric.name, place) if _has_recall(view) else []
            row.append(score._replace(emphasis=emphasis) if emphasis else score)
            interval = system.intervals.get(comparison.procedure.interval)
            row.append(Cell(format_interval(metric, interval)))
        rows.append(tuple(row))
    heads = [
        Column(head, group=name)
        for name in (view.shown if len(view.names) > 1 else [""])
        for head in _list_heads(view)
    ]
    return Table((Column("", "left"), *heads), tuple(rows))


def _list_heads(view: PageView) -> list[str]:
    procedure = view.report.comparison.procedure
    score = name_statistic(procedure.statistic)
    parts = ["R", "P"] if _has_recall(view) else []
    return [*parts, score[0].upper() + score[1:], name_interval(procedure)]


def _format_parts(view: PageView, metric: str, place: int) -> list[Cell]:
    """Format recall and precision, which means do not have."""
    evaluation = view.evaluations[place]
    if metric not in evaluation.scores:
        return [Cell(""), Cell("")]
    score = evaluation.scores[metric]
    values = [getattr(score, part) for part in _PARTS]
    return [Cell(f"{100 * v:.2f}" if isfinite(v) else UNKNOWN) for v in values]


def _build_differences(view: PageView) -> Iterator[Part]:
    """Build tables of pairs by the leading metric and by LEA, and explain marks."""
    comparison = view.report.comparison
    names = dict.fromkeys(
        [view.lead.name, *(n for n in _FURTHER_METRICS if n in comparison)]
    )
    shown = [make_standings(comparison, comparison.metrics[name]) for name in names]
    yield Paragraph(f"{describe_subject(comparison)}.", is_literal=True)
    tables: list[Part] = [build_overview(comparison)] if len(view.names) == 2 else []
    details = [[*build_details(comparison, standings)] for standings in shown]
    tables += [table for of_metric in details for table in of_metric]
    lines = [*explain_marks(comparison, shown, tables), *describe_method(comparison)]
    marks = Bullets(tuple(map(Bullet, lines)))
    if len(view.names) == 2:
        yield Beside((build_overview(comparison), marks))
        titles = join_words([make_title(standings.metric) for standings in shown])
        yield Folded(f"More about {titles}", (Beside(tuple(tables[1:])),))
    else:
        first, *others = [make_title(standings.metric) for standings in shown]
        yield Heading(3, first, f"by-{view.lead.name}")
        yield Beside(tuple(details[0]))
        for title, of_metric in zip(others, details[1:], strict=True):
            yield Folded(f"The same by {title}", (Beside(tuple(of_metric)),))
        yield marks


_CHANGES_NOTE = (
    " Fixed: only the first of two systems makes the error. Introduced: only the "
    "second does."
)
_FIRST_BREAKDOWNS = ("types",)  # of links; others are folded


def build_errors(view: PageView) -> Iterator[Part]:
    """Build the sections of errors, costs and links."""
    systems = [view.errors[place] for place in view.places]
    metrics = choose_metrics(view.report.analysis)
    grids = [*build_kind_tables(systems, view.shown, metrics)]
    counts = [grid for grid in grids if _is_count_table(grid)]
    repairs = [grid for grid in grids if grid not in counts]
    yield Heading(2, "Errors", "errors")
    yield Statement(
        (
            "Each error is of one kind (",
            Link("what the kinds are", "#kinds"),
            "). Per 1,000: for 1,000 mentions of the key.",
            _CHANGES_NOTE if len(view.names) == 2 else "",
        )
    )
    yield from _arrange_counts(view, [*_iter_sortable(counts, view)])
    yield Heading(2, "Costs", "costs")
    yield from _build_costs(view, systems, metrics, repairs)
    yield Heading(2, "Links", "links")
    yield Paragraph(
        "A link connects a mention with an earlier mention of its entity. A link of "
        "the key can be missing in the response, and a link of the response can be "
        "wrong. Rates are percentages of the links of the row."
    )
    first: list[Part] = []
    rest: list[Part] = []
    for by, grids in _group_links(build_link_tables(systems, view.shown)).items():
        part = Beside(tuple(_iter_sortable(grids, view)))
        (first if by.startswith(_FIRST_BREAKDOWNS) or not by else rest).append(part)
    yield from first
    if rest:
        yield Folded("Links by distance, size of the entity and more", tuple(rest))


def _arrange_counts(view: PageView, counts: Sequence[Part]) -> Iterator[Part]:
    """Arrange tables of counts: all of few systems, the main ones of many."""
    across: list[Part] = []
    if len(view.names) > 1:
        across += build_shared_tables(
            view.report.analysis.across, view.shown, view.places
        )
    if view.is_beside:
        yield Beside((*counts, *across))
        return
    yield Beside((build_mistake_table(view), *counts[:1]))
    rest = (*counts[1:], *across)
    yield Folded("Errors per 1,000 mentions, and errors that systems share", rest)


def _group_links(grids: Iterable[Table]) -> dict[str, list[Table]]:
    """Group tables of missing and wrong links by breakdown."""
    groups: dict[str, list[Table]] = {}
    for grid in grids:
        _, _, by = grid.caption.partition(" by ")
        shown = grid if by else replace(grid, caption="All links")
        groups.setdefault(by, []).append(shown)
    return groups


def _is_count_table(grid: Table) -> bool:
    """Return whether a table has counts of errors instead of F1."""
    return not grid.caption or grid.caption.startswith("Errors")


def _iter_sortable(grids: Sequence[Table], view: PageView) -> Iterator[Table]:
    """Make tables with a row for each system sortable."""
    for grid in grids:
        yield grid if view.is_beside else make_sortable(grid)


def _build_costs(
    view: PageView,
    systems: Sequence[SystemErrors],
    metrics: Sequence[str],
    repairs: Sequence[Table],
) -> Iterator[Part]:
    yield Paragraph(
        "F1 after errors are repaired. A bar starts with the F1 of the response; each "
        "segment is the gain when one more kind of error is repaired, in the order of "
        "the colours."
    )
    for metric in metrics:
        yield _draw_ladder(systems, view.shown, metric)
    analysis = replace(view.report.analysis, refused={})
    remarks = iter_remarks(analysis, metrics=metrics)
    texts = [part for part in remarks if not isinstance(part, Note)]
    if repairs:
        numbers = Beside(tuple(_iter_sortable(repairs, view)))
        yield Folded("The same in numbers, with remarks", (numbers, *texts))
    elif texts:
        yield Folded("Remarks", tuple(texts))


def _draw_ladder(
    systems: Sequence[SystemErrors], names: Sequence[str], metric: str
) -> Bars:
    """Draw the gain of each kind of error when kinds are repaired in order."""
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
    return Bars(tuple(bars), title, full_size=100)


_SCATTER_ALTERNATIVE = "The table of documents has the same numbers"


def build_documents(view: PageView) -> Iterator[Part]:
    """Build the sections of documents and texts."""
    yield Heading(2, "Documents", "documents")
    scatter = _build_scatter(view)
    if scatter is not None:
        yield Paragraph(_explain_scatter(view), is_literal=True)
        yield scatter
    yield Heading(2, "Texts", "texts")
    yield replace(view.report.reader, systems=view.names)


def _explain_scatter(view: PageView) -> str:
    what = "Each dot is a document, as large as it has mentions"
    act = "Choose a dot to read the document."
    if len(view.names) == 1:
        return f"{what}. {act}"
    first, second, *others = view.shown
    who = f" The systems are the first two by {shorten_label(view.lead.label)}."
    return (
        f"{what}. Above the diagonal, {second} is better, below it {first}."
        f"{who if others else ''} {act}"
    )


def _build_scatter(view: PageView) -> Scatter | None:
    """Plot the scores of two systems, or of one system by number of mentions."""
    # Of all systems, because a system may lack documents.
    mentions = {
        document.document: document.key_mentions
        for system in view.errors
        for document in system.documents
    }
    places = view.places[:2]
    scores = [_collect_scores(view, place) for place in places]
    ids = [*scores[0]]
    titles = dict(zip(ids, shorten_ids(ids), strict=True))
    metric = make_title(view.lead)
    if len(scores) == 1:
        points = [
            _make_point(
                view, id, titles[id], (mentions.get(id, 0), score), mentions.get(id, 0)
            )
            for id, score in scores[0].items()
        ]
        axes = "Mentions of the key", f"{metric} of {view.names[0]}"
        title = f"{metric} of each document by its mentions"
        return _make_scatter(view, title, axes, points)
    across, up = scores
    points = [
        _make_point(view, id, titles[id], (across[id], up[id]), mentions.get(id, 0))
        for id in across
        if id in up
    ]
    first, second = (view.names[place] for place in places)
    title = f"{metric} of each document: {first} and {second}"
    return _make_scatter(view, title, (first, second), points)


def _make_scatter(
    view: PageView, title: str, axes: tuple[str, str], points: list[Point]
) -> Scatter | None:
    if not points:
        return None
    # The table has F1, or the value of metrics that have one.
    about = "" if view.lead.statistic in _PARTS else _SCATTER_ALTERNATIVE
    return Scatter(title, *axes, tuple(points), len(view.names) > 1, about)


def _collect_scores(view: PageView, place: int) -> Mapping[str, float]:
    """Return the defined scores of documents by the leading metric."""
    groups = {}
    statistic = view.lead.statistic
    for document in view.report.evaluations[place].per_document:
        if view.lead.name in document:
            score = document[view.lead.name]
            value = getattr(score, statistic)
            if statistic not in list_undefined(score) and isfinite(value):
                groups[document.document] = 100 * value
    return groups


def _make_point(
    view: PageView, id: str, title: str, at: tuple[float, float], mentions: int
) -> Point:
    numbers = [format_count(mentions, "mention")]
    places = view.places[: min(2, len(view.names))]
    values = at if len(places) == 2 else at[1:]
    numbers += [
        f"{view.names[place]} {value:.2f}"
        for place, value in zip(places, values, strict=True)
    ]
    address = format_fragment(id, systems=sorted(places))
    return Point(*at, mentions, f"{title}: {', '.join(numbers)}", address)


_WORDS = {
    "Mention": "words that refer to something, as “the mayor” or “she”.",
    "Entity": "all mentions of a text that refer to the same thing.",
    "Key": "the right answer, made by people: which mentions there are, and which "
    "belong together.",
    "Response": "what a system says to the same texts.",
    "Link": "two mentions of one entity, a later and an earlier one.",
    "Recall": "how much of the key the system found. Low where it says too little.",
    "Precision": "how much of what the system says is right. Low where it says too "
    "much.",
    "F1": "one number for both, which is high only if both are.",
}
_METRICS = {
    "mentions": "whether the mentions were found at all; who belongs with whom does "
    "not matter.",
    "muc": "counts the fewest links that hold each entity together. To join two "
    "entities by mistake costs a single link, so that it forgives systems that join "
    "much.",
    "b_cubed": "goes through mentions: how much of each one's entity is right.",
    "ceaf_m": "pairs each entity with at most one of the other side, and counts the "
    "mentions that paired entities share.",
    "ceaf_e": "pairs entities likewise; an entity of two mentions weighs as much as "
    "one of fifty.",
    "blanc": "looks at every two mentions: those that belong together, and those that "
    "do not.",
    "lea": "goes through entities: how many of the links inside each are right; large "
    "entities weigh more.",
    "conll": "the mean F1 of MUC, B³ and CEAFe. Most papers rank systems by it.",
}
_KINDS = {
    "span": "a mention with the wrong ends, as “mayor” for “the mayor”.",
    "conflated": "different entities of the key in one of the response.",
    "extra_mention": "a mention that the key lacks, in an entity that it has.",
    "extra_entity": "an entity none of which is in the key, pronouns aside.",
    "divided": "one entity of the key in several of the response.",
    "missing_mention": "a mention of the key that the response lacks, though it has "
    "others of the entity.",
    "missing_entity": "an entity of the key none of which is in the response, "
    "pronouns aside.",
}


def build_explanations(view: PageView) -> Iterator[Part]:
    """Explain the terms, metrics and kinds of errors on the page."""
    comparison = view.report.comparison
    yield Heading(2, "How to read", "reading")
    yield Paragraph(
        "A text speaks of the same people and things again and again, in other words. "
        "Coreference resolution finds which words belong together. To score a system, "
        "its response is held against a key."
    )
    yield Bullets(tuple(Bullet(text, word) for word, text in _WORDS.items()))
    yield Heading(3, "What each metric counts", "metrics")
    labels = {name: metric.label for name, metric in comparison.metrics.items()}
    items = [
        Bullet(_METRICS[name], shorten_label(label))
        for name, label in labels.items()
        if name in _METRICS
    ]
    yield Bullets(tuple(items))
    yield Heading(3, "Kinds of errors", "kinds")
    yield Bullets(
        tuple(Bullet(text, KIND_LABELS[kind]) for kind, text in _KINDS.items())
    )
    yield Heading(3, "Chance", "chance")
    yield Bullets(tuple(_explain_tests(view)))


def _explain_tests(view: PageView) -> Iterator[Bullet]:
    procedure = view.report.comparison.procedure
    level, unit = format_percent(1 - procedure.alpha), procedure.unit
    yield Bullet(
        f"where the score would mostly lie on other {unit}s of the same sort. Wide "
        f"where there are few {unit}s.",
        f"{level} interval",
    )
    if len(view.names) > 1:
        yield Bullet(
            "how often a difference as large comes about if the two systems are "
            "equally good, and only chance decides. At most "
            f"{procedure.alpha:g}: significant.",
            "p",
        )
    if len(view.names) > 2 and procedure.baseline is None:
        yield Bullet(
            "1 and the number of systems that are significantly better.", "Rank"
        )
        yield Bullet("two systems differ significantly if they share none.", "Letters")


_LABELS = {
    "documents": "Documents",
    "words": "Words",
    "mentions": "Mentions of the key",
    "entities": "Entities of the key",
    "text": "Words, as a hash",
    "mention_set": "Mentions, as a hash",
    "entity_set": "Entities, as a hash",
}


def build_citation(view: PageView) -> Iterator[Part]:
    """Build the signature, the fingerprint of the corpus, and all notes."""
    report = view.report
    yield Heading(2, "How to cite", "citing")
    yield Paragraph(
        f"Report the signature with the scores, and cite corefkit {VERSION}: the "
        "signature contains all settings, so that others can repeat the computation."
    )
    yield Note(report.comparison.signature, is_code=True)
    yield Paragraph(
        "The fingerprint of the corpus: two reports with the same hashes have the "
        "same texts and the same key in any format."
    )
    values = view.evaluations[0].corpus.to_dict()
    rows = [
        [label, f"{values[name]:,}" if isinstance(values[name], int) else values[name]]
        for name, label in _LABELS.items()
        if name in values
    ]
    yield Table(
        make_columns(["Corpus", ""]), make_rows([str(c) for c in row] for row in rows)
    )
    remarks = [
        view.use_display_names(text) for text in (*report.warnings, *report.notes)
    ]
    if remarks:
        yield Heading(3, "Warnings and notes", "notes")
        yield Bullets(tuple(map(Bullet, remarks)))
