"""The token lines of CoNLL-2012 one by one, read for documents and faults, and written.

The rules are those in `corefkit.formats.conll.conll`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import FormatError
from corefkit.formats.base import COLUMN_MARKS, CROSSING, Writer
from corefkit.formats.brackets import DIGITS, OpenBrackets, entity_cells
from corefkit.formats.conll.columns import WORD_COLUMN
from corefkit.formats.conll.reference import reference_cell
from corefkit.formats.documents import Parsed
from corefkit.formats.faults import Faults
from corefkit.formats.kinds import OTHER_ENCODING
from corefkit.formats.lines import column_line, sentences
from corefkit.model import Document, Entity, Mention
from corefkit.strings.ids import name_and_part

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.conll.extents import ConllExtent

# The columns that are kept as layers, where a file has them.
LAYERS = {"xpos": 4, "parse": 5, "lemma": 6, "sense": 8, "speaker": 9}
NOTHING = {"-", "*"}  # the cells of an empty column
FEWEST_COLUMNS = 5  # with fewer, nobody can tell which column holds the words
_FIELD = re.compile(rb"[^\x00-\x20]+")
_SIMPLE_CELL = re.compile(rb"[-_*]|\(?[0-9]+\)?")  # nobody reads it otherwise


def parse(
    file: ByteFile, extent: ConllExtent, faults: Faults, *, reference: bool = False
) -> Parsed:
    """Read one document; what is wrong with it goes to `faults`."""
    _check_encoding(file, extent, faults)
    tokens = list(token_rows(file, extent, reference=reference))
    entities = listed_entities(file, extent, tokens, faults, reference=reference)
    found = tuple(Entity(name, tuple(row)) for name, row in entities.items() if row)
    document = replace(document_text(extent.id, tokens), entities=found)
    return Parsed(document, [token.line for token in tokens])


def listed_entities(
    file: ByteFile,
    extent: ConllExtent,
    tokens: Sequence[Token],
    faults: Faults,
    *,
    reference: bool,
) -> dict[str, list[Mention]]:
    """List entities in the order of their first brackets; one may have no mention."""
    entities: dict[str, list[Mention]] = {
        name: [] for token in tokens for name, *_ in DIGITS.cell(token.cell) or ()
    }
    for name, mention in _spans(file, extent, tokens, faults, reference=reference):
        entities[name].append(mention)
    return entities


def document_text(name: str, tokens: Sequence[Token]) -> Document:
    """Make a document of its words and their layers alone.

    The words of a document are known all or not at all.
    """
    words = [(token.sentence, token.word) for token in tokens if token.word is not None]
    if not words or len(words) < len(tokens):
        return Document(name, (), ())
    return Document(name, sentences(words), (), layers=_layers(tokens))


def _check_encoding(file: ByteFile, extent: ConllExtent, faults: Faults) -> None:
    lines = file.read(extent.body, extent.end)
    try:
        lines.decode("utf-8")
    except UnicodeDecodeError:
        first = file.line_number(extent.body)
        for number, line in enumerate(lines.split(b"\n"), first):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                message = f"byte {error.start + 1} of the line is not UTF-8"
                hint = "save the file as UTF-8; scoring compares the bytes as they are"
                faults(number, message, hint, kind=OTHER_ENCODING)


class Token(NamedTuple):
    """A token line as a person sees it; `sentence` counts the blank lines before."""

    line: int
    sentence: int
    word: str | None
    cell: str
    columns: list[bytes]


def token_rows(
    file: ByteFile, extent: ConllExtent, *, reference: bool = False
) -> Iterator[Token]:
    """Yield the token lines of a document."""
    line = file.line_number(extent.body) - 1
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
                word = _decoded(columns[WORD_COLUMN])
            cell = reference_cell(content) if reference else columns[-1]
            yield Token(line, sentence, word, _decoded(cell), columns)


def _decoded(column: bytes) -> str:
    return column.decode("utf-8", "backslashreplace")


def _lines(file: ByteFile, extent: ConllExtent) -> Iterator[bytes]:
    # To the reference scorer a carriage return is a part of the line.
    for block in file.blocks(extent.body, extent.end):
        yield from block.removesuffix(b"\n").split(b"\n")


def reads_alike(file: ByteFile, extent: ConllExtent) -> bool:
    """Return whether the reference scorer reads the same in a document as we do."""
    header = file.read(extent.start, extent.body).rstrip(b"\r\n")
    if header != header.rstrip():
        return False  # blanks are a part of the name
    reordered = False
    for line in _lines(file, extent):
        if line.lstrip().startswith(b"#") or b"end document" in line:
            return False
        if b"(" in line or b")" in line:
            cell = _FIELD.findall(line)[-1]
            if _SIMPLE_CELL.fullmatch(cell) and line.rpartition(b"\t")[2] == cell:
                continue
            ours = DIGITS.cell(_decoded(cell)) or []
            theirs = DIGITS.cell(_decoded(reference_cell(line))) or []
            if sorted(ours) != sorted(theirs):
                return False
            reordered |= ours != theirs
    return not reordered or _pairs_alike(file, extent)


def _pairs_alike(file: ByteFile, extent: ConllExtent) -> bool:
    """Return whether brackets pair alike in the order of the reference scorer.

    The order of entities makes a difference where a mention stands in several.
    """
    readings = []
    for reference in (False, True):
        tokens = token_rows(file, extent, reference=reference)
        spans = _spans(file, extent, tokens, Faults(file), reference=reference)
        try:
            pairs = list(spans)
        except FormatError:
            return False
        readings.append(set(pairs))
        if len({mention for _, mention in pairs}) < len(pairs):
            return False
    return readings[0] == readings[1]


def _spans(
    file: ByteFile,
    extent: ConllExtent,
    tokens: Iterable[Token],
    faults: Faults,
    *,
    reference: bool,
) -> Iterator[tuple[str, Mention]]:
    """Yield entities and their mentions in the order in which they close."""
    open_brackets = OpenBrackets[int](faults)
    for number, token in enumerate(tokens):
        for name, opens, closes in DIGITS.read(token.cell, token.line, faults):
            if opens:
                open_brackets.open(name, token.line, number)
            start = open_brackets.close(name, token.line) if closes else None
            if start is not None:
                yield name, Mention(start, number)
    # To the reference scorer a file may end before its brackets do.
    if extent.ended or not reference:
        open_brackets.finish(file.line_number(extent.end))


def _layers(tokens: Sequence[Token]) -> dict[str, tuple[str, ...]]:
    """Return the columns that are annotation and are not empty."""
    layers = {}
    fewest = min(len(token.columns) for token in tokens)
    for name, column in LAYERS.items():
        cells = {token.columns[column] for token in tokens if column < fewest - 1}
        decoded = {cell: _decoded(cell) for cell in cells}
        if not {*decoded.values()} <= NOTHING:
            layers[name] = tuple([decoded[token.columns[column]] for token in tokens])
    return layers


def conll_text(document: Document) -> Iterator[str]:
    """Write a document; without words it has four columns, too few to hold any.

    Blanks inside words, which columns of text cannot have, become underscores.
    """
    name, number = name_and_part(document.id.replace("\n", " "))
    part = number or 0
    yield f"#begin document ({name}); part {part:03}\n"
    # A line that begins with `#` would be a comment.
    name = re.sub("^#", "_", name)
    cells = entity_cells(document, "[0-9]+")
    token = 0
    for sentence in document.sentences:
        for number, word in enumerate(sentence):
            columns = [name, str(part), str(number), word, "-", "*", "-", "-", "-"]
            columns += ["-", "*"]
            for layer, column in LAYERS.items():
                if layer in document.layers:
                    columns[column] = document.layers[layer][token]
            yield column_line([*columns, cells.get(token, "-")])
            token += 1
        yield "\n"
    if not document.sentences:
        for token in range(max(cells, default=-1) + 1):
            yield column_line([name, str(part), str(token), cells.get(token, "-")])
    yield "#end document\n"


WRITER = Writer(
    alters=COLUMN_MARKS,
    carries=frozenset({CROSSING}),
    layers=frozenset(LAYERS),
    text=conll_text,
)
