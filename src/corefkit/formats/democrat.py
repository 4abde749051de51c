"""The columns of the French corpus Democrat: those of CoNLL-U, and five more.

`docs/formats/conll.md` defines the format, which is read, but not written. The first
ten columns of a range `n-m` are kept in layer `mwt` of the next word. Entities are in
the order in which their first brackets open, and so are the mentions of an entity.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.exceptions import quoted
from corefkit.formats.brackets import DIGITS, read_lines
from corefkit.formats.conll import find_extents
from corefkit.formats.conllu import COLUMNS, WORDS_HINT, SentenceBuilder
from corefkit.formats.conllu_entities import Fields
from corefkit.formats.problems import INVALID_ANNOTATION, LEFT_OUT, WRONG_NUMBER
from corefkit.formats.source import Extent, Parsed, iter_document_problems, make_reader
from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults
    from corefkit.model import Bridge, Entity

_ALL_COLUMNS = 15
_SPEAKER, _PARAGRAPH, _NAME, _COREFERENCE = 10, 11, 12, 14
_BEGIN = re.compile(rb"#\s*begin document ")
_UPOS = (
    b"ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
).split()
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like Democrat's columns.

    CoNLL-2012 has the word number in the third column, before the word. Democrat has it
    in the first, which is the name of the document in CoNLL-2012, and a part of speech
    of Universal Dependencies, or none, instead of the word. A document without tokens
    can be either.
    """
    has_document = False
    for line in head.split(b"\n"):
        if line.startswith(b"#"):
            has_document = has_document or _BEGIN.match(line) is not None
        elif line.strip():
            columns = line.rstrip(b"\r").split(b"\t")
            is_number = re.fullmatch(rb"[0-9]+(-[0-9]+)?", columns[0]) is not None
            if not has_document or not is_number or len(columns) != _ALL_COLUMNS:
                return False
            _, _, third, fourth, *_ = columns
            return fourth in _UPOS or (fourth == b"_" and not third.isdigit())
    return has_document


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse one document."""
    parser = _DemocratParser(faults)
    for line, text in read_lines(file, extent.start, extent.end, faults):
        parser.parse_line(text, line)
    last_line = file.line_number(extent.end)
    parser.end_sentence(last_line)
    return parser.build_document(extent.id, last_line)


class _DemocratParser(SentenceBuilder):
    def __init__(self, faults: Faults) -> None:
        super().__init__(faults)
        self.fields = Fields.parse("eid")
        self._paragraph: str | None = None

    def parse_line(self, text: str, line: int) -> None:
        if text.startswith("#"):
            if not _BEGIN.match(text.encode()):
                self.pending_comments.append(text[1:].removeprefix(" "))
            return
        if not text.strip(" \t"):
            self.end_sentence(line)
            return
        row = text.split("\t")
        self.check_columns(row, line, _ALL_COLUMNS)
        if match := _RANGE.fullmatch(row[0]):
            self._add_range(row, line, int(match[1]), int(match[2]))
        else:
            self._add_word(row, line)

    def build_entities(
        self, last_line: int, find_head: Callable[[Sequence[int]], int]
    ) -> tuple[tuple[Entity, ...], tuple[Bridge, ...]]:
        entities, bridges = super().build_entities(last_line, find_head)
        names = list(self._parse_names())
        spans = {Mention(start, end): label for label, start, end in names}
        heads = {find_head(range(start, end + 1)): label for label, start, end in names}

        def add_type(mention: Mention) -> Mention:
            label = spans.get(mention) or heads.get(find_head(mention.tokens))
            return replace(mention, attributes={"type": label}) if label else mention

        return tuple(
            replace(entity, mentions=tuple(map(add_type, entity.mentions)))
            for entity in entities
        ), bridges

    def _add_word(self, row: list[str], line: int) -> None:
        token = len(self.rows)
        number = token - self.starts[-1] + 1
        if row[0] != str(number):
            message = f"found word {quoted(row[0])}, expected {number}"
            self.faults(line, message, WORDS_HINT, kind=WRONG_NUMBER)
        if number == 1:
            if row[_PARAGRAPH] not in (self._paragraph, "_"):
                self._paragraph = row[_PARAGRAPH]
                self.pending_comments.append("newpar")
            if row[_SPEAKER] not in ("", "_"):
                self.pending_comments.append(f"speaker = {row[_SPEAKER]}")
        brackets = DIGITS.read_cell(row[_COREFERENCE], line, self.faults)
        self.parse_brackets(brackets, token, line)
        self.rows.append(row)
        self.lines.append(line)

    def _add_range(self, row: list[str], line: int, first: int, last: int) -> None:
        token = len(self.rows)
        word = token - self.starts[-1] + 1
        if DIGITS.parse_cell(row[_COREFERENCE]) != []:
            message = f"brackets on the multiword range {row[0]}"
            hint = "put them on one of its words"
            self.faults(line, message, hint, kind=INVALID_ANNOTATION)
        if first != word or last <= first or token in self.ranges:
            message = f"multiword range {row[0]} does not fit before word {word}"
            self.faults(line, message, "it is ignored", kind=LEFT_OUT)
        else:
            self.ranges[token] = "\t".join(row[:COLUMNS])

    def _parse_names(self) -> Iterator[tuple[str, int, int]]:
        """Iterate over the named entities: label, first and last word."""
        label, start = "", -1
        for word, row in enumerate(self.rows):
            cell = row[_NAME]
            opens, closes = cell.startswith("("), cell.endswith(")")
            if (opens and label) or (closes and not opens and not label):
                message = f"named entity {quoted(cell)} does not fit those before it"
                self.faults(self.lines[word], message, "it is ignored", kind=LEFT_OUT)
            if opens:
                label, start = cell.strip("()*"), word
            if closes and label:
                yield label, start, word
                label = ""
        if label:
            message = f"a named entity ({label}) opens here and is never closed"
            self.faults(self.lines[start], message, "it is ignored", kind=LEFT_OUT)


# The types are of names, so entities with several types are not reported.
READER = make_reader(find_extents, parse)._replace(
    problems=lambda file: iter_document_problems(
        file, find_extents, parse, types=False
    ),
)
