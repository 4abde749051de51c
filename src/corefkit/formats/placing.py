"""Files that are written: whole or not at all, and with the rights that they had.

A file is written to a folder next to its target and moved there when it is finished. A
link stays, and the file that it leads to is replaced; a read-only file is not.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import TYPE_CHECKING

from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Iterator

_ANYBODY = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


@contextmanager
def replacing(target: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a path to write to; what is there in the end goes to the target.

    Raises:
        CorefkitError: the target cannot be written; it is as it was.

    >>> with TemporaryDirectory() as folder:
    ...     with replacing(f"{folder}/story.txt") as path:
    ...         _ = path.write_text("Once")
    ...     Path(f"{folder}/story.txt").read_text()
    'Once'
    """
    check_place(target)
    with unfinished(target) as folder:
        out = real_path(target)
        yield folder / out.name
        put(folder / out.name, out)


@contextmanager
def unfinished(target: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a folder next to a target, and remove it in the end, whatever happens."""
    home = real_path(target).parent
    with (
        saying_where(target),
        TemporaryDirectory(dir=home, prefix=".corefkit-") as folder,
    ):
        yield Path(folder)


@contextmanager
def saying_where(target: str | os.PathLike[str]) -> Iterator[None]:
    """Turn what the system says about writing into an error that names the target."""
    try:
        yield
    except BrokenPipeError:  # the reader has gone, which is no fault
        raise
    except OSError as error:
        message = f"cannot be written: {error.strerror or error}"
        raise CorefkitError(message, place=os.fspath(target)) from error


def check_place(target: str | os.PathLike[str]) -> None:
    """Refuse a target that cannot be written, before any work is done for it.

    >>> check_place("no/such/folder/story.txt")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    corefkit.exceptions.CorefkitError: no/such/folder/story.txt: cannot be written: ...
    """
    out = real_path(target)
    message = ""
    with saying_where(target):
        os.stat(f"{out.parent}/")  # noqa: PTH116 - a Path forgets that it is a folder
        if out.is_symlink():
            message = "is a link that leads in a circle"
        elif out.is_dir():
            message = "is a folder, expected a file to write"
        elif out.exists() and not out.is_file():
            message = "is a device or a pipe, expected a file to write"
        elif out.exists() and _is_read_only(out):
            message = "is read-only, and stays as it is"
    if message:
        hint = "write to another place"
        raise CorefkitError(message, place=os.fspath(target), hint=hint)
    _try(out.parent, target)


def check_folder(target: str | os.PathLike[str]) -> None:
    """Refuse a folder that could not be made, or written to, in the end.

    Raises:
        CorefkitError: it is a file, or nothing can be written in it or around it.
    """
    place = Path(target).absolute()
    there = next(path for path in (place, *place.parents) if path.exists())
    if not there.is_dir():
        message = f"cannot be written: {str(there)!r} is a file, expected a folder"
        raise CorefkitError(message, place=os.fspath(target))
    _try(there, target)


def _try(folder: Path, target: str | os.PathLike[str]) -> None:
    """Write to a folder; what is written has no name, and nothing is left behind."""
    with saying_where(target), TemporaryFile(dir=folder, prefix=".corefkit-") as file:
        file.write(b"\n")


def real_path(target: str | os.PathLike[str]) -> Path:
    """Return the path that a link leads to in the end."""
    return Path(os.path.realpath(target))


def put(path: Path, out: Path) -> None:
    """Move a finished file to its place, with the rights of the file that was there."""
    check_place(out)
    if out.exists():
        before = out.stat()
        with suppress(OSError, AttributeError):  # only root gives files away
            os.chown(path, before.st_uid, before.st_gid)
        path.chmod(stat.S_IMODE(before.st_mode))
    path.replace(out)


def _is_read_only(out: Path) -> bool:
    # Root may write everything, but does not mean to where nobody else may.
    return not out.stat().st_mode & _ANYBODY or not os.access(out, os.W_OK)
