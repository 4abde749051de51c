"""The columns of the French corpus Democrat: CoNLL-U's, and five more.

The files look like CoNLL-2012; the columns of the first token tell them apart. The
format is only read.

1.  Documents begin and end as in CoNLL-2012, and are named likewise.
2.  A blank line ends a sentence, and so does the document. A line that starts with `#`
    is a comment. Every other line has fifteen columns, separated by tabs: the ten of
    CoNLL-U, then speaker, paragraph, named entity in two spellings, and coreference.
3.  The first column counts the words of a sentence: 1, 2, 3 ... Words are tokens, and
    are numbered through the document from 0. A range `n-m` is no token: its first ten
    columns are kept as they are in layer `mwt`, on the word that follows.
4.  Columns 3 to 10 are layers as in CoNLL-U; one of nothing but `_` is left out.
5.  Comments are kept by sentence. `newpar` is added where the number of the paragraph
    is a new one, and `speaker = X` where the first word of the sentence has a speaker.
6.  Coreference cells are those of CoNLL-2012. Entities stand in the order in which
    their first brackets open, and so do the mentions of an entity. The head of a
    mention is its first word that hangs on none of its own.
7.  A named entity is `(PER)`, or `(PER`, `*` ... `*)`. Its kind becomes the `type` of
    the mentions of the same words, and of those with the same head.

Refused are, beside what CoNLL-2012 refuses, other numbers of columns, wrong numbers of
words, brackets on a range, and bytes that are not UTF-8. Only reported are ranges and
named entities that do not fit, which are left out, and mentions inside another mention
of their entity.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.exceptions import quoted
from corefkit.formats.brackets import DIGITS
from corefkit.formats.conll.extents import conll_extents
from corefkit.formats.conllu.annotation import Annotation, Fields
from corefkit.formats.conllu.codes import COLUMNS
from corefkit.formats.conllu.entities import read_entities
from corefkit.formats.conllu.rows import Sentences
from corefkit.formats.documents import (
    Extent,
    Parsed,
    document_problems,
    document_reader,
)
from corefkit.formats.kinds import LEFT_OUT
from corefkit.formats.lines import text_lines
from corefkit.model import Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults

_ALL_COLUMNS = 15
_FORM, _HEAD = 1, 6
_SPEAKER, _PARAGRAPH, _NAME, _COREFERENCE = 10, 11, 12, 14
_BEGIN = re.compile(rb"#\s*begin document ")
_UPOS = (
    b"ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
).split()
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


def recognise(head: bytes) -> bool:
    r"""Return whether the first bytes of a file look like Democrat's columns.

    CoNLL-2012 has the name of the document in the first column, which may be a number,
    and the number of the word in the third, before the word. Democrat has the number
    first, and a part of speech of Universal Dependencies, or none, in place of the
    word. A document without tokens may be either's.

    >>> line = b"1\tAnn" + b"\t_" * 13
    >>> recognise(b"#begin document (d); part 000\n" + line), recognise(line)
    (True, False)
    """
    begun = False
    for line in head.split(b"\n"):
        if line.startswith(b"#"):
            begun = begun or _BEGIN.match(line) is not None
        elif line.strip():
            columns = line.rstrip(b"\r").split(b"\t")
            counted = re.fullmatch(rb"[0-9]+(-[0-9]+)?", columns[0]) is not None
            if not begun or not counted or len(columns) != _ALL_COLUMNS:
                return False
            _, _, third, fourth, *_ = columns
            return fourth in _UPOS or (fourth == b"_" and not third.isdigit())
    return begun


def extents(file: ByteFile, faults: Faults) -> Iterator[Extent]:
    """Find the documents; what is wrong around them goes to `faults`."""
    for extent in conll_extents(file, faults):
        yield Extent(extent.id, extent.start, extent.end)


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Read one document; what is wrong with it goes to `faults`."""
    body = _Body(faults)
    for line, text in text_lines(file, extent.start, extent.end, faults):
        body.read(text, line)
    entities = body.finished(file.line_number(extent.end))
    return body.sentences.parsed(extent.id, entities)


class _Body:
    """The lines of a document, taken apart."""

    def __init__(self, faults: Faults) -> None:
        self.sentences = Sentences(faults)
        self._paragraph: str | None = None
        self._annotation = Annotation(faults)
        self._annotation.fields = Fields.declared("eid")
        self._faults = faults

    def read(self, text: str, line: int) -> None:
        """Read a line."""
        if text.startswith("#"):
            if not _BEGIN.match(text.encode()):
                self.sentences.pending.append(text[1:].removeprefix(" "))
            return
        if not text.strip(" \t"):
            self.sentences.end(line)
            return
        row = text.split("\t")
        if len(row) != _ALL_COLUMNS:
            found = f"found {len(row)} columns, expected {_ALL_COLUMNS} separated by"
            hint = "is the file cut off, or are there blanks for tabs?"
            self._faults(line, f"{found} tabs", hint)
            row = [*row, *"_" * _ALL_COLUMNS][:_ALL_COLUMNS]
        if match := _RANGE.fullmatch(row[0]):
            self._range(row, line, int(match[1]), int(match[2]))
        else:
            self._word(row, line)

    def finished(self, last_line: int) -> tuple[Entity, ...]:
        """Return the entities, once all lines are read."""
        self.sentences.end(last_line)
        head = self.sentences.head
        entities, _ = read_entities(self._annotation, last_line, head, self._faults)
        names = list(self._names())
        spans = {Mention(start, end): kind for kind, start, end in names}
        heads = {head(range(start, end + 1)): kind for kind, start, end in names}

        def typed(mention: Mention) -> Mention:
            kind = spans.get(mention) or heads.get(head(mention.tokens))
            return replace(mention, attributes={"type": kind}) if kind else mention

        return tuple(
            replace(entity, mentions=tuple(map(typed, entity.mentions)))
            for entity in entities
        )

    def _word(self, row: list[str], line: int) -> None:
        before = len(self.sentences.rows) - self.sentences.starts[-1]
        if row[0] != str(before + 1):
            message = f"found word {quoted(row[0])}, expected {before + 1}"
            hint = "words are numbered 1, 2, 3 ...; a blank line ends a sentence"
            self._faults(line, message, hint)
        if before == 0:
            self._begin_sentence(row)
        brackets = DIGITS.read(row[_COREFERENCE], line, self._faults)
        self._annotation.read_brackets(brackets, len(self.sentences.rows), line)
        self.sentences.rows.append(row)
        self.sentences.lines.append(line)

    def _range(self, row: Sequence[str], line: int, first: int, last: int) -> None:
        token, ranges = len(self.sentences.rows), self.sentences.ranges
        following = token - self.sentences.starts[-1] + 1
        if DIGITS.cell(row[_COREFERENCE]) != []:
            message = f"brackets on the multiword range {row[0]} are of no word"
            self._faults(line, message, "put them on one of its words")
        if first != following or last <= first or token in ranges:
            message = f"multiword range {row[0]} does not fit before word {following}"
            self._faults(line, message, "it is left out", kind=LEFT_OUT)
        else:
            ranges[token] = "\t".join(row[:COLUMNS])

    def _begin_sentence(self, row: Sequence[str]) -> None:
        if row[_PARAGRAPH] not in (self._paragraph, "_"):
            self._paragraph = row[_PARAGRAPH]
            self.sentences.pending.append("newpar")
        if row[_SPEAKER] not in ("", "_"):
            self.sentences.pending.append(f"speaker = {row[_SPEAKER]}")

    def _names(self) -> Iterator[tuple[str, int, int]]:
        """Yield the named entities: kind, first and last word."""
        kind, start = "", -1
        lines = self.sentences.lines
        for word, row in enumerate(self.sentences.rows):
            cell = row[_NAME]
            opens, closes = cell.startswith("("), cell.endswith(")")
            if (opens and kind) or (closes and not opens and not kind):
                message = f"named entity {quoted(cell)} does not fit with those before"
                self._faults(lines[word], message, "it is left out", kind=LEFT_OUT)
            if opens:
                kind, start = cell.strip("()*"), word
            if closes and kind:
                yield kind, start, word
                kind = ""
        if kind:
            message = f"a named entity ({kind}) opens here and is never closed"
            self._faults(lines[start], message, "it is left out", kind=LEFT_OUT)


# The types of names are a tagger's; entities have none of their own.
READER = document_reader(extents, parse)._replace(
    problems=lambda file: document_problems(file, extents, parse, types=False),
)
