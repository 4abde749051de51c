"""Places to write to, tried before long work, so that what is wrong is told at once."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    import os


def check_file(path: str | os.PathLike[str]) -> None:
    """Refuse a file that could not be written in the end.

    Raises:
        CorefkitError: it is a folder, or nothing can be written beside it.
    """
    place = Path(path)
    if place.is_dir():
        message = "cannot be written: it is a folder, expected a file"
        raise CorefkitError(message, place=str(path))
    _try(place.absolute().parent, str(path))


def check_folder(path: str | os.PathLike[str]) -> None:
    """Refuse a folder that could not be made, or written to, in the end.

    Raises:
        CorefkitError: it is a file, or nothing can be written in it or around it.
    """
    place = Path(path).absolute()
    there = next(one for one in (place, *place.parents) if one.exists())
    if not there.is_dir():
        message = f"cannot be written: {str(there)!r} is a file, expected a folder"
        raise CorefkitError(message, place=str(path))
    _try(there, str(path))


def _try(folder: Path, place: str) -> None:
    """Write to a folder; what is written has no name, and nothing is left behind."""
    try:
        with TemporaryFile(dir=folder, prefix=".corefkit-") as file:
            file.write(b"\n")
    except OSError as error:
        message = f"cannot be written: {error.strerror}"
        hint = "name a place that is there, and in which you may write"
        raise CorefkitError(message, place=place, hint=hint) from error
