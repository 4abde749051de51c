"""Results as data frames of pandas or Polars, if one of them is installed.

A frame always has the same columns of the same types: numbers are numbers, and unknown
values are missing. The last column is the signature, if there is one.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.results.records import SCORE_FIELDS, iter_score_rows
from corefkit.strings import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

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
    """Make a data frame of rows.

    Args:
        rows: the values of each row by column; absent values are missing.
        schema: the type of each column, in order.
        library: `pandas` or `polars`; by default pandas, or Polars without it.

    Raises:
        CorefkitError: the library is not installed.
        SettingsError: the library is unknown.

    >>> rows = [{"metric": "muc", "f1": 1}, {"metric": "lea"}]
    >>> frame = make_frame(rows, {"metric": "text", "f1": "number"})
    >>> frame["f1"].to_list()
    [1.0, nan]
    """
    name = _choose_library(library)
    all_rows = list(rows)
    columns = {
        column: [
            None if row.get(column) is None else _CONVERTERS[kind](row[column])
            for row in all_rows
        ]
        for column, kind in schema.items()
    }
    make = _make_pandas_frame if name == "pandas" else _make_polars_frame
    return make(import_module(name), columns, schema)


def _make_pandas_frame(
    pandas: Any, columns: Mapping[str, Sequence[Value]], schema: Schema
) -> Any:
    # Before version 3, texts were objects.
    text = "object" if int(pandas.__version__.partition(".")[0]) < 3 else "str"
    types: dict[Kind, str] = {
        "text": text,
        "number": "float64",
        "count": "int64",
        "count, if known": "Int64",
        "truth": "bool",
    }
    series = {
        name: pandas.Series(values, dtype=types[schema[name]])
        for name, values in columns.items()
    }
    return pandas.DataFrame(series, columns=[*columns])


def _make_polars_frame(
    polars: Any, columns: Mapping[str, Sequence[Value]], schema: Schema
) -> Any:
    types: dict[Kind, Any] = {
        "text": polars.String,
        "number": polars.Float64,
        "count": polars.Int64,
        "count, if known": polars.Int64,
        "truth": polars.Boolean,
    }
    return polars.DataFrame(
        [
            polars.Series(name, values, dtype=types[schema[name]])
            for name, values in columns.items()
        ]
    )


def _is_installed(library: str) -> bool:
    try:
        import_module(library)
    except ImportError:
        return False
    return True


def _choose_library(library: str | None) -> str:
    """Return the requested library, or the first one that is installed."""
    commands = {name: f'pip install "corefkit[{name}]"' for name in _LIBRARIES}
    if library is None:
        for name in _LIBRARIES:
            if _is_installed(name):
                return name
        message = "data frames require pandas or Polars, and neither is installed"
        hint = (
            f"{' or '.join(commands.values())}; `to_records()` returns the rows without"
        )
        raise CorefkitError(message, code="environment/missing-package", hint=hint)
    if library not in _LIBRARIES:
        message = f"unknown library {library!r}, expected {' or '.join(_LIBRARIES)}"
        raise SettingsError(
            message, code="settings/unknown-value", hint=suggest(library, _LIBRARIES)
        )
    if not _is_installed(library):
        message = f"{_LIBRARIES[library]} is not installed"
        raise CorefkitError(
            message, code="environment/missing-package", hint=commands[library]
        )
    return library


def make_evaluation_frame(
    result: Evaluation, *, per_document: bool = False, library: str | None = None
) -> Any:
    """Make a frame of the scores of a response.

    BLANC's two kinds of links and the CoNLL score, which is an F1 only, have their own
    rows.
    """
    schema: dict[str, Kind] = {"response": "text"}
    if per_document:
        schema |= {"document": "text", "missing": "truth"}
    schema |= _SCORE_SCHEMA
    ends: dict[str, Value] = {
        "response": result.response,
        "signature": result.signature,
    }
    if not per_document:
        rows = (row | ends for row in _iter_rows(result))
        return make_frame(rows, schema, library)
    missing = set(result.missing)
    document_rows = (
        row
        | {"document": document.document, "missing": document.document in missing}
        | ends
        for document in result.per_document
        for row in _iter_rows(document)
    )
    return make_frame(document_rows, schema, library)


def _iter_rows(scored: Evaluation | DocumentScores) -> Iterator[dict[str, Value]]:
    for name, score in scored.scores.items():
        for metric, values in iter_score_rows(name, score):
            undefined = values.get("undefined")
            ratios = map(str, undefined) if isinstance(undefined, list) else ()
            yield {**values, "metric": metric, "undefined": ", ".join(ratios)}
    if scored.conll is not None:
        yield {"metric": "conll", "f1": scored.conll, "undefined": ""}
