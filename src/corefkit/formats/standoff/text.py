"""The text next to a file that points into it, as in brat and LitBank."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import FormatError, quoted
from corefkit.formats.bytefile import ByteFile
from corefkit.formats.faults import SAVE_AS_UTF8
from corefkit.formats.kinds import NOT_UTF8

if TYPE_CHECKING:
    from collections.abc import Collection

    from corefkit.formats.documents import Extent
    from corefkit.formats.faults import Faults


class TextFile(NamedTuple):
    """The text of an annotation, and the path of its file."""

    path: str
    text: str


def text_beside(
    file: ByteFile, extent: Extent, names: Collection[str], faults: Faults, *, hint: str
) -> TextFile | None:
    """Read the text of an annotation: the first of some files in its folder.

    Where there is none, or it cannot be read, that goes to `faults`.
    """
    line = file.line_number(extent.start)
    try:
        found = _bytes_beside(file, *names, *(f"{name}.gz" for name in names))
    except (FormatError, OSError) as error:
        reason = error.message if isinstance(error, FormatError) else error.strerror
        message = f"the text {quoted(next(iter(names)))} next to this file {reason}"
        faults(line, message, hint)
        return None
    if found is None:
        message = f"the text {' or '.join(map(quoted, names))} is not next to this file"
        faults(line, message, hint)
        return None
    return _decoded(*found, faults)


def _bytes_beside(file: ByteFile, *names: str) -> tuple[str, bytes] | None:
    """Read the first of some files in the folder of another; return its path too."""
    for name in names if file.name != "-" else ():
        path = Path(file.name).with_name(name)
        if path.is_file():
            with ByteFile(path) as beside:
                return str(path), beside.read(0, beside.size)
    return None


def _decoded(path: str, content: bytes, faults: Faults) -> TextFile | None:
    """Decode a text; a byte-order mark becomes a blank, so that offsets stay."""
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = 1 + content.count(b"\n", 0, error.start)
        message = f"byte {error.start + 1} of the file is not UTF-8"
        faults.of(path)(line, message, SAVE_AS_UTF8, kind=NOT_UTF8)
        return None
    return TextFile(path, f" {text[1:]}" if text.startswith("\ufeff") else text)


def blank_before(text: str) -> str:
    r"""Return a blank for a text whose first word begins like a byte-order mark.

    At the very start of a file it would not be read as part of the word.

    >>> blank_before("\ufeffAnn left"), blank_before("Ann left")
    (' ', '')
    """
    return " " if text.startswith("\ufeff") else ""
