"""Error analyses as what people and programs read: one function for each format.

tables         kinds and systems: counts, and F1 of repairs
link_tables    links by types, distance, size and more, always with rates
across_tables  what systems share, and what one fixes of another
by_document    errors of every document
listing        one error a line
ordering       systems in the order that tables show them in
remarks        what a reader must know beside the numbers
records        values for programs
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from corefkit.report.errors.across_tables import across_parts
from corefkit.report.errors.link_tables import link_parts
from corefkit.report.errors.listing import csv_list, list_grid, list_parts
from corefkit.report.errors.ordering import counts_errors, places_of, system_names
from corefkit.report.errors.records import csv_errors, json_errors
from corefkit.report.errors.remarks import remarks
from corefkit.report.errors.tables import kind_grids
from corefkit.report.latex import latex_text
from corefkit.report.markdown import markdown_text
from corefkit.report.ranking import BY_NAME
from corefkit.report.terminal import terminal_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from corefkit.analysis.errors.analysis import ErrorAnalysis
    from corefkit.report.page import Part
    from corefkit.report.ranking import Order

DEFAULT_METRICS = ("lea", "conll")  # what tables show where others are computed too


class ErrorWriter(Protocol):
    """Writes an analysis as text."""

    def __call__(
        self,
        analysis: ErrorAnalysis,
        /,
        *,
        links: bool = ...,
        listed: Sequence[str] = ...,
        metrics: Sequence[str] | None = ...,
        per_document: bool = ...,
    ) -> str:
        """Write the errors.

        Args:
            analysis: the errors.
            links: whether to show the tables of links too.
            listed: kinds of errors to list in place of the tables, one error a line.
            metrics: whose F1 tables show; LEA and CoNLL, or all that were computed
                where neither was.
            per_document: whether to show every document too.
        """
        ...


def errors_as(
    write: Callable[[Iterable[Part]], str], *, by_line: bool = False
) -> ErrorWriter:
    """Make a writer of analyses from a writer of pages.

    Lists are grids, or where errors go by line, lines.
    """

    def write_errors(
        analysis: ErrorAnalysis,
        *,
        links: bool = False,
        listed: Sequence[str] = (),
        metrics: Sequence[str] | None = None,
        per_document: bool = False,
    ) -> str:
        if listed:
            parts: list[Part] = []
            if by_line:
                parts += list_parts(analysis, listed)
            else:
                parts.append(list_grid(analysis, listed))
            return write([*parts, *remarks(analysis, metrics=(), kinds=listed)])
        page = error_page(
            analysis, links=links, metrics=metrics, per_document=per_document
        )
        return write(page)

    return write_errors


def error_page(
    analysis: ErrorAnalysis,
    *,
    links: bool = False,
    metrics: Sequence[str] | None = None,
    per_document: bool = False,
) -> list[Part]:
    """Set an analysis out in grids, and say what they are."""
    places, given = places_of(analysis), system_names(analysis)
    systems = [analysis.systems[place] for place in places]
    names = [given[place] for place in places]
    documents: list[Part] = []
    if per_document and systems:
        # Imported here because few errors are shown by document.
        from corefkit.report.by_document import numbered
        from corefkit.report.errors.by_document import document_grid

        names = numbered(names)
        documents.append(document_grid(systems, names, analysis.order))
    shown = _with_order(
        shown_metrics(analysis) if metrics is None else metrics, analysis.order
    )
    parts: list[Part] = [*kind_grids(systems, names, shown), *documents]
    if len(names) > 1:
        parts += across_parts(analysis.across, names, places)
    if links:
        parts += link_parts(systems, names)
    return [*parts, *remarks(analysis, metrics=shown)]


def _with_order(metrics: Sequence[str], order: Order | None) -> list[str]:
    """Add the metric that systems are sorted by, so that it can be seen."""
    if order is None or order.metric == BY_NAME or counts_errors(order.metric):
        return [*metrics]
    return [*dict.fromkeys([*metrics, order.metric])]


def shown_metrics(analysis: ErrorAnalysis) -> list[str]:
    """Choose the metrics that tables show: LEA and CoNLL, or else all there are."""
    ladders = [system.ladder for system in analysis.systems]
    computed = [*ladders[0]["response"]] if ladders else []
    return [name for name in DEFAULT_METRICS if name in computed] or computed


def _json(
    analysis: ErrorAnalysis,
    *,
    links: bool = False,
    listed: Sequence[str] = (),
    metrics: Sequence[str] | None = None,
    per_document: bool = False,
) -> str:
    del links, listed, metrics, per_document  # programs get everything
    return json_errors(analysis)


def _csv(
    analysis: ErrorAnalysis,
    *,
    links: bool = False,
    listed: Sequence[str] = (),
    metrics: Sequence[str] | None = None,
    per_document: bool = False,
) -> str:
    del links, metrics, per_document  # programs get everything
    return csv_list(analysis, listed) if listed else csv_errors(analysis)


ERROR_WRITERS: Mapping[str, ErrorWriter] = {
    "table": errors_as(terminal_text, by_line=True),
    "json": _json,
    "csv": _csv,
    "markdown": errors_as(markdown_text),
    "latex": errors_as(latex_text),
}
