"""Files as numbered bytes: opened once, read in blocks, never held as a whole."""

from __future__ import annotations

import io
import os
import stat
import sys
import zlib
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import IO, TYPE_CHECKING, Self

from corefkit.exceptions import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK = 1 << 20  # a few times this is worked with at once, and should stay in cache
_STEP = 1 << 16
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
GZIP = b"\x1f\x8b"
_FAULTS = (OSError, EOFError, zlib.error)  # of the system, and of gzip

# What is copied aside of a pipe or of gzip at most, so that what never ends does not
# fill the disk. Text packs to a tenth: once much has come, and from less than a
# hundredth of it, the file was made to fill disks.
_GIB = 1 << 30
MOST_ASIDE = 4 * _GIB
MOST_UNQUESTIONED = _GIB // 4
MOST_EXPANSION = 100

# Standard input, once somebody reads it; it cannot be read a second time.
_taken: list[object] = []


class ByteFile:
    """An input file that is read by offset; pipes and gzip are copied aside for it.

    They are copied as far as they are read, so that the first bytes of what never ends
    say what it is. The name `-` is standard input.

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
        try:
            marked = self.read(0, 3) == BYTE_ORDER_MARK
        except BaseException:
            self.close()
            raise
        # A byte-order mark is no part of the text.
        self.text_start = len(BYTE_ORDER_MARK) if marked else 0

    @cached_property
    def size(self) -> int:
        """How many bytes there are; a pipe or gzip is copied whole to know."""
        try:
            with self._lock:
                return self._handle.seek(0, os.SEEK_END)
        except _FAULTS as error:
            raise _unreadable(self.name, error) from error

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
        try:
            with self._lock:
                self._handle.seek(start)
                return self._handle.read(end - start)
        except _FAULTS as error:
            raise _unreadable(self.name, error) from error

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


def _unreadable(name: str, error: Exception) -> FormatError:
    """Say in words that a file cannot be read."""
    reason = getattr(error, "strerror", None) or str(error)
    message = f"cannot be read: {reason}"
    return FormatError(message, place=name)


def _open(name: str) -> IO[bytes]:
    try:
        if name == "-":
            handle = _standard_input()
            mode = _mode(handle)
        else:
            mode = Path(name).stat().st_mode
            if stat.S_ISDIR(mode):
                message = "is a directory, expected a file"
                raise FormatError(message, place=name, hint="name the file inside it")
            handle = Path(name).open("rb")  # noqa: SIM115 - ByteFile closes it
        try:
            if name != "-" and stat.S_ISREG(mode):
                return _unpacked(name, handle)
            _refuse_device(name, handle, mode)
            return _unpacked(name, io.BufferedReader(_Aside(name, handle)))
        except BaseException:
            handle.close()
            raise
    except (*_FAULTS, ValueError) as error:  # there are names that no file can have
        raise _unreadable(name, error) from error


def _standard_input() -> IO[bytes]:
    stream = sys.stdin
    if stream is None or stream.closed or any(one is stream for one in _taken):
        message = "cannot be read: standard input is closed, or read already"
        raise FormatError(message, place="-")
    _taken.append(stream)
    return stream.buffer


def _mode(handle: IO[bytes]) -> int:
    """Say what kind of file standard input is; 0 where it is none."""
    try:
        return os.fstat(handle.fileno()).st_mode
    except OSError:
        return 0


def _refuse_device(name: str, handle: IO[bytes], mode: int) -> None:
    """Refuse what has no end, as /dev/zero; people type at terminals, and end that."""
    if stat.S_ISBLK(mode) or (
        stat.S_ISCHR(mode)
        and not handle.isatty()
        # /dev/null is an empty file.
        and handle.peek(1)  # type: ignore[attr-defined]
    ):
        message = "is a device, expected a file or a pipe"
        raise FormatError(message, place=name)


def _unpacked(name: str, handle: IO[bytes]) -> IO[bytes]:
    start = handle.read(len(GZIP))
    handle.seek(0)
    if start != GZIP:
        return handle
    import gzip

    # GzipFile can be read, which is all that is asked of it.
    stream: IO[bytes] = gzip.GzipFile(fileobj=handle)  # type: ignore[assignment]
    return io.BufferedReader(_Aside(name, stream, packed=handle))


class _Aside(io.RawIOBase):
    """A stream that can be read by offset: copied aside as far as it is asked for.

    Args:
        name: what the user calls it.
        stream: a pipe, or gzip as it is unpacked.
        packed: the packed bytes of gzip, which say how far it has come.
    """

    def __init__(
        self, name: str, stream: IO[bytes], *, packed: IO[bytes] | None = None
    ) -> None:
        # Imported here because few inputs need it and every start would pay.
        import tempfile

        self._name, self._stream, self._packed = name, stream, packed
        self._copy = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - closed below
        self._offset = self._copied = 0
        self._whole = False

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def seekable(self) -> bool:
        """Say that it can be read anywhere."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to an offset; to go to the end, all is copied."""
        if whence == os.SEEK_END:
            while not self._whole:
                self._copy_on()
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._offset, os.SEEK_END: self._copied}
        self._offset = base[whence] + offset
        return self._offset

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read on from there."""
        while self._copied < self._offset + len(buffer) and not self._whole:
            self._copy_on()
        self._copy.seek(self._offset)
        found = self._copy.readinto(buffer) or 0
        self._offset += found
        return found

    def close(self) -> None:
        """Forget the copy."""
        if not self.closed:
            for one in (self._stream, self._packed, self._copy):
                if one is not None:
                    one.close()
        super().close()

    def _copy_on(self) -> None:
        part = memoryview(self._stream.read(BLOCK))
        self._whole = not part
        self._copied += len(part)
        self._refuse_too_much()
        try:
            self._copy.seek(0, os.SEEK_END)
            while part:
                part = part[self._copy.write(part) :]
        except OSError as error:
            import tempfile

            message = (
                f"cannot be copied to {tempfile.gettempdir()}, to be read there: "
                f"{error.strerror}"
            )
            hint = f"{self._instead()}, or name a folder with more room by TMPDIR"
            raise FormatError(message, place=self._name, hint=hint) from error

    def _refuse_too_much(self) -> None:
        if self._copied > MOST_ASIDE:
            message = f"has more than {MOST_ASIDE / _GIB:g} GiB, too much to copy aside"
        elif self._packed is not None and (
            self._copied > max(MOST_UNQUESTIONED, MOST_EXPANSION * self._packed.tell())
        ):
            message = (
                f"unpacks to more than {MOST_EXPANSION} times its size, which is more "
                "than text does"
            )
        else:
            return
        raise FormatError(message, place=self._name, hint=self._instead())

    def _instead(self) -> str:
        how = "write it to a file" if self._packed is None else "unpack it"
        return f"{how} first: a plain file is read where it is, whatever its size"
