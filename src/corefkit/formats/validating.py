"""Everything that is wrong with a file or folder, odd about it, or only unusual.

A reader finds the problems of its format, and `corefkit.formats.oddities` those of its
documents. What concerns bytes and whole inputs is found here.
"""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import FormatError, SettingsError, quoted
from corefkit.formats import kinds, no_document, recognised
from corefkit.formats.bytefile import ByteFile
from corefkit.formats.faults import Faults, Problem, has_errors, in_order
from corefkit.formats.source import names_clash
from corefkit.strings.ids import canonical_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from corefkit.formats.folder.folder import FolderSource

_SILENT = (kinds.WITHOUT_MENTIONS.name, kinds.EMPTY_DOCUMENT.name)


class Validation(NamedTuple):
    """What was found in a file or folder.

    Attributes:
        file: what the user calls it.
        formats: the names of the formats that it is in; none if it cannot be opened.
        documents: how many documents it has; 0 where errors leave that unknown.
        problems: its problems, in the order of its files and lines.
    """

    file: str
    formats: frozenset[str]
    documents: int
    problems: list[Problem]


def validate(
    path: str | os.PathLike[str], *, format: str | None = None
) -> list[Problem]:
    """List everything that is wrong with a file or folder, or odd, or only unusual.

    Args:
        path: the file or folder.
        format: the name of its format; recognised where it is not given.

    Returns:
        The problems in the order of files and lines. Each has `file`, `line`,
        `severity`, `message`, `hint` and `kind`; `str` words it as the command does. A
        file that cannot be opened is a problem too, and no exception.

    >>> from corefkit.example import paths
    >>> [problem.kind for problem in validate(paths()[0])]
    ['singletons']
    >>> print(*validate("nowhere.conll"))
    nowhere.conll: cannot be read: No such file or directory
    """
    return validation(path, format=format).problems


def validation(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Validation:
    """Find the problems of a file or folder, and what else there is to say of it.

    `progress` is called with the numbers of files that are checked, and of all.
    """
    _check_path(path)
    show = progress or (lambda _done, _total: None)
    if os.path.isdir(path):  # noqa: PTH112 - a Path makes `.` of an empty name
        found = _folder(path, format, show)
    else:
        found = _file(path, format)
        show(1, 1)
    silent = [problem for problem in found.problems if problem.kind in _SILENT]
    if not found.documents or len(silent) < found.documents:
        return found
    # That a document has none goes without saying then.
    kept = [one for one in found.problems if one.kind != kinds.WITHOUT_MENTIONS.name]
    message = "has no mention in any of its documents"
    hint = "is this the file with the annotation?"
    return found._replace(
        problems=[_problem(found.file, message, hint, kinds.NO_MENTIONS), *kept]
    )


def _check_path(path: object) -> None:
    if not isinstance(path, str | os.PathLike):
        message = f"found {path!r:.60} to validate, expected the path of a file"
        raise SettingsError(message, hint="call it for each of several files")


def _file(path: str | os.PathLike[str], format: str | None) -> Validation:
    name = os.fspath(path)
    problems: list[Problem] = []
    formats: frozenset[str] = frozenset()
    documents = 0
    try:
        with ByteFile(path) as file:
            found = recognised(file, format)
            formats = frozenset({found.name})
            problems.extend(found.reader.problems(file))
            if not has_errors(problems):
                documents = len(found.reader.open(file, False, False).ids)
                if not documents:
                    message = no_document(found)
                    problems.append(_problem(name, message, None, kinds.NO_DOCUMENT))
            problems = in_order([*problems, *_unusual_bytes(file)])
    except FormatError as error:
        problems.append(_refused(name, error))
    return Validation(name, formats, documents, problems)


def _folder(
    path: str | os.PathLike[str],
    format: str | None,
    show: Callable[[int, int], None],
) -> Validation:
    # Imported here because few inputs are folders.
    from corefkit.formats.folder.files import sorted_files
    from corefkit.formats.folder.folder import FolderSource

    name = os.fspath(path)
    formats: set[str] = set()
    documents = 0
    files = sorted_files(path, format=format)
    problems = [_refused(str(file), error) for file, error in files.errors.items()]
    for number, file in enumerate(files.known, 1):
        found = _file(file, format)
        show(number, len(files.known))
        problems.extend(found.problems)
        formats |= found.formats
    if not has_errors(problems):  # what broken files hold is unknown
        try:
            source = FolderSource(path, format=format, response=False, reference=False)
            with closing(source):
                documents = len(source.ids)
                problems.extend(_together(source))
        except FormatError as error:
            problems.append(_refused(name, error))
    return Validation(name, frozenset(formats), documents, problems)


def _problem(file: str, message: str, hint: str | None, kind: kinds.Kind) -> Problem:
    return Problem(file, None, message, hint, kind.severity, kind.name)


def _refused(name: str, error: FormatError) -> Problem:
    """Make a problem of what was raised about a file, or about one in a folder."""
    place = error.place or name
    line = place.removeprefix(f"{name}:")
    if line != place and line.isdecimal():
        kind = kinds.UNREADABLE
        return Problem(
            name, int(line), error.message, error.hint, kind.severity, kind.name
        )
    return _problem(place, error.message, error.hint, kinds.UNREADABLE)


def _unusual_bytes(file: ByteFile) -> list[Problem]:
    """List what is unusual about the bytes of a text: its mark, its ends of lines."""
    faults = Faults(file, [])
    if b"\0" in file.head:
        return []  # a table in columns is no text
    if file.text_start:
        hint = "it is skipped here; some tools take it for a part of the first word"
        message = "the file begins with a byte-order mark"
        faults(1, message, hint, kind=kinds.BYTE_ORDER_MARK)
    lines = windows = 0
    for block in file.blocks(file.text_start, file.size):
        lines += block.count(b"\n")
        windows += block.count(b"\r\n")
    if 0 < windows < lines:
        message = f"{windows} of {lines} lines end as on Windows, the others do not"
        hint = "all are read alike; were two files joined?"
        faults(None, message, hint, kind=kinds.LINE_ENDS)
    return faults.kept


def _together(source: FolderSource) -> Iterator[Problem]:
    """Iterate over what is wrong with the files of a folder only beside each other."""
    first: dict[str, int] = {}
    for number, document_id in enumerate(source.ids):
        other = first.setdefault(canonical_id(document_id), number)
        if other != number:
            file, _, line = source.place(number).rpartition(":")
            message = f"document {quoted(document_id)} is repeated"
            hint = f"it first begins at {source.place(other)}"
            kind = kinds.REPEATED_DOCUMENT
            yield Problem(file, int(line), message, hint, kind.severity, kind.name)
    if clash := names_clash(source, [source]):
        yield _problem(source.name, clash.message, clash.hint, kinds.MALFORMED)
