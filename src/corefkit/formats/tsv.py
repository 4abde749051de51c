"""TSV and CSV tables: one mention per line, with the names of columns in a header.

`docs/formats/tables.md` defines the columns and rows. The delimiter is the first of
tab, comma and semicolon that gives the required columns. A quoted cell may contain
anything, including line ends.
"""

from __future__ import annotations

import csv
import io
from array import array
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.exceptions import FormatError
from corefkit.formats.problems import INVALID_RECORD, WRONG_COLUMNS, Faults
from corefkit.formats.source import Reader, Writer
from corefkit.formats.tables import (
    CARRIED,
    HEADER,
    Cells,
    TableSource,
    find_roles,
    iter_rows,
    iter_table_problems,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.arrays.columns import Ints
    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Problem
    from corefkit.model import Document

_DELIMITERS = ("\t", ",", ";")
_BLOCK_ROWS = 1 << 16
_GAP_ROWS = 16  # rows that are read faster than another position is found
_LARGE_BYTES = 1 << 25  # from here on, pyarrow is worth its import
_QUOTES_HINT = "quote cells that contain a delimiter, a quote or a line end"
_SPECIAL = frozenset('\t"\r\n')


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like a table of mentions."""
    line = head.lstrip(b"\r\n").partition(b"\n")[0]
    return _find_delimiter(line.decode("utf-8", "replace")) is not None


def _find_delimiter(line: str) -> str | None:
    for delimiter in _DELIMITERS:
        if delimiter in line and find_roles(_split_header(line, delimiter)) is not None:
            return delimiter
    return None


def _split_header(line: str, delimiter: str) -> list[str]:
    try:
        return next(_make_reader([line], delimiter), [])
    except csv.Error:
        return line.split(delimiter)


def _make_reader(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)


class TsvFrame:
    """The rows of a file, with their offsets to read them again.

    Large files without quotes are split by pyarrow if it is installed, all others by
    the `csv` module.
    """

    def __init__(self, file: ByteFile, problems: list[Problem] | None = None) -> None:
        self.name = file.name
        self._file = file
        self._faults = Faults(file, problems)
        header, self._start = self._read_header()
        likely = next((sign for sign in _DELIMITERS if sign in header), "\t")
        self._delimiter = _find_delimiter(header) or likely
        self.columns = _split_header(header, self._delimiter)
        self._offsets = array("q")  # of rows

    def _read_header(self) -> tuple[str, int]:
        """Read the line that names the columns; return the offset after it too."""
        header: str | None = None
        for offset, line in self._file.lines(self._file.text_start, self._file.size):
            if header is not None:
                return header, offset
            if line.strip():
                header = self._decode(line, offset, self._faults)
        return header or "", self._file.size

    def close(self) -> None:
        self._file.close()

    def line_number(self, row: int) -> int:
        return self._file.line_number(self._find_offset(row))

    def format_place(self, row: int) -> str:
        return self._file.format_place(self._find_offset(row))

    def iter_blocks(self, columns: Sequence[int]) -> Iterator[Sequence[Cells]]:
        self._offsets = array("q")
        for cells, offsets in self._iter_parts(columns):
            self._offsets.frombytes(offsets.tobytes())
            yield cells

    def read_rows(self, numbers: Ints) -> Sequence[Sequence[object]]:
        cells: dict[int, list[str]] = {}
        ordered = np.sort(numbers)
        gaps = np.flatnonzero(np.diff(ordered) > _GAP_ROWS) + 1
        for group in np.split(ordered, gaps) if len(ordered) else ():
            first, last = int(group[0]), int(group[-1])
            start, end = self._find_offset(first), self._find_offset(last + 1)
            rows = self._iter_rows(start, end, Faults(self._file, []))
            cells.update(enumerate((row for _, row in rows), start=first))
        return [cells[number] for number in numbers.tolist()]

    def _find_offset(self, row: int) -> int:
        return self._offsets[row] if row < len(self._offsets) else self._file.size

    def _iter_parts(
        self, columns: Sequence[int]
    ) -> Iterator[tuple[Sequence[Cells], Ints]]:
        start, size = self._start, self._file.size
        arrow_csv = self._import_arrow_csv()
        if arrow_csv is None:
            yield from self._iter_csv_parts(columns, start, size)
            return
        for block in self._file.blocks(start, size):
            ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n"))
            offsets = np.concatenate(([0], ends + 1))
            offsets = offsets[offsets < len(block)]
            cells = self._split_by_arrow(arrow_csv, block, offsets, columns)
            if cells is None:
                yield from self._iter_csv_parts(columns, start, start + len(block))
            else:
                yield cells, offsets + start
            start += len(block)

    def _import_arrow_csv(self) -> Any:
        """Return pyarrow's CSV module; None if it is not installed or not useful."""
        if self._file.size < _LARGE_BYTES:
            return None
        blocks = self._file.blocks(self._start, self._file.size)
        if any(b'"' in block for block in blocks):
            return None  # a row can have several lines
        try:
            from pyarrow import csv as arrow_csv
        except ImportError:
            return None
        return arrow_csv

    def _split_by_arrow(
        self, arrow_csv: Any, block: bytes, offsets: Ints, columns: Sequence[int]
    ) -> Sequence[Cells] | None:
        """Split lines into cells; None if some are not plain rows."""
        from corefkit.formats.frames import arrow_cells, convert_arrow_errors

        blank = f"{self._delimiter} ".encode()
        has_blanks = blank in block or b"\n " in block or block.startswith(b" ")
        longest = int(np.diff(offsets, append=len(block)).max(initial=0))
        if has_blanks or longest > csv.field_size_limit():
            return None
        names = [str(number) for number in range(len(self.columns))]
        chosen = [names[column] for column in columns]
        options = (
            arrow_csv.ReadOptions(
                column_names=names, block_size=len(block) + 1, use_threads=False
            ),
            arrow_csv.ParseOptions(delimiter=self._delimiter, quote_char=False),
            arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, "string"), include_columns=chosen
            ),
        )
        try:
            with convert_arrow_errors(self.name):
                table = arrow_csv.read_csv(io.BytesIO(block), *options)
        except FormatError:
            return None
        if table.num_rows != len(offsets):
            return None
        return [arrow_cells(table.column(name), self.name) for name in chosen]

    def _iter_csv_parts(
        self, columns: Sequence[int], start: int, end: int
    ) -> Iterator[tuple[Sequence[Cells], Ints]]:
        rows = self._iter_rows(start, end, self._faults)
        while block := list(islice(rows, _BLOCK_ROWS)):
            cells = [
                Cells.from_texts([row[column] for _, row in block])
                for column in columns
            ]
            yield cells, np.array([offset for offset, _ in block], np.int64)

    def _iter_rows(
        self, start: int, end: int, faults: Faults
    ) -> Iterator[tuple[int, list[str]]]:
        offsets: list[int] = []  # of the lines of a row
        lines = self._iter_lines(start, end, offsets, faults)
        reader = _make_reader(lines, self._delimiter)
        width = len(self.columns)
        while True:
            offsets.clear()
            try:
                row = next(reader, None)
            except csv.Error as error:
                # The message may contain a tab.
                reason = str(error).encode("unicode_escape").decode()
                message, kind = f"this is not a row: {reason}", INVALID_RECORD
            else:
                if row is None:
                    return
                if len(row) == width:
                    yield offsets[0], row
                    continue
                if len(row) < 2 and not "".join(row).strip():
                    continue  # a blank line
                message = f"found {len(row)} cells, expected {width} as in the header"
                kind = WRONG_COLUMNS
            offset = offsets[0] if offsets else self._file.size
            faults.report_at(offset, message, _QUOTES_HINT, kind=kind)

    def _iter_lines(
        self, start: int, end: int, offsets: list[int], faults: Faults
    ) -> Iterator[str]:
        for block in self._file.blocks(start, end):
            for line in block.removesuffix(b"\n").split(b"\n"):
                offsets.append(start)
                yield self._decode(line, start, faults) + "\n"
                start += len(line) + 1

    def _decode(self, line: bytes, offset: int, faults: Faults) -> str:
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError as error:
            faults.report_not_utf8(self._file.line_number(offset), error.start + 1)
            return line.decode("utf-8", "replace")


def _iter_problems(file: ByteFile) -> Iterator[Problem]:
    problems: list[Problem] = []
    yield from iter_table_problems(TsvFrame(file, problems), problems)


def _format_document(document: Document) -> Iterator[str]:
    for row in iter_rows(document):
        yield "\t".join(map(_format_cell, row)) + "\n"


def _format_cell(value: str | int | None) -> str:
    text = "" if value is None else str(value)
    if text.startswith(" ") or not _SPECIAL.isdisjoint(text):
        return '"' + text.replace('"', '""') + '"'
    return text


READER = Reader(
    open=lambda file, _response, _reference: TableSource(TsvFrame(file)),
    problems=_iter_problems,
)
WRITER = Writer(
    carries=CARRIED,
    words=False,
    text=_format_document,
    header="\t".join(HEADER) + "\n",
)
