"""The lines of CoNLL-U one by one: for documents as objects, and for faults.

The rules are those in `corefkit.formats.conllu.conllu`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corefkit.exceptions import quoted
from corefkit.formats.conllu.annotation import Annotation, Fields
from corefkit.formats.conllu.codes import COLUMNS, DECLARATION, NEWDOC
from corefkit.formats.conllu.entities import read_entities
from corefkit.formats.conllu.sentences import Sentences
from corefkit.formats.documents import Extent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.documents import Parsed
    from corefkit.formats.faults import Faults

_MISC = 9
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
    sentences = body.sentences
    last = sentences.lines[-1] if sentences.lines else first
    entities, bridges = read_entities(body.annotation, last, sentences.head, faults)
    return sentences.parsed(extent.id, entities, bridges)


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
        if match := DECLARATION.fullmatch(line):
            self.annotation.fields = fields = Fields.declared(match[1])
            if fields.id < 0:
                message = f"no field of {quoted(match[1].strip())} is the entity's id"
                self._faults(number, message, "name one of them 'eid'")
        elif not NEWDOC.fullmatch(line):
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
            self._out_of_order(row[0], number)
        return match[2] != "-"

    def _out_of_order(self, name: str, number: int) -> None:
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
        token, ranges = len(self.sentences.rows), self.sentences.ranges
        self.sentences.empty.append(token)
        if token in ranges:
            ranges[token + 1] = ranges.pop(token)

    def _range(self, row: Sequence[str], number: int, found: tuple[int, int]) -> None:
        if found[0] != self._word + 1 or found[1] <= found[0]:
            message = f"multiword range {row[0]} stands before word {self._word + 1}"
            self._faults(number, message, fatal=False)
        if any(item.startswith("Entity=") for item in row[_MISC].split("|")):
            message = f"'Entity' on the multiword range {row[0]} is not read"
            self._faults(number, message, "put it on one of its words", fatal=False)
        token, ranges = len(self.sentences.rows), self.sentences.ranges
        if token in ranges:
            message = "a second multiword range stands before the same word"
            self._faults(number, message, "it is left out", fatal=False)
        ranges.setdefault(token, "\t".join(row))
