"""Results for programs: JSON and CSV, written from values and not from pages."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

from corefkit.metrics.base import COUNTS
from corefkit.report.values import has_values, json_values, score_values
from corefkit.strings.escaping import for_csv

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.metrics.base import Score
    from corefkit.report.scored import Scored
    from corefkit.report.values import Value


def json_text(results: Sequence[Scored], *, per_document: bool = False) -> str:
    """Write the JSON of one or more results.

    >>> import corefkit
    >>> print(json_text([corefkit.score(["ab"], ["ab"], metrics=["muc"])]))
    ... # doctest: +ELLIPSIS
    {
      "corefkit": "0.1.0",
      "signature": "corefkit:0.1.0|match:exact|...
    """
    values = json_values(results, per_document=per_document)
    return readable_json(values)


def readable_json(value: object) -> str:
    r"""Write JSON that people can read too: what cannot be seen stands as its number.

    >>> readable_json("été \u202e")
    '"été \\u202e"'
    """
    lines = json.dumps(value, indent=2, ensure_ascii=False).split("\n")
    return "\n".join(
        line
        if line.isprintable()
        else "".join(
            letter if letter.isprintable() else _number(letter) for letter in line
        )
        for line in lines
    )


def _number(letter: str) -> str:
    # Letters beyond the first 65,536 have two numbers, which Python's JSON knows.
    return json.dumps(letter)[1:-1] if letter != "\x7f" else r"\u007f"


def csv_text(results: Sequence[Scored], *, per_document: bool = False) -> str:
    """Write a row for each response and metric, and for each document if asked to.

    BLANC's two kinds of links have rows of their own, and so has the CoNLL score. There
    is a column `value` where a metric has one, as ACE-value has.
    """
    return csv_rows(_every_row(results, per_document=per_document))


def csv_rows(rows: Iterable[Sequence[Value]]) -> str:
    """Write rows as CSV; a spreadsheet cannot take a text for a formula.

    >>> print(csv_rows([("=cmd()", -0.5), ("a,b", 1)]))
    '=cmd(),-0.5
    "a,b",1
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [for_csv(cell) if isinstance(cell, str) else cell for cell in row]
        for row in rows
    )
    return text.getvalue().removesuffix("\n")


def _every_row(
    results: Sequence[Scored], *, per_document: bool
) -> Iterator[list[Value]]:
    fields = ["recall", "precision", "f1", *(["value"] * has_values(results)), *COUNTS]
    header: list[Value] = ["response", *(["document"] * per_document), "metric"]
    yield [*header, *fields, "signature"]
    for result in results:
        names = (result.response, "") if per_document else (result.response,)
        rows = [(names, name, score) for name, score in result.scores.items()]
        if per_document:
            rows += [
                ((result.response, row.document), name, score)
                for row in result.per_document
                for name, score in row.scores.items()
            ]
        for row_names, name, score in rows:
            for metric, values in _rows(name, score):
                cells = [values.get(field, "") for field in fields]
                yield [*row_names, metric, *cells, result.signature]
        if result.conll is not None:
            cells = [result.conll if field == "f1" else "" for field in fields]
            yield [*names, "conll", *cells, result.signature]


def _rows(name: str, score: Score) -> Iterator[tuple[str, dict[str, Value]]]:
    yield name, score_values(score)
    for kind in ("coreference", "non_coreference"):
        half: Score | None = getattr(score, kind)
        if half is not None:
            yield from _rows(f"{name}_{kind}", half)
