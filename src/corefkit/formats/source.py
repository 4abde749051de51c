"""Sources: documents by number, their mentions as columns."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from dataclasses import replace
from functools import cached_property
from itertools import chain, groupby, islice
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

import numpy as np

from corefkit.arrays.building import build_columns
from corefkit.arrays.columns import Columns, join_columns
from corefkit.exceptions import CorefkitError, PairingError, quoted, reject_response
from corefkit.formats.checks import DocumentChecks
from corefkit.formats.problems import (
    ERROR,
    INVALID_ANNOTATION,
    UNPAIRED,
    Faults,
    has_errors,
)
from corefkit.model import Entity
from corefkit.strings import normalize_id

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Hashable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )
    from pathlib import Path

    from corefkit.arrays.columns import Counts, Hashes, Ints
    from corefkit.formats.files import ByteFile
    from corefkit.formats.in_memory import MentionNames
    from corefkit.formats.problems import Problem
    from corefkit.model import Document, Mention


class Word(NamedTuple):
    """A word of a document: its text, its place as `file:line`, its sentence."""

    text: str
    place: str
    sentence: int = 0


class Source:
    """An open input: documents of one side, numbered in their order.

    Every input is a subclass: a file, a folder, a table, values in memory. Scoring
    calls `read_columns`; the other methods serve messages, analyses and people, and may
    be slow.
    """

    name: str  # the display name of the input
    ids: Sequence[str]
    sizes: Sequence[int]  # the approximate number of bytes of each document
    block_sizes: Sequence[int] = ()  # by which documents are grouped, if others
    verbatim = False  # compare ids byte by byte; of equal ones the last counts
    file: ByteFile | None = None  # None if the input is not a single file of text
    may_have_words = True  # if not, none are missed
    pairs_by_order = False  # documents without ids, in the order of the key
    has_sentences = True  # otherwise the places of empty nodes may be ambiguous
    has_entity_ids = True  # by which entities are recognised in other documents
    lacks_ids = False  # whether documents are only numbered, or named by their file
    is_cut_off = False  # whether the file ends inside its last document
    # Numbers mentions that are names, together with other sources; None without names.
    names: MentionNames | None = None
    takes_names = False  # whether all mentions may be names
    has_names = False  # whether any mention is a name

    @abstractmethod
    def read_columns(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None = None
    ) -> Columns:
        """Read the mentions of some documents, in the given order.

        With `ids`, entity ids are encoded too, see `corefkit.arrays.building`.
        """

    @abstractmethod
    def read_document(self, number: int) -> Document:
        """Read one document as an object."""

    def read_leniently(self, number: int) -> Document:
        """Read one document as far as possible, ignoring errors."""
        return self.read_document(number)

    def read_repaired(self, number: int) -> Document:
        """Read one document, and repair its brackets if the format has rules for it."""
        return self.read_document(number)

    def read_text(self, number: int) -> Document:
        """Read the words of a document and their layers, perhaps without entities."""
        return self.read_document(number)

    def read_listing(self, number: int) -> ReferenceListing:
        """Read the entities of a document as the reference scorer lists them."""
        entities = self.read_document(number).entities
        return ReferenceListing(
            tuple(
                tuple((mention.start, mention.end) for mention in entity.mentions)
                for entity in entities
            )
        )

    def iter_words(self, number: int) -> Iterator[Word]:
        """Iterate over the words of a document, without empty nodes."""
        del number
        return iter(())

    def list_texts(self) -> list[str]:
        """List the text of each document, without whitespace."""
        words = (
            map(attrgetter("text"), self.iter_words(n)) for n in range(len(self.ids))
        )
        return ["".join(chain.from_iterable(map(str.split, row))) for row in words]

    def find_word(self, number: int, position: int) -> Word | None:
        """Find a word of a document by its position; None if it has fewer words."""
        return next(islice(self.iter_words(number), position, None), None)

    def iter_comments(self) -> Iterator[str]:
        """Iterate over the comments above the first document."""
        return iter(())

    def format_place(self, number: int) -> str:
        """Format the place where a document begins, as `file:line` if it has lines."""
        del number
        return self.name

    def is_running_text(self, number: int) -> bool:
        """Return whether a document is running text, which reading tokenizes."""
        del number
        return False

    def may_have_mention_types(self, number: int) -> bool:
        """Return whether mentions of a document may have a `mention_type`."""
        del number
        return True

    def share_names(self, names: MentionNames) -> None:
        """Number the names of mentions in the same way as other sources."""

    def example_name(self) -> str:
        """Return a mention that is a name, for messages."""
        return ""

    def list_names(self, document: str) -> Sequence[tuple[str, bool]]:
        """List mentions as text, and whether each is a name, by the normalized id."""
        del document
        return ()

    @cached_property
    def document_numbers(self) -> Mapping[str, int]:
        """The number of each document by its normalized id."""
        return {normalize_id(name): number for number, name in enumerate(self.ids)}

    def close(self) -> None:
        """Release the resources that the source holds."""


class ReferenceListing(NamedTuple):
    """The entities that the reference scorer lists in a document."""

    # First and last tokens of mentions; an entity is empty if none of them closes.
    entities: tuple[tuple[tuple[int, int], ...], ...] = ()
    discarded: tuple[str, ...] = ()  # double antecedents


def compare_names(source: Source, others: Iterable[Source]) -> PairingError | None:
    """Return an error if a source has names and another one tokens, else None."""
    for expected in others if source.has_names else ():
        if not expected.takes_names:
            message = (
                f"mention {quoted(source.example_name())} is a name, expected tokens "
                f"as in {expected.name}"
            )
            hint = "both sides name their mentions, or both give first and last token"
            return PairingError(
                message, code="pairing/different-mentions", place=source.name, hint=hint
            )
    return None


def share_names(
    sources: dict[int, Source], refusals: dict[int, CorefkitError] | None = None
) -> None:
    """Number the names of mentions in all sources together.

    A source with names next to one with tokens raises PairingError, or is rejected.
    """
    from corefkit.formats.in_memory import MentionNames

    names = MentionNames()
    for number, source in [*sources.items()]:
        names.sources.append(source)
        clashes = (compare_names(each, names.sources) for each in names.sources)
        clash = next(filter(None, clashes), None)
        if clash is not None:
            reject_response(refusals, number, clash)
            del sources[number]
            names.sources.pop()
    for source in names.sources:
        source.share_names(names)


def name_by_text(
    sources: dict[int, Source], refusals: dict[int, CorefkitError] | None = None
) -> None:
    """Name the documents of responses as in the key if one of the two has no ids.

    Documents with the same text are paired. It is compared without whitespace, because
    tokens may differ. Documents without partner, or with several, raise PairingError.
    """
    key = sources[0]
    key_ids = set(map(normalize_id, key.ids))
    for number, source in [*sources.items()][1:]:
        has_ids = not (key.lacks_ids or source.lacks_ids)
        if has_ids or not key_ids.isdisjoint(map(normalize_id, source.ids)):
            continue
        try:
            source.ids = _find_ids_by_text(key, source)
        except CorefkitError as error:
            reject_response(refusals, number, error)
            del sources[number]


def _find_ids_by_text(key: Source, response: Source) -> list[str]:
    # The words of single documents are compared later, with the first difference.
    if len(key.ids) == len(response.ids) == 1:
        return list(key.ids)
    key_texts, texts = key.list_texts(), response.list_texts()
    if texts == key_texts and all(texts):
        return list(key.ids)
    numbers = {text: number for number, text in enumerate(key_texts)}
    counts, key_counts = Counter(texts), Counter(key_texts)
    for number, text in enumerate(texts):
        if not text or (counts[text], key_counts[text]) != (1, 1):
            message = (
                f"document {number} has no id, and no text of its own in {key.name}"
            )
            hint = "add a 'doc_key' to each document, or pass {id: document, ...}"
            code, place = "pairing/unnamed-documents", response.format_place(number)
            raise PairingError(message, code=code, place=place, hint=hint)
    return [key.ids[numbers[text]] for text in texts]


# Features of documents and mentions that a format may not support.
GAPS = "discontinuous mentions"
HEADS = "heads"
MINIMA = "minimum spans"
ZEROS = "empty nodes"
TYPES = "entity types"
KINDS = "mention types"
ATTRIBUTES = "other attributes"
SPLITS = "split antecedents"
BRIDGES = "bridging anaphors"
NON_REFERRING = "non-referring entities"
CROSSING = "mentions that cross another"
CROSSING_ITS_OWN = "mentions that cross another of their entity"
CROSSINGS = frozenset({CROSSING, CROSSING_ITS_OWN})
EVERYTHING = (
    *(GAPS, HEADS, MINIMA, ZEROS, TYPES, KINDS, ATTRIBUTES, SPLITS, BRIDGES),
    *(NON_REFERRING, CROSSING, CROSSING_ITS_OWN),
)

# Patterns of the characters that a format replaces inside words.
ALTERED = "some blanks or control characters inside words"
COLUMN_MARKS = "[\\x00-\\x20]"
LINE_MARKS = "[\\t\\n]"
TEXT_MARKS = r"[^\S ]"
XML_MARKS = "[\\x00-\\x1f\\x85\\ufffe\\uffff\\ud800-\\udfff]"


class Reader(NamedTuple):
    """How a format is read."""

    # The arguments are the file, whether it is the response, and whether to read as the
    # reference scorer does.
    open: Callable[[ByteFile, bool, bool], Source]
    problems: Callable[[ByteFile], Iterable[Problem]]


class Writer(NamedTuple):
    """How a format is written: by one of `text`, `files` and `save`."""

    carries: frozenset[str]  # the supported features of `EVERYTHING`
    layers: frozenset[str] | None = frozenset()  # the supported ones; None for all
    words: bool = True  # whether words are written
    alters: str | None = None  # a pattern of the characters of words that it replaces
    # The text of a document, in parts; all documents go to one file.
    text: Callable[[Document], Iterable[str]] | None = None
    header: str = ""  # in front of the first document
    # The files of a document as suffix (`.txt`) and text, the main file first.
    files: Callable[[Document], Iterable[tuple[str, str]]] | None = None
    save: Callable[[Iterable[Document], Path], None] | None = None  # all documents


# Formats that are read document by document.
#
# Such a format is two functions: `extents` finds the documents in a file, and `parse`
# parses one. Both report problems to `faults` and continue as far as possible.


class Extent(NamedTuple):
    """The position of a document in its file, as byte offsets, and its id."""

    id: str
    start: int
    end: int


class Parsed(NamedTuple):
    """A parsed document."""

    document: Document
    lines: Sequence[int]  # of tokens
    text_file: str | None = None  # the file of these lines, if not the parsed one


Extents: TypeAlias = "Callable[[ByteFile, Faults], Iterable[Extent]]"
Parse: TypeAlias = "Callable[[ByteFile, Extent, Faults], Parsed]"
_Item = TypeVar("_Item", bound="Hashable")
_BLOCK_BYTES = 1 << 18  # of documents that are converted to columns at a time


def make_reader(
    extents: Extents,
    parse: Parse,
    *,
    running: bool = False,
    open: Callable[..., DocumentSource] | None = None,
) -> Reader:
    """Make the reader of a format; with `running`, text that reading tokenizes."""
    open_source = open or DocumentSource
    return Reader(
        open=lambda file, _response, _reference: open_source(
            file, extents, parse, running=running
        ),
        problems=lambda file: iter_document_problems(file, extents, parse),
    )


def make_file_extents(get_id: Callable[[ByteFile], str]) -> Extents:
    """Make the `extents` of a format in which a file is one document."""

    def find_extents(file: ByteFile, faults: Faults) -> Iterator[Extent]:
        del faults
        yield Extent(get_id(file), file.text_start, file.size)

    return find_extents


class DocumentSource(Source):
    """The documents of a file, which are found on opening and parsed on demand."""

    file: ByteFile

    def __init__(
        self, file: ByteFile, extents: Extents, parse: Parse, *, running: bool = False
    ) -> None:
        self.name = file.name
        self._running = running
        self.file = file
        self._faults = Faults(file)
        self.extents = list(extents(file, self._faults))
        self._parse = parse
        self.ids = [extent.id for extent in self.extents]
        self.sizes = [extent.end - extent.start for extent in self.extents]

    def close(self) -> None:
        self.file.close()

    def format_place(self, number: int) -> str:
        return self.file.format_place(self.extents[number].start)

    def read_columns(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None = None
    ) -> Columns:
        parts: list[Columns] = []
        block: list[int] = []
        size = 0
        for number in numbers:
            block.append(number)
            size += self.sizes[number]
            if size >= _BLOCK_BYTES:
                parts.append(self._parse_block(block, ids))
                block, size = [], 0
        if block or not parts:
            parts.append(self._parse_block(block, ids))
        return join_columns(parts)

    def _parse_block(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None
    ) -> Columns:
        parsed = [self._parse_for_columns(number) for number in numbers]
        columns = build_columns([document for document, _, _ in parsed], ids)
        # If words are unknown, their number may still be known.
        for row, (document, lines, _) in enumerate(parsed):
            if not document.sentences:
                columns.token_count[row] = len(lines)
        return columns

    def _parse_for_columns(self, number: int) -> Parsed:
        """Parse a document as far as columns require."""
        return self._parse_document(number)

    def iter_comments(self) -> Iterator[str]:
        for extent in self.extents[:1]:
            for _, line in self.file.lines(extent.start, extent.end):
                if not line.startswith(b"#"):
                    return
                yield line[1:].decode("utf-8", "replace")

    def read_document(self, number: int) -> Document:
        return self._set_origin(self._parse_document(number).document)

    def read_leniently(self, number: int) -> Document:
        faults = Faults(self.file, [])
        parsed = self._parse(self.file, self.extents[number], faults)
        return self._set_origin(parsed.document)

    def _set_origin(self, document: Document) -> Document:
        return replace(document, origin="running") if self._running else document

    def is_running_text(self, number: int) -> bool:
        del number
        return self._running

    def iter_words(self, number: int) -> Iterator[Word]:
        document, lines, text_file = self._parse_document(number)
        name = text_file or self.name
        if not document.sentences:
            return (Word("", f"{name}:{line}") for line in lines)
        return iter_document_words(document, lambda token: f"{name}:{lines[token]}")

    def _parse_document(self, number: int) -> Parsed:
        return self._parse(self.file, self.extents[number], self._faults)


# Files that a language model writes: broken brackets in them can be repaired.
_REPAIRED = frozenset({UNPAIRED.code, INVALID_ANNOTATION.code})


class RepairingSource(DocumentSource):
    """Documents without ids and sentences, with rules for broken brackets.

    `parse` applies the rules to the brackets that it reports, and lists the rules in
    the document.
    """

    pairs_by_order = True
    has_sentences = False

    def read_repaired(self, number: int) -> Document:
        faults = Faults(self.file, [])
        parsed = self._parse(self.file, self.extents[number], faults)
        problems = faults.problems or ()
        if any(row.severity == ERROR and row.code not in _REPAIRED for row in problems):
            return self.read_document(number)  # raises the error
        return self._set_origin(parsed.document)


def group_entities(mentions: Iterable[tuple[str, Mention]]) -> tuple[Entity, ...]:
    """Group mentions by the ids of their entities, keeping the order of both."""
    groups: dict[str, list[Mention]] = {}
    for name, mention in mentions:
        groups.setdefault(name, []).append(mention)
    return tuple(Entity(name, tuple(group)) for name, group in groups.items())


def group_linked(
    items: Iterable[_Item], links: Iterable[Iterable[_Item]]
) -> list[list[_Item]]:
    """Group items that are linked, directly or through others.

    Groups are in the order of their first items; other members of links are ignored.
    """
    parent = {item: item for item in items}

    def find_root(item: _Item) -> _Item:
        while parent[item] != item:
            parent[item] = item = parent[parent[item]]
        return item

    for link in links:
        members = [item for item in link if item in parent]
        for item in members[1:]:
            parent[find_root(item)] = find_root(members[0])
    groups: dict[_Item, list[_Item]] = {}
    for item in parent:
        groups.setdefault(find_root(item), []).append(item)
    return list(groups.values())


def iter_document_words(
    document: Document, format_place: Callable[[int], str]
) -> Iterator[Word]:
    """Iterate over the words of a document, with the place and sentence of each."""
    empty = set(document.empty)
    token = 0
    for sentence, words in enumerate(document.sentences):
        for word in words:
            if token not in empty:
                yield Word(word, format_place(token), sentence)
            token += 1


def iter_document_problems(
    file: ByteFile,
    extents: Extents,
    parse: Parse,
    *,
    singletons: bool = True,
    types: bool = True,
) -> Iterator[Problem]:
    """Iterate over all problems of a file, in the order of its lines.

    Without `singletons`, the format should not have any, and they are reported. With
    `types`, entities of several types are reported.
    """
    problems: list[Problem] = []
    faults = Faults(file, problems)
    checks = DocumentChecks(faults, types=types)
    first_lines: dict[str, int] = {}
    reported = 0
    for extent in extents(file, faults):
        name, line = normalize_id(extent.id), file.line_number(extent.start)
        if name in first_lines:
            faults.report_repeated_document(line, extent.id, first_lines[name])
        first_lines.setdefault(name, line)
        document, lines, text_file = parse(file, extent, faults)
        checks.check(
            document,
            line,
            lines.__getitem__,
            size=len(lines),
            broken=has_errors(problems[reported:]),
            text_file=text_file,
        )
        reported = len(problems)
    if not singletons and not has_errors(problems):
        checks.report_singletons()
    yield from faults.sorted_problems


# Files that the kernel reads at once: it finds the documents and reads their columns in
# one pass. It skips documents that are not plain, which are then parsed in Python.


# Dialects of CoNLL that the kernel reads.
CONLL, REFERENCE, SEMEVAL = range(3)
_SPAN_BYTES = 512  # the approximate size of a mention in all arrays of a block


def decode_integers(rows: Iterable[bytes]) -> list[Ints]:
    """Convert rows of bytes, as the kernel returns them, to arrays of int64."""
    return [np.frombuffer(row, np.int64) for row in rows]


class SpanRows(NamedTuple):
    """The mentions of all documents of a file, compact as the kernel returns them."""

    token_count: Ints  # of each document
    text_hash: Hashes  # of the words of each document
    entity_bounds: Ints  # of documents
    mention_bounds: Ints  # of documents
    length: Counts  # the number of mentions of each entity
    code: Counts  # the id of each entity as a number
    span: Counts  # first and last token of each mention, in 16 or 32 bits each

    @property
    def sizes(self) -> list[int]:
        """The approximate number of bytes to score each document."""
        sizes: list[int] = (np.diff(self.mention_bounds) * _SPAN_BYTES).tolist()
        return sizes

    def take_documents(self, numbers: Sequence[int]) -> Columns:
        documents = np.array(numbers, np.int64)
        # Runs of adjacent documents.
        first = documents[np.diff(documents, prepend=-2) != 1]
        last = documents[np.diff(documents, append=-2) != 1] + 1

        def take(values: Counts, bounds: Ints) -> Counts:
            ranges = zip(bounds[first].tolist(), bounds[last].tolist(), strict=True)
            return np.concatenate([values[:0], *(values[i:j] for i, j in ranges)])

        length = take(self.length, self.entity_bounds)
        span = _widen_spans(take(self.span, self.mention_bounds))
        entity_count = np.diff(self.entity_bounds)[documents]
        return Columns(
            entity=np.repeat(np.arange(len(length)), length),
            start=span >> 32,
            end=span & 0xFFFFFFFF,
            entity_document=np.repeat(np.arange(len(documents)), entity_count),
            token_count=self.token_count[documents],
            text_hash=self.text_hash[documents],
            code=take(self.code, self.entity_bounds).astype(np.int64),
        )


def _widen_spans(spans: Counts) -> Ints:
    """Convert spans of 16 bits per token to 32 bits."""
    wide = spans.astype(np.int64)
    return wide >> 16 << 32 | wide & 0xFFFF if spans.dtype == np.uint32 else wide


class KernelColumns(NamedTuple):
    """The documents of a file as the kernel read them."""

    extents: Sequence[Extent]
    columns: Columns | SpanRows
    skipped: frozenset[int]  # documents that Python parses


def read_with_kernel(
    file: ByteFile, dialect: int, default_id: str = ""
) -> KernelColumns | None:
    """Read a file of a dialect of CoNLL; None if the kernel cannot."""
    results = file.call_kernel("read_conll", dialect)
    if results is None:
        return None
    names, *arrays, lengths, codes, spans = results
    start, end, skipped, token_count, *numbers = decode_integers(arrays)
    text_hash, entity_bounds, mention_bounds = numbers
    length_parts = [np.frombuffer(part, np.int32) for part in lengths]
    mention_counts = [int(part.sum()) for part in length_parts]
    columns = SpanRows(
        token_count,
        text_hash.view(np.uint64),
        entity_bounds,
        mention_bounds,
        length=np.concatenate(length_parts),
        code=_join_parts(codes, [len(part) for part in length_parts]),
        span=_join_parts(spans, mention_counts, are_spans=True),
    )
    # A name cannot reach into the next one, so all are decoded at once.
    lines = names.decode("utf-8", "backslashreplace").split("\n")
    ids = [document_id or default_id for document_id in lines]
    extents = list(map(Extent, ids, start.tolist(), end.tolist()))
    skipped_numbers = frozenset(np.flatnonzero(skipped).tolist())
    return KernelColumns(extents, columns, skipped_numbers)


def _join_parts(
    parts: list[bytes], sizes: Sequence[int], *, are_spans: bool = False
) -> Counts:
    """Join parts of numbers, each of 32 bits if all numbers of the part fit.

    The parts are removed one by one, so that the memory does not double.
    """
    are_narrow = sum(map(len, parts)) == 4 * sum(sizes)
    joined = np.empty(sum(sizes), np.uint32 if are_narrow else np.int64)
    end = len(joined)
    for size in reversed(sizes):
        part = parts.pop()
        row = np.frombuffer(part, np.uint32 if len(part) == 4 * size else np.int64)
        wide = row if are_narrow or not are_spans else _widen_spans(row)
        joined[end - size : end] = wide
        end -= size
    return joined


class KernelSource(DocumentSource):
    """The documents of a file, with the columns of those that the kernel read.

    Without `held`, the kernel is not available and all documents are parsed.
    """

    def __init__(
        self, file: ByteFile, extents: Extents, parse: Parse, held: KernelColumns | None
    ) -> None:
        self._held = held
        super().__init__(
            file, extents if held is None else lambda *_: held.extents, parse
        )
        if held is not None:
            # The bytes of the columns of each document, or of its text if skipped.
            self.block_sizes = sizes = held.columns.sizes
            for number in held.skipped:
                sizes[number] = self.sizes[number]

    def read_columns(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None = None
    ) -> Columns:
        if self._held is None or not numbers:
            return self.parse_columns(numbers, ids)
        parts: list[Columns] = []
        for is_skipped, group in groupby(numbers, self._held.skipped.__contains__):
            if is_skipped:
                parts.append(self.parse_columns(list(group), ids))
                continue
            columns = self._held.columns.take_documents(list(group))
            code = None
            if ids is not None and columns.code is not None:
                code = self.encode_kernel_ids(columns.code, ids)
            parts.append(replace(columns, code=code))
        return parts[0] if len(parts) == 1 else join_columns(parts)

    def parse_columns(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None = None
    ) -> Columns:
        """Read the mentions of some documents without the kernel."""
        return super().read_columns(numbers, ids)

    @abstractmethod
    def encode_kernel_ids(self, codes: Ints, ids: dict[bytes, int]) -> Ints:
        """Encode entity ids, given by the codes of the kernel."""
