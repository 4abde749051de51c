"""Reading the files of a lexicon."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from corefkit.exceptions import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def contents(path: Path) -> bytes:
    """Read a whole file; one that ends in `.gz` is unpacked."""
    # gzip is imported where it is needed, since few files are packed.
    try:
        if path.suffix == ".gz":
            import gzip

            return gzip.decompress(path.read_bytes())
        return path.read_bytes()
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = f"cannot be read: {reason}"
        hint = "fetch the file again, or check that you may read it"
        raise FormatError(
            message, code="model/invalid-lexicon", place=str(path), hint=hint
        ) from error


def text(path: Path) -> str:
    """Read a whole file as text."""
    found = contents(path)
    try:
        return found.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = found.count(b"\n", 0, error.start) + 1
        message = "the line has bytes that are not UTF-8"
        place = f"{path}:{line}"
        raise FormatError(
            message,
            code="model/invalid-lexicon",
            place=place,
            hint="save the file as UTF-8",
        ) from error


def rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Go through the lines with content: their numbers, and the fields between tabs.

    Lines that are blank or start with `#` are skipped.
    """
    for number, line in enumerate(text(path).split("\n"), start=1):
        if line.strip() and not line.startswith("#"):
            yield number, [field.strip() for field in line.split("\t")]
