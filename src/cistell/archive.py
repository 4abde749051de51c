"""Archives: files with a description, in one zip file that is checked when it is read.

`model.json` describes what the archive holds, and has the sha256 of every other entry.
The same contents always make the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

from cistell.learners.base import AGAIN
from corefkit.exceptions import FormatError, quoted
from corefkit.formats.output import replace_file
from corefkit.settings import VERSION

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from pathlib import Path

FORMAT = 2
ABOUT = "model.json"

# How many times its size a file may unpack to: rows of codes pack well, and a file that
# is made to fill memory packs ten times better. Up to so many bytes anything may.
MOST_EXPANSION = 100
MOST_UNQUESTIONED = 64 << 20

# Raised by zipfile for damaged files; NotImplementedError and UnicodeDecodeError are
# subclasses of two of them.
_ZIP_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, KeyError, OSError),
    *(OverflowError, RuntimeError, ValueError),
)


class Archive(NamedTuple):
    """What an archive holds."""

    about: Mapping[str, Any]  # the description, as values for JSON
    entries: Mapping[str, bytes]  # the files, by their names

    def under(self, folder: str) -> dict[str, bytes]:
        """Return the files of a folder, by their names in it.

        >>> Archive({}, {"tagger/weights": b"1", "learner/trees": b"2"}).under("tagger")
        {'weights': b'1'}
        """
        start = f"{folder}/"
        return {
            name.removeprefix(start): body
            for name, body in self.entries.items()
            if name.startswith(start)
        }


def save_archive(archive: Archive, path: str | os.PathLike[str]) -> None:
    """Write an archive, or leave the file as it was."""
    about = {
        **archive.about,
        "format": FORMAT,
        "corefkit": VERSION,
        "sha256": {name: _sha256(body) for name, body in archive.entries.items()},
    }
    text = json.dumps(about, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    with replace_file(path) as unfinished, zipfile.ZipFile(unfinished, "x") as file:
        for name, body in [(ABOUT, text.encode()), *sorted(archive.entries.items())]:
            file.writestr(_entry(name), body)


def load_archive(path: Path) -> Archive:
    """Read all entries, and check that each is as it was written.

    Raises:
        FormatError: the file is not an archive, is damaged, or of another version.
    """
    try:
        file = zipfile.ZipFile(path)
    except OSError as error:
        message = f"the model cannot be read: {error.strerror or error}"
        hint = "name a file that `corefkit train` wrote"
        raise FormatError(message, code="model/unreadable", hint=hint) from error
    except _ZIP_ERRORS as error:
        raise no_model() from error
    with file:
        _check_sizes(file, path.stat().st_size)
        about = _checked_about(file)
        entries = {}
        for name, expected in about["sha256"].items():
            body = _body(file, name)
            if body is None or _sha256(body) != expected:
                message = (
                    f"the model is damaged: {quoted(name)} is not as it was written"
                )
                raise FormatError(message, code="model/damaged", hint=AGAIN)
            entries[name] = body
    return Archive(about, entries)


def no_model() -> FormatError:
    """Return the error for a file that is not a model, or too damaged to tell."""
    message = "this is not a model that `corefkit train` wrote"
    hint = "copy the file again if it is damaged, or train one: `corefkit train --help`"
    return FormatError(message, code="model/not-a-model", hint=hint)


def _entry(name: str) -> zipfile.ZipInfo:
    """Describe an entry without anything that depends on time, system or user."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    return entry


def _sha256(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def _check_sizes(file: zipfile.ZipFile, size: int) -> None:
    """Refuse a file that would fill memory, before anything is unpacked."""
    entries = file.infolist()
    unpacked = sum(entry.file_size for entry in entries)
    packings = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    if any(entry.compress_type not in packings for entry in entries):
        raise no_model()
    if unpacked > max(MOST_UNQUESTIONED, MOST_EXPANSION * size):
        message = (
            f"the model would unpack to {unpacked:,} bytes, more than "
            f"{MOST_EXPANSION} times its size, which no model does"
        )
        raise FormatError(message, code="model/too-large", hint=AGAIN)


def _body(file: zipfile.ZipFile, name: str) -> bytes | None:
    """Read an entry; None if it is missing or cannot be read."""
    try:
        # Read no more than the entry declares: what it really holds may be endless.
        with file.open(name) as entry:
            return entry.read(file.getinfo(name).file_size)
    except _ZIP_ERRORS:
        return None


def _checked_about(file: zipfile.ZipFile) -> dict[str, Any]:
    """Read the description, and refuse formats of other versions."""
    try:
        about = json.loads(_body(file, ABOUT) or b"")
        number = about["format"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise no_model() from error
    if not isinstance(number, int):
        raise no_model()
    if number != FORMAT:
        message = (
            f"the model has format {number}, of corefkit {about.get('corefkit')}, but "
            f"this is corefkit {VERSION}, which reads format {FORMAT}"
        )
        hint = "use that version, or train the model again with `corefkit train`"
        raise FormatError(message, code="model/version", hint=hint)
    if not isinstance(about.get("sha256"), dict):
        raise no_model()
    return dict(about)
