"""Rows of coreference data sets as the Hugging Face hub has them.

Data sets are known by the names of their types, so that no library is imported here.
Rows are known by their columns, in a data set, in a list, or alone:

1.  CoNLL-2012 (`conll2012_ontonotesv5`): `document_id` and `sentences`, each of which
    has `part_id`, `words` and `coref_spans`, `[entity, first, last]`. Every part is a
    document.
2.  coref-data (`*_indiscrim`) and LitBank: `coref_chains` of `[sentence, first, last]`.
    The id is in `id` or `doc_name`.
3.  PreCo: `mention_clusters` of `[sentence, first, behind the last]`. The id is in
    `id`.
4.  JSON lines: `doc_key` and `clusters`; `corefkit.formats.jsonl.records` reads them.
5.  In 1, 2 and 3 sentences, and words in each, are counted from 0. A sentence is a list
    of words, or has `words` or `tokens`; a token that is a mapping has its word in
    `text`. A token whose `id` is no whole number is an empty node.
6.  In a response, `predicted_clusters` count instead of the others, in every layout:
    `[first, last]` of words that are counted from 0 through the document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple, TypeAlias, cast

from corefkit.exceptions import FormatError, quoted
from corefkit.formats.jsonl.records import object_document
from corefkit.formats.memory.entities import excerpt
from corefkit.formats.tables.tables import roles_of
from corefkit.model import Document, Entity, Mention

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
        raise FormatError(message, place=role, hint="give one: dataset['test']")
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
        raise FormatError(message, place=place)
    predicted = None if role != "response" else row.get(_PREDICTED)
    if _is_row(row):
        return (_parts if "document_id" in row else _whole)(row, predicted, place)
    if any(name in row for name in _JSON):
        return [object_document(row, role)]
    columns = ", ".join(map(quoted, row))
    message = f"has the columns {columns}, none of which is known to hold entities"
    hint = _KNOWN if roles_of(list(row)) is None else _TABLE
    raise FormatError(message, place=place, hint=hint)


def _whole(row: Row, predicted: object, place: str) -> Iterator[Document]:
    """Read a document whose entities stand beside its sentences."""
    text = _Text.of(row["sentences"], place)
    column = next(name for name in _ENDS if name in row)
    names = [row[name] for name in _IDS if row.get(name) is not None]
    if not names:
        message = f"has no id, expected one in the column {' or '.join(_IDS)}"
        raise FormatError(message, place=place)
    if predicted is not None:
        entities = text.predicted(predicted)
    else:
        entities = [
            [
                text.mention(sentence, start, end - _ENDS[column])
                for sentence, start, end in entity
            ]
            for entity in _entities(row[column], column, place, size=3)
        ]
    named = ((str(number), entity) for number, entity in enumerate(entities))
    yield text.document(str(names[0]), named)


def _parts(row: Row, predicted: object, place: str) -> Iterator[Document]:
    """Read the parts of a document, whose entities stand in its sentences."""
    parts: dict[int, list[Row]] = {}
    for sentence in _listed(row["sentences"], "sentences", place):
        if not isinstance(sentence, Mapping) or "coref_spans" not in sentence:
            message = f"found the sentence {excerpt(sentence)}, expected 'coref_spans'"
            raise FormatError(message, place=place, hint=_KNOWN)
        part = sentence.get("part_id", 0)
        if type(part) is not int:
            message = f"found the part {excerpt(part)}, expected a number in 'part_id'"
            raise FormatError(message, place=place)
        parts.setdefault(part, []).append(sentence)
    if predicted is not None and len(parts) > 1:
        message = f"has {_PREDICTED!r} for {len(parts)} parts, which are documents"
        raise FormatError(message, place=place, hint="give them as {id: entities, ...}")
    for part, sentences in parts.items():
        text = _Text.of(sentences, place)
        if predicted is not None:
            found = text.predicted(predicted)
            entities = {str(number): entity for number, entity in enumerate(found)}
        else:
            entities = {}
            for at, sentence in enumerate(sentences):
                spans = _entities([sentence["coref_spans"]], "coref_spans", place, 3)
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
                    raise FormatError(message, place=place)
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
            raise FormatError(message, place=self.place, hint=hint)
        return Mention(self.first[sentence] + start, self.first[sentence] + end)

    def predicted(self, value: object) -> list[list[Mention]]:
        """Read entities whose words are counted through the document."""
        words, entities = self.first[-1], _entities(value, _PREDICTED, self.place, 2)
        for start, end in chain.from_iterable(entities):
            if not 0 <= start <= end < words:
                message = (
                    f"a mention goes from word {start} to word {end}, and the document "
                    f"has {words} words"
                )
                hint = "words are counted from 0 through the document"
                raise FormatError(message, place=self.place, hint=hint)
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
            layers=_layers(tokens),
        )


def _word(token: Any) -> Any:
    return token.get("text") if isinstance(token, Mapping) else token


def _is_empty(token: Any) -> bool:
    """Say whether a token is an empty node: its id is 8.1, and not 8."""
    number = token.get("id") if isinstance(token, Mapping) else None
    return isinstance(number, float) and not number.is_integer()


def _layers(tokens: Sequence[Any]) -> dict[str, tuple[str, ...]]:
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


def _entities(
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
            raise FormatError(message, place=place, hint=_KNOWN)
    return cast("list[list[Sequence[int]]]", entities)


def _listed(value: object, what: str, place: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        message = f"found {excerpt(value)} as {what}, expected a list"
        raise FormatError(message, place=place, hint=_KNOWN)
    return list(value)
