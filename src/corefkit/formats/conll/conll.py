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
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from corefkit.exceptions import FormatError
from corefkit.formats.base import Reader
from corefkit.kernel import kernel

# The kernel reads most files. What reads others, and documents as objects, is imported
# where it is used: every start would pay.
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.columns import Columns, Ints
    from corefkit.columns.identified import EntityCodes, Identified
    from corefkit.formats.base import Writer
    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.conll.extents import ConllExtent
    from corefkit.formats.conll.listing import Listing
    from corefkit.formats.conll.whole import WholeFile
    from corefkit.formats.documents import Extents, Parse
    from corefkit.formats.faults import Problem
    from corefkit.formats.source import Word
    from corefkit.model import Document

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
        from corefkit.formats.semeval import semeval

        if semeval.recognise(head):
            return "semeval"
    first = re.search(_FIRST_TOKEN, head)
    if first and first[0].count(b"\t") + 1 == _OTHER_COLUMNS:
        from corefkit.formats.conllu import democrat

        if democrat.recognise(head):
            return "democrat"
    return None


class ConllSource:
    """The documents of a CoNLL-2012 file.

    The kernel reads a plain file at once, and its columns are held. In any other file
    the documents are found first, and read when asked for.
    """

    def __init__(self, file: ByteFile, *, reference: bool) -> None:
        self.name = file.name
        self.file = file
        self.close = file.close
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
    def held_sizes(self) -> Sequence[int]:
        """About how many bytes the columns of each document take where they are held.

        Reading them costs nothing any more: blocks are made by what comes after it.
        """
        return self.sizes if self._whole is None else self._whole.held.sizes

    def _extent(self, number: int) -> ConllExtent:
        if self._whole is None:
            return self._extents[number]
        from corefkit.formats.conll.extents import ConllExtent

        ids, *offsets, _ = self._whole
        start, body, end = (int(each[number]) for each in offsets)
        return ConllExtent(ids[number], start, end, body, ended=True)

    def place(self, number: int) -> str:
        """Return where a document begins, as `file:line`."""
        return self.file.place(self._extent(number).start)

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some documents, in the order asked for."""
        if self._whole is not None:
            return self._whole.held.take(numbers)
        return self._read(numbers, {})[0]

    def identified(self, numbers: Sequence[int], codes: EntityCodes) -> Identified:
        """Read the mentions of some documents, and number the ids of their entities."""
        # Imported here because few scores ask, and every start would pay.
        from corefkit.columns.identified import Identified

        if self._whole is not None:
            held = self._whole.held
            return Identified(held.take(numbers), held.codes(numbers))
        return Identified(*self._read(numbers, codes.others))

    def _read(
        self, numbers: Sequence[int], long_ids: dict[bytes, int]
    ) -> tuple[Columns, Ints]:
        from corefkit.formats.conll.columns import coded_columns
        from corefkit.formats.pairing import Unbalanced

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
                self.document(number)
            except FormatError as error:
                return error
        return FormatError("brackets do not pair", place=self.place(numbers[0]))

    def is_running(self, number: int) -> bool:
        """Return False: the tokens are those of the file."""
        del number
        return False

    def words(self, number: int) -> Iterator[Word]:
        """Yield the tokens of a document with their places."""
        from corefkit.formats.conll.rows import token_rows
        from corefkit.formats.source import Word

        extent = self._extent(number)
        for token in token_rows(self.file, extent, reference=self._reference):
            yield Word(token.word or "", f"{self.name}:{token.line}", token.sentence)

    def document(self, number: int) -> Document:
        """Read one document as an object."""
        from corefkit.formats.conll.rows import parse, reads_alike
        from corefkit.formats.faults import Faults

        extent, faults = self._extent(number), Faults(self.file)
        parsed = parse(self.file, extent, faults, reference=self._reference)
        alike = self._reference or reads_alike(self.file, extent)
        return replace(parsed.document, origin="conll" if alike else "strict")

    def mended(self, number: int) -> Document:
        """Read one document as well as it can be read, whatever is wrong with it."""
        from corefkit.formats.conll.rows import parse
        from corefkit.formats.faults import Faults

        extent, faults = self._extent(number), Faults(self.file, [])
        return parse(self.file, extent, faults, reference=self._reference).document

    def listing(self, number: int) -> Listing:
        """Read what the reference scorer lists of a document."""
        # Imported here because only its long text asks, and every start would pay.
        from corefkit.formats.conll.listing import listing_of

        return listing_of(self.file, self._extent(number))

    @property
    def is_cut_off(self) -> bool:
        """Whether the file ends inside its last document."""
        return bool(self.ids) and not self._extent(len(self.ids) - 1).ended

    def may_name_kinds(self, number: int) -> bool:
        """Return False: the format has nothing of mentions but their tokens."""
        del number
        return False

    def text(self, number: int) -> Document:
        """Read the words of a document and their layers, and leave out its entities.

        This takes a fraction of the time of `document`, which finds out how the
        reference scorer would read it.
        """
        # Imported here because scoring does not ask, and every start would pay.
        from corefkit.formats.conll.words import words_alone

        return words_alone(self.file, self._extent(number), reference=self._reference)


def _read_by_kernel(file: ByteFile, *, reference: bool) -> WholeFile | None:
    compiled = kernel()
    if compiled is None:
        return None
    # Imported here because without the kernel nobody needs it.
    from corefkit.formats.conll.whole import read_whole

    return read_whole(compiled, file, reference=reference)


def _found(file: ByteFile, *, reference: bool) -> list[ConllExtent]:
    """Find the documents of a file that the kernel does not read."""
    from corefkit.formats.conll.extents import conll_extents, reference_extents
    from corefkit.formats.faults import Faults

    if reference:
        return list(reference_extents(file))
    return list(conll_extents(file, Faults(file)))


def _problems(file: ByteFile) -> Iterable[Problem]:
    from corefkit.formats.conll.extents import conll_extents
    from corefkit.formats.conll.rows import parse
    from corefkit.formats.documents import document_problems

    extents, parsed = cast("Extents", conll_extents), cast("Parse", parse)
    return document_problems(file, extents, parsed, singletons=False)


READER = Reader(
    open=lambda file, _, reference: ConllSource(file, reference=reference),
    problems=_problems,
)


def __getattr__(name: str) -> Writer:
    """Import what writes the format when it is asked for: scores never do."""
    if name == "WRITER":
        from corefkit.formats.conll.rows import WRITER

        return WRITER
    message = f"no {name} in this module"
    raise AttributeError(message)
