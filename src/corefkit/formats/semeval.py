"""SemEval-2010 Task 1: one token a line, its number first, brackets in the last column.

`docs/formats/conll.md` defines the format; these rules add to it:

-   A blank may follow the `#` of headers, and `#end document` may have the id.
-   The lines of a document all have a word, or none has.
-   After a blank line numbers may also continue. A number out of order is invalid,
    since a line may be missing.
-   The columns of the task are ID TOKEN LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD
    DEPREL PDEPREL and more.
-   Entities are in the order of their first brackets, mentions in that of the text; of
    those that begin together the longer is first.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import count
from operator import itemgetter
from typing import TYPE_CHECKING
from urllib.parse import unquote

import numpy as np

from corefkit.exceptions import quoted
from corefkit.formats import conll
from corefkit.formats import source as base
from corefkit.formats.brackets import (
    NAMES,
    OpenBrackets,
    TokenRow,
    count_implied_tokens,
    format_entity_cells,
    format_row,
    group_sentences,
    read_lines,
    split_columns,
)
from corefkit.formats.problems import WRONG_COLUMNS, WRONG_NUMBER
from corefkit.formats.source import Extent, Parsed
from corefkit.model import Document, Entity, Mention
from corefkit.strings import get_stem, normalize_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.arrays.columns import Columns, Ints
    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults

# The columns of layers, and of predicted layers.
_LAYERS = {
    "lemma": (2, 3),
    "xpos": (4, 5),
    "feats": (6, 7),
    "head": (8, 9),
    "deprel": (10, 11),
}
_TASK_COLUMNS = 17  # of a sentence with no predicate; each predicate adds two
_WRITTEN_COLUMNS = 19
_BEGIN = re.compile(rb"\s*#[ \t]*begin document(?:\s+(.*))?$")
_END = re.compile(rb"\s*#[ \t]*end document(?:\s|$)")
_NUMBER = re.compile("[0-9]{1,9}")
_GUM_ID = re.compile(r"([^\W\d_]+)-([0-9]+)(?:-(.+))?")


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like SemEval-2010.

    In CoNLL-2012 the name of a document is in parentheses, and in the first column of
    each token; here tokens are numbered from 1 or 0.
    """
    header = document = None  # the last header, and that of the first token
    name, columns = "", list[str]()  # of the first token
    is_separate = False  # whether a blank line or another document follows it
    for line in head.split(b"\n"):
        content = line.strip()
        if match := _BEGIN.match(content):
            header, is_separate = match, True
        elif not content:
            is_separate = True
        elif not content.startswith(b"#"):
            row = split_columns(line.decode("utf-8", "replace"))
            if header is None or not row:
                break
            if columns:
                if header is document and row[0] == str(int(columns[0]) + 1):
                    return True
                if row[0] != columns[0] or not is_separate:
                    return False
                break
            name = (header[1] or b"").decode("utf-8", "replace").strip()
            if name.startswith("(") or len(row) < 2 or row[0] not in ("0", "1"):
                return False
            if NAMES.parse_cell(row[-1]) is None:
                return False
            document, columns, is_separate = header, row, False
    # A sentence of one word; or a token of CoNLL-2012: name, part, number and more.
    is_numbered = len(columns) > 3 and all(map(str.isdigit, columns[1:3]))
    return bool(columns) and (columns[0] != name or not is_numbered)


def find_extents(file: ByteFile, faults: Faults) -> Iterator[Extent]:
    """Find the documents, and report errors between them."""
    default = get_stem(file.name)
    for extent in conll.find_extents(file, faults, begin=_BEGIN, end=_END):
        yield extent._replace(id=extent.id or default)


class SemevalSource(base.KernelSource):
    """The documents of a SemEval-2010 file."""

    def __init__(self, file: ByteFile) -> None:
        held = base.read_with_kernel(file, base.SEMEVAL, get_stem(file.name))
        super().__init__(file, find_extents, parse, held)

    def read_columns(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None = None
    ) -> Columns:
        columns = super().read_columns(numbers, ids)
        # The kernel returns mentions in the order in which they close.
        order = np.lexsort((-columns.end, columns.start, columns.entity))
        return replace(columns, start=columns.start[order], end=columns.end[order])

    def encode_kernel_ids(self, codes: Ints, ids: dict[bytes, int]) -> Ints:
        return conll.encode_kernel_digits(codes, ids)


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse one document."""
    tokens = list(_read_tokens(file, extent, faults))
    has_words = _has_words(tokens, faults)
    entities = _read_entities(file, extent, tokens, faults)
    words = ((token.sentence, token.columns[1]) for token in tokens)
    document = Document(
        extent.id,
        group_sentences(words) if has_words else (),
        entities,
        layers=_build_layers(tokens) if has_words else {},
        origin="strict",  # the reference scorer reads such files in another way
    )
    return Parsed(document, [token.line for token in tokens])


def _read_tokens(file: ByteFile, extent: Extent, faults: Faults) -> Iterator[TokenRow]:
    sentence, is_blank = -1, True
    first, previous = "1", 0
    for line, text in read_lines(file, extent.start, extent.end, faults):
        columns = split_columns(text)
        if not columns:
            is_blank = True
            continue
        if columns[0].startswith("#"):
            continue
        number = columns[0]
        if sentence < 0 and number == "0":
            first, previous = "0", -1
        expected = str(previous + 1)
        if is_blank or (number == first and number != expected):
            sentence, is_blank = sentence + 1, False
        if number not in (expected, first):
            numbers = expected if expected == first else f"{expected} or {first}"
            message = f"the number of the token is {quoted(number)}, expected {numbers}"
            faults(line, message, "check for a missing line", kind=WRONG_NUMBER)
        previous = int(number) if _NUMBER.fullmatch(number) else previous + 1
        if len(columns) == 1:
            message = "found 1 column, expected a token's number and coreference cell"
            faults(line, message, kind=WRONG_COLUMNS)
            columns = [number, "_"]
        yield TokenRow(line, sentence, columns)


def _has_words(tokens: Sequence[TokenRow], faults: Faults) -> bool:
    have_words = {len(token.columns) > 2 for token in tokens}
    if len(have_words) == 2:
        line = next(token.line for token in tokens if len(token.columns) == 2)
        message = "found 2 columns and no word in a document with words"
        hint = "a line has the token's number, the word and more, the coreference cell"
        faults(line, message, hint, kind=WRONG_COLUMNS)
    return have_words == {True}


def _build_layers(tokens: Sequence[TokenRow]) -> dict[str, tuple[str, ...]]:
    layers: dict[str, tuple[str, ...]] = {}
    if min(len(token.columns) for token in tokens) < _TASK_COLUMNS:
        return layers
    for name, columns in _LAYERS.items():
        for column in columns:
            cells = tuple(token.columns[column] for token in tokens)
            if name not in layers and set(cells) != {"_"}:
                layers[name] = cells
    return layers


def _read_entities(
    file: ByteFile, extent: Extent, tokens: Sequence[TokenRow], faults: Faults
) -> tuple[Entity, ...]:
    mentions: list[tuple[int, str, Mention]] = []  # by the number of the opening
    open_brackets = OpenBrackets[tuple[int, int, dict[str, str]]](faults)
    numbers = count()
    is_gum = [(row.columns[0], len(row.columns)) for row in tokens[:1]] == [("0", 3)]
    for position, token in enumerate(tokens):
        brackets = NAMES.read_cell(token.columns[-1], token.line, faults)
        for text, opens, closes in brackets:
            entity_id, attributes = _parse_gum_id(text) if is_gum else (text, {})
            if opens:
                opening = next(numbers), position, attributes
                open_brackets.open(entity_id, token.line, opening)
            if closes and (closed := open_brackets.close(entity_id, token.line)):
                number, start, attributes = closed
                mention = Mention(start, position, attributes=attributes)
                mentions.append((number, entity_id, mention))
    open_brackets.report_open(file.line_number(extent.end))
    mentions.sort(key=itemgetter(0))
    entities = base.group_entities(row[1:] for row in mentions)
    return tuple(
        replace(
            entity,
            mentions=tuple(sorted(entity, key=lambda row: (row.start, -row.end))),
        )
        for entity in entities
    )


def _parse_gum_id(text: str) -> tuple[str, dict[str, str]]:
    match = _GUM_ID.fullmatch(text)
    if match is None:
        return text, {}
    entity_type, number, identity = match.groups()
    attributes = {"type": entity_type}
    if identity is not None:
        attributes["identity"] = unquote(identity)
    return number, attributes


def format_document(document: Document) -> Iterator[str]:
    """Format a document: with words in the columns of the task, without words in two.

    An id in parentheses, which would make it CoNLL-2012, is normalized: `bc/cctv_2` for
    `(bc/cctv); part 002`, which scoring considers to be equal.
    """
    name = document.id
    if name.startswith("("):
        name = normalize_id(name).lstrip("(") or "_"
    yield "#begin document " + name.replace("\n", " ") + "\n"
    cells = format_entity_cells(document, r"[^()|\x00-\x20]+")
    token = 0
    for sentence in document.sentences:
        for number, word in enumerate(sentence, start=1):
            columns = [str(number), word, *["_"] * (_WRITTEN_COLUMNS - 3)]
            for layer, (column, _) in _LAYERS.items():
                if layer in document.layers:
                    columns[column] = document.layers[layer][token]
            yield format_row([*columns, cells.get(token, "_")])
            token += 1
        yield "\n"
    if not document.sentences:
        for token in range(count_implied_tokens(document)):
            yield format_row([str(token + 1), cells.get(token, "_")])
        yield "\n"
    yield "#end document\n"


READER = base.make_reader(find_extents, parse)._replace(
    open=lambda file, _response, _reference: SemevalSource(file)
)
WRITER = base.Writer(
    alters=base.COLUMN_MARKS,
    carries=frozenset({base.CROSSING}),
    layers=frozenset(_LAYERS),
    text=format_document,
)
