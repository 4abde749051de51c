"""JSON lines of the end-to-end resolvers: one document a line.

`docs/formats/conll.md` defines the fields. Lines are parsed by `orjson` if it is
installed. A line that it rejects is parsed again by `json`, which accepts more and
reports the error.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefkit.arrays.building import build_span_columns
from corefkit.arrays.hashing import compute_text_hashes
from corefkit.exceptions import FormatError, quoted
from corefkit.formats.checks import DocumentChecks
from corefkit.formats.problems import (
    INVALID_JSON,
    INVALID_RECORD,
    INVALID_SPAN,
    NOT_UTF8,
    SAVE_AS_UTF8,
    Faults,
)
from corefkit.formats.source import (
    CROSSINGS,
    DocumentSource,
    Extent,
    Parsed,
    Reader,
    Writer,
)
from corefkit.model import Document, Entity, Mention
from corefkit.strings import normalize_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefkit.arrays.columns import Columns
    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Problem, ProblemKind

_MAX_TOKENS = 1 << 40  # no document has that many
_FIELDS = ("doc_key", "sentences", "clusters", "predicted_clusters")
_SHAPE = "expected one JSON object per line with 'doc_key', 'sentences' and 'clusters'"
_SPAN_HINT = "a mention is [first token, last token], counted from 0 in the document"
# A quote inside a JSON string is escaped, so that this never matches inside one.
_DOCUMENT_KEY = re.compile(rb'"doc_key"\s*:\s*("(?:[^"\\]|\\.)*")')
_SURROGATE = re.compile("[\ud800-\udfff]")


class JsonRecord(NamedTuple):
    """A line of the file, after validation."""

    id: str
    sentences: list[list[str]] | None
    clusters: list[list[list[int]]]

    @property
    def token_count(self) -> int:
        """The number of tokens; -1 if it is unknown."""
        return -1 if self.sentences is None else sum(map(len, self.sentences))

    def build_document(self) -> Document:
        sentences = tuple(tuple(words) for words in self.sentences or ())
        entities = [
            Entity(str(number), tuple(Mention(span[0], span[1]) for span in cluster))
            for number, cluster in enumerate(self.clusters)
            if cluster
        ]
        return Document(self.id, sentences, tuple(entities))


try:
    _parse_json: Callable[[bytes], Any] = import_module("orjson").loads
except ImportError:
    _parse_json = json.loads


def convert_object(value: Mapping[Any, Any], role: str) -> Document:
    """Convert an object in memory as if it were a line of a file."""
    fields = {name: value[name] for name in _FIELDS if name in value}
    try:
        line = json.dumps(fields, default=_convert_array).encode()
    except (TypeError, ValueError, RecursionError) as error:
        message = f"a document of JSON lines is not JSON: {error}"
        raise FormatError(
            message, code=INVALID_JSON.code, place=role, hint=_SHAPE
        ) from error
    report = partial(Faults(role), None)
    record = parse_record(line, report, response=role == "response")
    assert record is not None, "errors are raised"
    return record.build_document()


def _convert_array(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    message = f"found a {type(value).__name__}"
    raise TypeError(message)


def parse_record(
    line: bytes, report: partial[None], *, response: bool
) -> JsonRecord | None:
    """Parse a line; report its errors and return None if there are any."""
    data = _parse_object(line, report)
    if data is None:
        return None
    field, sentences = _choose_field(data, response=response), data.get("sentences")
    if field not in data:
        message = f"'clusters' is missing in document {quoted(data['doc_key'])}"
        report(message, _SHAPE, kind=INVALID_RECORD)
        return None
    if sentences is not None and not _are_sentences(sentences):
        message = "'sentences' is not a list of lists of words"
        report(message, _SHAPE, kind=INVALID_RECORD)
        return None
    record = JsonRecord(data["doc_key"], sentences, data[field])
    errors = list(_check_clusters(field, data[field], record.token_count))
    for message, hint, kind in errors:
        report(message, hint, kind=kind)
    return None if errors else record


def parse_leniently(line: bytes, *, response: bool) -> JsonRecord | None:
    """Parse a line without its invalid spans; None if it is not a document.

    Spans beyond the text are kept: their tokens may be counted in another way.

    >>> line = b'{"doc_key": "d", "sentences": [["a"]], "clusters": [[[0, 1], [2]]]}'
    >>> parse_leniently(line, response=False).clusters
    [[[0, 1]]]
    """
    data = _parse_object(line, partial(Faults("", []), None))
    if data is None:
        return None
    clusters = data.get(_choose_field(data, response=response))
    sentences = data.get("sentences")
    spans = [
        [span for span in cluster if _find_span_fault(span, _MAX_TOKENS) is None]
        for cluster in (clusters if isinstance(clusters, list) else ())
        if isinstance(cluster, list)
    ]
    has_words = sentences is not None and _are_sentences(sentences)
    return JsonRecord(data["doc_key"], sentences if has_words else None, spans)


def _choose_field(data: Mapping[str, Any], *, response: bool) -> str:
    predicted = "predicted_clusters"
    return predicted if response and predicted in data else "clusters"


def _parse_object(line: bytes, report: partial[None]) -> dict[str, Any] | None:
    try:
        data = _parse_json(line)
    except (ValueError, RecursionError):
        try:
            data = json.loads(line)
        except UnicodeDecodeError as error:
            message = f"byte {error.start + 1} of the line is not UTF-8"
            report(message, SAVE_AS_UTF8, kind=NOT_UTF8)
            return None
        except (ValueError, RecursionError) as error:
            report(f"not JSON: {error}", _SHAPE, kind=INVALID_JSON)
            return None
    if not isinstance(data, dict):
        message = f"found a JSON {type(data).__name__}, expected an object"
    elif not isinstance(data.get("doc_key"), str):
        message = "'doc_key' is missing or not a string"
    else:
        return data
    report(message, _SHAPE, kind=INVALID_RECORD)
    return None


def _are_sentences(sentences: object) -> bool:
    return isinstance(sentences, list) and all(
        isinstance(words, list) and {*map(type, words)} <= {str} for words in sentences
    )


def _check_clusters(
    field: str, clusters: object, token_count: int
) -> Iterator[tuple[str, str, ProblemKind]]:
    """Iterate over the errors of the entities: message, hint and kind."""
    if not isinstance(clusters, list):
        yield f"{field!r} is not a list", _SHAPE, INVALID_RECORD
        return
    text = "any text" if token_count < 0 else f"the document's {token_count} tokens"
    limit = _MAX_TOKENS if token_count < 0 else token_count
    for number, cluster in enumerate(clusters):
        if not isinstance(cluster, list):
            message = f"entity {number} of {field!r} is not a list"
            yield message, _SPAN_HINT, INVALID_RECORD
            continue
        for span in cluster:
            fault = _find_span_fault(span, limit)
            if fault is not None:
                error = fault or f"goes beyond {text}"
                yield f"{span!r} in entity {number} {error}", _SPAN_HINT, INVALID_SPAN


def _find_span_fault(span: object, limit: int) -> str | None:
    """Describe why a span is invalid; None if it is not, empty if it is too long."""
    # True and False are integers in Python too.
    if not (
        type(span) is list
        and len(span) == 2
        and type(span[0]) is int
        and type(span[1]) is int
    ):
        return "is not a span"
    if not 0 <= span[0] <= span[1]:
        return "ends before it starts"
    return None if span[1] < limit else ""


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like JSON lines."""
    return head.lstrip().startswith(b"{")


class JsonlSource(DocumentSource):
    """The documents of a JSON lines file."""

    def __init__(self, file: ByteFile, *, response: bool) -> None:
        self._response = response
        super().__init__(file, self._find_extents, self._parse_extent)

    def _find_extents(self, file: ByteFile, faults: Faults) -> Iterator[Extent]:
        for start, line in file.lines(file.text_start, file.size):
            if line.strip():
                document_id = self._find_id(start, line, faults)
                yield Extent(document_id, start, start + len(line))

    def _find_id(self, start: int, line: bytes, faults: Faults) -> str:
        keys = _DOCUMENT_KEY.findall(line)
        if len(keys) == 1:
            with suppress(ValueError):
                return str(json.loads(keys[0]))
        return self._parse_record(start, line, faults).id

    def _parse_extent(self, file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
        data = file.read(extent.start, extent.end)
        record = self._parse_record(extent.start, data, faults)
        lines = [file.line_number(extent.start)] * max(record.token_count, 0)
        return Parsed(record.build_document(), lines)

    def _parse_record(self, start: int, line: bytes, faults: Faults) -> JsonRecord:
        report = partial(faults.report_at, start)
        record = parse_record(line, report, response=self._response)
        assert record is not None, "errors are raised"
        return record

    def read_leniently(self, number: int) -> Document:
        document_id, start, end = self.extents[number]
        line = self.file.read(start, end)
        record = parse_leniently(line, response=self._response)
        return (record or JsonRecord(document_id, None, [])).build_document()

    def read_columns(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None = None
    ) -> Columns:
        records = [
            self._parse_record(start, self.file.read(start, end), self._faults)
            for _, start, end in map(self.extents.__getitem__, numbers)
        ]
        clusters = [
            (document, number, cluster)
            for document, record in enumerate(records)
            for number, cluster in enumerate(record.clusters)
            if cluster
        ]
        columns = build_span_columns(
            ((document, cluster) for document, _, cluster in clusters),
            [record.token_count for record in records],
            compute_text_hashes(
                chain.from_iterable(record.sentences or ()) for record in records
            ),
        )
        if ids is None:
            return columns
        # The id of an entity is its number in the document.
        codes = np.array([number for _, number, _ in clusters], np.int64)
        return replace(columns, code=codes)


def iter_problems(file: ByteFile) -> Iterator[Problem]:
    """Iterate over all problems of a file, in the order of its lines."""
    faults = Faults(file, [])
    checks = DocumentChecks(faults)
    first_lines: dict[str, int] = {}
    lines = file.lines(file.text_start, file.size)
    for number, (_, line) in enumerate(lines, start=1):
        if not line.strip():
            continue
        report = partial(faults, number)
        record = parse_record(line, report, response=True)
        # Both fields of entities are checked, as a key and as a response. A line has
        # only one of them unless it contains the other name, perhaps with escapes.
        may_have_both = b"predicted_clusters" in line or b"\\u" in line
        if record is None or (
            may_have_both and parse_record(line, report, response=False) is None
        ):
            continue
        name = normalize_id(record.id)
        if name in first_lines:
            faults.report_repeated_document(number, record.id, first_lines[name])
        first_lines.setdefault(name, number)
        size = None if record.sentences is None else record.token_count
        document = record.build_document()
        checks.check(document, number, lambda _: number, size=size)  # noqa: B023
    yield from faults.sorted_problems


def format_document(document: Document) -> Iterator[str]:
    """Format a document as a line."""
    data: dict[str, Any] = {
        "doc_key": document.id,
        "clusters": [list(map(list, entity)) for entity in document.entities],
    }
    if document.sentences:
        data["sentences"] = document.sentences
    if "speaker" in document.layers:
        speakers = iter(document.layers["speaker"])
        data["speakers"] = [
            [next(speakers) for _ in sentence] for sentence in document.sentences
        ]
    text = json.dumps(data, ensure_ascii=False)
    # Unpaired surrogates can only be written as escapes.
    yield (json.dumps(data) if _SURROGATE.search(text) else text) + "\n"


READER = Reader(
    open=lambda file, response, _: JsonlSource(file, response=response),
    problems=iter_problems,
)
WRITER = Writer(carries=CROSSINGS, layers=frozenset({"speaker"}), text=format_document)
