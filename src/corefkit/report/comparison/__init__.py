"""Comparisons for people and programs: one function for each format.

words       numbers as people read them, and the test in words
standings   one metric with its systems in order
overview    all systems on all metrics
details     one metric: two systems, ranking, strata
pairs       matrix and list of pairs, and all systems against a baseline
legend      what marks mean
whole       the page of a comparison: overview, details, how it was tested
paper       one table for a paper, with its caption
rows        one rectangular table for spreadsheets
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report.comparison.paper import latex_comparison, markdown_comparison
from corefkit.report.comparison.rows import csv_comparison
from corefkit.report.comparison.whole import comparison_page
from corefkit.report.records import readable_json
from corefkit.report.terminal import terminal_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from corefkit.analysis.compare.comparison import Comparison


def table_comparison(comparison: Comparison) -> str:
    """Write a comparison for a terminal."""
    return terminal_text(comparison_page(comparison))


def json_comparison(comparison: Comparison) -> str:
    """Write the JSON of a comparison."""
    return readable_json(comparison.to_dict())


COMPARISON_WRITERS: Mapping[str, Callable[[Comparison], str]] = {
    "table": table_comparison,
    "json": json_comparison,
    "csv": csv_comparison,
    "markdown": markdown_comparison,
    "latex": latex_comparison,
}
