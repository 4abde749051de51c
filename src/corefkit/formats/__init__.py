"""The formats: one file each, one row each in `FORMATS`.

A format is recognised from the first bytes of a file. To add one, write its file with
the functions that a row names and add the row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefkit.exceptions import FormatError, SettingsError
from corefkit.formats import conll, jsonl
from corefkit.formats.bytefile import ByteFile
from corefkit.settings import suggest

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping

    from corefkit.formats.source import Problem, Source
    from corefkit.model import Document

_HEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name, how to know it, how to open it, what to check in it.

    `open` gets the file, whether it is the response, and whether to read as the
    reference scorer does.
    """

    name: str
    label: str
    recognise: Callable[[bytes], bool]
    open: Callable[[ByteFile, bool, bool], Source]
    problems: Callable[[ByteFile], Iterator[Problem]]


FORMATS: Mapping[str, Format] = {
    row.name: row
    for row in (
        Format(
            "conll",
            "CoNLL-2012",
            conll.recognise,
            lambda file, _, reference: conll.ConllSource(file, reference=reference),
            conll.problems,
        ),
        Format(
            "jsonl",
            "JSON lines",
            jsonl.recognise,
            lambda file, response, _: jsonl.JsonlSource(file, response=response),
            jsonl.problems,
        ),
    )
}


def read(
    path: str | os.PathLike[str], *, format: str | None = None
) -> Iterator[Document]:
    """Read the documents of a file, one at a time.

    >>> from corefkit.example import paths
    >>> document = next(read(paths()[0]))
    >>> document.id, len(document.tokens), len(document.entities)
    ('(example/bridge); part 000', 80, 12)
    """
    source = open_source(path, format=format)
    try:
        for number in range(len(source.ids)):
            yield source.document(number)
    finally:
        source.close()


def open_source(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    response: bool = False,
    reference: bool = False,
) -> Source:
    """Open a file for scoring; the format is recognised unless it is named."""
    file = ByteFile(path)
    try:
        # To the reference scorer a file in which it finds no document just has none.
        found = recognised(file, format, otherwise="conll" if reference else None)
        source = found.open(file, response, reference)
        if not source.ids and not reference:
            message = f"has no document, expected {found.label}"
            raise FormatError(message, place=file.name)
    except BaseException:
        file.close()
        raise
    return source


def problems(
    path: str | os.PathLike[str], *, format: str | None = None
) -> Iterator[Problem]:
    """Go through everything that is wrong with a file."""
    with ByteFile(path) as file:
        found = recognised(file, format)
        yield from found.problems(file)


def recognised(
    file: ByteFile, name: str | None = None, *, otherwise: str | None = None
) -> Format:
    """Find a file's format: the named one, or the one its first bytes look like."""
    if name is not None and name not in FORMATS:
        message = f"unknown format {name!r}"
        raise SettingsError(message, hint=suggest(name, FORMATS))
    head = file.read(file.text_start, file.text_start + _HEAD)
    likely = next((row for row in FORMATS.values() if row.recognise(head)), None)
    if name is not None and likely is not None and likely.name != name:
        message = f"is {likely.label}, expected {FORMATS[name].label}"
        hint = "leave out --from, and each file's format is recognised"
        raise FormatError(message, place=file.name, hint=hint)
    if name is not None:
        return FORMATS[name]
    if likely is None:
        if otherwise is not None and b"\0" not in head:
            return FORMATS[otherwise]
        raise _not_recognised(file, head)
    return likely


def _not_recognised(file: ByteFile, head: bytes) -> FormatError:
    known = ", ".join(f"{row.label} ({row.name})" for row in FORMATS.values())
    if not head.strip():
        return FormatError(f"is empty, expected one of: {known}", place=file.name)
    message = f"is in no format known here, expected one of: {known}"
    return FormatError(message, place=f"{file.name}:1", hint=_looks_like(head))


def _looks_like(head: bytes) -> str:
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "this looks like UTF-16; save the file as UTF-8"
    if b"\0" in head:
        return "this looks like a binary file"
    if b"\t" in head or b"  " in head:
        return "a CoNLL-2012 document begins with '#begin document (id); part 000'"
    return "name the format with --from, or see `corefkit validate --help`"
