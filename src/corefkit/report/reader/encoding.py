r"""Documents as compact JSON, which `web/src/data.ts` decodes.

A sentence is its tokens with blanks between, or a list where a token has a blank or is
empty. A span is two numbers: how far its first token is behind that of the span before,
and how far its last token is behind its first. An error is `[kind, type, made by,
entity, span, ...]` and a link `[kind, type, made by, anaphor, antecedent, distance,
entity size, cause]`; kinds, types and causes are numbers of the lists at the top, types
0 and causes 0 stand for none. Scores are in hundredths of percent. What is empty or
false is left out, and so are the entities of a side that has none.

Where errors were not looked for, there are no kinds.

The text goes into a `script` element: `<` and the line ends of JavaScript are escapes.

>>> from corefkit.report.reader.values import Reader, ShownDocument
>>> document = ShownDocument("d", [["Ann", "left", "."]], [((0, 0),)], [1])
>>> print(encoded(Reader("key", (), (document,))).split("\n")[1])
{"id":"d","key":[1],"spans":[0,0],"text":["Ann left ."]}
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from corefkit.report.reader.fragments import whole_characters

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.report.reader.values import (
        Parts,
        Reader,
        ShownDocument,
        ShownLink,
        ShownResponse,
    )

FORMAT = 1
KINDS = (
    "span",
    "conflated",
    "extra_mention",
    "extra_entity",
    "divided",
    "missing_mention",
    "missing_entity",
    "recall",
    "precision",
)
TYPES = ("", "pronoun", "name", "nominal", "clause", "other")
CAUSES = ("", "anaphor", "antecedent", "link")
_UNKNOWN = -1  # distance
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"} | {
    "\N{LINE SEPARATOR}": "\\u2028",
    "\N{PARAGRAPH SEPARATOR}": "\\u2029",
}


def encoded(reader: Reader) -> str:
    """Write the data of a reader, a line for each document."""
    head = {
        "format": FORMAT,
        "key": reader.key,
        "systems": reader.systems,
        "metrics": reader.metrics,
        "kinds": KINDS if reader.has_errors else (),
        "types": TYPES,
        "causes": CAUSES,
    }
    start = _written(head)[:-1] + ',"documents":[\n'
    lines = ",\n".join(_written(_document(one)) for one in reader.documents)
    return f"{start}{lines}\n]}}"


def _written(value: object) -> str:
    text = json.dumps(
        value,
        ensure_ascii=False,
        separators=(",", ":"),
        sort_keys=True,
        allow_nan=False,
    )
    # Halves of characters, which files can have, are no text: as escapes they are.
    if not text.isascii():
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    for sign, escape in _ESCAPES.items():  # faster than `translate`
        text = text.replace(sign, escape)
    return text


def _document(document: ShownDocument) -> dict[str, Any]:
    values = {
        "id": whole_characters(document.id),
        "text": [_sentence(sentence) for sentence in document.sentences],
        "empty": list(document.empty),
        "spans": list(_spans(document.spans)),
        "gaps": _gaps(document.spans),
        "key": _entities(document.key),
        "responses": [_response(response) for response in document.responses],
        "wordless": not document.has_words,
        "named": document.is_named,
    }
    return {name: value for name, value in values.items() if value or name == "text"}


def _sentence(tokens: Sequence[str]) -> str | list[str]:
    plain = all(token and " " not in token for token in tokens) and len(tokens) > 0
    return " ".join(tokens) if plain else list(tokens)


def _entities(numbers: Sequence[int]) -> list[int]:
    """List the entities of spans; a side that has none is empty."""
    return list(numbers) if any(numbers) else []


def _spans(spans: Sequence[Parts]) -> Iterator[int]:
    before = 0
    for parts in spans:
        first, last = parts[0][0], parts[-1][1]
        yield first - before
        yield last - first
        before = first


def _gaps(spans: Sequence[Parts]) -> dict[str, list[int]]:
    """List the parts of spans that have several, by the number of the span."""
    return {
        str(number): [token for part in parts for token in part]
        for number, parts in enumerate(spans)
        if len(parts) > 1
    }


def _response(response: ShownResponse) -> dict[str, Any]:
    values = {
        "entities": _entities(response.entities),
        "twins": {str(span): twin for span, twin in response.twins.items()},
        "errors": [
            [
                KINDS.index(one.kind),
                TYPES.index(one.type),
                one.made_by,
                one.entity,
                *list(one.spans),
            ]
            for one in response.errors
        ],
        "links": [_link(link) for link in response.links],
        "missing": response.is_missing,
        "scores": [_score(score) for score in response.scores],
    }
    return {name: value for name, value in values.items() if value}


def _link(link: ShownLink) -> list[int]:
    return [
        KINDS.index(link.kind),
        TYPES.index(link.type),
        link.made_by,
        link.anaphor,
        link.antecedent,
        _UNKNOWN if link.distance is None else link.distance,
        link.entity_size,
        CAUSES.index(link.cause),
    ]


def _score(score: float | None) -> int | None:
    return None if score is None else round(10_000 * score)
