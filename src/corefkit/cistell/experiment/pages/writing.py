"""The report as Markdown, LaTeX, a page of HTML, and for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cistell.experiment.pages.report import (
    how,
    report_parts,
    summary_parts,
    tally,
)
from corefkit.cistell.experiment.paper import CITED
from corefkit.report.html import html_page
from corefkit.report.latex import latex_floats
from corefkit.report.markdown import markdown_page
from corefkit.report.page import Note, Page, Paragraph
from corefkit.report.terminal import reading_width, terminal_text
from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.cistell.experiment.claims.base import Finding
    from corefkit.cistell.experiment.results import Results


def plain_summary(results: Results, findings: Sequence[Finding]) -> str:
    """Write the scores in short and the claims for a terminal."""
    parts = [*summary_parts(results, findings), Paragraph(f"{tally(findings)}.")]
    return terminal_text(parts, width=reading_width())


def markdown_report(results: Results, findings: Sequence[Finding]) -> str:
    """Write the whole report as Markdown."""
    return markdown_page(_page(results, findings))


def html_report(results: Results, findings: Sequence[Finding]) -> str:
    """Write the whole report as one page that needs nothing beside it."""
    return html_page(_page(results, findings))


def latex_tables(results: Results, findings: Sequence[Finding]) -> str:
    """Write all grids as LaTeX; the rules are those of the package booktabs."""
    notes = [
        Note(f"{_title(results)}, by corefkit {VERSION}"),
        Note(r"\usepackage{booktabs}"),
    ]
    return latex_floats([*notes, *report_parts(results, findings)])


def _page(results: Results, findings: Sequence[Finding]) -> Page:
    intro = (
        Paragraph(f"{tally(findings)}."),
        Paragraph(results.study.about.strip()),
        Paragraph(how(results)),
    )
    parts = tuple(report_parts(results, findings))
    return Page(_title(results), intro, parts, "corefkit experiment")


def _title(results: Results) -> str:
    return f"{results.study.title}: a study after {CITED}"
