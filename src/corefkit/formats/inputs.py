"""Whatever a user passes as key or response, opened as sources.

Files are opened here; `formats.memory.mixed` has what stands in memory.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from corefkit.exceptions import CorefkitError, refusal
from corefkit.formats import open_source
from corefkit.formats.source import names_clash, names_of

if TYPE_CHECKING:
    from corefkit.formats.memory.objects import (
        LazyTable,
        SpacyDocument,
        SpacyExample,
        StanzaDocument,
        Table,
    )
    from corefkit.formats.memory.shapes import Corpus
    from corefkit.formats.source import Named, Source
    from corefkit.model import Document

Path: TypeAlias = str | os.PathLike[str]
Partition: TypeAlias = Iterable[Iterable[Hashable]]
Parsed: TypeAlias = "SpacyDocument | SpacyExample | StanzaDocument"
Input: TypeAlias = (
    "Path | Document | Iterable[Document] | Partition | Iterable[Partition]"
    " | Mapping[str, object] | Mapping[int, object] | Iterable[Mapping[str, object]]"
    " | Iterable[Mapping[int, object]] | Parsed | Iterable[Parsed] | Table | LazyTable"
    " | Corpus"
)
"""What users pass as key or response.

The path of a file or folder; a `Document`, or several; a partition, which is a list of
entities, each a list of mentions; several partitions, or a mapping of document ids to
them; objects of JSON lines; documents of spaCy and stanza; data frames and tables of
Arrow. What may stand in a mapping is told in `formats.memory.shapes`.
"""

_LARGE = 1 << 25  # bytes from which threads save more than they cost


@contextmanager
def open_inputs(
    key: Input,
    responses: Iterable[Input],
    *,
    format: str | None,
    reference: bool,
    refusals: dict[int, CorefkitError] | None = None,
) -> Iterator[tuple[Source, dict[int, Source]]]:
    """Open the key and each response, by its number, and close them in the end.

    Mentions of plain partitions may be anything that can be hashed, as long as no file
    and no document stands beside them; then they are spans.

    Where `refusals` are kept, a response that cannot be opened, or that does not go
    with the key and the responses before it, is put there and left out.
    """
    # Imported here because files need none of it, and every start would pay.
    if type(responses) is not list:
        from corefkit.formats.memory.mixed import listed_responses

        responses = listed_responses(responses)
    if type(key) is list:
        from corefkit.formats.memory.partitions import plain_sources

        plain = plain_sources([key, *responses])
        if plain is not None:
            yield plain[0], dict(enumerate(plain[1:]))
            return
    given = [key, *responses]
    opening = Opening(format, reference, refusals)
    if not all(map(is_path, given)):
        from corefkit.formats.memory.mixed import MixedOpening

        opening = MixedOpening(format, reference, refusals)
    try:
        opening.open(given)
        opened = {number - 1: source for number, source in opening.opened.items()}
        yield opened.pop(-1), opened
    finally:
        for source in opening.held:
            source.close()


def is_path(side: object) -> bool:
    """Tell whether a side is a file or folder."""
    return isinstance(side, str | os.PathLike)


class Opening:
    """Files on their way to sources, by number; the key is number 0."""

    def __init__(
        self,
        format: str | None,
        reference: bool,
        refusals: dict[int, CorefkitError] | None,
    ) -> None:
        self.format = format
        self.reference = reference
        self.refusals = refusals
        self.sides: dict[int, Any] = {}
        self.opened: dict[int, Source] = {}
        self.held: list[Source] = []  # to be closed, refused or not

    def open(self, given: Sequence[Any]) -> None:
        """Open all sides: large ones at the same time, by a thread each.

        The kernel reads them at once in opening them, and lets threads run.
        """
        self.sides = dict(enumerate(given))
        numbers = range(len(given))
        if len(given) > 1 and sum(map(_size, given)) >= _LARGE:
            # Imported here because small files do not need it.
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(min(len(given), os.cpu_count() or 1)) as threads:
                waiting = [threads.submit(self._opened, number) for number in numbers]
            for number, source in zip(numbers, waiting, strict=True):
                self.open_one(number, source.result)
        else:
            for number in numbers:
                self.open_one(number)
        self.share_names()

    def open_one(self, number: int, source: Callable[[], Source] | None = None) -> None:
        """Open one side, or take it as it was opened."""
        try:
            self.opened[number] = source() if source else self._opened(number)
        except (CorefkitError, OSError) as error:
            self.refuse(number, error)

    def _opened(self, number: int) -> Source:
        source = self.source(number)
        self.held.append(source)
        return source

    def source(self, number: int) -> Source:
        """Open the file of a side."""
        how = {"response": number > 0, "reference": self.reference}
        return open_source(self.sides[number], format=self.format, **how)

    def refuse(self, number: int, error: CorefkitError | OSError) -> None:
        """Leave a response out, or raise where none may be left out; never the key."""
        if self.refusals is None or number == 0:
            raise error
        self.refusals[number - 1] = refusal(error)
        for kept in (self.sides, self.opened):
            kept.pop(number, None)

    def share_names(self) -> None:
        """Let tables know of one another, and refuse names beside what has none."""
        if not any(map(names_of, self.opened.values())):
            return
        beside: list[Source] = []
        for number, source in [*self.opened.items()]:
            beside.append(source)
            clashes = (names_clash(table, beside) for table in _tables(beside))
            clash = next(filter(None, clashes), None)
            if clash is not None:
                self.refuse(number, clash)
                beside.pop()
        tables = _tables(beside)
        for table in tables:
            table.peers = tables


def _size(path: Path) -> int:
    """Return how large a file is; 0 where it is none, or a pipe."""
    try:
        return os.stat(path).st_size  # noqa: PTH116
    except (OSError, ValueError):  # there are names that no file can have
        return 0


def _tables(sources: Iterable[Source]) -> list[Named]:
    return [table for table in map(names_of, sources) if table is not None]
