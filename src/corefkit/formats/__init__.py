"""The formats: one module each, one row each in `FORMATS`.

A format is recognised from the first bytes of a file. To add one, write its module and
add its row. A module has

    recognise(head)    whether the first bytes of a file look like this format
    closer(head)       only where formats look alike: the name of another format that
                       such a file is in, or None
    READER             how it is read: a `Reader`; `document_reader(extents, parse)`
                       makes one for formats that are read document by document
    WRITER             how it is written: a `Writer`

Modules are imported one after the other, in the order of the rows, until one recognises
the file, so that nobody waits for a format that is not used.

The formats of `READ_ONLY` are not written: their modules have no `WRITER`.
"""

from __future__ import annotations

import os
import re
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from corefkit.exceptions import FormatError, SettingsError
from corefkit.formats.bytefile import BLOCK, HEAD, ByteFile
from corefkit.strings.nearest import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from corefkit.formats.base import Reader, Writer
    from corefkit.formats.inputs import Input
    from corefkit.formats.source import Source
    from corefkit.model import Document


class Format(NamedTuple):
    """A format."""

    name: str  # its name in options
    module: str  # where it is read and written, under `corefkit.formats`
    label: str  # its name in messages
    suffixes: tuple[str, ...]  # the endings of files that are written in it

    def recognise(self, head: bytes) -> bool:
        """Return whether the first bytes of a file look like this format."""
        return bool(self.implementation().recognise(head))

    @property
    def reader(self) -> Reader:
        """How it is read."""
        return cast("Reader", self.implementation().READER)

    @property
    def writer(self) -> Writer:
        """How it is written."""
        return cast("Writer", self.implementation().WRITER)

    def implementation(self) -> Any:
        """Import the module."""
        return import_module(f"corefkit.formats.{self.module}")


FORMATS: Mapping[str, Format] = {
    row.name: row
    for row in (
        Format("conll", "conll.conll", "CoNLL-2012", (".conll", "_conll")),
        Format("conllu", "conllu.conllu", "CoNLL-U", (".conllu",)),
        Format("semeval", "semeval.semeval", "SemEval-2010", (".semeval",)),
        Format("jsonl", "jsonl.jsonl", "JSON lines", (".jsonl", ".jsonlines")),
        Format("ua", "ua.ua", "Universal Anaphora columns", (".ua", ".conllua")),
        Format("muc", "inline.muc", "MUC SGML", (".muc", ".sgml", ".sgm")),
        Format("ontonotes", "inline.ontonotes", "OntoNotes .coref", (".coref",)),
        Format("apf", "xml.apf", "ACE APF", (".apf.xml",)),
        Format("ecb", "xml.ecb", "ECB+ XML", (".xml",)),
        Format("ancora", "xml.ancora", "AnCora-CO XML", (".tbf.xml",)),
        Format("webanno", "standoff.webanno", "WebAnno TSV 3", (".webanno.tsv",)),
        Format("litbank", "standoff.litbank", "LitBank", (".tsv.ann",)),
        Format("brat", "standoff.brat", "brat standoff", (".ann",)),
        Format("parquet", "tables.parquet", "Parquet table", (".parquet",)),
        Format("tsv", "tables.tsv", "TSV table", (".tsv", ".csv")),
    )
}
"""The formats that are read and written, by the names that `--from` takes."""
READ_ONLY: Mapping[str, Format] = {
    "democrat": Format("democrat", "conllu.democrat", "Democrat columns", (".conll",))
}
# Formats without a single mark of their own: a file without mentions is empty.
_MAY_BE_EMPTY = ("litbank", "brat")
# What begins a document to the reference scorer, and in the formats that look alike.
_HEADER = rb"(?m)^#[^\S\n]*begin document "


def read(
    path: Input,
    *,
    format: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Document]:
    """Read the documents of a file or folder, one at a time.

    Whatever `score` takes from memory is read too, where mentions are spans.

    Args:
        path: the file or folder.
        format: the name of its format; recognised where it is not given.
        progress: called with the number of documents that were read and used, and of
            all documents of a file or folder.

    >>> from corefkit.example import paths
    >>> document = next(read(paths()[0]))
    >>> document.id, len(document.tokens), len(document.entities)
    ('(example/bridge); part 000', 80, 12)
    """
    if not isinstance(path, str | os.PathLike):
        from corefkit.formats.memory.mixed import documents_in

        yield from documents_in(path)
        return
    source = open_source(path, format=format)
    try:
        for number in range(len(source.ids)):
            yield source.document(number)
            if progress is not None:
                progress(number + 1, len(source.ids))
    finally:
        source.close()


def open_source(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    response: bool = False,
    reference: bool = False,
) -> Source:
    """Open a file or folder for scoring; formats are recognised unless one is named."""
    if os.path.isdir(path):  # noqa: PTH112 - a Path makes `.` of an empty name
        from corefkit.formats.folder.folder import FolderSource

        return FolderSource(path, format=format, response=response, reference=reference)
    file = ByteFile(path)
    try:
        # To the reference scorer a file in which it finds no document just has none.
        found = recognised(file, format, otherwise="conll" if reference else None)
        source = found.reader.open(file, response, reference)
        if not source.ids and not reference:
            raise FormatError(no_document(found), place=file.name)
    except BaseException:
        file.close()
        raise
    return source


def no_document(format: Format) -> str:
    """Say that a file has no document."""
    return f"has no document, expected {format.label}"


def named(name: str) -> Format:
    """Find a format that is read and written by its name."""
    if name in READ_ONLY:
        message = f"format {name!r} is read, and not written"
        raise SettingsError(message, hint="write 'conllu', which says as much")
    return _known(name, FORMATS)


def _known(name: str, formats: Mapping[str, Format]) -> Format:
    if name not in formats:
        message = f"unknown format {name!r}"
        raise SettingsError(message, hint=suggest(name, formats))
    return formats[name]


def recognised(
    file: ByteFile, name: str | None = None, *, otherwise: str | None = None
) -> Format:
    """Find a file's format: the named one, or the one its first bytes look like.

    Every file in which the reference scorer finds a document is in the format
    `otherwise`, where there is one, and so is what looks like nothing else.
    """
    head = file.head
    if name is not None:
        return _named_format(file, _known(name, {**FORMATS, **READ_ONLY}))
    if otherwise is not None and _from_header(file):
        # Reading as the reference scorer does comes first, whatever the file is.
        return FORMATS[otherwise]
    if not head.strip() and (empty := _by_ending(file.name)):
        return empty
    found = _likely(head) or _likely(_from_header(file))
    if found is None:
        if otherwise is None or b"\0" in head:
            raise _not_recognised(file, head)
        return FORMATS[otherwise]
    return found


def _named_format(file: ByteFile, named: Format) -> Format:
    """Refuse a file that looks like another format than the one that was named."""
    if named.recognise(file.head):
        return named
    found = _likely(file.head)
    if found is None:
        later = _from_header(file)
        found = named if named.recognise(later) else _likely(later)
    if found not in (None, named):
        message = f"is {found.label}, expected {named.label}"
        hint = "leave out --from, and each file's format is recognised"
        raise FormatError(message, place=file.name, hint=hint)
    return named


def _likely(head: bytes) -> Format | None:
    """Find the format that the first bytes of a file look like."""
    for row in FORMATS.values():
        module = row.implementation()
        if module.recognise(head):
            closer = getattr(module, "closer", None)
            name = closer and closer(head)
            return {**FORMATS, **READ_ONLY}[name] if name else row
    return None


def _from_header(file: ByteFile) -> bytes:
    """Read the first bytes of a file from where a document begins.

    It is looked for in the first megabyte: a pipe may never end.
    """
    found = re.search(_HEADER, file.read(file.text_start, file.text_start + BLOCK))
    if found is None:
        return b""
    start = file.text_start + found.start()
    return file.read(start, start + HEAD)


def _by_ending(name: str) -> Format | None:
    """Find the format of an empty file that may be empty: standoff without mentions."""
    rows = map(FORMATS.__getitem__, _MAY_BE_EMPTY)
    return next((row for row in rows if name.endswith(row.suffixes)), None)


def _not_recognised(file: ByteFile, head: bytes) -> FormatError:
    known = ", ".join(f"{row.label} ({row.name})" for row in FORMATS.values())
    if not head.strip():
        return FormatError(f"is empty, expected one of: {known}", place=file.name)
    # Imported here because only a file that is refused needs it.
    from corefkit.formats.hints import looks_like

    message = f"is in no format known here, expected one of: {known}"
    return FormatError(message, place=f"{file.name}:1", hint=looks_like(head))
