"""Cells of tables, many at once: numbers, and texts that are compared by hashes.

A column of a table comes in blocks of cells, `Numbers` or `Texts`. Texts stay bytes:
what is the same is found through hashes, and only a text that somebody looks at is
made. Hashes have 61 bits; that any two of a hundred million texts share one has a
chance of about 1 in 460.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.columns.prints import mixed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from corefkit.columns import Flags, Ints

FAR = 1 << 40  # no document has that many tokens
NAMED = 1 << 61  # from here on numbers are hashes, below they are tokens

_STEP = np.uint64(0x9E3779B97F4A7C15)
# All bits of the first n of eight bytes, for n from 0 to 8.
_FIRST = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)
_DIGITS = 13  # of the longest number below FAR
_TENS = 10 ** np.arange(1, _DIGITS)
_WHOLE = re.compile(r"([0-9]+)\.0*")
_NUMBER = r"(0|[1-9][0-9]{0,12})"
_SPAN = re.compile(
    rf"{_NUMBER}|{_NUMBER}-{_NUMBER}"
    rf"|\[{_NUMBER}, ?{_NUMBER}\]|\({_NUMBER}, ?{_NUMBER}\)"
)
_SPAN_BEGINS = np.zeros(256, np.bool_)
_SPAN_BEGINS[list(b"0123456789[(")] = True


@dataclass(frozen=True, slots=True)
class Numbers:
    """Cells of whole numbers.

    >>> cells = Numbers(np.array([7, 0, -3]), np.array([False, True, False]))
    >>> cells.numbers().tolist(), cells.text(0)
    ([7, -1, -1], '7')
    """

    values: Ints
    missing: Flags

    def __len__(self) -> int:
        """Count the cells."""
        return len(self.values)

    def codes(self) -> Ints:
        """Return numbers that are equal where the cells are."""
        return np.where(self.missing, -NAMED, self.values)

    def numbers(self) -> Ints:
        """Return the cells as numbers of tokens; -1 where they are none."""
        good = ~self.missing & (self.values >= 0) & (self.values < FAR)
        return np.where(good, self.values, -1)

    def text(self, row: int) -> str:
        """Return one cell as a person reads it."""
        return "" if self.missing[row] else str(self.values[row])


@dataclass(frozen=True, slots=True)
class Texts:
    """Cells of text: their bytes in UTF-8, and where in them each stands.

    >>> cells = texts(["rec-1", "", "17", "rec-1"])
    >>> codes = cells.codes()
    >>> cells.missing.tolist(), bool(codes[0] == codes[3]), cells.numbers().tolist()
    ([False, True, False, False], True, [-1, -1, 17, -1])
    """

    data: bytes
    start: Ints
    length: Ints

    def __len__(self) -> int:
        """Count the cells."""
        return len(self.start)

    @property
    def missing(self) -> Flags:
        """Which cells are empty."""
        empty: Flags = self.length == 0
        return empty

    def codes(self) -> Ints:
        """Hash each cell to a number from `NAMED` on, below twice that."""
        padded = self.data + bytes(8)
        eights = np.ndarray((len(padded) - 7,), "<u8", padded, strides=(1,))
        hashes = self.length.astype(np.uint64) * _STEP
        rows = np.flatnonzero(self.length)
        done = 0
        while len(rows):
            left = self.length[rows] - done
            loaded = eights[self.start[rows] + done] & _FIRST[np.minimum(left, 8)]
            hashes[rows] = mixed(hashes[rows] ^ loaded, np.full(1, done))
            rows = rows[left > 8]
            done += 8
        return (hashes >> np.uint64(3)).astype(np.int64) | NAMED

    def numbers(self) -> Ints:
        """Return the cells as numbers of tokens; -1 where they are none."""
        numbers = self.digits()
        # Columns with missing cells, as others write them, have 3.0 for 3.
        for row in np.flatnonzero((numbers < 0) & (self.length > 0)).tolist():
            whole = _WHOLE.fullmatch(self.text(row))
            if whole is not None and len(whole[1]) < _DIGITS:
                numbers[row] = int(whole[1])
        return numbers

    def digits(self) -> Ints:
        """Return the cells of nothing but digits as numbers; -1 for others."""
        numbers = np.zeros(len(self), np.int64)
        good = (self.length > 0) & (self.length <= _DIGITS)
        for place in range(_DIGITS):
            rows = np.flatnonzero(good & (self.length > place))
            if not len(rows):
                break
            digits = self._bytes(rows, place).astype(np.int64) - ord("0")
            good[rows] = (digits >= 0) & (digits <= 9)
            numbers[rows] = numbers[rows] * 10 + digits
        return np.where(good & (numbers < FAR), numbers, -1)

    def text(self, row: int) -> str:
        """Return one cell as a person reads it."""
        start = int(self.start[row])
        return self.data[start : start + int(self.length[row])].decode(
            "utf-8", "surrogatepass"
        )

    def like_spans(self) -> Ints:
        """Find the cells whose first byte a span may have."""
        rows = np.flatnonzero(self.length)
        return rows[_SPAN_BEGINS[self._bytes(rows, 0)]]

    def _bytes(self, rows: Ints, place: int) -> NDArray[np.uint8]:
        return np.frombuffer(self.data, np.uint8)[self.start[rows] + place]


@dataclass(frozen=True, slots=True)
class Coded:
    """Cells that name one of some texts, which all differ: codes without hashes.

    Equal codes are equal texts in cells of the same texts only. The last text is empty,
    for cells with nothing in them.

    >>> cells = Coded(texts(["rec-1", "17", ""]), np.array([1, 0, 2, 0]))
    >>> cells.codes().tolist(), cells.numbers().tolist(), cells.text(3)
    ([1, 0, 2, 0], [17, -1, -1, -1], 'rec-1')
    """

    values: Texts
    index: Ints

    def __len__(self) -> int:
        """Count the cells."""
        return len(self.index)

    @property
    def missing(self) -> Flags:
        """Which cells are empty."""
        return self.values.missing[self.index]

    def codes(self) -> Ints:
        """Return numbers that are equal where the cells are."""
        return self.index

    def numbers(self) -> Ints:
        """Return the cells as numbers of tokens; -1 where they are none."""
        return self.values.numbers()[self.index]

    def text(self, row: int) -> str:
        """Return one cell as a person reads it."""
        return self.values.text(int(self.index[row]))

    def spans(self) -> tuple[Ints, Ints]:
        """Return first and last token; a name has its number behind `NAMED`."""
        start, end = cell_spans(self.values)
        named = np.flatnonzero(start >= NAMED)
        start[named] = end[named] = NAMED + named
        return start[self.index], end[self.index]


Cells: TypeAlias = Numbers | Texts | Coded


def texts(values: Sequence[str]) -> Texts:
    """Make cells of strings.

    >>> texts(["a", "é"]).length.tolist()
    [1, 2]
    """
    joined = "".join(values)
    data = joined.encode("utf-8", "surrogatepass")
    if len(data) == len(joined):
        length = np.fromiter(map(len, values), np.int64, len(values))
    else:
        encoded = [value.encode("utf-8", "surrogatepass") for value in values]
        length = np.fromiter(map(len, encoded), np.int64, len(values))
    return Texts(data, np.cumsum(length) - length, length)


def cell_text(value: object) -> str:
    """Return a cell of any kind as text; empty where nothing is there.

    >>> [cell_text(value) for value in ("a", 7, 7.0, 7.5, float("nan"), None)]
    ['a', '7', '7', '7.5', '', '']
    """
    if isinstance(value, str):
        return value
    if value is None or value != value:  # NaN alone is not itself
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def cell_spans(cells: Cells) -> tuple[Ints, Ints]:
    """Return first and last token of mentions; a name has its hash for both.

    Equal mentions have equal spans in every table, whatever kind its cells are of.

    >>> start, end = cell_spans(texts(["3-5", "[3, 5]", "7", "rec-7"]))
    >>> start[:3].tolist(), end[:3].tolist(), bool(start[3] == end[3] >= NAMED)
    ([3, 3, 7], [5, 5, 7], True)
    """
    if isinstance(cells, Numbers):
        start = cells.numbers()
        other = np.flatnonzero((start < 0) & ~cells.missing)
        if len(other):
            start[other] = texts([cells.text(row) for row in other.tolist()]).codes()
        return start, start
    if isinstance(cells, Coded):
        return cells.spans()
    start = cells.codes()
    end = start.copy()
    rows = cells.like_spans()
    some = Texts(cells.data, cells.start[rows], cells.length[rows])
    token = some.digits()
    # A leading zero makes a name.
    width = np.searchsorted(_TENS, token, side="right") + 1
    plain = (token >= 0) & (some.length == width)
    start[rows[plain]] = end[rows[plain]] = token[plain]
    rows = rows[~plain]
    codes, first, inverse = np.unique(
        start[rows], return_index=True, return_inverse=True
    )
    found = [
        span(cells.text(row)) or (code, code)
        for row, code in zip(rows[first].tolist(), codes.tolist(), strict=True)
    ]
    table = np.array(found, np.int64).reshape(-1, 2)
    start[rows], end[rows] = table[inverse, 0], table[inverse, 1]
    return start, end


def span(text: str) -> tuple[int, int] | None:
    """Read a span of tokens; None where the text is something else.

    Numbers have no leading zeros, so that names such as `003-005` stay names.

    >>> span("3-5"), span("(3, 5)"), span("[3,5]"), span("4"), span("5-3"), span("03")
    ((3, 5), (3, 5), (3, 5), (4, 4), None, None)
    """
    match = _SPAN.fullmatch(text)
    if match is None:
        return None
    found = [int(group) for group in match.groups() if group is not None]
    start, end = found[0], found[-1]
    return (start, end) if start <= end < FAR else None
