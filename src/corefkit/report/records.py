"""Results for programs: plain values, and JSON and CSV written from them."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, cast

from corefkit.metrics.base import COUNTS
from corefkit.report.scores import has_values
from corefkit.settings import VERSION
from corefkit.strings.escaping import for_csv

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.exceptions import Refused
    from corefkit.metrics.base import Score
    from corefkit.report.ranking import Ranking
    from corefkit.report.stored import Scored

Value = str | int | float | None | list["Value"] | dict[str, "Value"]


def json_text(
    results: Sequence[Scored],
    *,
    per_document: bool = False,
    ranking: Ranking | None = None,
    refused: Sequence[Refused] = (),
) -> str:
    """Write the JSON of one or more results.

    >>> import corefkit
    >>> print(json_text([corefkit.score(["ab"], ["ab"], metrics=["muc"])]))
    ... # doctest: +ELLIPSIS
    {
      "corefkit": "0.1.0",
      "signature": "corefkit:0.1.0|match:exact|...
    """
    values = json_values(results, per_document=per_document)
    if ranking is not None:
        values["sort"] = str(ranking.order)
        systems = cast("list[dict[str, Value]]", values["systems"])
        for system, rank in zip(systems, ranking.ranks, strict=True):
            system |= {} if rank is None else {"rank": rank}
    if refused:
        values["refused"] = [
            {"response": one.response, "reason": one.reason} for one in refused
        ]
    return readable_json(values)


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


def csv_text(
    results: Sequence[Scored],
    *,
    per_document: bool = False,
    ranking: Ranking | None = None,
    refused: Sequence[Refused] = (),
) -> str:
    """Write a row for each response and metric, and for each document if asked to.

    BLANC's two kinds of links have rows of their own, and so has the CoNLL score. There
    is a column `value` where a metric has one, as ACE-value has. Columns behind the
    signature have the rank of results that were ranked, and the reason why responses
    were refused, which have a row each.
    """
    ranks = ranking.ranks if ranking is not None and any(ranking.ranks) else ()
    more = ["rank"] * bool(ranks) + ["refused"] * bool(refused)
    fields = ["recall", "precision", "f1", *(["value"] * has_values(results)), *COUNTS]
    names = ["response", *(["document"] * per_document), "metric"]
    rows: list[list[Value]] = [[*names, *fields, "signature", *more]]
    for at, result in enumerate(results):
        behind: list[Value] = [ranks[at]] if ranks else []
        behind += [""] * bool(refused)
        own = _every_row(result, fields, per_document=per_document)
        rows += [[*row, *behind] for row in own]
    for one in refused:
        empty: list[Value] = [""] * (len(rows[0]) - 2)
        rows.append([one.response, *empty, one.reason])
    return csv_rows(rows)


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
    result: Scored, fields: Sequence[str], *, per_document: bool
) -> Iterator[list[Value]]:
    """Go through the rows of a response: all its documents together, then each."""
    of_documents = result.per_document if per_document else ()
    for document, scored in [
        ("", result),
        *((row.document, row) for row in of_documents),
    ]:
        names = [result.response, *([document] * per_document)]
        for name, score in scored.scores.items():
            for metric, values in score_rows(name, score):
                cells = [values.get(field, "") for field in fields]
                yield [*names, metric, *cells, result.signature]
        if scored.conll is not None:
            cells = [scored.conll if field == "f1" else "" for field in fields]
            yield [*names, "conll", *cells, result.signature]


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
    first, *_ = results
    systems: list[Value] = []
    for result in results:
        system = _system(result, per_document=per_document)
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


def _settings(result: Scored) -> Value:
    return None if result.changed is None else {**result.changed}


def _system(result: Scored, *, per_document: bool) -> dict[str, Value]:
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
    if per_document:
        missing = set(result.missing)
        system["per_document"] = [
            {
                "document": row.document,
                **({"missing": True} if row.document in missing else {}),
                "scores": {
                    name: score_values(score) | _whole_row(score)
                    for name, score in row.scores.items()
                },
                **({} if row.conll is None else {"conll": row.conll}),
            }
            for row in result.per_document
        ]
    return system


def _all_scores(scores: Mapping[str, Score]) -> dict[str, Value]:
    return {name: score_values(score) for name, score in scores.items()}


def _whole_row(score: Score) -> dict[str, Value]:
    """Keep the counts of a document that comparing adds up, beyond the usual four."""
    return {"counts": list(map(_plain, score.counts))} if score.counts else {}


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
