"""Pipes and gzip, copied aside as they are read, so that they can be read by offset."""

from __future__ import annotations

import io
import os
import tempfile
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import IO, TYPE_CHECKING

from corefkit.exceptions import FormatError
from corefkit.formats.placed import read_at

if TYPE_CHECKING:
    from collections.abc import Iterator

_STEP = 1 << 20
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
        part = memoryview(self._stream.read(_STEP))
        self._whole = not part
        self._copied += len(part)
        self._refuse_too_much()
        try:
            self._copy.seek(0, os.SEEK_END)
            while part:
                part = part[self._copy.write(part) :]
        except OSError as error:
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
