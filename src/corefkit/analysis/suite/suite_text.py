"""A suite as tables, Markdown, LaTeX, CSV, JSON and a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.analysis.compare.comparison_text import (
    build_details,
    build_overview,
    build_run_table,
    describe_method,
    explain_marks,
    find_lead_metric,
    make_standings,
    make_title,
    order_systems,
    write_caption,
)
from corefkit.metrics.registry import get_label
from corefkit.results.records import format_csv_records, format_json
from corefkit.results.score_table import list_refused
from corefkit.strings import format_count
from corefkit.tables.latex import render_latex
from corefkit.tables.markdown import render_markdown
from corefkit.tables.model import (
    Bullet,
    Bullets,
    Cell,
    Column,
    Emphasis,
    Heading,
    Note,
    Page,
    Paragraph,
    Part,
    Range,
    Ranges,
    Table,
)
from corefkit.tables.terminal import render_terminal

if TYPE_CHECKING:
    from corefkit.analysis.suite import SuiteCell, SuiteResult
    from corefkit.results.records import Value

NO_SCORE = "\N{EN DASH}"
EMPTY = "°"  # marks missing responses that are scored as empty ones


def build_suite_parts(result: SuiteResult) -> list[Part]:
    """Build the tables of a suite: scores by corpus, then tests of the means."""
    comparison = result.comparison
    parts: list[Part] = [
        Paragraph(describe_suite(result), is_literal=True),
        build_corpus_table(result),
    ]
    lines = []
    if any(cell.is_empty for _, cell in _iter_cells(result)):
        lines.append(f"{EMPTY} no response: scored as an empty one")
    if comparison is None:
        lines.append("no system has scores on all corpora: means are not compared")
    else:
        # Corpora have a table already.
        flat = replace(
            comparison,
            metrics={
                name: replace(metric, strata=())
                for name, metric in comparison.metrics.items()
            },
        )
        standings = make_standings(flat, find_lead_metric(flat))
        overview = build_overview(flat)
        overview = replace(overview, caption=f"Means over corpora: {overview.caption}")
        tables: list[Part] = [overview, *build_details(flat, standings)]
        tables += build_run_table(flat)
        parts += tables
        lines += [*explain_marks(flat, [standings], tables), *describe_method(flat)]
    parts += list_refused(
        {
            f"{system} on {corpus}": text
            for (system, corpus), text in result.missing.items()
        },
        "Missing",
        "scored",
    )
    parts += list_refused(result.failed, "Corpora left out", "scored")
    parts.append(Bullets(tuple(map(Bullet, lines))))
    if comparison is not None:
        parts.append(Note(comparison.signature, is_code=True))
    return parts


def describe_suite(result: SuiteResult) -> str:
    """Describe the size of a suite in one line."""
    corpora, systems = len(result.corpora), len(result.systems)
    text = f"{result.title}: {format_count(systems, 'system')} on "
    if result.failed:
        text += f"{corpora} of {corpora + len(result.failed)} corpora"
    else:
        text += f"{corpora} {'corpus' if corpora == 1 else 'corpora'}"
    if result.missing:
        text += f", {format_count(len(result.missing), 'missing response')}"
    return text


def _iter_cells(result: SuiteResult) -> Iterator[tuple[str, SuiteCell]]:
    for corpus in result.corpora.values():
        yield from corpus.cells.items()


def build_corpus_table(result: SuiteResult) -> Table:
    """Build the table of scores by corpus, with their mean."""
    comparison = result.comparison
    names = [*result.systems]
    if comparison is not None:
        lead = find_lead_metric(comparison)
        metric, title, statistic = lead.name, make_title(lead), lead.statistic
        ranked = order_systems(comparison)
        names = [*ranked, *(name for name in names if name not in ranked)]
        means = {system.name: system.score for system in lead.systems}
    else:
        runs = next((cell.runs for _, cell in _iter_cells(result) if cell.runs), ())
        has_mean = bool(runs) and runs[0].conll is not None
        metric = "conll" if has_mean else next(iter(runs[0]), "") if runs else ""
        title, statistic, means = f"{get_label(metric)} F1", "f1", {}
    rows = []
    for corpus_name, corpus in result.corpora.items():
        cells = [corpus.cells[name] for name in names]
        scores = [_average_cell(cell, metric, statistic) for cell in cells]
        best = max((score for score in scores if score is not None), default=None)
        row = [Cell(corpus_name)]
        for cell, score in zip(cells, scores, strict=True):
            text = NO_SCORE if score is None else f"{100 * score:.2f}"
            is_best = score is not None and score == best and len(names) > 1
            emphasis = Emphasis.BEST if is_best else Emphasis.NONE
            row.append(Cell(text, EMPTY if cell.is_empty else "", emphasis=emphasis))
        rows.append(tuple(row))
    row = [Cell("mean")]
    for name in names:
        mean = means.get(name)
        row.append(Cell(NO_SCORE if mean is None else f"{100 * mean:.2f}"))
    return Table(
        (Column("", "left"), *(Column(name, is_name=True) for name in names)),
        (*rows, tuple(row)),
        f"{title} by corpus",
    )


def _average_cell(cell: SuiteCell, metric: str, statistic: str) -> float | None:
    values = [getattr(run[metric], statistic) for run in cell.runs]
    return sum(values) / len(values) if values else None


def build_suite_page(result: SuiteResult) -> Page:
    """Build the page of a suite, with a chart of the means."""
    parts: list[Part] = [Heading(2, "Scores", "scores")]
    comparison = result.comparison
    if comparison is not None:
        metric = find_lead_metric(comparison)
        standings = make_standings(comparison, metric)
        kind = comparison.procedure.interval
        rows = []
        for system in standings.systems:
            ends = [100 * end for end in system.intervals[kind]]
            rows.append((system.name, (Range(0, 100 * system.score, *ends),)))
        parts.append(Ranges(f"{make_title(metric)}, mean over corpora", tuple(rows)))
    about, *others = build_suite_parts(result)
    return Page(result.title, (about,), (*parts, *others), "corefkit suite")


def _render_paper(result: SuiteResult, render: Callable[[list[Part]], str]) -> str:
    parts: list[Part] = [build_corpus_table(result)]
    comparison = result.comparison
    if comparison is not None:
        caption = (
            f"Means over {len(result.corpora)} corpora. {write_caption(comparison)}"
        )
        parts.insert(0, Paragraph(caption, is_literal=True))
        parts.append(Note(comparison.signature, is_code=True))
    return render(parts)


def _render_html(result: SuiteResult) -> str:
    from corefkit.tables.html import render_html_page

    return render_html_page(build_suite_page(result))


def _render_csv(result: SuiteResult) -> str:
    rows: list[dict[str, Value]] = [
        {"kind": "cell", **record} for record in result.to_records()
    ]
    rows += [
        {"kind": "missing", "system": system, "corpus": corpus, "reason": reason}
        for (system, corpus), reason in result.missing.items()
    ]
    rows += [
        {"kind": "failed", "corpus": corpus, "reason": reason}
        for corpus, reason in result.failed.items()
    ]
    if result.comparison is not None:
        rows += [{"kind": "mean", **row} for row in result.comparison.to_records()]
        pairs = result.comparison.to_records(pairs=True)
        rows += [{"kind": "pair", **row} for row in pairs]
    return format_csv_records(rows)


SUITE_WRITERS: Mapping[str, Callable[[SuiteResult], str]] = {
    "table": lambda result: render_terminal(build_suite_parts(result)),
    "json": lambda result: format_json(result.to_dict()),
    "csv": _render_csv,
    "markdown": lambda result: _render_paper(result, render_markdown),
    "latex": lambda result: _render_paper(result, render_latex),
    "html": _render_html,
}
