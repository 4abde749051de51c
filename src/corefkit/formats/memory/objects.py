"""Objects of other libraries: documents of spaCy and stanza, and data frames.

They are known by the names of their types, so that no library is imported here.

1.  spaCy: a `Doc`. Its entities are the span groups `coref_clusters_1`, ... or, where
    there are none, `coref_head_clusters_1`, ... (spacy-experimental); else the spans of
    characters in `doc._.coref_clusters` (fastcoref); else the lists of tokens in
    `doc._.coref_chains` (coreferee). Heads are the roots of spans where the document is
    parsed. Its id is `doc.user_data["id"]`.
2.  stanza: a `Document`. Its entities are in `document.coref`, words are those of
    Universal Dependencies, zeros are empty nodes. The head of a mention is the first
    word in it that hangs on one outside. Its id is the `doc_id` of its first sentence.
3.  A document without id is called `document`; in a list, by its number there.
4.  pandas and Polars data frames, Polars lazy frames, Arrow tables and record batches
    are tables of mentions, as `corefkit.formats.tables.tables` says.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol

from corefkit.exceptions import FormatError
from corefkit.formats.tables.frames import frame_of
from corefkit.formats.tables.source import TableSource
from corefkit.formats.tables.tables import column_fault
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_GROUP = re.compile(r"(coref(?:_head)?_clusters)_(.+)")


class Table(Protocol):
    """A data frame of pandas or Polars, or an Arrow table or record batch."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return its columns, as all these do."""
        ...


class LazyTable(Protocol):
    """A lazy frame of Polars."""

    def collect_schema(self) -> object:
        """Return its columns."""
        ...


class SpacyDocument(Protocol):
    """A `Doc` of spaCy."""

    @property
    def user_data(self) -> dict[Any, Any]:
        """What its user has put there."""
        ...


class StanzaDocument(Protocol):
    """A `Document` of stanza."""

    @property
    def coref(self) -> Sequence[Any]:
        """Its entities."""
        ...


def table_of(value: object, name: str) -> TableSource | None:
    """Open a data frame; None where the value is none."""
    frame = frame_of(value, name)
    if frame is None:
        return None
    wrong = column_fault(frame.columns)
    if wrong is not None:
        raise FormatError(wrong, place=name, hint="rename the columns of the table")
    return TableSource(frame)


def document_of(value: Any, name: str = "document") -> Document | None:
    """Make a document of one of spaCy or stanza; None where the value is neither.

    It gets the name where it has no id itself.
    """
    for kind in type(value).__mro__:
        known = kind.__module__.partition(".")[0], kind.__name__
        if known == ("spacy", "Doc"):
            return _spacy_document(value, name)
        if known == ("stanza", "Document"):
            return _stanza_document(value, name)
    return None


def _spacy_document(doc: Any, name: str) -> Document:
    sentences = list(doc.sents) if doc.has_annotation("SENT_START") else [doc[:]]
    parsed = doc.has_annotation("DEP")
    entities = [
        Entity(entity, tuple(_spacy_mention(span, parsed=parsed) for span in mentions))
        for entity, mentions in _spacy_entities(doc)
    ]
    return Document(
        str(doc.user_data.get("id", name)),
        tuple(tuple(token.text for token in sentence) for sentence in sentences),
        tuple(entity for entity in entities if entity.mentions),
        layers=_spacy_layers(doc),
    )


def _spacy_entities(doc: Any) -> Iterator[tuple[str, Iterable[Any]]]:
    """Go through entities and their mentions, each a span or a list of tokens."""
    groups = [
        (match, doc.spans[match[0]])
        for match in map(_GROUP.fullmatch, doc.spans)
        if match
    ]
    # Heads alone count only where no spans were made of them.
    kinds = [match[1] for match, _ in groups]
    for match, spans in groups:
        if match[1] == min(kinds, key=len):
            yield match[2], spans
    if groups:
        return
    clusters = getattr(doc._, "coref_clusters", None)
    if clusters is not None:
        for number, cluster in enumerate(clusters):
            yield str(number), [_char_span(doc, *place) for place in cluster]
        return
    for number, chain in enumerate(getattr(doc._, "coref_chains", None) or ()):
        yield str(number), [mention.token_indexes for mention in chain]


def _char_span(doc: Any, start: int, end: int) -> Any:
    found = doc.char_span(start, end, alignment_mode="expand")
    if found is None:
        message = f"characters {start} to {end} are not in the document"
        hint = "was the text changed after its entities were found?"
        raise FormatError(message, place="doc._.coref_clusters", hint=hint)
    return found


def _spacy_mention(mention: Any, *, parsed: bool) -> Mention:
    if isinstance(mention, list):
        return Mention.of(mention)
    head = mention.root.i if parsed else None
    return Mention(mention.start, mention.end - 1, head=head)


def _spacy_layers(doc: Any) -> dict[str, tuple[str, ...]]:
    layers: dict[str, tuple[str, Callable[[Any], str]]] = {
        "lemma": ("LEMMA", lambda token: token.lemma_),
        "upos": ("POS", lambda token: token.pos_),
        "xpos": ("TAG", lambda token: token.tag_),
        "head": ("DEP", _spacy_head),
        "deprel": ("DEP", lambda token: token.dep_),
    }
    return {
        name: tuple(value(token) or "_" for token in doc)
        for name, (annotation, value) in layers.items()
        if doc.has_annotation(annotation)
    }


def _spacy_head(token: Any) -> str:
    """Return the number of a token's head in its sentence, from 1; 0 for its root."""
    return str(0 if token.head.i == token.i else token.head.i - token.sent.start + 1)


def _stanza_document(document: Any, name: str) -> Document:
    sentences = [_stanza_words(sentence) for sentence in document.sentences]
    first = list(accumulate(map(len, sentences), initial=0))
    entities = [
        Entity(
            str(chain.index),
            tuple(_stanza_mention(part, sentences, first) for part in chain.mentions),
        )
        for chain in document.coref or ()
    ]
    words = [word for sentence in sentences for word in sentence]
    ids = [getattr(sentence, "doc_id", None) for sentence in document.sentences[:1]]
    return Document(
        str(ids[0]) if ids and ids[0] else name,
        tuple(tuple(word.text for word in sentence) for sentence in sentences),
        tuple(entities),
        tuple(at for at, word in enumerate(words) if isinstance(word.id, tuple)),
        layers=_stanza_layers(words),
    )


def _stanza_words(sentence: Any) -> list[Any]:
    """List the words of a sentence, each empty one behind the word of its id."""
    empty = getattr(sentence, "empty_words", None) or ()
    return sorted([*sentence.words, *empty], key=_stanza_place)


def _stanza_place(word: Any) -> tuple[int, int]:
    return word.id if isinstance(word.id, tuple) else (word.id, 0)


def _stanza_mention(
    mention: Any, sentences: Sequence[Sequence[Any]], first: Sequence[int]
) -> Mention:
    words, offset = sentences[mention.sentence], first[mention.sentence]
    ids = [word.id for word in words]
    if isinstance(mention.start_word, tuple):
        token = offset + ids.index(mention.start_word)
        return Mention(token, token, head=token)
    # Words are numbered from 0 here and from 1 in ids; the end is behind the mention.
    start, end = ids.index(mention.start_word + 1), ids.index(mention.end_word)
    inside = {word.id for word in words[start : end + 1]}
    heads = [
        offset + at
        for at in range(start, end + 1)
        if words[at].head is not None and words[at].head not in inside
    ]
    return Mention(offset + start, offset + end, head=heads[0] if heads else None)


def _stanza_layers(words: Sequence[Any]) -> dict[str, tuple[str, ...]]:
    layers = {
        name: [getattr(word, name, None) for word in words]
        for name in ("lemma", "upos", "xpos", "feats", "head", "deprel")
    }
    return {
        name: tuple("_" if value is None else str(value) for value in values)
        for name, values in layers.items()
        if any(value is not None for value in values)
    }
