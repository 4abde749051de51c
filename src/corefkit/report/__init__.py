"""From results to what people and programs read: one function for each format.

A new format is a file with a function, and a row in `WRITERS`. For people the function
writes the parts of any page (`page` has the values, `terminal`, `markdown`, `latex` and
`html` write them); for programs it writes values. Every text ends with the signature,
or carries it in each row.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from corefkit.report.scores import scores_as
from corefkit.report.terminal import terminal_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from corefkit.report.scores import ScoreWriter


def _late(home: str, name: str) -> Callable[..., Any]:
    """Name a function that is imported when it is called: few runs need it."""

    def call(*arguments: Any, **options: Any) -> Any:
        function = getattr(import_module(f"corefkit.report.{home}"), name)
        return function(*arguments, **options)

    return call


WRITERS: Mapping[str, ScoreWriter] = {
    "table": scores_as(terminal_text),
    "json": _late("records", "json_text"),
    "csv": _late("records", "csv_text"),
    "markdown": scores_as(_late("markdown", "markdown_text")),
    "latex": scores_as(_late("latex", "latex_text")),
    "reference": _late("reference_text", "reference_text"),
}
