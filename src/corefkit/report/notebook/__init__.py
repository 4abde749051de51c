"""Results as a notebook shows them: fragments of HTML with a small style of their own.

Jupyter asks a value for `_repr_html_`, which calls one of the functions here.

shortening  tables that are too long for a cell
inside      a whole page in a frame, for what needs the reader
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report.notebook.shortening import shortened
from corefkit.tables.elements import Paragraph
from corefkit.tables.grids import Note
from corefkit.tables.html import html_parts, read_asset

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.analysis.compare.comparison import Comparison
    from corefkit.analysis.errors.error_analysis import ErrorAnalysis
    from corefkit.analysis.statistics import Statistics
    from corefkit.evaluation import Evaluation
    from corefkit.tables.elements import Part

_ALL_OF_IT = "to_frame() has all metrics and systems, to_frame(pairs=True) all pairs"


def evaluation_html(result: Evaluation) -> str:
    """Show the scores of a response."""
    from corefkit.results.score_table import score_page

    return fragment(score_page([result]), warnings=result.warnings)


def comparison_html(comparison: Comparison) -> str:
    """Show a comparison."""
    from corefkit.analysis.compare.comparison_text import comparison_page

    parts = comparison_page(comparison, names_options=False)
    return fragment([*parts, Note(_ALL_OF_IT)], warnings=comparison.warnings)


def errors_html(analysis: ErrorAnalysis) -> str:
    """Show the errors of responses."""
    from corefkit.analysis.errors.error_output import error_page

    return fragment(error_page(analysis), warnings=analysis.warnings)


def statistics_html(counts: Statistics) -> str:
    """Show what a corpus holds."""
    from corefkit.analysis.statistics import statistics_grid

    return fragment([statistics_grid([("Corpus", counts)])])


def fragment(parts: Iterable[Part], *, warnings: Iterable[str] = ()) -> str:
    r"""Write parts for a cell of a notebook, the longest tables cut short.

    >>> from corefkit.tables.elements import Paragraph
    >>> print(fragment([Paragraph("a < b")]).partition("</style>\n")[2])
    <p>a &lt; b</p>
    </div>
    """
    told = [Paragraph(f"Warning: {text}", is_literal=True) for text in warnings]
    inside = html_parts([*shortened(parts), *told])
    return f"{opening()}{inside}\n</div>"


def opening() -> str:
    """Open a fragment: the style applies to what is inside and to nothing else."""
    return f'<div class="corefkit"><style>\n{read_asset("notebook.css")}</style>\n'
