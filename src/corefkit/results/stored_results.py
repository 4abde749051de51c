"""Results that were stored, read back and compared with others.

`corefkit score --format json` stores scores; a Parquet table stores the counts of every
document. A row of it is a document of a response, a column one of the counts of a
metric, as in `muc.recall_numerator`; the file's metadata say what the counts were made
with. Errors in altered files name the place in the file.
"""

from __future__ import annotations

import json
import marshal
import re
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from corefkit.corpus import NOTHING_DECLARED, Declaration, Fingerprint
from corefkit.evaluation import Evaluation
from corefkit.exceptions import FormatError, SettingsError, quoted
from corefkit.formats.files import ByteFile
from corefkit.formats.frames import import_pyarrow, refusing
from corefkit.formats.output import replace_file
from corefkit.metrics.metric import COUNTS, Score, add_links
from corefkit.metrics.registry import CONLL, find_metrics, get_label, iter_metrics
from corefkit.metrics.scores import DocumentScores
from corefkit.settings import DEFAULT_SETTINGS, VERSION, Settings

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from corefkit.metrics.metric import Metric

_Kind = TypeVar("_Kind")
_NEAR = 1e-9  # by which a sum of fractions may be off
_EXACT = 2**53
_MOST = 10**18  # a number that no corpus counts to
_SHARED = 1 << 14  # objects that are remembered, to be shared
_LONGEST = 1 << 11  # bytes of one of them
_KINDS: Mapping[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


class Fault(ValueError):
    """What is wrong with a value, and the steps that lead to it from the top."""

    def __init__(self, steps: tuple[str | int, ...], what: str) -> None:
        super().__init__(what)
        self.steps, self.what = steps, what

    def __str__(self) -> str:
        """Say what is wrong where, as in `systems.0.scores.muc.recall is missing`."""
        return f"{'.'.join(map(str, self.steps)) or 'the file'} {self.what}"


def parse_json(content: bytes, *, shared: bool = False) -> Any:
    """Read strict JSON, without what only Python accepts.

    Objects that are alike may be `shared`: then nobody may change one.

    >>> parse_json(b'{"f1": 0.5}')
    {'f1': 0.5}
    >>> one, other, third = parse_json(
    ...     b'[{"a": [1]}, {"a": [1]}, {"a": [1.0]}]', shared=True
    ... )
    >>> one is other, one is third
    (True, False)
    """
    make = _sharing() if shared else _without_repeats
    try:
        return json.loads(content, object_pairs_hook=make, parse_constant=_no_number)
    except RecursionError as error:
        raise Fault((), "is nested too deep") from error
    except Fault:
        raise
    except ValueError as error:
        raise Fault((), f"is no JSON: {error}") from error


def _sharing() -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    """Make a hook that gives objects which are alike as one, some of them."""
    known: dict[bytes, dict[str, Any]] = {}

    def shared(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        # These bytes tell 1 from 1.0; version 2 is the same for the same values.
        said = marshal.dumps(pairs, 2)
        found = known.get(said)
        if found is None:
            found = _without_repeats(pairs)
            if len(said) <= _LONGEST:
                if len(known) >= _SHARED:
                    known.clear()
                known[said] = found
        return found

    return shared


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Fault((), f"has {quoted(twice)} twice in one object")
    return values


def _no_number(word: str) -> float:
    raise Fault((), f"is no JSON: it has {word} where a number belongs")


def at(
    values: Mapping[str, Any] | Sequence[Any], step: Any, read: Callable[[Any], _Kind]
) -> _Kind:
    """Read a value inside another; a fault says where it stands."""
    if isinstance(values, dict) and step not in values:
        raise Fault((step,), "is missing")
    try:
        return read(values[step])
    except Fault as fault:
        raise Fault((step, *fault.steps), fault.what) from fault


def each(
    values: Mapping[str, Any], name: str, read: Callable[[Any], _Kind]
) -> list[_Kind]:
    """Read a list; an empty one may be missing."""

    def read_all(value: object) -> list[_Kind]:
        items = a_list(value)
        return [at(items, number, read) for number in range(len(items))]

    return at(values, name, read_all) if name in values else []


def an_object(value: object) -> dict[str, Any]:
    """Read a value as an object."""
    return _checked(value, dict)


def a_list(value: object) -> list[Any]:
    """Read a value as a list."""
    return _checked(value, list)


def a_text(value: object) -> str:
    """Read a value as a text."""
    return _checked(value, str)


def a_count(value: object) -> int:
    """Read a value as a whole number from 0 on."""
    number = _checked(value, int)
    if not 0 <= number <= _MOST:
        raise Fault((), "is no number that can be counted to")
    return number


def a_number(value: object) -> float:
    """Read a value as a number that is not too large."""
    number = _checked(value, int, float)
    if not -_MOST <= number <= _MOST:
        raise Fault((), "is too large for a number")
    # A float would round a larger integer.
    return number if isinstance(number, int) and abs(number) > _EXACT else float(number)


def _bounded(low: float, high: float, expected: str) -> Callable[[object], float]:
    def read(value: object) -> float:
        number = a_number(value)
        if not low - _NEAR <= number <= high + _NEAR:
            raise Fault((), f"is {number:g}, expected a number {expected}")
        return number

    return read


a_positive_number = _bounded(0, _MOST, "from 0 on")
a_share = _bounded(0, 1, "between 0 and 1")
at_most_one = _bounded(-_MOST, 1, "up to 1")  # ACE-value can be below 0


def _checked(value: Any, *kinds: type[_Kind]) -> _Kind:
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise Fault((), f"is {_KINDS[type(value)]}, expected {_KINDS[kinds[-1]]}")
    return value


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
        return {name: get_label(name) for name in self.scores}

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
        whole = parse_json(content)
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
    >>> from corefkit.results.records import render_json
    >>> result = corefkit.score(["abc"], ["ab"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "ours.json"
    ...     _ = file.write_text(render_json([result]), "utf-8")
    ...     (stored,) = read_stored(file)
    >>> stored.scores == result.scores, stored.corpus == result.corpus
    (True, True)
    """
    with ByteFile(path) as file:
        place, content = file.name, file.read(file.text_start, file.size)
    return parse_stored(content, name=place if name is None else name, place=place)


def parse_stored(content: bytes, *, name: str, place: str) -> list[StoredScores]:
    """Read the results of a file by what it has; messages name its place.

    >>> import corefkit
    >>> from corefkit.results.records import render_json
    >>> content = render_json([corefkit.score(["abc"], ["ab"])]).encode()
    >>> parse_stored(content, name="ours", place="ours.json")[0].response
    'ours'
    """
    try:
        # Small documents have few scores that differ.
        whole = an_object(parse_json(content, shared=True))
        among = len(at(whole, "systems", a_list))
        found = each(whole, "systems", lambda one: _stored(name, whole, one, among))
        if not found:
            raise Fault(("systems",), "is empty")
    except Fault as fault:
        message = (
            "has no scores, expected what `corefkit score --format json` prints: "
            f"{fault}"
        )
        raise FormatError(message, code="format/not-scores", place=place) from fault
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
    return add_links(score, *(at(values, kind, read) for kind in kinds))


_HEADER = b"corefkit"
_MAGIC = b"PAR1"
_PRINT = "print"
_PRINTS = 6


def write_counts(
    evaluations: Sequence[Evaluation], path: str | os.PathLike[str]
) -> None:
    """Write the counts of some responses to a Parquet file.

    The file is replaced only when all of it is written.

    >>> import tempfile
    >>> from pathlib import Path
    >>> import corefkit
    >>> result = corefkit.score({"d": ["abc"]}, {"d": ["ab"]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "counts.parquet"
    ...     write_counts([result], file)
    ...     (kept,) = read_counts(file)
    >>> kept.scores == result.scores, kept.corpus == result.corpus
    (True, True)
    """
    arrow, parquet = import_pyarrow(str(path)), import_pyarrow(str(path), "parquet")
    known = {metric.name: metric for metric in iter_metrics()}
    for evaluation in evaluations:
        for metric in evaluation.metrics:
            if known.get(metric.name) != metric:
                message = f"{quoted(metric.name)} is no metric of corefkit's own"
                hint = "its counts could not be scored again: leave it out"
                raise SettingsError(
                    message, code="settings/unsupported-metric", hint=hint
                )
    parts = [
        arrow.table(_columns(number, evaluation))
        for number, evaluation in enumerate(evaluations)
    ]
    table = arrow.concat_tables(parts, promote_options="default")
    said = {"corefkit": VERSION, "systems": [*map(_said, evaluations)]}
    table = table.replace_schema_metadata({_HEADER: json.dumps(said)})
    with replace_file(path) as unfinished:
        parquet.write_table(table, unfinished)


def _columns(number: int, evaluation: Evaluation) -> dict[str, Any]:
    missing = set(evaluation.missing)
    columns: dict[str, Any] = {
        "response": np.full(len(evaluation.documents), number, np.int32),
        "document": list(evaluation.documents),
        "missing": [name in missing for name in evaluation.documents],
    }
    for at in range(_PRINTS):
        columns[f"{_PRINT}.{at}"] = np.ascontiguousarray(evaluation.prints[:, at])
    for metric in evaluation.metrics:
        counts = evaluation.counts[metric.name]
        for at, name in enumerate(_names(metric.name, counts.shape[1])):
            columns[name] = np.ascontiguousarray(counts[:, at])
    return columns


def _names(metric: str, width: int) -> list[str]:
    names = COUNTS if width == len(COUNTS) else [f"count_{at}" for at in range(width)]
    return [f"{metric}.{name}" for name in names]


def _said(evaluation: Evaluation) -> dict[str, Any]:
    widths = {name: counts.shape[1] for name, counts in evaluation.counts.items()}
    return {
        "key": evaluation.key,
        "response": evaluation.response,
        "signature": evaluation.signature,
        "settings": evaluation.changed,
        "metrics": {metric.name: widths[metric.name] for metric in evaluation.metrics},
        "notes": list(evaluation.notes),
        "warnings": list(evaluation.warnings),
        "declared": evaluation.declared.to_dict(),
    }


def is_counts(path: str | os.PathLike[str]) -> bool:
    """Say whether a file is a table of counts.

    >>> from corefkit.example import paths
    >>> is_counts(paths()[0])
    False
    """
    file = Path(path)
    if str(path) == "-" or not file.is_file():
        return False
    with file.open("rb") as content:
        if content.read(len(_MAGIC)) != _MAGIC:
            return False
    with refusing(str(path)):
        metadata = import_pyarrow(str(path), "parquet").read_schema(path).metadata
    return _HEADER in (metadata or {})


def read_counts(
    path: str | os.PathLike[str], *, name: str | None = None
) -> list[Evaluation]:
    """Read the results of a table of counts, one for each response.

    They are called by `name`, or else by the file; of several, the response's name
    follows.
    """
    place = str(path)
    with refusing(place):
        table = import_pyarrow(place, "parquet").read_table(path)
    try:
        said = json.loads(table.schema.metadata[_HEADER])["systems"]
        numbers = table.column("response").to_numpy()
        called = place if name is None else name
        return [
            _evaluation(
                table.filter(numbers == number),
                one,
                called if len(said) == 1 else f"{called}:{Path(one['response']).name}",
            )
            for number, one in enumerate(said)
        ]
    except (KeyError, TypeError, ValueError) as error:
        message = "has no counts, expected what `corefkit score --counts` writes"
        raise FormatError(message, code="format/not-scores", place=place) from error


def _evaluation(table: Any, said: Mapping[str, Any], name: str) -> Evaluation:
    metrics: tuple[Metric, ...] = find_metrics(list(said["metrics"]))
    documents = tuple(table.column("document").to_pylist())
    missing = zip(documents, table.column("missing").to_pylist(), strict=True)
    return Evaluation(
        said["key"],
        name,
        Settings(**said["settings"]),
        metrics,
        documents,
        {
            metric: np.column_stack(
                [table.column(each).to_numpy() for each in _names(metric, width)]
            )
            for metric, width in said["metrics"].items()
        },
        notes=tuple(said["notes"]),
        key_read=[
            np.column_stack(
                [table.column(f"{_PRINT}.{at}").to_numpy() for at in range(_PRINTS)]
            )
        ],
        declared=Declaration.from_dict(said["declared"])
        if said["declared"]
        else NOTHING_DECLARED,
        warnings=tuple(said["warnings"]),
        missing=tuple(document for document, lacks in missing if lacks),
    )
