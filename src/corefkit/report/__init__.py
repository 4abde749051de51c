"""From results to what people and programs read: one function for each format.

A new format is a file with a function, and a row in `WRITERS`. For people the function
writes the parts of any page (`page` has the values, `terminal`, `markdown`, `latex` and
`html` write them); for programs it writes values. Every text ends with the signature,
or carries it in each row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.metrics.base import Named
from corefkit.report.scores import scores_as
from corefkit.report.terminal import terminal_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.report.scores import ScoreWriter


# Those that few runs need are imported when they are used.
WRITERS: Mapping[str, ScoreWriter] = {
    "table": scores_as(terminal_text),
    "json": Named("corefkit.report.records", "json_text"),
    "csv": Named("corefkit.report.records", "csv_text"),
    "markdown": scores_as(Named("corefkit.report.markdown", "markdown_text")),
    "latex": scores_as(Named("corefkit.report.latex", "latex_text")),
    "reference": Named("corefkit.report.reference_text", "reference_text"),
}
