"""Formats that give whole documents: what they share, so that each is one small file.

Such a format says where the documents of a file lie (`extents`) and how to parse one
(`parse`); what is wrong goes to `faults`, and parsing goes on as well as it can.
`document_reader` makes everything that scoring and validating need of the two.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from corefkit.columns import join_columns
from corefkit.columns.of_documents import document_columns
from corefkit.formats.base import Reader
from corefkit.formats.faults import Faults, has_errors
from corefkit.formats.oddities import Oddities
from corefkit.formats.source import Word
from corefkit.model import Entity
from corefkit.strings.ids import canonical_id

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from corefkit.columns import Columns
    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Problem
    from corefkit.model import Document, Mention


class Extent(NamedTuple):
    """Where a document lies in its file, by offsets of bytes, and its id."""

    id: str
    start: int
    end: int


class Parsed(NamedTuple):
    """A document, and the lines of its tokens."""

    document: Document  # the document
    lines: Sequence[int]  # the line of each token
    # The file that the lines are of, where it is not the one parsed.
    text_file: str | None = None


Extents: TypeAlias = "Callable[[ByteFile, Faults], Iterable[Extent]]"
Parse: TypeAlias = "Callable[[ByteFile, Extent, Faults], Parsed]"
_Item = TypeVar("_Item", bound="Hashable")
_BLOCK = 1 << 18  # bytes of documents that are objects at a time


def document_reader(extents: Extents, parse: Parse, *, running: bool = False) -> Reader:
    """Make a reader of the two functions of a format with whole documents.

    A format is `running` whose text has no tokens, which are made in reading.
    """
    return Reader(
        open=lambda file, _response, _reference: DocumentSource(
            file, extents, parse, running=running
        ),
        problems=lambda file: document_problems(file, extents, parse),
    )


def whole_file(name: Callable[[ByteFile], str]) -> Extents:
    """Make the `extents` of a format whose files are a document each, with its name."""

    def extents(file: ByteFile, faults: Faults) -> Iterator[Extent]:
        del faults  # what is wrong with the file, parsing reports
        yield Extent(name(file), file.text_start, file.size)

    return extents


class DocumentSource:
    """The documents of a file, found once and parsed when asked for."""

    def __init__(
        self, file: ByteFile, extents: Extents, parse: Parse, *, running: bool = False
    ) -> None:
        self.name = file.name
        self.verbatim = False
        self._running = running
        self.file = file
        self._faults = Faults(file)
        self.extents = list(extents(file, self._faults))
        self._parse = parse
        self.ids = [extent.id for extent in self.extents]
        self.sizes = [extent.end - extent.start for extent in self.extents]

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    def place(self, number: int) -> str:
        """Return where a document begins, as `file:line`."""
        return self.file.place(self.extents[number].start)

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some documents, in the order asked for."""
        blocks = _blocks(numbers, self.sizes)
        return join_columns([self._block_columns(block) for block in blocks])

    def _block_columns(self, numbers: Sequence[int]) -> Columns:
        parsed = [self._parsed_for_columns(number) for number in numbers]
        columns = document_columns([document for document, _, _ in parsed])
        # Where words are unknown, how many there are may still be known.
        for row, (document, lines, _) in enumerate(parsed):
            if not document.sentences:
                columns.token_count[row] = len(lines)
        return columns

    def _parsed_for_columns(self, number: int) -> Parsed:
        """Parse a document as far as columns need it; most formats parse all of it."""
        return self._parsed(number)

    def comments(self) -> Iterator[str]:
        """Iterate over the comments above the first document, which may be large."""
        for extent in self.extents[:1]:
            for _, line in self.file.lines(extent.start, extent.end):
                if not line.startswith(b"#"):
                    return
                yield line[1:].decode("utf-8", "replace")

    def document(self, number: int) -> Document:
        """Read one document as an object."""
        document = self._parsed(number).document
        return replace(document, origin="running") if self._running else document

    def mended(self, number: int) -> Document:
        """Read one document as well as it can be read, whatever is wrong with it."""
        faults = Faults(self.file, [])
        document = self._parse(self.file, self.extents[number], faults).document
        return replace(document, origin="running") if self._running else document

    def is_running(self, number: int) -> bool:
        """Return whether the format has running text, as all its documents do."""
        del number
        return self._running

    def words(self, number: int) -> Iterator[Word]:
        """Iterate over the words of a document with their places."""
        document, lines, text_file = self._parsed(number)
        name = text_file or self.name
        if not document.sentences:
            return (Word("", f"{name}:{line}") for line in lines)
        return document_words(document, lambda token: f"{name}:{lines[token]}")

    def _parsed(self, number: int) -> Parsed:
        return self._parse(self.file, self.extents[number], self._faults)


def _blocks(numbers: Sequence[int], sizes: Sequence[int]) -> Iterator[list[int]]:
    """Part documents into blocks: few objects are in memory at a time."""
    block: list[int] = []
    size = 0
    for number in numbers:
        block.append(number)
        size += sizes[number]
        if size >= _BLOCK:
            yield block
            block, size = [], 0
    if block:
        yield block


def grouped_entities(mentions: Iterable[tuple[str, Mention]]) -> tuple[Entity, ...]:
    """Group mentions by the names of their entities, in the order of both.

    >>> from corefkit.model import Mention
    >>> rows = [("b", Mention(0, 0)), ("a", Mention(1, 1)), ("b", Mention(2, 2))]
    >>> [(entity.id, len(entity)) for entity in grouped_entities(rows)]
    [('b', 2), ('a', 1)]
    """
    groups: dict[str, list[Mention]] = {}
    for name, mention in mentions:
        groups.setdefault(name, []).append(mention)
    return tuple(Entity(name, tuple(group)) for name, group in groups.items())


def connected(
    items: Iterable[_Item], links: Iterable[Iterable[_Item]]
) -> list[list[_Item]]:
    """Group items that are linked, directly or through others.

    Groups stand in the order of their first items, and items in the order given.
    Whatever a link names that is not among the items is passed over.

    >>> connected("abcd", ["ac", "cd", "x"])
    [['a', 'c', 'd'], ['b']]
    """
    parent = {item: item for item in items}

    def root(item: _Item) -> _Item:
        while parent[item] != item:
            parent[item] = item = parent[parent[item]]
        return item

    for link in links:
        known = [item for item in link if item in parent]
        for item in known[1:]:
            parent[root(item)] = root(known[0])
    groups: dict[_Item, list[_Item]] = {}
    for item in parent:
        groups.setdefault(root(item), []).append(item)
    return list(groups.values())


def document_words(document: Document, place: Callable[[int], str]) -> Iterator[Word]:
    """Iterate over the words of a document, each with its place and sentence."""
    empty = set(document.empty)
    token = 0
    for sentence, words in enumerate(document.sentences):
        for word in words:
            if token not in empty:
                yield Word(word, place(token), sentence)
            token += 1


def document_problems(
    file: ByteFile,
    extents: Extents,
    parse: Parse,
    *,
    singletons: bool = True,
    types: bool = True,
) -> Iterator[Problem]:
    """Iterate over everything that is wrong with a file, in the order of its lines.

    Where a format is not meant to have `singletons`, that there are any is reported.
    Entities of several `types` are, unless the types are not of the entities.
    """
    kept: list[Problem] = []
    faults = Faults(file, kept)
    oddities = Oddities(faults, types=types)
    first: dict[str, int] = {}
    before = 0  # how many problems there were before the document
    for extent in extents(file, faults):
        name, line = canonical_id(extent.id), file.line_number(extent.start)
        if name in first:
            faults.repeated_document(line, extent.id, first[name])
        first.setdefault(name, line)
        document, lines, text_file = parse(file, extent, faults)
        oddities.take(
            document,
            line,
            lines.__getitem__,
            size=len(lines),
            broken=has_errors(kept[before:]),
            text_file=text_file,
        )
        before = len(kept)
    if not singletons and not has_errors(kept):
        oddities.tell_singletons()
    yield from faults.kept
