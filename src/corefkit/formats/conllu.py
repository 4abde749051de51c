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
from bisect import bisect_left, insort
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple, Protocol

from corefkit.exceptions import quoted
from corefkit.formats.base import (
    ATTRIBUTES,
    BRIDGES,
    CROSSING,
    GAPS,
    HEADS,
    LAYERS,
    MINIMA,
    SPLITS,
    TYPES,
    ZEROS,
    Writer,
)
from corefkit.formats.documents import Extent, Parsed, document_reader
from corefkit.formats.source import Problem
from corefkit.model import Bridge, Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.documents import Fault

COLUMNS = 10
_FORM, _HEAD, _MISC = 1, 6, 9
_NAMES = ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")

_NEWDOC = re.compile(r"#[ \t]*newdoc(?:[ \t]+id[ \t]*=(.*)|[ \t]*)")
_DECLARATION = re.compile(r"#[ \t]*global\.Entity[ \t]*=(.*)")
_FIRST_ID = re.compile(rb"(?:1|1-(?!1\t)[0-9]+|0\.1)\t")
_USUAL_COMMENT = re.compile(rb"#[ \t]*(?:newdoc|newpar|sent_id|text|global\.Entity)\b")
_OTHER_FORMAT = re.compile(rb"#[ \t]*(?:begin document|global\.columns)\b")
_ID = re.compile(r"([0-9]{1,9})(?:([.-])([0-9]{1,9}))?")
# Every character of a value is in one of its pieces.
_PIECE = re.compile(r"\([^()]*\)?|[^()]*\)|[^()]+")
_ANNOTATED = re.compile("Entity=|Bridge=|Split").search
_PART = re.compile(r"(.*)\[([0-9]{1,99})/([0-9]{1,99})\]", re.DOTALL)


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


def extents(file: ByteFile, fault: Fault) -> Iterator[ConlluExtent]:
    """Find the documents of a file, without reading what is in them."""
    del fault  # nothing around documents can be wrong
    declarations: list[tuple[int, str]] = []
    begins: list[tuple[int, str]] = []
    floor = file.text_start
    for offset, line in _marks(file):
        text = line.decode("utf-8", "replace")
        if match := _NEWDOC.fullmatch(text):
            begins.append((_comments_start(file, offset, floor), match[1] or ""))
            floor = offset + len(line) + 1
        elif match := _DECLARATION.fullmatch(text):
            declarations.append((offset, match[1]))
    first = begins[0][0] if begins else file.size
    if _has_tokens(file, file.text_start, first):
        begins.insert(0, (file.text_start, "" if begins else _stem(file.name)))
    for number, (start, name) in enumerate(begins, 1):
        end = begins[number][0] if number < len(begins) else file.size
        extent = ConlluExtent(name.strip() or str(number), start, end)
        before = bisect_left(declarations, (start, ""))
        extent.declared = declarations[before - 1][1] if before else None
        yield extent


def _marks(file: ByteFile) -> Iterator[tuple[int, bytes]]:
    """Go through the comments that may begin a document or name fields, by offset."""
    start = file.text_start
    for block in file.blocks(start, file.size):
        lines: dict[int, bytes] = {}
        for mark in (b"newdoc", b"global.Entity"):
            hit = block.find(mark)
            while hit >= 0:
                first = block.rfind(b"\n", 0, hit) + 1
                end = block.find(b"\n", hit)
                end = len(block) if end < 0 else end
                if block.startswith(b"#", first):
                    lines[first] = block[first:end].rstrip(b"\r")
                hit = block.find(mark, end)
        for first in sorted(lines):
            yield start + first, lines[first]
        start += len(block)


def _comments_start(file: ByteFile, offset: int, floor: int) -> int:
    """Go back from a comment to the first of those right above it."""
    size = 1 << 12
    while True:
        begin = max(floor, offset - size)
        text = file.read(begin, offset)
        cut = len(text)
        while cut:
            line = text.rfind(b"\n", 0, cut - 1) + 1
            if line == 0 and begin > floor:
                break  # the line begins further up
            if not text.startswith(b"#", line):
                return begin + cut
            cut = line
        if begin == floor:
            return begin
        size *= 4


def _has_tokens(file: ByteFile, start: int, end: int) -> bool:
    return any(
        line.strip(b" \t") and not line.startswith(b"#")
        for _, line in file.lines(start, end)
    )


def _stem(name: str) -> str:
    return PurePath(PurePath(name).name.removesuffix(".gz")).stem


class _Report(Protocol):
    def __call__(
        self, line: int, message: str, hint: str | None = None, *, fatal: bool = True
    ) -> None: ...


def parse(file: ByteFile, extent: Extent, fault: Fault) -> Parsed:
    """Read one document."""

    def report(
        line: int, message: str, hint: str | None = None, *, fatal: bool = True
    ) -> None:
        fault(Problem(file.name, line, message, hint, fatal))

    first = file.line_number(extent.start)
    body = _Body(report)
    if isinstance(extent, ConlluExtent) and extent.declared is not None:
        body.declare(extent.declared)
    body.read(_text_lines(file.read(extent.start, extent.end), first, report), first)
    found = body.brackets.finished()
    tree = _Tree(body)
    mentions = [_mention(one, tree, report) for one in found]
    entities = _Entities(found, mentions, report)
    document = Document(
        extent.id,
        tuple(
            tuple(row[_FORM] for row in body.rows[start:end])
            for start, end in body.sentences
        ),
        entities.with_splits(body.splits),
        empty=tuple(body.empty),
        bridges=entities.bridges(body.bridges),
        layers=_layers(body),
        comments=tuple(body.comments) if any(body.comments) else (),
    )
    return Parsed(document, body.lines)


def _text_lines(data: bytes, first: int, report: _Report) -> list[str]:
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


def _layers(body: _Body) -> dict[str, tuple[str, ...]]:
    layers: dict[str, tuple[str, ...]] = {}
    for column, name in enumerate(_NAMES, _FORM + 1):
        cells = tuple([row[column] for row in body.rows])
        if "" in cells:
            cells = tuple(cell or "_" for cell in cells)
        if cells.count("_") < len(cells):
            layers[name] = cells
    if body.ranges:
        layers["mwt"] = tuple(
            body.ranges.get(token, "") for token in range(len(body.rows))
        )
    return layers


class Fields(NamedTuple):
    """Which value of an opening bracket is what; -1 where none is.

    Attributes:
        id: the entity's id.
        head: the head's position.
        minimum: the positions of the minimum.
        attributes: the other values that have a name, and their names.
        size: how many there are.

    >>> Fields.declared("eid-etype-head-other")
    Fields(id=0, head=2, minimum=-1, attributes=((1, 'type'), (3, 'other')), size=4)
    """

    id: int
    head: int
    minimum: int
    attributes: tuple[tuple[int, str], ...]
    size: int

    @classmethod
    def declared(cls, declaration: str) -> Fields:
        """Read what stands behind `# global.Entity =`."""
        names = declaration.strip(" \t").split("-")
        special = {"eid": 0, "GRP": 0, "head": 1, "minspan": 2}
        places = [-1, -1, -1]
        attributes = []
        for place, name in enumerate(names):
            if name in special:
                if places[special[name]] < 0:
                    places[special[name]] = place
            elif name in ("etype", "entity"):
                attributes.append((place, "type"))
            else:
                attributes.append((place, _plain(name, _NAME_CODE)))
        return cls(places[0], places[1], places[2], tuple(attributes), len(names))


def _is_annotation(item: str) -> bool:
    return item.startswith(("Entity=", "Bridge=", "SplitAnte=", "Split="))


class _Link(NamedTuple):
    """The value of an item `SplitAnte` or `Bridge`, and where it stands."""

    value: str
    token: int
    line: int


class _Body:
    """The lines of a document, taken apart.

    Attributes:
        rows: the columns of each token.
        lines: the line of each token.
        sentences: the tokens of each sentence, from one up to another.
        comments: the comments of each sentence.
        empty: the tokens that are empty nodes.
        ranges: the lines `n-m` by the token that follows.
        fields: the fields of opening brackets, as declared last.
    """

    def __init__(self, report: _Report) -> None:
        self.rows: list[list[str]] = []
        self.lines: list[int] = []
        self.sentences: list[tuple[int, int]] = []
        self.comments: list[tuple[str, ...]] = []
        self.empty: list[int] = []
        self.ranges: dict[int, str] = {}
        self.fields: Fields | None = None
        self.brackets = _Brackets(report)
        self.splits: list[_Link] = []
        self.bridges: list[_Link] = []
        self._report = report
        self._start = 0  # the first token of the sentence
        self._word = 0  # the number of the last word
        self._node = 0  # the number of the last empty node behind it
        self._pending: list[str] = []

    def read(self, lines: Iterable[str], first: int) -> None:
        """Go through the lines; the first has the number `first` in the file."""
        rows, numbers = self.rows, self.lines
        number = first
        for number, line in enumerate(lines, first):
            start = line[:1]
            if start == "#":
                self._comment(line, number)
                continue
            if start in ("", " ", "\t") and not line.strip(" \t"):
                self._end_sentence(number)
                continue
            row = line.split("\t")
            if len(row) == COLUMNS and row[0] == str(self._word + 1):
                self._word += 1
                self._node = 0
            elif not self._is_token(line, row, number):
                continue
            misc = row[_MISC]
            if misc != "_" and _ANNOTATED(misc):
                row[_MISC] = self._annotation(misc, number)
            rows.append(row)
            numbers.append(number)
        self._end_sentence(number)
        self.brackets.last_line = numbers[-1] if numbers else first

    def declare(self, declaration: str) -> bool:
        """Take the fields of brackets from now on; False where none is the id."""
        fields = Fields.declared(declaration)
        self.fields = fields._replace(id=max(0, fields.id))
        return fields.id >= 0

    def _comment(self, line: str, number: int) -> None:
        if match := _DECLARATION.fullmatch(line):
            if not self.declare(match[1]):
                message = f"no field of {quoted(match[1].strip())} is the entity's id"
                self._report(number, message, "name one of them 'eid'")
        elif not _NEWDOC.fullmatch(line):
            self._pending.append(line[1:].removeprefix(" "))

    def _end_sentence(self, number: int) -> None:
        token = len(self.rows)
        if self.ranges.pop(token, None):
            message = "a multiword range stands behind the last word of its sentence"
            self._report(number, message, "it is left out", fatal=False)
        if token > self._start:
            self.sentences.append((self._start, token))
            self.comments.append(tuple(self._pending))
            self._pending = []
        self._start = token
        self._word = self._node = 0

    def _is_token(self, line: str, row: list[str], number: int) -> bool:
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
        first, kind, second = match.groups()
        if kind == "-":
            self._range(line, row, number, (int(first), int(second)))
        elif kind == ".":
            self._empty_node((int(first), int(second)), row[0], number)
        else:
            self._odd_word(int(first), row[0], number)
        return kind != "-"

    def _odd_word(self, found: int, text: str, number: int) -> None:
        if text != str(self._word + 1):
            message = f"found word {text}, expected {self._word + 1}"
            hint = "words are numbered 1, 2, 3 ...; a blank line ends a sentence"
            self._report(number, message, hint)
        self._word, self._node = found, 0

    def _empty_node(self, found: tuple[int, int], text: str, number: int) -> None:
        self._node += 1
        if found != (self._word, self._node):
            message = f"found empty node {text}, expected {self._word}.{self._node}"
            self._report(number, message, "it is taken for that one", fatal=False)
        token = len(self.rows)
        self.empty.append(token)
        if token in self.ranges:
            self.ranges[token + 1] = self.ranges.pop(token)

    def _range(
        self, line: str, row: Sequence[str], number: int, found: tuple[int, int]
    ) -> None:
        if found[0] != self._word + 1 or found[1] <= found[0]:
            message = f"multiword range {row[0]} stands before word {self._word + 1}"
            self._report(number, message, fatal=False)
        if any(item.startswith("Entity=") for item in row[_MISC].split("|")):
            message = f"'Entity' on the multiword range {row[0]} is not read"
            self._report(number, message, "put it on one of its words", fatal=False)
        if len(self.rows) in self.ranges:
            message = "a second multiword range stands before the same word"
            self._report(number, message, "it is left out", fatal=False)
        self.ranges.setdefault(len(self.rows), line)

    def _annotation(self, misc: str, line: int) -> str:
        """Take the annotation out of MISC and give the rest."""
        rest = []
        token = len(self.rows)
        for item in misc.split("|"):
            key, _, value = item.partition("=")
            if not _is_annotation(item):
                rest.append(item)
            elif key == "Entity":
                self.brackets.read(value, token, line, self._known_fields(line))
            else:
                links = self.bridges if key == "Bridge" else self.splits
                links.append(_Link(value, token, line))
        return "|".join(rest) or "_"

    def _known_fields(self, line: int) -> Fields:
        if self.fields is None:
            message = "Entity annotation without '# global.Entity'"
            usual = "eid-etype-head-other"
            hint = (
                f"name the values below '# newdoc', as in '# global.Entity = {usual}'"
            )
            self._report(line, message, hint)
            self.fields = Fields.declared(usual)
        return self.fields


@dataclass(slots=True, eq=False)
class _Found:
    """A mention while its brackets are being found.

    Attributes:
        id: the id of its entity, decoded.
        order: how many began before it.
        line: the line where it begins.
        fields: what its values are.
        values: the values of its first bracket, decoded.
        total: how many parts it has, as spelled in the file.
        count: the same, as a number.
        start: the token where its last part begins.
        opened: the line where that part opens.
        closed: whether that part is closed.
        parts: the first and last token of each part that is closed.
    """

    id: str
    order: int
    line: int
    fields: Fields
    values: list[str]
    total: str
    count: int
    start: int
    opened: int
    closed: bool = False
    parts: list[tuple[int, int]] = field(default_factory=list)

    @property
    def tokens(self) -> Sequence[int]:
        """The tokens of all parts."""
        if len(self.parts) == 1:
            start, end = self.parts[0]
            return range(start, end + 1)
        every = {token for start, end in self.parts for token in range(start, end + 1)}
        return sorted(every)

    def value(self, place: int) -> str:
        """Give one of the values; empty where it has none."""
        return self.values[place] if 0 <= place < len(self.values) else ""


class _Brackets:
    """The mentions of a document, in the order in which they begin."""

    def __init__(self, report: _Report) -> None:
        self.last_line = 0
        self._report = report
        self._begun: list[_Found] = []
        # By the label as spelled, so that parts close by their number.
        self._open: dict[str, list[_Found]] = {}
        # By id, number of parts as spelled, and the part that is waited for.
        self._waiting: dict[tuple[str, str, int], list[_Found]] = {}

    def read(self, value: str, token: int, line: int, fields: Fields) -> None:
        """Take in the brackets of a token."""
        for piece in _PIECE.findall(value):
            closes = piece[-1] == ")"
            if piece[0] == "(":
                body = piece[1:-1] if closes else piece[1:]
                values = body.split("-")
                label = values[fields.id] if fields.id < len(values) else ""
                found = self._opened(label, values, token, line, fields)
                if found is None:
                    continue
                if closes:
                    self._close(found, token)
                else:
                    self._open.setdefault(label, []).append(found)
            elif closes:
                self._closing(piece[:-1], token, line)
            else:
                message = f"{quoted(piece)} has no bracket"
                self._report(line, message, "'(e5' opens a mention, 'e5)' closes it")

    def finished(self) -> list[_Found]:
        """Give the mentions that are closed; what is missing is reported."""
        whole = []
        for found in self._begun:
            if len(found.parts) == found.count:
                whole.append(found)
            elif not found.closed:
                message = f"entity {_shown(found.id)} opens here and is never closed"
                hint = f"the document ends at line {self.last_line}"
                self._report(found.opened, message, hint)
            else:
                part = f"[{len(found.parts) + 1}/{found.total}]"
                message = (
                    f"mention of entity {_shown(found.id)} begins here and lacks {part}"
                )
                self._report(found.line, message, "a mention has all its parts")
        return whole

    def _opened(
        self, label: str, values: list[str], token: int, line: int, fields: Fields
    ) -> _Found | None:
        name, part, total = label, 1, "1"
        if label[-1:] == "]" and (match := _PART.fullmatch(label)):
            name, total, part = match[1], match[3], int(match[2])
        if not name:
            self._no_id(line)
            return None
        if len(values) > fields.size:
            given = f"{len(values)} values for {fields.size} fields"
            message = f"entity {_shown(name)} has {given}"
            hint = "'# global.Entity' names the fields; a hyphen in a value is '%2D'"
            self._report(line, message, hint)
        if not 1 <= part <= int(total):
            message = (
                f"part [{part}/{total}] of entity {_shown(name)}: no such part can be"
            )
            self._report(line, message, "parts are [1/2], [2/2]")
            return None
        name = _plain_id(name)
        if part > 1:
            return self._next_part(name, part, total, token, line)
        values = [_plain(value) if "%" in value else value for value in values]
        order, count = len(self._begun), int(total)
        found = _Found(name, order, line, fields, values, total, count, token, line)
        self._begun.append(found)
        return found

    def _next_part(
        self, name: str, part: int, total: str, token: int, line: int
    ) -> _Found | None:
        waiting = self._waiting.get((name, total, part))
        if not waiting:
            message = (
                f"part [{part}/{total}] of entity {_shown(name)} opens here, but no "
                f"part [{part - 1}/{total}] was closed before"
            )
            hint = "the parts of a mention stand in order, each closed before the next"
            self._report(line, message, hint)
            return None
        found = waiting.pop()
        found.start, found.opened, found.closed = token, line, False
        return found

    def _closing(self, label: str, token: int, line: int) -> None:
        if not label:
            self._no_id(line)
        elif stack := self._open.get(label):
            self._close(stack.pop(), token)
        else:
            message = f"entity {_shown(label)} closes here but was not opened"
            self._report(line, message, "a mention closes in its own document")

    def _close(self, found: _Found, token: int) -> None:
        found.parts.append((found.start, token))
        found.closed = True
        if len(found.parts) < found.count:
            key = found.id, found.total, len(found.parts) + 1
            waiting = self._waiting.setdefault(key, [])
            insort(waiting, found, key=attrgetter("order"))

    def _no_id(self, line: int) -> None:
        message = "a bracket has no entity id"
        self._report(line, message, "'(e5' opens a mention of e5, 'e5)' closes it")


class _Tree:
    """The syntax of a document; set up when first asked for."""

    def __init__(self, body: _Body) -> None:
        self._body = body
        self._empty = frozenset(body.empty)
        self._parents: list[int] | None = None

    def head(self, tokens: Sequence[int]) -> int:
        """Find the first word of a mention that hangs on nothing inside it."""
        if self._parents is None:
            self._parents = list(self._found_parents())
        inside = tokens if isinstance(tokens, range) else frozenset(tokens)
        words: Iterable[int] = tokens
        if self._empty:
            words = [token for token in tokens if token not in self._empty] or tokens
        first = -1
        for token in words:
            if self._parents[token] not in inside:
                return token
            first = token if first < 0 else first
        return first

    def _found_parents(self) -> Iterator[int]:
        rows = self._body.rows
        for start, end in self._body.sentences:
            ids = {row[0]: token for token, row in enumerate(rows[start:end], start)}
            for row in rows[start:end]:
                yield ids.get(row[_HEAD], -1)


def _mention(found: _Found, tree: _Tree, report: _Report) -> Mention:
    fields, tokens = found.fields, found.tokens
    head = minimum = None
    if text := found.value(fields.head):
        head = next(_positions("head", [text], tokens, found.line, report), None)
    if text := found.value(fields.minimum):
        row = text.split(",")
        least = list(_positions("minspan", row, tokens, found.line, report))
        if least:
            minimum = min(least), max(least)
            head = least[0] if fields.head < 0 else head
    if head is None:
        head = tree.head(tokens)
    attributes = {
        name: value
        for place, name in fields.attributes
        if (value := found.value(place))
    }
    if isinstance(tokens, range):
        return Mention(tokens[0], tokens[-1], (), head, minimum, attributes)
    return Mention.of(tokens, head=head, minimum=minimum, attributes=attributes)


def _positions(
    name: str, row: Sequence[str], tokens: Sequence[int], line: int, report: _Report
) -> Iterator[int]:
    for text in row:
        if not (text.isascii() and text.isdecimal()) or len(text) > 9:
            message = f"{name} {quoted(text)} is not a position"
            report(line, message, "positions are counted from 1 in the mention")
        elif not 1 <= int(text) <= len(tokens):
            words = f"{len(tokens)} word{'s' * (len(tokens) != 1)}"
            message = f"{name} {text} lies outside the mention's {words}"
            report(line, message, "positions are counted from 1 in the mention")
        else:
            yield tokens[int(text) - 1]


class _Entities:
    """The entities of a document, in the order in which they begin."""

    def __init__(
        self, found: Sequence[_Found], mentions: Sequence[Mention], report: _Report
    ) -> None:
        self._report = report
        self._mentions: dict[str, list[Mention]] = {}
        self._openings: dict[tuple[int, str], Mention] = {}
        lines: dict[str, list[int]] = {}
        used: dict[str, int] = {}
        for one, mention in zip(found, mentions, strict=True):
            name = one.id
            if name.startswith("NOCOREF"):
                name = _unused(name, used)
            self._mentions.setdefault(name, []).append(mention)
            self._openings.setdefault((mention.start, one.id), mention)
            lines.setdefault(name, []).append(one.line)
        for name, members in self._mentions.items():
            if len(members) > 1:
                self._check(name, members, lines[name])

    def with_splits(self, links: Iterable[_Link]) -> tuple[Entity, ...]:
        """Give the entities with their split antecedents."""
        splits: dict[str, dict[str, None]] = {}
        for link in links:
            for antecedent, anaphor, _ in self._read("SplitAnte", link):
                splits.setdefault(anaphor, {})[antecedent] = None
        return tuple(
            Entity(name, tuple(mentions), tuple(splits.get(name, ())))
            for name, mentions in self._mentions.items()
        )

    def bridges(self, links: Iterable[_Link]) -> tuple[Bridge, ...]:
        """Give the bridging anaphors."""
        bridges = []
        for link in links:
            for antecedent, anaphor, relation in self._read("Bridge", link):
                mention = self._openings.get((link.token, anaphor))
                if mention is None:
                    message = (
                        f"'Bridge' of entity {_shown(anaphor)}, which does not open "
                        "here"
                    )
                    hint = "it stands on the first token of the mention that bridges"
                    self._report(link.line, message, hint)
                else:
                    bridges.append(Bridge(mention, antecedent, None, relation))
        return tuple(bridges)

    def _read(self, kind: str, link: _Link) -> Iterator[tuple[str, str, str]]:
        """Go through the links of an item: antecedent, anaphor and relation."""
        for text in link.value.split(","):
            antecedent, _, anaphor = text.partition("<")
            relation = ""
            if kind == "Bridge":
                anaphor, _, relation = anaphor.partition(":")
            antecedent, anaphor = _plain_id(antecedent), _plain_id(anaphor)
            message, usable = self._judged(text, antecedent, anaphor)
            if message:
                hint = "as in 'SplitAnte=e3<e7,e4<e7' or 'Bridge=e3<e7:part'"
                self._report(link.line, f"{kind}: {message}", hint, fatal=False)
            if usable:
                yield antecedent, anaphor, _plain_id(relation)

    def _judged(self, text: str, antecedent: str, anaphor: str) -> tuple[str, bool]:
        """Say what is wrong with a link, and whether it can be used even so."""
        if not antecedent or not anaphor:
            return f"{quoted(text)} is no link, expected 'antecedent<anaphor'", False
        if antecedent == anaphor:
            return f"entity {_shown(anaphor)} is linked to itself", False
        for name, usable in ((anaphor, False), (antecedent, True)):
            if name not in self._mentions:
                return f"entity {_shown(name)} has no mention in the document", usable
        return "", True

    def _check(
        self, name: str, mentions: Sequence[Mention], lines: Sequence[int]
    ) -> None:
        """Report mentions inside others of their entity, and types that differ."""
        rows = sorted(
            zip(mentions, lines, strict=True),
            key=lambda row: (row[0].start, -row[0].end),
        )
        widest = rows[0][0]
        for mention, line in rows[1:]:
            if mention.end > widest.end:
                widest = mention
            elif mention != widest and not _in_a_gap(mention, widest):
                message = (
                    f"a mention of entity {_shown(name)} lies inside another mention "
                    f"of it, tokens {widest.start} to {widest.end}"
                )
                hint = "can a thing be a part of itself? check the brackets"
                self._report(line, message, hint, fatal=False)
        types: dict[str, int] = {}
        for mention, line in zip(mentions, lines, strict=True):
            if kind := mention.attributes.get("type"):
                types.setdefault(kind, line)
        (_, first), *others = types.items() or [("", 0)]
        for kind, line in others:
            message = (
                f"entity {_shown(name)} is {quoted(kind)} here and another type before"
            )
            hint = f"its first type stands in line {first}"
            self._report(line, message, hint, fatal=False)


def _shown(name: str) -> str:
    return name if name.isprintable() and len(name) <= 80 else quoted(name)


def _in_a_gap(mention: Mention, around: Mention) -> bool:
    return any(
        start <= mention.start and mention.end <= end for start, end in around.gaps
    )


def _unused(name: str, used: dict[str, int]) -> str:
    """Give a name that was not given before; `used` is kept up to date."""
    free = name
    while free in used:
        used[name] += 1
        free = f"{name}#{used[name]}"
    used[free] = 1
    return free


_VALUE_SIGNS = "-()| \t\n\r"
_ID_SIGNS = f"{_VALUE_SIGNS},<[]"
_LINK_SIGNS = f"{_ID_SIGNS}:"
_RESERVED = ("eid", "GRP", "etype", "entity", "head", "minspan")


def _codes(signs: str) -> str:
    return "|".join(f"{ord(sign):02X}" for sign in f"%{signs}")


def _coding(signs: str, codes: str) -> re.Pattern[str]:
    # A per cent sign is left alone where nothing behind it would be taken for a code.
    return re.compile(f"[{re.escape(signs)}]|%(?={codes})", re.IGNORECASE)


_VALUE_CODE = re.compile(f"%({_codes(_VALUE_SIGNS)})", re.IGNORECASE)
_ID_CODE = re.compile(f"%({_codes(_LINK_SIGNS)})", re.IGNORECASE)
_NAME_CODE = re.compile("%([0-7][0-9A-F])", re.IGNORECASE)
_VALUE_SIGN = _coding(_VALUE_SIGNS, _codes(_VALUE_SIGNS))
_ID_SIGN = _coding(_ID_SIGNS, _codes(_LINK_SIGNS))
_LINK_SIGN = _coding(_LINK_SIGNS, _codes(_LINK_SIGNS))
_NAME_SIGN = _coding(_VALUE_SIGNS, "[0-7][0-9A-F]")


def _plain(text: str, codes: re.Pattern[str] = _VALUE_CODE) -> str:
    return codes.sub(lambda match: chr(int(match[1], 16)), text)


def _plain_id(text: str) -> str:
    return _plain(text, _ID_CODE) if "%" in text else text


def _coded(text: str, signs: re.Pattern[str] = _VALUE_SIGN) -> str:
    """Put codes for the signs that would be misread.

    >>> _coded("in-law (100%)"), _plain(_coded("%2D"))
    ('in%2Dlaw%20%28100%%29', '%2D')
    """
    return signs.sub(lambda match: f"%{ord(match[0]):02X}", text)


def _coded_name(name: str) -> str:
    """Spell the name of a field, so that it is not taken for one that means more."""
    if name in _RESERVED:
        return f"%{ord(name[0]):02X}{name[1:]}"
    return _coded(name, _NAME_SIGN)


class _Bracket(NamedTuple):
    """A bracket to be written: a mention or a part of it.

    Attributes:
        start: its first token.
        end: its last token.
        entity: the number of its entity.
        mention: the number of the mention in its entity.
        part: the number of the part, from 0.
        label: the entity's id and the part, as they are written.
        values: the other values, with their hyphens.
    """

    start: int
    end: int
    entity: int
    mention: int
    part: int
    label: str
    values: str

    @property
    def single(self) -> bool:
        """Whether it is of one token."""
        return self.start == self.end


def _text(document: Document) -> Iterator[str]:
    """Write a document; one without words gets as many `_` as its mentions need."""
    fields = _WrittenFields.of(document)
    yield f"# newdoc id = {_one_line(document.id)}\n"
    yield f"# global.Entity = {fields.declaration}\n"
    sentences = document.sentences
    if not sentences:
        ends = [mention.end for entity in document.entities for mention in entity]
        sentences = (("_",) * (max(ends) + 1),) if ends else ()
    rows = _rows(document, sentences, _annotation(document, fields))
    for number, sentence in enumerate(sentences):
        for comment in document.comments[number : number + 1]:
            yield from _comment_lines(comment)
        for _ in sentence:
            yield next(rows)
        if sentence:
            yield "\n"
    if not any(sentences):
        yield "\n"


def _one_line(text: str) -> str:
    return text.replace("\n", " ")


def _comment_lines(comments: Iterable[str]) -> Iterator[str]:
    for comment in comments:
        line = f"# {_one_line(comment)}"
        if not _NEWDOC.fullmatch(line) and not _DECLARATION.fullmatch(line):
            yield f"{line}\n"


def _rows(
    document: Document,
    sentences: Sequence[Sequence[str]],
    annotation: Mapping[int, Sequence[str]],
) -> Iterator[str]:
    """Go through the lines of tokens; what stands right before one is part of it."""
    empty = set(document.empty)
    layers = [document.layers.get(name) for name in _NAMES]
    ranges = document.layers.get("mwt")
    token = 0
    for sentence in sentences:
        word = node = 0
        for form in sentence:
            row = [layer[token] or "_" if layer else "_" for layer in layers]
            row[-1] = _written_misc(row[-1], annotation.get(token, ()))
            before = ""
            if token in empty:
                node += 1
                row = [f"{word}.{node}", form, *row]
            else:
                word, node = word + 1, 0
                row = [str(word), form, *row]
                if ranges and ranges[token]:
                    before = f"{_one_line(ranges[token])}\n"
            line = "\t".join(row)
            if line.count("\t") >= COLUMNS or "\n" in line:
                line = "\t".join(_one_line(cell).replace("\t", " ") for cell in row)
            yield f"{before}{line}\n"
            token += 1


def _written_misc(misc: str, annotation: Sequence[str]) -> str:
    if _ANNOTATED(misc):
        items = misc.split("|")
        misc = "|".join(item for item in items if not _is_annotation(item))
    if annotation:
        misc = "|".join(annotation if misc in ("", "_") else [*annotation, misc])
    return misc or "_"


class _WrittenFields(NamedTuple):
    """The fields of opening brackets that a document needs."""

    minima: bool
    attributes: tuple[str, ...]

    @classmethod
    def of(cls, document: Document) -> _WrittenFields:
        """Find the fields of a document."""
        mentions = list(chain.from_iterable(document.entities))
        names = dict.fromkeys(
            name for mention in mentions for name in mention.attributes
        )
        names.pop("type", None)
        minima = any(mention.minimum is not None for mention in mentions)
        return cls(minima, tuple(names))

    @property
    def declaration(self) -> str:
        """What stands behind `# global.Entity =`."""
        names = ["eid", "etype", "head", *(["minspan"] if self.minima else [])]
        return "-".join([*names, *map(_coded_name, self.attributes)])

    def values(self, mention: Mention) -> str:
        """Write the values of a mention behind its entity's id."""
        tokens = (
            mention.tokens if mention.gaps else range(mention.start, mention.end + 1)
        )
        values = [mention.attributes.get("type", ""), ""]
        if mention.head is not None and mention.head in tokens:
            values[1] = str(tokens.index(mention.head) + 1)
        if self.minima:
            values.append(_minimum(mention, tokens))
        values += [mention.attributes.get(name, "") for name in self.attributes]
        return "".join(f"-{_coded(value)}" for value in values).rstrip("-")


def _minimum(mention: Mention, tokens: Sequence[int]) -> str:
    if mention.minimum is None:
        return ""
    first, last = mention.minimum
    row = [place for place, token in enumerate(tokens, 1) if first <= token <= last]
    return ",".join(map(str, dict.fromkeys([row[0], row[-1]]))) if row else ""


def _annotation(
    document: Document, fields: _WrittenFields
) -> Mapping[int, Sequence[str]]:
    """Give the items of MISC that speak of entities, by token."""
    used: dict[str, int] = {}
    names = [_unused(entity.id or "_", used) for entity in document.entities]
    items: dict[int, list[str]] = {}
    for token, text in _bridge_items(document, names):
        items.setdefault(token, []).append(f"Bridge={text}")
    for token, text in _entity_items(document, names, fields):
        items.setdefault(token, []).append(f"Entity={text}")
    for token, text in _split_items(document, names):
        items.setdefault(token, []).append(f"SplitAnte={text}")
    return items


def _bridge_items(
    document: Document, names: Sequence[str]
) -> Iterator[tuple[int, str]]:
    # Two entities may have the same mention, so the very object is looked for first.
    owners: dict[object, str] = {}
    for entity, name in zip(document.entities, names, strict=True):
        for mention in entity:
            owners.setdefault(id(mention), name)
            owners.setdefault(mention, name)
    items: dict[int, list[str]] = {}
    for bridge in document.bridges:
        owner = owners.get(id(bridge.anaphor)) or owners.get(bridge.anaphor)
        if owner is not None:
            text = (
                f"{_coded(bridge.antecedent, _LINK_SIGN)}<{_coded(owner, _LINK_SIGN)}"
            )
            if bridge.relation:
                text += f":{_coded(bridge.relation, _ID_SIGN)}"
            items.setdefault(bridge.anaphor.start, []).append(text)
    for token, row in items.items():
        yield token, ",".join(row)


def _split_items(document: Document, names: Sequence[str]) -> Iterator[tuple[int, str]]:
    items: dict[int, list[str]] = {}
    for entity, name in zip(document.entities, names, strict=True):
        for antecedent in entity.split if entity.mentions else ():
            text = f"{_coded(antecedent, _ID_SIGN)}<{_coded(name, _ID_SIGN)}"
            items.setdefault(entity.mentions[0].start, []).append(text)
    for token, row in items.items():
        yield token, ",".join(row)


def _entity_items(
    document: Document, names: Sequence[str], fields: _WrittenFields
) -> Iterator[tuple[int, str]]:
    opening: dict[int, list[_Bracket]] = {}
    for bracket in _brackets(document, names, fields):
        opening.setdefault(bracket.start, []).append(bracket)
    ends = {bracket.end for row in opening.values() for bracket in row}
    closing: dict[int, list[str]] = {}
    kept = _in_order(document)
    for token in sorted(ends.union(opening)):
        here = _sorted(opening.get(token, []), kept=kept)
        closed = "".join(f"{label})" for label in reversed(closing.pop(token, [])))
        opened = "".join(
            f"({bracket.label}{bracket.values}{')' * bracket.single}"
            for bracket in here
        )
        for bracket in here:
            if not bracket.single:
                closing.setdefault(bracket.end, []).append(bracket.label)
        # Mentions of one token stand inside those that close here.
        within = all(bracket.single for bracket in here)
        yield token, opened + closed if within else closed + opened


def _brackets(
    document: Document, names: Sequence[str], fields: _WrittenFields
) -> Iterator[_Bracket]:
    for entity, (members, name) in enumerate(zip(document, names, strict=True)):
        totals = _totals(members.mentions)
        for number, mention in enumerate(members):
            values = fields.values(mention)
            parts = mention.parts
            for part, (start, end) in enumerate(parts, 1):
                label = _coded(name, _ID_SIGN)
                if number in totals:
                    total = totals[number]
                    label += f"[{part if part < len(parts) else total}/{total}]"
                yield _Bracket(start, end, entity, number, part, label, values)


def _totals(mentions: Sequence[Mention]) -> dict[int, str]:
    """Spell how many parts mentions of an entity have, by the mention's number.

    Mentions that overlap and have as many parts are told apart by zeros in front.
    """
    totals: dict[int, str] = {}
    around: list[int] = []
    broken = [number for number, mention in enumerate(mentions) if mention.gaps]
    for number in sorted(broken, key=lambda one: mentions[one].start):
        start = mentions[number].start
        around = [one for one in around if mentions[one].end >= start]
        taken = {totals[one] for one in around}
        total = str(len(mentions[number].parts))
        while total in taken:
            total = f"0{total}"
        totals[number] = total
        around.append(number)
    return totals


def _in_order(document: Document) -> bool:
    """Say whether entities and mentions stand in the order in which they could open."""
    rows = [entity.mentions for entity in document.entities if entity.mentions]
    firsts = [mentions[0].start for mentions in rows]
    return firsts == sorted(firsts) and all(map(_mentions_in_order, rows))


def _mentions_in_order(mentions: Sequence[Mention]) -> bool:
    starts = [mention.start for mention in mentions]
    # Of those that open together the one that closes last opens first.
    spans = [
        (mention.start, -mention.end)
        for mention in mentions
        if not mention.gaps and mention.start < mention.end
    ]
    return starts == sorted(starts) and spans == sorted(spans)


def _sorted(brackets: Sequence[_Bracket], *, kept: bool) -> Sequence[_Bracket]:
    """Put brackets that open at a token in order: outer ones first, single tokens last.

    Where that would change the order of entities or mentions, which is to be kept,
    they stay as they are.
    """
    row = sorted(brackets, key=lambda one: (one.single, -one.end))
    begins = [one for one in row if one.part == 1]
    new = [one.entity for one in begins if one.mention == 0]
    by_entity = sorted(begins, key=lambda one: one.entity)
    same = new == sorted(new) and by_entity == sorted(by_entity, key=_place)
    return row if same or not kept else brackets


def _place(bracket: _Bracket) -> tuple[int, int]:
    return bracket.entity, bracket.mention


WRITER = Writer(
    carries=frozenset(
        {
            GAPS,
            HEADS,
            MINIMA,
            ZEROS,
            TYPES,
            ATTRIBUTES,
            SPLITS,
            BRIDGES,
            CROSSING,
            LAYERS,
        }
    ),
    text=_text,
)
READER = document_reader(extents, parse)
