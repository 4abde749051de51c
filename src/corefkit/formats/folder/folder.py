"""A folder of files as one input: every file in it that is of a known format.

Each file is opened as it would be alone, so that nothing that it says of itself is
lost. `corefkit.formats.folder.files` says which files are read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from corefkit.columns import join_columns, rearranged
from corefkit.formats import open_source
from corefkit.formats.folder.files import folder_files
from corefkit.formats.source import (
    NOTHING_CALLED,
    comments_above,
    names_of,
    text_of,
)
from corefkit.strings.ids import canonical_id

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from corefkit.columns import Columns
    from corefkit.columns.identified import EntityCodes, Identified
    from corefkit.formats.source import Called, Named, Source, Word
    from corefkit.model import Document

_MOST_OPEN = 8  # files of a folder; a corpus has more than may be open at once


class _File(NamedTuple):
    """What is kept of a file while it is closed."""

    path: Path
    first: int  # the number of its first document in the folder
    running: bool
    named: bool


@dataclass(slots=True)
class _Opened:
    """An open file, and how many threads are using it."""

    source: Source
    users: int = 0


class FolderSource:
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
        self.peers: Sequence[Named] = ()
        self._format, self._response, self._reference = format, response, reference
        self._lock = Lock()
        self._opened: OrderedDict[int, _Opened] = OrderedDict()
        self.ids: list[str] = []
        self.sizes: list[int] = []
        self._files: list[_File] = []
        self.verbatim, self.named, self.takes_names = True, False, True
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
        names = names_of(source)
        file = _File(
            path,
            len(self.ids),
            bool(source.ids) and source.is_running(0),
            named=names is not None and names.named,
        )
        self._files.append(file)
        self.verbatim &= source.verbatim
        self.named |= file.named
        self.takes_names &= names is not None and names.takes_names
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

    def place(self, number: int) -> str:
        """Return where a document begins, as `file:line`."""
        with self.file_of(number) as (source, inside):
            return source.place(inside)

    def is_running(self, number: int) -> bool:
        """Return whether a document is running text, which reading cuts into tokens."""
        return self._files[self._which(number)].running

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some documents, in the order asked for.

        Each file is asked once for all of its documents.
        """
        order, parts = [], []
        for rows, source, inside in self._by_file(numbers):
            order += rows
            parts.append(source.columns(inside))
        return rearranged(join_columns(parts), order)

    def identified(
        self, numbers: Sequence[int], codes: EntityCodes
    ) -> Identified | None:
        """Read mentions likewise, and number the ids of their entities."""
        # Imported here because few scores ask, and every start would pay.
        from corefkit.columns import identified as by_id

        order, parts = [], []
        for rows, source, inside in self._by_file(numbers):
            order += rows
            part = by_id.identified(source, inside, codes)
            if part is None:
                return None
            parts.append(part)
        return by_id.rearranged_identified(by_id.join_identified(parts), order)

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

    def document(self, number: int) -> Document:
        """Read one document as an object."""
        with self.file_of(number) as (source, inside):
            return source.document(inside)

    def mended(self, number: int) -> Document:
        """Read one document as well as it can be read, whatever is wrong with it."""
        with self.file_of(number) as (source, inside):
            read: Callable[[int], Document] = getattr(source, "mended", source.document)
            return read(inside)

    def text(self, number: int) -> Document:
        """Read the words of a document and what is annotated on them."""
        with self.file_of(number) as (source, inside):
            return text_of(source, inside)

    def may_name_kinds(self, number: int) -> bool:
        """Return whether mentions of a document may have a `mention_type`."""
        with self.file_of(number) as (source, inside):
            ask: Callable[[int], bool] | None = getattr(source, "may_name_kinds", None)
            return ask is None or ask(inside)

    def words(self, number: int) -> Iterator[Word]:
        """Iterate over the words of a document with their places."""
        with self.file_of(number) as (source, inside):
            yield from source.words(inside)

    def comments(self) -> Iterator[str]:
        """Iterate over the comments above the first document."""
        if self.ids:
            with self.file_of(0) as (source, _):
                yield from comments_above(source)

    def a_name(self) -> str:
        """Return a mention that is a name, for messages."""
        return next(iter(self.names_by_hash.values()))

    @cached_property
    def names_by_hash(self) -> dict[int, str]:
        """The names of mentions by their hashes."""
        found: dict[int, str] = {}
        for which in (row for row, file in enumerate(self._files) if file.named):
            with self._held(which) as source:
                names = names_of(source)
                found |= {} if names is None else names.names_by_hash
        return found

    def called(self, document: str) -> Called:
        """Return what the mentions of a document are called, by its canonical id."""
        number = self._numbers.get(document)
        if number is None:
            return NOTHING_CALLED
        with self.file_of(number) as (source, _):
            names = names_of(source)
            return NOTHING_CALLED if names is None else names.called(document)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {canonical_id(name): number for number, name in enumerate(self.ids)}

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
            names = names_of(held.source)
            if self.peers and names is not None:
                names.peers = self.peers
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
