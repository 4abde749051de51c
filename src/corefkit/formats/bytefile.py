"""Files as numbered bytes: opened once, read in blocks, never held as a whole."""

from __future__ import annotations

import os
import stat
import sys
import zlib
from pathlib import Path
from threading import RLock
from typing import IO, TYPE_CHECKING, Self

from corefkit.exceptions import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from gzip import GzipFile

BLOCK = 1 << 20  # a few times this is worked with at once, and should stay in cache
_STEP = 1 << 16
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
GZIP = b"\x1f\x8b"


class ByteFile:
    """An input file that is read by offset; pipes and gzip are copied aside first.

    The name `-` is standard input.

    >>> from corefkit.example import paths
    >>> with ByteFile(paths()[0]) as file:
    ...     file.read(0, 15), file.line_number(file.size)
    (b'#begin document', 366)
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.name = os.fspath(path)
        self._handle = _open(self.name)
        self._lock = RLock()  # one thread reads ahead while another looks at a place
        self._newlines = [0]  # how many there are before each step of the file
        self.size = self._handle.seek(0, os.SEEK_END)
        # A byte-order mark is no part of the text.
        marked = self.read(0, 3) == BYTE_ORDER_MARK
        self.text_start = len(BYTE_ORDER_MARK) if marked else 0

    def __enter__(self) -> Self:
        """Enter a block that closes the file at its end."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Give the file back to the system."""
        self._handle.close()

    def read(self, start: int, end: int) -> bytes:
        """Read the bytes from one offset up to another."""
        with self._lock:
            self._handle.seek(start)
            return self._handle.read(end - start)

    def blocks(self, start: int, end: int) -> Iterator[bytes]:
        """Go through a stretch in blocks of whole lines."""
        rest: list[bytes] = []
        while start < end:
            stop = min(end, start + BLOCK)
            part = self.read(start, stop)
            start = stop
            cut = len(part) if start >= end else part.rfind(b"\n") + 1
            if cut:
                yield b"".join((*rest, part[:cut]))
                rest = []
            rest.append(part[cut:])

    def lines(self, start: int, end: int) -> Iterator[tuple[int, bytes]]:
        """Go through the lines of a stretch, each with its offset, without its end."""
        for block in self.blocks(start, end):
            for line in block.removesuffix(b"\n").split(b"\n"):
                yield start, line.rstrip(b"\r")
                start += len(line) + 1

    def line_number(self, offset: int) -> int:
        """Say in which line an offset lies, counted from 1."""
        steps = offset // _STEP
        with self._lock:
            while len(self._newlines) <= steps:
                start = (len(self._newlines) - 1) * _STEP
                found = self.read(start, start + _STEP).count(b"\n")
                self._newlines.append(self._newlines[-1] + found)
        rest = self.read(steps * _STEP, offset).count(b"\n")
        return 1 + self._newlines[steps] + rest

    def place(self, offset: int) -> str:
        """Word an offset as `file:line`."""
        return f"{self.name}:{self.line_number(offset)}"


def _open(name: str) -> IO[bytes]:
    try:
        if name == "-":
            if sys.stdin is None or sys.stdin.closed:
                message = "cannot be read: standard input is closed, or read already"
                raise FormatError(message, place=name)
            return _unpacked(_aside(sys.stdin.buffer))
        mode = Path(name).stat().st_mode
        if stat.S_ISDIR(mode):
            message = "is a directory, expected a file"
            raise FormatError(message, place=name, hint="name the file inside it")
        handle = Path(name).open("rb")  # noqa: SIM115 - ByteFile closes it
        return _unpacked(handle if stat.S_ISREG(mode) else _aside(handle))
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = f"cannot be read: {reason}"
        raise FormatError(message, place=name) from error


def _aside(stream: IO[bytes] | GzipFile) -> IO[bytes]:
    # Documents are fetched by offset, which neither a pipe nor gzip allows. Imported
    # here because few inputs need it and every start would pay.
    import shutil
    import tempfile

    aside = tempfile.TemporaryFile()  # noqa: SIM115 - ByteFile closes it
    try:
        with stream:
            shutil.copyfileobj(stream, aside)
    except BaseException:
        aside.close()
        raise
    aside.seek(0)
    return aside


def _unpacked(handle: IO[bytes]) -> IO[bytes]:
    try:
        start = handle.read(len(GZIP))
        handle.seek(0)
    except OSError:
        handle.close()
        raise
    if start != GZIP:
        return handle
    import gzip

    with handle:
        return _aside(gzip.open(handle))
