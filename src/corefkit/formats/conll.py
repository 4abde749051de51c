"""CoNLL-2011 and CoNLL-2012: one token a line, brackets in the last column.

1.  A document begins with `#begin document (id); part 000` and ends with
    `#end document`. The id is the rest of the line, part included.
2.  Between the two, a line is a token, unless it is blank (a sentence ends) or starts
    with `#` (a comment). Tokens are numbered through the document from 0.
3.  Columns are separated by tabs or blanks. The last one is the coreference cell. With
    five columns or more, and a number in the third of the document's first line, the
    fourth holds the word; with another layout the words are unknown.
4.  A cell is `-`, `_` or `*` (nothing), or brackets: `(7` opens a mention of entity 7,
    `7)` closes the one opened last, `(7)` is a mention of one token. Bars between
    brackets are usual but not needed. Ids are digits, compared as strings.
5.  Brackets are taken from left to right. Spans may nest, cross and repeat.
6.  Every bracket closes inside its document.

Read as the reference scorer does (`Settings.reading`), comments are tokens, a cell is
what follows the last tab, ids and names are compared byte by byte, `#end document` may
stand anywhere in a line or be missing at the end of the file, and of documents with the
same name the last one counts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

import numpy as np

from corefkit.arrays.building import encode_digits
from corefkit.arrays.columns import (
    Columns,
    Runs,
    decode_integers,
    find_runs,
    repeat_for_runs,
    sort_indices,
)
from corefkit.arrays.hashing import Text, add_positions
from corefkit.exceptions import FormatError, quoted
from corefkit.formats.brackets import (
    DIGITS,
    Brackets,
    OpenBrackets,
    Unbalanced,
    check_implied_tokens,
    format_entity_cells,
    format_row,
    group_sentences,
    pair_brackets,
)
from corefkit.formats.problems import (
    OTHER_ENCODING,
    UNPAIRED,
    UNPAIRED_DOCUMENT,
    Faults,
)
from corefkit.formats.source import (
    COLUMN_MARKS,
    CROSSING,
    Parsed,
    Reader,
    ReferenceListing,
    Source,
    Writer,
)
from corefkit.kernel import kernel
from corefkit.model import Document, Entity, Mention
from corefkit.strings import split_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from corefkit.arrays.columns import Flags, Hashes, Ints
    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Problem
    from corefkit.formats.source import Extents, Parse, Word
    from corefkit.kernel import Kernel

# The kernel reads most files. What reads others, and documents as objects, is imported
# where it is used: every start would pay.

# Signs that the file may be in another format, which then has to say so: a name that is
# not in parentheses, and Democrat's columns.
_OTHER_NAME = rb"#[^\S\n]*begin document(?![^\S\n]*\()"
_FIRST_TOKEN = rb"(?m)^[^#\s].*"
_OTHER_COLUMNS = 15


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like CoNLL-2012."""
    return re.search(rb"^#[^\S\n]*begin document ", head, re.MULTILINE) is not None


def closer(head: bytes) -> str | None:
    """Return the format that such a file is in instead: SemEval-2010 or Democrat's."""
    # Imported here because they are rarely needed.
    if re.search(_OTHER_NAME, head):
        from corefkit.formats import semeval

        if semeval.recognise(head):
            return "semeval"
    first = re.search(_FIRST_TOKEN, head)
    if first and first[0].count(b"\t") + 1 == _OTHER_COLUMNS:
        from corefkit.formats import democrat

        if democrat.recognise(head):
            return "democrat"
    return None


class ConllSource(Source):
    """The documents of a CoNLL-2012 file.

    The kernel reads a plain file at once, and its columns are held. In any other file
    the documents are found first, and read when asked for.
    """

    file: ByteFile

    def __init__(self, file: ByteFile, *, reference: bool) -> None:
        self.name = file.name
        self.file = file
        self.verbatim = self._reference = reference
        self._whole = _read_by_kernel(file, reference=reference)
        if self._whole is not None:
            self.ids = self._whole.ids
            self.sizes = (self._whole.end - self._whole.start).tolist()
            return
        self._extents = _found(file, reference=reference)
        self.ids = [extent.id for extent in self._extents]
        self.sizes = [extent.end - extent.start for extent in self._extents]

    @property
    def block_sizes(self) -> Sequence[int]:
        """About how many bytes the columns of each document take where they are held.

        Reading them costs nothing any more: blocks are made by what comes after it.
        """
        return self.sizes if self._whole is None else self._whole.columns.sizes

    def _extent(self, number: int) -> ConllExtent:
        if self._whole is None:
            return self._extents[number]

        ids, *offsets, _ = self._whole
        start, body, end = (int(each[number]) for each in offsets)
        return ConllExtent(ids[number], start, end, body, ended=True)

    def format_place(self, number: int) -> str:
        """Return where a document begins, as `file:line`."""
        return self.file.format_place(self._extent(number).start)

    def read_columns(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None = None
    ) -> Columns:
        """Read the mentions of some documents, in the given order."""
        if self._whole is not None:
            columns = self._whole.columns.take_documents(numbers)
            code = columns.code
        else:
            columns, code = self._read(numbers, {} if ids is None else ids)
        if ids is None or code is None:
            return replace(columns, code=None)
        return replace(
            columns, code=encode_digits(code // _CODE_BASE, code % _CODE_BASE, ids)
        )

    def _read(
        self, numbers: Sequence[int], long_ids: dict[bytes, int]
    ) -> tuple[Columns, Ints]:
        from corefkit.formats.brackets import Unbalanced

        extents = [self._extents[number] for number in numbers]
        forgiven = [self._reference and not extent.ended for extent in extents]
        lengths = [extent.end - extent.body + 1 for extent in extents]
        try:
            return coded_columns(
                self.file.joined([(extent.body, extent.end) for extent in extents]),
                np.array(lengths, np.int64),
                long_ids,
                reference=self._reference,
                may_stay_open=np.array(forgiven, np.bool_),
            )
        except Unbalanced:
            raise self._first_problem(numbers) from None

    def _first_problem(self, numbers: Sequence[int]) -> FormatError:
        for number in numbers:
            try:
                self.read_document(number)
            except FormatError as error:
                return error
        return FormatError(
            "brackets do not pair",
            code=UNPAIRED.code,
            place=self.format_place(numbers[0]),
        )

    def iter_words(self, number: int) -> Iterator[Word]:
        """Yield the tokens of a document with their places."""
        from corefkit.formats.source import Word

        extent = self._extent(number)
        for token in token_rows(self.file, extent, reference=self._reference):
            yield Word(token.word or "", f"{self.name}:{token.line}", token.sentence)

    def read_document(self, number: int) -> Document:
        """Read one document as an object."""
        from corefkit.formats.problems import Faults

        extent, faults = self._extent(number), Faults(self.file)
        parsed = parse(self.file, extent, faults, reference=self._reference)
        alike = self._reference or reads_alike(self.file, extent)
        return replace(parsed.document, origin="conll" if alike else "strict")

    def read_leniently(self, number: int) -> Document:
        """Read one document as well as it can be read, whatever is wrong with it."""
        from corefkit.formats.problems import Faults

        extent, faults = self._extent(number), Faults(self.file, [])
        return parse(self.file, extent, faults, reference=self._reference).document

    def read_listing(self, number: int) -> ReferenceListing:
        """Read what the reference scorer lists of a document."""
        # Imported here because only its long text asks, and every start would pay.

        return listing_of(self.file, self._extent(number))

    @property
    def is_cut_off(self) -> bool:  # type: ignore[override]
        """Whether the file ends inside its last document."""
        return bool(self.ids) and not self._extent(len(self.ids) - 1).ended

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    def may_have_mention_types(self, number: int) -> bool:
        """Return False: the format has nothing of mentions but their tokens."""
        del number
        return False

    def read_text(self, number: int) -> Document:
        """Read the words of a document and their layers, and leave out its entities.

        This takes a fraction of the time of `document`, which finds out how the
        reference scorer would read it.
        """
        # Imported here because scoring does not ask, and every start would pay.

        return words_alone(self.file, self._extent(number), reference=self._reference)


def _read_by_kernel(file: ByteFile, *, reference: bool) -> WholeFile | None:
    compiled = kernel()
    if compiled is None:
        return None
    # Imported here because without the kernel nobody needs it.

    return read_whole(compiled, file, reference=reference)


def _found(file: ByteFile, *, reference: bool) -> list[ConllExtent]:
    """Find the documents of a file that the kernel does not read."""
    from corefkit.formats.problems import Faults

    if reference:
        return list(reference_extents(file))
    return list(conll_extents(file, Faults(file)))


def _problems(file: ByteFile) -> Iterable[Problem]:
    from corefkit.formats.source import iter_document_problems

    extents, parsed = cast("Extents", conll_extents), cast("Parse", parse)
    return iter_document_problems(file, extents, parsed, singletons=False)


READER = Reader(
    open=lambda file, _, reference: ConllSource(file, reference=reference),
    problems=_problems,
)


def __getattr__(name: str) -> Writer:
    """Import what writes the format when it is asked for: scores never do."""
    if name == "WRITER":
        return WRITER
    message = f"no {name} in this module"
    raise AttributeError(message)


# Where the documents of a CoNLL-2012 file lie, found by their first and last lines.
#
# The rules are those in `corefkit.formats.conll`.

_BEGIN = re.compile(rb"#\s*begin document (.*)")
_END = re.compile(rb"#\s*end document")


class ConllExtent(NamedTuple):
    """Where a document and its tokens lie, and whether its end is marked."""

    id: str
    start: int
    end: int
    body: int
    ended: bool


def conll_extents(
    file: ByteFile,
    faults: Faults,
    *,
    begin: re.Pattern[bytes] = _BEGIN,
    end: re.Pattern[bytes] = _END,
) -> Iterator[ConllExtent]:
    """Find the documents between their first and last lines.

    Patterns tell these lines, that of the first with the id as its group. Whatever is
    wrong around documents goes to `faults`.
    """
    current: ConllExtent | None = None
    outside = file.text_start
    for start, behind, line in _markers(file):
        if header := begin.match(line):
            if current is not None:
                message = f"a document begins inside {_begun(file, current)} before it"
                faults.report_at(start, message, kind=UNPAIRED_DOCUMENT)
                yield current._replace(end=start)
            else:
                _check_outside(file, outside, start, faults)
            name = (header[1] or b"").rstrip().decode("utf-8", "backslashreplace")
            current = ConllExtent(name, start, file.size, behind, ended=False)
        elif end.match(line):
            if current is None:
                _check_outside(file, outside, start, faults)
                faults.report_at(
                    start,
                    "a document ends here that did not begin",
                    kind=UNPAIRED_DOCUMENT,
                )
            else:
                yield current._replace(end=start, ended=True)
            current, outside = None, behind
    if current is not None:
        message = f"the file ends inside {_begun(file, current)}"
        faults.report_at(
            file.size, message, "is the file cut off?", kind=UNPAIRED_DOCUMENT
        )
        yield current
    else:
        _check_outside(file, outside, file.size, faults)


def _begun(file: ByteFile, current: ConllExtent) -> str:
    line = file.line_number(current.start)
    name = quoted(current.id)
    return f"document {name}, begun at line {line}: expected '#end document'"


def _check_outside(file: ByteFile, start: int, end: int, faults: Faults) -> None:
    if start == end or not file.read(start, end).strip():
        return
    for offset, line in file.lines(start, end):
        if (content := line.strip()) and not content.startswith(b"#"):
            message = "a token outside any document: expected '#begin document'"
            faults.report_at(offset, message, kind=UNPAIRED_DOCUMENT)
            return


def reference_extents(file: ByteFile) -> Iterator[ConllExtent]:
    """Find the documents as the reference scorer does, which finds no fault."""
    markers = _markers(file)
    ends = [start for start, _, line in markers if _END.search(line)]
    for start, body, line in markers:
        if begin := _BEGIN.match(line):
            name = begin[1].decode("utf-8", "backslashreplace")
            after = bisect_left(ends, body)
            ended = after < len(ends)
            end = ends[after] if ended else file.size
            yield ConllExtent(name, start, end, body, ended=ended)


def _markers(file: ByteFile) -> list[tuple[int, int, bytes]]:
    """Find the lines that may begin or end a document: start, end and content.

    One search finds both, and some lines with the word `document`, which match neither.
    """
    return [
        (start, start + len(line), line.rstrip(b"\n").removesuffix(b"\r"))
        for start, line in file.lines_with(b" document")
        if b"#" in line
    ]


# CoNLL-2012 files that the kernel reads at once: all documents, in one pass.
#
# What it does not take for plain, it leaves to `conll_extents` and `coded_columns`,
# whose columns are the same.


class WholeFile(NamedTuple):
    """The documents of a file: ids, offsets, and their columns."""

    ids: list[str]
    start: Ints  # where the first line of each begins
    body: Ints  # where its tokens begin
    end: Ints  # where its last line begins
    columns: Columns


def read_whole(kernel: Kernel, file: ByteFile, *, reference: bool) -> WholeFile | None:
    """Read a file by the kernel; None where it is not plain."""
    fill, room = file.stream()
    read = kernel.read_conll(fill, file.text_start, reference, room)
    if read is None:
        return None
    names, *rows = read
    of_documents, (code, *of_mentions) = (
        decode_integers(rows[:7]),
        decode_integers(rows[7:]),
    )
    start, body, end, tokens, hashes, entities, _ = of_documents
    entity, first, last = of_mentions
    document = np.repeat(np.arange(len(start)), np.diff(entities))
    prints = hashes.view(np.uint64)
    columns = Columns(entity, first, last, document, tokens, prints, code=code)
    return WholeFile(_decode_names(names), start, body, end, columns)


def _decode_names(names: bytes) -> list[str]:
    # No name reaches into the next, whatever its bytes: all are decoded at once.
    return names.decode("utf-8", "backslashreplace").split("\n")[:-1]


# CoNLL-2012 text to columns, a block of bytes at a time.
#
# A block is never split into Python lines: the line ends are found with one comparison
# over it, then all lines are looked at together. Their last bytes tell which cells hold
# brackets; only those are taken out. The words are hashed where they lie. The rules are
# those in `corefkit.formats.conll`.

WORD_COLUMN = 3
_LONGEST = 17  # digits of an entity id that fit a 64-bit number with their count
_CODE_BASE = _LONGEST + 1
_BLANK, _HASH, _BAR, _OPEN, _CLOSE, _ZERO, _NINE = b" #|()09"
_IS_EMPTY_CELL = np.isin(np.arange(256), list(b"-_*"))


@dataclass(frozen=True, slots=True)
class Lines:
    """The token lines of a block."""

    text: Text  # the block
    start: Ints  # where each line begins in the text, without blanks in front
    end: Ints  # where it ends, without blanks behind
    document: Ints  # its document, counted in those that are read
    token: Ints  # its number in the document


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells that are not empty, as one text in which each is followed by a bar."""

    text: NDArray[np.uint8]  # the bytes of all cells
    length: Ints  # how many bytes each cell has, its bar included
    document: Ints  # the document of each cell
    token: Ints  # the token of each cell, counted in its document

    @property
    def of_byte(self) -> Ints:
        """The cell that each byte belongs to."""
        return np.repeat(np.arange(len(self.length)), self.length)


@dataclass(frozen=True, slots=True)
class Words:
    """What is known of the words of each document, block by block."""

    tokens: Ints  # how many lines there were
    prints: Hashes  # the hashes of their words, summed up
    known: Flags  # whether each line had a word


# Numbers the lines of a block, each with the start, end and document given, in their
# documents, and adds up their words.
Count: TypeAlias = "Callable[[Text, Ints, Ints, Ints, Words], Lines]"


def coded_columns(
    blocks: Iterable[Sequence[bytes]],
    lengths: Ints,
    long_ids: dict[bytes, int],
    *,
    reference: bool,
    may_stay_open: Flags,
) -> tuple[Columns, Ints]:
    """Read mentions from blocks of whole lines, and a number for each entity's id.

    Args:
        blocks: the bodies of the documents, one after the other, each block in parts.
        lengths: how many bytes the body of each document has.
        long_ids: where ids too long for a number are numbered.
        reference: read as the reference scorer does.
        may_stay_open: for each document, whether a bracket left open is forgotten.

    Raises:
        corefkit.formats.brackets.Unbalanced: where a bracket or cell is wrong.
    """
    found, words = block_brackets(
        blocks, lengths, long_ids, _counted, reference=reference
    )
    entity, begin, finish, document = pair_brackets(found, may_stay_open=may_stay_open)
    start, end = found.token[begin], found.token[finish]
    columns = Columns(entity, start, end, document, words.tokens, words.prints)
    return columns, found.entity[begin[find_runs(entity).first]]


def block_brackets(
    blocks: Iterable[Sequence[bytes]],
    lengths: Ints,
    long_ids: dict[bytes, int],
    count: Count,
    *,
    reference: bool = False,
) -> tuple[Brackets, Words]:
    """Find the brackets in the last column of blocks of whole lines, and the words.

    The arguments are those of `coded_columns`; `count` knows the other columns.
    """
    words = unknown_words(len(lengths))
    found = [
        brackets(_cells(lines, reference=reference), long_ids, reference=reference)
        for lines in counted_lines(blocks, lengths, count, words, reference=reference)
    ]
    words.prints[~words.known] = 0
    return _joined(found), words


def unknown_words(documents: int) -> Words:
    """Begin with documents of which nothing is read."""
    return Words(
        tokens=np.zeros(documents, np.int64),
        prints=np.zeros(documents, np.uint64),
        known=np.ones(documents, np.bool_),
    )


def counted_lines(
    blocks: Iterable[Sequence[bytes]],
    lengths: Ints,
    count: Count,
    words: Words,
    *,
    reference: bool = False,
) -> Iterator[Lines]:
    """Go through the token lines of blocks of whole lines, and add up their words."""
    ends = np.cumsum(lengths) + Text.front
    for block in blocks:
        text = Text(*block)
        start, end = text.lines()
        comment = text.bytes[start] == _HASH
        if not reference and comment.any():
            start, end = start[~comment], end[~comment]
        bounds = np.searchsorted(start, ends)
        ends -= sum(map(len, block))
        document = np.repeat(np.arange(len(ends)), np.diff(bounds, prepend=0))
        if len(document):
            yield count(text, start, end, document, words)


def numbered(
    text: Text, start: Ints, end: Ints, document: Ints, words: Words
) -> tuple[Lines, Runs, Ints]:
    """Number the lines of a block in their documents.

    Returned are also the stretches of lines of one document, and how many lines of
    these documents there were before the block.
    """
    first, size = stretches = find_runs(document)
    before = words.tokens[document[first]]
    token = np.arange(len(document)) + repeat_for_runs(before - first, size)
    words.tokens[:] += np.bincount(document, minlength=len(words.tokens))
    return Lines(text, start, end, document, token), stretches, before


def _counted(text: Text, start: Ints, end: Ints, document: Ints, words: Words) -> Lines:
    """Number the lines of a block in their documents, and add up their words."""
    lines, (first, size), before = numbered(text, start, end, document, words)
    number = text.fields_alike(start, first, size, WORD_COLUMN - 1)
    hashes, word_end = text.hashes(text.fields(number, 1))
    words.prints[document[first]] += np.add.reduceat(
        add_positions(hashes, lines.token), first
    )
    # With five columns the word is not the last one (rule 3), and a number precedes it
    # in the first line of a document.
    known = word_end < end
    opening = first[before == 0]
    known[opening] &= is_digit(text.bytes[number[opening]])
    words.known[document[~known]] = False
    return lines


def _cells(lines: Lines, *, reference: bool) -> Cells:
    text = lines.text.bytes
    empty = _IS_EMPTY_CELL[text[lines.end - 1]]
    empty &= (text[lines.end - 2] <= _BLANK) | (lines.end - 1 == lines.start)
    chosen = np.flatnonzero(~empty)
    if not reference:
        return gathered(lines, chosen)
    # Imported here because only the reference scorer's way of reading needs it.

    return reference_cells(lines, chosen)


def gathered(lines: Lines, chosen: Ints) -> Cells:
    """Take the cells of some lines out of the text."""
    end = lines.end[chosen]
    start = lines.text.word_starts(end)
    length = end - start + 1
    last = np.cumsum(length)
    where = np.repeat(start - last + length, length) + np.arange(int(length.sum()))
    text = lines.text.bytes[where]
    text[last - 1] = _BAR
    return Cells(text, length, lines.document[chosen], lines.token[chosen])


def brackets(cells: Cells, ids: dict[bytes, int], *, reference: bool) -> Brackets:
    """Take cells apart into brackets, in the order of the text.

    Ids too long for a number are numbered in `ids`, which serves all cells of a
    document. For the reference scorer, one-token mentions go before opening brackets
    inside a cell and these before closing ones.

    Raises:
        Unbalanced: where a cell is no cell.
    """
    first, last = digit_runs(cells.text)
    opens = cells.text[first - 1] == _OPEN  # before the first byte: the last bar
    closes = cells.text[last] == _CLOSE
    _check_cells(cells, first, last, opens, closes)
    cell = cells.of_byte[first]
    entity = _entity_codes(cells.text, first, last, ids)
    if reference:
        kind = np.where(opens & closes, 0, np.where(opens, 1, 2))
        order = sort_indices(cell * 3 + kind)
        cell, entity = cell[order], entity[order]
        opens, closes = opens[order], closes[order]
    return Brackets(cells.document[cell], cells.token[cell], entity, opens, closes)


def is_digit(text: NDArray[np.uint8]) -> Flags:
    """Return which bytes are digits."""
    flags: Flags = (text >= _ZERO) & (text <= _NINE)
    return flags


def digit_runs(text: NDArray[np.uint8]) -> tuple[Ints, Ints]:
    """Find where rows of digits begin and end."""
    digit = np.zeros(len(text) + 1, np.bool_)
    digit[1:] = is_digit(text)
    first = np.flatnonzero(digit[1:] > digit[:-1])
    last = np.flatnonzero(digit[:-1] > digit[1:])
    return first, last


def _check_cells(
    cells: Cells, first: Ints, last: Ints, opens: Flags, closes: Flags
) -> None:
    opening = np.count_nonzero(cells.text == _OPEN)
    closing = np.count_nonzero(cells.text == _CLOSE)
    known = opening + closing + np.count_nonzero(cells.text == _BAR)
    sound = (
        known + int((last - first).sum()) == len(cells.text)
        and opening == np.count_nonzero(opens)
        and closing == np.count_nonzero(closes)
        and bool(np.all(opens | closes))
    )
    if not sound:
        raise Unbalanced


def _entity_codes(
    text: NDArray[np.uint8], first: Ints, last: Ints, ids: dict[bytes, int]
) -> Ints:
    # Ids are strings of digits: `0` and `00` are two entities, so the length counts.
    # `corefkit.arrays.building` numbers the ids of other formats in the same way.
    length = last - first
    value = text[first].astype(np.int64) - _ZERO
    for place in range(1, min(int(length.max(initial=0)), _LONGEST)):
        longer = np.flatnonzero(length > place)
        digit = text[first[longer] + place].astype(np.int64) - _ZERO
        value[longer] = value[longer] * 10 + digit
    # What does not fit is numbered, as ids of no digits.
    for number in np.flatnonzero(length > _LONGEST).tolist():
        digits = text[first[number] : last[number]].tobytes()
        value[number], length[number] = ids.setdefault(digits, len(ids)), 0
    return value * _CODE_BASE + length


def _joined(parts: Sequence[Brackets]) -> Brackets:
    """Join the brackets of all blocks."""
    if not parts:
        none, never = np.empty(0, np.int64), np.empty(0, np.bool_)
        return Brackets(none, none, none, never, never)
    return Brackets(*map(np.concatenate, zip(*parts, strict=True)))


# Cells as the reference scorer takes them apart, one by one and all of a block.
#
# It takes for the cell whatever follows the last tab, blanks included, and finds
# brackets wherever they stand in it.

_TAB = ord("\t")
_DOUBLE = re.compile(rb"\(\d+\+\d\)")
_PIECE = re.compile(rb"\d+|\D")
_OPENING = re.compile(rb"\((\d+)")
_CLOSING = re.compile(rb"(?<!\d)(\d++)\)")  # each row of digits is looked at once


def reference_cell(line: bytes) -> bytes:
    r"""Rewrite the cell of a line as the reference scorer takes it apart.

    It deletes in turn double antecedents, one-token mentions, opening and closing
    brackets, wherever they stand; what a deletion brings together is read together.

    >>> reference_cell(b"word\t(1(2)3)"), reference_cell(b"(4+1)|5)|(5")
    (b'(2)|(13)', b'(5|5)')
    """
    cell = _last_field(line)
    if b"(" not in cell and b")" not in cell:  # most lines
        return b""
    items, cell = _one_token_items(_DOUBLE.sub(b"", cell))
    # Behind an opening bracket's digits comes no digit, and none before those of a
    # closing one: deleting these brings nothing together.
    for pattern, wording in ((_OPENING, b"(%s"), (_CLOSING, b"%s)")):
        items += [wording % digits for digits in pattern.findall(cell)]
        cell = pattern.sub(b"", cell)
    return b"|".join(items)


def double_antecedents(line: bytes) -> list[str]:
    r"""List the double antecedents that the reference scorer discards in a line.

    >>> double_antecedents(b"word\t(4+1)|(5"), double_antecedents(b"word\t(0+12)")
    (['(4+1)'], [])
    """
    return [found.decode() for found in _DOUBLE.findall(_last_field(line))]


def _last_field(line: bytes) -> bytes:
    """Take what follows the last tab; fields that are empty at the end are none."""
    return line.rstrip(b"\t").rpartition(b"\t")[2]


def _one_token_items(cell: bytes) -> tuple[list[bytes], bytes]:
    """Delete the one-token mentions of a cell, and those that this brings together.

    Returns the deleted ones, in the order in which a search from the left finds them,
    and what is left of the cell.
    """
    items: list[bytes] = []
    kept: list[bytes] = []
    for piece in _PIECE.findall(cell):
        if piece != b")":
            kept.append(piece)
            continue
        digits: list[bytes] = []
        while kept and kept[-1].isdigit():
            digits.append(kept.pop())
        if digits and kept and kept[-1] == b"(":
            kept.pop()
            items.append(b"(%s)" % b"".join(reversed(digits)))
        else:
            kept += [*reversed(digits), piece]
    return items, b"".join(kept)


def reference_cells(lines: Lines, chosen: Ints) -> Cells:
    """Take the cells of some lines out of the text as the reference scorer would.

    Cells that it might read in another way than we do are rewritten.
    """
    cells = gathered(lines, chosen)
    after = lines.text.bytes[lines.end]
    blank_cell = np.flatnonzero((after == _BLANK) | (after == _TAB))
    irregular = np.union1d(chosen[irregular_cells(cells)], _brackets_outside(lines))
    irregular = np.union1d(irregular, blank_cell)
    if not len(irregular):
        return cells
    cells = gathered(lines, np.setdiff1d(chosen, irregular))
    texts = [_rewritten(lines, line) + b"|" for line in irregular.tolist()]
    rewritten = Cells(
        np.frombuffer(b"".join(texts), np.uint8),
        np.array(list(map(len, texts))),
        lines.document[irregular],
        lines.token[irregular],
    )
    return _merged(cells, rewritten)


def irregular_cells(cells: Cells) -> Ints:
    """Find the cells that are not a plain row of brackets separated by bars."""
    digit, bar = is_digit(cells.text), cells.text == _BAR
    opening, closing = cells.text == _OPEN, cells.text == _CLOSE
    irregular = ~(digit | bar | opening | closing)
    # Brackets stand between a bar and a number; `(1(2)3)` and `()` do not.
    irregular[:-1] |= (opening[:-1] & ~digit[1:]) | (closing[:-1] & ~bar[1:])
    irregular[1:] |= (opening[1:] & ~bar[:-1]) | (closing[1:] & ~digit[:-1])
    irregular[:1] |= closing[:1]
    first, last = digit_runs(cells.text)
    irregular[first[~opening[first - 1] & ~closing[last]]] = True  # a bare number
    return np.unique(cells.of_byte[irregular])


def _brackets_outside(lines: Lines) -> Ints:
    """Find the lines that have `(7` or `7)` before their last field."""
    text = lines.text.bytes
    digit = is_digit(text)
    bracket = np.zeros(len(digit), np.bool_)
    bracket[:-1] |= (text[:-1] == _OPEN) & digit[1:]
    bracket[:-1] |= digit[:-1] & (text[1:] == _CLOSE)
    place = np.flatnonzero(bracket)
    line = np.searchsorted(lines.start, place, side="right") - 1
    place, line = place[line >= 0], line[line >= 0]
    # A line may have any number of brackets: its last field is looked for once.
    first, size = find_runs(line)
    field = lines.text.word_starts(lines.end[line[first]])
    return np.unique(line[place < np.repeat(field, size)])


def _rewritten(lines: Lines, line: int) -> bytes:
    padded, start = lines.text.padded, int(lines.start[line])
    return reference_cell(padded[start : padded.index(b"\n", start)])


def _merged(some: Cells, others: Cells) -> Cells:
    """Merge two rows of cells in the order of the text."""
    length = np.concatenate((some.length, others.length))
    document = np.concatenate((some.document, others.document))
    token = np.concatenate((some.token, others.token))
    order = np.lexsort((token, document))
    start = (np.cumsum(length) - length)[order]
    length = length[order]
    shift = np.cumsum(length) - length
    text = np.concatenate((some.text, others.text))
    where = np.repeat(start - shift, length) + np.arange(len(text))
    return Cells(text[where], length, document[order], token[order])


# The token lines of CoNLL-2012 one by one, read for documents and faults, and written.
#
# The rules are those in `corefkit.formats.conll`.

# The columns that are kept as layers, where a file has them.
LAYERS = {"xpos": 4, "parse": 5, "lemma": 6, "sense": 8, "speaker": 9}
NOTHING = {"-", "*"}  # the cells of an empty column
FEWEST_COLUMNS = 5  # with fewer, nobody can tell which column holds the words
_FIELD = re.compile(rb"[^\x00-\x20]+")
_SIMPLE_CELL = re.compile(rb"[-_*]|\(?[0-9]+\)?")  # nobody reads it otherwise


def parse(
    file: ByteFile, extent: ConllExtent, faults: Faults, *, reference: bool = False
) -> Parsed:
    """Read one document; what is wrong with it goes to `faults`."""
    _check_encoding(file, extent, faults)
    tokens = list(token_rows(file, extent, reference=reference))
    entities = listed_entities(file, extent, tokens, faults, reference=reference)
    found = tuple(Entity(name, tuple(row)) for name, row in entities.items() if row)
    document = replace(document_text(extent.id, tokens), entities=found)
    return Parsed(document, [token.line for token in tokens])


def listed_entities(
    file: ByteFile,
    extent: ConllExtent,
    tokens: Sequence[Token],
    faults: Faults,
    *,
    reference: bool,
) -> dict[str, list[Mention]]:
    """List entities in the order of their first brackets; one may have no mention."""
    entities: dict[str, list[Mention]] = {
        name: [] for token in tokens for name, *_ in DIGITS.parse_cell(token.cell) or ()
    }
    for name, mention in _spans(file, extent, tokens, faults, reference=reference):
        entities[name].append(mention)
    return entities


def document_text(name: str, tokens: Sequence[Token]) -> Document:
    """Make a document of its words and their layers alone.

    The words of a document are known all or not at all.
    """
    words = [(token.sentence, token.word) for token in tokens if token.word is not None]
    if not words or len(words) < len(tokens):
        return Document(name, (), ())
    return Document(name, group_sentences(words), (), layers=_layers(tokens))


def _check_encoding(file: ByteFile, extent: ConllExtent, faults: Faults) -> None:
    lines = file.read(extent.body, extent.end)
    try:
        lines.decode("utf-8")
    except UnicodeDecodeError:
        first = file.line_number(extent.body)
        for number, line in enumerate(lines.split(b"\n"), first):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                message = f"byte {error.start + 1} of the line is not UTF-8"
                hint = "save the file as UTF-8; scoring compares the bytes as they are"
                faults(number, message, hint, kind=OTHER_ENCODING)


class Token(NamedTuple):
    """A token line as a person sees it; `sentence` counts the blank lines before."""

    line: int
    sentence: int
    word: str | None
    cell: str
    columns: list[bytes]


def token_rows(
    file: ByteFile, extent: ConllExtent, *, reference: bool = False
) -> Iterator[Token]:
    """Yield the token lines of a document."""
    line = file.line_number(extent.body) - 1
    sentence, blank = -1, True
    numbered: bool | None = None
    for content in _lines(file, extent):
        line += 1
        columns = _FIELD.findall(content)
        if not columns:
            blank = True
        elif reference or not columns[0].startswith(b"#"):
            sentence += blank
            blank = False
            word = None
            if numbered is None:
                numbered = b"".join(columns[2:3])[:1].isdigit()
            if numbered and len(columns) >= FEWEST_COLUMNS:
                word = _decode_cell(columns[WORD_COLUMN])
            cell = reference_cell(content) if reference else columns[-1]
            yield Token(line, sentence, word, _decode_cell(cell), columns)


def _decode_cell(column: bytes) -> str:
    return column.decode("utf-8", "backslashreplace")


def _lines(file: ByteFile, extent: ConllExtent) -> Iterator[bytes]:
    # To the reference scorer a carriage return is a part of the line.
    for block in file.blocks(extent.body, extent.end):
        yield from block.removesuffix(b"\n").split(b"\n")


def reads_alike(file: ByteFile, extent: ConllExtent) -> bool:
    """Return whether the reference scorer reads the same in a document as we do."""
    header = file.read(extent.start, extent.body).rstrip(b"\r\n")
    if header != header.rstrip():
        return False  # blanks are a part of the name
    reordered = False
    for line in _lines(file, extent):
        if line.lstrip().startswith(b"#") or b"end document" in line:
            return False
        if b"(" in line or b")" in line:
            cell = _FIELD.findall(line)[-1]
            if _SIMPLE_CELL.fullmatch(cell) and line.rpartition(b"\t")[2] == cell:
                continue
            ours = DIGITS.parse_cell(_decode_cell(cell)) or []
            theirs = DIGITS.parse_cell(_decode_cell(reference_cell(line))) or []
            if sorted(ours) != sorted(theirs):
                return False
            reordered |= ours != theirs
    return not reordered or _pairs_alike(file, extent)


def _pairs_alike(file: ByteFile, extent: ConllExtent) -> bool:
    """Return whether brackets pair alike in the order of the reference scorer.

    The order of entities makes a difference where a mention stands in several.
    """
    readings = []
    for reference in (False, True):
        tokens = token_rows(file, extent, reference=reference)
        # The same brackets in another order within a token stay balanced.
        pairs = list(_spans(file, extent, tokens, Faults(file), reference=reference))
        readings.append(set(pairs))
        if len({mention for _, mention in pairs}) < len(pairs):
            return False
    return readings[0] == readings[1]


def _spans(
    file: ByteFile,
    extent: ConllExtent,
    tokens: Iterable[Token],
    faults: Faults,
    *,
    reference: bool,
) -> Iterator[tuple[str, Mention]]:
    """Yield entities and their mentions in the order in which they close."""
    open_brackets = OpenBrackets[int](faults)
    for number, token in enumerate(tokens):
        for name, opens, closes in DIGITS.read_cell(token.cell, token.line, faults):
            if opens:
                open_brackets.open(name, token.line, number)
            start = open_brackets.close(name, token.line) if closes else None
            if start is not None:
                yield name, Mention(start, number)
    # To the reference scorer a file may end before its brackets do.
    if extent.ended or not reference:
        open_brackets.report_open(file.line_number(extent.end))


def _layers(tokens: Sequence[Token]) -> dict[str, tuple[str, ...]]:
    """Return the columns that are annotation and are not empty."""
    layers = {}
    fewest = min(len(token.columns) for token in tokens)
    for name, column in LAYERS.items():
        cells = {token.columns[column] for token in tokens if column < fewest - 1}
        decoded = {cell: _decode_cell(cell) for cell in cells}
        if not {*decoded.values()} <= NOTHING:
            layers[name] = tuple([decoded[token.columns[column]] for token in tokens])
    return layers


def conll_text(document: Document) -> Iterator[str]:
    """Write a document; without words it has four columns, too few to hold any.

    Blanks inside words, which columns of text cannot have, become underscores.
    """
    name, number = split_id(document.id.replace("\n", " "))
    part = number or 0
    yield f"#begin document ({name}); part {part:03}\n"
    # A line that begins with `#` would be a comment.
    name = re.sub("^#", "_", name)
    cells = format_entity_cells(document, "[0-9]+")
    token = 0
    for sentence in document.sentences:
        for number, word in enumerate(sentence):
            columns = [name, str(part), str(number), word, "-", "*", "-", "-", "-"]
            columns += ["-", "*"]
            for layer, column in LAYERS.items():
                if layer in document.layers:
                    columns[column] = document.layers[layer][token]
            yield format_row([*columns, cells.get(token, "-")])
            token += 1
        yield "\n"
    if not document.sentences:
        for token in range(check_implied_tokens(document, max(cells, default=-1) + 1)):
            yield format_row([name, str(part), str(token), cells.get(token, "-")])
    yield "#end document\n"


WRITER = Writer(
    alters=COLUMN_MARKS,
    carries=frozenset({CROSSING}),
    layers=frozenset(LAYERS),
    text=conll_text,
)


# The words of CoNLL-2012 documents and their layers alone, whole columns at once.
#
# Most documents are plain: their lines have words, and neither comments nor control
# characters stand among them. Others are read line by line.

# What stands between columns too, but hardly ever does.
_ODD_BLANKS = bytes({*range(ord(" "))} - {*b"\t\n\r\v\f"})


def words_alone(file: ByteFile, extent: ConllExtent, *, reference: bool) -> Document:
    """Read the words of a document and their layers, and leave out its entities."""
    document = _plain(extent.id, file.read(extent.body, extent.end))
    if document is not None:
        return document
    return document_text(extent.id, list(token_rows(file, extent, reference=reference)))


def _plain(name: str, body: bytes) -> Document | None:
    """Read a document at once; None if it is not plain."""
    if len(body.translate(None, _ODD_BLANKS)) < len(body):
        return None
    lines = [line.split() for line in body.split(b"\n")]
    rows = [line for line in lines if line]
    fewest = min(map(len, rows), default=0)
    if fewest < FEWEST_COLUMNS or not rows[0][2][:1].isdigit():
        return None
    if any(first.startswith(b"#") for first in {row[0] for row in rows}):
        return None
    kept = {"": WORD_COLUMN}
    kept |= {layer: column for layer, column in LAYERS.items() if column < fewest - 1}
    try:
        cells = {layer: _decode_column(rows, column) for layer, column in kept.items()}
    except UnicodeDecodeError:
        return None
    words = cells.pop("")
    lengths = [len(list(group)) for there, group in groupby(lines, bool) if there]
    bounds = pairwise([0, *accumulate(lengths)])
    return Document(
        name,
        tuple(tuple(words[first:last]) for first, last in bounds),
        (),
        layers={
            layer: tuple(row) for layer, row in cells.items() if not {*row} <= NOTHING
        },
    )


def _decode_column(rows: Sequence[Sequence[bytes]], column: int) -> list[str]:
    cells = b"\n".join([row[column] for row in rows])
    return cells.decode("utf-8").split("\n")


# What the reference scorer lists of a document before it scores it.
#
# The rules are those in `corefkit.formats.conll`, with its way of reading.


def listing_of(file: ByteFile, extent: ConllExtent) -> ReferenceListing:
    """List entities in the order of their first brackets, mentions as they close."""
    tokens = list(token_rows(file, extent, reference=True))
    found = listed_entities(file, extent, tokens, Faults(file), reference=True)
    entities = [
        tuple((mention.start, mention.end) for mention in mentions)
        for mentions in found.values()
    ]
    while entities and not entities[-1]:
        entities.pop()
    lines = file.read(extent.body, extent.end).split(b"\n")
    discarded = [
        text for line in lines if b"+" in line for text in double_antecedents(line)
    ]
    return ReferenceListing(tuple(entities), tuple(discarded))
