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
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefkit.columns import Columns
from corefkit.columns.words import text_hash
from corefkit.exceptions import quoted
from corefkit.formats.base import CROSSINGS, Reader, Writer
from corefkit.formats.faults import Faults
from corefkit.formats.jsonl.records import read_record
from corefkit.formats.source import Word
from corefkit.strings.ids import canonical_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Problem
    from corefkit.formats.jsonl.records import Record
    from corefkit.model import Document

# No JSON string can hold this: a quote inside one has a backslash before it.
_DOCUMENT_KEY = re.compile(rb'"doc_key"\s*:\s*("(?:[^"\\]|\\.)*")')
_HALF = re.compile("[\ud800-\udfff]")


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like JSON lines."""
    return head.lstrip().startswith(b"{")


class _Extent(NamedTuple):
    """Where a document's line lies."""

    start: int
    end: int


class JsonlSource:
    """The documents of a JSON lines file, found once and read when asked for."""

    def __init__(self, file: ByteFile, *, response: bool) -> None:
        self.name = file.name
        self.verbatim = False
        self._file = file
        self._faults = Faults(file)
        self._response = response
        self._extents: list[_Extent] = []
        self.ids: list[str] = []
        for start, line in file.lines(file.text_start, file.size):
            if line.strip():
                self._extents.append(_Extent(start, start + len(line)))
                self.ids.append(self._id(start, line))
        self.sizes = [extent.end - extent.start for extent in self._extents]

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def place(self, number: int) -> str:
        """Return where a document stands, as `file:line`."""
        return self._file.place(self._extents[number].start)

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some documents, in the order asked for."""
        records = [self._record(number) for number in numbers]
        sizes: list[int] = []
        documents: list[int] = []
        spans: list[list[int]] = []
        for document, record in enumerate(records):
            clusters = [cluster for cluster in record.clusters if cluster]
            sizes.extend(map(len, clusters))
            documents.extend([document] * len(clusters))
            for cluster in clusters:
                spans.extend(cluster)
        table = np.array(spans, np.int64).reshape(-1, 2)
        texts = (chain.from_iterable(record.sentences or ()) for record in records)
        hashes = [text_hash(words) for words in texts]
        return Columns(
            entity=np.repeat(np.arange(len(sizes)), np.array(sizes, np.int64)),
            start=table[:, 0],
            end=table[:, 1],
            entity_document=np.array(documents, np.int64),
            tokens=np.array([record.token_count for record in records], np.int64),
            fingerprint=np.array(hashes, np.uint64),
        )

    def document(self, number: int) -> Document:
        """Read one document as an object."""
        return self._record(number).document()

    def is_running(self, number: int) -> bool:
        """Return False: the tokens are those of the file."""
        del number
        return False

    def words(self, number: int) -> Iterator[Word]:
        """Iterate over the tokens of a document; all stand in the same line."""
        place = self.place(number)
        for sentence, words in enumerate(self._record(number).sentences or ()):
            for word in words:
                yield Word(word, place, sentence)

    def _id(self, start: int, line: bytes) -> str:
        keys = _DOCUMENT_KEY.findall(line)
        if len(keys) == 1:
            try:
                return str(json.loads(keys[0]))
            except ValueError:
                pass  # the whole line says better what is wrong
        return self._checked(start, line).id

    def _record(self, number: int) -> Record:
        extent = self._extents[number]
        return self._checked(extent.start, self._file.read(*extent))

    def _checked(self, start: int, line: bytes) -> Record:
        tell = partial(self._faults.at, start)
        record = read_record(line, tell, response=self._response)
        assert record is not None, "what is wrong with a line is raised"
        return record


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
WRITER = Writer(
    carries=CROSSINGS,
    layers=frozenset({"speaker"}),
    text=_text,
)
