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
from dataclasses import replace
from functools import partial
from itertools import chain, starmap
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol

import numpy as np

from corefkit.arrays.building import encode_numbers
from corefkit.arrays.columns import Columns, decode_integers
from corefkit.arrays.hashing import compute_text_hashes
from corefkit.exceptions import FormatError, quoted
from corefkit.formats.checks import DocumentChecks
from corefkit.formats.problems import (
    INVALID_JSON,
    INVALID_RECORD,
    INVALID_SPAN,
    MALFORMED,
    NOT_UTF8,
    SAVE_AS_UTF8,
    Faults,
)
from corefkit.formats.source import (
    CROSSINGS,
    Extent,
    KernelColumns,
    KernelSource,
    Parsed,
    Reader,
    Writer,
)
from corefkit.kernel import kernel
from corefkit.model import Document, Entity, Mention
from corefkit.strings import normalize_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.arrays.columns import Ints
    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Problem, ProblemKind

_FAR = 1 << 40  # no document has that many tokens
_READ = ("doc_key", "sentences", "clusters", "predicted_clusters")
_SHAPE = "expected one JSON object per line with 'doc_key', 'sentences' and 'clusters'"


class Tell(Protocol):
    """Reports what is wrong with a line."""

    def __call__(
        self, message: str, hint: str, *, kind: ProblemKind = MALFORMED
    ) -> None:
        """Report it by message, hint and kind."""


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

    def refuse(message: str, hint: str, *, kind: ProblemKind = MALFORMED) -> NoReturn:
        raise FormatError(message, code=kind.code, place=role, hint=hint)

    try:
        line = json.dumps(read, default=_listed).encode()
    except (TypeError, ValueError, RecursionError) as error:
        message = f"a document of JSON lines is not JSON: {error}"
        raise FormatError(
            message, code=INVALID_JSON.code, place=role, hint=_SHAPE
        ) from error
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
        tell("'doc_key' is missing or not a string", _SHAPE, kind=INVALID_RECORD)
        return None
    predicted = response and "predicted_clusters" in data
    field = "predicted_clusters" if predicted else "clusters"
    if field not in data:
        tell(
            f"'clusters' is missing in document {quoted(name)}",
            _SHAPE,
            kind=INVALID_RECORD,
        )
        return None
    sentences = data.get("sentences")
    if sentences is not None and not _are_sentences(sentences):
        tell("'sentences' is not a list of lists of words", _SHAPE, kind=INVALID_RECORD)
        return None
    record = Record(name, sentences, data[field])
    faults = list(_span_faults(field, data[field], record.token_count))
    for message, hint, kind in faults:
        tell(message, hint, kind=kind)
    return None if faults else record


def mended_record(line: bytes, *, response: bool) -> Record | None:
    """Read a line without the spans that are none; None where it is no document.

    Spans beyond the text stay: they may be counted otherwise.

    >>> line = b'{"doc_key": "d", "sentences": [["a"]], "clusters": [[[0, 1], [2]]]}'
    >>> mended_record(line, response=False).clusters
    [[[0, 1]]]
    """

    def forgive(message: str, hint: str, *, kind: ProblemKind = MALFORMED) -> None:
        del message, hint, kind

    data = _object(line, forgive)
    if data is None or not isinstance(data.get("doc_key"), str):
        return None
    predicted = response and "predicted_clusters" in data
    clusters = data.get("predicted_clusters" if predicted else "clusters")
    sentences = data.get("sentences")
    spans = [
        [span for span in cluster if _is_span(span) and 0 <= span[0] <= span[1] < _FAR]
        for cluster in (clusters if isinstance(clusters, list) else ())
        if isinstance(cluster, list)
    ]
    known = sentences is not None and _are_sentences(sentences)
    return Record(data["doc_key"], sentences if known else None, spans)


def _object(line: bytes, tell: Tell) -> dict[str, Any] | None:
    try:
        data = json.loads(line)
    except UnicodeDecodeError as error:
        tell(
            f"byte {error.start + 1} of the line is not UTF-8",
            SAVE_AS_UTF8,
            kind=NOT_UTF8,
        )
        return None
    except (ValueError, RecursionError) as error:
        tell(f"not JSON: {error}", _SHAPE, kind=INVALID_JSON)
        return None
    if not isinstance(data, dict):
        tell(
            f"found a JSON {type(data).__name__}, expected an object",
            _SHAPE,
            kind=INVALID_RECORD,
        )
        return None
    return data


def _are_sentences(sentences: object) -> bool:
    return isinstance(sentences, list) and all(
        isinstance(words, list) and all(isinstance(word, str) for word in words)
        for words in sentences
    )


def _span_faults(
    field: str, clusters: object, token_count: int
) -> Iterator[tuple[str, str, ProblemKind]]:
    hint = "a mention is [first token, last token], counted from 0 in the document"
    known = token_count >= 0
    if not isinstance(clusters, list):
        yield f"{field!r} is not a list", _SHAPE, INVALID_RECORD
        return
    for number, cluster in enumerate(clusters):
        if not isinstance(cluster, list):
            message = f"entity {number} of {field!r} is not a list"
            yield message, hint, INVALID_RECORD
            continue
        for span in cluster:
            if not _is_span(span):
                message = f"{span!r} in entity {number} is not a span"
                yield message, hint, INVALID_SPAN
            elif not 0 <= span[0] <= span[1]:
                message = f"{span!r} in entity {number} ends before it starts"
                yield message, hint, INVALID_SPAN
            elif span[1] >= (token_count if known else _FAR):
                most = f"the document's {token_count} tokens" if known else "any text"
                message = f"{span!r} in entity {number} goes beyond {most}"
                yield message, hint, INVALID_SPAN


def _is_span(span: object) -> bool:
    # A JSON true is a Python int too; only whole numbers are tokens.
    return (
        type(span) is list
        and len(span) == 2
        and type(span[0]) is int
        and type(span[1]) is int
    )


# No JSON string can hold this: a quote inside one has a backslash before it.
_DOCUMENT_KEY = re.compile(rb'"doc_key"\s*:\s*("(?:[^"\\]|\\.)*")')
_PREDICTED = b"predicted_clusters"
_HALF = re.compile("[\ud800-\udfff]")


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like JSON lines."""
    return head.lstrip().startswith(b"{")


class JsonlSource(KernelSource):
    """The documents of a JSON lines file."""

    def __init__(self, file: ByteFile, *, response: bool) -> None:
        self._response = response
        whole = self._read_whole(file)
        super().__init__(file, self._lines, self._parse_line, whole)

    def _read_whole(self, file: ByteFile) -> KernelColumns | None:
        """Read a file by the kernel; None where that is not there, or gives up."""
        compiled = kernel()
        if compiled is None:
            return None
        fill, room = file.stream()
        read = compiled.read_jsonl(fill, file.text_start, self._response, room)
        if read is None:
            return None
        names = json.loads(b"[%s]" % read[0].rstrip().replace(b"\n", b","))
        starts, ends, left, words, hashes, *rows = decode_integers(read[1:])
        entity, first, last, of, code = rows
        text_hash = hashes.view(np.uint64)
        columns = Columns(entity, first, last, of, words, text_hash, code=code)
        odd = np.flatnonzero(left).tolist()
        for number in odd:
            start, end = int(starts[number]), int(ends[number])
            names[number] = self._id(start, file.read(start, end), Faults(file))
        bounds = zip(names, starts.tolist(), ends.tolist(), strict=True)
        return KernelColumns(list(starmap(Extent, bounds)), columns, frozenset(odd))

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
        tell = partial(faults.report_at, start)
        record = read_record(line, tell, response=self._response)
        assert record is not None, "what is wrong with a line is raised"
        return record

    def read_leniently(self, number: int) -> Document:
        """Read one document without what is no span in it."""
        name, start, end = self.extents[number]
        line = self.file.read(start, end)
        record = mended_record(line, response=self._response)
        return (record or Record(name, None, [])).document()

    def parse_columns(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None = None
    ) -> Columns:
        """Read the mentions of some documents without the kernel.

        The id of an entity is its number in the document.
        """
        records = self._records(numbers)
        columns = _columns(records)
        if ids is None:
            return columns
        codes = [
            number
            for record in records
            for number, cluster in enumerate(record.clusters)
            if cluster
        ]
        return replace(columns, code=np.array(codes, np.int64))

    def encode_kernel_ids(self, codes: Ints, ids: dict[bytes, int]) -> Ints:
        """Encode the ids of entities, which the kernel returns as numbers."""
        return encode_numbers(codes, ids)

    def _records(self, numbers: Sequence[int]) -> list[Record]:
        return [
            self._record(start, self.file.read(start, end), self._faults)
            for _, start, end in map(self.extents.__getitem__, numbers)
        ]


def _columns(records: Sequence[Record]) -> Columns:
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
    return Columns(
        entity=np.repeat(np.arange(len(sizes)), np.array(sizes, np.int64)),
        start=table[:, 0],
        end=table[:, 1],
        entity_document=np.array(documents, np.int64),
        token_count=np.array([record.token_count for record in records], np.int64),
        text_hash=compute_text_hashes(texts),
    )


def problems(file: ByteFile) -> Iterator[Problem]:
    """Iterate over everything that is wrong with a file, line by line."""
    faults = Faults(file, [])
    oddities = DocumentChecks(faults)
    first: dict[str, int] = {}
    lines = file.lines(file.text_start, file.size)
    for number, (_, line) in enumerate(lines, start=1):
        if not line.strip():
            continue
        tell = partial(faults, number)
        record = read_record(line, tell, response=True)
        # As a key and as a response: both kinds of clusters are checked. A line has one
        # kind unless it names the other, which escapes might hide.
        both = _PREDICTED in line or b"\\u" in line
        if record is None or (both and read_record(line, tell, response=False) is None):
            continue
        name = normalize_id(record.id)
        if name in first:
            faults.report_repeated_document(number, record.id, first[name])
        first.setdefault(name, number)
        size = None if record.sentences is None else record.token_count
        line_of = partial(_same_line, number)
        oddities.check(record.document(), number, line_of, size=size)
    yield from faults.sorted_problems


def _same_line(line: int, token: int) -> int:
    del token  # all tokens of a document stand in one line
    return line


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
