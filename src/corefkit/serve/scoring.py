"""What the child process does: from files to a report and the scores behind it."""

from __future__ import annotations

import gzip
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from corefkit.corpus import Fingerprint, compute_fingerprint
from corefkit.exceptions import CorefkitError, FormatError, Refused, SettingsError
from corefkit.formats import read
from corefkit.formats.files import GZIP
from corefkit.formats.problems import UNREADABLE
from corefkit.report.assembly import make_report, refuse_stored
from corefkit.results.records import render_json
from corefkit.serve.corpora import corpus_id
from corefkit.serve.limits import in_words
from corefkit.serve.values import Outcome, Scores

if TYPE_CHECKING:
    from pathlib import Path

    from corefkit.report.assembly import Report
    from corefkit.serve.values import Asked
    from corefkit.settings import Keywords

_STEP = 1 << 20
_NO_SETTINGS = ("key", "responses", "skip_broken", "progress", "units")
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_PACKED = (b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf\x27\x1c", b"\x28\xb5\x2f\xfd", b"Rar!")


def check_file(path: Path, most: int) -> None:
    """Refuse archives, what unpacks to more than files may have, and stored scores.

    One file that is packed by gzip is unpacked when it is read; what is packed twice is
    in no format.
    """
    _check_packing(path, most)
    refuse_stored(path)


def _check_packing(path: Path, most: int) -> None:
    with path.open("rb") as file:
        head = file.read(8)
    if head.startswith((*_ZIP, *_PACKED)):
        message = "is an archive, expected a file"
        hint = "unpack it and send the file; for a folder, `corefkit convert` makes one"
        raise FormatError(
            message, code="format/unknown-format", place=str(path), hint=hint
        )
    if not head.startswith(GZIP):
        return
    size = 0
    try:
        with gzip.open(path) as stream:
            while part := stream.read(_STEP):
                size += len(part)
                if size > most:
                    message = f"unpacks to more than {in_words(most)}"
                    raise FormatError(message, code="format/too-large", place=str(path))
    except (OSError, EOFError, zlib.error) as error:
        message = f"cannot be unpacked: {error}"
        raise FormatError(message, code=UNREADABLE.code, place=str(path)) from error


def outcome_of(asked: Asked, paths: list[Path], *, most: int) -> Outcome:
    """Score what was asked for.

    Args:
        asked: the files, under their names.
        paths: where the files are, in the same order.
        most: bytes that a file has when it is unpacked.
    """
    key, *rest = paths
    check_file(key, most)
    names = [response.name for response in asked.responses]
    reasons: dict[str, str] = {}
    given: dict[str, Path] = {}
    for name, path in zip(names, rest, strict=True):
        try:
            check_file(path, most)
            given[name] = path
        except FormatError as error:
            reasons[name] = error.reason
    if not given:
        message = f"no response can be scored: {'; '.join(reasons.values())}"
        raise CorefkitError(message, code="pairing/nothing-scored")
    report = make_report(key, given, skip_broken=True, **_settings(asked))
    reasons |= {name: in_form(reason) for name, reason in report.refused.items()}
    whole = compute_fingerprint(read(key, format=asked.settings.get("format")))
    return _outcome(asked, whole, replace(report, refused=reasons))


def _settings(asked: Asked) -> Keywords:
    """Take what was asked as keywords; refuse those that are no settings."""
    for name in _NO_SETTINGS:
        if name in asked.settings:
            message = f"unknown setting {name!r}"
            raise SettingsError(message, code="settings/unknown-setting")
    return cast("Keywords", dict(asked.settings))


def in_form(text: str) -> str:
    """Say what the command would hint at as it is said to somebody at the form.

    >>> in_form("name the format with --from, or see `corefkit validate --help`")
    'choose the format under Settings, or see `corefkit validate --help`'
    """
    return text.replace(
        "name the format with --from", "choose the format under Settings"
    ).replace("leave out --from", "leave the format under Settings unset")


def _outcome(asked: Asked, whole: Fingerprint, report: Report) -> Outcome:
    """Take out of a report what is stored beside its page.

    Args:
        asked: the files.
        whole: what the key holds, whatever was scored of it.
        report: on those responses that could be scored.
    """
    evaluations = dict(zip(report.systems, report.evaluations, strict=True))
    first, *_ = evaluations.values()
    systems = []
    for file in asked.responses:
        one = evaluations.get(file.name)
        if one is None:
            systems.append(Scores(file.name, reason=report.refused[file.name]))
        else:
            corpus = corpus_id(one.corpus, asked.key.hash)
            systems.append(Scores(file.name, corpus, render_json([one])))
    reasons = report.refused.items()
    refused = [
        Refused(name, CorefkitError(why, code="pairing/nothing-scored"))
        for name, why in reasons
    ]
    scores = render_json([*evaluations.values()], per_document=True, refused=refused)
    return Outcome(
        corpus_id(whole, asked.key.hash),
        whole.to_dict(),
        first.signature,
        tuple(systems),
        scores.encode("utf-8"),
        report.to_html().encode("utf-8"),
    )
