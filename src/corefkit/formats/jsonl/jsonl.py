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
from itertools import chain, starmap
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.columns import Columns
from corefkit.columns.held import Held, numbers_of
from corefkit.columns.words import text_hashes
from corefkit.formats.base import CROSSINGS, Reader, Writer
from corefkit.formats.documents import Extent, Parsed
from corefkit.formats.faults import Faults
from corefkit.formats.jsonl.records import Record, mended_record, read_record
from corefkit.formats.oddities import Oddities
from corefkit.formats.whole import Whole, WholeSource
from corefkit.kernel import kernel
from corefkit.strings.ids import canonical_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.columns import Ints
    from corefkit.columns.identified import EntityCodes, Identified
    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Problem
    from corefkit.model import Document

# No JSON string can hold this: a quote inside one has a backslash before it.
_DOCUMENT_KEY = re.compile(rb'"doc_key"\s*:\s*("(?:[^"\\]|\\.)*")')
_PREDICTED = b"predicted_clusters"
_HALF = re.compile("[\ud800-\udfff]")


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like JSON lines."""
    return head.lstrip().startswith(b"{")


class JsonlSource(WholeSource):
    """The documents of a JSON lines file."""

    def __init__(self, file: ByteFile, *, response: bool) -> None:
        self._response = response
        whole = self._read_whole(file)
        super().__init__(file, self._lines, self._parse_line, whole)

    def _read_whole(self, file: ByteFile) -> Whole | None:
        """Read a file by the kernel; None where that is not there, or gives up."""
        compiled = kernel()
        if compiled is None:
            return None
        fill, room = file.stream()
        read = compiled.read_jsonl(fill, file.text_start, self._response, room)
        if read is None:
            return None
        names = json.loads(b"[%s]" % read[0].rstrip().replace(b"\n", b","))
        starts, ends, left, words, hashes, *rows = numbers_of(read[1:])
        entity, first, last, of, code = rows
        columns = Columns(entity, first, last, of, words, hashes.view(np.uint64))
        odd = np.flatnonzero(left).tolist()
        for number in odd:
            start, end = int(starts[number]), int(ends[number])
            names[number] = self._id(start, file.read(start, end), Faults(file))
        bounds = zip(names, starts.tolist(), ends.tolist(), strict=True)
        held = Held.of(columns, entity_code=code)
        return Whole(list(starmap(Extent, bounds)), held, frozenset(odd))

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

    def mended(self, number: int) -> Document:
        """Read one document without what is no span in it."""
        name, start, end = self.extents[number]
        line = self.file.read(start, end)
        record = mended_record(line, response=self._response)
        return (record or Record(name, None, [])).document()

    def parsed_columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some documents without the kernel."""
        return _columns(self._records(numbers))

    def parsed_identified(
        self, numbers: Sequence[int], codes: EntityCodes
    ) -> Identified:
        """Read mentions likewise; the ids of entities are their numbers."""
        # Imported here because few scores ask, and every start would pay.
        from corefkit.columns.identified import Identified

        records = self._records(numbers)
        names = [
            name
            for record in records
            for name, cluster in enumerate(record.clusters)
            if cluster
        ]
        code = codes.of_numbers(np.array(names, np.int64))
        return Identified(_columns(records), code)

    def held_codes(self, names: Ints, codes: EntityCodes) -> Ints:
        """Number the ids of entities, of which the kernel has the numbers."""
        return codes.of_numbers(names)

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
        text_hash=text_hashes(texts),
    )


def problems(file: ByteFile) -> Iterator[Problem]:
    """Iterate over everything that is wrong with a file, line by line."""
    faults = Faults(file, [])
    oddities = Oddities(faults)
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
        name = canonical_id(record.id)
        if name in first:
            faults.repeated_document(number, record.id, first[name])
        first.setdefault(name, number)
        size = None if record.sentences is None else record.token_count
        line_of = partial(_same_line, number)
        oddities.take(record.document(), number, line_of, size=size)
    yield from faults.kept


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
