"""Results for programs: plain values, JSON and CSV.

The scores of many documents are a long text, so JSON and CSV are written in pieces:
neither their values nor their text are ever in memory as a whole.
"""

from __future__ import annotations

import csv
import io
import json
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from corefkit.formats.output import replace_file
from corefkit.metrics.metric import COUNTS
from corefkit.results.score_table import has_values
from corefkit.settings import VERSION
from corefkit.strings import escape_csv

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.evaluation import Evaluation
    from corefkit.exceptions import Refused
    from corefkit.metrics.metric import Score
    from corefkit.metrics.scores import DocumentScores
    from corefkit.results.score_table import Ranking
    from corefkit.results.stored_results import Scored

Value = str | int | float | None | list["Value"] | dict[str, "Value"]
"""What JSON can hold: text, a number, None, or a list or dictionary of these."""


def format_json(value: object, *, levels: int | None = None) -> str:
    r"""Write JSON that people can read too: what cannot be seen stands as its number.

    What is nested deeper than some levels, if they are given, stands on one line.

    >>> format_json("été \u202e")
    '"été \\u202e"'
    >>> print(format_json({"spans": [[0, 1], [3, 3]]}, levels=2))
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


def format_csv(rows: Iterable[Sequence[Value]]) -> str:
    """Write rows as CSV; a spreadsheet cannot take a text for a formula.

    >>> print(format_csv([("=cmd()", -0.5), ("a,b", 1)]))
    '=cmd(),-0.5
    "a,b",1
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [escape_csv(cell) if isinstance(cell, str) else cell for cell in row]
        for row in rows
    )
    return text.getvalue().removesuffix("\n")


def iter_score_rows(name: str, score: Score) -> Iterator[tuple[str, dict[str, Value]]]:
    """Go through the rows of a metric: its own, and those of BLANC's kinds of links."""
    yield name, dump_score(score)
    for kind in ("coreference", "non_coreference"):
        half: Score | None = getattr(score, kind)
        if half is not None:
            yield from iter_score_rows(f"{name}_{kind}", half)


def dump_results(
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
                name: dump_document_score(score) for name, score in row.scores.items()
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
    return {name: dump_score(score) for name, score in scores.items()}


def dump_document_score(score: Score) -> dict[str, Value]:
    """Return the score of a document, with what comparing adds up beyond the counts."""
    whole: Value = list(map(_plain, score.counts))
    return dump_score(score) | ({"counts": whole} if score.counts else {})


def _plain(count: float) -> Value:
    return int(count) if count == int(count) else count


def dump_score(score: Score) -> dict[str, Value]:
    """Return a score as plain values; counts that are whole numbers are integers."""
    values: dict[str, Value] = {
        "recall": score.recall,
        "precision": score.precision,
        "f1": score.f1,
    }
    if score.value is not None:
        values["value"] = score.value
    if score.coreference is not None and score.non_coreference is not None:
        values["coreference"] = dump_score(score.coreference)
        values["non_coreference"] = dump_score(score.non_coreference)
    else:
        for name in COUNTS:
            values[name] = _plain(getattr(score, name))
    if score.undefined:
        values["undefined"] = list(score.undefined)
    return values


def flatten_score(response: str, metric: str, score: Score) -> dict[str, Value]:
    """Return a score of a response as one flat record."""
    values: dict[str, Value] = {"response": response, "metric": metric}
    for column, value in dump_score(score).items():
        if isinstance(value, dict):
            value.pop("undefined", None)
            values |= {f"{column}_{part}": number for part, number in value.items()}
        elif column != "undefined":
            values[column] = value
    return values


_DOCUMENTS = 256  # in a piece
_MOST = 1 << 14  # texts that are kept for scores that come again
_LEVELS = 3  # of the JSON, down to the values of a system
_Text = TypeVar("_Text")


def render_json(results: Sequence[Scored], **options: Any) -> str:
    """Write the JSON of one or more results, as `json_pieces` does.

    >>> import corefkit
    >>> print(render_json([corefkit.score(["ab"], ["ab"], metrics=["muc"])]))
    ... # doctest: +ELLIPSIS
    {
      "corefkit": "0.1.0",
      "signature": "corefkit:0.1.0|match:exact|...
    """
    return "".join(iter_json(results, **options))


def render_csv(results: Sequence[Scored], **options: Any) -> str:
    """Write the CSV of one or more results, as `csv_pieces` does."""
    return "".join(iter_csv(results, **options))


def iter_json(
    results: Sequence[Scored],
    *,
    per_document: bool = False,
    ranking: Ranking | None = None,
    refused: Sequence[Refused] = (),
) -> Iterator[str]:
    """Write the JSON of one or more results, piece by piece.

    >>> import corefkit
    >>> result = corefkit.score({"d": ["ab"]}, {"d": ["ab"]}, metrics=["muc"])
    >>> text = "".join(iter_json([result], per_document=True))
    >>> import json
    >>> json.loads(text)["systems"][0]["per_document"][0]["scores"]["muc"]["f1"]
    1.0
    """
    values = result_values(results, _Documents if per_document else None)
    if ranking is not None:
        values["sort"] = str(ranking.order)
        systems = cast("list[dict[str, Value]]", values["systems"])
        for system, rank in zip(systems, ranking.ranks, strict=True):
            system |= {} if rank is None else {"rank": rank}
    if refused:
        values["refused"] = [
            {"response": one.response, "reason": one.reason} for one in refused
        ]
    return _pieces(values, _LEVELS)


def iter_csv(
    results: Sequence[Scored],
    *,
    per_document: bool = False,
    ranking: Ranking | None = None,
    refused: Sequence[Refused] = (),
) -> Iterator[str]:
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
    heads: list[Value] = [*names, *fields, "signature", *more]
    yield format_csv([heads])
    for at, result in enumerate(results):
        behind: list[Value] = [result.signature, *([ranks[at]] if ranks else [])]
        rows = _Rows(fields, [*behind, *[""] * bool(refused)])
        own = [result.response, *([""] * per_document)]
        yield "\n" + format_csv([*own, *row] for row in rows.of(result))
        waiting = iter(result.per_document if per_document else ())
        while block := list(islice(waiting, _DOCUMENTS)):
            lines = chain.from_iterable(rows.lines(result, row) for row in block)
            yield "".join(f"\n{line}" for line in lines)
    for one in refused:
        last: list[Value] = [one.response, *[""] * (len(heads) - 2), one.reason]
        yield "\n" + format_csv([last])


class _Rows:
    """The rows of CSV of a response: of all its documents together, and of each."""

    def __init__(self, fields: Sequence[str], behind: Sequence[Value]) -> None:
        self._fields, self._behind = fields, behind
        self._kept = _Kept(self._written)

    def of(self, scored: Scored | DocumentScores) -> Iterator[list[Value]]:
        """Go through the rows of all metrics, and of the CoNLL score."""
        for name, score in scored.scores.items():
            yield from self._of_score(name, score)
        if scored.conll is not None:
            yield self._conll(scored.conll)

    def lines(self, result: Scored, row: DocumentScores) -> Iterator[str]:
        """Write the rows of a document; what comes again is written once."""
        own = format_csv([[result.response, row.document]])
        for name, score in row.scores.items():
            for line in self._kept(name, score):
                yield f"{own},{line}"
        if row.conll is not None:
            yield f"{own},{format_csv([self._conll(row.conll)])}"

    def _written(self, name: str, score: Score) -> list[str]:
        return [format_csv([row]) for row in self._of_score(name, score)]

    def _of_score(self, name: str, score: Score) -> Iterator[list[Value]]:
        for metric, values in iter_score_rows(name, score):
            cells = [values.get(field, "") for field in self._fields]
            yield [metric, *cells, *self._behind]

    def _conll(self, conll: float) -> list[Value]:
        cells = [conll if field == "f1" else "" for field in self._fields]
        return ["conll", *cells, *self._behind]


class _Kept(Generic[_Text]):
    """What is written of scores, which many documents may share."""

    def __init__(self, write: Callable[[str, Score], _Text]) -> None:
        self._write = write
        self._known: dict[tuple[str, int], tuple[Score, _Text]] = {}

    def __call__(self, name: str, score: Score) -> _Text:
        """Write the score of a metric, or find what was written."""
        known = self._known.get((name, id(score)))
        if known is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            # Kept with the score, so that no other one gets its place in memory.
            known = score, self._write(name, score)
            self._known[name, id(score)] = known
        return known[1]


def _pieces(value: object, levels: int, indent: str = "\n") -> Iterator[str]:
    """Write JSON as `readable_json` does, with what is nested far down in one piece."""
    inner = indent + "  "
    if isinstance(value, _Documents):
        yield from value.pieces(indent)
    elif not levels or not value or not isinstance(value, dict | list):
        # No text has a line end in it: JSON writes one as two letters.
        yield format_json(value).replace("\n", indent)
    else:
        is_object = isinstance(value, dict)
        before = "{" if is_object else "["
        for item in value:
            yield f"{before}{inner}"
            if isinstance(value, dict):
                yield f"{format_json(item)}: "
            found = value[item] if isinstance(value, dict) else item
            yield from _pieces(found, levels - 1, inner)
            before = ","
        yield f"{indent}}}" if is_object else f"{indent}]"


class _Documents(list[Any]):
    """Stands for the list of a response's documents, which is written when it comes.

    It is an empty list to whoever looks inside.
    """

    def __init__(self, result: Scored) -> None:
        super().__init__()
        self._result = result

    def pieces(self, indent: str) -> Iterator[str]:
        """Write the list, some documents at a time."""
        inner = indent + "  "
        texts = self._texts(inner)
        before = "["
        while block := list(islice(texts, _DOCUMENTS)):
            yield f"{before}{inner}{f',{inner}'.join(block)}"
            before = ","
        yield "[]" if before == "[" else f"{indent}]"

    def _texts(self, indent: str) -> Iterator[str]:
        missing = set(self._result.missing)
        inner, deep = f"{indent}  ", f"{indent}    "

        def written(name: str, score: Score) -> str:
            text = format_json(dump_document_score(score)).replace("\n", deep)
            return f"{format_json(name)}: {text}"

        texts = _Kept(written)
        for row in self._result.per_document:
            said = f'{{{inner}"document": {format_json(row.document)},{inner}'
            if row.document in missing:
                said += f'"missing": true,{inner}'
            scores = [texts(name, score) for name, score in row.scores.items()]
            listed = f"{{{deep}{f',{deep}'.join(scores)}{inner}}}" if scores else "{}"
            conll = row.conll
            mean = "" if conll is None else f',{inner}"conll": {format_json(conll)}'
            yield f'{said}"scores": {listed}{mean}{indent}}}'


def flatten_scores(
    result: Evaluation, *, prefix: str, separator: str
) -> dict[str, float]:
    """Name recall, precision and F1 of each metric, and the CoNLL score.

    >>> import corefkit
    >>> result = corefkit.score(["abc"], ["abc"], metrics="conll")
    >>> list(flatten_scores(result, prefix="", separator="."))[-2:]
    ['ceaf_e.f1', 'conll.f1']
    """
    flat: dict[tuple[str, str], float] = {}
    for name, score in result.scores.items():
        flat[name, "recall"] = score.recall
        flat[name, "precision"] = score.precision
        flat[name, "f1"] = score.f1
        if score.value is not None:
            flat[name, "value"] = score.value
    if result.conll is not None:
        flat["conll", "f1"] = result.conll
    first = [prefix] if prefix else []
    return {separator.join([*first, *name]): value for name, value in flat.items()}


def save_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text; the file is replaced only when all of it is written.

    Raises:
        CorefkitError: the file cannot be written; it is as it was.
    """
    with replace_file(path) as unfinished:
        unfinished.write_text(text, "utf-8", newline="\n")
