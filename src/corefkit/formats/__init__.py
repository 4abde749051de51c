"""Inputs: files of any format, and values in memory, opened as sources.

A format has one module and one row of `FORMATS`, and is recognised by the first bytes
of a file. Modules are imported in the order of the rows until one recognises the file.
A module contains

    recognise(head)    returns whether the first bytes of a file look like this format
    closer(head)       optional: returns the name of a similar format to use instead,
                       or None
    READER             a `Reader`; `make_reader(extents, parse)` makes one for formats
                       that are read document by document
    WRITER             a `Writer`; modules of the formats in `READ_ONLY` have none
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

from corefkit.exceptions import (
    CorefkitError,
    FormatError,
    SettingsError,
    reject_response,
)
from corefkit.formats.files import BLOCK, HEAD, ByteFile
from corefkit.formats.problems import NO_DOCUMENT
from corefkit.strings import suggest

if TYPE_CHECKING:
    from corefkit.formats.in_memory import MemoryCorpus
    from corefkit.formats.libraries import (
        LazyTable,
        SpacyDocument,
        SpacyExample,
        StanzaDocument,
        Table,
    )
    from corefkit.formats.source import Reader, Source, Writer
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


class Format(NamedTuple):
    """A file format.

    Attributes:
        name: its name in options.
        module: the name of its module in `corefkit.formats`.
        label: its name in messages.
        suffixes: the suffixes of files that are written in it.
        is_dialect: whether it is one of the dialects that the module reads.
    """

    name: str
    module: str
    label: str
    suffixes: tuple[str, ...]
    is_dialect: bool = False

    def recognise(self, head: bytes) -> bool:
        return bool(_load(self.module).recognise(head))

    @property
    def reader(self) -> Reader:
        """The reader."""
        module = _load(self.module)
        if self.is_dialect:
            return cast("Reader", module.make_dialect_reader(self.name))
        return cast("Reader", module.READER)

    @property
    def writer(self) -> Writer:
        """The writer."""
        return cast("Writer", _load(self.module).WRITER)


@cache
def _load(module: str) -> Any:
    return import_module(f"corefkit.formats.{module}")


FORMATS: Mapping[str, Format] = {
    row.name: row
    for row in (
        Format("conll", "conll", "CoNLL-2012", (".conll", "_conll")),
        Format("conllu", "conllu", "CoNLL-U", (".conllu",)),
        Format("semeval", "semeval", "SemEval-2010", (".semeval",)),
        Format("crac-json", "crac_json", "CRAC JSON", (".crac.json",)),
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
        Format("crac-text", "crac_text", "CRAC text", (".crac.txt",)),
        Format("inline", "inline", "inline tags", (".inline.txt",)),
    )
}
"""The formats that are read and written, by their names in `--from`."""
_JSON = (".json", ".jsonl", ".jsonlines")
READ_ONLY: Mapping[str, Format] = {
    "democrat": Format("democrat", "democrat", "Democrat columns", (".conll",)),
    "booknlp": Format("booknlp", "booknlp", "BookNLP", (".entities",)),
    "sacr": Format("sacr", "sacr", "SACR", (".sacr",)),
    "gap": Format("gap", "gap", "GAP", (".tsv",)),
    "winobias": Format("winobias", "winobias", "WinoBias", (".txt",)),
    **{
        name: Format(name, "jsonl", f"JSON of {project}", _JSON, is_dialect=True)
        for name, project in {
            "e2e": "end-to-end resolvers",
            "maverick": "Maverick",
            "fastcoref": "fastcoref",
            "wl-coref": "wl-coref",
            "allennlp": "AllenNLP",
            "preco": "PreCo",
            "corenlp": "CoreNLP",
            "doccano": "doccano",
            "label-studio": "Label Studio",
            "wec": "WEC",
        }.items()
    },
}
TARGETED = {"gap": 2, "winobias": 1}
"""The formats of `score_targeted`, and their candidates of each pronoun."""
_LARGE_BYTES = 1 << 25  # threads save more than they cost
# A key or response by its number; the key is number 0.
_Sides: TypeAlias = dict[int, Any]
_Sources: TypeAlias = "dict[int, Source]"
# Formats without a header: a file without mentions is empty.
_MAY_BE_EMPTY = ("litbank", "brat")
# Formats in which a document without mentions is plain text.
_MAY_BE_PLAIN = ("crac-text", "inline")
# The start of a document for the reference scorer, and in similar formats.
_HEADER = rb"(?m)^#[^\S\n]*begin document "


def read(
    path: Input,
    *,
    format: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Document]:
    """Read the documents of a file or folder, one at a time.

    The values in memory that `score` accepts are read too, if mentions are spans.

    Args:
        path: the file or folder.
        format: the name of its format; recognised by default.
        progress: called after each document with the number of documents read so far,
            and the number of all documents of the file or folder.

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


def read_string(
    text: str, *, id: str, format: str | None = None, repair: bool = False
) -> Document:
    """Read a document from a string, such as the output of a language model.

    Args:
        text: the content of a file with one document.
        id: the id of the document, also for messages.
        format: the name of its format; recognised by default.
        repair: repair broken brackets instead of raising an error. The document lists
            the rules in `repairs`, which are reported if words are aligned.

    Raises:
        FormatError: the text is not in the format, or has several documents.

    >>> document = read_string('<m id="1">Ann</m> saw <m id="1">her</m> .', id="a")
    >>> document.words, [mention.start for mention in document.entities[0]]
    (('Ann', 'saw', 'her', '.'), [0, 2])
    """
    file = ByteFile(id, text.strip().encode("utf-8", "surrogatepass"))
    reader: Reader = _load(detect_format(file, format).module).READER
    source = reader.open(file, False, False)
    if len(source.ids) != 1:
        message = f"the string has {len(source.ids)} documents, expected one"
        raise FormatError(message, code="format/several-documents", place=id)
    document = source.read_repaired(0) if repair else source.read_document(0)
    return replace(document, id=id)


def open_source(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    response: bool = False,
    reference: bool = False,
) -> Source:
    """Open a file or folder; of a response some formats read other entities."""
    if os.path.isdir(path):  # noqa: PTH112 - a Path makes `.` of an empty name
        from corefkit.formats.folder import FolderSource

        return FolderSource(path, format=format, response=response, reference=reference)
    file = ByteFile(path)
    try:
        row = detect_format(file, format, default="conll" if reference else None)
        reader: Reader = row.reader if row.is_dialect else _load(row.module).READER
        source = reader.open(file, response, reference)
        # The reference scorer accepts files without documents.
        if not source.ids and not reference:
            message = describe_missing_document(row)
            raise FormatError(message, code=NO_DOCUMENT.code, place=file.name)
    except BaseException:
        file.close()
        raise
    return source


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
    must be spans. `refusals` collects the errors of responses that cannot be opened or
    do not match the key and earlier responses; without it they are raised.
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
        if any([source.has_names for source in sources.values()]):
            from corefkit.formats.source import share_names

            share_names(sources, refusals)
        if any([source.lacks_ids for source in sources.values()]):
            from corefkit.formats.source import name_by_text

            name_by_text(sources, refusals)
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


def describe_missing_document(format: Format) -> str:
    """Return the message for a file without documents."""
    return f"has no document, expected {format.label}"


def get_writable_format(name: str) -> Format:
    """Return a format that can be written, by its name."""
    if name in READ_ONLY:
        message = f"format {name!r} can be read, but not written"
        similar = "jsonl" if READ_ONLY[name].is_dialect else "conllu"
        hint = f"write {similar!r}, which can represent the same"
        raise SettingsError(message, code="settings/read-only-format", hint=hint)
    return _get_format(name, FORMATS)


def _get_format(name: str, formats: Mapping[str, Format]) -> Format:
    if name not in formats:
        message = f"unknown format {name!r}"
        raise SettingsError(
            message, code="settings/unknown-format", hint=suggest(name, formats)
        )
    return formats[name]


def detect_format(
    file: ByteFile, name: str | None = None, *, default: str | None = None
) -> Format:
    """Return the named format of a file, or detect it from the first bytes.

    With a `default`, files in which the reference scorer finds a document have this
    format, and so have files of unknown formats.
    """
    if name is not None:
        row = _get_format(name, {**FORMATS, **READ_ONLY})
        # A dialect only decides how JSON is read, so that others can be next to it.
        if not row.is_dialect or row.recognise(file.head):
            _check_format(file, row)
            return row
    if default is not None and _read_document_head(file):
        return FORMATS[default]
    head = file.head
    if not head.strip():
        for row in map(FORMATS.__getitem__, _MAY_BE_EMPTY + _MAY_BE_PLAIN):
            if file.name.endswith(row.suffixes):
                return row
    detected = _guess_format(head) or _guess_format(_read_document_head(file))
    if detected is None:
        # Text without annotation has no marks.
        rows = map(FORMATS.__getitem__, _MAY_BE_PLAIN)
        detected = next((row for row in rows if file.name.endswith(row.suffixes)), None)
    if detected is not None:
        return detected
    if default is None or b"\0" in head:
        raise _make_unknown_error(file, head)
    return FORMATS[default]


def detect_first_format(path: Path) -> str | None:
    """Return the format of a file, or of the first one of a folder that has any.

    Pipes have none, because they could not be read again.
    """
    files: Sequence[Path] = [path] if os.path.isfile(path) else []  # noqa: PTH113
    if os.path.isdir(path):  # noqa: PTH112 - a Path makes `.` of an empty name
        from pathlib import Path as FilePath

        paths = sorted(FilePath(path).rglob("[!.]*"))
        files = [file for file in paths if file.is_file()]
    for file in files:
        with suppress(CorefkitError, OSError), ByteFile(file) as opened:
            return detect_format(opened).name
    return None


def _check_format(file: ByteFile, row: Format) -> None:
    """Raise FormatError if a file looks like another format than the named one."""
    may_be_plain = row.name in _MAY_BE_PLAIN and file.name.endswith(row.suffixes)
    if may_be_plain or row.recognise(file.head):
        return
    detected = _guess_format(file.head)
    if detected is None:
        head = _read_document_head(file)
        detected = None if row.recognise(head) else _guess_format(head)
    if detected not in (None, row):
        message = f"is {detected.label}, expected {row.label}"
        hint = "omit --from to recognise the format of each file"
        raise FormatError(
            message, code="format/other-format", place=file.name, hint=hint
        )


def _guess_format(head: bytes) -> Format | None:
    """Return the format that the first bytes of a file look like."""
    for row in (*FORMATS.values(), *READ_ONLY.values()):
        module = _load(row.module)
        if module.recognise(head):
            find_closer = getattr(module, "closer", None)
            name = find_closer and find_closer(head)
            return {**FORMATS, **READ_ONLY}[name] if name else row
    return None


def _read_document_head(file: ByteFile) -> bytes:
    """Read the first bytes of the first document with a header.

    It must be in the first megabyte, because a pipe may be endless.
    """
    block = file.read(file.text_start, file.text_start + BLOCK)
    match = re.search(_HEADER, block)
    if match is None:
        return b""
    start = file.text_start + match.start()
    return file.read(start, start + HEAD)


def _make_unknown_error(file: ByteFile, head: bytes) -> FormatError:
    labels = ", ".join(f"{row.label} ({row.name})" for row in FORMATS.values())
    if not head.strip():
        message = f"is empty, expected one of: {labels}"
        return FormatError(message, code="format/empty-file", place=file.name)
    return FormatError(
        f"is in an unknown format, expected one of: {labels}",
        code="format/unknown-format",
        place=f"{file.name}:1",
        hint=describe_head(head),
    )


_CELL = re.compile(rb"[-_*]|\(?[^\s()|]+\)|\([^\s()|]+(?:\||\(|$).*|(?:.*\|.*[()].*)")
_HEAD_LINES = 50  # examined for a hint
_DELIMITERS = ("\t", ",", ";")


def describe_head(head: bytes) -> str:
    r"""Return a hint on the format of a file, from its first bytes.

    >>> describe_head(b"d\t0\t0\tAnn\t(1)\nd\t0\t1\tsaw\t-\n")
    "a CoNLL-2012 document begins with '#begin document (id); part 000'"
    >>> describe_head(b"ID\tText\nv-1\tShe saw her.\n")  # doctest: +ELLIPSIS
    "this looks like a table: found columns 'ID', 'Text', expected document, entity, ...
    """
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "this looks like UTF-16; save the file as UTF-8"
    if b"\0" in head:
        return "this looks like a binary file"
    lines = [line for line in head.split(b"\n")[:_HEAD_LINES] if line.strip()]
    if _have_cells([line for line in lines if not line.startswith(b"#")]):
        return "a CoNLL-2012 document begins with '#begin document (id); part 000'"
    fault = _describe_columns(lines[0]) if lines else None
    if fault is not None:
        return f"this looks like a table: {fault}"
    return "name the format with --from, or see `corefkit validate --help`"


def _have_cells(lines: list[bytes]) -> bool:
    """Return whether most lines have columns with brackets, or `-`, in the last one."""
    cells = [line.split()[-1] for line in lines if len(line.split()) > 1]
    brackets = [_CELL.fullmatch(cell) is not None for cell in cells]
    return sum(brackets) * 2 > len(lines)


def _describe_columns(line: bytes) -> str | None:
    """Describe the columns that a table lacks, if the first line is a header."""
    from corefkit.formats.tables import describe_column_fault

    header = line.decode("utf-8", "replace").strip("\r")
    for delimiter in _DELIMITERS:
        columns = [column.strip() for column in header.split(delimiter)]
        are_names = all(re.fullmatch(r"[^\W\d][\w .-]*", name) for name in columns)
        if len(columns) > 1 and are_names and len(set(columns)) == len(columns):
            return describe_column_fault(columns)
    return None
