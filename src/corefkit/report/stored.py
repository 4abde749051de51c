"""Results stored as JSON by `corefkit score --format json`, read back to be shown."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar

from corefkit.evaluation import DocumentScores
from corefkit.exceptions import FormatError
from corefkit.fingerprint import Fingerprint
from corefkit.formats.bytefile import ByteFile
from corefkit.metrics import CONLL, label_of
from corefkit.metrics.base import Score

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping

_Kind = TypeVar("_Kind")


@dataclass(frozen=True, slots=True)
class StoredScores:
    """The scores of one response, as an `Evaluation` of it had them.

    Attributes:
        key: what the user called the key.
        response: the name of the file with the scores; where it has several responses,
            with the response's name.
        signature: what was computed, in one line.
        corpus: what it was computed on.
        document_count: how many documents were scored.
        scores: the score of every metric.
        conll: the CoNLL mean, where its three metrics were computed.
        notes: what a user should know about the input, one sentence each.
        warnings: why the scores may not say what they should, one sentence each.
        per_document: the scores of each document, where they were stored.
    """

    key: str
    response: str
    signature: str
    corpus: Fingerprint
    document_count: int
    scores: Mapping[str, Score]
    conll: float | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    per_document: tuple[DocumentScores, ...] = ()

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


def read_stored(path: str | os.PathLike[str]) -> list[StoredScores]:
    """Read the results of one file, one for each response that was scored.

    >>> import tempfile
    >>> from pathlib import Path
    >>> import corefkit
    >>> from corefkit.report.records import json_text
    >>> result = corefkit.score(["abc"], ["ab"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "ours.json"
    ...     _ = file.write_text(json_text([result]), "utf-8")
    ...     (stored,) = read_stored(file)
    >>> stored.scores == result.scores, stored.corpus == result.corpus
    (True, True)
    """
    with ByteFile(path) as file:
        name, content = file.name, file.read(file.text_start, file.size)
    try:
        whole = json.loads(content)
        systems = _checked(whole["systems"], list)
        found = [_stored(name, whole, system, len(systems)) for system in systems]
    except (ValueError, TypeError, KeyError, RecursionError):
        found = []
    if not found:
        message = "has no scores, expected what `corefkit score --format json` prints"
        raise FormatError(message, place=name)
    return found


def _stored(
    name: str, whole: Mapping[str, Any], system: Mapping[str, Any], among: int
) -> StoredScores:
    own = {**whole, **system}  # a system of another key or signature has its own
    response = PurePath(_checked(own["response"], str)).name
    count = _checked(own["documents"], int)
    return StoredScores(
        key=_checked(own["key"], str),
        response=name if among == 1 else f"{name}:{response}",
        signature=_checked(own["signature"], str),
        corpus=Fingerprint.from_dict(
            _checked(own.get("corpus", {"documents": count}), dict)
        ),
        document_count=count,
        scores=_scores(own["scores"]),
        conll=_number(own["conll"]) if "conll" in own else None,
        notes=tuple(_checked(note, str) for note in own.get("notes", ())),
        warnings=tuple(_checked(one, str) for one in own.get("warnings", ())),
        per_document=tuple(
            DocumentScores(_checked(row["document"], str), _scores(row["scores"]))
            for row in own.get("per_document", ())
        ),
    )


def _scores(values: object) -> dict[str, Score]:
    return {name: _score(score) for name, score in _checked(values, dict).items()}


def _score(values: Mapping[str, Any]) -> Score:
    # BLANC has its counts in the scores of its two kinds of links.
    links = {
        kind: _score(values[kind])
        for kind in ("coreference", "non_coreference")
        if kind in values
    }
    return Score(
        recall=_number(values["recall"]),
        precision=_number(values["precision"]),
        f1=_number(values["f1"]),
        recall_numerator=_number(values.get("recall_numerator", 0)),
        recall_denominator=_number(values.get("recall_denominator", 0)),
        precision_numerator=_number(values.get("precision_numerator", 0)),
        precision_denominator=_number(values.get("precision_denominator", 0)),
        coreference=links.get("coreference"),
        non_coreference=links.get("non_coreference"),
        undefined=tuple(_checked(side, str) for side in values.get("undefined", ())),
    )


def _number(value: object) -> float:
    return float(_checked(value, (int, float)))


def _checked(value: Any, kind: type[_Kind] | tuple[type[_Kind], ...]) -> _Kind:
    if not isinstance(value, kind):
        message = f"found {value!r}, expected a {kind}"
        raise TypeError(message)
    return value
