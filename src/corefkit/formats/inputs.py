"""Keys and responses of any kind, opened as sources."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from corefkit.exceptions import CorefkitError, reject_response
from corefkit.formats import open_source
from corefkit.formats.source import compare_names, share_names

if TYPE_CHECKING:
    from corefkit.formats.in_memory import MemoryCorpus
    from corefkit.formats.libraries import (
        LazyTable,
        SpacyDocument,
        SpacyExample,
        StanzaDocument,
        Table,
    )
    from corefkit.formats.source import Source
    from corefkit.model import Document

Path: TypeAlias = str | os.PathLike[str]
Partition: TypeAlias = Iterable[Iterable[Hashable]]
Parsed: TypeAlias = "SpacyDocument | SpacyExample | StanzaDocument"
Input: TypeAlias = (
    "Path | Document | Iterable[Document] | Partition | Iterable[Partition]"
    " | Mapping[str, object] | Mapping[int, object] | Iterable[Mapping[str, object]]"
    " | Iterable[Mapping[int, object]] | Parsed | Iterable[Parsed] | Table | LazyTable"
    " | MemoryCorpus"
)
"""What users pass as key or response.

The path of a file or folder; a `Document`, or several; a partition, which is a list of
entities, each a list of mentions; several partitions, or a mapping of document ids to
them; objects of JSON lines; documents of spaCy and stanza; data frames and tables of
Arrow. `corefkit.formats.in_memory` lists the values of mappings.
"""

_LARGE_BYTES = 1 << 25  # threads save more than they cost
# A key or response by its number; the key is number 0.
_Sides: TypeAlias = dict[int, Any]
_Sources: TypeAlias = "dict[int, Source]"


@contextmanager
def open_inputs(
    key: Input,
    responses: Iterable[Input],
    *,
    format: str | None,
    reference: bool,
    refusals: dict[int, CorefkitError] | None = None,
    mentions: str | None = None,
) -> Iterator[tuple[Source, dict[int, Source]]]:
    """Open the key and each response, by its number, and close them in the end.

    Mentions of partitions can be any hashable values. Next to a file or a document they
    must be spans.

    Args:
        key: the key.
        responses: the responses.
        format: the format of files; recognised if not given.
        reference: whether to read files as the reference scorer does.
        refusals: collects the errors of responses, by number, that cannot be opened or
            do not match the key and earlier responses; these are skipped. If not given,
            their errors are raised.
        mentions: how mentions of partitions are declared: `spans` or `tokens`.
    """
    if type(responses) is not list:
        from corefkit.formats.in_memory import list_responses

        responses = list_responses(responses)
    inputs: _Sides = dict(enumerate([key, *responses]))
    paths = {number: side for number, side in inputs.items() if is_path(side)}
    opened: list[Source] = []
    try:
        open_files = partial(_open_files, paths, opened, format, reference, refusals)
        if len(paths) == len(inputs):
            sources = open_files()
        else:
            from corefkit.formats.in_memory import open_values

            sources = open_values(
                {n: side for n, side in inputs.items() if n not in paths},
                open_files if paths else None,
                declared=mentions,
                reference=reference,
                refusals=refusals,
            )
        _share_names(sources, refusals)
        key_source = sources.pop(0)
        yield key_source, {number - 1: source for number, source in sources.items()}
    finally:
        for source in opened:
            source.close()


def is_path(side: object) -> bool:
    """Return whether a side is a file or folder."""
    return type(side) is not list and isinstance(side, str | os.PathLike)


def _open_files(
    paths: _Sides,
    opened: list[Source],
    format: str | None,
    reference: bool,
    refusals: dict[int, CorefkitError] | None,
) -> _Sources:
    """Open files, large ones in parallel: the kernel releases the lock of Python."""

    def open_side(number: int) -> Source:
        source = open_source(
            paths[number], format=format, response=number > 0, reference=reference
        )
        opened.append(source)
        return source

    calls: dict[int, Callable[[], Source]] = {
        number: partial(open_side, number) for number in paths
    }
    if len(paths) > 1 and sum(map(_find_size, paths.values())) >= _LARGE_BYTES:
        from concurrent.futures import ThreadPoolExecutor
        from contextvars import copy_context

        with ThreadPoolExecutor(min(len(paths), os.cpu_count() or 1)) as threads:
            # The copies of pipes that may be opened again belong to the context.
            calls = {
                number: threads.submit(copy_context().run, call).result
                for number, call in calls.items()
            }
    sources: _Sources = {}
    for number, call in calls.items():
        try:
            sources[number] = call()
        except (CorefkitError, OSError) as error:
            reject_response(refusals, number, error)
    return sources


def _find_size(path: Path) -> int:
    """Return the size of a file; 0 for anything else, such as a pipe."""
    try:
        return os.stat(path).st_size  # noqa: PTH116
    except (OSError, ValueError):  # there are names that no file can have
        return 0


def _share_names(sources: _Sources, refusals: dict[int, CorefkitError] | None) -> None:
    """Share the names of mentions among tables; reject names next to tokens."""
    if not any([source.has_names for source in sources.values()]):
        return
    compatible: list[Source] = []
    for number, source in [*sources.items()]:
        compatible.append(source)
        clashes = (compare_names(each, compatible) for each in compatible)
        clash = next(filter(None, clashes), None)
        if clash is not None:
            reject_response(refusals, number, clash)
            del sources[number]
            compatible.pop()
    share_names(compatible)
