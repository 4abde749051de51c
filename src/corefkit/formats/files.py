"""Files read by offset: plain, compressed, or copied from a pipe.

Files are opened by `open` and not by `Path`, whose import every start would pay.
"""

from __future__ import annotations

import io
import os
import stat
import sys
import zlib
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import cached_property
from threading import RLock
from typing import IO, TYPE_CHECKING, Self, cast

from corefkit.exceptions import FormatError
from corefkit.formats.problems import UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from io import FileIO

# Files read at a place of their own, which other processes do not move.
#
# A process and its children share the place of an open file: what one of them reads,
# the other passes over. Here every process keeps its own.


class Placed(io.RawIOBase):
    """An open file that is read by offset, at a place that nobody else moves.

    >>> from corefkit.example import paths
    >>> file = io.FileIO(paths()[0])
    >>> with Placed(file) as placed:
    ...     placed.read(6), file.tell()
    (b'#begin', 0)
    """

    def __init__(self, file: FileIO) -> None:
        self._file, self._offset = file, 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True: it can be read anywhere."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to an offset."""
        base = 0
        if whence == os.SEEK_CUR:
            base = self._offset
        elif whence == os.SEEK_END:
            base = os.fstat(self._file.fileno()).st_size
        self._offset = base + offset
        return self._offset

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read on from there."""
        found = read_at(self._file, self._offset, buffer)
        self._offset += found
        return found

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


def read_at(file: FileIO, offset: int, buffer: memoryview) -> int:
    """Read from an offset, and leave the file's own place where the system can."""
    if hasattr(os, "preadv"):
        return os.preadv(file.fileno(), [buffer], offset)
    file.seek(offset)
    return file.readinto(buffer) or 0


BLOCK = 1 << 20  # a few times this is worked with at once, and should stay in cache
_STREAMED = 1 << 18  # of one pass: the next block finds the cache warm
HEAD = 1 << 16  # enough to recognise a format
_STEP = 1 << 16
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
GZIP = b"\x1f\x8b"
_FAULTS = (OSError, EOFError, zlib.error)  # of the system, and of gzip

# Standard input, once somebody reads it; it cannot be read a second time.
_taken: list[object] = []


class ByteFile:
    """An input file that is read by offset; pipes and gzip are copied aside for it.

    They are copied as far as they are read, so that the first bytes tell the format of
    an endless one too. The name `-` is standard input. A file of less than a block is
    read once, and held.

    Attributes:
        name: what the user called the file.
        text_start: where the text begins: behind the byte-order mark, if there is one.
        head: the first bytes of the text, from which its format is recognised.

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
            size = max(BLOCK, HEAD)
            held = self._read(0, size)
        except BaseException:
            self.close()
            raise
        self._held = held if len(held) < size else None
        marked = held.startswith(BYTE_ORDER_MARK)
        self.text_start = len(BYTE_ORDER_MARK) if marked else 0
        self.head = held[self.text_start : self.text_start + HEAD]

    @cached_property
    def size(self) -> int:
        """How many bytes there are; a pipe or gzip is copied whole to know."""
        if self._held is not None:
            return len(self._held)
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
        """Close the file."""
        self._handle.close()

    def read(self, start: int, end: int) -> bytes:
        """Read the bytes from one offset up to another."""
        held = self._held
        return self._read(start, end) if held is None else held[start:end]

    def _read(self, start: int, end: int) -> bytes:
        try:
            with self._lock:
                self._handle.seek(start)
                return self._handle.read(end - start)
        except _FAULTS as error:
            raise _unreadable(self.name, error) from error

    def stream(self) -> tuple[Callable[[memoryview], int], int]:
        """Return a function that copies the text into memory, and how much to ask for.

        Each call copies what follows, as far as there is room; at the end, nothing.
        """
        place, held = self.text_start, self._held

        def copy(room: memoryview) -> int:
            nonlocal place
            if held is None:
                size = self._read_into(place, room)
            else:
                part = held[place : place + len(room)]
                room[: len(part)] = part
                size = len(part)
            place += size
            return size

        return copy, _STREAMED if held is None else len(held) + 1

    def _read_into(self, start: int, room: memoryview) -> int:
        try:
            with self._lock:
                self._handle.seek(start)
                # All handles are buffered, and have what IO does not declare.
                return cast("io.BufferedReader", self._handle).readinto(room)
        except _FAULTS as error:
            raise _unreadable(self.name, error) from error

    def blocks(self, start: int, end: int) -> Iterator[bytes]:
        """Yield the bytes between two offsets in blocks of whole lines."""
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
        """Yield the lines between two offsets, each with its offset, not its end."""
        for block in self.blocks(start, end):
            for line in block.removesuffix(b"\n").split(b"\n"):
                yield start, line.rstrip(b"\r")
                start += len(line) + 1

    def joined(self, stretches: Sequence[tuple[int, int]]) -> Iterable[list[bytes]]:
        """Read several stretches in blocks, each block a list of parts of whole lines.

        Small stretches share a block. A line end is added behind each, for a file whose
        last line has none.
        """
        if sum(end - start for start, end in stretches) < BLOCK:
            whole = (
                part
                for start, end in stretches
                for part in (self.read(start, end), b"\n")
            )
            return [list(whole)]
        return self._joined(stretches)

    def _joined(self, stretches: Iterable[tuple[int, int]]) -> Iterator[list[bytes]]:
        parts: list[bytes] = []
        size = 0
        for start, end in stretches:
            for part in self.blocks(start, end):
                parts.append(part)
                size += len(part)
                if size >= BLOCK:
                    yield parts
                    parts, size = [], 0
            parts.append(b"\n")
        yield parts

    def lines_with(self, sign: bytes) -> list[tuple[int, bytes]]:
        """Find the lines of the text that contain a sign, each with its offset."""
        found: list[tuple[int, bytes]] = []
        offset = self.text_start
        for block in self.blocks(offset, self.size):
            hit = block.find(sign)
            while hit >= 0:
                start = block.rfind(b"\n", 0, hit) + 1
                end = block.find(b"\n", hit) + 1 or len(block)
                found.append((offset + start, block[start:end]))
                hit = block.find(sign, end)
            offset += len(block)
        return found

    def line_number(self, offset: int) -> int:
        """Return the line in which an offset lies, counted from 1."""
        steps = offset // _STEP
        with self._lock:
            while len(self._newlines) <= steps:
                start = (len(self._newlines) - 1) * _STEP
                found = self.read(start, start + _STEP).count(b"\n")
                self._newlines.append(self._newlines[-1] + found)
        rest = self.read(steps * _STEP, offset).count(b"\n")
        return 1 + self._newlines[steps] + rest

    def format_place(self, offset: int) -> str:
        """Word an offset as `file:line`."""
        return f"{self.name}:{self.line_number(offset)}"


def _unreadable(name: str, error: Exception) -> FormatError:
    """Word that a file cannot be read."""
    reason = getattr(error, "strerror", None) or str(error)
    message = f"cannot be read: {reason}"
    return FormatError(message, code=UNREADABLE.code, place=name)


def _open(name: str) -> IO[bytes]:
    try:
        mode = 0 if name == "-" else os.stat(name).st_mode  # noqa: PTH116
        if stat.S_ISDIR(mode):
            message = "is a directory, expected a file"
            raise FormatError(
                message,
                code=UNREADABLE.code,
                place=name,
                hint="name the file inside it",
            )
        if stat.S_ISREG(mode):
            # ByteFile closes it.
            file = open(name, "rb", buffering=0)  # noqa: PTH123, SIM115
            return _unpacked(name, io.BufferedReader(Placed(file)))
        return _unpacked(name, _stream(name))
    except (*_FAULTS, ValueError) as error:  # there are names that no file can have
        raise _unreadable(name, error) from error


def _stream(name: str) -> IO[bytes]:
    """Open a pipe or standard input, to be read by offset."""
    # Imported here because few inputs need it and every start would pay.

    again = copy_of(name)
    if again is not None:
        return again
    handle = _standard_input() if name == "-" else open(name, "rb")  # noqa: PTH123, SIM115
    try:
        _refuse_device(name, handle, _mode(handle))
        return copied(name, handle)
    except BaseException:
        handle.close()
        raise


def _standard_input() -> IO[bytes]:
    stream = sys.stdin
    if stream is None or stream.closed or any(taken is stream for taken in _taken):
        message = "cannot be read: standard input is closed, or read already"
        raise FormatError(message, code=UNREADABLE.code, place="-")
    _taken.append(stream)
    return stream.buffer


def _mode(handle: IO[bytes]) -> int:
    """Return what kind of file standard input is; 0 where it is none."""
    try:
        return os.fstat(handle.fileno()).st_mode
    except OSError:
        return 0


def _refuse_device(name: str, handle: IO[bytes], mode: int) -> None:
    """Refuse devices that have no end, as /dev/zero; input at a terminal has one."""
    if stat.S_ISBLK(mode) or (
        stat.S_ISCHR(mode)
        and not handle.isatty()
        # /dev/null is an empty file.
        and handle.peek(1)  # type: ignore[attr-defined]
    ):
        message = "is a device, expected a file or a pipe"
        raise FormatError(message, code=UNREADABLE.code, place=name)


def _unpacked(name: str, handle: IO[bytes]) -> IO[bytes]:
    try:
        start = handle.read(len(GZIP))
        handle.seek(0)
        if start != GZIP:
            return handle
        import gzip

        # GzipFile can be read, which is all that is asked of it.
        stream: IO[bytes] = gzip.GzipFile(fileobj=handle)  # type: ignore[assignment]
        return io.BufferedReader(Aside(name, stream, packed=handle))
    except BaseException:
        handle.close()
        raise


_COPY_STEP_BYTES = 1 << 20
# At most so much is copied, so that an endless input does not fill the disk. Text packs
# to a tenth: a file that unpacks to much more than that was made to fill disks.
_GIB = 1 << 30
MOST_ASIDE = 4 * _GIB
MOST_UNQUESTIONED = _GIB // 4
MOST_EXPANSION = 100


class Aside(io.RawIOBase):
    """A stream that can be read by offset: copied aside as far as it is asked for.

    It is a pipe, or gzip as it is unpacked, whose `packed` bytes tell how far it is.
    """

    def __init__(
        self, name: str, stream: IO[bytes], *, packed: IO[bytes] | None = None
    ) -> None:
        self._name, self._stream, self._packed = name, stream, packed
        import tempfile

        self._copy = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - closed below
        self._offset = self._copied = 0
        self._whole = False

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True: it can be read anywhere."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to an offset; all is copied to go to the end."""
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
        found = read_at(self._copy, self._offset, buffer)
        self._offset += found
        return found

    def close(self) -> None:
        """Close the stream, and drop the copy."""
        if not self.closed:
            for stream in (self._stream, self._packed, self._copy):
                if stream is not None:
                    stream.close()
        super().close()

    def _copy_on(self) -> None:
        part = memoryview(self._stream.read(_COPY_STEP_BYTES))
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
            raise FormatError(
                message,
                code="environment/temporary-folder",
                place=self._name,
                hint=hint,
            ) from error

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
        raise FormatError(
            message, code="format/too-large", place=self._name, hint=self._instead()
        )

    def _instead(self) -> str:
        how = "write it to a file" if self._packed is None else "unpack it"
        return f"{how} first: a plain file is read where it is, whatever its size"


# What was copied aside, by name, where it may be opened again.
_copies: ContextVar[dict[str, Aside] | None] = ContextVar("copies", default=None)


@contextmanager
def opened_again() -> Iterator[None]:
    """Let pipes and standard input be opened again: copies stay until the end."""
    kept: dict[str, Aside] = {}
    token = _copies.set(kept)
    try:
        yield
    finally:
        _copies.reset(token)
        with ExitStack() as stack:
            for copy in kept.values():
                stack.callback(copy.close)


def copy_of(name: str) -> IO[bytes] | None:
    """Open the copy of a pipe that was opened before; None if there is none."""
    kept = _copies.get()
    return None if kept is None or name not in kept else _reader(kept[name])


def copied(name: str, stream: IO[bytes]) -> IO[bytes]:
    """Open a pipe, to be read by offset."""
    copy, kept = Aside(name, stream), _copies.get()
    if kept is None:
        return io.BufferedReader(copy)
    kept[name] = copy
    return _reader(copy)


def _reader(copy: Aside) -> IO[bytes]:
    return io.BufferedReader(_Lent(copy))


class _Lent(io.RawIOBase):
    """A copy that stays when its reader is closed; each reader has its own offset."""

    def __init__(self, copy: Aside) -> None:
        self._copy, self._offset = copy, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = self._offset if whence == os.SEEK_CUR else 0
        where = os.SEEK_SET if whence == os.SEEK_CUR else whence
        self._offset = self._copy.seek(base + offset, where)
        return self._offset

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self._copy.seek(self._offset)
        found = self._copy.readinto(buffer)
        self._offset += found
        return found
