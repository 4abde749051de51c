"""What a report holds; `report/summary` and the reader show it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.analysis.compare.comparison import Comparison
    from corefkit.analysis.errors.analysis import ErrorAnalysis
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
