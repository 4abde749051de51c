"""From results to what people and programs read: one function for each format.

A new format is a file with a function, and a row in `WRITERS`. For people the function
writes the parts of any page (`page` has the values, `terminal`, `markdown`, `latex` and
`html` write them); for programs it writes values. Every text ends with the signature,
or carries it in each row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report.latex import latex_text
from corefkit.report.markdown import markdown_text
from corefkit.report.records import csv_text, json_text
from corefkit.report.reference_text import reference_text
from corefkit.report.scores import scores_as
from corefkit.report.terminal import terminal_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.report.scores import ScoreWriter


WRITERS: Mapping[str, ScoreWriter] = {
    "table": scores_as(terminal_text),
    "json": json_text,
    "csv": csv_text,
    "markdown": scores_as(markdown_text),
    "latex": scores_as(latex_text),
    "reference": reference_text,
}
