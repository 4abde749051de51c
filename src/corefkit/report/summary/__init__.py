"""The page of a report: what was found, then the documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report.comparison.whole import comparison_page
from corefkit.report.page import Heading, Page

if TYPE_CHECKING:
    from corefkit.analysis.reporting.values import Report


def report_page(report: Report) -> Page:
    """Set a report out."""
    first, *others = comparison_page(report.comparison)
    return Page(
        f"{', '.join(report.systems)} on {report.key}",
        (first,),
        (
            Heading(2, "Scores", "scores"),
            *others,
            Heading(2, "Documents", "documents"),
            report.reader,
        ),
        "corefkit report",
    )
