"""Model files: all that resolving needs, in one zip file.

`model.json` describes the model and has the sha256 of every other entry; the files of
the learner are under `learner/`, those of the tagger of mentions under `tagger/`. The
same model always makes the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corefkit.cistell.learners import learner_named
from corefkit.cistell.learners.base import AGAIN, Column
from corefkit.exceptions import CorefkitError, quoted
from corefkit.formats.placing import replacing
from corefkit.settings import VERSION

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    from corefkit.cistell.learners.base import Classifier

FORMAT = 1
_ABOUT = "model.json"
_LEARNER, _TAGGER = "learner/", "tagger/"

# How many times its size a file may unpack to: rows of codes pack well, and a file that
# is made to fill memory packs ten times better. Up to so many bytes anything may.
MOST_EXPANSION = 100
MOST_UNQUESTIONED = 64 << 20


@dataclass(frozen=True, slots=True)
class Model:
    """A trained model."""

    language: str
    columns: tuple[Column, ...]  # the features, in the order of a row
    learner: str
    classifier: Classifier  # what it has learned
    corpus: Mapping[str, object]  # the fingerprint of the training corpus
    # How the training pairs were chosen, and how many there were.
    training: Mapping[str, object]
    # The files of a trained tagger of mentions, or None.
    tagger: Mapping[str, bytes] | None = None


def save_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, or leave the file as it was."""
    entries = _entries(model)
    about = _about(model, entries)
    text = json.dumps(about, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    with replacing(path) as unfinished, zipfile.ZipFile(unfinished, "x") as archive:
        for name, body in [(_ABOUT, text.encode()), *sorted(entries.items())]:
            archive.writestr(_entry(name), body)


def load_model(
    path: str | os.PathLike[str],
    *,
    known: Callable[[str], Iterable[Column]] | None = None,
    note: Callable[[str], None] = lambda _: None,
) -> Model:
    """Read a model from a file.

    Args:
        path: a file that `save_model` wrote.
        known: returns all features of a language, with their values; a model with
            others is refused.
        note: called with what the user should know.

    Raises:
        CorefkitError: the file is not a model, is damaged, or is of another version.
    """
    try:
        about, entries = _read(Path(path))
        return _model(about, entries, known=known, note=note)
    except CorefkitError as error:
        raise CorefkitError(error.message, place=str(path), hint=error.hint) from error


def _entries(model: Model) -> dict[str, bytes]:
    files = model.classifier.files().items()
    entries = {f"{_LEARNER}{name}": body for name, body in files}
    if model.tagger is not None:
        entries |= {f"{_TAGGER}{name}": body for name, body in model.tagger.items()}
    return entries


def _about(model: Model, entries: Mapping[str, bytes]) -> dict[str, object]:
    return {
        "format": FORMAT,
        "corefkit": VERSION,
        "language": model.language,
        "learner": model.learner,
        "columns": [
            {"name": column.name, "values": column.values} for column in model.columns
        ],
        "corpus": dict(model.corpus),
        "training": dict(model.training),
        "tagger": model.tagger is not None,
        "sha256": {name: _sha256(body) for name, body in entries.items()},
    }


def _entry(name: str) -> zipfile.ZipInfo:
    """Describe an entry without anything that depends on time, system or user."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    return entry


def _sha256(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def _read(path: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Read all entries, and check that each is as it was written."""
    try:
        archive = zipfile.ZipFile(path)
    except zipfile.BadZipFile as error:
        raise _no_model() from error
    except OSError as error:
        message = f"the model cannot be read: {error.strerror}"
        hint = "name a file that `corefkit train` wrote"
        raise CorefkitError(message, hint=hint) from error
    with archive:
        _check_sizes(archive, path.stat().st_size)
        about = _checked_about(archive)
        entries = {}
        for name, expected in about["sha256"].items():
            body = _body(archive, name)
            if body is None or _sha256(body) != expected:
                message = (
                    f"the model is damaged: {quoted(name)} is not as it was written"
                )
                raise CorefkitError(message, hint=AGAIN)
            entries[name] = body
    return about, entries


def _check_sizes(archive: zipfile.ZipFile, size: int) -> None:
    """Refuse a file that would fill memory, before anything is unpacked."""
    entries = archive.infolist()
    unpacked = sum(entry.file_size for entry in entries)
    packings = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    if any(entry.compress_type not in packings for entry in entries):
        raise _no_model()
    if unpacked > max(MOST_UNQUESTIONED, MOST_EXPANSION * size):
        message = (
            f"the model would unpack to {unpacked:,} bytes, more than "
            f"{MOST_EXPANSION} times its size, which no model does"
        )
        raise CorefkitError(message, hint=AGAIN)


def _body(archive: zipfile.ZipFile, name: str) -> bytes | None:
    """Read an entry; None if it is missing or cannot be read."""
    try:
        # Read no more than the entry declares: what it really holds may be endless.
        with archive.open(name) as entry:
            return entry.read(archive.getinfo(name).file_size)
    except (KeyError, OSError, EOFError, RuntimeError, zlib.error, zipfile.BadZipFile):
        return None


def _checked_about(archive: zipfile.ZipFile) -> dict[str, Any]:
    """Read the description of the model, and refuse formats of other versions."""
    try:
        about = json.loads(_body(archive, _ABOUT) or b"")
        number = about["format"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise _no_model() from error
    if not isinstance(number, int):
        raise _no_model()
    if number != FORMAT:
        message = (
            f"the model has format {number}, of corefkit {about.get('corefkit')}, but "
            f"this is corefkit {VERSION}, which reads format {FORMAT}"
        )
        hint = "use that version, or train the model again with `corefkit train`"
        raise CorefkitError(message, hint=hint)
    if not isinstance(about.get("sha256"), dict):
        raise _no_model()
    return dict(about)


def _no_model() -> CorefkitError:
    message = "this is not a model that `corefkit train` wrote"
    return CorefkitError(message, hint="train one: `corefkit train --help`")


def _model(
    about: Mapping[str, Any],
    entries: Mapping[str, bytes],
    *,
    known: Callable[[str], Iterable[Column]] | None,
    note: Callable[[str], None],
) -> Model:
    try:
        language, name = str(about["language"]), str(about["learner"])
        columns = tuple(map(_column, about["columns"]))
        corpus, training = dict(about["corpus"]), dict(about["training"])
        tagged = bool(about["tagger"])
    except (KeyError, TypeError, ValueError) as error:
        message = f"the model is damaged: {_ABOUT} lacks a part"
        raise CorefkitError(message, hint=AGAIN) from error
    if known:
        _check_columns(columns, {column.name: column for column in known(language)})
    learner = learner_named(name, note=note)
    classifier = learner.load(_under(_LEARNER, entries), columns)
    return Model(
        language=language,
        columns=columns,
        learner=learner.name,
        classifier=classifier,
        corpus=corpus,
        training=training,
        tagger=_under(_TAGGER, entries) if tagged else None,
    )


def _column(column: Mapping[str, Any]) -> Column:
    name, values = column["name"], tuple(column["values"])
    if not all(isinstance(word, str) for word in (name, *values)):
        raise TypeError
    return Column(name, values)


def _under(folder: str, entries: Mapping[str, bytes]) -> dict[str, bytes]:
    return {
        name.removeprefix(folder): body
        for name, body in entries.items()
        if name.startswith(folder)
    }


def _check_columns(columns: Iterable[Column], known: Mapping[str, Column]) -> None:
    """Refuse a model whose features are not the features of this version."""
    for column in columns:
        if column.name not in known:
            what = f"has the feature {quoted(column.name)}, unknown to this corefkit"
        elif column != known[column.name]:
            what = f"has other values of the feature {quoted(column.name)}"
        else:
            continue
        hint = "use the corefkit that trained it, or train it again"
        message = f"the model {what}"
        raise CorefkitError(message, hint=hint)
