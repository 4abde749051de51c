"""From results to what people and programs read: one function for each format.

Every text ends with the signature, or carries it in each row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from corefkit.report.records import csv_text, json_text
from corefkit.report.reference_text import reference_text
from corefkit.report.table import latex_table, markdown_table, plain_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.evaluation import Scored


class Writer(Protocol):
    """Lays results out as text."""

    def __call__(
        self, results: Sequence[Scored], /, *, per_document: bool = ...
    ) -> str:
        """Write the scores, and those of every document where asked for."""
        ...


WRITERS: Mapping[str, Writer] = {
    "table": plain_table,
    "json": json_text,
    "csv": csv_text,
    "markdown": markdown_table,
    "latex": latex_table,
    "reference": reference_text,
}
