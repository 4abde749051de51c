"""Counts of every document as a Parquet table, to be kept, asked and compared.

A row is a document of a response, a column one of the counts of a metric, as in
`muc.recall_numerator`. What the counts were made with stands in the file's metadata, so
that `corefkit compare` reads such a table as it reads stored scores.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.corpus.declaration import NOTHING_DECLARED, Declaration
from corefkit.evaluation import Evaluation
from corefkit.exceptions import FormatError, SettingsError, quoted
from corefkit.formats.placing import replacing
from corefkit.formats.tables.frames import pyarrow, refusing
from corefkit.metrics import chosen_metrics, known_metrics
from corefkit.metrics.base import COUNTS
from corefkit.settings import VERSION, Settings

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from corefkit.metrics.base import Metric

_HEADER = b"corefkit"
_MAGIC = b"PAR1"
_PRINT = "print"
_PRINTS = 6


def write_counts(
    evaluations: Sequence[Evaluation], path: str | os.PathLike[str]
) -> None:
    """Write the counts of some responses to a Parquet file.

    The file is replaced only when all of it is written.

    >>> import tempfile
    >>> from pathlib import Path
    >>> import corefkit
    >>> result = corefkit.score({"d": ["abc"]}, {"d": ["ab"]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "counts.parquet"
    ...     write_counts([result], file)
    ...     (kept,) = read_counts(file)
    >>> kept.scores == result.scores, kept.corpus == result.corpus
    (True, True)
    """
    arrow, parquet = pyarrow(str(path)), pyarrow(str(path), "parquet")
    known = {metric.name: metric for metric in known_metrics()}
    for evaluation in evaluations:
        for metric in evaluation.metrics:
            if known.get(metric.name) != metric:
                message = f"{quoted(metric.name)} is no metric of corefkit's own"
                hint = "its counts could not be scored again: leave it out"
                raise SettingsError(message, hint=hint)
    parts = [
        arrow.table(_columns(number, evaluation))
        for number, evaluation in enumerate(evaluations)
    ]
    table = arrow.concat_tables(parts, promote_options="default")
    said = {"corefkit": VERSION, "systems": [*map(_said, evaluations)]}
    table = table.replace_schema_metadata({_HEADER: json.dumps(said)})
    with replacing(path) as unfinished:
        parquet.write_table(table, unfinished)


def _columns(number: int, evaluation: Evaluation) -> dict[str, Any]:
    missing = set(evaluation.missing)
    columns: dict[str, Any] = {
        "response": np.full(len(evaluation.documents), number, np.int32),
        "document": list(evaluation.documents),
        "missing": [name in missing for name in evaluation.documents],
    }
    for at in range(_PRINTS):
        columns[f"{_PRINT}.{at}"] = np.ascontiguousarray(evaluation.prints[:, at])
    for metric in evaluation.metrics:
        counts = evaluation.counts[metric.name]
        for at, name in enumerate(_names(metric.name, counts.shape[1])):
            columns[name] = np.ascontiguousarray(counts[:, at])
    return columns


def _names(metric: str, width: int) -> list[str]:
    names = COUNTS if width == len(COUNTS) else [f"count_{at}" for at in range(width)]
    return [f"{metric}.{name}" for name in names]


def _said(evaluation: Evaluation) -> dict[str, Any]:
    widths = {name: counts.shape[1] for name, counts in evaluation.counts.items()}
    return {
        "key": evaluation.key,
        "response": evaluation.response,
        "signature": evaluation.signature,
        "settings": evaluation.changed,
        "metrics": {metric.name: widths[metric.name] for metric in evaluation.metrics},
        "notes": list(evaluation.notes),
        "warnings": list(evaluation.warnings),
        "declared": evaluation.declared.to_dict(),
    }


def is_counts(path: str | os.PathLike[str]) -> bool:
    """Say whether a file is a table of counts.

    >>> from corefkit.example import paths
    >>> is_counts(paths()[0])
    False
    """
    file = Path(path)
    if str(path) == "-" or not file.is_file():
        return False
    with file.open("rb") as content:
        if content.read(len(_MAGIC)) != _MAGIC:
            return False
    with refusing(str(path)):
        metadata = pyarrow(str(path), "parquet").read_schema(path).metadata
    return _HEADER in (metadata or {})


def read_counts(
    path: str | os.PathLike[str], *, name: str | None = None
) -> list[Evaluation]:
    """Read the results of a table of counts, one for each response.

    They are called by `name`, or else by the file; of several, the response's name
    follows.
    """
    place = str(path)
    with refusing(place):
        table = pyarrow(place, "parquet").read_table(path)
    try:
        said = json.loads(table.schema.metadata[_HEADER])["systems"]
        numbers = table.column("response").to_numpy()
        called = place if name is None else name
        return [
            _evaluation(
                table.filter(numbers == number),
                one,
                called if len(said) == 1 else f"{called}:{Path(one['response']).name}",
            )
            for number, one in enumerate(said)
        ]
    except (KeyError, TypeError, ValueError) as error:
        message = "has no counts, expected what `corefkit score --counts` writes"
        raise FormatError(message, place=place) from error


def _evaluation(table: Any, said: Mapping[str, Any], name: str) -> Evaluation:
    metrics: tuple[Metric, ...] = chosen_metrics(list(said["metrics"]))
    documents = tuple(table.column("document").to_pylist())
    missing = zip(documents, table.column("missing").to_pylist(), strict=True)
    return Evaluation(
        said["key"],
        name,
        Settings(**said["settings"]),
        metrics,
        documents,
        {
            metric: np.column_stack(
                [table.column(each).to_numpy() for each in _names(metric, width)]
            )
            for metric, width in said["metrics"].items()
        },
        notes=tuple(said["notes"]),
        key_read=[
            np.column_stack(
                [table.column(f"{_PRINT}.{at}").to_numpy() for at in range(_PRINTS)]
            )
        ],
        declared=Declaration.from_dict(said["declared"])
        if said["declared"]
        else NOTHING_DECLARED,
        warnings=tuple(said["warnings"]),
        missing=tuple(document for document, lacks in missing if lacks),
    )
