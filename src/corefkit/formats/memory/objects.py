"""Objects of other libraries: documents of spaCy and stanza, and data frames.

They are known by the names of their types, so that no library is imported here.

1.  spaCy: a `Doc`, or an `Example`, which has both sides; see
    `corefkit.formats.memory.spacy_docs`.
2.  stanza: a `Document`. Its entities are in `document.coref`, words are those of
    Universal Dependencies, zeros are empty nodes. The head of a mention is the first
    word in it that hangs on one outside. Its id is the `doc_id` of its first sentence,
    or the one in the comment `# newdoc id = ...` above it.
3.  A document without id is called `document`; in a list, by its number there.
4.  pandas and Polars data frames, Polars lazy frames, Arrow tables and record batches
    are tables of mentions, as `corefkit.formats.tables.tables` says.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol

from corefkit.exceptions import FormatError
from corefkit.formats.memory.spacy_docs import example_documents, spacy_document
from corefkit.formats.tables.frames import frame_of
from corefkit.formats.tables.source import TableSource
from corefkit.formats.tables.tables import column_fault
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

_NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*\S))?\s*$")  # in CoNLL-U


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


class SpacyExample(Protocol):
    """An `Example` of spaCy, which has a key and a response."""

    @property
    def reference(self) -> SpacyDocument:
        """The document as it is annotated."""
        ...

    @property
    def predicted(self) -> SpacyDocument:
        """The document as a pipeline has it."""
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


def document_of(
    value: Any, name: str = "document", role: str = "key"
) -> Document | None:
    """Make a document of one of spaCy or stanza; None where the value is neither.

    It gets the name where it has no id itself. An `Example` of spaCy is the document
    that was predicted where the role is `response`, and the reference elsewhere.
    """
    for kind in type(value).__mro__:
        known = kind.__module__.partition(".")[0], kind.__name__
        if known == ("spacy", "Doc"):
            return spacy_document(value, name)
        if known == ("spacy", "Example"):
            return example_documents(value, name)[role == "response"]
        if known == ("stanza", "Document"):
            return _stanza_document(value, name)
    return None


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
    return Document(
        _stanza_id(document, name),
        tuple(tuple(word.text for word in sentence) for sentence in sentences),
        tuple(entities),
        tuple(at for at, word in enumerate(words) if isinstance(word.id, tuple)),
        layers=_stanza_layers(words),
    )


def _stanza_id(document: Any, name: str) -> str:
    for at, sentence in enumerate(document.sentences):
        comments = getattr(sentence, "comments", None) or ()
        above = [found for found in map(_NEWDOC.match, comments) if found]
        if at and above:
            message = f"sentence {at} begins another document: {above[0][0]!r}"
            hint = "`CoNLL.conll2multi_docs` of stanza reads each by itself"
            raise FormatError(message, place=name, hint=hint)
        if not at:
            names = [getattr(sentence, "doc_id", None), *(one[1] for one in above)]
            name = next((str(one) for one in names if one), name)
    return name


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
