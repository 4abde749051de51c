"""Parquet files by path, folder or glob, and where rows of tables stand."""

from __future__ import annotations

import errno
import glob
import os
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from corefkit.exceptions import FormatError

_ENDING = ".parquet"


def parquet_files(path: str) -> list[str]:
    """List the Parquet files that a path, a folder or a glob stands for, in order.

    A path with `://` is left to the engine.
    """
    if "://" in path:
        return [path]
    if Path(path).is_dir():
        found = sorted(
            str(file)
            for file in Path(path).rglob(f"*{_ENDING}")
            if file.is_file() and not _is_hidden(file.relative_to(path))
        )
        if not found:
            message = f"the folder has no file that ends in {_ENDING}"
            raise FormatError(message, place=path, hint="name the files by a glob")
        return found
    if Path(path).exists():
        return [path]
    found = sorted(file for file in glob.glob(path, recursive=True))  # noqa: PTH207
    if not found:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return found


def _is_hidden(path: Path) -> bool:
    """Tell what is no part of a table: work that others left unfinished, for example.

    >>> _is_hidden(Path("_temporary/0/part.parquet")), _is_hidden(Path("a/b.parquet"))
    (True, False)
    """
    return any(part.startswith(("_", ".")) for part in path.parts)


@dataclass(frozen=True, slots=True)
class FileRows:
    """Where the rows of files stand, by their places: the file, and the row in it.

    >>> where = FileRows(("a.parquet", "b.parquet"))
    >>> where(where.rows + 2)
    'b.parquet:3'
    """

    files: tuple[str, ...]
    rows: ClassVar[int] = 1 << 40  # more than any file has

    def __call__(self, place: int) -> str:
        """Return the place of a row, counted from 1."""
        file, row = divmod(place, self.rows)
        return f"{self.files[file]}:{row + 1}"


@dataclass(frozen=True, slots=True)
class FrameRows:
    """Where the rows of a data frame stand, by their places."""

    name: str

    def __call__(self, place: int) -> str:
        """Return the place of a row, counted from 0 as data frames do."""
        return f"{self.name}, row {place}"
