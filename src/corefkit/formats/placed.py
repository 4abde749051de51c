"""Files read at a place of their own, which other processes do not move.

A process and its children share the place of an open file: what one of them reads, the
other passes over. Here every process keeps its own.
"""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from io import FileIO


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
