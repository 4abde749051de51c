"""Results for programs: plain values, JSON and CSV.

The scores of many documents are a long text, so JSON and CSV are written in pieces:
neither the values nor the text of all documents are in memory at once.
"""

from __future__ import annotations

import csv
import io
import json
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar, cast

from corefkit.evaluation import Evaluation
from corefkit.formats.output import replace_file
from corefkit.metrics.metric import COUNTS
from corefkit.metrics.scores import DocumentScores
from corefkit.results.score_table import has_values
from corefkit.settings import VERSION
from corefkit.strings import escape_csv

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.exceptions import Refused
    from corefkit.metrics.metric import Score
    from corefkit.results.score_table import Ranking
    from corefkit.results.stored_results import Scored

Value = str | int | float | None | list["Value"] | dict[str, "Value"]
"""A JSON value: text, a number, None, or a list or dictionary of these."""

RATIO_FIELDS = ("recall", "precision", "f1")
SCORE_FIELDS = (*RATIO_FIELDS, "value", *COUNTS)
LINK_FIELDS = ("coreference", "non_coreference")  # BLANC's two kinds of links
_DOCUMENTS_PER_PIECE = 256
_LINES_PER_PIECE = 2048
_MAX_CACHED = 1 << 14
_DOCUMENTS_KEY = '"per_document": '
_PLACEHOLDER = "\0"  # JSON escapes it
_Text = TypeVar("_Text")


def format_json(value: object, *, levels: int | None = None) -> str:
    """Format readable JSON; values nested deeper than `levels` are on one line."""
    if levels is None:
        text = json.dumps(value, indent=2, ensure_ascii=False)
    else:
        text = _indent_json(value, levels)
    return "\n".join(
        line if line.isprintable() else "".join(map(_escape_invisible, line))
        for line in text.split("\n")
    )


def _indent_json(value: object, levels: int, indent: str = "\n") -> str:
    """Indent some levels; the others are faster to write."""
    if not value or not levels or not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    inner = indent + "  "
    if isinstance(value, dict):
        items = [
            f"{json.dumps(str(name), ensure_ascii=False)}: "
            f"{_indent_json(item, levels - 1, inner)}"
            for name, item in value.items()
        ]
        return f"{{{inner}{f',{inner}'.join(items)}{indent}}}"
    items = [_indent_json(item, levels - 1, inner) for item in value]
    return f"[{inner}{f',{inner}'.join(items)}{indent}]"


def _escape_invisible(letter: str) -> str:
    if letter.isprintable():
        return letter
    # JSON escapes letters beyond the first 65,536 as two numbers.
    return json.dumps(letter)[1:-1] if letter != "\x7f" else r"\u007f"


def format_csv(rows: Iterable[Sequence[Value]]) -> str:
    """Format rows as CSV; texts that a spreadsheet takes for formulas are escaped."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [escape_csv(cell) if isinstance(cell, str) else cell for cell in row]
        for row in rows
    )
    return text.getvalue().removesuffix("\n")


def format_csv_records(records: Sequence[Mapping[str, Value]]) -> str:
    """Format records as CSV; columns are in the order in which records name them."""
    fields = [*dict.fromkeys(chain.from_iterable(records))]
    rows = ([record.get(field) for field in fields] for record in records)
    return format_csv([fields, *rows])


def iter_score_rows(name: str, score: Score) -> Iterator[tuple[str, dict[str, Value]]]:
    """Yield the rows of a metric: its own, and those of BLANC's kinds of links."""
    yield name, dump_score(score)
    for kind in LINK_FIELDS:
        links: Score | None = getattr(score, kind)
        if links is not None:
            yield from iter_score_rows(f"{name}_{kind}", links)


def dump_results(
    results: Sequence[Scored], *, per_document: bool = False
) -> dict[str, Value]:
    """Return the JSON of one or more results, as plain values.

    The first result's key, signature and changed settings apply to all.
    """
    documents = [[*_dump_documents(result)] for result in results if per_document]
    return _dump_with_documents(results, documents)


def _dump_with_documents(
    results: Sequence[Scored], documents: Sequence[object]
) -> dict[str, Value]:
    first, *_ = results
    systems: list[Value] = []
    for number, result in enumerate(results):
        system: dict[str, Value] = {
            "response": result.response,
            "documents": result.document_count,
            "corpus": cast("Value", result.corpus.to_dict()),
            "scores": {
                name: dump_score(score) for name, score in result.scores.items()
            },
        }
        if result.conll is not None:
            system["conll"] = result.conll
        if result.classes:
            system["by"] = _dump_classes(result.classes)
        if result.notes:
            system["notes"] = list(result.notes)
        if result.warnings:
            system["warnings"] = list(result.warnings)
        if isinstance(result, Evaluation) and result.drift:
            system["drift"] = [
                {"document": name, **counts} for name, counts in result.drift.items()
            ]
        if documents:
            system["per_document"] = cast("Value", documents[number])
        if (result.key, result.signature) != (first.key, first.signature):
            system |= {"key": result.key, "signature": result.signature}
            if result.changed or first.changed:
                changed = result.changed
                system["settings"] = None if changed is None else {**changed}
        systems.append(system)
    return {
        "corefkit": VERSION,
        "signature": first.signature,
        **({"settings": {**first.changed}} if first.changed else {}),
        "key": first.key,
        "systems": systems,
    }


def _dump_classes(classes: Mapping[str, Evaluation]) -> dict[str, Value]:
    first = next(iter(classes.values()))
    values: dict[str, Value] = {}
    for name, part in classes.items():
        scores: dict[str, Value] = {
            metric: dump_score(score) for metric, score in part.scores.items()
        }
        conll = {} if part.conll is None else {"conll": part.conll}
        values[name] = {"scores": scores, **conll}
    return {
        "class": first.settings.by,
        "rule": first.settings.by_rule,
        "signature": first.signature,
        "classes": values,
    }


def _dump_documents(result: Scored) -> Iterator[dict[str, Value]]:
    missing = set(result.missing)
    for row in result.per_document:
        values: dict[str, Value] = {"document": row.document}
        if row.document in missing:
            values["missing"] = True
        values["scores"] = {
            name: dump_document_score(score) for name, score in row.scores.items()
        }
        if row.conll is not None:
            values["conll"] = row.conll
        yield values


def dump_document_score(score: Score) -> dict[str, Value]:
    """Return the score of a document, with all counts that comparisons add up."""
    counts: list[Value] = list(map(_dump_count, score.counts))
    return dump_score(score) | ({"counts": counts} if score.counts else {})


def _dump_count(count: float) -> Value:
    return int(count) if count == int(count) else count


def dump_score(score: Score) -> dict[str, Value]:
    """Return a score as plain values; integral counts are integers."""
    values: dict[str, Value] = {name: getattr(score, name) for name in RATIO_FIELDS}
    if score.value is not None:
        values["value"] = score.value
    if score.coreference is not None and score.non_coreference is not None:
        for name in LINK_FIELDS:
            values[name] = dump_score(getattr(score, name))
    else:
        for name in COUNTS:
            values[name] = _dump_count(getattr(score, name))
    if score.undefined:
        values["undefined"] = list(score.undefined)
    return values


def flatten_score(response: str, metric: str, score: Score) -> dict[str, Value]:
    values: dict[str, Value] = {"response": response, "metric": metric}
    for column, value in dump_score(score).items():
        if isinstance(value, dict):
            value.pop("undefined", None)
            values |= {f"{column}_{part}": number for part, number in value.items()}
        elif column != "undefined":
            values[column] = value
    return values


def flatten_scores(
    result: Evaluation, *, prefix: str, separator: str
) -> dict[str, float]:
    """Return the numbers of each metric and the CoNLL score by name."""
    flat: dict[str, float] = {}
    for name, score in result.scores.items():
        flat |= {f"{name}_{part}": getattr(score, part) for part in RATIO_FIELDS}
        if score.value is not None:
            flat[f"{name}_value"] = score.value
    if result.conll is not None:
        flat["conll_f1"] = result.conll
    start = f"{prefix}{separator}" if prefix else ""
    return {f"{start}{name}": value for name, value in flat.items()}


def render_json(results: Sequence[Scored], **options: Any) -> str:
    return "".join(iter_json(results, **options))


def render_csv(results: Sequence[Scored], **options: Any) -> str:
    return "".join(iter_csv(results, **options))


def iter_json(
    results: Sequence[Scored],
    *,
    per_document: bool = False,
    ranking: Ranking | None = None,
    refused: Sequence[Refused] = (),
    runs: Mapping[str, Sequence[Scored]] | None = None,
) -> Iterator[str]:
    """Yield the JSON of one or more results in pieces."""
    placeholders = [_PLACEHOLDER] * len(results) if per_document else []
    values = _dump_with_documents(results, placeholders)
    if ranking is not None:
        systems = cast("list[dict[str, Value]]", values["systems"])
        values["sort"] = str(ranking.order)
        for system, rank in zip(systems, ranking.ranks, strict=True):
            system |= {} if rank is None else {"rank": rank}
    if refused:
        values["refused"] = [
            {"response": response.response, "reason": response.reason}
            for response in refused
        ]
    if runs:
        from corefkit.results.run_averages import dump_averages

        values["runs"] = dump_averages(runs)
    # Quotes in names are escaped, so no name has this text.
    placeholder = f"{_DOCUMENTS_KEY}{json.dumps(_PLACEHOLDER)}"
    start, *texts = format_json(values).split(placeholder)
    yield start
    indent = "\n" + " " * 8
    for result, text in zip(results, texts, strict=False):
        yield _DOCUMENTS_KEY
        documents = _iter_document_texts(result, indent)
        start = "["
        while block := list(islice(documents, _DOCUMENTS_PER_PIECE)):
            yield f"{start}{indent}{f',{indent}'.join(block)}"
            start = ","
        yield "[]" if start == "[" else f"{indent[:-2]}]"
        yield text


def _iter_document_texts(result: Scored, indent: str) -> Iterator[str]:
    missing = set(result.missing)
    inner, deep = f"{indent}  ", f"{indent}    "

    def write_score(name: str, score: Score) -> str:
        text = format_json(dump_document_score(score)).replace("\n", deep)
        return f"{format_json(name)}: {text}"

    get_text = _cache_texts(write_score)
    for row in result.per_document:
        fields = [f'"document": {format_json(row.document)}']
        if row.document in missing:
            fields.append('"missing": true')
        scores = [get_text(name, score) for name, score in row.scores.items()]
        scores_text = f"{{{deep}{f',{deep}'.join(scores)}{inner}}}" if scores else "{}"
        fields.append(f'"scores": {scores_text}')
        if row.conll is not None:
            fields.append(f'"conll": {format_json(row.conll)}')
        yield f"{{{inner}{f',{inner}'.join(fields)}{indent}}}"


def _cache_texts(write: Callable[[str, Score], _Text]) -> Callable[[str, Score], _Text]:
    """Cache the text of scores, which many documents may share."""
    entries: dict[tuple[str, int], tuple[Score, _Text]] = {}

    def get(name: str, score: Score) -> _Text:
        entry = entries.get((name, id(score)))
        if entry is None:
            if len(entries) >= _MAX_CACHED:
                entries.clear()
            # Holding the score keeps its id unique.
            entry = entries[name, id(score)] = score, write(name, score)
        return entry[1]

    return get


def iter_csv(
    results: Sequence[Scored],
    *,
    per_document: bool = False,
    ranking: Ranking | None = None,
    refused: Sequence[Refused] = (),
) -> Iterator[str]:
    """Yield a row for each response and metric, and optionally for each document.

    BLANC's two kinds of links and the CoNLL score have their own rows. Classes follow
    their response, and a column names them.
    """
    ranks = ranking.ranks if ranking is not None and any(ranking.ranks) else ()
    optional = ["rank"] * bool(ranks) + ["refused"] * bool(refused)
    has_value = has_values(results)
    fields = [field for field in SCORE_FIELDS if field != "value" or has_value]
    has_classes = any(result.classes for result in results)
    names = ["response", *(["class"] * has_classes)]
    names += [*(["document"] * per_document), "metric"]
    heads: list[Value] = [*names, *fields, "signature", *optional]
    yield format_csv([heads])
    for number, result in enumerate(results):
        end: list[Value] = [*([ranks[number]] if ranks else []), *[""] * bool(refused)]
        start: list[Value] = [result.response, *[""] * has_classes]
        lines = _iter_csv_lines(result, fields, (start, end), per_document=per_document)
        for name, part in result.classes.items():
            start = [result.response, name]
            of_class = _iter_csv_lines(
                part,
                fields,
                (start, end),
                per_document=per_document,
                has_documents=False,
            )
            lines = chain(lines, of_class)
        while block := list(islice(lines, _LINES_PER_PIECE)):
            yield "".join(f"\n{line}" for line in block)
    for response in refused:
        row: list[Value] = [response.response, *[""] * (len(heads) - 2)]
        yield "\n" + format_csv([[*row, response.reason]])


def _iter_csv_lines(
    result: Scored,
    fields: Sequence[str],
    ends: tuple[Sequence[Value], Sequence[Value]],
    *,
    per_document: bool,
    has_documents: bool = True,
) -> Iterator[str]:
    """Yield the lines of all metrics, and of the CoNLL score; then of each document.

    The ends are the cells before those of a document, and after the signature.
    """
    first, last = ends[0], [result.signature, *ends[1]]

    def write_score(name: str, score: Score) -> list[str]:
        return [
            write_row(metric, values) for metric, values in iter_score_rows(name, score)
        ]

    def write_row(metric: str, values: Mapping[str, Value]) -> str:
        return format_csv(
            [[metric, *(values.get(field, "") for field in fields), *last]]
        )

    get_lines = _cache_texts(write_score)
    scored: Iterable[Scored | DocumentScores] = [result]
    if per_document and has_documents:
        scored = chain(scored, result.per_document)
    for row in scored:
        document = row.document if isinstance(row, DocumentScores) else ""
        start = format_csv([[*first, *([document] * per_document)]])
        for name, score in row.scores.items():
            for line in get_lines(name, score):
                yield f"{start},{line}"
        if row.conll is not None:
            yield f"{start},{write_row('conll', {'f1': row.conll})}"


def save_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text; the file is replaced only after everything is written."""
    with replace_file(path) as unfinished:
        unfinished.write_text(text, "utf-8", newline="\n")
