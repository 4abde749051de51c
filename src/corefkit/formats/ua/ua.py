"""Universal Anaphora columns: CoNLL-U Plus with a column for each kind of reference.

1.  The file begins with `# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL
    DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM`; the line may be
    missing, but IDENTITY is always the 11th column. `# newdoc id = X` begins a
    document, X being its id. A document without one has the name of the file, from the
    second document on with its number.
2.  A line is a token, unless it is blank (a sentence ends) or starts with `#` (a
    comment, kept with the sentence that it precedes). Columns are separated by tabs or
    blanks; a line has 11 or more, and those behind the 15th are not read.
3.  The ID of a word is a number. One with a dot (`8.1`) is an empty node, one with a
    hyphen (`8-9`) a line that is no token. Whether numbers go through the document, as
    they should, or begin anew with each sentence, does not matter.
4.  An IDENTITY cell is `_` (nothing) or brackets, from left to right:
    `(EntityID=1|MarkableID=markable_2|...` opens a mention, `)` closes the one opened
    last, of whatever entity, and `markable_2)` the one of that name, so that spans may
    cross. Brackets follow each other directly; an `@` between openings is allowed.
5.  A mention opens with pairs `key=value`. `EntityID` is required. `SemType` is the
    attribute `type`; others are attributes by their own names.
6.  `MarkableID` names the mention inside its document. Where the same name opens again,
    that is the next part of a discontinuous mention; the pairs of its first part count.
7.  `Min=3,4` is the first and last word of the minimum span, `Min=3` its only word,
    counted through the document from 1, without empty nodes. The only word is also
    the head of the mention. Other heads are not written.
8.  `ElementOf=5,6` says that the entity of the mention is one of those that together
    are the split antecedent of entity 5, and of entity 6.
9.  Entities whose `EntityID` ends in `-Pseudo` do not refer.
10. A BRIDGING cell is `_` or `(MarkableID=markable_5|Rel=poss|MentionAnchor=markable_2|
    EntityAnchor=1)`: mention markable_5 is understood through entity 1, as markable_2
    speaks of it. One of the two anchors is enough, `Rel` may be missing, and so may the
    brackets. Closing brackets mean nothing here.
11. DISCOURSE_DEIXIS, REFERENCE and NOM_SEM are layers, cell by cell, and so are the
    columns of CoNLL-U; a column that is empty throughout a document is not kept.
12. `%28` and the like in keys and values stand for characters that the brackets cannot
    have. The writer names mentions without a name `_1`, `_2`..., since scorers want
    names; such names are not kept. Closing brackets are named where spans cross.
13. Entities stand in the order of their first mentions, mentions in that of the text,
    of those that begin together the longer first.
14. Where all words of a document are `_`, and neither empty nodes nor layers are there,
    the words are unknown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import quoted
from corefkit.formats.base import COLUMN_MARKS, EVERYTHING, HEADS, KINDS, Writer
from corefkit.formats.documents import Extent, Parsed, document_reader
from corefkit.formats.lines import sentences, text_lines
from corefkit.formats.plain import PlainSource
from corefkit.formats.ua import cells
from corefkit.formats.ua.columns import ua_columns
from corefkit.formats.ua.writing import HEADER, is_kept, ua_text
from corefkit.model import Document
from corefkit.strings.ids import file_stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults

_FEWEST_COLUMNS = cells.IDENTITY + 1
_SHAPE = (
    f"the columns are {' '.join(cells.COLUMNS)}; all behind IDENTITY may be left out"
)
_GLOBAL = re.compile(rb"#\s*global\.columns\s*=(.*)")
_NEWDOC = re.compile(rb"#\s*newdoc(?:\s+id\s*=(.*)|\s.*)?$")
_FIELD = re.compile(r"[^\x00-\x20]+")
_ID = re.compile(r"[0-9]+(?:([.-])[0-9]+)?")


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like Universal Anaphora columns."""
    for line in head.split(b"\n"):
        if found := _GLOBAL.match(line.strip()):
            return b"IDENTITY" in found[1].split()
        if b"(EntityID=" in line and not line.lstrip().startswith(b"#"):
            return b"(EntityID=" in b"".join(line.split()[cells.IDENTITY :][:1])
    return False


def extents(file: ByteFile, faults: Faults) -> Iterator[Extent]:
    """Find the documents; columns in another order go to `faults`."""
    current: Extent | None = None
    stem = file_stem(file.name)
    documents = 0
    for offset, content in _markers(file):
        newdoc = _NEWDOC.match(content)
        if newdoc or content[:1] != b"#":
            if current is not None:
                yield current._replace(end=offset)
            documents += 1
            found = (newdoc and newdoc[1]) or b""
            name = found.strip().decode("utf-8", "backslashreplace")
            unnamed = stem if documents == 1 else f"{stem}-{documents}"
            start = offset if newdoc else file.text_start
            current = Extent(name or unnamed, start, file.size)
        elif columns := _GLOBAL.match(content):
            names = columns[1].split()
            if names[cells.IDENTITY : cells.BRIDGING] != [b"IDENTITY"]:
                message = "IDENTITY is not the 11th of the columns that are named here"
                faults.at(offset, message, _SHAPE)
    if current is not None:
        yield current


def _markers(file: ByteFile) -> list[tuple[int, bytes]]:
    """Find the comments that may begin a document or name columns, in their order.

    Where a token stands above all that begin one, it is among them: it begins the first
    document.
    """
    found = {
        offset: line.strip()
        for sign in (b"newdoc", b"global.columns")
        for offset, line in file.lines_with(sign)
        if line.lstrip()[:1] == b"#"
    }
    for offset, line in file.lines(file.text_start, file.size):
        content = line.strip()
        if _NEWDOC.match(content):
            break
        if content and content[:1] != b"#":
            found[offset] = content
            break
    return sorted(found.items())


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Read one document; what is wrong with it goes to `faults`."""
    tokens, comments = _tokens(file, extent, faults)
    entities, bridges = cells.read_cells(
        [
            cells.Token(number, line, *columns[cells.IDENTITY : cells.BRIDGING + 1])
            for number, (line, _, _, columns) in enumerate(tokens)
        ],
        [number for number, token in enumerate(tokens) if not token.empty],
        tokens[-1].line if tokens else 0,
        faults,
    )
    layers = _layers(tokens)
    empty = tuple(number for number, token in enumerate(tokens) if token.empty)
    known = bool(layers or empty) or any(token.columns[1] != "_" for token in tokens)
    document = Document(
        extent.id,
        sentences((token.sentence, token.columns[1]) for token in tokens)
        if known
        else (),
        entities,
        empty,
        bridges,
        layers,
        comments if known else (),
    )
    return Parsed(document, [token.line for token in tokens])


class _Line(NamedTuple):
    """A token line; `sentence` counts from 0, no column is missing."""

    line: int
    sentence: int
    empty: bool
    columns: list[str]


def _tokens(
    file: ByteFile, extent: Extent, faults: Faults
) -> tuple[list[_Line], tuple[tuple[str, ...], ...]]:
    """Read the lines of a document: tokens, and the comments before each sentence."""
    tokens: list[_Line] = []
    comments: list[tuple[str, ...]] = []
    pending: list[str] = []
    blank = True
    for line, text in text_lines(file, extent.start, extent.end, faults):
        columns = _FIELD.findall(text)
        if not columns:
            blank = True
            continue
        if columns[0].startswith("#"):
            pending.append(text[text.index("#") + 1 :].strip())
            continue
        number = _ID.fullmatch(columns[0])
        if number is None:
            message = f"{quoted(columns[0])} is not the number of a token"
            faults(line, message, _SHAPE)
        elif number[1] == "-":
            continue
        if len(columns) < _FEWEST_COLUMNS:
            found = f"found {len(columns)} columns, expected {_FEWEST_COLUMNS} or more"
            faults(line, found, _SHAPE)
        if blank:
            comments.append(tuple(filter(is_kept, pending)))
            pending, blank = [], False
        columns += ["_"] * (len(cells.COLUMNS) - len(columns))
        empty = number is not None and number[1] == "."
        tokens.append(_Line(line, len(comments) - 1, empty, columns))
    return tokens, tuple(comments) if any(comments) else ()


def _layers(tokens: Sequence[_Line]) -> dict[str, tuple[str, ...]]:
    layers = {
        name: tuple(token.columns[column] for token in tokens)
        for name, column in cells.LAYER_COLUMNS.items()
    }
    return {name: layer for name, layer in layers.items() if set(layer) - {"_"}}


READER = document_reader(extents, parse)._replace(
    open=lambda file, *_: PlainSource(file, extents, parse, ua_columns)
)
WRITER = Writer(
    alters=COLUMN_MARKS,
    carries=frozenset(EVERYTHING) - {HEADS, KINDS},
    layers=frozenset(cells.LAYER_COLUMNS),
    header=HEADER,
    text=ua_text,
)
