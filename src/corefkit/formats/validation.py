"""Validation of a file or folder: errors, warnings and unusual annotation.

Readers report the problems of their format, and `corefkit.formats.checks` those of
documents. Problems of bytes, and of the files of a folder together, are found here.
"""

from __future__ import annotations

import os
from collections import Counter
from contextlib import closing
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import CorefkitError, FormatError, SettingsError, quoted
from corefkit.formats import describe_missing_document, detect_format
from corefkit.formats import problems as kinds
from corefkit.formats.files import ByteFile
from corefkit.formats.problems import (
    NOTE,
    SEVERITIES,
    Faults,
    Problem,
    ProblemKind,
    has_errors,
)
from corefkit.formats.source import compare_names
from corefkit.strings import escape_terminal, normalize_id, suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from corefkit.formats.folder import FolderSource

PROFILES = {"corefud": "conllu"}  # with the format that each is for
_rank = SEVERITIES.index
_WITHOUT_MENTIONS = kinds.WITHOUT_MENTIONS.name


class Validation(NamedTuple):
    """The result of validating a file or folder."""

    file: str  # the display name
    formats: frozenset[str]  # by name; empty if the file cannot be opened
    documents: int  # the number; 0 if errors leave it unknown
    problems: list[Problem]  # in the order of files and lines
    profile: str | None = None  # if any, only its errors count

    def select(self, *, least: str) -> list[Problem]:
        return [row for row in self.problems if _rank(row.severity) <= _rank(least)]

    def is_ok(self, *, least: str) -> bool:
        """Return whether no selected problem is an error or a warning."""
        if self.profile is not None:
            return not has_errors(self.problems)
        return all(problem.severity == NOTE for problem in self.select(least=least))

    def format_lines(self, *, least: str) -> Iterator[str]:
        """Format the selected problems, and `ok` if none is an error or a warning."""
        yield from map(str, self.select(least=least))
        if self.is_ok(least=least):
            yield f"{escape_terminal(self.file)}: ok"

    def to_dict(self, *, least: str) -> dict[str, object]:
        """Convert to JSON values; problems that are not selected are only counted."""
        counts = Counter(problem.severity for problem in self.problems)
        (format,) = self.formats if len(self.formats) == 1 else (None,)
        order = ("file", "line", "severity", "kind", "code", "message", "hint")
        problems = map(asdict, self.select(least=least))
        return {
            "file": self.file,
            "format": format,
            "ok": self.is_ok(least=least),
            "counts": {severity: counts[severity] for severity in SEVERITIES},
            "problems": [{key: row[key] for key in order} for row in problems],
        }


def format_counts(validations: Iterable[Validation], *, least: str) -> tuple[str, str]:
    """Format the numbers of the selected problems, and of the others; empty if none."""
    rows: tuple[list[Problem], list[Problem]] = [], []
    for problem in chain.from_iterable(row.problems for row in validations):
        rows[_rank(problem.severity) > _rank(least)].append(problem)
    listed, hidden = rows
    plural = "s" if len(listed) > 1 else ""
    summary = f"{len(listed)} problem{plural}: {_format(listed)}" if listed else ""
    if not hidden:
        return summary, ""
    gravest = min((problem.severity for problem in hidden), key=_rank)
    them = "them" if len(hidden) > 1 else "it"
    hint = f"see {them} with --severity {gravest}"
    return summary, f"not listed: {_format(hidden)}; {hint}"


def _format(problems: Sequence[Problem]) -> str:
    """Count problems by severity, and the kinds of each severity."""
    parts = []
    for severity in SEVERITIES:
        counts = Counter(
            problem.kind for problem in problems if problem.severity == severity
        )
        names = [
            f"{count} {kind}" if len(counts) > 1 else kind
            for kind, count in counts.most_common()
        ]
        if total := counts.total():
            plural = "s" if total > 1 else ""
            parts.append(f"{total} {severity}{plural} ({', '.join(names)})")
    return ", ".join(parts)


def validate(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    profile: str | None = None,
) -> list[Problem]:
    """List all errors, warnings and notes about a file or folder.

    Args:
        path: the file or folder.
        format: the name of its format; recognised by default.
        profile: `corefud` adds the official tests of CorefUD; its errors are those of
            the official validator.

    Returns:
        The problems in the order of files and lines. Each has `file`, `line`,
        `severity`, `message`, `hint`, `kind` and `code`; `str` formats it as the
        command does. A file that cannot be opened is a problem too, not an exception.

    >>> from corefkit.example import paths
    >>> [problem.kind for problem in validate(paths()[0])]
    ['singletons']
    >>> print(*validate("nowhere.conll"))
    nowhere.conll: cannot be read: No such file or directory
    """
    return validate_path(path, format=format, profile=profile).problems


def validate_path(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    profile: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Validation:
    """Validate a file or folder.

    `progress` is called with the number of files that are checked, and of all files.
    """
    try:
        Path(path)
    except TypeError:
        message = f"found {path!r:.60} to validate, expected the path of a file"
        hint = "call it for each of several files"
        raise SettingsError(message, code="settings/invalid-value", hint=hint) from None
    if profile is not None:
        format = _choose_format(profile, format)
    if os.path.isdir(path):  # noqa: PTH112 - Path("") is the current folder
        result = _validate_folder(path, format, profile, progress)
    else:
        result = _validate_file(path, format, profile)
        if progress is not None:
            progress(1, 1)
    problems = [row for row in result.problems if row.kind != _WITHOUT_MENTIONS]
    empty = [row for row in problems if row.kind == kinds.EMPTY_DOCUMENT.name]
    without_mentions = len(result.problems) - len(problems)
    if not result.documents or without_mentions + len(empty) < result.documents:
        return result
    # One problem replaces those of the documents.
    found: list[Problem] = []
    message = "has no mention in any of its documents"
    hint = "check that this is the annotated file"
    Faults(result.file, found)(None, message, hint, kind=kinds.NO_MENTIONS)
    return result._replace(problems=found + problems)


def _choose_format(profile: str, format: str | None) -> str:
    """Return the only format of a profile."""
    if profile not in PROFILES:
        message, hint = f"unknown profile {profile!r}", suggest(profile, PROFILES)
        raise SettingsError(message, code="settings/unknown-value", hint=hint)
    if format not in (None, PROFILES[profile]):
        message = f"profile {profile!r} does not apply to format {format!r}"
        hint = f"it is for {PROFILES[profile]}"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    return PROFILES[profile]


def _validate_file(
    path: str | os.PathLike[str], format: str | None, profile: str | None
) -> Validation:
    name = os.fspath(path)
    problems: list[Problem] = []
    formats: frozenset[str] = frozenset()
    documents = 0
    try:
        with ByteFile(path) as file:
            faults = Faults(file, problems)
            row = detect_format(file, format)
            formats = frozenset({row.name})
            problems.extend(row.reader.problems(file))
            if not has_errors(problems):
                documents = len(row.reader.open(file, False, False).ids)
                if not documents:
                    message = describe_missing_document(row)
                    faults(None, message, kind=kinds.NO_DOCUMENT)
            _check_bytes(file, faults)
            problems = faults.sorted_problems
            if profile is not None:
                from corefkit.formats.corefud_profile import apply_profile

                problems = apply_profile(file, problems)
    except FormatError as error:
        problems.append(_convert_error(name, error))
    return Validation(name, formats, documents, problems, profile)


def _validate_folder(
    path: str | os.PathLike[str],
    format: str | None,
    profile: str | None,
    progress: Callable[[int, int], None] | None,
) -> Validation:
    from corefkit.formats.folder import FolderSource, find_files

    name = os.fspath(path)
    formats: set[str] = set()
    documents = 0
    files, errors = find_files(path, format=format)
    problems = [_convert_error(str(file), error) for file, error in errors.items()]
    for number, file in enumerate(files, 1):
        result = _validate_file(file, format, profile)
        if progress is not None:
            progress(number, len(files))
        problems.extend(result.problems)
        formats |= result.formats
    # The documents of invalid files are unknown.
    if profile is None and not has_errors(problems):
        try:
            source = FolderSource(path, format=format, response=False, reference=False)
            with closing(source):
                documents = len(source.ids)
                _check_together(source, problems)
        except FormatError as error:
            problems.append(_convert_error(name, error))
    return Validation(name, frozenset(formats), documents, problems, profile)


def _convert_error(
    name: str, error: CorefkitError, kind: ProblemKind = kinds.UNREADABLE
) -> Problem:
    """Convert an error about a file, or about a file in a folder."""
    place = error.place or name
    line = place.removeprefix(f"{name}:")
    has_line = line != place and line.isdecimal()
    file, number = (name, int(line)) if has_line else (place, None)
    row = kind.severity, kind.name, error.code
    return Problem(file, number, error.message, error.hint, *row)


def _check_bytes(file: ByteFile, faults: Faults) -> None:
    """Report a byte-order mark, and line ends of both conventions."""
    if b"\0" in file.head:
        return  # not a text file
    if file.text_start:
        message = "the file begins with a byte-order mark"
        hint = "it is skipped here; some tools take it for a part of the first word"
        faults(1, message, hint, kind=kinds.BYTE_ORDER_MARK)
    lines = windows = 0
    for block in file.blocks(file.text_start, file.size):
        lines += block.count(b"\n")
        windows += block.count(b"\r\n")
    if 0 < windows < lines:
        message = f"{windows} of {lines} lines end as on Windows, the others do not"
        hint = "all are parsed the same way; check if two files were joined"
        faults(None, message, hint, kind=kinds.LINE_ENDS)


def _check_together(source: FolderSource, problems: list[Problem]) -> None:
    """Add the problems that only the files of a folder together have."""
    first: dict[str, int] = {}
    for number, document_id in enumerate(source.ids):
        earlier = first.setdefault(normalize_id(document_id), number)
        if earlier != number:
            file, _, line = source.format_place(number).rpartition(":")
            message = f"document {quoted(document_id)} is repeated"
            hint = f"it first begins at {source.format_place(earlier)}"
            faults = Faults(file, problems)
            faults(int(line), message, hint, kind=kinds.REPEATED_DOCUMENT)
    if clash := compare_names(source, [source]):
        problems.append(_convert_error(source.name, clash, kinds.MALFORMED))
