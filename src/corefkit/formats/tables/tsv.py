"""TSV and CSV tables: one mention per line, with the columns named in the first line.

1.  The first line that is not blank names the columns. They are separated by tabs,
    commas or semicolons: by the first of these that gives the columns that a
    table needs. `corefkit.formats.tables.tables` says what the columns mean.
2.  Every other line that is not blank is a row, with as many cells as there are
    columns. Blanks in front of a cell do not belong to it.
3.  A cell may be quoted, and may then hold anything, line ends too; a quote in it is
    doubled.
4.  Text is UTF-8.
"""

from __future__ import annotations

import csv
from bisect import bisect_right
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from corefkit.formats.base import Reader, Writer
from corefkit.formats.faults import SAVE_AS_UTF8, Faults
from corefkit.formats.kinds import NOT_UTF8
from corefkit.formats.tables.cells import Texts, texts
from corefkit.formats.tables.source import TableSource, table_problems
from corefkit.formats.tables.tables import CARRIED, HEADER, roles_of, table_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.columns import Ints
    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Problem
    from corefkit.formats.tables.cells import Cells
    from corefkit.model import Document

_DELIMITERS = ("\t", ",", ";")
_BLOCK_ROWS = 1 << 16
_NEAR = 16  # rows that are read faster than a new start is made
_BLANK, _LINE_END, _RETURN = b" \n\r"
_SPECIAL = frozenset('\t"\r\n')


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like a table of mentions."""
    line = head.lstrip(b"\r\n").partition(b"\n")[0]
    return _delimiter(line.decode("utf-8", "replace")) is not None


def _delimiter(line: str) -> str | None:
    for delimiter in _DELIMITERS:
        if delimiter in line and roles_of(_cells(line, delimiter)) is not None:
            return delimiter
    return None


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(_reader([line], delimiter), [])
    except csv.Error:
        return line.split(delimiter)


def _reader(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)


class TsvFrame:
    """The rows of a file, with the offset of each, to find it again."""

    def __init__(self, file: ByteFile, kept: list[Problem] | None = None) -> None:
        self.name = file.name
        self._file = file
        self._faults = Faults(file, kept)
        header, self._start = self._header()
        likely = next((sign for sign in _DELIMITERS if sign in header), "\t")
        self._delimiter = _delimiter(header) or likely
        self.columns = _cells(header, self._delimiter)
        blocks = file.blocks(self._start, file.size)
        self._has_quotes = any(b'"' in block for block in blocks)
        self._offsets: list[Ints] = []  # of rows, block by block
        self._first: list[int] = []  # the first row of each block

    def _header(self) -> tuple[str, int]:
        """Find the line that names the columns, and the offset behind it."""
        header: str | None = None
        for offset, line in self._file.lines(self._file.text_start, self._file.size):
            if header is not None:
                return header, offset
            if line.strip():
                header = self._decoded(line, offset, self._faults)
        return header or "", self._file.size

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def line_number(self, row: int) -> int:
        """Return the line in which a row begins."""
        return self._file.line_number(self._offset(row))

    def place(self, row: int) -> str:
        """Return the place of a row, as `file:line`."""
        return self._file.place(self._offset(row))

    def blocks(self, columns: Sequence[int]) -> Iterator[Sequence[Cells]]:
        """Iterate over the rows in blocks, with the cells of some columns."""
        self._offsets, self._first, first = [], [], 0
        for cells, offsets in self._parts():
            self._offsets.append(offsets)
            self._first.append(first)
            first += len(offsets)
            yield [cells[column] for column in columns]

    def rows(self, numbers: Ints) -> Sequence[Sequence[object]]:
        """Read some rows again, in the order asked for."""
        found: dict[int, list[str]] = {}
        ordered = np.sort(numbers)
        far = np.flatnonzero(np.diff(ordered) > _NEAR) + 1
        for stretch in np.split(ordered, far) if len(ordered) else ():
            begin, last = int(stretch[0]), int(stretch[-1])
            start, end = self._offset(begin), self._offset(last + 1)
            rows = self._one_by_one(start, end, Faults(self._file, []))
            found.update(enumerate((row for _, row in rows), start=begin))
        return [found[number] for number in numbers.tolist()]

    def _offset(self, row: int) -> int:
        block = bisect_right(self._first, row) - 1
        inside = row - self._first[block]
        offsets = self._offsets[block]
        return int(offsets[inside]) if inside < len(offsets) else self._file.size

    def _parts(self) -> Iterator[tuple[Sequence[Texts], Ints]]:
        """Iterate over columns and offsets of many rows at a time."""
        start, size = self._start, self._file.size
        if self._has_quotes:
            yield from self._row_by_row(start, size)
            return
        for block in self._file.blocks(start, size):
            cells = self._plain(block)
            if cells is None:
                yield from self._row_by_row(start, start + len(block))
            else:
                yield cells, cells[0].start + start
            start += len(block)

    def _plain(self, block: bytes) -> Sequence[Texts] | None:
        """Find the cells where each line is a row; None where some are not.

        No cell is made a string here, for the sake of large files.
        """
        text = block if block.endswith(b"\n") else block + b"\n"
        returns = text.count(b"\r")
        if (returns and text.count(b"\r\n") != returns) or not _is_utf8(text):
            return None
        bytes_ = np.frombuffer(text, np.uint8)
        ends = np.flatnonzero((bytes_ == ord(self._delimiter)) | (bytes_ == _LINE_END))
        starts = np.concatenate(([0], ends[:-1] + 1))
        width = len(self.columns)
        line_ends = bytes_[ends] == _LINE_END
        if len(ends) != width * int(line_ends.sum()):
            return None
        if not line_ends[width - 1 :: width].all() or (bytes_[starts] == _BLANK).any():
            return None
        lengths = ends - starts
        lengths[width - 1 :: width] -= bytes_[ends[width - 1 :: width] - 1] == _RETURN
        return [
            Texts(text, starts[column::width], lengths[column::width])
            for column in range(width)
        ]

    def _row_by_row(
        self, start: int, end: int
    ) -> Iterator[tuple[Sequence[Texts], Ints]]:
        """Read row by row, since a row may span several lines, or be wrong."""
        rows = self._one_by_one(start, end, self._faults)
        while block := list(islice(rows, _BLOCK_ROWS)):
            columns = zip(*(row for _, row in block), strict=True)
            offsets = np.array([offset for offset, _ in block], np.int64)
            yield [texts(column) for column in columns], offsets

    def _one_by_one(
        self, start: int, end: int, faults: Faults
    ) -> Iterator[tuple[int, list[str]]]:
        seen: list[int] = []  # the offsets of the lines of a row
        reader = _reader(self._lines(start, end, seen, faults), self._delimiter)
        width = len(self.columns)
        while True:
            seen.clear()
            try:
                row = next(reader, None)
            except csv.Error as error:
                # The message may name a tab as it is.
                reason = str(error).encode("unicode_escape").decode()
                self._tell(faults, seen, f"this is no row: {reason}")
                continue
            if row is None:
                return
            if len(row) == width:
                yield seen[0], row
            elif len(row) > 1 or "".join(row).strip():
                found = f"found {len(row)} cells, expected {width}"
                self._tell(faults, seen, f"{found} as in the first line")

    def _lines(
        self, start: int, end: int, seen: list[int], faults: Faults
    ) -> Iterator[str]:
        for block in self._file.blocks(start, end):
            for line in block.removesuffix(b"\n").split(b"\n"):
                seen.append(start)
                yield self._decoded(line, start, faults) + "\n"
                start += len(line) + 1

    def _tell(self, faults: Faults, seen: Sequence[int], message: str) -> None:
        hint = "a cell with a delimiter, a quote or a line end in it must be quoted"
        faults.at(seen[0] if seen else self._file.size, message, hint)

    def _decoded(self, line: bytes, offset: int, faults: Faults) -> str:
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"byte {error.start + 1} of the line is not UTF-8"
            faults.at(offset, message, SAVE_AS_UTF8, kind=NOT_UTF8)
            return line.decode("utf-8", "replace")


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def problems(file: ByteFile) -> Iterator[Problem]:
    """Iterate over everything that is wrong with a file, in the order of its lines."""
    kept: list[Problem] = []
    yield from table_problems(TsvFrame(file, kept), kept)


def _text(document: Document) -> Iterator[str]:
    for row in table_rows(document):
        yield "\t".join(map(_cell, row)) + "\n"


def _cell(value: str | int | None) -> str:
    text = "" if value is None else str(value)
    if text.startswith(" ") or not _SPECIAL.isdisjoint(text):
        return '"' + text.replace('"', '""') + '"'
    return text


READER = Reader(
    open=lambda file, _response, _reference: TableSource(TsvFrame(file)),
    problems=problems,
)
WRITER = Writer(
    carries=CARRIED, words=False, text=_text, header="\t".join(HEADER) + "\n"
)
