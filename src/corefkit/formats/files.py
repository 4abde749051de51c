"""Files read by offset: plain, compressed, or copied from a pipe; and the kernel.

The kernel is compiled and optional: it reads plain files of CoNLL-2012, SemEval-2010
and CoNLL-U in one pass. Without it, Python reads the same columns. The variable
`COREFKIT_KERNEL` selects it: `auto`, the default, uses the kernel if it was built;
`off` does not; `require` raises an error without it.
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
from importlib import import_module
from threading import RLock
from typing import IO, TYPE_CHECKING, Any, Protocol, Self, cast

from corefkit.exceptions import FormatError, SettingsError
from corefkit.formats.problems import UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from io import FileIO

BLOCK = 1 << 20  # bytes that are read at a time; a few blocks fit the cache
HEAD = 1 << 16  # bytes that suffice to recognise a format
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
GZIP = b"\x1f\x8b"
_STREAM_BYTES = 1 << 18  # read at a time in one pass, so that they stay in the cache
_STEP = 1 << 16  # bytes between two offsets with known line numbers
_COPY_BYTES = 1 << 20  # copied at a time
# An endless input must not fill the disk. Text is compressed to about a tenth, so that
# a file that is much larger after decompression was made to fill disks.
_GIB = 1 << 30
MAX_COPY_BYTES = 4 * _GIB
MAX_SAFE_BYTES = _GIB // 4  # accepted whatever the expansion
MAX_EXPANSION = 100

VARIABLE = "COREFKIT_KERNEL"
_MODES = ("auto", "require", "off")
_KERNEL_HINT = "install corefkit with a C compiler, or set COREFKIT_KERNEL=auto"
_KERNEL_VERSION = 4  # of the interface; a kernel built from other sources is ignored


def load_kernel() -> Any:
    """Return the kernel; None if it was not built or is disabled by `VARIABLE`."""
    mode = _read_mode()
    built = None if mode == "off" else _import_kernel()
    if built is None and mode == "require":
        message = f"{VARIABLE} is 'require', but the kernel was not built"
        raise SettingsError(message, code="environment/no-kernel", hint=_KERNEL_HINT)
    return built


def describe_kernel() -> str:
    """Describe whether the kernel is used, for `corefkit --version`."""
    if _read_mode() == "off":
        return "kernel off"
    return "with kernel" if _import_kernel() else "without kernel"


def _read_mode() -> str:
    mode = os.environ.get(VARIABLE) or "auto"
    if mode not in _MODES:
        message = f"{VARIABLE} is {mode!r}, expected one of {', '.join(_MODES)}"
        raise SettingsError(message, code="settings/invalid-value")
    return mode


def _import_kernel() -> Any:
    try:
        module = import_module("corefkit._kernel")
    except ImportError:
        return None
    return module if getattr(module, "VERSION", 1) == _KERNEL_VERSION else None


class ByteFile:
    """An input file that is read by offset; the name `-` is standard input.

    Pipes and compressed files are copied to a temporary file, as far as they are read:
    the first bytes of an endless pipe suffice to recognise its format. A file that is
    smaller than a block is read once, and kept in memory. With `content`, there is no
    file, and the path is a display name.
    """

    def __init__(
        self, path: str | os.PathLike[str], content: bytes | None = None
    ) -> None:
        self.name = os.fspath(path)
        self._handle: IO[bytes] = (
            _open_file(self.name) if content is None else io.BytesIO(content)
        )
        self._lock = RLock()  # threads share the position of the handle
        self._newlines = [0]  # the number of newlines before each step of the file
        try:
            size = max(BLOCK, HEAD)
            start = self._read(0, size)
        except BaseException:
            self.close()
            raise
        self._content = start if len(start) < size else None
        has_mark = start.startswith(BYTE_ORDER_MARK)
        self.text_start = len(BYTE_ORDER_MARK) if has_mark else 0  # an offset
        self.head = start[self.text_start : self.text_start + HEAD]

    @cached_property
    def size(self) -> int:
        """The number of bytes; a pipe or compressed file is copied to determine it."""
        if self._content is not None:
            return len(self._content)
        with self._lock, _convert_read_errors(self.name):
            return self._handle.seek(0, os.SEEK_END)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        self._handle.close()

    def read(self, start: int, end: int) -> bytes:
        content = self._content
        return self._read(start, end) if content is None else content[start:end]

    def _read(self, start: int, end: int) -> bytes:
        with self._lock, _convert_read_errors(self.name):
            self._handle.seek(start)
            return self._handle.read(end - start)

    def read_at(self, offset: int, buffer: memoryview) -> int:
        """Fill a buffer from an offset on; return the number of bytes."""
        content = self._content
        if content is not None:
            part = content[offset : offset + len(buffer)]
            buffer[: len(part)] = part
            return len(part)
        with self._lock, _convert_read_errors(self.name):
            self._handle.seek(offset)
            # All handles are buffered, so they have a method that IO lacks.
            return cast("io.BufferedReader", self._handle).readinto(buffer)

    def stream(self) -> tuple[Callable[[memoryview], int], int]:
        """Return a function that fills a buffer with the next bytes, and a buffer size.

        It returns the number of bytes: 0 at the end.
        """
        offset = self.text_start

        def fill_buffer(buffer: memoryview) -> int:
            nonlocal offset
            size = self.read_at(offset, buffer)
            offset += size
            return size

        content = self._content
        return fill_buffer, _STREAM_BYTES if content is None else len(content) + 1

    def call_kernel(self, function: str, *options: int) -> tuple[Any, ...] | None:
        """Pass the text to a function of the kernel, which fetches it in blocks.

        Documents that are not plain are only marked. Returns None without the kernel,
        if memory runs out, or if the documents cannot be separated; then Python reads
        the file.
        """
        kernel = load_kernel()
        if kernel is None:
            return None
        fill_buffer, size = self.stream()
        read: Callable[..., tuple[Any, ...] | None] = getattr(kernel, function)
        return read(fill_buffer, self.text_start, *options, size)

    def blocks(self, start: int, end: int) -> Iterator[bytes]:
        """Iterate over the bytes between two offsets, in blocks of complete lines."""
        parts: list[bytes] = []  # of a line that is longer than a block
        while start < end:
            stop = min(end, start + BLOCK)
            part = self.read(start, stop)
            start = stop
            cut = len(part) if start >= end else part.rfind(b"\n") + 1
            if cut:
                yield b"".join((*parts, part[:cut]))
                parts = []
            parts.append(part[cut:])

    def lines(self, start: int, end: int) -> Iterator[tuple[int, bytes]]:
        """Iterate over the lines between two offsets, with the offset of each."""
        for block in self.blocks(start, end):
            for line in block.removesuffix(b"\n").split(b"\n"):
                yield start, line.rstrip(b"\r")
                start += len(line) + 1

    def lines_with(self, sign: bytes) -> list[tuple[int, bytes]]:
        """List the lines of the text that contain a sign, with the offset of each."""
        lines: list[tuple[int, bytes]] = []
        offset = self.text_start
        for block in self.blocks(offset, self.size):
            position = block.find(sign)
            while position >= 0:
                start = block.rfind(b"\n", 0, position) + 1
                end = block.find(b"\n", position) + 1 or len(block)
                lines.append((offset + start, block[start:end]))
                position = block.find(sign, end)
            offset += len(block)
        return lines

    def line_number(self, offset: int) -> int:
        """Return the number of the line that contains an offset, counted from 1."""
        steps = offset // _STEP
        with self._lock:
            while len(self._newlines) <= steps:
                start = (len(self._newlines) - 1) * _STEP
                newlines = self.read(start, start + _STEP).count(b"\n")
                self._newlines.append(self._newlines[-1] + newlines)
        newlines = self.read(steps * _STEP, offset).count(b"\n")
        return 1 + self._newlines[steps] + newlines

    def format_place(self, offset: int) -> str:
        return f"{self.name}:{self.line_number(offset)}"


@contextmanager
def _convert_read_errors(name: str, other: type[Exception] = OSError) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, zlib.error, other) as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = f"cannot be read: {reason}"
        raise FormatError(message, code=UNREADABLE.code, place=name) from error


def _open_file(name: str) -> IO[bytes]:
    with _convert_read_errors(name, ValueError):  # of invalid names
        mode = 0 if name == "-" else os.stat(name).st_mode  # noqa: PTH116
        if stat.S_ISDIR(mode):
            message, hint = "is a directory, expected a file", "name the file inside it"
            raise FormatError(message, code=UNREADABLE.code, place=name, hint=hint)
        if stat.S_ISREG(mode):
            # ByteFile closes it. A Path would have to be imported first.
            file = open(name, "rb", buffering=0)  # noqa: PTH123, SIM115
            return _decompress(name, _buffer(PlainContent(file)))
        return _decompress(name, _open_pipe(name))


def _decompress(name: str, handle: IO[bytes]) -> IO[bytes]:
    try:
        start = handle.read(len(GZIP))
        handle.seek(0)
        if start != GZIP:
            return handle
        import gzip

        # GzipFile is not an IO, but can be read.
        stream: IO[bytes] = gzip.GzipFile(fileobj=handle)  # type: ignore[assignment]
        return _buffer(StreamCopy(name, stream, compressed=handle))
    except BaseException:
        handle.close()
        raise


# Copies of pipes by name, while they are kept.
_copies: ContextVar[dict[str, StreamCopy] | None] = ContextVar("copies", default=None)
# Standard input after it was opened, because it cannot be read twice.
_read_inputs: list[object] = []


@contextmanager
def keep_pipes_open() -> Iterator[None]:
    """Keep copies of pipes and standard input, so that they can be opened again."""
    copies: dict[str, StreamCopy] = {}
    token = _copies.set(copies)
    try:
        yield
    finally:
        _copies.reset(token)
        with ExitStack() as stack:
            for copy in copies.values():
                stack.callback(copy.close)


def _open_pipe(name: str) -> IO[bytes]:
    """Open a pipe or standard input, to be read by offset."""
    copies = _copies.get()
    if copies is not None and name in copies:
        return _buffer(copies[name], owned=False)
    stream = _open_standard_input() if name == "-" else open(name, "rb")  # noqa: PTH123, SIM115
    try:
        _reject_device(name, stream)
        copy = StreamCopy(name, stream)
    except BaseException:
        stream.close()
        raise
    if copies is not None:
        copies[name] = copy
    return _buffer(copy, owned=copies is None)


def _open_standard_input() -> IO[bytes]:
    stream = sys.stdin
    if stream is None or stream.closed or any(stream is used for used in _read_inputs):
        message = "cannot be read: standard input is closed, or was already read"
        raise FormatError(message, code=UNREADABLE.code, place="-")
    _read_inputs.append(stream)
    return stream.buffer


def _reject_device(name: str, stream: IO[bytes]) -> None:
    """Raise FormatError for endless devices such as /dev/zero, but not terminals."""
    try:
        mode = os.fstat(stream.fileno()).st_mode
    except OSError:
        return  # not a file of the system
    is_endless = (
        stat.S_ISCHR(mode)
        and not stream.isatty()
        # /dev/null is an empty file.
        and stream.peek(1)  # type: ignore[attr-defined]
    )
    if stat.S_ISBLK(mode) or is_endless:
        message = "is a device, expected a file or a pipe"
        raise FormatError(message, code=UNREADABLE.code, place=name)


# Content that is read by offset.
#
# Readers have their own position, because a process and its children share the position
# of an open file.


class Content(Protocol):
    """Bytes that are read by offset."""

    @property
    def size(self) -> int:
        """The number of bytes."""

    def read_at(self, offset: int, buffer: memoryview) -> int:
        """Fill a buffer from an offset on; return the number of bytes."""

    def close(self) -> None:
        """Release the content."""


class OffsetReader(io.RawIOBase):
    """A stream over content that has its own position."""

    def __init__(self, content: Content, *, owned: bool = True) -> None:
        self._content, self._owned = content, owned
        self._offset = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        if whence == os.SEEK_CUR:
            offset += self._offset
        elif whence == os.SEEK_END:
            offset += self._content.size
        self._offset = offset
        return offset

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        size = self._content.read_at(self._offset, buffer)
        self._offset += size
        return size

    def close(self) -> None:
        if self._owned and not self.closed:
            self._content.close()
        super().close()


def _buffer(content: Content, *, owned: bool = True) -> IO[bytes]:
    return io.BufferedReader(OffsetReader(content, owned=owned))


class PlainContent:
    """The content of an open file, whose own position does not change."""

    def __init__(self, file: FileIO) -> None:
        self._file = file

    def read_at(self, offset: int, buffer: memoryview) -> int:
        if hasattr(os, "preadv"):
            return os.preadv(self._file.fileno(), [buffer], offset)
        self._file.seek(offset)
        return self._file.readinto(buffer) or 0

    @property
    def size(self) -> int:
        return os.fstat(self._file.fileno()).st_size

    def close(self) -> None:
        self._file.close()


class StreamCopy:
    """A pipe or decompressed file, copied to a temporary file as far as it is read."""

    def __init__(
        self, name: str, stream: IO[bytes], *, compressed: IO[bytes] | None = None
    ) -> None:
        import tempfile

        self._name, self._stream, self._compressed = name, stream, compressed
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - closed below
        self._copy = PlainContent(self._file)
        self._size = 0
        self._is_complete = False

    def read_at(self, offset: int, buffer: memoryview) -> int:
        while self._size < offset + len(buffer) and not self._is_complete:
            self._copy_block()
        return self._copy.read_at(offset, buffer)

    @property
    def size(self) -> int:
        """The number of bytes; the entire stream is copied to determine it."""
        while not self._is_complete:
            self._copy_block()
        return self._size

    def close(self) -> None:
        for stream in (self._stream, self._compressed, self._file):
            if stream is not None:
                stream.close()

    def _copy_block(self) -> None:
        block = memoryview(self._stream.read(_COPY_BYTES))
        self._is_complete = not block
        self._size += len(block)
        self._check_size()
        try:
            self._file.seek(0, os.SEEK_END)
            while block:
                block = block[self._file.write(block) :]
        except OSError as error:
            import tempfile

            message = f"cannot be copied to {tempfile.gettempdir()}: {error.strerror}"
            hint = f"{self._hint}, or set TMPDIR to a folder with more space"
            code = "environment/temporary-folder"
            raise FormatError(
                message, code=code, place=self._name, hint=hint
            ) from error

    def _check_size(self) -> None:
        if self._size > MAX_COPY_BYTES:
            limit = f"{MAX_COPY_BYTES / _GIB:g} GiB"
            message = f"has more than {limit}, too much for a temporary file"
        elif self._compressed is not None and self._size > max(
            MAX_SAFE_BYTES, MAX_EXPANSION * self._compressed.tell()
        ):
            message = (
                f"expands to more than {MAX_EXPANSION} times its size, which text "
                "does not"
            )
        else:
            return
        raise FormatError(
            message, code="format/too-large", place=self._name, hint=self._hint
        )

    @property
    def _hint(self) -> str:
        step = "write it to a file" if self._compressed is None else "decompress it"
        return f"{step} first: plain files of any size are read in place"
