"""The lines of CoNLL-U one by one: for documents as objects, and for faults.

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
from corefkit.formats.kinds import LEFT_OUT, MISPLACED
from corefkit.model import Document
from corefkit.syntax.parents import Parents

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults
    from corefkit.model import Bridge, Entity

_FORM, _HEAD, _MISC = 1, 6, 9
_ID = re.compile(r"([0-9]{1,9})(?:([.-])([0-9]{1,9}))?")
_ANNOTATED = re.compile("Entity=|Bridge=|Split").search


class ConlluExtent(Extent):
    """Where a document lies, and the fields of brackets named before it, if any."""

    declared: str | None = None


def parse(
    file: ByteFile,
    extent: Extent,
    faults: Faults,
    *,
    layers: Sequence[str] = (*LAYERS, "mwt"),
) -> Parsed:
    """Read one document; only some of its layers where others are not asked for."""
    first = file.line_number(extent.start)
    body = _Body(faults)
    if isinstance(extent, ConlluExtent) and extent.declared is not None:
        body.annotation.fields = Fields.declared(extent.declared)
    body.read(_text_lines(file.read(extent.start, extent.end), first, faults), first)
    sentences = body.sentences
    last = sentences.lines[-1] if sentences.lines else first
    entities, bridges = read_entities(body.annotation, last, sentences.head, faults)
    return sentences.parsed(extent.id, entities, bridges, layers)


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


class _Body:
    """The lines of a document, taken apart."""

    def __init__(self, faults: Faults) -> None:
        self.sentences = Sentences(faults)
        self.annotation = Annotation(faults)
        self._faults = faults
        self._word = 0  # the number of the last word of the sentence
        self._node = 0  # the number of the last empty node behind it

    def read(self, lines: Iterable[str], first: int) -> None:
        """Read the lines; the first has the number `first` in the file."""
        rows, numbers = self.sentences.rows, self.sentences.lines
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
        if match := "global.Entity" in line and DECLARATION.fullmatch(line):
            self.annotation.fields = fields = Fields.declared(match[1])
            if fields.id < 0:
                message = f"no field of {quoted(match[1].strip())} is the entity's id"
                self._faults(number, message, "name one of them 'eid'")
        elif "newdoc" not in line or not NEWDOC.fullmatch(line):
            self.sentences.pending.append(line[1:].removeprefix(" "))

    def _end_sentence(self, number: int) -> None:
        self.sentences.end(number)
        self._word = self._node = 0

    def _is_token(self, row: list[str], number: int) -> bool:
        """Check a line that is not simply the next word, and correct its columns."""
        match = _ID.fullmatch(row[0])
        if len(row) != COLUMNS:
            message = f"found {len(row)} columns, expected {COLUMNS} separated by tabs"
            self._faults(
                number, message, "is the file cut off, or are there blanks for tabs?"
            )
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
            if row[0] != str(self._word + 1):
                message = f"found word {row[0]}, expected {self._word + 1}"
                hint = "words are numbered 1, 2, 3 ...; a blank line ends a sentence"
                self._faults(number, message, hint)
            self._word, self._node = int(row[0]), 0
        return match[2] != "-"

    def _empty_node(self, name: str, number: int, found: tuple[int, int]) -> None:
        self._node += 1
        if found != (self._word, self._node):
            message = f"found empty node {name}, expected {self._word}.{self._node}"
            self._faults(number, message, "it is taken for that one", kind=MISPLACED)
        token, ranges = len(self.sentences.rows), self.sentences.ranges
        self.sentences.empty.append(token)
        if token in ranges:
            ranges[token + 1] = ranges.pop(token)

    def _range(self, row: Sequence[str], number: int, found: tuple[int, int]) -> None:
        if found[0] != self._word + 1 or found[1] <= found[0]:
            message = f"multiword range {row[0]} stands before word {self._word + 1}"
            self._faults(number, message, kind=MISPLACED)
        if any(item.startswith("Entity=") for item in row[_MISC].split("|")):
            message = f"'Entity' on the multiword range {row[0]} is not read"
            self._faults(number, message, "put it on one of its words", kind=LEFT_OUT)
        token, ranges = len(self.sentences.rows), self.sentences.ranges
        if token in ranges:
            message = "a second multiword range stands before the same word"
            self._faults(number, message, "it is left out", kind=LEFT_OUT)
        ranges.setdefault(token, "\t".join(row))


class Sentences:
    """The tokens, comments and multiword ranges of a document, filled line by line."""

    def __init__(self, faults: Faults) -> None:
        self.rows: list[list[str]] = []  # the columns of each token
        self.lines: list[int] = []  # the line of each token
        self.starts = [0]  # the first token of each sentence, and of the next to come
        self.comments: list[tuple[str, ...]] = []  # of each sentence
        self.empty: list[int] = []  # the tokens that are empty nodes
        self.ranges: dict[int, str] = {}  # the lines `n-m`, by the token that follows
        self.pending: list[str] = []  # the comments of the next sentence to come
        self._faults = faults

    def end(self, line: int) -> None:
        """End a sentence."""
        token = len(self.rows)
        if self.ranges.pop(token, None):
            message = "a multiword range stands behind the last word of its sentence"
            self._faults(line, message, "it is left out", kind=LEFT_OUT)
        if token > self.starts[-1]:
            self.starts.append(token)
            self.comments.append(tuple(self.pending))
            self.pending = []

    def parsed(
        self,
        name: str,
        entities: tuple[Entity, ...],
        bridges: tuple[Bridge, ...] = (),
        layers: Sequence[str] = (*LAYERS, "mwt"),
    ) -> Parsed:
        """Make the document."""
        words = tuple(row[_FORM] for row in self.rows)
        document = Document(
            name,
            tuple(words[start:end] for start, end in pairwise(self.starts)),
            entities,
            tuple(self.empty),
            bridges,
            self._layers(layers),
            tuple(self.comments) if any(self.comments) else (),
        )
        return Parsed(document, self.lines)

    def _layers(self, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the columns that are annotation and are not empty, and the ranges."""
        layers: dict[str, tuple[str, ...]] = {}
        for column, name in enumerate(LAYERS, _FORM + 1):
            if name in names:
                full = tuple([row[column] or "_" for row in self.rows])
                if full.count("_") < len(full):
                    layers[name] = full
        if self.ranges and "mwt" in names:
            tokens = range(len(self.rows))
            layers["mwt"] = tuple(self.ranges.get(token, "") for token in tokens)
        return layers

    def head(self, tokens: Sequence[int]) -> int:
        """Find the first word of a mention that hangs on nothing inside it.

        Failing that it is the first word, or the first token where there is no word.
        """
        if isinstance(tokens, range):
            found = self._tree.head(tokens[0], tokens[-1])
        else:
            inside = frozenset(tokens)
            words = (token for token in tokens if self._is_word[token])
            outside = (word for word in words if self._parents[word] not in inside)
            found = next(outside, None)
        if found is not None:
            return found
        return next((token for token in tokens if self._is_word[token]), tokens[0])

    @cached_property
    def _tree(self) -> Parents:
        return Parents(self._parents, self._is_word)

    @cached_property
    def _is_word(self) -> list[bool]:
        return ["." not in row[0] for row in self.rows]

    @cached_property
    def _parents(self) -> list[int]:
        parents: list[int] = []
        for start, end in pairwise(self.starts):
            rows = self.rows[start:end]
            ids = {row[0]: token for token, row in enumerate(rows, start)}
            parents += [ids.get(row[_HEAD], -1) for row in rows]
        return parents
