"""Brackets around mentions: parsing, pairing and writing for column formats.

`(7` opens a mention of entity 7, `7)` closes it, `(7)` is a mention of one token. The
text inside differs from format to format. A closing bracket closes the one with the
same name that was opened last; without a name it closes the one that was opened last of
all. When written, brackets close in the reverse order of their opening. Of those that
open at a token the longest opens first, unless that changes the order in which entities
or their mentions are read.
"""

from __future__ import annotations

import re
from itertools import count, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

from corefkit.exceptions import FormatError, quoted
from corefkit.formats.problems import (
    INVALID_ANNOTATION,
    LARGE_SPAN,
    UNPAIRED,
    format_id,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults
    from corefkit.model import Document

_Opening = TypeVar("_Opening")

_EMPTY_CELLS = ("", "-", "_", "*")
_NAMED = re.compile(r"\(?([^()|]+)\)?")
_SHAPE = "the last column is '-', or brackets such as '(7', '7)', '(7)', '(7|(8)'"
# The text of a bracket, whether it opens, and whether it closes; text without a bracket
# does neither.
Bracket: TypeAlias = tuple[str, bool, bool]


class Notation:
    """A notation of brackets, given by a pattern of the text inside.

    Bars separate brackets, unless the pattern matches them too.
    """

    def __init__(self, text: str) -> None:
        self._items = re.compile(rf"(\(?)({text})(\)?)|\||(.)", re.DOTALL)

    def split_cell(self, cell: str) -> list[Bracket]:
        """Split a cell into brackets, and text without brackets."""
        return [
            (text or other, opening != "", closing != "")
            for opening, text, closing, other in self._items.findall(cell)
            if opening or text or closing or other
        ]

    def parse_cell(self, cell: str) -> list[Bracket] | None:
        """Parse a cell; None if it contains text without a bracket."""
        if cell in _EMPTY_CELLS:
            return []
        brackets = self.split_cell(cell)
        is_valid = all(opens or closes for _, opens, closes in brackets)
        return brackets if is_valid else None

    def read_cell(self, cell: str, line: int, faults: Faults) -> list[Bracket]:
        """Parse the cell of a line; an invalid cell is reported, and empty."""
        brackets = self.parse_cell(cell)
        if brackets is not None:
            return brackets
        match = _NAMED.fullmatch(cell)
        message = f"{quoted(cell)} is not a coreference cell"
        if match and not match[1].isdigit() and cell != match[1]:
            message = f"entity id {quoted(match[1])} is not a number"
        faults(line, message, _SHAPE, kind=INVALID_ANNOTATION)
        return []


DIGITS = Notation("[0-9]+")  # CoNLL-2012 and Democrat
NAMES = Notation("[^()|]+")  # SemEval-2010
TEXTS = Notation("[^()]*")  # CoNLL-U and Universal Anaphora


def format_entity(name: str) -> str:
    """Format the id of an entity for messages."""
    return f"entity {format_id(name)}"


class OpenBrackets(Generic[_Opening]):
    """The open brackets of a document, each with a value of its reader.

    Brackets without a partner are reported to `faults`; `label` formats their names.
    """

    def __init__(
        self, faults: Faults, label: Callable[[str], str] = format_entity
    ) -> None:
        self._faults = faults
        self._label = label
        self._counter = count()
        # By number, in the order in which they open.
        self._open: dict[int, tuple[str, int, _Opening]] = {}
        self._numbers: dict[str, list[int]] = {}

    def open(self, name: str, line: int, opening: _Opening) -> None:
        number = next(self._counter)
        self._open[number] = name, line, opening
        self._numbers.setdefault(name, []).append(number)

    def close(self, name: str, line: int) -> _Opening | None:
        """Close a bracket and return the value it was opened with; None on errors."""
        numbers = self._numbers.get(name)
        if numbers and name:
            return self._open.pop(numbers.pop())[2]
        if not name and self._open:
            _, (last, _, opening) = self._open.popitem()
            self._numbers[last].pop()
            return opening
        message = "a mention closes here, but none is open"
        if name:
            message = f"{self._label(name)} closes here but was not opened"
        hint = "a mention closes in its own document"
        self._faults(line, message, hint, kind=UNPAIRED)
        return None

    def report_open(self, last_line: int) -> None:
        """Report the brackets that are open at the end of the document."""
        for name, line, _ in self._open.values():
            label = self._label(name) if name else "a mention"
            message = f"{label} opens here and is never closed"
            hint = f"the document ends at line {last_line}"
            self._faults(line, message, hint, kind=UNPAIRED)


class Part(NamedTuple):
    """Tokens to be put in brackets: a mention, or a part of a discontinuous one."""

    start: int
    end: int
    opening: str  # the text after the opening bracket
    closing: str  # the text before the closing bracket of several tokens
    # The numbers of the entity and the mention, if reading depends on the order in
    # which brackets open.
    rank: tuple[int, int] | None = None


def format_brackets(
    parts: Sequence[Part], *, between: str = "", singles_inside: bool = False
) -> dict[int, str]:
    """Format brackets around parts, and return the cells of tokens with brackets.

    With `singles_inside`, a part of one token comes before the closing brackets of its
    token, if nothing longer opens; by default closing brackets are first.
    """
    opening: dict[int, list[Part]] = {}
    for part in parts:
        opening.setdefault(part.start, []).append(part)
    closing: dict[int, list[str]] = {}
    cells: dict[int, str] = {}
    for token in sorted({part.end for part in parts}.union(opening)):
        row = _sort_outer_first(opening.get(token, []))
        longer = [part for part in row if part.end > token]
        for part in longer:
            closing.setdefault(part.end, []).append(f"{part.closing})")
        closes = closing.pop(token, [])[::-1]
        opens = [f"({part.opening}{')' * (part.end == token)}" for part in row]
        opens_first = singles_inside and not longer
        cells[token] = between.join(opens + closes if opens_first else closes + opens)
    return cells


def _sort_outer_first(row: list[Part]) -> list[Part]:
    """Sort the longest part first, unless that changes the order of ranks."""
    outer_first = sorted(row, key=lambda part: -part.end)
    ranks = [part.rank for part in outer_first if part.rank is not None]
    entities = [entity for entity, mention in ranks if mention == 0]
    keeps_order = entities == sorted(entities)
    keeps_order &= sorted(ranks, key=itemgetter(0)) == sorted(ranks)
    return outer_first if keeps_order else row


def format_entity_cells(document: Document, id_pattern: str) -> dict[int, str]:
    """Format cells of brackets that contain only ids, separated by bars.

    Entities are numbered if any id does not match the pattern, or is not unique.
    """
    names = [entity.id for entity in document.entities]
    is_valid = all(re.fullmatch(id_pattern, name) for name in names)
    if not is_valid or len(set(names)) < len(names):
        names = [str(number) for number in range(len(names))]
    parts: list[Part] = []
    for number, (name, entity) in enumerate(zip(names, document.entities, strict=True)):
        first = min((mention.start for mention in entity), default=-1)
        for start, end in sorted(entity, key=lambda mention: -mention.end):
            # The order of entities is that of their first brackets.
            rank = (number, 0) if start == first else None
            parts.append(Part(start, end, name, name, rank))
    # Closing brackets come first, otherwise `(1|1)` would be one mention.
    return format_brackets(parts, between="|")


_BLANK = re.compile(r"[\x00-\x20]")
_COLUMN = re.compile(r"[^\x00-\x20]+")
# The number of tokens that are written for a document without words follows from its
# mentions. The longest novels have 2 million words; a file with one wrong offset must
# not fill the memory or the disk.
MAX_IMPLIED_TOKENS = 10_000_000


def read_lines(
    file: ByteFile, start: int, end: int, faults: Faults, *, skips_invalid: bool = False
) -> Iterator[tuple[int, str]]:
    """Iterate over the lines between two offsets, with their numbers.

    Only the first line that is not UTF-8 is reported, and such bytes become escapes;
    with `skips_invalid`, each of these lines is reported and skipped.
    """
    is_reported = False
    first = file.line_number(start)
    for line, (_, content) in enumerate(file.lines(start, end), first):
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            if not is_reported:
                faults.report_not_utf8(line, error.start + 1)
            if skips_invalid:
                continue
            text, is_reported = content.decode("utf-8", "backslashreplace"), True
        yield line, text


class TokenRow(NamedTuple):
    """A token line and its columns; sentences are numbered from 0."""

    line: int
    sentence: int
    columns: list[str]


def split_columns(text: str) -> list[str]:
    """Split a line at blanks and control characters."""
    return _COLUMN.findall(text)


def group_sentences(words: Iterable[tuple[object, str]]) -> tuple[tuple[str, ...], ...]:
    """Group words into sentences, given the sentence of each word."""
    rows = groupby(words, key=itemgetter(0))
    return tuple(tuple(word for _, word in row) for _, row in rows)


def count_implied_tokens(document: Document) -> int:
    """Count the tokens of a document without words, as far as its mentions reach."""
    mentions = [mention for entity in document for mention in entity]
    ends = [mention.end for mention in mentions]
    ends += [mention.minimum[1] for mention in mentions if mention.minimum]
    token_count = max(ends, default=-1) + 1
    if token_count > MAX_IMPLIED_TOKENS:
        message = (
            f"document {quoted(document.id)} has no words, and its mentions imply "
            f"{token_count} tokens; at most {MAX_IMPLIED_TOKENS} can be written"
        )
        hint = "check the ends of the mentions, or convert to jsonl or tsv"
        place = document.place or None
        raise FormatError(message, code=LARGE_SPAN.code, place=place, hint=hint)
    return token_count


def list_sentences(document: Document) -> tuple[tuple[str, ...], ...]:
    """List the sentences of a document for a format that requires words.

    A document without words has one sentence of placeholders, as far as its mentions
    reach; without mentions it has no sentence.
    """
    if document.sentences:
        return document.sentences
    token_count = count_implied_tokens(document)
    return (("_",) * token_count,) if token_count else ()


def format_row(columns: Iterable[str]) -> str:
    """Format a line of columns; blanks inside them become underscores."""
    return "\t".join(_BLANK.sub("_", column) or "_" for column in columns) + "\n"
