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
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from corefkit.report.scores import ScoreWriter
    from corefkit.report.stored import Scored


# Those that few runs need are imported when they are used.
_JSON = Named("corefkit.report.pieces", "json_text")
_CSV = Named("corefkit.report.pieces", "csv_text")
WRITERS: Mapping[str, ScoreWriter] = {
    "table": scores_as(terminal_text),
    "json": _JSON,
    "csv": _CSV,
    "markdown": scores_as(Named("corefkit.report.markdown", "markdown_text")),
    "latex": scores_as(Named("corefkit.report.latex", "latex_text")),
    "reference": Named("corefkit.report.reference_text", "reference_text"),
}


# Those that write a long text piece by piece, as it comes.
_IN_PIECES: Mapping[object, Callable[..., Iterator[str]]] = {
    _JSON: Named("corefkit.report.pieces", "json_pieces"),
    _CSV: Named("corefkit.report.pieces", "csv_pieces"),
}


def written(name: str, results: Sequence[Scored], **options: Any) -> Iterator[str]:
    """Write results in a format of `WRITERS`: pieces that together are its text.

    >>> import corefkit
    >>> result = corefkit.score(["ab"], ["ab"])
    >>> "".join(written("json", [result])) == WRITERS["json"]([result])
    True
    """
    write = WRITERS[name]
    pieces = _IN_PIECES.get(write)
    if pieces is None:
        return iter([write(results, **options)])
    return pieces(results, **options)
