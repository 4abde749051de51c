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
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import FormatError
from corefkit.formats import recognised
from corefkit.formats.bytefile import ByteFile

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from corefkit.formats import Format

_HEAD = 1 << 16
_HINT = "move it elsewhere, or name the files to read"


class FolderFiles(NamedTuple):
    """The files below a folder.

    Attributes:
        known: those to read, in the order of their paths.
        errors: why others are refused, by their paths; a folder is read only if there
            are none.
    """

    known: list[Path]
    errors: dict[Path, FormatError]


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
    found = sorted_files(folder, format=format, reference=reference)
    if found.errors:
        raise next(iter(found.errors.values()))
    return found.known


def sorted_files(
    folder: str | os.PathLike[str],
    *,
    format: str | None = None,
    reference: bool = False,
) -> FolderFiles:
    """Tell the files to read below a folder from those that are refused."""
    errors: dict[Path, FormatError] = {}
    unknown: dict[Path, FormatError] = {}
    known: list[Path] = []
    for path in sorted(_files_below(Path(folder), Path(folder).resolve(), errors)):
        try:
            with ByteFile(path) as file:
                file.read(0, _HEAD)  # anything that cannot be read is refused
                refusal = _refusal(file, format, reference=reference)
        except FormatError as error:
            errors[path] = error
            continue
        if refusal is None:
            known.append(path)
        else:
            unknown[path] = refusal
    endings = {path.suffix for path in known}
    errors |= {
        path: refusal
        for path, refusal in unknown.items()
        if path.suffix in endings or (format is not None and not known)
    }
    if not known and not errors:
        message = "no file of a known format is in this folder"
        errors[Path(folder)] = FormatError(message, place=str(folder))
    return FolderFiles(known, errors)


def _refusal(
    file: ByteFile, format: str | None, *, reference: bool
) -> FormatError | None:
    """Return why a file is not in the format named, or in none; None where it is."""
    try:
        row = recognised(file, format, otherwise="conll" if reference else None)
        if format is not None:
            _check_companion(file, row)
    except FormatError as error:
        return error
    return None


def _check_companion(file: ByteFile, format: Format) -> None:
    """Refuse a file of another format than the one named, such as a plain text."""
    head = file.read(file.text_start, file.text_start + _HEAD)
    if not format.recognise(head) and not file.name.endswith(format.suffixes):
        message = f"is not {format.label}"
        raise FormatError(message, place=file.name)


def _files_below(
    folder: Path, top: Path, errors: dict[Path, FormatError]
) -> Iterator[Path]:
    """Iterate over the files below a folder; `top` is the folder to be read.

    What cannot be one, and might hold some, goes to `errors`.
    """
    try:
        paths = list(folder.iterdir())
    except OSError as error:
        errors[folder] = _unreadable(folder, error)
        return
    for path in paths:
        if path.name.startswith("."):
            continue
        try:
            mode = path.stat().st_mode
        except OSError as error:
            errors[path] = _unreadable(path, error)
            continue
        if stat.S_ISREG(mode):
            yield path
        elif not stat.S_ISDIR(mode):
            message = "is neither a file nor a folder, expected files"
            errors[path] = FormatError(message, place=str(path), hint=_HINT)
        elif not path.is_symlink():
            yield from _files_below(path, top, errors)
        elif wrong := _wrong_link(path, top):
            errors[path] = wrong


def _wrong_link(path: Path, top: Path) -> FormatError | None:
    """Return an error for a link to a folder whose files are not read anyway."""
    target = path.resolve()
    if target.is_relative_to(top) or top.is_relative_to(target):
        return None
    message = f"is a link to the folder {target}, which is not followed"
    return FormatError(message, place=str(path), hint=_HINT)


def _unreadable(path: Path, error: OSError) -> FormatError:
    reason = error.strerror or str(error)
    return FormatError(f"cannot be read: {reason}", place=str(path), hint=_HINT)
