"""A comparison as a data frame: a row for each metric and system, or pair of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corefkit.report.frames.libraries import frame_of

if TYPE_CHECKING:
    from corefkit.analysis.compare.comparison import Comparison
    from corefkit.report.frames.libraries import Schema

_METRIC: Schema = {"metric": "text", "statistic": "text"}
_SYSTEMS: Schema = {
    **_METRIC,
    "system": "text",
    "score": "number",
    "low": "number",
    "high": "number",
    "rank": "count",
    "letters": "text",
    "signature": "text",
}
_PAIRS: Schema = {
    **_METRIC,
    "a": "text",
    "b": "text",
    "difference": "number",
    "low": "number",
    "high": "number",
    "p": "number",
    "p_adjusted": "number",
    "significant": "truth",
    "borderline": "truth",
    "exact": "truth",
    "samples": "count",
    "units_that_differ": "count",
    "won": "count",
    "tied": "count",
    "lost": "count",
    "p_bootstrap": "number",
    "not_better": "number",
    "least_detectable": "number",
    "signature": "text",
}


def comparison_frame(
    comparison: Comparison, *, pairs: bool = False, library: str | None = None
) -> Any:
    """Make a frame of the records of a comparison."""
    rows = comparison.to_records(pairs=pairs)
    return frame_of(rows, _PAIRS if pairs else _SYSTEMS, library)
