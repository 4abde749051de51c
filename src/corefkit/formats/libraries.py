"""Objects of other libraries: spaCy and stanza documents, rows of data sets.

Objects are recognised by the names of their types, so that libraries are not imported.
A document without an id has the id `document`, or its number if it is in a list.
`docs/formats/tables.md` describes documents of spaCy and stanza, and the page on
Hugging Face the rows of data sets. Beyond these:

1.  If the prefix of span groups is given, only the groups with this prefix count. It is
    followed by `_` and digits: `coref_clusters_silver_1` is not an entity of
    `coref_clusters`. Empty groups are ignored.
2.  Both sides of an `Example` may be tokenized differently. Then both are split at all
    token boundaries of either side, so that mentions are compared by characters,
    ignoring blanks and case. A mention keeps its head if both sides have that token.
    The id is that of the reference.
3.  In rows of data sets, sentences, and words in each of them, are counted from 0. A
    sentence is a list of words, or has `words` or `tokens`; the word of a token that is
    a mapping is its `text`. A token whose `id` is not an integer is an empty node. The
    id is in `id` or `doc_name`. In CoNLL-2012 every part is a document.
4.  In a response, `predicted_clusters` replaces the entities in every layout:
    `[first, last]`, of words counted from 0 in the document.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain, pairwise, zip_longest
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from corefkit.exceptions import FormatError, PairingError, quoted
from corefkit.formats.dialects import list_fitting
from corefkit.formats.frames import wrap_frame
from corefkit.formats.in_memory import excerpt
from corefkit.formats.jsonl import convert_object, is_record
from corefkit.formats.tables import TableSource, describe_column_fault, find_roles
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Callable


class Table(Protocol):
    """A data frame of pandas or Polars, or an Arrow table or record batch."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class LazyTable(Protocol):
    """A lazy frame of Polars."""

    def collect_schema(self) -> object: ...


class SpacyDocument(Protocol):
    """A `Doc` of spaCy."""

    @property
    def user_data(self) -> dict[Any, Any]: ...


class SpacyExample(Protocol):
    """An `Example` of spaCy: a reference, and a prediction."""

    @property
    def reference(self) -> SpacyDocument: ...

    @property
    def predicted(self) -> SpacyDocument: ...


class StanzaDocument(Protocol):
    """A `Document` of stanza."""

    @property
    def coref(self) -> Sequence[Any]: ...


def open_table(value: object, name: str) -> TableSource | None:
    """Open a data frame; None if the value is not a data frame."""
    frame = wrap_frame(value, name)
    if frame is None:
        return None
    fault = describe_column_fault(frame.columns)
    if fault is not None:
        hint = "rename the columns of the table"
        raise FormatError(fault, code="input/invalid-columns", place=name, hint=hint)
    return TableSource(frame)


def convert_document(
    value: Any, name: str = "document", role: str = "key"
) -> Document | None:
    """Convert a document of spaCy or stanza; None if the value is something else.

    Of an `Example` of spaCy, a response is the prediction, and a key the reference.
    """
    for kind in type(value).__mro__:
        full_name = kind.__module__.partition(".")[0], kind.__name__
        if full_name == ("spacy", "Doc"):
            return convert_doc(value, name)
        if full_name == ("spacy", "Example"):
            return convert_example(value, name)[role == "response"]
        if full_name == ("stanza", "Document"):
            return _convert_stanza(value, name)
    return None


# spaCy.

# The span groups of spacy-experimental: of mentions, and of their heads only.
SPANS, HEADS = "coref_clusters", "coref_head_clusters"


def find_span_groups(doc: Any, prefix: str) -> dict[str, Any]:
    """Find the span groups with a prefix, by the digits after it."""
    pattern = re.compile(rf"{re.escape(prefix)}_([0-9]+)")
    matches = map(pattern.fullmatch, doc.spans)
    return {match[1]: doc.spans[match[0]] for match in matches if match}


def convert_doc(doc: Any, name: str, *, prefix: str | None = None) -> Document:
    """Convert a `Doc`; `name` is its id if it has none."""
    sentences = list(doc.sents) if doc.has_annotation("SENT_START") else [doc[:]]
    has_trees = doc.has_annotation("DEP")
    groups = (
        _iter_spacy_entities(doc)
        if prefix is None
        else find_span_groups(doc, prefix).items()
    )
    entities = [
        Entity(entity, tuple(_convert_span(span, has_trees) for span in mentions))
        for entity, mentions in groups
    ]
    return Document(
        str(doc.user_data.get("id", name)),
        tuple(tuple(token.text for token in sentence) for sentence in sentences),
        tuple(entity for entity in entities if entity.mentions),
        layers=_read_spacy_layers(doc),
    )


def convert_example(
    example: Any, name: str, *, prefix: str | None = None
) -> tuple[Document, Document]:
    """Convert an `Example` to its key, the reference, and response, the prediction."""
    name = str(example.reference.user_data.get("id", name))
    key, response = (
        convert_doc(doc, name, prefix=prefix)
        for doc in (example.reference, example.predicted)
    )
    # A pipeline may have set another id.
    response = replace(response, id=name)
    if key.tokens == response.tokens:
        return key, response
    texts = _join_text(key), _join_text(response)
    position = next(
        (
            offset
            for offset, characters in enumerate(zip_longest(*texts, fillvalue=""))
            if len(set(map(str.lower, characters))) > 1
        ),
        None,
    )
    if position is not None:
        expected, actual = (text[position : position + 20] for text in texts)
        message = f"found text {actual!r}, expected {expected!r} (without blanks)"
        hint = "reference and prediction of an Example must have the same text"
        code, place = "pairing/different-text", f"prediction of document {name!r}"
        raise PairingError(message, code=code, place=place, hint=hint)
    cuts = sorted({0, *_list_ends(key), *_list_ends(response)})
    return _retokenize(key, texts[0], cuts), _retokenize(response, texts[0], cuts)


def _iter_spacy_entities(doc: Any) -> Iterator[tuple[str, Iterable[Any]]]:
    """Iterate over entities and their mentions, each a span or a list of tokens."""
    # Heads count only if their spans were not predicted.
    groups = find_span_groups(doc, SPANS) or find_span_groups(doc, HEADS)
    if groups:
        yield from groups.items()
        return
    clusters = getattr(doc._, "coref_clusters", None)
    if clusters is not None:
        for number, cluster in enumerate(clusters):
            yield str(number), [_find_span(doc, *offsets) for offsets in cluster]
        return
    for number, mentions in enumerate(getattr(doc._, "coref_chains", None) or ()):
        yield str(number), [mention.token_indexes for mention in mentions]


def _find_span(doc: Any, start: int, end: int) -> Any:
    span = doc.char_span(start, end, alignment_mode="expand")
    if span is None:
        message = f"characters {start} to {end} are not in the document"
        hint = "check that the text was not changed after its entities were predicted"
        place = "doc._.coref_clusters"
        raise FormatError(message, code="input/outside-text", place=place, hint=hint)
    return span


def _convert_span(mention: Any, has_trees: bool) -> Mention:
    if isinstance(mention, list):
        return Mention.of(mention)
    head = mention.root.i if has_trees else None
    attributes = {"type": mention.label_} if mention.label_ else {}
    return Mention(mention.start, mention.end - 1, head=head, attributes=attributes)


def _read_spacy_layers(doc: Any) -> dict[str, tuple[str, ...]]:
    layers: dict[str, tuple[str, Callable[[Any], str]]] = {
        "lemma": ("LEMMA", lambda token: token.lemma_),
        "upos": ("POS", lambda token: token.pos_),
        "xpos": ("TAG", lambda token: token.tag_),
        "head": ("DEP", _number_head),
        "deprel": ("DEP", lambda token: token.dep_),
    }
    return {
        name: tuple(read(token) or "_" for token in doc)
        for name, (annotation, read) in layers.items()
        if doc.has_annotation(annotation)
    }


def _number_head(token: Any) -> str:
    """Return the number of a token's head in its sentence, from 1; 0 for the root."""
    return str(0 if token.head.i == token.i else token.head.i - token.sent.start + 1)


def _join_text(document: Document) -> str:
    return "".join("".join(document.tokens).split())


def _list_ends(document: Document) -> list[int]:
    """List the offset after each token in the text without blanks."""
    return list(accumulate(len("".join(word.split())) for word in document.tokens))


def _retokenize(document: Document, text: str, cuts: Sequence[int]) -> Document:
    """Split the text of a document into other tokens."""
    ends = _list_ends(document)
    starts = [0, *ends]

    def move_mention(mention: Mention) -> Mention:
        tokens = [
            token
            for start, end in mention.parts
            for token in range(
                bisect_left(cuts, starts[start]), bisect_left(cuts, ends[end])
            )
        ]
        if not tokens:
            message, place = "a mention has only blanks", f"document {document.id!r}"
            raise FormatError(message, code="input/not-a-mention", place=place)
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
        tuple(tuple(words[start:end]) for start, end in pairwise(edges) if start < end),
        tuple(
            Entity(entity.id, tuple(map(move_mention, entity.mentions)))
            for entity in document
        ),
    )


# stanza.

_NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*\S))?\s*$")  # in CoNLL-U


def _convert_stanza(document: Any, name: str) -> Document:
    sentences = [_list_stanza_words(sentence) for sentence in document.sentences]
    offsets = list(accumulate(map(len, sentences), initial=0))
    entities = {
        group.index: [
            _convert_stanza_mention(
                mention, sentences[mention.sentence], offsets[mention.sentence]
            )
            for mention in group.mentions
        ]
        for group in document.coref or ()
    }
    layers = ("lemma", "upos", "xpos", "feats", "head", "deprel")
    fields = ("text", "id", *layers)
    tokens = [
        [{field: getattr(word, field, None) for field in fields} for word in words]
        for words in sentences
    ]
    return _build_document(_find_stanza_id(document, name), tokens, entities, layers)


def _find_stanza_id(document: Any, name: str) -> str:
    for number, sentence in enumerate(document.sentences):
        comments = getattr(sentence, "comments", None) or ()
        headers = [match for match in map(_NEWDOC.match, comments) if match]
        if number and headers:
            message = f"sentence {number} begins another document: {headers[0][0]!r}"
            hint = "read each document by itself, with `CoNLL.conll2multi_docs`"
            code = "input/several-documents"
            raise FormatError(message, code=code, place=name, hint=hint)
        if not number:
            ids = [getattr(sentence, "doc_id", None), *(match[1] for match in headers)]
            name = next(map(str, filter(None, ids)), name)
    return name


def _list_stanza_words(sentence: Any) -> list[Any]:
    """List the words of a sentence, and empty words after the word of their id."""
    empty = getattr(sentence, "empty_words", None) or ()
    return sorted(
        [*sentence.words, *empty],
        key=lambda word: word.id if isinstance(word.id, tuple) else (word.id, 0),
    )


def _convert_stanza_mention(mention: Any, words: Sequence[Any], offset: int) -> Mention:
    ids = [word.id for word in words]
    if isinstance(mention.start_word, tuple):
        token = offset + ids.index(mention.start_word)
        return Mention(token, token, head=token)
    # Words are numbered from 0 here and from 1 in ids; the end is exclusive.
    start, end = ids.index(mention.start_word + 1), ids.index(mention.end_word)
    inner_ids = {word.id for word in words[start : end + 1]}
    heads = [
        offset + position
        for position in range(start, end + 1)
        if words[position].head is not None and words[position].head not in inner_ids
    ]
    return Mention(offset + start, offset + end, head=heads[0] if heads else None)


# Rows of Hugging Face data sets.

Row: TypeAlias = Mapping[str, Any]
# The id of a document, its sentences, and the entity, sentence, first and last word of
# each mention.
_Text: TypeAlias = tuple[str, object, Iterable[tuple[Any, int, int, int]]]

# Columns of entities, and the distance from the last word to the end of a mention.
_END_OFFSETS = {"coref_chains": 0, "mention_clusters": 1}
_IDS = ("id", "doc_name")
_PREDICTED = "predicted_clusters"
_LAYERS = ("lemma", "upos", "xpos", "head", "deprel")
_LAYOUTS_HINT = (
    "known are 'doc_key' with 'clusters', 'document_id' with 'sentences' that have "
    "'coref_spans', and 'sentences' with 'coref_chains' or 'mention_clusters'; other "
    "columns can be passed as {id: [[(first, last), ...], ...], ...}"
)
_TABLE_HINT = "for a table with one mention per row, pass dataset.to_pandas()"


def read_rows(value: object, role: str) -> list[Document] | None:
    """Read the documents of a data set, a list of rows, or a row; None for others."""
    rows = _iter_rows(value, role)
    if rows is None:
        return None
    return [
        document
        for number, row in enumerate(rows)
        for document in _read_row(row, role, f"{role}, row {number}")
    ]


def _iter_rows(value: object, role: str) -> Iterable[object] | None:
    is_dataset = any(
        kind.__module__.partition(".")[0] == "datasets" for kind in type(value).__mro__
    )
    if is_dataset and isinstance(value, Mapping):
        message = f"found the splits {', '.join(map(quoted, value))}, expected one"
        hint = "pass a single split: dataset['test']"
        raise FormatError(message, code="input/wrong-shape", place=role, hint=hint)
    if is_dataset:
        # Stored values, not tensors or arrays of the selected format.
        return cast("Iterable[object]", cast("Any", value).with_format(None))
    if isinstance(value, list | tuple):
        return value if value and _is_row(value[0]) else None
    return [value] if _is_row(value) else None


def _is_row(value: object) -> bool:
    """Return whether a value is a row of a layout other than a dialect of JSON."""
    if not isinstance(value, Mapping) or "sentences" not in value:
        return False
    dialects = [row.name for row in list_fitting(value, response=False)]
    if dialects == ["preco"] or "coref_chains" in value:
        return True
    return not dialects and not {"document_id", *_END_OFFSETS}.isdisjoint(value)


def _make_row_error(message: str, place: str, hint: str | None = None) -> FormatError:
    return FormatError(message, code="input/invalid-row", place=place, hint=hint)


def _read_row(row: object, role: str, place: str) -> list[Document]:
    if not isinstance(row, Mapping):
        message = f"found {excerpt(row)}, expected a row as the first one is"
        raise _make_row_error(message, place)
    if not _is_row(row):
        if is_record(row):
            return [convert_object(row, role)]
        names = ", ".join(map(quoted, row))
        message = f"found columns {names}, expected one of entities"
        hint = _LAYOUTS_HINT if find_roles(list(row)) is None else _TABLE_HINT
        raise FormatError(message, code="input/invalid-columns", place=place, hint=hint)
    texts = (
        _list_parts(row, place) if "document_id" in row else [_find_text(row, place)]
    )
    predicted = row.get(_PREDICTED) if role == "response" else None
    if predicted is not None and len(texts) > 1:
        message = f"has {_PREDICTED!r} for {len(texts)} parts, which are documents"
        code, hint = "input/several-documents", "pass them as {id: entities, ...}"
        raise FormatError(message, code=code, place=place, hint=hint)
    return [_read_text(text, predicted, place) for text in texts]


def _find_text(row: Row, place: str) -> _Text:
    column = next(name for name in _END_OFFSETS if name in row)
    names = [row[name] for name in _IDS if row.get(name) is not None]
    if not names:
        message = f"has no id, expected one in the column {' or '.join(_IDS)}"
        raise _make_row_error(message, place)
    return str(names[0]), row["sentences"], _iter_chains(row[column], column, place)


def _iter_chains(
    value: object, column: str, place: str
) -> Iterator[tuple[int, int, int, int]]:
    for number, entity in enumerate(_check_entities(value, column, place, size=3)):
        for sentence, start, end in entity:
            yield number, sentence, start, end - _END_OFFSETS[column]


def _list_parts(row: Row, place: str) -> list[_Text]:
    parts: dict[int, list[Row]] = {}
    for sentence in _check_list(row["sentences"], "sentences", place):
        if not isinstance(sentence, Mapping) or "coref_spans" not in sentence:
            message = f"found the sentence {excerpt(sentence)}, expected 'coref_spans'"
            raise _make_row_error(message, place, _LAYOUTS_HINT)
        part = sentence.get("part_id", 0)
        if type(part) is not int:
            message = f"found the part {excerpt(part)}, expected a number in 'part_id'"
            raise _make_row_error(message, place)
        parts.setdefault(part, []).append(sentence)
    return [
        (
            f"({row['document_id']}); part {part:03}",
            sentences,
            _iter_coref_spans(sentences, place),
        )
        for part, sentences in parts.items()
    ]


def _iter_coref_spans(
    sentences: Sequence[Row], place: str
) -> Iterator[tuple[Any, int, int, int]]:
    for number, sentence in enumerate(sentences):
        column = [sentence["coref_spans"]]
        (spans,) = _check_entities(column, "coref_spans", place, size=3)
        for entity, start, end in spans:
            yield entity, number, start, end


def _read_text(text: _Text, predicted: object, place: str) -> Document:
    """Read a document with its entities, or with predicted ones, if there are any."""
    name, value, mentions = text
    sentences = [
        _list_tokens(sentence, place)
        for sentence in _check_list(value, "sentences", place)
    ]
    offsets = list(accumulate(map(len, sentences), initial=0))
    entities: dict[object, list[Mention]] = {}
    if predicted is None:
        for entity, sentence, start, end in mentions:
            exists = 0 <= sentence < len(sentences)
            size = len(sentences[sentence]) if exists else 0
            extent = f"has {size} words" if exists else "does not exist"
            context = f" of sentence {sentence}, which {extent}"
            _check_span(start, end, size, context, "sentences and words", place)
            offset = offsets[sentence]
            span = Mention(offset + start, offset + end)
            entities.setdefault(entity, []).append(span)
    else:
        context = f", and the document has {offsets[-1]} words"
        clusters = _check_entities(predicted, _PREDICTED, place, size=2)
        for number, cluster in enumerate(clusters):
            for start, end in cluster:
                unit = "words of the document"
                _check_span(start, end, offsets[-1], context, unit, place)
                entities.setdefault(number, []).append(Mention(start, end))
    return _build_document(name, sentences, entities, _LAYERS)


def _list_tokens(sentence: object, place: str) -> list[Any]:
    """List the tokens of a sentence; each is a word or a mapping."""
    if isinstance(sentence, Mapping):
        sentence = sentence.get("words", sentence.get("tokens"))
    tokens = _check_list(sentence, "a sentence", place)
    for token in tokens:
        if not isinstance(_get_word(token), str):
            message = f"found the token {excerpt(token)}, expected a word"
            raise _make_row_error(message, place)
    return tokens


def _check_span(
    start: int, end: int, size: int, context: str, unit: str, place: str
) -> None:
    if not 0 <= start <= end < size:
        message = f"a mention goes from word {start} to word {end}{context}"
        code, hint = "input/outside-text", f"{unit} are counted from 0"
        raise FormatError(message, code=code, place=place, hint=hint)


def _check_entities(
    value: object, column: str, place: str, *, size: int
) -> list[list[Sequence[int]]]:
    """Check that entities are lists of mentions, each of `size` integers."""
    entities = [
        _check_list(entity, column, place)
        for entity in _check_list(value, column, place)
    ]
    for mention in chain.from_iterable(entities):
        is_valid = isinstance(mention, list | tuple) and len(mention) == size
        if not is_valid or not all(type(number) is int for number in mention):
            message = f"found {excerpt(mention)} in {column!r}, expected {size} numbers"
            raise _make_row_error(message, place, _LAYOUTS_HINT)
    return cast("list[list[Sequence[int]]]", entities)


def _check_list(value: object, what: str, place: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        message = f"found {excerpt(value)} as {what}, expected a list"
        raise _make_row_error(message, place, _LAYOUTS_HINT)
    return list(value)


# Documents of stanza and of rows: a token is a word, or a mapping with its syntax.


def _build_document(
    name: str,
    sentences: Sequence[Sequence[Any]],
    entities: Mapping[Any, Sequence[Mention]],
    layers: Sequence[str],
) -> Document:
    tokens = list(chain.from_iterable(sentences))
    has_syntax = all(isinstance(token, Mapping) for token in tokens)
    columns = {
        layer: [token.get(layer) for token in tokens]
        for layer in (layers if has_syntax else ())
    }
    return Document(
        name,
        tuple(tuple(map(_get_word, sentence)) for sentence in sentences),
        tuple(Entity(str(entity), tuple(group)) for entity, group in entities.items()),
        tuple(number for number, token in enumerate(tokens) if _is_empty(token)),
        layers={
            layer: tuple(map(_format_value, values))
            for layer, values in columns.items()
            if any(value is not None for value in values)
        },
    )


def _get_word(token: Any) -> Any:
    return token.get("text") if isinstance(token, Mapping) else token


def _is_empty(token: Any) -> bool:
    """Return whether a token is an empty node: its id is 8.1 or (8, 1), not 8."""
    number = token.get("id") if isinstance(token, Mapping) else None
    is_decimal = isinstance(number, float) and not number.is_integer()
    return is_decimal or isinstance(number, tuple)


def _format_value(value: Any) -> str:
    if value is None:
        return "_"
    return str(int(value) if isinstance(value, float) else value)
