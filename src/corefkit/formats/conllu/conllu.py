"""CoNLL-U with the coreference annotation of CorefUD and GUM in its last column.

Lines and columns:

1.  `# newdoc` or `# newdoc id = X` begins a document, and the comments right above it
    are part of it. One without id is named by its number in the file. What stands
    before the first of them is a document if it has sentences, and is named by its
    number too. A file without any is one document, named by the file's name.
2.  A line that starts with `#` is a comment. A line of nothing but blanks and tabs ends
    a sentence. Every other line has ten columns, set apart by tabs: ID, FORM, LEMMA,
    UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC.
3.  The ID `n` is a word; words count 1, 2, 3 ... in their sentence. `n.k` is an empty
    node, the k-th behind word n; a wrong `n.k` is reported and does no harm. Both are
    tokens and are numbered through the document from 0. `n-m` is no token: the line is
    kept as it is in layer `mwt`, on the word that follows.
4.  FORM is the word, as it is. The other columns are layers; an empty cell counts as
    `_`, and a layer of nothing but `_` is left out. Layer `misc` is MISC without the
    items `Entity`, `Bridge`, `SplitAnte` and `Split`.
5.  Comments are kept by sentence, all but `newdoc` and `global.Entity`.

Entities:

6.  `# global.Entity = eid-etype-head-other` names the values of an opening bracket, and
    holds until the next such line, in later documents too. `eid` or `GRP` is the
    entity's id, `etype` or `entity` the attribute `type`; `head` and `minspan` see rule
    11; every other field, `other` included, is an attribute by its own name.
7.  `Entity=` holds brackets in a row: `(id-value-value` opens a mention, `id)` closes
    the one that was opened last with this id, `(id-value-value)` is a mention of one
    token. Trailing values may be missing, and empty values are no attributes. Mentions
    may nest, cross and go over the end of a sentence, and all close in their document.
8.  `(e5[1/2]-person` opens part 1 of a mention of 2 parts, and `e5[1/2])` closes that
    part. Part i goes with the mention that waits for it; of several that do, with the
    one that began last. All parts spell the number of parts alike (`2` is not `02`).
    The values of the first part count. Parts that touch make no gap.
9.  Ids and values may hold `%2D` for a hyphen, likewise `%28 %29 %7C %20 %09 %0A %0D`
    and `%25` for brackets, bar, blank, tab, line ends and per cent; ids also `%2C %3A
    %3C %5B %5D` for comma, colon, less-than and square brackets. Names of fields may
    hold any character of ASCII that way. Other codes are left as they are.
10. Entities stand in the order in which their first brackets open, and so do the
    mentions of an entity. Under an id that begins with `NOCOREF` every mention is an
    entity of its own; from the second on `#2`, `#3` ... is put behind the id.
11. `head` is a position among the mention's tokens, from 1, gaps not counted; `minspan`
    is a list of them, with commas: the first and last are the minimum. The head is the
    one that `head` says; without such a field, the first that `minspan` lists; where
    there is no value, the first word of the mention whose HEAD is not the ID of a token
    of the mention in the same sentence. Failing that it is the first word, and in a
    mention of nothing but empty nodes the first node.
12. `SplitAnte=e3<e7,e4<e7`, or `Split=`, says that e3 and e4 together are the split
    antecedent of e7. `Bridge=e12<e5:subset` says that the mention of e5 which opens at
    this token, the first if several do, bridges to e12; `:subset` may be missing.

Refused are other numbers of columns, wrong IDs of words, `Entity` with no fields named
before, fields without an id, brackets without id or partner, text without brackets,
more values than fields, parts that are missing or out of order, positions outside the
mention, bridges whose mention does not open there, and bytes that are not UTF-8. Only
reported are links that cannot be read or name an unknown entity (an unknown antecedent
is kept, a link of an unknown anaphor is left out), mentions inside another mention of
their entity, entities of several types, and `Entity` on a line `n-m`.

Written are the fields `eid-etype-head`, `minspan` where a mention has a minimum, and
the names of all other attributes.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import pairwise, takewhile
from pathlib import PurePath
from typing import TYPE_CHECKING

from corefkit.exceptions import quoted
from corefkit.formats.base import (
    CROSSING_ITS_OWN,
    EVERYTHING,
    LINE_MARKS,
    NON_REFERRING,
    Writer,
)
from corefkit.formats.conllu.codes import COLUMNS as COLUMNS
from corefkit.formats.conllu.codes import DECLARATION, LAYERS, NEWDOC
from corefkit.formats.conllu.columns import ConlluSource
from corefkit.formats.conllu.entities import Annotation
from corefkit.formats.conllu.entities import Fields as Fields
from corefkit.formats.conllu.writing import conllu_text
from corefkit.formats.documents import Extent, Parsed, document_reader
from corefkit.model import Document
from corefkit.syntax.parents import Parents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults

_FORM, _HEAD, _MISC = 1, 6, 9
_FIRST_ID = re.compile(rb"(?:1|1-(?!1\t)[0-9]+|0\.1)\t")
_USUAL_COMMENT = re.compile(rb"#[ \t]*(?:newdoc|newpar|sent_id|text|global\.Entity)\b")
_OTHER_FORMAT = re.compile(rb"#[ \t]*(?:begin document|global\.columns)\b")
_MARK = re.compile(rb"\n(#[ \t]*(?:newdoc|global\.Entity)[^\n]*)")
_ID = re.compile(r"([0-9]{1,9})(?:([.-])([0-9]{1,9}))?")
_ANNOTATED = re.compile("Entity=|Bridge=|Split").search


def recognise(head: bytes) -> bool:
    r"""Say whether the first bytes of a file look like CoNLL-U.

    >>> recognise(b"1\tAnn" + b"\t_" * 8), recognise(b"1\tAnn\t(7)")
    (True, False)
    """
    usual = False
    for line in head.split(b"\n"):
        if line.startswith(b"#"):
            if _OTHER_FORMAT.match(line):
                return False
            usual = usual or _USUAL_COMMENT.match(line) is not None
        elif line.strip():
            # Beside the usual comments a bad line is a broken one; with more columns
            # the file is of one of the formats that add some.
            more = line.count(b"\t") + 1 - COLUMNS
            if usual:
                return more <= 0
            return more == 0 and _FIRST_ID.match(line) is not None
    return usual


class ConlluExtent(Extent):
    """Where a document lies, and the fields of brackets named before it, if any."""

    declared: str | None = None


def extents(file: ByteFile, faults: Faults) -> Iterator[ConlluExtent]:
    """Find the documents of a file, without reading what is in them."""
    del faults  # nothing around documents can be wrong
    begins: list[tuple[int, str, str | None]] = []
    declared = None
    floor = file.text_start
    for offset, line in _marks(file):
        if match := DECLARATION.fullmatch(line):
            declared = match[1]
        elif match := NEWDOC.fullmatch(line):
            start = _comments_start(file, offset, floor)
            begins.append((start, match[1] or "", declared))
            floor = offset + 1
    first = begins[0][0] if begins else file.size
    if _has_tokens(file, file.text_start, first):
        name = PurePath(PurePath(file.name).name.removesuffix(".gz")).stem
        begins.insert(0, (file.text_start, "" if begins else name, None))
    stretches = pairwise([*begins, (file.size, "", None)])
    for number, ((start, name, before), (end, *_)) in enumerate(stretches, 1):
        extent = ConlluExtent(name.strip() or str(number), start, end)
        extent.declared = before
        yield extent


def _marks(file: ByteFile) -> Iterator[tuple[int, str]]:
    """Go through the comments that may begin a document or name fields, by offset."""
    start = file.text_start
    for block in file.blocks(start, file.size):
        for match in _MARK.finditer(b"\n" + block):
            line = match[1].rstrip(b"\r")
            yield start + match.start(), line.decode("utf-8", "replace")
        start += len(block)


def _comments_start(file: ByteFile, offset: int, floor: int) -> int:
    """Go back from a comment to the first of those right above it."""
    size = 1 << 12
    while True:
        start = max(floor, offset - size)
        *lines, _ = file.read(start, offset).split(b"\n")
        above = list(takewhile(lambda line: line[:1] == b"#", reversed(lines)))
        # The first line may begin further up.
        if start == floor or len(above) < len(lines) - 1:
            return offset - sum(len(line) + 1 for line in above)
        size *= 4


def _has_tokens(file: ByteFile, start: int, end: int) -> bool:
    return any(
        line.strip(b" \t") and not line.startswith(b"#")
        for _, line in file.lines(start, end)
    )


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Read one document."""
    report = faults
    first = file.line_number(extent.start)
    body = _Body(report)
    if isinstance(extent, ConlluExtent) and extent.declared is not None:
        body.annotation.fields = Fields.declared(extent.declared)
    body.read(_text_lines(file.read(extent.start, extent.end), first, report), first)
    last = body.lines[-1] if body.lines else first
    entities, bridges = body.annotation.finished(last, body.head)
    columns = list(zip(*body.rows, strict=True)) or [()] * COLUMNS
    layers = _layers(columns[_FORM + 1 :])
    if body.ranges:
        tokens = range(len(body.rows))
        layers["mwt"] = tuple(body.ranges.get(token, "") for token in tokens)
    document = Document(
        extent.id,
        tuple(columns[_FORM][start:end] for start, end in pairwise(body.starts)),
        entities,
        tuple(body.empty),
        bridges,
        layers,
        tuple(body.comments) if any(body.comments) else (),
    )
    return Parsed(document, body.lines)


def _text_lines(data: bytes, first: int, report: Faults) -> list[str]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first + data.count(b"\n", 0, error.start)
        byte = error.start - data.rfind(b"\n", 0, error.start)
        message = f"byte {byte} of the line is not UTF-8"
        report(line, message, "save the file as UTF-8")
        text = data.decode("utf-8", "replace")
    lines = text.split("\n")
    return [line.rstrip("\r") for line in lines] if "\r" in text else lines


def _layers(columns: Iterable[tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    layers: dict[str, tuple[str, ...]] = {}
    for name, cells in zip(LAYERS, columns, strict=True):
        full = tuple(cell or "_" for cell in cells) if "" in cells else cells
        if full.count("_") < len(full):
            layers[name] = full
    return layers


class _Body:
    """The lines of a document, taken apart."""

    def __init__(self, report: Faults) -> None:
        self.rows: list[list[str]] = []  # the columns of each token
        self.lines: list[int] = []  # the line of each token
        self.starts = [0]  # the first token of each sentence, and of one to come
        self.comments: list[tuple[str, ...]] = []  # of each sentence
        self.empty: list[int] = []  # the tokens that are empty nodes
        self.ranges: dict[int, str] = {}  # lines `n-m` by the token that follows
        self.annotation = Annotation(report)
        self._report = report
        self._word = 0  # the number of the last word of the sentence
        self._node = 0  # the number of the last empty node behind it
        self._pending: list[str] = []  # comments of a sentence to come

    def read(self, lines: Iterable[str], first: int) -> None:
        """Go through the lines; the first has the number `first` in the file."""
        rows, numbers = self.rows, self.lines
        number = first
        for number, line in enumerate(lines, first):
            row = line.split("\t")
            if len(row) == COLUMNS and row[0] == str(self._word + 1):
                self._word += 1
                self._node = 0
            elif line[:1] == "#":
                self._comment(line, number)
                continue
            elif not line.strip(" \t"):
                self._end_sentence(number)
                continue
            elif not self._is_token(row, number):
                continue
            misc = row[_MISC]
            if misc != "_" and _ANNOTATED(misc):
                row[_MISC] = self.annotation.read(misc, len(rows), number)
            rows.append(row)
            numbers.append(number)
        self._end_sentence(number)

    def _comment(self, line: str, number: int) -> None:
        if match := DECLARATION.fullmatch(line):
            self.annotation.fields = fields = Fields.declared(match[1])
            if fields.id < 0:
                message = f"no field of {quoted(match[1].strip())} is the entity's id"
                self._report(number, message, "name one of them 'eid'")
        elif not NEWDOC.fullmatch(line):
            self._pending.append(line[1:].removeprefix(" "))

    def _end_sentence(self, number: int) -> None:
        token = len(self.rows)
        if self.ranges.pop(token, None):
            message = "a multiword range stands behind the last word of its sentence"
            self._report(number, message, "it is left out", fatal=False)
        if token > self.starts[-1]:
            self.starts.append(token)
            self.comments.append(tuple(self._pending))
            self._pending = []
        self._word = self._node = 0

    def _is_token(self, row: list[str], number: int) -> bool:
        """Look at a line that is not just the next word; sets its columns right."""
        match = _ID.fullmatch(row[0])
        if len(row) != COLUMNS:
            message = f"found {len(row)} columns, expected {COLUMNS} set apart by tabs"
            self._report(number, message, "is the file cut off, or set with blanks?")
            row[:] = [*row, *"_" * COLUMNS][:COLUMNS]
        elif match is None:
            message = f"{quoted(row[0])} is not an ID, expected {self._word + 1}"
            self._report(number, message, "IDs are '7', '7-8' or '7.1'")
        if match is None:
            return False
        if match[2] == "-":
            self._range(row, number, (int(match[1]), int(match[3])))
        elif match[2] == ".":
            self._empty_node(row[0], number, (int(match[1]), int(match[3])))
        else:
            self._odd_word(row[0], number)
        return match[2] != "-"

    def _odd_word(self, name: str, number: int) -> None:
        if name != str(self._word + 1):
            message = f"found word {name}, expected {self._word + 1}"
            hint = "words are numbered 1, 2, 3 ...; a blank line ends a sentence"
            self._report(number, message, hint)
        self._word, self._node = int(name), 0

    def _empty_node(self, name: str, number: int, found: tuple[int, int]) -> None:
        self._node += 1
        if found != (self._word, self._node):
            message = f"found empty node {name}, expected {self._word}.{self._node}"
            self._report(number, message, "it is taken for that one", fatal=False)
        token = len(self.rows)
        self.empty.append(token)
        if token in self.ranges:
            self.ranges[token + 1] = self.ranges.pop(token)

    def _range(self, row: Sequence[str], number: int, found: tuple[int, int]) -> None:
        if found[0] != self._word + 1 or found[1] <= found[0]:
            message = f"multiword range {row[0]} stands before word {self._word + 1}"
            self._report(number, message, fatal=False)
        if any(item.startswith("Entity=") for item in row[_MISC].split("|")):
            message = f"'Entity' on the multiword range {row[0]} is not read"
            self._report(number, message, "put it on one of its words", fatal=False)
        if len(self.rows) in self.ranges:
            message = "a second multiword range stands before the same word"
            self._report(number, message, "it is left out", fatal=False)
        self.ranges.setdefault(len(self.rows), "\t".join(row))

    def head(self, tokens: Sequence[int]) -> int:
        """Find the first word of a mention that hangs on nothing inside it."""
        if isinstance(tokens, range):
            found = self._outside.head(tokens[0], tokens[-1])
        else:
            inside = frozenset(tokens)
            words = (token for token in tokens if self._said[token])
            found = next(
                (one for one in words if self._parents[one] not in inside), None
            )
        if found is not None:
            return found
        return next((token for token in tokens if self._said[token]), tokens[0])

    @cached_property
    def _outside(self) -> Parents:
        return Parents(self._parents, self._said)

    @cached_property
    def _said(self) -> list[bool]:
        return ["." not in row[0] for row in self.rows]

    @cached_property
    def _parents(self) -> list[int]:
        parents: list[int] = []
        for start, end in pairwise(self.starts):
            rows = self.rows[start:end]
            ids = {row[0]: token for token, row in enumerate(rows, start)}
            parents += [ids.get(row[_HEAD], -1) for row in rows]
        return parents


# Entities always refer, and brackets of an entity close the one that was opened last.
WRITER = Writer(
    alters=LINE_MARKS,
    carries=frozenset(EVERYTHING) - {NON_REFERRING, CROSSING_ITS_OWN},
    layers=frozenset({*LAYERS, "mwt"}),
    text=conllu_text,
)
READER = document_reader(extents, parse, source=ConlluSource)
