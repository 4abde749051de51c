"""CoNLL-2011 and CoNLL-2012: one token a line, brackets in the last column.

1.  A document begins with `#begin document (id); part 000` and ends with
    `#end document`. The id is the rest of the line, part included.
2.  Between the two, a line is a token, unless it is blank (a sentence ends) or starts
    with `#` (a comment). Tokens are numbered through the document from 0.
3.  Columns are set apart by tabs or blanks. The last one is the coreference cell. With
    five columns or more, and a number in the third of the document's first line, the
    fourth holds the word; with another layout the words are not known.
4.  A cell is `-`, `_` or `*` (nothing), or brackets: `(7` opens a mention of entity 7,
    `7)` closes the one opened last, `(7)` is a mention of one token. Bars between
    brackets are usual but not needed. Ids are digits, compared as strings.
5.  Brackets are taken from left to right. Spans may nest, cross and repeat.
6.  Every bracket closes inside its document.

Read as the reference scorer does (`Settings.reading`), comments are tokens, a cell is
what follows the last tab, ids and names are compared byte by byte, `#end document` may
stand anywhere in a line or be missing at the end of the file, and of documents with the
same name the last one counts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.exceptions import FormatError, quoted
from corefkit.formats.base import COLUMN_MARKS, CROSSING, Reader, Writer
from corefkit.formats.bytefile import BLOCK
from corefkit.formats.conll.cells import Unbalanced, cell_items, reference_cell
from corefkit.formats.conll.columns import FEWEST_COLUMNS, WORD_COLUMN, conll_columns
from corefkit.formats.conll.extents import (
    ConllExtent,
    conll_extents,
    is_democrat,
    reference_extents,
)
from corefkit.formats.conll.writing import LAYERS, conll_text
from corefkit.formats.faults import Faults
from corefkit.formats.source import Word
from corefkit.model import Document, Entity, Mention
from corefkit.strings.ids import canonical_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.columns import Columns
    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Problem

_FIELD = re.compile(rb"[^\x00-\x20]+")
_BLANKS = bytes(range(0x21))
_EMPTY_CELLS = (b"-", b"_", b"*")


def recognise(head: bytes) -> bool:
    """Say whether the first bytes of a file look like CoNLL-2012."""
    return re.search(rb"^#[^\S\n]*begin document ", head, re.MULTILINE) is not None


def closer(head: bytes) -> str | None:
    """Name the format that reads more of such a file, as Democrat's has its words."""
    return "democrat" if is_democrat(head) else None


class ConllSource:
    """The documents of a CoNLL-2012 file, found once and read when asked for."""

    def __init__(self, file: ByteFile, *, reference: bool) -> None:
        self.name = file.name
        self.file = file
        self.verbatim = self._reference = reference
        self._extents = list(
            reference_extents(file) if reference else conll_extents(file, Faults(file))
        )
        self.ids = [extent.id for extent in self._extents]
        self.sizes = [extent.end - extent.start for extent in self._extents]

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    def place(self, number: int) -> str:
        """Say where a document begins, as `file:line`."""
        return self.file.place(self._extents[number].header)

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some documents, in the order asked for."""
        extents = [self._extents[number] for number in numbers]
        forgiven = [self._reference and not extent.ended for extent in extents]
        lengths = [extent.end - extent.start + 1 for extent in extents]
        try:
            return conll_columns(
                self._bodies(extents),
                np.array(lengths, np.int64),
                reference=self._reference,
                may_stay_open=np.array(forgiven, np.bool_),
            )
        except Unbalanced:
            raise self._first_problem(extents) from None

    def _bodies(self, extents: Sequence[ConllExtent]) -> Iterator[list[bytes]]:
        # Small documents share a block; a blank line more after each does no harm and
        # ends the last line of a file that does not end it.
        parts: list[bytes] = []
        size = 0
        for extent in extents:
            for part in self.file.blocks(extent.start, extent.end):
                parts.append(part)
                size += len(part)
                if size >= BLOCK:
                    yield parts
                    parts, size = [], 0
            parts.append(b"\n")
        yield parts

    def _first_problem(self, extents: Sequence[ConllExtent]) -> FormatError:
        for extent in extents:
            try:
                _document(self.file, extent, reference=self._reference)
            except FormatError as error:
                return error
        message = "brackets do not pair"
        return FormatError(message, place=self.file.place(extents[0].header))

    def is_running(self, number: int) -> bool:
        """Say that tokens are those of the file."""
        del number
        return False

    def words(self, number: int) -> Iterator[Word]:
        """Go through the tokens of a document with their places."""
        extent = self._extents[number]
        for token in _tokens(self.file, extent, reference=self._reference):
            yield Word(token.word or "", f"{self.name}:{token.line}", token.sentence)

    def document(self, number: int) -> Document:
        """Read one document as an object."""
        extent = self._extents[number]
        return _document(self.file, extent, reference=self._reference)


def problems(file: ByteFile) -> Iterator[Problem]:
    """Go through everything that is wrong with a file, line by line."""
    faults = Faults(file, [])
    first: dict[str, int] = {}
    for extent in conll_extents(file, faults):
        name = canonical_id(extent.id)
        if name in first:
            earlier = file.line_number(first[name])
            message = (
                f"document {quoted(extent.id)} was there before, at line {earlier}"
            )
            faults.at(extent.header, message)
        first.setdefault(name, extent.header)
        _check_document(file, extent, faults)
    yield from faults.kept


class _Token(NamedTuple):
    """A token line as a person sees it; `sentence` counts the blank lines before."""

    line: int
    sentence: int
    word: str | None
    cell: bytes
    columns: list[bytes]


def _tokens(
    file: ByteFile, extent: ConllExtent, *, reference: bool = False
) -> Iterator[_Token]:
    line = file.line_number(extent.start) - 1
    sentence, blank = -1, True
    numbered: bool | None = None
    for content in _lines(file, extent):
        line += 1
        columns = _FIELD.findall(content)
        if not columns:
            blank = True
        elif reference or not columns[0].startswith(b"#"):
            sentence += blank
            blank = False
            word = None
            if numbered is None:
                numbered = b"".join(columns[2:3])[:1].isdigit()
            if numbered and len(columns) >= FEWEST_COLUMNS:
                word = columns[WORD_COLUMN].decode("utf-8", "backslashreplace")
            cell = _reference_cell(content) if reference else columns[-1]
            yield _Token(line, sentence, word, cell, columns)


def _lines(file: ByteFile, extent: ConllExtent) -> Iterator[bytes]:
    # To the reference scorer a carriage return is a part of the line.
    for block in file.blocks(extent.start, extent.end):
        yield from block.removesuffix(b"\n").split(b"\n")


def _reference_cell(line: bytes) -> bytes:
    """Give the brackets that the reference scorer finds in a line."""
    return reference_cell(line.rstrip(b"\t").rpartition(b"\t")[2])


def _reads_alike(file: ByteFile, extent: ConllExtent) -> bool:
    """Say whether the reference scorer reads in a document what we do."""
    header = file.read(extent.header, extent.start).rstrip(b"\r\n")
    if header != header.rstrip():
        return False  # blanks are a part of the name
    moved = False
    for line in _lines(file, extent):
        if line.lstrip().startswith(b"#") or b"end document" in line:
            return False
        if b"(" in line or b")" in line:
            cell = _FIELD.findall(line)[-1]
            ours = [] if cell in _EMPTY_CELLS else cell_items(cell) or []
            theirs = cell_items(_reference_cell(line)) or []
            if sorted(ours) != sorted(theirs):
                return False
            moved |= ours != theirs
    return not moved or _pairs_alike(file, extent)


def _pairs_alike(file: ByteFile, extent: ConllExtent) -> bool:
    """Say whether brackets pair to the same mentions in the reference scorer's order.

    The order of entities makes a difference where a mention stands in several.
    """
    every = []
    for reference in (False, True):
        tokens = _tokens(file, extent, reference=reference)
        try:
            spans = list(
                _spans(file, extent, tokens, Faults(file), reference=reference)
            )
        except FormatError:
            return False
        every.append({(span.entity, span.mention) for span in spans})
        if len({span.mention for span in spans}) < len(spans):
            return False
    return every[0] == every[1]


class _Span(NamedTuple):
    """A mention and the line in which it opens."""

    entity: str
    mention: Mention
    line: int


def _check_document(file: ByteFile, extent: ConllExtent, faults: Faults) -> None:
    """Tell what is wrong inside one document."""
    _check_encoding(file, extent, faults)
    earlier: dict[Mention, str] = {}
    for span in _spans(file, extent, _tokens(file, extent), faults):
        start, end = span.mention
        if span.mention in earlier:
            mention = f"of tokens {start} to {end} of document {quoted(extent.id)}"
            faults.repeated_mention(
                span.line, mention, span.entity, earlier[span.mention]
            )
        earlier.setdefault(span.mention, span.entity)


def _check_encoding(file: ByteFile, extent: ConllExtent, faults: Faults) -> None:
    first = file.line_number(extent.start)
    lines = file.lines(extent.start, extent.end)
    for number, (_, content) in enumerate(lines, start=first):
        try:
            content.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"byte {error.start + 1} of the line is not UTF-8"
            hint = "save the file as UTF-8; scoring compares the bytes as they are"
            faults(number, message, hint, fatal=False)


def _spans(
    file: ByteFile,
    extent: ConllExtent,
    tokens: Iterable[_Token],
    faults: Faults,
    *,
    reference: bool = False,
) -> Iterator[_Span]:
    """Go through the mentions in the order they close; faults go to `faults`."""
    open_brackets: dict[str, list[tuple[int, int]]] = {}
    for number, token in enumerate(tokens):
        if token.cell in _EMPTY_CELLS:
            continue
        items = cell_items(token.cell)
        if items is None:
            _tell_cell(token, faults)
            continue
        for item in items:
            stack = open_brackets.setdefault(item.entity, [])
            if item.opens:
                stack.append((number, token.line))
            if item.closes and not stack:
                message = f"entity {item.entity} closes here but was not opened"
                faults(token.line, message)
            elif item.closes:
                start, line = stack.pop()
                yield _Span(item.entity, Mention(start, number), line)
    if reference and not extent.ended:
        return  # the file ends before its brackets do, and they are forgotten
    for entity, stack in open_brackets.items():
        for _, line in stack:
            message = f"entity {entity} opens here and is never closed"
            hint = f"the document ends at line {file.line_number(extent.end)}"
            faults(line, message, hint)


def _tell_cell(token: _Token, faults: Faults) -> None:
    cell = token.cell.decode("utf-8", "backslashreplace")
    named = re.fullmatch(r"\(?([^()|]+)\)?", cell)
    if named and not named[1].isdigit() and cell != named[1]:
        message = f"entity id {quoted(named[1])} is not a number"
    else:
        message = f"{quoted(cell)} is not a coreference cell"
    hint = "the last column is '-', or brackets such as '(7', '7)', '(7)', '(7|(8)'"
    faults(token.line, message, hint)


def _document(file: ByteFile, extent: ConllExtent, *, reference: bool) -> Document:
    tokens = list(_tokens(file, extent, reference=reference))
    sentences: list[list[str]] = []
    for token in tokens:
        if token.word is None:
            sentences = []  # the words of a document are known all or not at all
            break
        if token.sentence >= len(sentences):
            sentences.append([])
        sentences[-1].append(token.word)
    # Entities stand in the order in which their first bracket does.
    entities: dict[str, list[Mention]] = {
        item.entity: [] for token in tokens for item in cell_items(token.cell) or ()
    }
    for span in _spans(file, extent, tokens, Faults(file), reference=reference):
        entities[span.entity].append(span.mention)
    return Document(
        extent.id,
        tuple(tuple(sentence) for sentence in sentences),
        tuple(Entity(name, tuple(spans)) for name, spans in entities.items() if spans),
        layers=_layers(tokens) if sentences else {},
        origin="conll" if reference or _reads_alike(file, extent) else "strict",
    )


def _layers(tokens: Sequence[_Token]) -> dict[str, tuple[str, ...]]:
    """Give the columns that are annotation and are not empty."""
    layers = {}
    fewest = min(len(token.columns) for token in tokens)
    for name, column in LAYERS.items():
        cells = {token.columns[column] for token in tokens if column < fewest - 1}
        if cells - {b"-", b"*"}:
            layers[name] = tuple(
                token.columns[column].decode("utf-8", "backslashreplace")
                for token in tokens
            )
    return layers


READER = Reader(
    open=lambda file, _, reference: ConllSource(file, reference=reference),
    problems=problems,
)
WRITER = Writer(
    alters=COLUMN_MARKS,
    carries=frozenset({CROSSING}),
    layers=frozenset(LAYERS),
    text=conll_text,
)
