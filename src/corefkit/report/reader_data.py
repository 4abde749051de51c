"""The documents of a page: spans, entities, errors, and their JSON for the reader."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from urllib.parse import urlencode

from corefkit.tables.model import Fragment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.model import Document, Mention


# The parts of a span, first and last token of each; one part unless it has gaps.
Parts: TypeAlias = tuple[tuple[int, int], ...]

NO_TWIN = -1


class ReaderError(NamedTuple):
    """One error of the seven kinds.

    Attributes:
        kind: its kind, as in `Error`.
        spans: the numbers of the spans that it is about; of a span error, the
            response's first and then the key's.
        entity: the number of its entity: of the response for conflated and extra ones,
            of the key for the others.
        type: the type of its first mention; empty where it is not known.
        made_by: how many of the systems make it.
    """

    kind: str
    spans: tuple[int, ...]
    entity: int
    type: str = ""
    made_by: int = 1


class ReaderLink(NamedTuple):
    """One link that the other side does not have; the fields are those of `LinkError`.

    Attributes:
        kind: `recall` or `precision`.
        anaphor: the number of its span.
        antecedent: likewise.
        type: the type of the anaphor; empty where it is not known.
        distance: in sentences, or in tokens where there are none; None if not known.
        entity_size: how many mentions their entity has.
        cause: `anaphor`, `antecedent` or `link`.
        made_by: how many of the systems make it.
    """

    kind: str
    anaphor: int
    antecedent: int
    type: str = ""
    distance: int | None = None
    entity_size: int = 0
    cause: str = ""
    made_by: int = 1


@dataclass(frozen=True, slots=True)
class ReaderResponse:
    """One system's side of a document.

    Attributes:
        entities: for each span of the document the entity it is in, 0 for none.
        twins: of spans that are matched with a key mention of other tokens, the number
            of that span; of spans that the key has too, but that are matched with none
            of its mentions, `NO_TWIN`. Heads can differ, for instance.
        errors: by kind, then by place.
        links: the links that are missing, then those that are wrong.
        is_missing: whether the response lacks the document.
        scores: F1 of each metric of the reader, between 0 and 1; None where undefined.
    """

    entities: Sequence[int]
    twins: Mapping[int, int] = field(default_factory=dict)
    errors: Sequence[ReaderError] = ()
    links: Sequence[ReaderLink] = ()
    is_missing: bool = False
    scores: Sequence[float | None] = ()


@dataclass(frozen=True, slots=True)
class ReaderDocument:
    """One document.

    Attributes:
        id: its id.
        sentences: its tokens, empty nodes among them. Where words are not known, what
            stands for each token: its number, or the name of a mention. Of long texts
            without words only some tokens are there: those at the ends of mentions.
        spans: the spans of all mentions of all sides.
        key: for each span the key's entity, 0 for none. A page of one side, such as
            what a resolver found, has it here.
        responses: one for each system.
        empty: the tokens that are empty nodes.
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
    """A part of a page: documents to read, one at a time. Only HTML shows it.

    Attributes:
        key: what the key's side is called, as in `key` or `entities`.
        systems: what the systems are called, in the order of `responses`.
        documents: the documents, in the order of the key.
        metrics: the labels of the metrics whose scores documents have.
        has_errors: whether errors were looked for; without, a page does not speak of
            them, and opens the first document.
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


def fragment(
    document: str,
    *,
    systems: Sequence[int] = (),
    error: str = "",
    key: int = 0,
    response: int = 0,
    mention: tuple[int, int] | None = None,
) -> str:
    """Write the fragment that opens a document, perhaps at something in it.

    Args:
        document: the id of the document.
        systems: the numbers of the systems to show, from 0; two at most.
        error: the id of an error, without the document.
        key: the number of an entity of the key; 0 for none.
        response: likewise of the first system.
        mention: the first and last token of a mention.

    >>> fragment("a & b", key=3), fragment("d", mention=(3, 5))
    ('#d=a+%26+b&k=3', '#d=d&m=3-5')
    >>> fragment("d", systems=[1], error="divided#3-5")
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
    r"""Replace halves of characters, which ids can have, but no address.

    >>> replace_surrogates("a" + chr(0xD800)) == "a\N{REPLACEMENT CHARACTER}"
    True
    """
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


ENTITIES = "entities"  # what the one side of such a page is called
# So many tokens without words are shown one by one; of more, only those at which
# mentions begin and end. Offsets of characters go into the millions.
MAX_UNKNOWN_TOKENS = 10_000


def convert_document(document: Document) -> ReaderDocument:
    """Show the entities of a document as the key's side, with no systems.

    Entities are numbered in the order of their first mentions. A mention that stands in
    several entities is there once for each. Tokens whose words are not known, all of a
    document without words, are shown by their numbers, after the text.

    >>> from corefkit.model import Document, Entity, Mention
    >>> entities = (Entity("b", (Mention(2, 2),)), Entity("a", (Mention(0, 0),)))
    >>> shown = convert_document(Document("d", (("Ann", "saw", "Bob"),), entities))
    >>> shown.spans, shown.key
    ((((0, 0),), ((2, 2),)), (1, 2))
    """
    unknown = _unknown_tokens(document)
    place = _places(document, unknown)
    rows = [
        (_parts(mention, place), number)
        for number, entity in enumerate(document.entities)
        for mention in entity.mentions
    ]
    rows.sort(key=_reading_order)
    names = (tuple(map(str, unknown)),) if unknown else ()
    return ReaderDocument(
        id=document.id,
        sentences=(*document.sentences, *names),
        spans=tuple(parts for parts, _ in rows),
        key=_numbered(entity for _, entity in rows),
        empty=tuple(sorted(document.empty)),
        has_words=bool(document.sentences) or not unknown,
    )


def build_entity_reader(documents: Iterable[Document]) -> Reader:
    """Make a reader of documents that are not compared with anything.

    >>> from corefkit.model import Document
    >>> build_entity_reader([Document("d", (("Ann", "left"),), ())]).documents[0].id
    'd'
    """
    return build_documents_reader(map(convert_document, documents))


def build_documents_reader(documents: Iterable[ReaderDocument]) -> Reader:
    """Make a reader of such documents.

    Links name documents by their ids: of several with the same, the later ones get a
    number.

    >>> documents = [ReaderDocument("d", [["Ann"]], (), ())] * 3
    >>> [document.id for document in build_documents_reader(documents).documents]
    ['d', 'd (2)', 'd (3)']
    """
    own: list[ReaderDocument] = []
    taken: set[str] = set()
    for document in documents:
        ids = (f"{document.id} ({number})" for number in count(2))
        id = document.id
        while id in taken:
            id = next(ids)
        taken.add(id)
        own.append(document if id == document.id else replace(document, id=id))
    return Reader(ENTITIES, (), tuple(own))


def truncate_document(shown: ReaderDocument, tokens: int) -> ReaderDocument:
    """Keep the first sentences of a document of one side, up to so many tokens.

    A first sentence that is longer is cut. Mentions that are not whole are left out.

    >>> shown = ReaderDocument("d", [["Ann", "left"], ["She", "ran"]], [((2, 2),)], [1])
    >>> truncate_document(shown, 3).sentences, truncate_document(shown, 3).spans
    ((('Ann', 'left'),), ())
    """
    sentences: list[tuple[str, ...]] = []
    count = 0
    for sentence in shown.sentences:
        if count + len(sentence) > tokens:
            sentences += [] if sentences else [tuple(sentence[:tokens])]
            break
        sentences.append(tuple(sentence))
        count += len(sentence)
    end = sum(map(len, sentences))
    kept = [
        (parts, entity)
        for parts, entity in zip(shown.spans, shown.key, strict=True)
        if parts[-1][1] < end
    ]
    return replace(
        shown,
        sentences=tuple(sentences),
        spans=tuple(parts for parts, _ in kept),
        key=_numbered(entity for _, entity in kept),
        empty=tuple(token for token in shown.empty if token < end),
    )


def _numbered(entities: Iterable[int]) -> tuple[int, ...]:
    """Number entities from 1, in the order in which they are met."""
    numbers: dict[int, int] = {}
    return tuple(numbers.setdefault(one, len(numbers) + 1) for one in entities)


def _reading_order(row: tuple[Parts, int]) -> tuple[int, int, Parts, int]:
    parts, entity = row
    return parts[0][0], parts[-1][1], parts, entity


def _parts(mention: Mention, place: Callable[[int], int]) -> Parts:
    return tuple((place(first), place(last)) for first, last in mention.parts)


def _unknown_tokens(document: Document) -> Sequence[int]:
    """List the tokens that mentions have and the text has not."""
    known = sum(map(len, document.sentences))
    mentions = [mention for entity in document for mention in entity]
    last = max((mention.end for mention in mentions), default=-1)
    if last < known + MAX_UNKNOWN_TOKENS:
        return range(known, last + 1)
    ends = {end for mention in mentions for part in mention.parts for end in part}
    return sorted(end for end in ends if end >= known)


def _places(document: Document, unknown: Sequence[int]) -> Callable[[int], int]:
    """Say where each token of a mention is shown: mostly, where it is."""
    if isinstance(unknown, range):
        return lambda token: token
    known = sum(map(len, document.sentences))
    moved = {token: known + at for at, token in enumerate(unknown)}
    return lambda token: moved.get(token, token)


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


def encode_reader(reader: Reader) -> str:
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
    titles = shorten_ids([document.id for document in reader.documents])
    lines = ",\n".join(
        _written(_document(document, title))
        for document, title in zip(reader.documents, titles, strict=True)
    )
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


def _document(document: ReaderDocument, title: str) -> dict[str, Any]:
    id = replace_surrogates(document.id)
    values = {
        "id": id,
        "title": "" if title == document.id else replace_surrogates(title),
        "text": [_sentence(sentence) for sentence in document.sentences],
        "empty": list(document.empty),
        "spans": list(_spans(document.spans)),
        "gaps": _gaps(document.spans),
        "key": _entities(document.key),
        "responses": [_response(response) for response in document.responses],
        "wordless": not document.has_words,
        "named": document.is_named,
        "omitted": document.is_omitted,
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


def _response(response: ReaderResponse) -> dict[str, Any]:
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


def _link(link: ReaderLink) -> list[int]:
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
