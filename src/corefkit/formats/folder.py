"""A folder of files as one input: every file in it that is of a known format."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.columns import join_columns
from corefkit.exceptions import FormatError
from corefkit.formats import open_source, recognised
from corefkit.formats.bytefile import ByteFile

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from corefkit.columns import Columns
    from corefkit.formats import Format
    from corefkit.formats.source import Source, Word
    from corefkit.model import Document


def folder_files(
    folder: str | os.PathLike[str], *, format: str | None = None
) -> list[Path]:
    """Find the files to read below a folder, in order of their names.

    Files of no known format, such as the texts beside annotations, are left out, unless
    others with the same ending are read: those are broken, and refused.
    """
    files = [path for path in sorted(Path(folder).rglob("*")) if _is_input(path)]
    errors: dict[Path, FormatError] = {}
    for path in files:
        try:
            with ByteFile(path) as file:
                row = recognised(file, format)
                if format is not None:
                    _check_companion(file, row)
        except FormatError as error:
            errors[path] = error
    known = [path for path in files if path not in errors]
    endings = {path.suffix for path in known}
    for path, found in errors.items():
        if path.suffix in endings or (format is not None and not known):
            raise found
    if not known:
        message = "no file of a known format is in this folder"
        raise FormatError(message, place=str(folder))
    return known


def _check_companion(file: ByteFile, format: Format) -> None:
    """Refuse a file that is not of the named format, as texts beside annotation."""
    head = file.read(file.text_start, file.text_start + (1 << 16))
    if not format.recognise(head) and not file.name.endswith(format.suffixes):
        message = f"is not {format.label}"
        raise FormatError(message, place=file.name)


def _is_input(path: Path) -> bool:
    return path.is_file() and not path.name.startswith(".")


class FolderSource:
    """The documents of all files of a folder, one file behind the other.

    A corpus may have more files than may be open at once: one is, at any time.
    """

    def __init__(
        self, folder: str | os.PathLike[str], *, format: str | None, response: bool
    ) -> None:
        self.name = str(folder)
        self.verbatim = False
        self._format, self._response = format, response
        self._files = folder_files(folder, format=format)
        self._number, self._source = 0, self._opened(0)
        self.ids: list[str] = []
        self.sizes: list[int] = []
        self._first = [0]
        self.running = False
        for number in range(len(self._files)):
            source = self._opened_at(number)
            self.ids.extend(source.ids)
            self.sizes.extend(source.sizes)
            self.running |= source.running
            self._first.append(len(self.ids))

    def close(self) -> None:
        """Close the file that is open."""
        self._source.close()

    def place(self, number: int) -> str:
        """Say where a document begins, as `file:line`."""
        source, number = self._at(number)
        return source.place(number)

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some documents, in the order asked for."""
        parts = []
        for number in numbers:
            source, inside = self._at(number)
            parts.append(source.columns([inside]))
        return join_columns(parts)

    def document(self, number: int) -> Document:
        """Read one document as an object."""
        source, number = self._at(number)
        return source.document(number)

    def words(self, number: int) -> Iterator[Word]:
        """Go through the words of a document with their places."""
        source, number = self._at(number)
        return source.words(number)

    def _at(self, number: int) -> tuple[Source, int]:
        which = bisect_right(self._first, number) - 1
        return self._opened_at(which), number - self._first[which]

    def _opened_at(self, number: int) -> Source:
        if number != self._number:
            self._source.close()
            self._number, self._source = number, self._opened(number)
        return self._source

    def _opened(self, number: int) -> Source:
        path = self._files[number]
        return open_source(path, format=self._format, response=self._response)
