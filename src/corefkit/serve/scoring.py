"""What the child process does: from files to a report and the scores behind it."""

from __future__ import annotations

import gzip
import zlib
from typing import TYPE_CHECKING, cast

from corefkit.corpus.fingerprint import fingerprint_of
from corefkit.evaluation import Evaluation
from corefkit.exceptions import CorefkitError, FormatError, Refused
from corefkit.formats.bytefile import GZIP
from corefkit.report.records import json_text
from corefkit.serve.corpora import corpus_id
from corefkit.serve.limits import in_words
from corefkit.serve.values import Outcome, Scores

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from corefkit.serve.values import Asked
    from corefkit.settings.keywords import Keywords

_STEP = 1 << 20
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_PACKED = (b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf\x27\x1c", b"\x28\xb5\x2f\xfd", b"Rar!")


def check_packing(path: Path, most: int) -> None:
    """Refuse archives, and what unpacks to more than files may have.

    One file that is packed by gzip is unpacked when it is read; what is packed twice is
    in no format.
    """
    with path.open("rb") as file:
        head = file.read(8)
    if head.startswith((*_ZIP, *_PACKED)):
        message = "is an archive, expected a file"
        hint = "unpack it and send the file; for a folder, `corefkit convert` makes one"
        raise FormatError(message, place=str(path), hint=hint)
    if not head.startswith(GZIP):
        return
    size = 0
    try:
        with gzip.open(path) as stream:
            while part := stream.read(_STEP):
                size += len(part)
                if size > most:
                    message = f"unpacks to more than {in_words(most)}"
                    raise FormatError(message, place=str(path))
    except (OSError, EOFError, zlib.error) as error:
        message = f"cannot be unpacked: {error}"
        raise FormatError(message, place=str(path)) from error


def outcome_of(asked: Asked, paths: list[Path], *, most: int) -> Outcome:
    """Score what was asked for.

    Args:
        asked: the files, under their names.
        paths: where the files are, in the same order.
        most: bytes that a file has when it is unpacked.
    """
    key, *rest = paths
    check_packing(key, most)
    names = [response.name for response in asked.responses]
    reasons: dict[str, str] = {}
    given: dict[str, Path] = {}
    for name, path in zip(names, rest, strict=True):
        try:
            check_packing(path, most)
            given[name] = path
        except FormatError as error:
            reasons[name] = error.reason
    settings = cast("Keywords", dict(asked.settings))
    page, evaluations, refused = _reported(key, given, settings)
    reasons |= refused
    if not evaluations:
        listed = "; ".join(reasons[name] for name in names)
        message = f"no response can be scored: {listed}"
        raise CorefkitError(message)
    return _outcome(asked, key, page, evaluations, reasons)


def _outcome(
    asked: Asked,
    key: Path,
    page: str,
    evaluations: Mapping[str, Evaluation],
    reasons: Mapping[str, str],
) -> Outcome:
    first, *_ = evaluations.values()
    whole = fingerprint_of(key)
    systems = []
    for file in asked.responses:
        one = evaluations.get(file.name)
        if one is None:
            systems.append(Scores(file.name, reason=reasons[file.name]))
        else:
            corpus = corpus_id(one.corpus, asked.key.hash)
            systems.append(Scores(file.name, corpus, json_text([one])))
    refused = [Refused(name, CorefkitError(why)) for name, why in reasons.items()]
    return Outcome(
        corpus_id(whole, asked.key.hash),
        whole.to_dict(),
        first.signature,
        tuple(systems),
        json_text([*evaluations.values()], per_document=True, refused=refused).encode(
            "utf-8"
        ),
        page.encode("utf-8"),
    )


def _reported(
    key: Path, responses: Mapping[str, Path], settings: Keywords
) -> tuple[str, dict[str, Evaluation], dict[str, str]]:
    """Make the page, the evaluations by name, and the reasons of what was refused."""
    from corefkit.report.html import html_page
    from corefkit.report.page import Page
    from corefkit.report.scores import score_page
    from corefkit.scoring import score_submissions

    results = score_submissions(key, responses, **settings) if responses else []
    evaluations = {one.response: one for one in results if isinstance(one, Evaluation)}
    refused = [one for one in results if isinstance(one, Refused)]
    page = Page(
        "Report",
        (),
        tuple(score_page([*evaluations.values()], refused=refused))
        if evaluations
        else (),
        "corefkit serve",
    )
    return html_page(page), evaluations, {one.response: one.reason for one in refused}
