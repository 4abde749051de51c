"""Folders as input: the files that are read, and their documents.

Files below the folder are read, sorted by path, except hidden ones and those of unknown
formats. If files with the same suffix are read, these are broken, and raise
FormatError, like anything that might be part of the corpus and cannot be read: broken
links, pipes, files without permission, links to folders outside. A link to the folder
itself, to a part of it, or to a parent is skipped.
"""

from __future__ import annotations

import stat
from bisect import bisect_right
from collections import Counter, OrderedDict
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from corefkit.arrays.columns import join_columns
from corefkit.exceptions import FormatError
from corefkit.formats import detect_format, open_source
from corefkit.formats.files import ByteFile
from corefkit.formats.problems import UNREADABLE
from corefkit.formats.source import Source

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from corefkit.arrays.columns import Columns
    from corefkit.formats.in_memory import MentionNames
    from corefkit.formats.source import Word
    from corefkit.model import Document

_HINT = "move it elsewhere, or name the files to read"
_MAX_OPEN = 8  # files of a folder; the system limits the number of open files


def find_files(
    folder: str | os.PathLike[str],
    *,
    format: str | None = None,
    reference: bool = False,
) -> tuple[list[Path], dict[Path, FormatError]]:
    """Find the files to read below a folder, sorted by path, and errors of others.

    With errors, a folder is not read. Files without documents are accepted with
    `reference`, as by the reference scorer.
    """
    errors: dict[Path, FormatError] = {}
    unknown: dict[Path, FormatError] = {}
    paths: list[Path] = []
    for path in sorted(_iter_files(Path(folder), Path(folder).resolve(), errors)):
        try:
            with ByteFile(path) as file:
                error = _find_error(file, format, reference=reference)
        except FormatError as read_error:
            errors[path] = read_error
            continue
        if error is None:
            paths.append(path)
        else:
            unknown[path] = error
    suffixes = {path.suffix for path in paths}
    errors |= {
        path: error
        for path, error in unknown.items()
        if path.suffix in suffixes or (format is not None and not paths)
    }
    if not paths and not errors:
        message = "no file of a known format is in this folder"
        errors[Path(folder)] = FormatError(
            message, code="format/empty-folder", place=str(folder)
        )
    return paths, errors


def _find_error(
    file: ByteFile, format: str | None, *, reference: bool
) -> FormatError | None:
    """Return an error if a file is not in the named format, or in no known format."""
    try:
        row = detect_format(file, format, default="conll" if reference else None)
    except FormatError as error:
        return error
    if format is None:
        return None
    # The companion of an annotation, such as a plain text.
    if row.recognise(file.head) or file.name.endswith(row.suffixes):
        return None
    message = f"is not {row.label}"
    return FormatError(message, code="format/other-format", place=file.name)


def _iter_files(
    folder: Path, top: Path, errors: dict[Path, FormatError]
) -> Iterator[Path]:
    """Iterate over the files below a folder inside `top`, and collect errors."""
    try:
        paths = list(folder.iterdir())
    except OSError as error:
        errors[folder] = _make_path_error(folder, error)
        return
    for path in paths:
        if path.name.startswith("."):
            continue
        try:
            mode = path.stat().st_mode
        except OSError as error:
            errors[path] = _make_path_error(path, error)
            continue
        if stat.S_ISREG(mode):
            yield path
        elif not stat.S_ISDIR(mode):
            message = "is neither a file nor a folder, expected files"
            errors[path] = _make_path_error(path, message)
        elif not path.is_symlink():
            yield from _iter_files(path, top, errors)
        else:
            target = path.resolve()
            if not (target.is_relative_to(top) or top.is_relative_to(target)):
                message = f"is a link to the folder {target}, which is not followed"
                errors[path] = _make_path_error(path, message)


def _make_path_error(path: Path, reason: str | OSError) -> FormatError:
    if isinstance(reason, OSError):
        reason = f"cannot be read: {reason.strerror or reason}"
    return FormatError(reason, code=UNREADABLE.code, place=str(path), hint=_HINT)


class _FolderFile(NamedTuple):
    """The facts about a file that are kept while it is closed."""

    path: Path
    first: int  # the number of its first document in the folder
    is_running: bool
    has_names: bool


class FolderSource(Source):
    """The documents of all files in a folder.

    Each file is opened as if it was the only input. A limited number of files is open
    at a time, and none is closed while a thread reads it.
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
        self._open = partial(
            open_source, format=format, response=response, reference=reference
        )
        self._lock = Lock()
        self._open_files: OrderedDict[int, Source] = OrderedDict()
        self._users: Counter[int] = Counter()  # the threads that use each file
        self.ids: list[str] = []
        self.sizes: list[int] = []
        self._files: list[_FolderFile] = []
        self.verbatim, self.has_names, self.takes_names = True, False, True
        self.lacks_ids = True
        paths, errors = find_files(folder, format=format, reference=reference)
        if errors:
            raise next(iter(errors.values()))
        try:
            for path in paths:
                self._add(path)
        except BaseException:
            self.close()
            raise
        self._firsts = [file.first for file in self._files]

    def _add(self, path: Path) -> None:
        source = self._open_files[len(self._files)] = self._open(path)
        is_running = bool(source.ids) and source.is_running_text(0)
        file = _FolderFile(path, len(self.ids), is_running, source.has_names)
        self._files.append(file)
        self.verbatim &= source.verbatim
        self.has_names |= source.has_names
        self.has_sentences &= source.has_sentences
        self.takes_names &= source.takes_names
        self.lacks_ids &= source.lacks_ids
        self.ids.extend(source.ids)
        self.sizes.extend(source.sizes)
        self._close_unused()

    def close(self) -> None:
        while self._open_files:
            self._open_files.popitem()[1].close()

    def format_place(self, number: int) -> str:
        with self._use_document(number) as (source, position):
            return source.format_place(position)

    def is_running_text(self, number: int) -> bool:
        return self._files[self._find_file(number)].is_running

    def read_columns(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None = None
    ) -> Columns:
        files = list(map(self._find_file, numbers))
        order = sorted(range(len(numbers)), key=files.__getitem__)
        parts = []
        for file, rows in groupby(order, files.__getitem__):
            first = self._files[file].first
            with self._use_file(file) as source:
                positions = [numbers[row] - first for row in rows]
                parts.append(source.read_columns(positions, ids))
        places = sorted(range(len(order)), key=order.__getitem__)
        return join_columns(parts).take_documents(places)

    def read_document(self, number: int) -> Document:
        with self._use_document(number) as (source, position):
            return source.read_document(position)

    def read_leniently(self, number: int) -> Document:
        with self._use_document(number) as (source, position):
            return source.read_leniently(position)

    def read_repaired(self, number: int) -> Document:
        with self._use_document(number) as (source, position):
            return source.read_repaired(position)

    def read_text(self, number: int) -> Document:
        with self._use_document(number) as (source, position):
            return source.read_text(position)

    def may_have_mention_types(self, number: int) -> bool:
        with self._use_document(number) as (source, position):
            return source.may_have_mention_types(position)

    def iter_words(self, number: int) -> Iterator[Word]:
        with self._use_document(number) as (source, position):
            yield from source.iter_words(position)

    def iter_comments(self) -> Iterator[str]:
        if self.ids:
            with self._use_document(0) as (source, _):
                yield from source.iter_comments()

    def share_names(self, names: MentionNames) -> None:
        self.names = names

    def example_name(self) -> str:
        file = [file.has_names for file in self._files].index(True)
        with self._use_file(file) as source:
            return source.example_name()

    def list_names(self, document: str) -> Sequence[tuple[str, bool]]:
        number = self.document_numbers.get(document)
        if number is None:
            return ()
        with self._use_document(number) as (source, _):
            return source.list_names(document)

    @contextmanager
    def _use_document(self, number: int) -> Iterator[tuple[Source, int]]:
        """Keep the file of a document open; yield its source and number there."""
        file = self._find_file(number)
        with self._use_file(file) as source:
            yield source, number - self._files[file].first

    def _find_file(self, number: int) -> int:
        # A file without documents has the same first document as the next file.
        return bisect_right(self._firsts, number) - 1

    @contextmanager
    def _use_file(self, number: int) -> Iterator[Source]:
        with self._lock:
            if number not in self._open_files:
                self._open_files[number] = self._open(self._files[number].path)
            source = self._open_files[number]
            self._open_files.move_to_end(number)
            self._users[number] += 1
            if self.names is not None:
                source.share_names(self.names)
        try:
            yield source
        finally:
            with self._lock:
                self._users[number] -= 1
                self._close_unused()

    def _close_unused(self) -> None:
        """Close the files that were not used for the longest time."""
        unused = [number for number in self._open_files if not self._users[number]]
        for number in unused[: max(len(self._open_files) - _MAX_OPEN, 0)]:
            self._open_files.pop(number).close()
