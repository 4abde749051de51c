"""The documents of a page: spans, entities, errors, and their JSON for the reader."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlencode

from corefkit.tables.model import Fragment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.model import Document


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
    kind: str, spans: Sequence[int], entity: int, type: str = "", made_by: int = 1
) -> list[int]:
    """Return the numbers of an error of the seven kinds.

    Args:
        kind: as in `Error`.
        spans: the indexes of its spans; for a span error, that of the response and
            that of the key.
        entity: the number of its entity, of the response for conflated and extra
            entities and of the key for other kinds.
        type: the type of its first mention, empty if unknown.
        made_by: the number of systems that make it.
    """
    return [KINDS.index(kind), TYPES.index(type), made_by, entity, *spans]


def encode_link(
    kind: str,
    spans: tuple[int, int],
    *,
    type: str,
    distance: int | None,
    entity_size: int,
    cause: str,
    made_by: int = 1,
) -> list[int]:
    """Return the numbers of a missing or a wrong link, as in `LinkError`.

    Args:
        kind: `recall` or `precision`.
        spans: the indexes of the spans of anaphor and antecedent.
        type: the type of the anaphor, empty if unknown.
        distance: in sentences, or in tokens without sentences; None if unknown.
        entity_size: the number of mentions of their entity.
        cause: `anaphor`, `antecedent` or `link`.
        made_by: the number of systems that make it.
    """
    steps = _UNKNOWN if distance is None else distance
    kinds = KINDS.index(kind), TYPES.index(type)
    return [*kinds, made_by, *spans, steps, entity_size, CAUSES.index(cause)]


@dataclass(frozen=True, slots=True)
class ReaderResponse:
    """The response of a system to a document.

    Attributes:
        entities: the entity of each span of the document, 0 for none.
        twins: for each span that is matched with a key mention of other tokens, the
            index of its span; `NO_TWIN` for spans of the key that are not matched, for
            instance because their heads differ.
        errors: the numbers of `encode_error`, by kind, then by position.
        links: the numbers of `encode_link`: missing links, then wrong links.
        is_missing: whether the response lacks the document.
        scores: F1 of each metric of the reader, between 0 and 1; None if undefined.
    """

    entities: Sequence[int]
    twins: Mapping[int, int] = field(default_factory=dict)
    errors: Sequence[Sequence[int]] = ()
    links: Sequence[Sequence[int]] = ()
    is_missing: bool = False
    scores: Sequence[float | None] = ()


@dataclass(frozen=True, slots=True)
class ReaderDocument:
    """A document with the mentions of all sides.

    All sides share one list of spans, sorted by first token, last token and parts. Two
    mentions of one side with the same tokens of the key have a span each. Entities of a
    side are numbered from 1 in the order of their first mentions.

    Attributes:
        id: the id of the document.
        sentences: tokens, including empty nodes. If the words are unknown, numbers of
            tokens or names of mentions; in long texts, only tokens at the bounds of
            mentions.
        spans: the spans of all mentions.
        key: the entity of each span in the key, 0 for none; on a page without systems,
            the only side.
        responses: one for each system.
        empty: the indexes of empty nodes.
        has_words: whether `sentences` are words.
        is_named: whether mentions are names, which ids of errors contain.
        is_omitted: whether the text is omitted to keep the page small; such a document
            has scores only.
    """

    id: str
    sentences: Sequence[Sequence[str]]
    spans: Sequence[Parts]
    key: Sequence[int]
    responses: Sequence[ReaderResponse] = ()
    empty: Sequence[int] = ()
    has_words: bool = True
    is_named: bool = False
    is_omitted: bool = False


@dataclass(frozen=True, slots=True)
class Reader(Fragment):
    """The part of a page that shows documents, in HTML only.

    Attributes:
        key: the name of the key's side, such as `key` or `entities`.
        systems: the names of the systems, in the order of `responses`.
        documents: the documents, in the order of the key.
        metrics: the labels of the metrics of `scores`.
        has_errors: whether errors were analysed; otherwise, the page does not mention
            them and opens the first document.
    """

    key: str
    systems: tuple[str, ...]
    documents: tuple[ReaderDocument, ...]
    metrics: tuple[str, ...] = ()
    has_errors: bool = True

    def to_html(self) -> str:
        """Return the element that the script fills."""
        return '<div id="reader"></div>'

    def to_data(self) -> str:
        """Return the documents as the JSON that the script reads."""
        return encode_reader(self)


def format_fragment(
    document: str,
    *,
    systems: Sequence[int] = (),
    error: str = "",
    key: int = 0,
    response: int = 0,
    mention: tuple[int, int] | None = None,
) -> str:
    """Return the URL fragment that opens a document.

    Args:
        document: the id of the document.
        systems: the indexes of at most two systems to show.
        error: the id of an error to show, without the document.
        key: the number of an entity of the key to focus, 0 for none.
        response: the number of an entity of the first system to focus, 0 for none.
        mention: the first and last token of a mention to show.

    >>> format_fragment("a & b", key=3), format_fragment("d", mention=(3, 5))
    ('#d=a+%26+b&k=3', '#d=d&m=3-5')
    >>> format_fragment("d", systems=[1], error="divided#3-5")
    '#d=d&s=2&e=divided%233-5'
    """
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
    r"""Replace surrogates, which are invalid in URLs.

    >>> replace_surrogates("a" + chr(0xD800)) == "a\N{REPLACEMENT CHARACTER}"
    True
    """
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


ENTITIES = "entities"  # name of the only side
# Beyond this number of tokens without words, only those at the bounds of mentions are
# shown: offsets of characters go into the millions.
MAX_UNKNOWN_TOKENS = 10_000


def convert_document(document: Document) -> ReaderDocument:
    """Convert a document to one with a key and without systems.

    A mention of several entities has a span for each of them. Tokens without words are
    shown by their numbers after the text.

    >>> from corefkit.model import Document, Entity, Mention
    >>> entities = (Entity("b", (Mention(2, 2),)), Entity("a", (Mention(0, 0),)))
    >>> shown = convert_document(Document("d", (("Ann", "saw", "Bob"),), entities))
    >>> shown.spans, shown.key
    ((((0, 0),), ((2, 2),)), (1, 2))
    """
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
        has_words=bool(document.sentences) or not sentences,
    )


def build_documents_reader(documents: Iterable[ReaderDocument]) -> Reader:
    """Build a reader of converted documents; a number makes duplicate ids unique.

    >>> documents = [ReaderDocument("d", [["Ann"]], (), ())] * 3
    >>> [document.id for document in build_documents_reader(documents).documents]
    ['d', 'd (2)', 'd (3)']
    """
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
    """Truncate a document without systems to some number of tokens.

    Only complete sentences and mentions are kept, but a long first sentence is cut.

    >>> shown = ReaderDocument("d", [["Ann", "left"], ["She", "ran"]], [((2, 2),)], [1])
    >>> truncate_document(shown, 3).sentences, truncate_document(shown, 3).spans
    ((('Ann', 'left'),), ())
    """
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
    )


def _number_in_order(entities: Iterable[int]) -> tuple[int, ...]:
    """Number entities from 1 in the order of their first occurrence."""
    numbers: dict[int, int] = {}
    return tuple(numbers.setdefault(entity, len(numbers) + 1) for entity in entities)


def get_sort_key(row: tuple[Parts, int]) -> tuple[int, int, Parts, int]:
    """Return the sort key of a span and a number."""
    parts, number = row
    return parts[0][0], parts[-1][1], parts, number


def add_unknown_tokens(
    sentences: Sequence[Sequence[str]], mentions: Sequence[Parts]
) -> tuple[tuple[Sequence[str], ...], Callable[[Parts], Parts]]:
    """Add the numbers of the tokens of mentions beyond the end of the text.

    Returns:
        The sentences, and a function that maps mentions to their displayed tokens.
    """
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
    """Remove the parts of CoNLL ids that do not distinguish documents.

    >>> shorten_ids(["(nw/a); part 000", "(nw/b); part 000", "(nw/b); part 001", "c"])
    ['nw/a', 'nw/b, part 0', 'nw/b, part 1', 'c']
    """
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
    return {name: value for name, value in values.items() if value or name == "text"}


def _encode_sentence(tokens: Sequence[str]) -> str | list[str]:
    plain = all(token and " " not in token for token in tokens) and len(tokens) > 0
    return " ".join(tokens) if plain else list(tokens)


def _encode_entities(numbers: Sequence[int]) -> list[int]:
    """List the entities of spans; empty for a side without mentions."""
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
