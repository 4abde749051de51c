"""Results stored as JSON by `corefkit score --format json`, read back to be shown."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, TypeAlias

from corefkit.corpus.fingerprint import Fingerprint
from corefkit.evaluation import DocumentScores, Evaluation
from corefkit.exceptions import FormatError
from corefkit.formats.bytefile import ByteFile
from corefkit.metrics import CONLL, label_of
from corefkit.metrics.base import COUNTS, Score, of_links
from corefkit.report.json_reading import (
    Fault,
    a_count,
    a_list,
    a_number,
    a_positive_number,
    a_share,
    a_text,
    an_object,
    at,
    at_most_one,
    each,
    parsed,
)
from corefkit.settings import DEFAULT_SETTINGS

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping


@dataclass(frozen=True, slots=True)
class StoredScores:
    """The scores of one response, as an `Evaluation` of it had them."""

    key: str
    response: str  # the file's name; where it has several, with the response's
    signature: str
    changed: Mapping[str, str] | None  # None where the file does not say
    corpus: Fingerprint
    document_count: int
    scores: Mapping[str, Score]
    conll: float | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    per_document: tuple[DocumentScores, ...] = ()  # where they were stored
    missing: tuple[str, ...] = ()  # documents that the response lacks

    @property
    def labels(self) -> dict[str, str]:
        """How tables call each metric; one that somebody made is called by its name."""
        return {name: label_of(name) for name in self.scores}

    def only(self, metrics: Iterable[str]) -> StoredScores:
        """Leave out the scores of all but some metrics."""
        names = [name for name in metrics if name in self.scores]
        return replace(
            self,
            scores={name: self.scores[name] for name in names},
            conll=self.conll if set(CONLL) <= set(names) else None,
            per_document=tuple(
                DocumentScores(row.document, {name: row[name] for name in names})
                for row in self.per_document
            ),
        )


_OWN_START = re.compile(rb'\s*\{\s*"corefkit"\s*:')

# What reports show.
Scored: TypeAlias = Evaluation | StoredScores


def is_stored(path: str | os.PathLike[str]) -> bool:
    """Say whether a file has what `corefkit score --format json` prints.

    Only files are looked into: what comes through a pipe can be read once.

    >>> from corefkit.example import paths
    >>> is_stored(paths()[0])
    False
    """
    if str(path) == "-" or not Path(path).is_file():
        return False
    try:
        with ByteFile(path) as file:
            if _OWN_START.match(file.head):
                return True
            if not file.head.lstrip().startswith(b"{"):
                return False
            content = file.read(file.text_start, file.size)
        # Other programs may have sorted it. Of a corpus in JSON lines, which can be
        # large, nothing is parsed.
        if b'"systems"' not in content or b'"corefkit"' not in content:
            return False
        whole = parsed(content)
    except (Fault, FormatError):
        return False
    return isinstance(whole, dict) and {"corefkit", "systems"} <= whole.keys()


def read_stored(
    path: str | os.PathLike[str], *, name: str | None = None
) -> list[StoredScores]:
    """Read the results of one file, one for each response that was scored.

    They are called by `name`, or else by the file.

    >>> import tempfile
    >>> from pathlib import Path
    >>> import corefkit
    >>> from corefkit.report.pieces import json_text
    >>> result = corefkit.score(["abc"], ["ab"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "ours.json"
    ...     _ = file.write_text(json_text([result]), "utf-8")
    ...     (stored,) = read_stored(file)
    >>> stored.scores == result.scores, stored.corpus == result.corpus
    (True, True)
    """
    with ByteFile(path) as file:
        place, content = file.name, file.read(file.text_start, file.size)
    return stored_in(content, name=place if name is None else name, place=place)


def stored_in(content: bytes, *, name: str, place: str) -> list[StoredScores]:
    """Read the results of a file by what it has; messages name its place.

    >>> import corefkit
    >>> from corefkit.report.pieces import json_text
    >>> content = json_text([corefkit.score(["abc"], ["ab"])]).encode()
    >>> stored_in(content, name="ours", place="ours.json")[0].response
    'ours'
    """
    try:
        # Small documents have few scores that differ.
        whole = an_object(parsed(content, shared=True))
        among = len(at(whole, "systems", a_list))
        found = each(whole, "systems", lambda one: _stored(name, whole, one, among))
        if not found:
            raise Fault(("systems",), "is empty")
    except Fault as fault:
        message = (
            "has no scores, expected what `corefkit score --format json` prints: "
            f"{fault}"
        )
        raise FormatError(message, place=place) from fault
    return found


def _stored(
    name: str, whole: Mapping[str, Any], system: object, among: int
) -> StoredScores:
    # A system of another key or signature has its own.
    own = {**whole, **an_object(system)}
    response = PurePath(at(own, "response", a_text)).name
    count = at(own, "documents", a_count)
    signature = at(own, "signature", a_text)
    changed = _changed(own, signature)
    # As the reference scorer counts repeated mentions, CEAF can exceed 1.
    beyond = changed is None or changed.get("repeated") == "reference"
    share = a_positive_number if beyond else a_share
    read_scores = partial(_scores, read=_remembering(partial(_score, share=share)))
    scores = at(own, "scores", read_scores)
    return StoredScores(
        key=at(own, "key", a_text),
        response=name if among == 1 else f"{name}:{response}",
        signature=signature,
        changed=changed,
        corpus=Fingerprint.from_dict(
            at(own, "corpus", an_object) if "corpus" in own else {"documents": count}
        ),
        document_count=count,
        scores=scores,
        conll=at(own, "conll", share) if "conll" in own else None,
        notes=tuple(each(own, "notes", a_text)),
        warnings=tuple(each(own, "warnings", a_text)),
        per_document=tuple(
            each(own, "per_document", lambda row: _document(row, scores, read_scores))
        ),
        missing=tuple(
            row["document"] for row in own.get("per_document", ()) if row.get("missing")
        ),
    )


def _changed(own: Mapping[str, Any], signature: str) -> dict[str, str] | None:
    """Read the settings that are not the default; None where the file does not say."""
    if "settings" not in own:
        return {} if signature == DEFAULT_SETTINGS.signature else None
    if own["settings"] is None:
        return None
    settings = at(own, "settings", an_object)
    return {name: at(settings, name, a_text) for name in settings}


def _document(
    row: object,
    metrics: Iterable[str],
    read_scores: Callable[[object], dict[str, Score]],
) -> DocumentScores:
    values = an_object(row)
    scores = at(values, "scores", read_scores)
    for name in metrics:
        if name not in scores:
            raise Fault(("scores", name), "is missing")
    return DocumentScores(at(values, "document", a_text), scores)


def _scores(value: object, read: Callable[[object], Score]) -> dict[str, Score]:
    values = an_object(value)
    return {name: at(values, name, read) for name in values}


def _remembering(read: Callable[[object], Score]) -> Callable[[object], Score]:
    """Read values that are one object once."""
    known: dict[int, tuple[object, Score]] = {}

    def remembered(value: object) -> Score:
        if id(value) not in known:
            # Kept with the value, so that no other one gets its place in memory.
            known[id(value)] = value, read(value)
        return known[id(value)][1]

    return remembered


def _score(value: object, share: Callable[[object], float]) -> Score:
    values = an_object(value)
    numbers: dict[str, Any] = {
        **{name: at(values, name, share) for name in ("recall", "precision", "f1")},
        **{name: at(values, name, a_number) for name in COUNTS if name in values},
    }
    score = Score(
        **numbers,
        undefined=tuple(each(values, "undefined", a_text)),
        value=at(values, "value", at_most_one) if "value" in values else None,
        counts=tuple(each(values, "counts", a_number)),
    )
    # BLANC has its counts in the scores of its two kinds of links.
    kinds = ("coreference", "non_coreference")
    if not any(kind in values for kind in kinds):
        return score
    read = partial(_score, share=share)
    return of_links(score, *(at(values, kind, read) for kind in kinds))
