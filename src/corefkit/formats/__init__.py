"""The formats: one module and one row of `FORMATS` each.

A format is recognised from the first bytes of a file. To add one, write its module and
add its row. A module has

    recognise(head)    whether the first bytes of a file look like this format
    closer(head)       only where formats look alike: the name of another format that
                       such a file is in, or None
    READER             how it is read: a `Reader`; `make_reader(extents, parse)`
                       makes one for formats that are read document by document
    WRITER             how it is written: a `Writer`

Modules are imported one after the other, in the order of the rows, until one recognises
the file, so that nobody waits for a format that is not used.

The formats of `READ_ONLY` are not written: their modules have no `WRITER`.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from corefkit.exceptions import FormatError, SettingsError
from corefkit.formats.files import BLOCK, HEAD, ByteFile
from corefkit.formats.problems import NO_DOCUMENT
from corefkit.strings import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from corefkit.formats.inputs import Input
    from corefkit.formats.source import Reader, Source, Writer
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
        Format("conll", "conll", "CoNLL-2012", (".conll", "_conll")),
        Format("conllu", "conllu", "CoNLL-U", (".conllu",)),
        Format("semeval", "semeval", "SemEval-2010", (".semeval",)),
        Format("jsonl", "jsonl", "JSON lines", (".jsonl", ".jsonlines")),
        Format("ua", "ua", "Universal Anaphora columns", (".ua", ".conllua")),
        Format("muc", "muc", "MUC SGML", (".muc", ".sgml", ".sgm")),
        Format("ontonotes", "ontonotes", "OntoNotes .coref", (".coref",)),
        Format("apf", "apf", "ACE APF", (".apf.xml",)),
        Format("ecb", "ecb", "ECB+ XML", (".xml",)),
        Format("ancora", "ancora", "AnCora-CO XML", (".tbf.xml",)),
        Format("webanno", "webanno", "WebAnno TSV 3", (".webanno.tsv",)),
        Format("litbank", "litbank", "LitBank", (".tsv.ann",)),
        Format("brat", "brat", "brat standoff", (".ann",)),
        Format("parquet", "frames", "Parquet table", (".parquet",)),
        Format("tsv", "tsv", "TSV table", (".tsv", ".csv")),
    )
}
"""The formats that are read and written, by the names that `--from` takes."""
READ_ONLY: Mapping[str, Format] = {
    "democrat": Format("democrat", "democrat", "Democrat columns", (".conll",))
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
        from corefkit.formats.in_memory import iter_documents

        yield from iter_documents(path)
        return
    source = open_source(path, format=format)
    try:
        for number in range(len(source.ids)):
            document = source.read_document(number)
            if not document.sentences:
                document = replace(document, place=source.format_place(number))
            yield document
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
        from corefkit.formats.folder import FolderSource

        return FolderSource(path, format=format, response=response, reference=reference)
    file = ByteFile(path)
    try:
        # To the reference scorer a file in which it finds no document just has none.
        found = recognised(file, format, otherwise="conll" if reference else None)
        source = found.reader.open(file, response, reference)
        if not source.ids and not reference:
            raise FormatError(
                no_document(found), code=NO_DOCUMENT.code, place=file.name
            )
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
        raise SettingsError(
            message,
            code="settings/read-only-format",
            hint="write 'conllu', which says as much",
        )
    return _known(name, FORMATS)


def _known(name: str, formats: Mapping[str, Format]) -> Format:
    if name not in formats:
        message = f"unknown format {name!r}"
        raise SettingsError(
            message, code="settings/unknown-format", hint=suggest(name, formats)
        )
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
        raise FormatError(
            message, code="format/other-format", place=file.name, hint=hint
        )
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
        return FormatError(
            f"is empty, expected one of: {known}",
            code="format/empty-file",
            place=file.name,
        )
    # Imported here because only a file that is refused needs it.

    message = f"is in no format known here, expected one of: {known}"
    return FormatError(
        message,
        code="format/unknown-format",
        place=f"{file.name}:1",
        hint=looks_like(head),
    )


_CELL = re.compile(rb"[-_*]|\(?[^\s()|]+\)|\([^\s()|]+(?:\||\(|$).*|(?:.*\|.*[()].*)")
_ROWS = 50  # that are looked at
_DELIMITERS = ("\t", ",", ";")


def looks_like(head: bytes) -> str:
    r"""Say what the first bytes of a file look like, and what to do about it.

    >>> looks_like(b"d\t0\t0\tAnn\t(1)\nd\t0\t1\tsaw\t-\n")
    "a CoNLL-2012 document begins with '#begin document (id); part 000'"
    >>> looks_like(b"ID\tText\nv-1\tShe saw her.\n")  # doctest: +ELLIPSIS
    "this looks like a table: found columns 'ID', 'Text', expected document, entity, ...
    """
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "this looks like UTF-16; save the file as UTF-8"
    if b"\0" in head:
        return "this looks like a binary file"
    lines = [line for line in head.split(b"\n")[:_ROWS] if line.strip()]
    if _have_cells([line for line in lines if not line.startswith(b"#")]):
        return "a CoNLL-2012 document begins with '#begin document (id); part 000'"
    fault = _table_fault(lines[0]) if lines else None
    if fault is not None:
        return f"this looks like a table: {fault}"
    return "name the format with --from, or see `corefkit validate --help`"


def _have_cells(lines: list[bytes]) -> bool:
    """Return whether most lines have columns, and brackets or none in the last."""
    cells = [line.split()[-1] for line in lines if len(line.split()) > 1]
    brackets = [_CELL.fullmatch(cell) is not None for cell in cells]
    return sum(brackets) * 2 > len(lines)


def _table_fault(line: bytes) -> str | None:
    """Say which columns a table would need, where the first line names any."""
    from corefkit.formats.tables import describe_column_fault

    header = line.decode("utf-8", "replace").strip("\r")
    for delimiter in _DELIMITERS:
        columns = [column.strip() for column in header.split(delimiter)]
        named = all(re.fullmatch(r"[^\W\d][\w .-]*", column) for column in columns)
        if len(columns) > 1 and named and len(set(columns)) == len(columns):
            return describe_column_fault(columns)
    return None
