"""Objects of other libraries: spaCy and stanza documents, rows of data sets.

They are known by the names of their types, so that no library is imported here.

1.  spaCy: a `Doc`, or an `Example`, which has both sides; see
    `corefkit.formats.libraries`.
2.  stanza: a `Document`. Its entities are in `document.coref`, words are those of
    Universal Dependencies, zeros are empty nodes. The head of a mention is the first
    word in it that hangs on one outside. Its id is the `doc_id` of its first sentence,
    or the one in the comment `# newdoc id = ...` above it.
3.  A document without id is called `document`; in a list, by its number there.
4.  pandas and Polars data frames, Polars lazy frames, Arrow tables and record batches
    are tables of mentions, as `corefkit.formats.tables` says.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, cast

from corefkit.exceptions import FormatError, PairingError, quoted
from corefkit.formats.frames import frame_of
from corefkit.formats.in_memory import excerpt
from corefkit.formats.jsonl import object_document
from corefkit.formats.tables import (
    TableSource,
    describe_column_fault,
    find_roles,
)
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Callable

# Documents of spaCy: a `Doc`, and an `Example`, which has both sides.
#
# spaCy is not imported here: what is passed in has what is asked of it.
#
# 1.  The entities of a `Doc` are the span groups `coref_clusters_1`, ... or, where
#   there
#     are none, `coref_head_clusters_1`, ... (spacy-experimental); else the spans of
#     characters in `doc._.coref_clusters` (fastcoref); else the lists of tokens in
#     `doc._.coref_chains` (coreferee). Where a prefix is asked for, they are the groups
#     with this prefix and nothing else.
# 2.  Behind the prefix of a group stand `_` and digits, as in spacy-experimental:
#     `coref_clusters_silver_1` is no entity of `coref_clusters`. An empty group is
#       none.
# 3.  Heads are the roots of spans where the document is parsed, and the label of a span
#     is the type of its entity. The id of a `Doc` is
#     `doc.user_data["id"]`, that of an `Example` the id of its reference.
# 4.  Key and response of an `Example` may have other tokens, as the tokenizer of a
#     pipeline has other ones than a corpus. Both are then cut wherever a token of
#       either
#     ends, and mentions are compared by the characters that they cover. Blanks and case
#     do not count. A mention keeps its head if both sides have that token.

# spacy-experimental's names of groups: whole mentions, and their heads alone.
SPANS, HEADS = "coref_clusters", "coref_head_clusters"


def numbered_groups(doc: Any, prefix: str) -> dict[str, Any]:
    """Find the span groups of a prefix, by what stands behind it."""
    name = re.compile(rf"{re.escape(prefix)}_([0-9]+)")
    return {
        found[1]: doc.spans[found[0]]
        for found in map(name.fullmatch, doc.spans)
        if found
    }


def spacy_document(doc: Any, name: str, *, prefix: str | None = None) -> Document:
    """Make a document of a `Doc`, which gets the name where it has no id itself."""
    sentences = list(doc.sents) if doc.has_annotation("SENT_START") else [doc[:]]
    parsed = doc.has_annotation("DEP")
    found = (
        _read_spacy_entities(doc)
        if prefix is None
        else numbered_groups(doc, prefix).items()
    )
    entities = [
        Entity(entity, tuple(_mention(span, parsed=parsed) for span in mentions))
        for entity, mentions in found
    ]
    return Document(
        str(doc.user_data.get("id", name)),
        tuple(tuple(token.text for token in sentence) for sentence in sentences),
        tuple(entity for entity in entities if entity.mentions),
        layers=_read_spacy_layers(doc),
    )


def example_documents(
    example: Any, name: str, *, prefix: str | None = None
) -> tuple[Document, Document]:
    """Make key and response of an `Example`: its reference, and what was predicted."""
    name = str(example.reference.user_data.get("id", name))
    key, response = (
        spacy_document(doc, name, prefix=prefix)
        for doc in (example.reference, example.predicted)
    )
    # What the pipeline put into a prediction does not name it.
    response = replace(response, id=name)
    if key.tokens == response.tokens:
        return key, response
    texts = _text(key), _text(response)
    first = _difference(*texts)
    if first is not None:
        expected, found = (text[first : first + 20] for text in texts)
        message = f"found text {found!r}, expected {expected!r} (without blanks)"
        hint = "reference and prediction of an Example are the same text"
        place = f"prediction of document {name!r}"
        raise PairingError(
            message, code="pairing/different-text", place=place, hint=hint
        )
    cuts = sorted({0, *_ends(key), *_ends(response)})
    return _cut(key, texts[0], cuts), _cut(response, texts[0], cuts)


def _read_spacy_entities(doc: Any) -> Iterator[tuple[str, Iterable[Any]]]:
    """Go through entities and their mentions, each a span or a list of tokens."""
    # Heads alone count only where no spans were made of them.
    groups = numbered_groups(doc, SPANS) or numbered_groups(doc, HEADS)
    if groups:
        yield from groups.items()
        return
    clusters = getattr(doc._, "coref_clusters", None)
    if clusters is not None:
        for number, cluster in enumerate(clusters):
            yield str(number), [_char_span(doc, *place) for place in cluster]
        return
    for number, mentions in enumerate(getattr(doc._, "coref_chains", None) or ()):
        yield str(number), [mention.token_indexes for mention in mentions]


def _char_span(doc: Any, start: int, end: int) -> Any:
    found = doc.char_span(start, end, alignment_mode="expand")
    if found is None:
        message = f"characters {start} to {end} are not in the document"
        hint = "was the text changed after its entities were found?"
        raise FormatError(
            message, code="input/outside-text", place="doc._.coref_clusters", hint=hint
        )
    return found


def _mention(mention: Any, *, parsed: bool) -> Mention:
    if isinstance(mention, list):
        return Mention.of(mention)
    head = mention.root.i if parsed else None
    kind = {"type": mention.label_} if mention.label_ else {}
    return Mention(mention.start, mention.end - 1, head=head, attributes=kind)


def _read_spacy_layers(doc: Any) -> dict[str, tuple[str, ...]]:
    layers: dict[str, tuple[str, Callable[[Any], str]]] = {
        "lemma": ("LEMMA", lambda token: token.lemma_),
        "upos": ("POS", lambda token: token.pos_),
        "xpos": ("TAG", lambda token: token.tag_),
        "head": ("DEP", _head_number),
        "deprel": ("DEP", lambda token: token.dep_),
    }
    return {
        name: tuple(value(token) or "_" for token in doc)
        for name, (annotation, value) in layers.items()
        if doc.has_annotation(annotation)
    }


def _head_number(token: Any) -> str:
    """Return the number of a token's head in its sentence, from 1; 0 for its root."""
    return str(0 if token.head.i == token.i else token.head.i - token.sent.start + 1)


def _text(document: Document) -> str:
    """Join the tokens of a document without any blanks."""
    return "".join("".join(document.tokens).split())


def _ends(document: Document) -> list[int]:
    """Say behind how many letters of the text each token ends."""
    return list(accumulate(len("".join(word.split())) for word in document.tokens))


def _difference(key: str, response: str) -> int | None:
    """Find the first letter that differs by more than its case."""
    for at, (one, other) in enumerate(zip(key, response, strict=False)):
        if one.lower() != other.lower():
            return at
    return None if len(key) == len(response) else min(len(key), len(response))


def _cut(document: Document, text: str, cuts: Sequence[int]) -> Document:
    """Cut a document into tokens of the text, whatever its own tokens are."""
    ends = _ends(document)
    starts = [0, *ends]

    def moved(mention: Mention) -> Mention:
        tokens = [
            token
            for start, end in mention.parts
            for token in range(
                bisect_left(cuts, starts[start]), bisect_left(cuts, ends[end])
            )
        ]
        if not tokens:
            message = "a mention is nothing but blanks"
            raise FormatError(
                message, code="input/not-a-mention", place=f"document {document.id!r}"
            )
        head = None
        if mention.head is not None:
            first = bisect_left(cuts, starts[mention.head])
            if cuts[first + 1 : first + 2] == [ends[mention.head]]:
                head = first
        return Mention.of(tokens, head=head, attributes=mention.attributes)

    words = [text[start:end] for start, end in pairwise(cuts)]
    bounds = [0, *accumulate(map(len, document.sentences))]
    edges = [bisect_left(cuts, starts[bound]) for bound in bounds]
    return Document(
        document.id,
        tuple(tuple(words[a:b]) for a, b in pairwise(edges) if a < b),
        tuple(
            Entity(entity.id, tuple(map(moved, entity.mentions))) for entity in document
        ),
    )


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
    wrong = describe_column_fault(frame.columns)
    if wrong is not None:
        raise FormatError(
            wrong,
            code="input/invalid-columns",
            place=name,
            hint="rename the columns of the table",
        )
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
            raise FormatError(
                message, code="input/several-documents", place=name, hint=hint
            )
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


# Rows of coreference data sets as the Hugging Face hub has them.
#
# Data sets are known by the names of their types, so that no library is imported here.
# Rows are known by their columns, in a data set, in a list, or alone:
#
# 1.  CoNLL-2012 (`conll2012_ontonotesv5`): `document_id` and `sentences`, each of which
#     has `part_id`, `words` and `coref_spans`, `[entity, first, last]`. Every part is a
#     document.
# 2.  coref-data (`*_indiscrim`) and LitBank: `coref_chains` of `[sentence, first,
#   last]`.
#     The id is in `id` or `doc_name`.
# 3.  PreCo: `mention_clusters` of `[sentence, first, behind the last]`. The id is in
#     `id`.
# 4.  JSON lines: `doc_key` and `clusters`; `corefkit.formats.jsonl` reads them.
# 5.  In 1, 2 and 3 sentences, and words in each, are counted from 0. A sentence is a
#   list
#     of words, or has `words` or `tokens`; a token that is a mapping has its word in
#     `text`. A token whose `id` is no whole number is an empty node.
# 6.  In a response, `predicted_clusters` count instead of the others, in every layout:
#     `[first, last]` of words that are counted from 0 through the document.

Row: TypeAlias = Mapping[str, Any]

# Columns of entities, and how far behind its last word a mention ends there.
_ENDS = {"coref_chains": 0, "mention_clusters": 1}
_IDS = ("id", "doc_name")
_JSON = ("doc_key", "clusters")
_PREDICTED = "predicted_clusters"
_LAYERS = ("lemma", "upos", "xpos", "head", "deprel")
_KNOWN = (
    "known are 'doc_key' with 'clusters', 'document_id' with 'sentences' that have "
    "'coref_spans', and 'sentences' with 'coref_chains' or 'mention_clusters'; other "
    "columns can be given as {id: [[(first, last), ...], ...], ...}"
)
_TABLE = "a mention in each row makes a table: give dataset.to_pandas()"


def documents_in_rows(value: object, role: str) -> list[Document] | None:
    """Read the documents of a data set, of a list of rows, or of a row.

    None where the value is none of these.

    >>> row = {"id": "d", "sentences": [["Ann", "left"], ["She", "slept"]]}
    >>> row["mention_clusters"] = [[[0, 0, 1], [1, 0, 1]]]
    >>> (document,) = documents_in_rows(row, "key")
    >>> [tuple(mention) for mention in document.entities[0]]
    [(0, 0), (2, 2)]
    """
    rows = _rows_of(value, role)
    if rows is None:
        return None
    documents: list[Document] = []
    for at, row in enumerate(rows):
        documents.extend(_documents(row, role, f"{role}, row {at}"))
    return documents


def _rows_of(value: object, role: str) -> Iterable[object] | None:
    kinds = [
        kind.__name__
        for kind in type(value).__mro__
        if kind.__module__.partition(".")[0] == "datasets"
    ]
    if kinds and isinstance(value, Mapping):
        splits = ", ".join(map(quoted, value))
        message = f"found the splits {splits}, expected one of them"
        raise FormatError(
            message,
            code="input/wrong-shape",
            place=role,
            hint="give one: dataset['test']",
        )
    if kinds:
        # Rows as they are stored, whatever tensors or arrays somebody asked for.
        return cast("Iterable[object]", cast("Any", value).with_format(None))
    if isinstance(value, list | tuple):
        return value if value and _is_row(value[0]) else None
    return [value] if _is_row(value) else None


def _is_row(value: object) -> bool:
    """Say whether a value is a row of a layout that is not JSON lines."""
    if not isinstance(value, Mapping) or "sentences" not in value:
        return False
    return "document_id" in value or not _ENDS.keys().isdisjoint(value)


def _documents(row: object, role: str, place: str) -> Iterable[Document]:
    """Read the documents of a row: one, or one for each part."""
    if not isinstance(row, Mapping):
        message = f"found {excerpt(row)}, expected a row as the first one is"
        raise FormatError(message, code="input/invalid-row", place=place)
    predicted = None if role != "response" else row.get(_PREDICTED)
    if _is_row(row):
        return (_parts if "document_id" in row else _whole)(row, predicted, place)
    if any(name in row for name in _JSON):
        return [object_document(row, role)]
    columns = ", ".join(map(quoted, row))
    message = f"has the columns {columns}, none of which is known to hold entities"
    hint = _KNOWN if find_roles(list(row)) is None else _TABLE
    raise FormatError(message, code="input/invalid-columns", place=place, hint=hint)


def _whole(row: Row, predicted: object, place: str) -> Iterator[Document]:
    """Read a document whose entities stand beside its sentences."""
    text = _Text.of(row["sentences"], place)
    column = next(name for name in _ENDS if name in row)
    names = [row[name] for name in _IDS if row.get(name) is not None]
    if not names:
        message = f"has no id, expected one in the column {' or '.join(_IDS)}"
        raise FormatError(message, code="input/invalid-row", place=place)
    if predicted is not None:
        entities = text.predicted(predicted)
    else:
        entities = [
            [
                text.mention(sentence, start, end - _ENDS[column])
                for sentence, start, end in entity
            ]
            for entity in _check_entities(row[column], column, place, size=3)
        ]
    named = ((str(number), entity) for number, entity in enumerate(entities))
    yield text.document(str(names[0]), named)


def _parts(row: Row, predicted: object, place: str) -> Iterator[Document]:
    """Read the parts of a document, whose entities stand in its sentences."""
    parts: dict[int, list[Row]] = {}
    for sentence in _listed(row["sentences"], "sentences", place):
        if not isinstance(sentence, Mapping) or "coref_spans" not in sentence:
            message = f"found the sentence {excerpt(sentence)}, expected 'coref_spans'"
            raise FormatError(
                message, code="input/invalid-row", place=place, hint=_KNOWN
            )
        part = sentence.get("part_id", 0)
        if type(part) is not int:
            message = f"found the part {excerpt(part)}, expected a number in 'part_id'"
            raise FormatError(message, code="input/invalid-row", place=place)
        parts.setdefault(part, []).append(sentence)
    if predicted is not None and len(parts) > 1:
        message = f"has {_PREDICTED!r} for {len(parts)} parts, which are documents"
        raise FormatError(
            message,
            code="input/several-documents",
            place=place,
            hint="give them as {id: entities, ...}",
        )
    for part, sentences in parts.items():
        text = _Text.of(sentences, place)
        if predicted is not None:
            found = text.predicted(predicted)
            entities = {str(number): entity for number, entity in enumerate(found)}
        else:
            entities = {}
            for at, sentence in enumerate(sentences):
                spans = _check_entities(
                    [sentence["coref_spans"]], "coref_spans", place, 3
                )
                for entity, start, end in spans[0]:
                    mention = text.mention(at, start, end)
                    entities.setdefault(str(entity), []).append(mention)
        yield text.document(f"({row['document_id']}); part {part:03}", entities.items())


class _Text(NamedTuple):
    """The sentences of a document, and how many tokens stand before each."""

    sentences: Sequence[Sequence[Any]]
    first: Sequence[int]
    place: str

    @staticmethod
    def of(value: object, place: str) -> _Text:
        """Read the tokens of sentences; each is a word, or a mapping."""
        sentences: list[Sequence[Any]] = []
        for sentence in _listed(value, "sentences", place):
            if isinstance(sentence, Mapping):
                sentence = sentence.get("words", sentence.get("tokens"))
            tokens = _listed(sentence, "a sentence", place)
            for token in tokens:
                if not isinstance(_word(token), str):
                    message = f"found the token {excerpt(token)}, expected a word"
                    raise FormatError(message, code="input/invalid-row", place=place)
            sentences.append(tokens)
        first = list(accumulate(map(len, sentences), initial=0))
        return _Text(sentences, first, place)

    def mention(self, sentence: int, start: int, end: int) -> Mention:
        """Count a mention of a sentence through the document."""
        known = 0 <= sentence < len(self.sentences)
        words = len(self.sentences[sentence]) if known else 0
        if not 0 <= start <= end < words:
            there = f"has {words} words" if known else "is not there"
            message = (
                f"a mention goes from word {start} to word {end} of sentence "
                f"{sentence}, which {there}"
            )
            hint = "sentences and words are counted from 0"
            raise FormatError(
                message, code="input/outside-text", place=self.place, hint=hint
            )
        return Mention(self.first[sentence] + start, self.first[sentence] + end)

    def predicted(self, value: object) -> list[list[Mention]]:
        """Read entities whose words are counted through the document."""
        words, entities = (
            self.first[-1],
            _check_entities(value, _PREDICTED, self.place, 2),
        )
        for start, end in chain.from_iterable(entities):
            if not 0 <= start <= end < words:
                message = (
                    f"a mention goes from word {start} to word {end}, and the document "
                    f"has {words} words"
                )
                hint = "words are counted from 0 through the document"
                raise FormatError(
                    message, code="input/outside-text", place=self.place, hint=hint
                )
        return [[Mention(start, end) for start, end in entity] for entity in entities]

    def document(
        self, name: str, entities: Iterable[tuple[str, Sequence[Mention]]]
    ) -> Document:
        """Make the document."""
        tokens = list(chain.from_iterable(self.sentences))
        return Document(
            name,
            tuple(tuple(map(_word, sentence)) for sentence in self.sentences),
            tuple(
                Entity(each, tuple(mentions)) for each, mentions in entities if mentions
            ),
            tuple(at for at, token in enumerate(tokens) if _is_empty(token)),
            layers=_read_layers(tokens),
        )


def _word(token: Any) -> Any:
    return token.get("text") if isinstance(token, Mapping) else token


def _is_empty(token: Any) -> bool:
    """Say whether a token is an empty node: its id is 8.1, and not 8."""
    number = token.get("id") if isinstance(token, Mapping) else None
    return isinstance(number, float) and not number.is_integer()


def _read_layers(tokens: Sequence[Any]) -> dict[str, tuple[str, ...]]:
    """Take what tokens tell of syntax, where any does."""
    if not all(isinstance(token, Mapping) for token in tokens):
        return {}
    columns = {name: [token.get(name) for token in tokens] for name in _LAYERS}
    return {
        name: tuple(map(_cell, values))
        for name, values in columns.items()
        if any(value is not None for value in values)
    }


def _cell(value: Any) -> str:
    if value is None:
        return "_"
    return str(int(value) if isinstance(value, float) else value)


def _check_entities(
    value: object, column: str, place: str, size: int
) -> list[list[Sequence[int]]]:
    """Check that entities are lists of mentions, of so many numbers each."""
    entities = [
        _listed(entity, column, place) for entity in _listed(value, column, place)
    ]
    for mention in chain.from_iterable(entities):
        fits = isinstance(mention, list | tuple) and len(mention) == size
        if not fits or not all(type(number) is int for number in mention):
            message = f"found {excerpt(mention)} in {column!r}, expected {size} numbers"
            raise FormatError(
                message, code="input/invalid-row", place=place, hint=_KNOWN
            )
    return cast("list[list[Sequence[int]]]", entities)


def _listed(value: object, what: str, place: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        message = f"found {excerpt(value)} as {what}, expected a list"
        raise FormatError(message, code="input/invalid-row", place=place, hint=_KNOWN)
    return list(value)
