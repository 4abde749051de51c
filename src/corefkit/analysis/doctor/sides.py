"""Checks of whole sides: the same file twice, swapped, or with other documents."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from corefkit.analysis.doctor.case import Suspicion
from corefkit.analysis.doctor.spans import mention_count, mentions_of
from corefkit.analysis.doctor.wording import counted
from corefkit.exceptions import quoted
from corefkit.strings.ids import name_and_part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.analysis.doctor.case import Case
    from corefkit.model import Document

_OF_KEYS = re.compile(r"(?<![a-z])(gold|key|keys|ref|reference|truth)(?![a-z])", re.I)
_OF_RESPONSES = re.compile(
    r"(?<![a-z])(pred|predicted|predictions?|sys|system|response|output|auto|hyp)"
    r"(?![a-z])",
    re.I,
)


def identical(case: Case) -> Iterator[Suspicion]:
    """A response that is the key itself."""
    if any(case.unpaired) or not all(case.mentions):
        return
    if all(_entities(pair.key) == _entities(pair.response) for pair in case.pairs):
        what = "the same file" if _same_file(case) else "the same mentions and entities"
        yield Suspicion(
            f"key and response are {what}",
            "name the output of the system as RESPONSE",
            case.mentions[0],
        )


def _entities(document: Document) -> set[frozenset[object]]:
    return {frozenset(entity.mentions) for entity in document.entities}


def _same_file(case: Case) -> bool:
    paths = [one for one in case.inputs if isinstance(one, str | os.PathLike)]
    if len(paths) < 2 or not all(Path(path).exists() for path in paths):
        return False
    return Path(paths[0]).samefile(paths[1])


def swapped(case: Case) -> Iterator[Suspicion]:
    """A key that is called as a response, beside a response that is called as a key."""
    key, response = (PurePath(name).name for name in case.names)
    if case.names == ("key", "response"):
        return
    as_key = _OF_KEYS.search(response) and not _OF_KEYS.search(key)
    as_response = _OF_RESPONSES.search(key) and not _OF_RESPONSES.search(response)
    if as_key or as_response:
        yield Suspicion(
            f"key and response seem to be swapped: {quoted(key)} is given as the key, "
            f"and {quoted(response)} as the response",
            "the key comes first: recall and precision change places",
            sum(case.mentions),
            replace(
                case,
                inputs=case.inputs[::-1],
                names=case.names[::-1],
                key=case.response,
                response=case.key,
                errors=case.errors[::-1],
                numbers=case.numbers[::-1],
                documents=case.documents[::-1],
            ),
            is_certain=True,
        )


def no_common_document(case: Case) -> Iterator[Suspicion]:
    """A response that has no document of the key, by name or by text."""
    missing, extra = case.unpaired
    if missing and extra and not case.pairs:
        yield Suspicion(
            f"the response has none of the key's {counted(len(missing), 'document')}: "
            f"it has {quoted(extra[0].id)}, where the key has {quoted(missing[0].id)}, "
            "and the texts differ, too, as far as they are known",
            "is it the response to another part of the corpus? Documents are paired by "
            "their names",
            sum(map(mention_count, missing)),
            is_certain=True,
        )


def missing_documents(case: Case) -> Iterator[Suspicion]:
    """Documents of the key that the response lacks."""
    missing, _ = case.unpaired
    if not missing or not case.pairs or case.settings.skips_missing:
        return
    names = {name_and_part(pair.key.id)[0] for pair in case.pairs}
    parts = [one for one in missing if name_and_part(one.id)[0] in names]
    noun = "part" if len(parts) == len(missing) else "document"
    yield Suspicion(
        f"the response lacks {counted(len(missing), noun)} of {len(case.key):,} that "
        f"the key has, such as {quoted(missing[0].id)}",
        "run the system on what it lacks; `--missing skip` scores without that",
        sum(map(mention_count, missing)),
        case.with_settings(missing="skip"),
        is_certain=True,
    )


def extra_documents(case: Case) -> Iterator[Suspicion]:
    """Documents of the response that the key lacks."""
    _, extra = case.unpaired
    if extra and case.pairs:
        yield Suspicion(
            f"the response has {counted(len(extra), 'document')} that the key lacks, "
            f"such as {quoted(extra[0].id)}; nothing of them is scored",
            "is this the whole key?",
            sum(1 for one in extra for _ in mentions_of(one)),
        )
