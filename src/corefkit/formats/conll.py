"""CoNLL-2011 and CoNLL-2012: one token a line, brackets in the last column.

`docs/formats/conll.md` defines the format. As the reference scorer reads files
(`Settings.reading`), comments are tokens, a cell is everything after the last tab, ids
and names are compared byte by byte, `#end document` may be anywhere in a line or
missing at the end of the file, and of documents with the same name the last one counts.

The kernel reads plain files in one pass, and leaves single documents to the reader in
this module, which also reports the errors.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from corefkit.arrays.building import build_span_columns, encode_digits, encode_ids
from corefkit.arrays.hashing import hash_encoded_texts
from corefkit.exceptions import quoted
from corefkit.formats import source as base
from corefkit.formats.brackets import (
    DIGITS,
    OpenBrackets,
    count_implied_tokens,
    format_entity_cells,
    format_row,
    group_sentences,
)
from corefkit.formats.problems import OTHER_ENCODING, UNPAIRED_DOCUMENT, Faults
from corefkit.formats.source import Extent, Parsed, ReferenceListing, Word
from corefkit.model import Document, Entity, Mention
from corefkit.strings import split_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.arrays.columns import Columns, Ints
    from corefkit.formats.files import ByteFile

# Signs that a file may be in another format, which is then checked: a name that is not
# in parentheses, and the number of columns of Democrat.
_OTHER_NAME = re.compile(rb"#[^\S\n]*begin document(?![^\S\n]*\()")
_FIRST_TOKEN = re.compile(rb"^[^#\s].*", re.MULTILINE)
_DEMOCRAT_COLUMNS = 15

_BEGIN = re.compile(rb"#\s*begin document (.*)")
_END = re.compile(rb"#\s*end document")
# All control characters but line ends separate columns.
_BLANKS = bytes(32 if byte < 32 and byte != 10 else byte for byte in range(256))
# The columns that are kept as layers.
_LAYERS = {"xpos": 4, "parse": 5, "lemma": 6, "sense": 8, "speaker": 9}
_EMPTY = {"-", "*"}  # the cells of an empty column
_WORD_COLUMN = 3
_MIN_COLUMNS = 5  # with fewer, the column of the words is unknown
_CODE_BASE = 18  # codes of the kernel are value * base + length, of up to 17 digits
_SIMPLE_CELL = re.compile(rb"[-_*]|\(?[0-9]+\)?")

_DOUBLE = re.compile(rb"\(\d+\+\d\)")
_PIECE = re.compile(rb"\d+|\D")
_OPENING = re.compile(rb"\((\d+)")
_CLOSING = re.compile(rb"(?<!\d)(\d++)\)")  # matches each run of digits only once


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like CoNLL-2012."""
    return re.search(rb"^#[^\S\n]*begin document ", head, re.MULTILINE) is not None


def closer(head: bytes) -> str | None:
    """Return the format of such a file if it is SemEval-2010 or Democrat instead."""
    if _OTHER_NAME.search(head):
        from corefkit.formats import semeval

        if semeval.recognise(head):
            return "semeval"
    first = _FIRST_TOKEN.search(head)
    if first and first[0].count(b"\t") + 1 == _DEMOCRAT_COLUMNS:
        from corefkit.formats import democrat

        if democrat.recognise(head):
            return "democrat"
    return None


def find_extents(
    file: ByteFile,
    faults: Faults,
    *,
    begin: re.Pattern[bytes] = _BEGIN,
    end: re.Pattern[bytes] = _END,
) -> Iterator[Extent]:
    """Find the documents, whose first lines match `begin`, and errors outside them."""
    current: Extent | None = None
    outside = file.text_start
    for start, line in [*_find_marked_lines(file), (file.size, b"")]:
        content = line.rstrip(b"\n").removesuffix(b"\r")
        header, is_end = begin.match(content), end.match(content) is not None
        if line and not header and not is_end:
            continue
        if current is None:
            _check_outside(file, outside, start, faults)
            if is_end:
                message = "a document ends here that did not begin"
                faults.report_at(start, message, kind=UNPAIRED_DOCUMENT)
        else:
            if not is_end:
                event = "a document begins" if line else "the file ends"
                opening = f"begun at line {file.line_number(current.start)}"
                document = f"document {quoted(current.id)}, {opening}"
                message = f"{event} inside {document}: expected '#end document'"
                hint = None if line else "is the file cut off?"
                faults.report_at(start, message, hint, kind=UNPAIRED_DOCUMENT)
            yield current._replace(end=start)
        current, outside = None, start + len(line)
        if header:
            document_id = _decode((header[1] or b"").rstrip())
            current = Extent(document_id, start, file.size)


def _find_reference_extents(file: ByteFile, faults: Faults) -> Iterator[Extent]:
    """Find the documents as the reference scorer does, which reports no errors."""
    del faults
    lines = _find_marked_lines(file)
    ends = [start for start, line in lines if _END.search(line)]
    for start, line in lines:
        if header := _BEGIN.match(line.rstrip(b"\n").removesuffix(b"\r")):
            position = bisect_left(ends, start + len(line))
            end = ends[position] if position < len(ends) else file.size
            yield Extent(_decode(header[1]), start, end)


def _find_marked_lines(file: ByteFile) -> list[tuple[int, bytes]]:
    """Find the lines that may begin or end a document, with their offsets."""
    return [row for row in file.lines_with(b" document") if b"#" in row[1]]


def _check_outside(file: ByteFile, start: int, end: int, faults: Faults) -> None:
    for offset, line in file.lines(start, end):
        if (content := line.strip()) and not content.startswith(b"#"):
            message = "a token outside any document: expected '#begin document'"
            faults.report_at(offset, message, kind=UNPAIRED_DOCUMENT)
            return


def encode_kernel_digits(codes: Ints, ids: dict[bytes, int]) -> Ints:
    """Encode ids that consist of digits, given by the codes of the kernel."""
    return encode_digits(codes // _CODE_BASE, codes % _CODE_BASE, ids)


class ConllSource(base.KernelSource):
    """The documents of a CoNLL-2012 file."""

    def __init__(self, file: ByteFile, *, reference: bool) -> None:
        dialect = base.REFERENCE if reference else base.CONLL
        held = base.read_with_kernel(file, dialect)
        find = _find_reference_extents if reference else find_extents
        self.verbatim = self._reference = reference
        super().__init__(file, find, partial(parse, reference=reference), held)

    def parse_columns(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None = None
    ) -> Columns:
        entities: list[tuple[int, list[tuple[int, int]]]] = []
        names: list[str] = []
        token_count: list[int] = []
        words: list[list[bytes]] = []
        for row, number in enumerate(numbers):
            tokens, spans = _read_spans(
                self.file, self.extents[number], self._faults, reference=self._reference
            )
            entities += [(row, mentions) for mentions in spans.values() if mentions]
            names += [name for name, mentions in spans.items() if mentions]
            token_count.append(len(tokens))
            has_words = all(token.word is not None for token in tokens)
            # Words are compared as bytes, which need not be UTF-8.
            words.append(
                [token.columns[_WORD_COLUMN] for token in tokens] if has_words else []
            )
        columns = build_span_columns(entities, token_count, hash_encoded_texts(words))
        return replace(columns, code=None if ids is None else encode_ids(names, ids))

    def encode_kernel_ids(self, codes: Ints, ids: dict[bytes, int]) -> Ints:
        return encode_kernel_digits(codes, ids)

    def iter_words(self, number: int) -> Iterator[Word]:
        tokens = read_tokens(self.file, self.extents[number], reference=self._reference)
        for token in tokens:
            yield Word(token.word or "", f"{self.name}:{token.line}", token.sentence)

    def iter_comments(self) -> Iterator[str]:
        return iter(())

    def read_document(self, number: int) -> Document:
        document = super().read_document(number)
        is_same = self._reference or _is_read_alike(self.file, self.extents[number])
        return replace(document, origin="conll" if is_same else "strict")

    def read_listing(self, number: int) -> ReferenceListing:
        return _list_reference(self.file, self.extents[number])

    def read_text(self, number: int) -> Document:
        extent = self.extents[number]
        tokens = read_tokens(self.file, extent, reference=self._reference)
        return _build_text(extent.id, list(tokens))

    def may_have_mention_types(self, number: int) -> bool:
        del number
        return False

    @property
    def is_cut_off(self) -> bool:  # type: ignore[override]
        return any(extent.end == self.file.size for extent in self.extents[-1:])


class ConllToken(NamedTuple):
    """A token line; `sentence` counts the blank lines before it."""

    line: int
    sentence: int
    word: str | None
    cell: str
    columns: list[bytes]


def read_tokens(
    file: ByteFile, extent: Extent, *, reference: bool = False
) -> Iterator[ConllToken]:
    """Iterate over the token lines of a document."""
    body = _read_body(file, extent)
    line = file.line_number(extent.start)
    sentence, is_blank = -1, True
    has_numbers: bool | None = None
    # For the reference scorer, a carriage return is a part of the line.
    for content, text in zip(
        body.split(b"\n"), body.translate(_BLANKS).split(b"\n"), strict=True
    ):
        line += 1
        columns = text.split()
        if not columns:
            is_blank = True
        elif reference or columns[0][:1] != b"#":
            sentence += is_blank
            is_blank = False
            if has_numbers is None:
                has_numbers = b"".join(columns[2:3])[:1].isdigit()
            word = None
            if has_numbers and len(columns) >= _MIN_COLUMNS:
                word = _decode(columns[_WORD_COLUMN])
            cell = split_reference_cell(content) if reference else columns[-1]
            yield ConllToken(line, sentence, word, _decode(cell), columns)


def _read_body(file: ByteFile, extent: Extent) -> bytes:
    _, _, body = file.read(extent.start, extent.end).partition(b"\n")
    return body.removesuffix(b"\n")


def _decode(text: bytes) -> str:
    return text.decode("utf-8", "backslashreplace")


def parse(
    file: ByteFile, extent: Extent, faults: Faults, *, reference: bool = False
) -> Parsed:
    """Parse one document; entities are in the order of their first brackets."""
    _check_encoding(file, extent, faults)
    tokens, spans = _read_spans(file, extent, faults, reference=reference)
    entities = tuple(
        Entity(name, tuple(Mention(start, end) for start, end in row))
        for name, row in spans.items()
        if row
    )
    document = replace(_build_text(extent.id, tokens), entities=entities)
    return Parsed(document, [token.line for token in tokens])


def _check_encoding(file: ByteFile, extent: Extent, faults: Faults) -> None:
    lines = _read_body(file, extent).split(b"\n")
    for number, line in enumerate(lines, file.line_number(extent.start) + 1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"byte {error.start + 1} of the line is not UTF-8"
            hint = "save the file as UTF-8; scoring compares the bytes as they are"
            faults(number, message, hint, kind=OTHER_ENCODING)


def _build_text(document_id: str, tokens: Sequence[ConllToken]) -> Document:
    """Build a document of words and layers; words are known for all tokens or none."""
    if not tokens or any(token.word is None for token in tokens):
        return Document(document_id, (), ())
    words = ((token.sentence, token.word or "") for token in tokens)
    layers = _build_layers(tokens)
    return Document(document_id, group_sentences(words), (), layers=layers)


def _build_layers(tokens: Sequence[ConllToken]) -> dict[str, tuple[str, ...]]:
    layers = {}
    min_columns = min(len(token.columns) for token in tokens)
    for name, column in _LAYERS.items():
        cells = {token.columns[column] for token in tokens if column < min_columns - 1}
        decoded = {cell: _decode(cell) for cell in cells}
        if not {*decoded.values()} <= _EMPTY:
            layers[name] = tuple([decoded[token.columns[column]] for token in tokens])
    return layers


def _read_spans(
    file: ByteFile, extent: Extent, faults: Faults, *, reference: bool = False
) -> tuple[list[ConllToken], dict[str, list[tuple[int, int]]]]:
    """Read the tokens, and the spans of each entity in the order in which they close.

    An entity has no span if none of its brackets closes.
    """
    tokens = list(read_tokens(file, extent, reference=reference))
    spans: dict[str, list[tuple[int, int]]] = {}
    open_brackets = OpenBrackets[int](faults)
    for position, token in enumerate(tokens):
        if token.cell == "-":
            continue
        for name, opens, closes in DIGITS.read_cell(token.cell, token.line, faults):
            row = spans.setdefault(name, [])
            if opens:
                open_brackets.open(name, token.line, position)
            start = open_brackets.close(name, token.line) if closes else None
            if start is not None:
                row.append((start, position))
    # For the reference scorer, a file may end before its brackets do.
    if not reference or extent.end < file.size:
        open_brackets.report_open(file.line_number(extent.end))
    return tokens, spans


def split_reference_cell(line: bytes) -> bytes:
    """Rewrite the cell of a line as the reference scorer splits it.

    The scorer deletes double antecedents, one-token mentions, opening and closing
    brackets, one kind after the other, wherever they are in the last field. A deletion
    may make two digits adjacent, which are then one id.
    """
    cell = _get_last_field(line)
    if b"(" not in cell and b")" not in cell:
        return b""
    items, cell = _delete_one_token_mentions(_DOUBLE.sub(b"", cell))
    # No digit follows the digits of an opening bracket or precedes those of a closing
    # one, so deleting these makes no digits adjacent.
    for pattern, template in ((_OPENING, b"(%s"), (_CLOSING, b"%s)")):
        items += [template % digits for digits in pattern.findall(cell)]
        cell = pattern.sub(b"", cell)
    return b"|".join(items)


def _get_last_field(line: bytes) -> bytes:
    """Return the text after the last tab; empty fields at the end are ignored."""
    return line.rstrip(b"\t").rpartition(b"\t")[2]


def _delete_one_token_mentions(cell: bytes) -> tuple[list[bytes], bytes]:
    """Delete one-token mentions, including those that deletions create.

    Returns them in the order in which a search from the left finds them, and the rest.
    """
    items: list[bytes] = []
    stack: list[bytes] = []
    for piece in _PIECE.findall(cell):
        if piece != b")":
            stack.append(piece)
            continue
        digits: list[bytes] = []
        while stack and stack[-1].isdigit():
            digits.append(stack.pop())
        if digits and stack and stack[-1] == b"(":
            stack.pop()
            items.append(b"(%s)" % b"".join(reversed(digits)))
        else:
            stack += [*reversed(digits), piece]
    return items, b"".join(stack)


def _is_read_alike(file: ByteFile, extent: Extent) -> bool:
    """Return whether the reference scorer reads a document in the same way."""
    data = file.read(extent.start, extent.end)
    header, _, body = data.partition(b"\n")
    header = header.rstrip(b"\r")
    if header != header.rstrip():
        return False  # blanks are a part of the name
    is_reordered = False
    for line in body.removesuffix(b"\n").split(b"\n"):
        if line.lstrip().startswith(b"#") or b"end document" in line:
            return False
        if b"(" in line or b")" in line:
            cell = line.translate(_BLANKS).split()[-1]
            if _SIMPLE_CELL.fullmatch(cell) and line.rpartition(b"\t")[2] == cell:
                continue
            brackets = DIGITS.parse_cell(_decode(cell)) or []
            reference_cell = _decode(split_reference_cell(line))
            reference_brackets = DIGITS.parse_cell(reference_cell) or []
            if sorted(brackets) != sorted(reference_brackets):
                return False
            is_reordered |= brackets != reference_brackets
    return not is_reordered or _pairs_alike(file, extent)


def _pairs_alike(file: ByteFile, extent: Extent) -> bool:
    """Return whether brackets pair in the same way in the reference scorer's order.

    The order of entities makes a difference if a mention is in several of them.
    """
    readings = []
    for reference in (False, True):
        # The same brackets in another order within a token stay balanced.
        _, entities = _read_spans(file, extent, Faults(file), reference=reference)
        pairs = {(name, span) for name, spans in entities.items() for span in spans}
        if len({span for _, span in pairs}) < sum(map(len, entities.values())):
            return False
        readings.append(pairs)
    return readings[0] == readings[1]


def _list_reference(file: ByteFile, extent: Extent) -> ReferenceListing:
    """List the entities of a document as the reference scorer does before scoring.

    Entities are in the order of their first brackets, mentions as they close.
    """
    _, spans = _read_spans(file, extent, Faults(file), reference=True)
    entities = [tuple(row) for row in spans.values()]
    while entities and not entities[-1]:
        entities.pop()
    discarded = [
        text.decode()
        for line in _read_body(file, extent).split(b"\n")
        for text in _DOUBLE.findall(_get_last_field(line))
    ]
    return ReferenceListing(tuple(entities), tuple(discarded))


def format_document(document: Document) -> Iterator[str]:
    """Format a document; without words it has four columns, too few for words.

    Blanks inside words are replaced by underscores.
    """
    name, number = split_id(document.id.replace("\n", " "))
    part = number or 0
    yield f"#begin document ({name}); part {part:03}\n"
    # A line that begins with `#` would be a comment.
    name = re.sub("^#", "_", name)
    cells = format_entity_cells(document, "[0-9]+")
    token = 0
    for sentence in document.sentences:
        for number, word in enumerate(sentence):
            columns = [name, str(part), str(number), word, "-", "*", "-", "-", "-"]
            columns += ["-", "*"]
            for layer, column in _LAYERS.items():
                if layer in document.layers:
                    columns[column] = document.layers[layer][token]
            yield format_row([*columns, cells.get(token, "-")])
            token += 1
        yield "\n"
    if not document.sentences:
        for token in range(count_implied_tokens(document)):
            yield format_row([name, str(part), str(token), cells.get(token, "-")])
    yield "#end document\n"


READER = base.Reader(
    open=lambda file, _, reference: ConllSource(file, reference=reference),
    problems=lambda file: base.iter_document_problems(
        file, find_extents, parse, singletons=False
    ),
)
WRITER = base.Writer(
    alters=base.COLUMN_MARKS,
    carries=frozenset({base.CROSSING}),
    layers=frozenset(_LAYERS),
    text=format_document,
)
