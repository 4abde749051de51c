"""Folders as input: which files are read, and their documents.

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
from bisect import bisect_right
from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from corefkit.arrays.columns import join_columns
from corefkit.exceptions import FormatError
from corefkit.formats import detect_format, open_source
from corefkit.formats.files import ByteFile
from corefkit.formats.problems import UNREADABLE
from corefkit.formats.source import DocumentNames, Source
from corefkit.strings import normalize_id

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from corefkit.arrays.columns import Columns
    from corefkit.formats import Format
    from corefkit.formats.in_memory import MentionNames
    from corefkit.formats.source import Word
    from corefkit.model import Document

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
        errors[Path(folder)] = FormatError(
            message, code="format/empty-folder", place=str(folder)
        )
    return FolderFiles(known, errors)


def _refusal(
    file: ByteFile, format: str | None, *, reference: bool
) -> FormatError | None:
    """Return why a file is not in the format named, or in none; None where it is."""
    try:
        row = detect_format(file, format, default="conll" if reference else None)
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
        raise FormatError(message, code="format/other-format", place=file.name)


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
            errors[path] = FormatError(
                message, code=UNREADABLE.code, place=str(path), hint=_HINT
            )
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
    return FormatError(message, code=UNREADABLE.code, place=str(path), hint=_HINT)


def _unreadable(path: Path, error: OSError) -> FormatError:
    reason = error.strerror or str(error)
    return FormatError(
        f"cannot be read: {reason}", code=UNREADABLE.code, place=str(path), hint=_HINT
    )


# A folder of files as one input: every file in it that is of a known format.
#
# Each file is opened as it would be alone, so that nothing that it says of itself is
# lost. `corefkit.formats.folder` says which files are read.

_MOST_OPEN = 8  # files of a folder; a corpus has more than may be open at once


class _File(NamedTuple):
    """What is kept of a file while it is closed."""

    path: Path
    first: int  # the number of its first document in the folder
    running: bool
    has_names: bool


@dataclass(slots=True)
class _Opened:
    """An open file, and how many threads are using it."""

    source: Source
    users: int = 0


class FolderSource(Source):
    """The documents of all files of a folder, file by file.

    Only some files are open at a time; none is closed while a thread reads it. Without
    `peers` its files stand for themselves.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        format: str | None,
        response: bool,
        reference: bool,
    ) -> None:
        self.name = str(folder)
        self._format, self._response, self._reference = format, response, reference
        self._lock = Lock()
        self._opened: OrderedDict[int, _Opened] = OrderedDict()
        self.ids: list[str] = []
        self.sizes: list[int] = []
        self._files: list[_File] = []
        self.verbatim, self.has_names, self.takes_names = True, False, True
        try:
            for path in folder_files(folder, format=format, reference=reference):
                self._add(path)
        except BaseException:
            self.close()
            raise
        self._firsts = [file.first for file in self._files]

    def _add(self, path: Path) -> None:
        source = self._open(path)
        self._opened[len(self._files)] = _Opened(source)
        is_running = bool(source.ids) and source.is_running_text(0)
        self._files.append(_File(path, len(self.ids), is_running, source.has_names))
        self.verbatim &= source.verbatim
        self.has_names |= source.has_names
        self.takes_names &= source.takes_names
        self.ids.extend(source.ids)
        self.sizes.extend(source.sizes)
        self._close_some()

    def _open(self, path: Path) -> Source:
        return open_source(
            path,
            format=self._format,
            response=self._response,
            reference=self._reference,
        )

    def close(self) -> None:
        """Close the files that are open."""
        while self._opened:
            self._opened.popitem()[1].source.close()

    def format_place(self, number: int) -> str:
        """Return where a document begins, as `file:line`."""
        with self.file_of(number) as (source, inside):
            return source.format_place(inside)

    def is_running_text(self, number: int) -> bool:
        """Return whether a document is running text, which reading cuts into tokens."""
        return self._files[self._which(number)].running

    def read_columns(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None = None
    ) -> Columns:
        """Read the mentions of some documents, in the given order.

        Each file is read once for all of its documents.
        """
        order: list[int] = []
        parts = []
        for rows, source, inside in self._by_file(numbers):
            order += rows
            parts.append(source.read_columns(inside, ids))
        places = sorted(range(len(order)), key=order.__getitem__)
        return join_columns(parts).take_documents(places)

    def _by_file(
        self, numbers: Sequence[int]
    ) -> Iterator[tuple[list[int], Source, list[int]]]:
        """Go through the files of some documents, each open meanwhile.

        Yielded are where its documents stand among those asked for, the file, and their
        numbers in there.
        """
        files = list(map(self._which, numbers))
        order = sorted(range(len(numbers)), key=files.__getitem__)
        for which, group in groupby(order, files.__getitem__):
            rows, first = list(group), self._files[which].first
            with self._held(which) as source:
                yield rows, source, [numbers[row] - first for row in rows]

    def read_document(self, number: int) -> Document:
        """Read one document as an object."""
        with self.file_of(number) as (source, inside):
            return source.read_document(inside)

    def read_leniently(self, number: int) -> Document:
        """Read one document as well as it can be read, whatever is wrong with it."""
        with self.file_of(number) as (source, inside):
            return source.read_leniently(inside)

    def read_text(self, number: int) -> Document:
        """Read the words of a document and what is annotated on them."""
        with self.file_of(number) as (source, inside):
            return source.read_text(inside)

    def may_have_mention_types(self, number: int) -> bool:
        """Return whether mentions of a document may have a `mention_type`."""
        with self.file_of(number) as (source, inside):
            return source.may_have_mention_types(inside)

    def iter_words(self, number: int) -> Iterator[Word]:
        """Iterate over the words of a document with their places."""
        with self.file_of(number) as (source, inside):
            yield from source.iter_words(inside)

    def iter_comments(self) -> Iterator[str]:
        """Iterate over the comments above the first document."""
        if self.ids:
            with self.file_of(0) as (source, _):
                yield from source.iter_comments()

    def share_names(self, names: MentionNames) -> None:
        """Number the names of mentions in all files as other sources do."""
        self.names = names

    def example_name(self) -> str:
        """Return a mention that is a name, for messages."""
        which = [file.has_names for file in self._files].index(True)
        with self._held(which) as source:
            return source.example_name()

    def list_names(self, document: str) -> DocumentNames:
        """List the mentions of a document as text, by its normalized id."""
        number = self._numbers.get(document)
        if number is None:
            return DocumentNames()
        with self.file_of(number) as (source, _):
            return source.list_names(document)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {normalize_id(name): number for number, name in enumerate(self.ids)}

    @contextmanager
    def file_of(self, number: int) -> Iterator[tuple[Source, int]]:
        """Hold the file of a document open; yield its number in there too."""
        which = self._which(number)
        with self._held(which) as source:
            yield source, number - self._files[which].first

    def _which(self, number: int) -> int:
        # A file without documents begins where the next one does.
        return bisect_right(self._firsts, number) - 1

    @contextmanager
    def _held(self, which: int) -> Iterator[Source]:
        with self._lock:
            if which not in self._opened:
                self._opened[which] = _Opened(self._open(self._files[which].path))
            held = self._opened[which]
            self._opened.move_to_end(which)
            held.users += 1
            if self.names is not None:
                held.source.share_names(self.names)
        try:
            yield held.source
        finally:
            with self._lock:
                held.users -= 1
                self._close_some()

    def _close_some(self) -> None:
        """Close the files that were not used lately."""
        idle = [which for which, opened in self._opened.items() if not opened.users]
        for which in idle[: max(len(self._opened) - _MOST_OPEN, 0)]:
            self._opened.pop(which).source.close()
