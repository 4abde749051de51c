"""Scores as a data frame: a row for each metric, or for each document and metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corefkit.metrics.base import COUNTS
from corefkit.report.frames.libraries import frame_of
from corefkit.report.records import score_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.evaluation import DocumentScores, Evaluation
    from corefkit.report.frames.libraries import Schema
    from corefkit.report.records import Value

_DOCUMENT: Schema = {"document": "text", "missing": "truth"}
# Counts can be fractions: B³ adds shares of mentions up.
_SCORE: Schema = {
    "metric": "text",
    "recall": "number",
    "precision": "number",
    "f1": "number",
    "value": "number",
    **dict.fromkeys(COUNTS, "number"),
    "undefined": "text",
    "signature": "text",
}


def evaluation_frame(
    result: Evaluation, *, per_document: bool = False, library: str | None = None
) -> Any:
    """Make a frame of the scores of a response.

    BLANC's two kinds of links have rows of their own, and so has the CoNLL score, which
    is an F1 alone.
    """
    schema: dict[str, Any] = {"response": "text"}
    schema |= _DOCUMENT if per_document else {}
    schema |= _SCORE
    ends: dict[str, Value] = {
        "response": result.response,
        "signature": result.signature,
    }
    if not per_document:
        rows = (row | ends for row in _rows(result))
        return frame_of(rows, schema, library)
    missing = set(result.missing)
    of_documents = (
        row | {"document": one.document, "missing": one.document in missing} | ends
        for one in result.per_document
        for row in _rows(one)
    )
    return frame_of(of_documents, schema, library)


def _rows(scored: Evaluation | DocumentScores) -> Iterator[dict[str, Value]]:
    for name, score in scored.scores.items():
        for metric, values in score_rows(name, score):
            undefined = values.get("undefined")
            names = map(str, undefined) if isinstance(undefined, list) else ()
            yield {**values, "metric": metric, "undefined": ", ".join(names)}
    if scored.conll is not None:
        yield {"metric": "conll", "f1": scored.conll, "undefined": ""}
