"""The page of a report: what was found first, then all numbers, then the documents.

view        the report as pages show it: names, order, the metric that leads
findings    who is better, by which metrics, and whether that can be chance
mistakes    what each system gets wrong most
examples    errors that show a mistake, in the words of the text
quoting     words of a text with mentions that stand out
scores      scores with intervals, and who beats whom
errors      kinds of errors, what they cost, links
documents   documents by their scores, and the reader
reading     how to read the page, for somebody new
citing      what to print beside the scores
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report.summary.citing import citing_parts
from corefkit.report.summary.documents import document_parts
from corefkit.report.summary.errors import error_parts
from corefkit.report.summary.findings import findings_of
from corefkit.report.summary.reading import reading_parts
from corefkit.report.summary.scores import score_parts
from corefkit.report.summary.view import view_of
from corefkit.tables.elements import Item, Items, Link, Page, Paragraph, Statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.analysis.reporting.values import Report
    from corefkit.report.summary.view import View
    from corefkit.tables.elements import Part

MADE_BY = "corefkit report"
_MOST_WARNINGS = 3


def report_page(report: Report) -> Page:
    """Set a report out: findings, scores, errors, documents, how to read and cite it.

    >>> import corefkit
    >>> from corefkit.analysis.reporting.values import Report
    >>> from corefkit.report.reader.values import Reader
    >>> key, response = {"d": ["abc", "de"]}, {"d": ["ab", "cde"]}
    >>> comparison = corefkit.compare(key, {"A": response})
    >>> analysis = corefkit.errors(key, {"A": response})
    >>> scores = (corefkit.score(key, response),)
    >>> reader = Reader("key", ("A",), ())
    >>> page = report_page(Report("key", ("A",), scores, comparison, analysis, reader))
    >>> page.title
    'A against key'
    """
    view = view_of(report)
    return Page(
        view.title,
        tuple(_intro(view)),
        (
            *score_parts(view),
            *error_parts(view),
            *document_parts(view),
            *reading_parts(view),
            *citing_parts(view),
        ),
        MADE_BY,
    )


def _intro(view: View) -> Iterator[Part]:
    yield Paragraph(view.subject, is_literal=True)
    yield from findings_of(view)
    warnings = [view.renamed(text) for text in view.report.warnings]
    if warnings:
        items = [
            Item(text, "Warning", kind="warning") for text in warnings[:_MOST_WARNINGS]
        ]
        if len(warnings) > _MOST_WARNINGS:
            items.append(Item(f"{len(warnings) - _MOST_WARNINGS} more at the end.", ""))
        yield Items(tuple(items))
    yield Statement(
        (
            "New to these scores? ",
            Link("How to read this page", "#reading"),
            " explains all words and metrics on it. ",
            Link("The texts", "#texts"),
            " show each error where it is.",
        )
    )
