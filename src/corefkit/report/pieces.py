"""Results for programs: JSON and CSV, in pieces that are written as they come.

The scores of many documents are a long text. It need not be in memory as a whole,
neither its values nor its letters.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from corefkit.metrics.base import COUNTS
from corefkit.report.records import (
    csv_rows,
    document_score_values,
    readable_json,
    result_values,
    score_rows,
)
from corefkit.report.scores import has_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from corefkit.exceptions import Refused
    from corefkit.metrics.base import Score
    from corefkit.metrics.documents import DocumentScores
    from corefkit.report.ranking import Ranking
    from corefkit.report.records import Value
    from corefkit.report.stored import Scored

_DOCUMENTS = 256  # in a piece
_MOST = 1 << 14  # texts that are kept for scores that come again
_LEVELS = 3  # of the JSON, down to the values of a system
_Text = TypeVar("_Text")


def json_text(results: Sequence[Scored], **options: Any) -> str:
    """Write the JSON of one or more results, as `json_pieces` does.

    >>> import corefkit
    >>> print(json_text([corefkit.score(["ab"], ["ab"], metrics=["muc"])]))
    ... # doctest: +ELLIPSIS
    {
      "corefkit": "0.1.0",
      "signature": "corefkit:0.1.0|match:exact|...
    """
    return "".join(json_pieces(results, **options))


def csv_text(results: Sequence[Scored], **options: Any) -> str:
    """Write the CSV of one or more results, as `csv_pieces` does."""
    return "".join(csv_pieces(results, **options))


def json_pieces(
    results: Sequence[Scored],
    *,
    per_document: bool = False,
    ranking: Ranking | None = None,
    refused: Sequence[Refused] = (),
) -> Iterator[str]:
    """Write the JSON of one or more results, piece by piece.

    >>> import corefkit
    >>> result = corefkit.score({"d": ["ab"]}, {"d": ["ab"]}, metrics=["muc"])
    >>> text = "".join(json_pieces([result], per_document=True))
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


def csv_pieces(
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
    yield csv_rows([heads])
    for at, result in enumerate(results):
        behind: list[Value] = [result.signature, *([ranks[at]] if ranks else [])]
        rows = _Rows(fields, [*behind, *[""] * bool(refused)])
        own = [result.response, *([""] * per_document)]
        yield "\n" + csv_rows([*own, *row] for row in rows.of(result))
        waiting = iter(result.per_document if per_document else ())
        while block := list(islice(waiting, _DOCUMENTS)):
            lines = chain.from_iterable(rows.lines(result, row) for row in block)
            yield "".join(f"\n{line}" for line in lines)
    for one in refused:
        last: list[Value] = [one.response, *[""] * (len(heads) - 2), one.reason]
        yield "\n" + csv_rows([last])


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
        own = csv_rows([[result.response, row.document]])
        for name, score in row.scores.items():
            for line in self._kept(name, score):
                yield f"{own},{line}"
        if row.conll is not None:
            yield f"{own},{csv_rows([self._conll(row.conll)])}"

    def _written(self, name: str, score: Score) -> list[str]:
        return [csv_rows([row]) for row in self._of_score(name, score)]

    def _of_score(self, name: str, score: Score) -> Iterator[list[Value]]:
        for metric, values in score_rows(name, score):
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
        yield readable_json(value).replace("\n", indent)
    else:
        is_object = isinstance(value, dict)
        before = "{" if is_object else "["
        for item in value:
            yield f"{before}{inner}"
            if isinstance(value, dict):
                yield f"{readable_json(item)}: "
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
            text = readable_json(document_score_values(score)).replace("\n", deep)
            return f"{readable_json(name)}: {text}"

        texts = _Kept(written)
        for row in self._result.per_document:
            said = f'{{{inner}"document": {readable_json(row.document)},{inner}'
            if row.document in missing:
                said += f'"missing": true,{inner}'
            scores = [texts(name, score) for name, score in row.scores.items()]
            listed = f"{{{deep}{f',{deep}'.join(scores)}{inner}}}" if scores else "{}"
            conll = row.conll
            mean = "" if conll is None else f',{inner}"conll": {readable_json(conll)}'
            yield f'{said}"scores": {listed}{mean}{indent}}}'
