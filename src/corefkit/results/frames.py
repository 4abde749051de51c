"""Results as data frames of pandas or Polars, if one of them is installed.

A frame always has the same columns of the same types: numbers are numbers, and unknown
values are missing. The last column is the signature, if there is one.
"""

from __future__ import annotations

from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from corefkit.exceptions import CorefkitError
from corefkit.results.records import SCORE_FIELDS, iter_score_rows
from corefkit.settings import check_known

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from corefkit.evaluation import Evaluation
    from corefkit.metrics.scores import DocumentScores
    from corefkit.results.records import Value

# The type of a column. Texts and numbers can be missing, counts only if they are
# `count, if known`.
Kind: TypeAlias = Literal["text", "number", "count", "count, if known", "truth"]
Schema: TypeAlias = "Mapping[str, Kind]"
Rows: TypeAlias = "Iterable[Mapping[str, Value]]"

_LIBRARIES = {"pandas": "pandas", "polars": "Polars"}
# Lone surrogates, which no frame supports, are escaped.
_CONVERTERS: dict[Kind, Callable[[Any], Value]] = {
    "text": lambda text: text.encode("utf-8", "backslashreplace").decode("utf-8"),
    "number": float,
    "count": int,
    "count, if known": int,
    "truth": bool,
}
_SCORE_SCHEMA: Schema = {
    "metric": "text",
    # Counts can be fractions: B³ adds up shares of mentions.
    **dict.fromkeys(SCORE_FIELDS, "number"),
    "undefined": "text",
    "signature": "text",
}


def make_frame(rows: Rows, schema: Schema, library: str | None = None) -> Any:
    """Make a data frame with the columns of a schema; absent values are missing."""
    name = _choose_library(library)
    all_rows = list(rows)
    columns = {
        column: [
            None if row.get(column) is None else _CONVERTERS[kind](row[column])
            for row in all_rows
        ]
        for column, kind in schema.items()
    }
    module = import_module(name)
    types = _list_types(module)
    values_name = "data" if name == "pandas" else "values"
    series = {
        column: module.Series(
            name=column, dtype=types[kind], **{values_name: columns[column]}
        )
        for column, kind in schema.items()
    }
    return module.DataFrame(series)


def _list_types(module: Any) -> dict[Kind, Any]:
    if module.__name__ == "polars":
        return {
            "text": module.String,
            "number": module.Float64,
            "count": module.Int64,
            "count, if known": module.Int64,
            "truth": module.Boolean,
        }
    return {
        # Before version 3, texts were objects.
        "text": "object" if int(module.__version__.partition(".")[0]) < 3 else "str",
        "number": "float64",
        "count": "int64",
        "count, if known": "Int64",
        "truth": "bool",
    }


def _choose_library(library: str | None) -> str:
    if library is not None:
        expected = f"expected {' or '.join(_LIBRARIES)}"
        check_known(library, _LIBRARIES, f"unknown library {library!r}, {expected}")
    candidates = [*_LIBRARIES] if library is None else [library]
    for name in candidates:
        try:
            import_module(name)
        except ImportError:
            continue
        return name
    hint = " or ".join(f'pip install "corefkit[{name}]"' for name in candidates)
    message = f"{_LIBRARIES[candidates[0]]} is not installed"
    if library is None:
        message = "data frames require pandas or Polars, and neither is installed"
        hint += "; `to_records()` returns the rows without"
    raise CorefkitError(message, code="environment/missing-package", hint=hint)


def make_evaluation_frame(
    result: Evaluation, *, per_document: bool = False, library: str | None = None
) -> Any:
    """Make a frame of the scores of a response.

    BLANC's two kinds of links and the CoNLL score, which is an F1 only, have their own
    rows. So do classes, without documents.
    """
    schema: dict[str, Kind] = {"response": "text"}
    if per_document:
        schema |= {"document": "text", "missing": "truth"}
    has_classes = bool(result.classes) and not per_document
    if has_classes:
        schema |= {"class": "text"}
    schema |= _SCORE_SCHEMA
    missing = set(result.missing)
    ends: dict[str, Value] = {
        "response": result.response,
        "signature": result.signature,
    }
    rows: Iterable[dict[str, Value]] = _iter_rows(result)
    if per_document:
        rows = (
            row
            | {"document": document.document, "missing": document.document in missing}
            for document in result.per_document
            for row in _iter_rows(document)
        )
    elif has_classes:
        rows = chain(
            rows,
            (
                row | {"class": name, "signature": part.signature}
                for name, part in result.classes.items()
                for row in _iter_rows(part)
            ),
        )
    return make_frame((ends | row for row in rows), schema, library)


def _iter_rows(scored: Evaluation | DocumentScores) -> Iterator[dict[str, Value]]:
    for name, score in scored.scores.items():
        for metric, values in iter_score_rows(name, score):
            undefined = values.get("undefined")
            ratios = map(str, undefined) if isinstance(undefined, list) else ()
            yield {**values, "metric": metric, "undefined": ", ".join(ratios)}
    if scored.conll is not None:
        yield {"metric": "conll", "f1": scored.conll, "undefined": ""}
