"""The lines of CoNLL-U one by one: documents as objects, and what is wrong with them.

The rules are those in `corefkit.formats.conllu.conllu`.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from corefkit.exceptions import quoted
from corefkit.formats.conllu.annotation import Annotation, Fields
from corefkit.formats.conllu.codes import COLUMNS, DECLARATION, LAYERS, NEWDOC
from corefkit.formats.conllu.entities import read_entities
from corefkit.formats.documents import Extent, Parsed
from corefkit.model import Document
from corefkit.syntax.parents import Parents

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults

_FORM, _HEAD, _MISC = 1, 6, 9
_ID = re.compile(r"([0-9]{1,9})(?:([.-])([0-9]{1,9}))?")
_ANNOTATED = re.compile("Entity=|Bridge=|Split").search


class ConlluExtent(Extent):
    """Where a document lies, and the fields of brackets named before it, if any."""

    declared: str | None = None


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Read one document."""
    first = file.line_number(extent.start)
    body = _Body(faults)
    if isinstance(extent, ConlluExtent) and extent.declared is not None:
        body.annotation.fields = Fields.declared(extent.declared)
    body.read(_text_lines(file.read(extent.start, extent.end), first, faults), first)
    last = body.lines[-1] if body.lines else first
    entities, bridges = read_entities(body.annotation, last, body.head, faults)
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


def _text_lines(data: bytes, first: int, faults: Faults) -> list[str]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first + data.count(b"\n", 0, error.start)
        byte = error.start - data.rfind(b"\n", 0, error.start)
        faults.not_utf8(line, byte)
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

    def __init__(self, faults: Faults) -> None:
        self.rows: list[list[str]] = []  # the columns of each token
        self.lines: list[int] = []  # the line of each token
        self.starts = [0]  # the first token of each sentence, and of one to come
        self.comments: list[tuple[str, ...]] = []  # of each sentence
        self.empty: list[int] = []  # the tokens that are empty nodes
        self.ranges: dict[int, str] = {}  # lines `n-m` by the token that follows
        self.annotation = Annotation(faults)
        self._faults = faults
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
                self._faults(number, message, "name one of them 'eid'")
        elif not NEWDOC.fullmatch(line):
            self._pending.append(line[1:].removeprefix(" "))

    def _end_sentence(self, number: int) -> None:
        token = len(self.rows)
        if self.ranges.pop(token, None):
            message = "a multiword range stands behind the last word of its sentence"
            self._faults(number, message, "it is left out", fatal=False)
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
            self._faults(number, message, "is the file cut off, or set with blanks?")
            row[:] = [*row, *"_" * COLUMNS][:COLUMNS]
        elif match is None:
            message = f"{quoted(row[0])} is not an ID, expected {self._word + 1}"
            self._faults(number, message, "IDs are '7', '7-8' or '7.1'")
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
            self._faults(number, message, hint)
        self._word, self._node = int(name), 0

    def _empty_node(self, name: str, number: int, found: tuple[int, int]) -> None:
        self._node += 1
        if found != (self._word, self._node):
            message = f"found empty node {name}, expected {self._word}.{self._node}"
            self._faults(number, message, "it is taken for that one", fatal=False)
        token = len(self.rows)
        self.empty.append(token)
        if token in self.ranges:
            self.ranges[token + 1] = self.ranges.pop(token)

    def _range(self, row: Sequence[str], number: int, found: tuple[int, int]) -> None:
        if found[0] != self._word + 1 or found[1] <= found[0]:
            message = f"multiword range {row[0]} stands before word {self._word + 1}"
            self._faults(number, message, fatal=False)
        if any(item.startswith("Entity=") for item in row[_MISC].split("|")):
            message = f"'Entity' on the multiword range {row[0]} is not read"
            self._faults(number, message, "put it on one of its words", fatal=False)
        if len(self.rows) in self.ranges:
            message = "a second multiword range stands before the same word"
            self._faults(number, message, "it is left out", fatal=False)
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
