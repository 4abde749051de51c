"""Statistics of a corpus as a data frame of one row, so that corpora stack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corefkit.report.frames.libraries import frame_of
from corefkit.report.statistics import statistics_record

if TYPE_CHECKING:
    from corefkit.analysis.statistics import Statistics


def statistics_frame(counts: Statistics, *, library: str | None = None) -> Any:
    """Make a frame of one row: counts, means, and shares up to 1."""
    record = statistics_record(counts)
    schema: dict[str, Any] = {
        name: "number"
        if name.startswith("mean_") or name.endswith("_share")
        else "count, if known"
        for name in record
    }
    return frame_of([record], schema, library)
