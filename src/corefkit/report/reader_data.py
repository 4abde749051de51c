"""The documents of a page: spans, entities, errors, and their JSON for the reader."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from operator import sub
from typing import Any, TypeAlias
from urllib.parse import urlencode

from corefkit.model import Document
from corefkit.syntax.running_text import NO_LAYOUT, Layout, read_layout
from corefkit.tables.model import Fragment

# First and last token of each part of a span; several parts if it is discontinuous.
Parts: TypeAlias = tuple[tuple[int, int], ...]

NO_TWIN = -1
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


def encode_error(
    kind: str,
    spans: Sequence[int],  # for a span error, that of the response and of the key
    entity: int,  # of the response for conflated and extra entities, else of the key
    type: str = "",  # of its first mention, empty if unknown
    made_by: int = 1,  # the number of systems
) -> list[int]:
    return [KINDS.index(kind), TYPES.index(type), made_by, entity, *spans]


def encode_link(
    kind: str,  # recall or precision
    spans: tuple[int, int],  # of anaphor and antecedent
    *,
    type: str,  # of the anaphor, empty if unknown
    distance: int | None,  # in sentences, or in tokens without sentences
    entity_size: int,
    cause: str,
    made_by: int = 1,
) -> list[int]:
    """Encode a missing or a wrong link as numbers."""
    steps = _UNKNOWN if distance is None else distance
    kinds = KINDS.index(kind), TYPES.index(type)
    return [*kinds, made_by, *spans, steps, entity_size, CAUSES.index(cause)]


@dataclass(frozen=True, slots=True)
class ReaderResponse:
    entities: Sequence[int]  # of each span of the document, 0 for none
    # For each span that is matched with a key mention of other tokens, the index of its
    # span; `NO_TWIN` for spans of the key that are not matched, for instance because
    # their heads differ.
    twins: Mapping[int, int] = field(default_factory=dict)
    errors: Sequence[Sequence[int]] = ()  # by kind, then by position
    links: Sequence[Sequence[int]] = ()  # missing links, then wrong links
    is_missing: bool = False  # whether the response lacks the document
    scores: Sequence[float | None] = ()  # F1 of each metric; None if undefined


@dataclass(frozen=True, slots=True)
class ReaderDocument:
    """A document with the mentions of all sides.

    All sides share one list of spans, sorted by first token, last token and parts. Two
    mentions of one side with the same tokens of the key have a span each. Entities of a
    side are numbered from 1 in the order of their first mentions.
    """

    id: str
    # Words with empty nodes, or else numbers of tokens or names of mentions; in long
    # texts without words, only tokens at the bounds of mentions.
    sentences: Sequence[Sequence[str]]
    spans: Sequence[Parts]
    key: Sequence[int]  # the entity of each span, 0 for none
    responses: Sequence[ReaderResponse] = ()  # one for each system
    empty: Sequence[int] = ()  # the indexes of empty nodes
    layout: Layout = NO_LAYOUT  # the script guesses unknown spaces and paragraphs
    has_words: bool = True
    is_named: bool = False  # whether mentions are names, which ids of errors contain
    is_omitted: bool = False  # whether the page contains only the scores


@dataclass(frozen=True, slots=True)
class Reader(Fragment):
    """The part of a page that shows documents, in HTML only."""

    key: str  # the name of the key's side, such as `key` or `entities`
    systems: tuple[str, ...]  # in the order of `responses`
    documents: tuple[ReaderDocument, ...]  # in the order of the key
    metrics: tuple[str, ...] = ()  # the labels of `scores`
    has_errors: bool = True  # otherwise, the page opens the first document

    def to_html(self) -> str:
        return '<div id="reader"></div>'

    def to_data(self) -> str:
        """Return the documents as the JSON that the script parses."""
        return encode_reader(self)


def format_fragment(
    document: str,
    *,
    systems: Sequence[int] = (),  # indexes of at most two systems
    error: str = "",  # its id without the document
    key: int = 0,  # the number of an entity to focus
    response: int = 0,  # the same for the first system
    mention: tuple[int, int] | None = None,  # first and last token
) -> str:
    """Return the URL fragment that opens a document."""
    values: dict[str, object] = {"d": replace_surrogates(document)}
    if systems:
        values["s"] = ",".join(str(number + 1) for number in systems)
    if error:
        values["e"] = replace_surrogates(error)
    if mention is not None:
        values["m"] = "-".join(map(str, mention))
    if key:
        values["k"] = key
    elif response:
        values["r"] = response
    return f"#{urlencode(values)}"


def replace_surrogates(text: str) -> str:
    """Replace surrogates, which are invalid in URLs."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


ENTITIES = "entities"  # name of the only side
# Beyond this number of tokens without words, only those at the bounds of mentions are
# shown: offsets of characters go into the millions.
MAX_UNKNOWN_TOKENS = 10_000


def convert_document(document: Document) -> ReaderDocument:
    """Convert a document to one with a key and without systems."""
    mentions = [
        (mention.parts, number)
        for number, entity in enumerate(document.entities)
        for mention in entity.mentions
    ]
    parts = [mention_parts for mention_parts, _ in mentions]
    sentences, locate = add_unknown_tokens(document.sentences, parts)
    rows = sorted(
        ((locate(mention_parts), number) for mention_parts, number in mentions),
        key=get_sort_key,
    )
    return ReaderDocument(
        id=document.id,
        sentences=sentences,
        spans=tuple(parts for parts, _ in rows),
        key=_number_in_order(entity for _, entity in rows),
        empty=tuple(sorted(document.empty)),
        layout=read_layout(document),
        has_words=bool(document.sentences) or not sentences,
    )


def build_documents_reader(documents: Iterable[ReaderDocument]) -> Reader:
    """Build a reader of converted documents; a number makes duplicate ids unique."""
    unique: list[ReaderDocument] = []
    taken: set[str] = set()
    for document in documents:
        ids = (f"{document.id} ({number})" for number in count(2))
        id = document.id
        while id in taken:
            id = next(ids)
        taken.add(id)
        unique.append(document if id == document.id else replace(document, id=id))
    return Reader(ENTITIES, (), tuple(unique))


def truncate_document(shown: ReaderDocument, tokens: int) -> ReaderDocument:
    """Truncate a document to complete sentences, or to the start of the first one."""
    sentences: list[tuple[str, ...]] = []
    end = 0
    for sentence in shown.sentences:
        if end + len(sentence) > tokens:
            sentences += [] if sentences else [tuple(sentence[:tokens])]
            break
        sentences.append(tuple(sentence))
        end += len(sentence)
    end = sum(map(len, sentences))
    rows = [
        (parts, entity)
        for parts, entity in zip(shown.spans, shown.key, strict=True)
        if parts[-1][1] < end
    ]
    return replace(
        shown,
        sentences=tuple(sentences),
        spans=tuple(parts for parts, _ in rows),
        key=_number_in_order(entity for _, entity in rows),
        empty=tuple(token for token in shown.empty if token < end),
        layout=shown.layout.truncate(end, len(sentences)),
    )


def _number_in_order(entities: Iterable[int]) -> tuple[int, ...]:
    """Number entities from 1 in the order of their first occurrence."""
    numbers: dict[int, int] = {}
    return tuple(numbers.setdefault(entity, len(numbers) + 1) for entity in entities)


def get_sort_key(row: tuple[Parts, int]) -> tuple[int, int, Parts, int]:
    parts, number = row
    return parts[0][0], parts[-1][1], parts, number


def add_unknown_tokens(
    sentences: Sequence[Sequence[str]], mentions: Sequence[Parts]
) -> tuple[tuple[Sequence[str], ...], Callable[[Parts], Parts]]:
    """Add numbers for tokens beyond the text; return a function to locate mentions."""
    length = sum(map(len, sentences))
    last = max((parts[-1][1] for parts in mentions), default=-1)
    unknown: Sequence[int] = range(length, last + 1)
    if len(unknown) > MAX_UNKNOWN_TOKENS:
        bounds = {bound for parts in mentions for part in parts for bound in part}
        unknown = sorted(bound for bound in bounds if bound >= length)
    names = [tuple(map(str, unknown))] if unknown else []
    moved = {token: length + index for index, token in enumerate(unknown)}

    def locate(parts: Parts) -> Parts:
        return tuple(
            [(moved.get(first, first), moved.get(last, last)) for first, last in parts]
        )

    return (*sentences, *names), locate


def encode_reader(reader: Reader) -> str:
    """Return the JSON of a reader, a line for each document."""
    head = {
        "format": FORMAT,
        "key": reader.key,
        "systems": reader.systems,
        "metrics": reader.metrics,
        "kinds": KINDS if reader.has_errors else (),
        "types": TYPES,
        "causes": CAUSES,
    }
    start = _dump_json(head)[:-1] + ',"documents":[\n'
    titles = shorten_ids([document.id for document in reader.documents])
    lines = ",\n".join(
        _dump_json(_encode_document(document, title))
        for document, title in zip(reader.documents, titles, strict=True)
    )
    return f"{start}{lines}\n]}}"


def _dump_json(value: object) -> str:
    text = json.dumps(
        value,
        ensure_ascii=False,
        separators=(",", ":"),
        sort_keys=True,
        allow_nan=False,
    )
    # Surrogates cannot be encoded as UTF-8; JSON has escapes for them.
    if not text.isascii():
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    for sign, escape in _ESCAPES.items():  # faster than `translate`
        text = text.replace(sign, escape)
    return text


_CONLL_ID = re.compile(r"\((?P<name>.+)\); part (?P<part>\d+)")


def shorten_ids(ids: Sequence[str]) -> list[str]:
    """Remove the parts of CoNLL ids that do not distinguish documents."""
    matches = [_CONLL_ID.fullmatch(id) for id in ids]
    names = Counter(match["name"] for match in matches if match)
    names.update(id for id, match in zip(ids, matches, strict=True) if not match)
    return [
        id
        if match is None
        else match["name"]
        if names[match["name"]] == 1
        else f"{match['name']}, part {int(match['part'])}"
        for id, match in zip(ids, matches, strict=True)
    ]


def _encode_document(document: ReaderDocument, title: str) -> dict[str, Any]:
    id = replace_surrogates(document.id)
    values = {
        "id": id,
        "title": "" if title == document.id else replace_surrogates(title),
        "text": [_encode_sentence(sentence) for sentence in document.sentences],
        "empty": list(document.empty),
        "joined": _encode_differences(document.layout.joined),
        "paragraphs": list(document.layout.paragraphs),
        "spans": list(_encode_spans(document.spans)),
        # The parts of discontinuous spans by the index of the span.
        "gaps": {
            str(number): [token for part in parts for token in part]
            for number, parts in enumerate(document.spans)
            if len(parts) > 1
        },
        "key": _encode_entities(document.key),
        "responses": [_encode_response(response) for response in document.responses],
        "wordless": not document.has_words,
        "named": document.is_named,
        "omitted": document.is_omitted,
    }
    # That no token is joined differs from unknown spaces.
    kept = {"text", *(["joined"] if document.layout.joined is not None else [])}
    return {name: value for name, value in values.items() if value or name in kept}


def _encode_sentence(tokens: Sequence[str]) -> str | list[str]:
    plain = all(token and " " not in token for token in tokens) and len(tokens) > 0
    return " ".join(tokens) if plain else list(tokens)


def _encode_differences(numbers: Sequence[int] | None) -> list[int]:
    numbers = numbers or ()
    return list(map(sub, numbers, [0, *numbers]))


def _encode_entities(numbers: Sequence[int]) -> list[int]:
    return list(numbers) if any(numbers) else []


def _encode_spans(spans: Sequence[Parts]) -> Iterator[int]:
    previous = 0
    for parts in spans:
        first, last = parts[0][0], parts[-1][1]
        yield first - previous
        yield last - first
        previous = first


def _encode_response(response: ReaderResponse) -> dict[str, Any]:
    values = {
        "entities": _encode_entities(response.entities),
        "twins": {str(span): twin for span, twin in response.twins.items()},
        "errors": response.errors,
        "links": response.links,
        "missing": response.is_missing,
        "scores": [
            None if score is None else round(10_000 * score)
            for score in response.scores
        ],
    }
    return {name: value for name, value in values.items() if value}
