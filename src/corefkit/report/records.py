"""Results as plain values, and how JSON and CSV are written."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, cast

from corefkit.metrics.base import COUNTS
from corefkit.settings import VERSION
from corefkit.strings.escaping import for_csv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.metrics.base import Score
    from corefkit.report.stored import Scored

Value = str | int | float | None | list["Value"] | dict[str, "Value"]
"""What JSON can hold: text, a number, None, or a list or dictionary of these."""


def readable_json(value: object, *, levels: int | None = None) -> str:
    r"""Write JSON that people can read too: what cannot be seen stands as its number.

    What is nested deeper than some levels, if they are given, stands on one line.

    >>> readable_json("été \u202e")
    '"été \\u202e"'
    >>> print(readable_json({"spans": [[0, 1], [3, 3]]}, levels=2))
    {
      "spans": [
        [0, 1],
        [3, 3]
      ]
    }
    """
    if levels is None:
        lines = json.dumps(value, indent=2, ensure_ascii=False).split("\n")
    else:
        lines = _indented(value, levels).split("\n")
    return "\n".join(
        line
        if line.isprintable()
        else "".join(
            letter if letter.isprintable() else _number(letter) for letter in line
        )
        for line in lines
    )


def _indented(value: object, levels: int, indent: str = "\n") -> str:
    """Write JSON with some levels indented; the rest is written much faster."""
    is_object = isinstance(value, dict)
    if not value or not levels or not (is_object or isinstance(value, list)):
        return json.dumps(value, ensure_ascii=False)
    inner = indent + "  "
    if isinstance(value, dict):
        items = [
            f"{json.dumps(str(name), ensure_ascii=False)}: "
            f"{_indented(item, levels - 1, inner)}"
            for name, item in value.items()
        ]
        return f"{{{inner}{f',{inner}'.join(items)}{indent}}}"
    items = [_indented(item, levels - 1, inner) for item in cast("list[object]", value)]
    return f"[{inner}{f',{inner}'.join(items)}{indent}]"


def _number(letter: str) -> str:
    # Letters beyond the first 65,536 have two numbers, which Python's JSON knows.
    return json.dumps(letter)[1:-1] if letter != "\x7f" else r"\u007f"


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


def score_rows(name: str, score: Score) -> Iterator[tuple[str, dict[str, Value]]]:
    """Go through the rows of a metric: its own, and those of BLANC's kinds of links."""
    yield name, score_values(score)
    for kind in ("coreference", "non_coreference"):
        half: Score | None = getattr(score, kind)
        if half is not None:
            yield from score_rows(f"{name}_{kind}", half)


def json_values(
    results: Sequence[Scored], *, per_document: bool = False
) -> dict[str, Value]:
    """Return the JSON of one or more results, as plain values.

    The first one's key, signature and settings that are not the default stand above
    all; a system of another key or signature, which only stored results bring along,
    has its own too.
    """
    return result_values(results, _document_list if per_document else None)


def result_values(
    results: Sequence[Scored], documents: Callable[[Scored], Value] | None
) -> dict[str, Value]:
    """Return the values likewise; those of documents are made as asked for."""
    first, *_ = results
    systems: list[Value] = []
    for result in results:
        system = _system(result, documents)
        if (result.key, result.signature) != (first.key, first.signature):
            system |= {"key": result.key, "signature": result.signature}
            if result.changed or first.changed:
                system["settings"] = _settings(result)
        systems.append(system)
    settings = {"settings": _settings(first)} if first.changed else {}
    return {
        "corefkit": VERSION,
        "signature": first.signature,
        **settings,
        "key": first.key,
        "systems": systems,
    }


def _document_list(result: Scored) -> Value:
    missing = set(result.missing)
    return [
        {
            "document": row.document,
            **({"missing": True} if row.document in missing else {}),
            "scores": {
                name: document_score_values(score) for name, score in row.scores.items()
            },
            **({} if row.conll is None else {"conll": row.conll}),
        }
        for row in result.per_document
    ]


def _settings(result: Scored) -> Value:
    return None if result.changed is None else {**result.changed}


def _system(
    result: Scored, documents: Callable[[Scored], Value] | None
) -> dict[str, Value]:
    """Return one response's part of the JSON."""
    system: dict[str, Value] = {
        "response": result.response,
        "documents": result.document_count,
        "corpus": cast("Value", result.corpus.to_dict()),
        "scores": _all_scores(result.scores),
    }
    if result.conll is not None:
        system["conll"] = result.conll
    if result.notes:
        system["notes"] = list(result.notes)
    if result.warnings:
        system["warnings"] = list(result.warnings)
    if documents is not None:
        system["per_document"] = documents(result)
    return system


def _all_scores(scores: Mapping[str, Score]) -> dict[str, Value]:
    return {name: score_values(score) for name, score in scores.items()}


def document_score_values(score: Score) -> dict[str, Value]:
    """Return the score of a document, with what comparing adds up beyond the counts."""
    whole: Value = list(map(_plain, score.counts))
    return score_values(score) | ({"counts": whole} if score.counts else {})


def _plain(count: float) -> Value:
    return int(count) if count == int(count) else count


def score_values(score: Score) -> dict[str, Value]:
    """Return a score as plain values; counts that are whole numbers are integers."""
    values: dict[str, Value] = {
        "recall": score.recall,
        "precision": score.precision,
        "f1": score.f1,
    }
    if score.value is not None:
        values["value"] = score.value
    if score.coreference is not None and score.non_coreference is not None:
        values["coreference"] = score_values(score.coreference)
        values["non_coreference"] = score_values(score.non_coreference)
    else:
        for name in COUNTS:
            values[name] = _plain(getattr(score, name))
    if score.undefined:
        values["undefined"] = list(score.undefined)
    return values


def record(response: str, metric: str, score: Score) -> dict[str, Value]:
    """Return a score of a response as one flat record."""
    values: dict[str, Value] = {"response": response, "metric": metric}
    for column, value in score_values(score).items():
        if isinstance(value, dict):
            value.pop("undefined", None)
            values |= {f"{column}_{part}": number for part, number in value.items()}
        elif column != "undefined":
            values[column] = value
    return values
