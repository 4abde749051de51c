"""From evaluations to what people and programs read: one function for each format.

Every text ends with the signature, or carries it in each row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from corefkit.evaluation import Evaluation
from corefkit.report.records import csv_text, json_text
from corefkit.report.reference_text import reference_text
from corefkit.report.table import latex_table, markdown_table, plain_table

Writer: TypeAlias = Callable[[Sequence[Evaluation]], str]

# Each gets the evaluations, and whether to show every document.
WRITERS: Mapping[str, Callable[..., str]] = {
    "table": plain_table,
    "json": json_text,
    "csv": csv_text,
    "markdown": markdown_table,
    "latex": latex_table,
    "reference": reference_text,
}
