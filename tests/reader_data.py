"""The data of pages, decoded as `web/src/data.ts` decodes it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corefkit.report.reader_data import encode_reader

if TYPE_CHECKING:
    import corefkit


@dataclass(frozen=True)
class ReaderError:
    """An error as a page has it."""

    id: str
    kind: str
    type: str
    made_by: int
    entity: int
    spans: list[int]
    link: tuple[int | None, int, str] | None = None


@dataclass(frozen=True)
class Side:
    """A side of a document: the entity of each span, 0 for none."""

    entity_of: list[int]
    key_span: list[int] | None = None
    errors: tuple[ReaderError, ...] = ()
    is_missing: bool = False
    scores: tuple[float | None, ...] = ()

    def entities(self) -> dict[int, list[int]]:
        """List the spans of each entity by its number."""
        found: dict[int, list[int]] = {}
        for span, entity in enumerate(self.entity_of):
            if entity:
                found.setdefault(entity, []).append(span)
        return found


@dataclass(frozen=True)
class Document:
    """A document of a page."""

    id: str
    sentences: list[list[str]]
    spans: list[tuple[tuple[int, int], ...]]
    key: Side
    responses: list[Side]
    empty: list[int]
    has_words: bool
    is_named: bool

    @property
    def tokens(self) -> list[str]:
        return [token for sentence in self.sentences for token in sentence]

    def partitions(self, system: int) -> tuple[list[list[str]], list[list[str]]]:
        """Write key and response as partitions of names, matched mentions alike."""
        response = self.responses[system]
        key = [[f"k{span}" for span in one] for one in self.key.entities().values()]
        own = []
        for spans in response.entities().values():
            partner = [response.key_span[span] for span in spans]
            own.append(
                [
                    f"r{span}" if other < 0 else f"k{other}"
                    for span, other in zip(spans, partner, strict=True)
                ]
            )
        return key, own


def decoded(report: corefkit.Report) -> list[Document]:
    """Encode the documents of a report, and decode them."""
    data = json.loads(encode_reader(report.reader))
    assert data["systems"] == list(report.reader.systems)
    return [_document(document, data) for document in data["documents"]]


def _document(document: dict[str, Any], data: dict[str, Any]) -> Document:
    sentences = [
        sentence.split(" ") if isinstance(sentence, str) else sentence
        for sentence in document["text"]
    ]
    spans = _spans(document)
    key = Side(document.get("key") or [0] * len(spans))
    tokens = [token for sentence in sentences for token in sentence]
    wordless, named = document.get("wordless", False), document.get("named", False)

    def token(number: int) -> str:
        return tokens[number] if wordless else str(number)

    def label(span: int) -> str:
        first, last = spans[span][0][0], spans[span][-1][1]
        return token(first) if named else f"{token(first)}-{token(last)}"

    return Document(
        document["id"],
        sentences,
        spans,
        key,
        [_response(one, data, key, label) for one in document.get("responses", [])],
        document.get("empty", []),
        not wordless,
        named,
    )


def _spans(document):
    spans, first = [], 0
    numbers = iter(document.get("spans", []))
    gaps = document.get("gaps", {})
    for number, (behind, length) in enumerate(zip(numbers, numbers, strict=True)):
        first += behind
        tokens = iter(gaps.get(str(number), [first, first + length]))
        spans.append(tuple(zip(tokens, tokens, strict=True)))
    return spans


def _response(response, data, key, label):
    entity_of = response.get("entities") or [0] * len(key.entity_of)
    twins = {int(span): twin for span, twin in response.get("twins", {}).items()}
    key_span = []
    for span, entity in enumerate(entity_of):
        same = span if key.entity_of[span] else -1
        key_span.append(twins.get(span, same) if entity else -1)
    used: Counter[str] = Counter()

    def id(kind: str, span: int) -> str:
        place = f"{kind}#{label(span)}"
        used[place] += 1
        return place if used[place] == 1 else f"{place}~{used[place]}"

    errors = []
    for kind, type, made_by, entity, *spans in response.get("errors", []):
        name = data["kinds"][kind]
        place = id(name, spans[0])
        errors.append(
            ReaderError(place, name, data["types"][type], made_by, entity, spans)
        )
    for kind, type, made_by, *spans, distance, size, cause in response.get("links", []):
        name = data["kinds"][kind]
        more = None if distance < 0 else distance, size, data["causes"][cause]
        place = id(name, spans[0])
        errors.append(
            ReaderError(place, name, data["types"][type], made_by, 0, spans, more)
        )
    scores = (
        None if score is None else score / 10_000
        for score in response.get("scores", [])
    )
    return Side(
        entity_of,
        key_span,
        tuple(errors),
        response.get("missing", False),
        tuple(scores),
    )
