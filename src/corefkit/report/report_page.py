"""The page of a report, section by section.

A section is a function that returns a `Section` of a `Report`: its title, an anchor,
and parts such as a `Table`. `report.ranked` has the systems in the order and with the
names of the page. To add a section, write such a function and list it in `SECTIONS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import isfinite
from typing import NamedTuple

from corefkit.analysis.compare.comparison import MetricComparison
from corefkit.analysis.compare.comparison_text import (
    UNKNOWN,
    build_class_tables,
    build_details,
    build_overview,
    describe_method,
    describe_statistics,
    describe_subject,
    explain_marks,
    format_interval,
    format_number,
    format_percent,
    label_systems,
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
from corefkit.classes import find_class
from corefkit.metrics.metric import list_undefined
from corefkit.metrics.registry import get_label
from corefkit.report.assembly import Report, ReportedSystem
from corefkit.report.findings import build_findings, build_mistake_table
from corefkit.report.reader_data import format_fragment, shorten_ids
from corefkit.results.score_table import list_refused, shorten_label
from corefkit.settings import VERSION
from corefkit.strings import format_count, join_words
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
    Note,
    Page,
    Paragraph,
    Part,
    Point,
    Range,
    Ranges,
    Scatter,
    Share,
    Table,
    TemplatePart,
    make_columns,
    make_rows,
)
from corefkit.tables.terminal import label_paths

MADE_BY = "corefkit report"
_MAX_TITLE_SYSTEMS = 3
_MAX_WARNINGS = 3
_PARTS = ("recall", "precision")


class Section(NamedTuple):
    """A section of the page; the navigation has links to all of them."""

    title: str
    anchor: str
    parts: Sequence[Part]


def build_report_page(report: Report) -> Page:
    (key,) = label_paths([report.key])
    names = [system.name for system in report.ranked]
    title = f"{join_words(names)} against {key}"
    if len(names) > _MAX_TITLE_SYSTEMS:
        title = f"{len(names)} systems against {key}"
    parts: list[Part] = []
    for build_section in SECTIONS:
        section = build_section(report)
        if section is not None:
            parts += [Heading(2, section.title, section.anchor), *section.parts]
    return Page(title, tuple(_build_intro(report)), tuple(parts), MADE_BY)


def _build_intro(report: Report) -> Iterator[Part]:
    yield Paragraph(_describe_input(report), is_literal=True)
    rows = build_findings(report)
    yield TemplatePart("report/templates/findings.html", {"rows": rows})
    warnings = [use_display_names(report, text) for text in report.warnings]
    items = [Bullet(text, "Warning", kind="warning") for text in warnings]
    if len(items) > _MAX_WARNINGS:
        end = Bullet(f"{len(items) - _MAX_WARNINGS} more at the end.", "")
        items = [*items[:_MAX_WARNINGS], end]
    if items:
        yield Bullets(tuple(items))
    yield Paragraph(
        "New to these scores? [How to read](#reading) explains all terms and metrics. "
        "[The texts](#texts) show each error in its context."
    )


def _describe_input(report: Report) -> str:
    first = report.ranked[0]
    counts = [format_count(report.comparison.documents, "document")]
    if words := first.evaluation.corpus.words:
        counts.append(format_count(words, "word"))
    compared = {*first.evaluation.documents}
    mentions = sum(
        document.key_mentions
        for document in first.errors.documents
        if document.document in compared
    )
    if mentions:
        counts.append(f"{format_count(mentions, 'mention')} in the key")
    systems = format_count(len(report.systems), "system")
    if report.refused:
        systems += f", {len(report.refused):,} more rejected"
    return f"{systems}, {join_words(counts)}."


def use_display_names(report: Report, text: str) -> str:
    """Replace names of the key and the systems in a text by display names."""
    (key,) = label_paths([report.key])
    names = {report.key: key, **label_systems(report.comparison)}
    choices = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    # Names inside of other names or paths are not replaced.
    pattern = rf"(?<![\w./\\-])(?:{choices})(?![\w/\\-]|\.\w)"
    return re.sub(pattern, lambda match: names[match[0]], text)


def make_sortable(table: Table) -> Table:
    first = table.columns[0]
    columns = (first._replace(head=first.head or "System"), *table.columns[1:])
    return replace(table, columns=columns, is_sortable=True)


def _arrange(report: Report, tables: Sequence[Table]) -> Beside:
    if report.has_columns:
        return Beside(tuple(tables))
    return Beside(tuple(map(make_sortable, tables)))


# Scores and differences.

_FURTHER_METRICS = ("lea",)  # after the leading metric


def build_scores(report: Report) -> Section:
    level = format_percent(1 - report.comparison.procedure.alpha)
    text = f"In percent: 100 is perfect. A line is the {level} interval of a score."
    if report.has_columns and _has_recall(report):
        text += " R is recall, P precision, F1 their harmonic mean."
    table = (
        _build_score_table(report)
        if report.has_columns
        else make_sortable(build_overview(report.comparison))
    )
    refused = list_refused(report.refused, "Not scored", "scored")
    drawing = Beside((_draw_scores(report), table))
    return Section("Scores", "scores", [Paragraph(text), drawing, *refused])


def _has_recall(report: Report) -> bool:
    return report.comparison.procedure.statistic == "f1"


def _draw_scores(report: Report) -> Ranges:
    metrics = report.comparison.metrics.values()
    level = format_percent(1 - report.comparison.procedure.alpha)
    if not report.has_columns:
        title = f"{make_title(report.lead)} with {level} intervals"
        ranges = (_make_ranges(report, report.lead, [s]) for s in report.ranked)
        names = [system.name for system in report.ranked]
        return Ranges(title, tuple(zip(names, ranges, strict=True)))
    rows = [
        (metric.label, _make_ranges(report, metric, report.ranked))
        for metric in metrics
        if not metric.is_count
    ]
    title = f"{describe_statistics(metrics)} of each metric with {level} intervals"
    return Ranges(title, tuple(rows), tuple(system.name for system in report.ranked))


def _make_ranges(
    report: Report, metric: MetricComparison, systems: Sequence[ReportedSystem]
) -> tuple[Range, ...]:
    scale = 1 if metric.is_count else 100
    ranges = []
    for series, system in enumerate(systems):
        result = system.get_result(metric)
        interval = result.intervals.get(report.comparison.procedure.interval)
        if not isfinite(result.score) or result.undefined == 1:
            continue
        ends: Sequence[float] = ()
        if interval is not None and all(map(isfinite, interval)):
            ends = [scale * end for end in interval]
        ranges.append(Range(series, scale * result.score, *ends))
    return tuple(ranges)


def _build_score_table(report: Report) -> Table:
    procedure = report.comparison.procedure
    rows = []
    for metric in report.comparison.metrics.values():
        best = metric.ranked[0].score
        is_distinct = len({system.score for system in metric.systems}) > 1
        row = [Cell(metric.label)]
        for system in report.ranked:
            result = system.get_result(metric)
            if _has_recall(report):
                row += _format_parts(system, metric.name)
            is_best = is_distinct and result.score == best
            emphasis = Emphasis.BEST if is_best else Emphasis.NONE
            row.append(Cell(format_number(metric, result.score), emphasis=emphasis))
            interval = result.intervals.get(procedure.interval)
            row.append(Cell(format_interval(metric, interval)))
        rows.append(tuple(row))
    score = name_statistic(procedure.statistic)
    heads = ["R", "P"] if _has_recall(report) else []
    heads += [score[0].upper() + score[1:], name_interval(procedure)]
    names = [system.name for system in report.ranked]
    columns = [
        Column(head, group=name)
        for name in (names if len(names) > 1 else [""])
        for head in heads
    ]
    return Table((Column("", "left"), *columns), tuple(rows))


def _format_parts(system: ReportedSystem, metric: str) -> list[Cell]:
    if metric not in system.evaluation.scores:
        return [Cell(""), Cell("")]
    score = system.evaluation.scores[metric]
    values = [getattr(score, part) for part in _PARTS]
    return [Cell(f"{100 * v:.2f}" if isfinite(v) else UNKNOWN) for v in values]


def build_differences(report: Report) -> Section | None:
    """Build the section of pairs by the leading metric and by LEA."""
    comparison = report.comparison
    if len(report.systems) == 1:
        return None
    names = dict.fromkeys(
        [report.lead.name, *(name for name in _FURTHER_METRICS if name in comparison)]
    )
    rankings = [make_standings(comparison, comparison.metrics[name]) for name in names]
    details = [tuple(build_details(comparison, standings)) for standings in rankings]
    titles = [make_title(standings.metric) for standings in rankings]
    is_pair = len(report.systems) == 2
    overview: list[Part] = [build_overview(comparison)] if is_pair else []
    tables = [*overview, *(part for parts in details for part in parts)]
    lines = [
        *explain_marks(comparison, rankings, tables),
        *describe_method(comparison),
    ]
    marks = Bullets(tuple(map(Bullet, lines)))
    parts: list[Part] = [Paragraph(f"{describe_subject(comparison)}.", is_literal=True)]
    if is_pair:
        parts.append(Beside((*overview, marks)))
        pairs = Beside(tuple(part for tables in details for part in tables))
        parts.append(Folded(f"More about {join_words(titles)}", (pairs,)))
    else:
        parts.append(Heading(3, titles[0], f"by-{report.lead.name}"))
        parts.append(Beside(details[0]))
        for title, of_metric in zip(titles[1:], details[1:], strict=True):
            parts.append(Folded(f"The same by {title}", (Beside(of_metric),)))
        parts.append(marks)
    return Section("Differences", "differences", parts)


_MAX_CHARTED_METRICS = 4
_MAX_CHARTED_SYSTEMS = 3  # with a colour each


def build_classes(report: Report) -> Section | None:
    """Build the section of scores by class."""
    comparison = report.comparison
    parts = comparison.classes
    if not parts:
        return None
    first = next(iter(parts.values()))
    names = [*first.metrics]
    if len(names) > _MAX_CHARTED_METRICS:
        leading = (report.lead.name, *_FURTHER_METRICS)
        names = [name for name in leading if name in names] or names[:1]
    systems = report.ranked[:_MAX_CHARTED_SYSTEMS]
    level = format_percent(1 - comparison.procedure.alpha)
    end = f"by {comparison.by} with {level} intervals"
    charts = [
        Ranges(
            f"{make_title(first.metrics[name])} {end}",
            tuple(
                (label, ranges)
                for label, part in parts.items()
                if (ranges := _make_ranges(report, part.metrics[name], systems))
            ),
            tuple(system.name for system in systems),
        )
        for name in names
    ]
    row = find_class(comparison.by)
    text = f"Classes: {row.meaning}. The class of a mention of the response: "
    text += f"{row.response}. Undefined scores are not drawn."
    tables = tuple(build_class_tables(comparison))
    return Section(
        "Classes",
        "classes",
        [
            Paragraph(text, is_literal=True),
            Beside(tuple(charts)),
            Folded("The same in numbers, with tests", tables),
            Note(first.signature, is_code=True),
        ],
    )


# Errors, costs and links.

_FIRST_BREAKDOWNS = ("types",)  # of links; others are folded


def _iter_kind_tables(report: Report, *, are_counts: bool) -> Iterator[Table]:
    systems = [system.errors for system in report.ranked]
    names = [system.name for system in report.ranked]
    for table in build_kind_tables(systems, names, choose_metrics(report.analysis)):
        is_count = not table.caption or table.caption.startswith("Errors")
        if is_count == are_counts:
            yield table


def build_errors(report: Report) -> Section:
    text = (
        "Each error is of one kind ([kinds explained](#kinds)). Per 1,000: for "
        "1,000 mentions of the key."
    )
    if len(report.systems) == 2:
        text += (
            " Fixed: only the first of two systems makes the error. Introduced: only "
            "the second does."
        )
    counts = _arrange(report, [*_iter_kind_tables(report, are_counts=True)]).parts
    across: list[Part] = []
    if len(report.systems) > 1:
        names = [system.name for system in report.ranked]
        numbers = [system.number for system in report.ranked]
        across += build_shared_tables(report.analysis.across, names, numbers)
    parts: list[Part] = [Paragraph(text)]
    if report.has_columns:
        parts.append(Beside((*counts, *across)))
    else:
        parts.append(Beside((build_mistake_table(report), *counts[:1])))
        title = "Errors per 1,000 mentions, and errors that systems share"
        parts.append(Folded(title, (*counts[1:], *across)))
    return Section("Errors", "errors", parts)


def build_costs(report: Report) -> Section:
    """Build the section of F1 with kinds of errors repaired."""
    metrics = choose_metrics(report.analysis)
    text = (
        "F1 after errors are repaired. A bar starts with the F1 of the response; each "
        "segment is the gain when one more kind of error is repaired, in the order of "
        "the colours."
    )
    remarks = iter_remarks(report.analysis, metrics=metrics)
    texts = tuple(part for part in remarks if not isinstance(part, Note))
    parts: list[Part] = [Paragraph(text)]
    parts += [_draw_ladder(report, metric) for metric in metrics]
    if tables := [*_iter_kind_tables(report, are_counts=False)]:
        numbers = (_arrange(report, tables), *texts)
        parts.append(Folded("The same in numbers, with remarks", numbers))
    elif texts:
        parts.append(Folded("Remarks", texts))
    return Section("Costs", "costs", parts)


def _draw_ladder(report: Report, metric: str) -> Bars:
    bars = []
    for system in report.ranked:
        steps = [
            (step, 100 * scores[metric])
            for step, scores in system.errors.ladder.items()
            if metric in scores
        ]
        shares = [
            Share(RESPONSE, RESPONSE.capitalize(), value) for _, value in steps[:1]
        ]
        shares += [
            Share(kind, KIND_LABELS[kind], round(score - previous, 9))
            for (_, previous), (kind, score) in pairwise(steps)
        ]
        bars.append((system.name, tuple(shares)))
    title = f"{get_label(metric)} with kinds of errors repaired in order"
    return Bars(tuple(bars), title, full_size=100)


def build_links(report: Report) -> Section:
    text = (
        "A link connects a mention with an earlier mention of its entity. A link of "
        "the key can be missing in the response, and a link of the response can be "
        "wrong. Rates are percentages of the links of the row."
    )
    systems = [system.errors for system in report.ranked]
    names = [system.name for system in report.ranked]
    # Tables of missing and wrong links, by breakdown.
    groups: dict[str, list[Table]] = {}
    for table in build_link_tables(systems, names):
        by = table.caption.partition(" by ")[2]
        shown = table if by else replace(table, caption="All links")
        groups.setdefault(by, []).append(shown)
    parts: list[Part] = [Paragraph(text)]
    folded: list[Part] = []
    for by, tables in groups.items():
        is_first = not by or by.startswith(_FIRST_BREAKDOWNS)
        (parts if is_first else folded).append(_arrange(report, tables))
    if folded:
        title = "Links by distance, size of the entity and more"
        parts.append(Folded(title, tuple(folded)))
    return Section("Links", "links", parts)


# Documents and texts.


def build_documents(report: Report) -> Section:
    scatter = _build_scatter(report)
    if scatter is None:
        return Section("Documents", "documents", [])
    text = "Each dot is a document, as large as it has mentions."
    if len(report.systems) > 1:
        first, second = (system.name for system in report.ranked[:2])
        text += f" Above the diagonal, {second} is better, below it {first}."
    if len(report.systems) > 2:
        text += f" The systems are the first two by {shorten_label(report.lead.label)}."
    if any(document.is_omitted for document in report.reader.documents):
        text += " Documents whose texts are omitted have none."
    paragraph = Paragraph(f"{text} Choose a dot to read the document.", is_literal=True)
    return Section("Documents", "documents", [paragraph, scatter])


def _build_scatter(report: Report) -> Scatter | None:
    # Of all systems, because a system may lack documents.
    mentions = {
        document.document: document.key_mentions
        for system in report.ranked
        for document in system.errors.documents
    }
    systems, metric = report.ranked[:2], make_title(report.lead)
    names = [system.name for system in systems]
    numbers = sorted(system.number for system in systems)
    scores = [_collect_scores(report, system) for system in systems]
    texts = {
        document.id for document in report.reader.documents if not document.is_omitted
    }
    ids = [id for id in scores[0] if id in texts]
    points = []
    for id, title in zip(ids, shorten_ids(ids), strict=True):
        if any(id not in values for values in scores):
            continue
        size, values = mentions.get(id, 0), [of_system[id] for of_system in scores]
        label = ", ".join(
            [
                format_count(size, "mention"),
                *(f"{name} {v:.2f}" for name, v in zip(names, values, strict=True)),
            ]
        )
        x, y = values if len(values) == 2 else (size, values[0])
        address = format_fragment(id, systems=numbers)
        points.append(Point(x, y, size, f"{title}: {label}", address))
    if not points:
        return None
    title = f"{metric} of each document by its mentions"
    axes = "Mentions of the key", f"{metric} of {names[0]}"
    if len(names) == 2:
        title = f"{metric} of each document: {names[0]} and {names[1]}"
        axes = names[0], names[1]
    # The table has F1, or the value of metrics that have one.
    is_other = report.lead.statistic not in _PARTS
    about = "The table of documents has the same numbers" if is_other else ""
    return Scatter(title, *axes, tuple(points), len(names) > 1, about)


def _collect_scores(report: Report, system: ReportedSystem) -> Mapping[str, float]:
    """Return the defined scores of documents by the leading metric."""
    scores = {}
    name, statistic = report.lead.name, report.lead.statistic
    for document in report.evaluations[system.number].per_document:
        if name in document:
            score = document[name]
            value = getattr(score, statistic)
            if statistic not in list_undefined(score) and isfinite(value):
                scores[document.document] = 100 * value
    return scores


def build_texts(report: Report) -> Section:
    names = tuple(label_systems(report.comparison).values())
    return Section("Texts", "texts", [replace(report.reader, systems=names)])


# Explanations.


def build_reading(report: Report) -> Section:
    """Explain the terms, metrics and kinds of errors on the page."""
    comparison = report.comparison
    metrics = comparison.metrics.items()
    values = {
        "metrics": {name: shorten_label(metric.label) for name, metric in metrics},
        "kinds": KIND_LABELS,
        "level": format_percent(1 - comparison.procedure.alpha),
        "procedure": comparison.procedure,
        "systems": len(report.systems),
    }
    part = TemplatePart("report/templates/reading.html", values)
    return Section("How to read", "reading", [part])


_CORPUS_LABELS = {
    "documents": "Documents",
    "words": "Words",
    "mentions": "Mentions of the key",
    "entities": "Entities of the key",
    "text": "Words, as a hash",
    "mention_set": "Mentions, as a hash",
    "entity_set": "Entities, as a hash",
}


def build_citation(report: Report) -> Section:
    """Build the signature, the fingerprint of the corpus, and all notes."""
    values = report.ranked[0].evaluation.corpus.to_dict()
    rows = [
        [label, f"{value:,}" if isinstance(value, int) else str(value)]
        for name, label in _CORPUS_LABELS.items()
        if (value := values.get(name)) is not None
    ]
    parts: list[Part] = [
        Paragraph(
            f"Report the signature with the scores, and cite corefkit {VERSION}: the "
            "signature contains all settings, so that others can repeat the "
            "computation."
        ),
        Note(report.comparison.signature, is_code=True),
        Paragraph(
            "The fingerprint of the corpus: two reports with the same hashes have the "
            "same texts and the same key in any format."
        ),
        Table(make_columns(["Corpus", ""]), make_rows(rows)),
    ]
    if messages := [*report.warnings, *report.notes]:
        texts = [use_display_names(report, text) for text in messages]
        parts.append(Heading(3, "Warnings and notes", "notes"))
        parts.append(Bullets(tuple(map(Bullet, texts))))
    return Section("How to cite", "citing", parts)


SECTIONS: Sequence[Callable[[Report], Section | None]] = (
    build_scores,
    build_differences,
    build_classes,
    build_errors,
    build_costs,
    build_links,
    build_documents,
    build_texts,
    build_reading,
    build_citation,
)
