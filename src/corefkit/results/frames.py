"""Results as data frames of pandas or Polars, if one of them is installed.

A frame always has the same columns of the same types: numbers are numbers, and unknown
values are missing. Every frame ends with the signature, if there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.metrics.metric import COUNTS
from corefkit.results.records import iter_score_rows
from corefkit.strings import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.evaluation import Evaluation
    from corefkit.metrics.scores import DocumentScores
    from corefkit.results.records import Value

# What a column holds: words, numbers, whole numbers, yes or no. Texts and numbers can
# be missing, counts only where they are kept as `count, if known`.
Kind: TypeAlias = Literal["text", "number", "count", "count, if known", "truth"]
Schema: TypeAlias = "Mapping[str, Kind]"
Rows: TypeAlias = "Iterable[Mapping[str, Value]]"


def make_frame(rows: Rows, schema: Schema, library: str | None = None) -> Any:
    """Make a data frame of rows; the schema has its columns, in order.

    Args:
        rows: the values of each row by column; one that it lacks is missing.
        schema: what each column holds.
        library: `pandas` or `polars`; None for pandas, or Polars without it.

    Raises:
        CorefkitError: the library is not installed.
        SettingsError: the library is unknown.

    >>> rows = [{"metric": "muc", "f1": 1}, {"metric": "lea"}]
    >>> frame = make_frame(rows, {"metric": "text", "f1": "number"})
    >>> frame["f1"].to_list()
    [1.0, nan]
    """
    chosen = _chosen(library)
    all_rows = list(rows)
    columns: dict[str, list[Value]] = {
        name: [_storable(row.get(name), kind) for row in all_rows]
        for name, kind in schema.items()
    }
    return chosen.make(import_module(chosen.name), columns, schema)


# Halves of characters, which no frame can hold, are written as their numbers.
_PYTHON: dict[Kind, Callable[[Any], Value]] = {
    "text": lambda text: text.encode("utf-8", "backslashreplace").decode("utf-8"),
    "number": float,
    "count": int,
    "count, if known": int,
    "truth": bool,
}


def _storable(value: Value, kind: Kind) -> Value:
    """Make a value one of its kind, unless it is missing."""
    return None if value is None else _PYTHON[kind](value)


def _pandas(pandas: Any, columns: Mapping[str, Sequence[Value]], schema: Schema) -> Any:
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


def _polars(polars: Any, columns: Mapping[str, Sequence[Value]], schema: Schema) -> Any:
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


@dataclass(frozen=True, slots=True)
class _Library:
    """A library that has data frames."""

    name: str
    label: str
    make: Callable[[Any, Mapping[str, Sequence[Value]], Schema], Any]

    @property
    def is_installed(self) -> bool:
        """Whether it can be imported."""
        try:
            import_module(self.name)
        except ImportError:
            return False
        return True

    @property
    def how_to_get_it(self) -> str:
        """What to type to install it."""
        return f'pip install "corefkit[{self.name}]"'


_LIBRARIES = {
    one.name: one
    for one in (
        _Library("pandas", "pandas", _pandas),
        _Library("polars", "Polars", _polars),
    )
}


def _chosen(library: str | None) -> _Library:
    """Find the library that was asked for, or else one that is installed."""
    if library is None:
        for one in _LIBRARIES.values():
            if one.is_installed:
                return one
        message = "data frames need pandas or Polars, and neither is installed"
        ways = [one.how_to_get_it for one in _LIBRARIES.values()]
        hint = f"{' or '.join(ways)}; `to_records()` gives the rows without them"
        raise CorefkitError(message, code="environment/missing-package", hint=hint)
    if library not in _LIBRARIES:
        message = f"no library {library!r}, expected {' or '.join(_LIBRARIES)}"
        raise SettingsError(
            message, code="settings/unknown-value", hint=suggest(library, _LIBRARIES)
        )
    found = _LIBRARIES[library]
    if not found.is_installed:
        message = f"{found.label} is not installed"
        raise CorefkitError(
            message, code="environment/missing-package", hint=found.how_to_get_it
        )
    return found


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


def make_evaluation_frame(
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
        return make_frame(rows, schema, library)
    missing = set(result.missing)
    of_documents = (
        row | {"document": one.document, "missing": one.document in missing} | ends
        for one in result.per_document
        for row in _rows(one)
    )
    return make_frame(of_documents, schema, library)


def _rows(scored: Evaluation | DocumentScores) -> Iterator[dict[str, Value]]:
    for name, score in scored.scores.items():
        for metric, values in iter_score_rows(name, score):
            undefined = values.get("undefined")
            names = map(str, undefined) if isinstance(undefined, list) else ()
            yield {**values, "metric": metric, "undefined": ", ".join(names)}
    if scored.conll is not None:
        yield {"metric": "conll", "f1": scored.conll, "undefined": ""}
