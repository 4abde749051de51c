"""Stored results: scores as JSON, and counts of documents as Parquet.

`corefkit score --format json` writes scores; `--counts` writes the counts of every
document. A row of a Parquet table is a document of a response, a column one of the
counts of a metric, such as `muc.recall_numerator`; the metadata of the file have the
settings. Errors in altered files name the place in the file.
"""

from __future__ import annotations

import json
import marshal
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any, ClassVar, TypeAlias, TypeVar

import numpy as np

from corefkit.corpus import NOTHING_DECLARED, Declaration, Fingerprint
from corefkit.evaluation import Evaluation
from corefkit.exceptions import FormatError, SettingsError, quoted
from corefkit.formats.files import ByteFile
from corefkit.formats.frames import convert_arrow_errors, import_pyarrow
from corefkit.formats.output import replace_file
from corefkit.metrics.metric import COUNTS, Metric, Score, add_links
from corefkit.metrics.registry import CONLL, find_metrics, get_label, iter_metrics
from corefkit.metrics.scores import DocumentScores
from corefkit.results.records import LINK_FIELDS, RATIO_FIELDS
from corefkit.settings import DEFAULT_SETTINGS, VERSION, Settings

_Kind = TypeVar("_Kind")
_TOLERANCE = 1e-9  # of sums of fractions
_MAX_EXACT = 2**53  # a float rounds larger integers
_MAX_NUMBER = 10**18
_MAX_CACHED = 1 << 14  # objects
_MAX_CACHED_BYTES = 1 << 11  # of an object
_KIND_NAMES: Mapping[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


class JsonError(ValueError):
    """An error in a value, and the steps that lead to it from the top."""

    def __init__(self, steps: tuple[str | int, ...], problem: str) -> None:
        super().__init__(problem)
        self.steps, self.problem = steps, problem

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.steps)) or 'the file'} {self.problem}"


def parse_json(content: bytes, *, shared: bool = False) -> Any:
    """Parse strict JSON, without the extensions of Python.

    Equal objects may be `shared`; then they must not be modified.

    >>> parse_json(b'{"f1": 0.5}')
    {'f1': 0.5}
    >>> first, second, third = parse_json(
    ...     b'[{"a": [1]}, {"a": [1]}, {"a": [1.0]}]', shared=True
    ... )
    >>> first is second, first is third
    (True, False)
    """
    make = _make_sharing_hook() if shared else _make_object
    try:
        return json.loads(
            content, object_pairs_hook=make, parse_constant=_reject_constant
        )
    except RecursionError as error:
        raise JsonError((), "is nested too deep") from error
    except JsonError:
        raise
    except ValueError as error:
        raise JsonError((), f"is not JSON: {error}") from error


def _make_sharing_hook() -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    """Return a hook that returns the same object for equal ones."""
    cache: dict[bytes, dict[str, Any]] = {}

    def make_shared(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        # These bytes distinguish 1 and 1.0; version 2 is deterministic.
        key = marshal.dumps(pairs, 2)
        values = cache.get(key)
        if values is None:
            values = _make_object(pairs)
            if len(key) <= _MAX_CACHED_BYTES:
                if len(cache) >= _MAX_CACHED:
                    cache.clear()
                cache[key] = values
        return values

    return make_shared


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        duplicate = next(name for name in names if names.count(name) > 1)
        raise JsonError((), f"has {quoted(duplicate)} twice in one object")
    return values


def _reject_constant(word: str) -> float:
    raise JsonError((), f"is not JSON: it has {word} in place of a number")


@dataclass(frozen=True, slots=True)
class _Node:
    """A value of a JSON file, and the steps that lead to it."""

    value: Any
    steps: tuple[str | int, ...] = ()

    def check(self, *kinds: type[_Kind]) -> _Kind:
        """Return the value if it is of one of some kinds."""
        if not isinstance(self.value, kinds) or isinstance(self.value, bool):
            actual, expected = _KIND_NAMES[type(self.value)], _KIND_NAMES[kinds[-1]]
            raise JsonError(self.steps, f"is {actual}, expected {expected}")
        return self.value

    def __contains__(self, name: str) -> bool:
        return name in self.check(dict)

    def __getitem__(self, name: str) -> _Node:
        if name not in self:
            raise JsonError((*self.steps, name), "is missing")
        return _Node(self.value[name], (*self.steps, name))

    def list_items(self, name: str) -> list[_Node]:
        """Return the items of a list; a missing list is empty."""
        if name not in self:
            return []
        items = self[name].check(list)
        steps = (*self.steps, name)
        return [_Node(item, (*steps, number)) for number, item in enumerate(items)]

    def list_texts(self, name: str) -> tuple[str, ...]:
        return tuple(item.check(str) for item in self.list_items(name))

    def check_number(
        self, low: float = -_MAX_NUMBER, high: float = _MAX_NUMBER
    ) -> float:
        """Return a number within a range; integers that a float rounds are kept."""
        number = self.check(int, float)
        if not low - _TOLERANCE <= number <= high + _TOLERANCE:
            expected = f"expected a number from {low:g} to {high:g}"
            raise JsonError(self.steps, f"is out of range, {expected}")
        is_exact = isinstance(number, int) and abs(number) > _MAX_EXACT
        return number if is_exact else float(number)


@dataclass(frozen=True, slots=True)
class StoredScores:
    """The scores of one response from a file, as an `Evaluation` had them."""

    key: str
    response: str  # the name of the file, and the response's if there are several
    signature: str
    changed: Mapping[str, str] | None  # None if the file does not have the settings
    corpus: Fingerprint
    document_count: int
    scores: Mapping[str, Score]
    conll: float | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    per_document: tuple[DocumentScores, ...] = ()  # if they were stored
    missing: tuple[str, ...] = ()  # documents that the response lacks

    # The scores of classes are not read.
    class_counts: ClassVar[None] = None
    classes: ClassVar[Mapping[str, Evaluation]] = {}

    @property
    def labels(self) -> dict[str, str]:
        """The label of each metric; a user's own metric has its name."""
        return {name: get_label(name) for name in self.scores}

    def only(self, metrics: Iterable[str]) -> StoredScores:
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


# The scores of a response, new or stored.
Scored: TypeAlias = Evaluation | StoredScores
_START = re.compile(rb'\s*\{\s*"corefkit"\s*:')


def is_stored(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is the output of `corefkit score --format json`.

    Only regular files are checked: a pipe can be read only once.
    """
    if str(path) == "-" or not Path(path).is_file():
        return False
    try:
        with ByteFile(path) as file:
            if _START.match(file.head):
                return True
            if not file.head.lstrip().startswith(b"{"):
                return False
            content = file.read(file.text_start, file.size)
        # Other programs may have sorted the keys. JSON lines, which can be large, are
        # not parsed.
        if b'"systems"' not in content or b'"corefkit"' not in content:
            return False
        values = parse_json(content)
    except (JsonError, FormatError):
        return False
    return isinstance(values, dict) and {"corefkit", "systems"} <= values.keys()


def read_stored(
    path: str | os.PathLike[str], *, name: str | None = None
) -> list[StoredScores]:
    """Read the results of a file, one per response, by default named after the file."""
    with ByteFile(path) as file:
        place, content = file.name, file.read(file.text_start, file.size)
    return parse_stored(content, name=place if name is None else name, place=place)


def parse_stored(content: bytes, *, name: str, place: str) -> list[StoredScores]:
    """Parse the results of a file; messages name its place."""
    try:
        # Small documents have few distinct scores.
        root = _Node(parse_json(content, shared=True))
        if not root["systems"].check(list):
            raise JsonError(("systems",), "is empty")
        return [
            _read_system(root, system, name) for system in root.list_items("systems")
        ]
    except JsonError as error:
        message = (
            "has no scores, expected the output of `corefkit score --format json`: "
            f"{error}"
        )
        raise FormatError(message, code="format/not-scores", place=place) from error


def _read_system(root: _Node, system: _Node, name: str) -> StoredScores:
    # A system with another key or signature has its own.
    fields = _Node({**root.value, **system.check(dict)}, system.steps)
    is_single = len(root.value["systems"]) == 1
    response = PurePath(fields["response"].check(str)).name
    fields["documents"].check(int)
    count = int(fields["documents"].check_number(0))
    signature = fields["signature"].check(str)
    changed = _read_settings(fields, signature)
    # CEAF can exceed 1 with the repeated mentions of the reference scorer.
    is_unbounded = changed is None or changed.get("repeated") == "reference"
    largest = _MAX_NUMBER if is_unbounded else 1
    cache: dict[int, tuple[object, Score]] = {}

    def read_scores(node: _Node) -> dict[str, Score]:
        scores = {}
        for metric, value in node.check(dict).items():
            # The cached value keeps its id unique.
            if id(value) not in cache:
                cache[id(value)] = value, _read_score(node[metric], largest)
            scores[metric] = cache[id(value)][1]
        return scores

    scores = read_scores(fields["scores"])
    documents, missing = [], []
    for row in fields.list_items("per_document"):
        document = row["document"].check(str)
        documents.append(DocumentScores(document, read_scores(row["scores"])))
        missing += [document] if row.value.get("missing") else []
        for metric in scores:
            row["scores"][metric].check(dict)
    has_corpus, has_conll = "corpus" in fields, "conll" in fields
    corpus = fields["corpus"].check(dict) if has_corpus else {"documents": count}
    return StoredScores(
        key=fields["key"].check(str),
        response=name if is_single else f"{name}:{response}",
        signature=signature,
        changed=changed,
        corpus=Fingerprint.from_dict(corpus),
        document_count=count,
        scores=scores,
        conll=fields["conll"].check_number(0, largest) if has_conll else None,
        notes=fields.list_texts("notes"),
        warnings=fields.list_texts("warnings"),
        per_document=tuple(documents),
        missing=tuple(missing),
    )


def _read_settings(fields: _Node, signature: str) -> dict[str, str] | None:
    """Read the changed settings; None if the file does not have them."""
    if "settings" not in fields:
        return {} if signature == DEFAULT_SETTINGS.signature else None
    settings = fields["settings"]
    if settings.value is None:
        return None
    return {name: settings[name].check(str) for name in settings.check(dict)}


def _read_score(node: _Node, largest: float) -> Score:
    numbers: dict[str, Any] = {
        name: node[name].check_number(0, largest) for name in RATIO_FIELDS
    }
    numbers |= {name: node[name].check_number() for name in COUNTS if name in node}
    # ACE-value can be negative.
    value = node["value"].check_number(high=1) if "value" in node else None
    counts = tuple(count.check_number() for count in node.list_items("counts"))
    undefined = node.list_texts("undefined")
    score = Score(**numbers, undefined=undefined, value=value, counts=counts)
    # BLANC has its counts in the scores of its two kinds of links.
    if not any(kind in node for kind in LINK_FIELDS):
        return score
    return add_links(score, *(_read_score(node[kind], largest) for kind in LINK_FIELDS))


_METADATA_KEY = b"corefkit"
_PARQUET_MAGIC = b"PAR1"
_PRINT = "print"
_PRINT_COLUMNS = 6


def write_counts(
    evaluations: Sequence[Evaluation], path: str | os.PathLike[str]
) -> None:
    """Write the counts of responses to a Parquet file."""
    arrow, parquet = import_pyarrow(str(path)), import_pyarrow(str(path), "parquet")
    registry = {metric.name: metric for metric in iter_metrics()}
    for evaluation in evaluations:
        for metric in evaluation.metrics:
            if registry.get(metric.name) != metric:
                message = f"{quoted(metric.name)} is not a metric of corefkit"
                hint = "its counts could not be scored again: leave it out"
                raise SettingsError(
                    message, code="settings/unsupported-metric", hint=hint
                )
    tables = [
        arrow.table(_make_columns(number, evaluation))
        for number, evaluation in enumerate(evaluations)
    ]
    table = arrow.concat_tables(tables, promote_options="default")
    metadata = {"corefkit": VERSION, "systems": [*map(_make_metadata, evaluations)]}
    table = table.replace_schema_metadata({_METADATA_KEY: json.dumps(metadata)})
    with replace_file(path) as unfinished:
        parquet.write_table(table, unfinished)


def _make_columns(number: int, evaluation: Evaluation) -> dict[str, Any]:
    missing = set(evaluation.missing)
    columns: dict[str, Any] = {
        "response": np.full(len(evaluation.documents), number, np.int32),
        "document": list(evaluation.documents),
        "missing": [name in missing for name in evaluation.documents],
    }
    for index, column in enumerate(evaluation.prints.T):
        columns[f"{_PRINT}.{index}"] = np.ascontiguousarray(column)
    for metric in evaluation.metrics:
        counts = evaluation.counts[metric.name]
        names = _name_count_columns(metric.name, counts.shape[1])
        columns |= zip(names, map(np.ascontiguousarray, counts.T), strict=True)
    return columns


def _name_count_columns(metric: str, width: int) -> list[str]:
    names = COUNTS
    if width != len(COUNTS):
        names = tuple(f"count_{column}" for column in range(width))
    return [f"{metric}.{name}" for name in names]


def _make_metadata(evaluation: Evaluation) -> dict[str, Any]:
    return {
        "key": evaluation.key,
        "response": evaluation.response,
        "signature": evaluation.signature,
        "settings": evaluation.changed,
        "metrics": {
            metric.name: evaluation.counts[metric.name].shape[1]
            for metric in evaluation.metrics
        },
        "notes": list(evaluation.notes),
        "warnings": list(evaluation.warnings),
        "declared": evaluation.declared.to_dict(),
    }


def is_counts(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is a table of counts."""
    file = Path(path)
    if str(path) == "-" or not file.is_file():
        return False
    with file.open("rb") as content:
        if content.read(len(_PARQUET_MAGIC)) != _PARQUET_MAGIC:
            return False
    with convert_arrow_errors(str(path)):
        metadata = import_pyarrow(str(path), "parquet").read_schema(path).metadata
    return _METADATA_KEY in (metadata or {})


def read_counts(
    path: str | os.PathLike[str], *, name: str | None = None
) -> list[Evaluation]:
    """Read the results of a table of counts, one for each response."""
    place = str(path)
    with convert_arrow_errors(place):
        table = import_pyarrow(place, "parquet").read_table(path)
    try:
        systems = json.loads(table.schema.metadata[_METADATA_KEY])["systems"]
        numbers = table.column("response").to_numpy()
        results = []
        for number, system in enumerate(systems):
            label = place if name is None else name
            if len(systems) > 1:
                label += f":{Path(system['response']).name}"
            rows = table.filter(numbers == number)
            results.append(_make_evaluation(rows, system, label))
    except (KeyError, TypeError, ValueError) as error:
        message = "has no counts, expected the output of `corefkit score --counts`"
        raise FormatError(message, code="format/not-scores", place=place) from error
    return results


def _make_evaluation(table: Any, system: Mapping[str, Any], name: str) -> Evaluation:
    metrics: tuple[Metric, ...] = find_metrics(list(system["metrics"]))
    documents = tuple(table.column("document").to_pylist())
    missing = zip(documents, table.column("missing").to_pylist(), strict=True)

    def stack_columns(names: Iterable[str]) -> Any:
        return np.column_stack([table.column(name).to_numpy() for name in names])

    prints = stack_columns(f"{_PRINT}.{column}" for column in range(_PRINT_COLUMNS))
    counts = {
        metric: stack_columns(_name_count_columns(metric, width))
        for metric, width in system["metrics"].items()
    }
    declared = system["declared"]
    return Evaluation(
        system["key"],
        name,
        Settings(**system["settings"]),
        metrics,
        documents,
        counts,
        notes=tuple(system["notes"]),
        key_read=[prints],
        declared=Declaration.from_dict(declared) if declared else NOTHING_DECLARED,
        warnings=tuple(system["warnings"]),
        missing=tuple(document for document, is_missing in missing if is_missing),
    )
