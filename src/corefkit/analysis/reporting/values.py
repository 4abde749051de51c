"""What a report holds; `report/summary` and the reader show it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from corefkit.analysis.compare.comparison import Comparison
    from corefkit.analysis.errors.error_analysis import ErrorAnalysis
    from corefkit.evaluation import Evaluation
    from corefkit.report.reader.values import Reader


@dataclass(frozen=True, repr=False)
class Report:
    """Scores, comparison, errors and documents of one or more responses to one key.

    Attributes:
        key: what the user called the key.
        systems: the names of the systems, in the order of input; all that follows has
            the same systems in the same order, under the same names.
        evaluations: the scores of each system.
        comparison: the systems compared; of one system, its intervals.
        analysis: the errors of each system.
        reader: the documents.
        refused: responses that could not be scored, each with the reason.
        notes: what a user should know about the input, one sentence each.
        warnings: why the results may not say what they should, one sentence each.

    >>> import corefkit
    >>> report = corefkit.make_report({"d": ["abc", "de"]}, {"A": {"d": ["ab", "cde"]}})
    >>> report.analysis.systems[0].counts["conflated"]
    1
    >>> report.to_html().split()[0]
    '<!DOCTYPE'
    """

    key: str
    systems: tuple[str, ...]
    evaluations: tuple[Evaluation, ...]
    comparison: Comparison
    analysis: ErrorAnalysis
    reader: Reader
    refused: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Name what is reported on, and how."""
        return f"<Report on {', '.join(self.systems)}: {self.comparison.signature}>"

    def _repr_html_(self) -> str:
        from corefkit.report.notebook.inside import report_html

        return report_html(self)

    def to_html(self) -> str:
        """Return the page that `corefkit report` writes."""
        # Local: pages stand to the right, and few reports are written.
        from corefkit.report.summary import report_page
        from corefkit.tables.html import html_page

        return html_page(report_page(self))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, which is replaced only when all of it is written.

        Raises:
            CorefkitError: the file cannot be written; it is as it was.
        """
        from corefkit.results.records import save_text

        save_text(path, self.to_html())
