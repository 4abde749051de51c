"""JSON of resolvers and data sets: records in the lines of a file, or in one value.

`docs/formats/json.md` defines the layouts, and `corefkit.formats.dialects` reads the
fields. Lines are parsed by `orjson` if it is installed. A line that it rejects is
parsed again by `json`, which accepts more and reports the error.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any

from corefkit.arrays.building import build_span_columns, encode_ids
from corefkit.arrays.hashing import compute_text_hashes
from corefkit.exceptions import FormatError
from corefkit.formats.checks import DocumentChecks
from corefkit.formats.dialects import (
    DIALECTS,
    E2E,
    FIELDS,
    Dialect,
    JsonRecord,
    choose_dialect,
    list_fitting,
    read_record,
)
from corefkit.formats.plaintext import decode_utf8
from corefkit.formats.problems import (
    INVALID_JSON,
    INVALID_RECORD,
    MALFORMED,
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
from corefkit.strings import get_stem, normalize_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefkit.arrays.columns import Columns
    from corefkit.formats.dialects import Fault
    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Problem
    from corefkit.model import Document

_SHAPE = "expected one JSON object per line, or a list, with the fields of a dialect"
# A quote inside a JSON string is escaped, so that this never matches inside one.
_DOCUMENT_KEY = re.compile(rb'"doc_key"\s*:\s*("(?:[^"\\]|\\.)*")')
_FIRST_FIELD = re.compile(rb'\s*\{\s*"doc_key"')
# A word after the bracket begins a mention of SACR.
_START = re.compile(rb"\s*(?:\{(?![-\w])|\[\s*\{)")
# A list, or an object whose first line is incomplete and followed by its next one.
_ONE_VALUE = re.compile(rb"\s*(?:\[|\{(?:[^\n]*[^}\s])?\s*\n\s*[^\s{])")
_SECOND_FIELD = re.compile(rb"(?:predicted|span)_clusters|\\u")
_SEPARATOR = re.compile(r"[\s,]*")
_SURROGATE = re.compile("[\ud800-\udfff]")


try:
    _parse_json: Callable[[bytes], Any] = import_module("orjson").loads
except ImportError:
    _parse_json = json.loads


def has_id(value: Mapping[Any, Any], role: str) -> bool:
    """Return whether an object in memory names its document."""
    rows = list_fitting(value, response=role == "response") or [E2E]
    ids = [(name, value.get(name)) for row in rows for name in row.ids]
    # The number of a row in a data base does not name the document.
    return any(
        v is not None and (name != "id" or isinstance(v, str)) for name, v in ids
    )


def is_record(value: Mapping[Any, Any]) -> bool:
    """Return whether an object in memory has the fields of a dialect, or of none."""
    return (
        "doc_key" in value
        or "clusters" in value
        or any(list_fitting(value, response=response) for response in (False, True))
    )


def convert_object(
    value: Mapping[Any, Any], role: str, default_id: str = "document"
) -> Document:
    """Convert an object in memory as if it were a record of a file."""
    fields = {name: value[name] for name in value if name in FIELDS}
    response = role == "response"
    is_numbered = default_id.isdecimal() and not has_id(value, role)
    place = f"{role}, document {default_id}" if is_numbered else role
    try:
        line = json.dumps(fields, default=_convert_array).encode()
    except (TypeError, ValueError, RecursionError) as error:
        message = f"a document of JSON lines is not JSON: {error}"
        raise FormatError(
            message, code=INVALID_JSON.code, place=place, hint=_SHAPE
        ) from error
    report = partial(Faults(place), None)
    record = parse_record(line, report, response=response)
    assert record is not None, "errors are raised"
    return record.build_document(default_id)


def _convert_array(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    message = f"found a {type(value).__name__}"
    raise TypeError(message)


def parse_record(
    line: bytes,
    report: partial[None],
    *,
    response: bool,
    dialect: Dialect | None = None,
) -> JsonRecord | None:
    """Parse a record; report its errors and return None if there are any."""
    data = _parse_object(line, report)
    if data is None:
        return None
    faults: list[Fault] = []
    record = None
    try:
        record = read_record(data, faults, response=response, dialect=dialect)
    except FormatError as error:
        kind = MALFORMED._replace(slug=error.code.removeprefix("format/"))
        faults.append((error.message, error.hint, kind))
    for message, hint, kind in faults:
        report(message, hint or _SHAPE, kind=kind)
    return None if faults else record


def parse_leniently(
    line: bytes, *, response: bool, dialect: Dialect | None = None
) -> JsonRecord | None:
    """Parse a record without its invalid spans; None if it cannot be read.

    Spans beyond the text are kept: their tokens may be counted in another way.

    >>> line = b'{"doc_key": "d", "sentences": [["a"]], "clusters": [[[0, 1], [2]]]}'
    >>> parse_leniently(line, response=False).clusters
    [[[0, 1]]]
    """
    data = _parse_object(line, partial(Faults("", []), None))
    if data is None:
        return None
    try:
        return read_record(data, [], response=response, dialect=dialect, lenient=True)
    except FormatError:
        return None


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
    if isinstance(data, dict):
        return data
    message = f"found a JSON {type(data).__name__}, expected an object"
    report(message, _SHAPE, kind=INVALID_RECORD)
    return None


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like JSON objects."""
    return _START.match(head) is not None


def closer(head: bytes) -> str | None:
    """Return the dialect of the first record, unless it is that of this format."""
    text = head.decode("utf-8", "ignore")
    try:
        data, _ = json.JSONDecoder().raw_decode(text, text.index("{"))
        rows = {choose_dialect(data, response=role) for role in (False, True)}
    except (ValueError, RecursionError, FormatError):
        return None  # reading the file reports it
    # A key and a response may have different dialects, which depend on the record.
    is_own = len(rows) > 1 or ("doc_key" in data and rows == {E2E})
    return None if is_own else rows.pop().name


def iter_records(file: ByteFile, faults: Faults) -> Iterator[tuple[int, bytes]]:
    """Iterate over the records of a file, with the offset of each."""
    if not _ONE_VALUE.match(file.head):
        for start, line in file.lines(file.text_start, file.size):
            if line.strip():
                yield start, line
        return
    start = file.text_start
    text = decode_utf8(file.read(start, file.size), 1, faults)
    if text is None:
        return
    try:
        json.loads(text)  # so that the separators are known to be valid
        yield from _iter_values(text, start)
    except (ValueError, RecursionError) as error:
        position = getattr(error, "pos", 0)
        start += len(text[:position].encode())
        message = f"not JSON: {getattr(error, 'msg', error)}"
        faults.report_at(start, message, _SHAPE, kind=INVALID_JSON)


def _iter_values(text: str, start: int) -> Iterator[tuple[int, bytes]]:
    """Iterate over the object of a text, or over those of its list."""
    decoder = json.JSONDecoder()
    position = 0
    first = len(text) - len(text.lstrip())
    is_list = text.startswith("[", first)
    end = first + is_list
    while True:
        begin = _SEPARATOR.match(text, end).end()  # type: ignore[union-attr]
        if text.startswith("]", begin) or begin == len(text):
            return
        _, end = decoder.raw_decode(text, begin)
        start += len(text[position:begin].encode())
        position = begin
        yield start, text[begin:end].encode()


class JsonlSource(DocumentSource):
    """The documents of a JSON file."""

    def __init__(
        self, file: ByteFile, *, response: bool, dialect: Dialect | None = None
    ) -> None:
        self._response = response
        self._dialect = dialect
        super().__init__(file, self._find_extents, self._parse_extent)

    def _find_extents(self, file: ByteFile, faults: Faults) -> Iterator[Extent]:
        rows = [
            (self._find_id(start, line, faults), start, start + len(line))
            for start, line in iter_records(file, faults)
        ]
        self.lacks_ids = bool(rows) and rows[0][0] is None
        for number, (name, start, end) in enumerate(rows):
            if (name is None) is not self.lacks_ids:
                message = "some records have ids, and others have none"
                faults.report_at(start, message, _SHAPE, kind=INVALID_RECORD)
            if name is None:
                name = str(number) if len(rows) > 1 else get_stem(file.name)
            yield Extent(name, start, end)

    def _find_id(self, start: int, line: bytes, faults: Faults) -> str | None:
        keys = _DOCUMENT_KEY.findall(line)
        if len(keys) == 1 and _FIRST_FIELD.match(line):
            with suppress(ValueError):
                return str(json.loads(keys[0]))
        return self._parse_record(start, line, faults).id

    def _parse_extent(self, file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
        data = file.read(extent.start, extent.end)
        record = self._parse_record(extent.start, data, faults)
        lines = [file.line_number(extent.start)] * max(record.token_count, 0)
        return Parsed(record.build_document(extent.id), lines)

    def _parse_record(self, start: int, line: bytes, faults: Faults) -> JsonRecord:
        report = partial(faults.report_at, start)
        record = parse_record(
            line, report, response=self._response, dialect=self._dialect
        )
        assert record is not None, "errors are raised"
        return record

    def is_running_text(self, number: int) -> bool:
        return self.read_leniently(number).origin == "running"

    def read_leniently(self, number: int) -> Document:
        document_id, start, end = self.extents[number]
        line = self.file.read(start, end)
        record = parse_leniently(
            line, response=self._response, dialect=self._dialect
        ) or JsonRecord(None, None, [])
        return record.build_document(document_id)

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
        names = (records[document].get_name(number) for document, number, _ in clusters)
        return replace(columns, code=encode_ids(names, ids))


def iter_problems(file: ByteFile, dialect: Dialect | None = None) -> Iterator[Problem]:
    """Iterate over all problems of a file, in the order of its records."""
    faults = Faults(file, [])
    checks = DocumentChecks(faults)
    first_lines: dict[str, int] = {}
    for position, (start, line) in enumerate(iter_records(file, faults)):
        number = file.line_number(start)
        report = partial(faults, number)
        record = parse_record(line, report, response=True, dialect=dialect)
        # Both fields of entities are checked, as a key and as a response. A record has
        # only one of them unless it contains the other name, perhaps with escapes.
        may_have_both = _SECOND_FIELD.search(line) is not None
        if record is None or (
            may_have_both
            and parse_record(line, report, response=False, dialect=dialect) is None
        ):
            continue
        document = record.build_document(str(position))
        name = normalize_id(document.id)
        if name in first_lines:
            faults.report_repeated_document(number, document.id, first_lines[name])
        first_lines.setdefault(name, number)
        size = None if record.sentences is None else record.token_count
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


def make_dialect_reader(name: str) -> Reader:
    """Make the reader of a dialect that is named, and not chosen by the fields."""
    dialect = DIALECTS[name]
    return Reader(
        open=lambda file, response, _: JsonlSource(
            file, response=response, dialect=dialect
        ),
        problems=lambda file: iter_problems(file, dialect),
    )
