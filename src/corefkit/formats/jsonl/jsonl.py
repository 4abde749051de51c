"""JSON lines of the end-to-end resolvers: one document a line.

1.  Each line that is not blank is a JSON object. `doc_key` names the document.
2.  `sentences` is a list of lists of words; it may be missing, and then the text is not
    compared. Tokens are numbered through the document from 0.
3.  `clusters` is a list of entities, each a list of spans `[start, end]`, both ends
    included and inside the document.
4.  A response that carries `predicted_clusters` is scored by these, since resolvers
    that write them also copy the key's `clusters`.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias

import numpy as np

from corefkit.columns import Columns
from corefkit.columns.words import text_hash
from corefkit.exceptions import FormatError, quoted
from corefkit.formats.base import CROSSINGS, Reader, Writer
from corefkit.formats.documents import DocumentSource, Extent, Parsed
from corefkit.formats.faults import NOT_UTF8, Faults
from corefkit.model import Document, Entity, Mention
from corefkit.strings.ids import canonical_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Problem

    Tell: TypeAlias = Callable[[str, str], None]

# No JSON string can hold this: a quote inside one has a backslash before it.
_DOCUMENT_KEY = re.compile(rb'"doc_key"\s*:\s*("(?:[^"\\]|\\.)*")')
_FAR = 1 << 40  # no document has that many tokens
_READ = ("doc_key", "sentences", "clusters", "predicted_clusters")
_SHAPE = "expected one JSON object per line with 'doc_key', 'sentences' and 'clusters'"
_HALF = re.compile("[\ud800-\udfff]")


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like JSON lines."""
    return head.lstrip().startswith(b"{")


class JsonlSource(DocumentSource):
    """The documents of a JSON lines file, found once and read when asked for."""

    def __init__(self, file: ByteFile, *, response: bool) -> None:
        self._response = response
        super().__init__(file, self._lines, self._parse_line)

    def _lines(self, file: ByteFile, faults: Faults) -> Iterator[Extent]:
        for start, line in file.lines(file.text_start, file.size):
            if line.strip():
                name = self._id(start, line, faults)
                yield Extent(name, start, start + len(line))

    def _id(self, start: int, line: bytes, faults: Faults) -> str:
        keys = _DOCUMENT_KEY.findall(line)
        if len(keys) == 1:
            with suppress(ValueError):  # the whole line says better what is wrong
                return str(json.loads(keys[0]))
        return self._record(start, line, faults).id

    def _parse_line(self, file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
        data = file.read(extent.start, extent.end)
        record = self._record(extent.start, data, faults)
        lines = [file.line_number(extent.start)] * max(record.token_count, 0)
        return Parsed(record.document(), lines)

    def _record(self, start: int, line: bytes, faults: Faults) -> Record:
        tell = partial(faults.at, start)
        record = read_record(line, tell, response=self._response)
        assert record is not None, "what is wrong with a line is raised"
        return record

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some documents, in the order asked for."""
        records = [
            self._record(start, self.file.read(start, end), self._faults)
            for _, start, end in map(self.extents.__getitem__, numbers)
        ]
        sizes: list[int] = []
        documents: list[int] = []
        spans: list[list[int]] = []
        for document, record in enumerate(records):
            clusters = [cluster for cluster in record.clusters if cluster]
            sizes.extend(map(len, clusters))
            documents.extend([document] * len(clusters))
            spans.extend(chain.from_iterable(clusters))
        table = np.array(spans, np.int64).reshape(-1, 2)
        texts = (chain.from_iterable(record.sentences or ()) for record in records)
        hashes = [text_hash(words) for words in texts]
        return Columns(
            entity=np.repeat(np.arange(len(sizes)), np.array(sizes, np.int64)),
            start=table[:, 0],
            end=table[:, 1],
            entity_document=np.array(documents, np.int64),
            token_count=np.array([record.token_count for record in records], np.int64),
            text_hash=np.array(hashes, np.uint64),
        )


class Record(NamedTuple):
    """A document of the file, checked."""

    id: str
    sentences: list[list[str]] | None
    clusters: list[list[list[int]]]

    @property
    def token_count(self) -> int:
        """How many tokens the document has; -1 where that is unknown."""
        return -1 if self.sentences is None else sum(map(len, self.sentences))

    def document(self) -> Document:
        """Return the document as an object."""
        sentences = tuple(tuple(words) for words in self.sentences or ())
        entities = [
            Entity(str(name), tuple(Mention(span[0], span[1]) for span in cluster))
            for name, cluster in enumerate(self.clusters)
            if cluster
        ]
        return Document(self.id, sentences, tuple(entities))


def object_document(value: Mapping[Any, Any], role: str) -> Document:
    """Read an object in memory as the document of the line that it stands for.

    >>> object_document({"doc_key": "d", "clusters": [[(0, 1)]]}, "key").id
    'd'
    """
    read = {name: value[name] for name in _READ if name in value}

    def refuse(message: str, hint: str) -> NoReturn:
        raise FormatError(message, place=role, hint=hint)

    try:
        line = json.dumps(read, default=_listed).encode()
    except (TypeError, ValueError, RecursionError) as error:
        message = f"a document of JSON lines is not JSON: {error}"
        raise FormatError(message, place=role, hint=_SHAPE) from error
    record = read_record(line, refuse, response=role == "response")
    assert record is not None, "what is wrong with it is raised"
    return record.document()


def _listed(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    message = f"found a {type(value).__name__}"
    raise TypeError(message)


def read_record(line: bytes, tell: Tell, *, response: bool) -> Record | None:
    """Read a line; report what is wrong with it by message and hint."""
    data = _object(line, tell)
    if data is None:
        return None
    name = data.get("doc_key")
    if not isinstance(name, str):
        tell("'doc_key' is missing or not a string", _SHAPE)
        return None
    predicted = response and "predicted_clusters" in data
    field = "predicted_clusters" if predicted else "clusters"
    if field not in data:
        tell(f"'clusters' is missing in document {quoted(name)}", _SHAPE)
        return None
    sentences = data.get("sentences")
    if sentences is not None and not _are_sentences(sentences):
        tell("'sentences' is not a list of lists of words", _SHAPE)
        return None
    record = Record(name, sentences, data[field])
    faults = list(_span_faults(field, data[field], record.token_count))
    for message, hint in faults:
        tell(message, hint)
    return None if faults else record


def _object(line: bytes, tell: Tell) -> dict[str, Any] | None:
    try:
        data = json.loads(line)
    except UnicodeDecodeError as error:
        tell(f"byte {error.start + 1} of the line is not UTF-8", NOT_UTF8)
        return None
    except (ValueError, RecursionError) as error:
        tell(f"not JSON: {error}", _SHAPE)
        return None
    if not isinstance(data, dict):
        tell(f"found a JSON {type(data).__name__}, expected an object", _SHAPE)
        return None
    return data


def _are_sentences(sentences: object) -> bool:
    return isinstance(sentences, list) and all(
        isinstance(words, list) and all(isinstance(word, str) for word in words)
        for words in sentences
    )


def _span_faults(
    field: str, clusters: object, token_count: int
) -> Iterator[tuple[str, str]]:
    hint = "a mention is [first token, last token], counted from 0 in the document"
    known = token_count >= 0
    if not isinstance(clusters, list):
        yield f"{field!r} is not a list", _SHAPE
        return
    for number, cluster in enumerate(clusters):
        if not isinstance(cluster, list):
            yield f"entity {number} of {field!r} is not a list", hint
            continue
        for span in cluster:
            if not _is_span(span):
                yield f"{span!r} in entity {number} is not a span", hint
            elif not 0 <= span[0] <= span[1]:
                yield f"{span!r} in entity {number} ends before it starts", hint
            elif span[1] >= (token_count if known else _FAR):
                most = f"the document's {token_count} tokens" if known else "any text"
                yield f"{span!r} in entity {number} goes beyond {most}", hint


def _is_span(span: object) -> bool:
    # A JSON true is a Python int too; only whole numbers are tokens.
    return (
        type(span) is list
        and len(span) == 2
        and type(span[0]) is int
        and type(span[1]) is int
    )


def problems(file: ByteFile) -> Iterator[Problem]:
    """Iterate over everything that is wrong with a file, line by line."""
    faults = Faults(file, [])
    first: dict[str, int] = {}
    lines = file.lines(file.text_start, file.size)
    for number, (_, line) in enumerate(lines, start=1):
        if not line.strip():
            continue
        tell = partial(faults, number)
        record = read_record(line, tell, response=True)
        # As a key and as a response: both kinds of clusters are checked.
        if record is None or read_record(line, tell, response=False) is None:
            continue
        name = canonical_id(record.id)
        if name in first:
            faults.repeated_document(number, record.id, first[name])
        first.setdefault(name, number)
        _check_repeated(number, record, faults)
    yield from faults.kept


def _check_repeated(number: int, record: Record, faults: Faults) -> None:
    seen: dict[tuple[int, ...], int] = {}
    for entity, cluster in enumerate(record.clusters):
        for span in map(tuple, cluster):
            if span in seen:
                mention = f"{list(span)} of document {quoted(record.id)}"
                faults.repeated_mention(number, mention, str(entity), str(seen[span]))
            seen.setdefault(span, entity)


def _text(document: Document) -> Iterator[str]:
    clusters = [
        [[mention.start, mention.end] for mention in entity.mentions]
        for entity in document.entities
    ]
    data: dict[str, Any] = {"doc_key": document.id, "clusters": clusters}
    if document.sentences:
        data["sentences"] = document.sentences
    if "speaker" in document.layers:
        speakers = iter(document.layers["speaker"])
        data["speakers"] = [
            [next(speakers) for _ in sentence] for sentence in document.sentences
        ]
    text = json.dumps(data, ensure_ascii=False)
    # Half a character can only be written as an escape.
    yield (json.dumps(data) if _HALF.search(text) else text) + "\n"


READER = Reader(
    open=lambda file, response, _: JsonlSource(file, response=response),
    problems=problems,
)
WRITER = Writer(carries=CROSSINGS, layers=frozenset({"speaker"}), text=_text)
