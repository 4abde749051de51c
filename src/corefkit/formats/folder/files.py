"""Which files of a folder are read.

1.  Every file in the folder and below it, in the order of their paths. Hidden ones,
    whose names begin with a dot, are skipped with everything below them.
2.  Files of no known format, such as the texts of annotations, are skipped, unless
    others with the same ending are read: those are broken, and refused.
3.  Anything that might be part of the corpus and cannot be read is refused: a link that
    leads nowhere or to another folder, a pipe, a folder or file that may not be opened.
    A link back into the folder, or to one that contains it, adds nothing and is
    skipped.
"""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.exceptions import FormatError
from corefkit.formats import recognised
from corefkit.formats.bytefile import ByteFile

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from corefkit.formats import Format

_HEAD = 1 << 16
_HINT = "move it elsewhere, or name the files to read"


def folder_files(
    folder: str | os.PathLike[str],
    *,
    format: str | None = None,
    reference: bool = False,
) -> list[Path]:
    """Find the files to read below a folder, in the order of their paths.

    Files of another format than the one named are left out. As the reference scorer
    does, `reference` accepts a file without any document.
    """
    errors: dict[Path, FormatError] = {}
    known: list[Path] = []
    for path in sorted(_files_below(Path(folder), Path(folder).resolve())):
        with ByteFile(path) as file:
            file.read(0, _HEAD)  # anything that cannot be read is refused
            try:
                row = recognised(file, format, otherwise="conll" if reference else None)
                if format is not None:
                    _check_companion(file, row)
            except FormatError as error:
                errors[path] = error
            else:
                known.append(path)
    endings = {path.suffix for path in known}
    for path, found in errors.items():
        if path.suffix in endings or (format is not None and not known):
            raise found
    if not known:
        message = "no file of a known format is in this folder"
        raise FormatError(message, place=str(folder))
    return known


def _check_companion(file: ByteFile, format: Format) -> None:
    """Refuse a file of another format than the one named, such as a plain text."""
    head = file.read(file.text_start, file.text_start + _HEAD)
    if not format.recognise(head) and not file.name.endswith(format.suffixes):
        message = f"is not {format.label}"
        raise FormatError(message, place=file.name)


def _files_below(folder: Path, top: Path) -> Iterator[Path]:
    """Iterate over the files below a folder; `top` is the folder to be read."""
    try:
        paths = list(folder.iterdir())
    except OSError as error:
        raise _unreadable(folder, error) from error
    for path in paths:
        if path.name.startswith("."):
            continue
        try:
            mode = path.stat().st_mode
        except OSError as error:
            raise _unreadable(path, error) from error
        if stat.S_ISREG(mode):
            yield path
        elif not stat.S_ISDIR(mode):
            message = "is neither a file nor a folder, expected files"
            raise FormatError(message, place=str(path), hint=_HINT)
        elif not path.is_symlink():
            yield from _files_below(path, top)
        else:
            _check_link(path, top)


def _check_link(path: Path, top: Path) -> None:
    """Refuse a link to a folder whose files are not read anyway."""
    target = path.resolve()
    if not target.is_relative_to(top) and not top.is_relative_to(target):
        message = f"is a link to the folder {target}, which is not followed"
        raise FormatError(message, place=str(path), hint=_HINT)


def _unreadable(path: Path, error: OSError) -> FormatError:
    reason = error.strerror or str(error)
    return FormatError(f"cannot be read: {reason}", place=str(path), hint=_HINT)
