"""Scoring of two tables in an engine."""

from __future__ import annotations

import errno
import glob
import os
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NoReturn

from corefkit.alignment.mismatch import list_warnings
from corefkit.alignment.pairing import Pair, pair_documents
from corefkit.alignment.pipeline import make_run, needs_warning
from corefkit.alignment.scope import get_topic
from corefkit.engines import ENGINES, INTEGER, OTHER, TEXT, Engine, sql
from corefkit.engines.corpus_scope import count_corpus
from corefkit.engines.documents import count_documents, split_sides
from corefkit.evaluation import evaluate
from corefkit.exceptions import (
    CorefkitError,
    FormatError,
    PairingError,
    SettingsError,
    convert_error,
    quoted,
)
from corefkit.formats.frames import import_pyarrow
from corefkit.formats.problems import INVALID_RECORD, NO_DOCUMENT
from corefkit.formats.source import Source, share_names
from corefkit.formats.tables import (
    TableSource,
    describe_column_fault,
    find_roles,
    format_cell,
)
from corefkit.settings import select_by
from corefkit.strings import suggest
from corefkit.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.alignment.pipeline import Progress, Run
    from corefkit.engines import Relation
    from corefkit.evaluation import Evaluation
    from corefkit.metrics.metric import Metric
    from corefkit.settings import Settings

_ROW_BYTES = 32  # the approximate size of a mention in columns
# The documents that are read to find the reason for a mismatch.
_SAMPLE_DOCUMENTS = 1 << 8
_SAMPLE_ROWS = 1 << 16
_KINDS = {INTEGER: "whole numbers", TEXT: "texts", OTHER: "of another kind"}


def make_engine(
    name: str, *, memory: str | None = None, temp_directory: str | None = None
) -> Engine:
    """Return an instance of an engine by its name; `DuckDB` documents the options."""
    if name == "duckdb":
        from corefkit.engines.duck import DuckDB

        return DuckDB(memory, temp_directory)
    if name == "spark":
        from corefkit.engines.spark import Spark

        return Spark(memory=memory, temp_directory=temp_directory)
    message = f"unknown engine {name!r}"
    raise SettingsError(
        message, code="settings/unknown-engine", hint=suggest(name, ENGINES)
    )


def score_tables(
    engine: str | Engine,
    key: object,
    responses: Sequence[object],
    metrics: tuple[Metric, ...],
    settings: Settings,
    *,
    format: str | None = None,
    progress: Progress | None = None,
    refusals: dict[int, CorefkitError] | None = None,
) -> dict[int, Evaluation]:
    """Score tables against a key, by their numbers.

    With `refusals`, tables that cannot be scored are skipped and their errors stored
    there. An engine that is specified by name is closed at the end.
    """
    if format not in (None, "parquet"):
        message = f"an engine reads Parquet, not {format!r}"
        hint = "leave out the format, or the engine"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    used: object = make_engine(engine) if isinstance(engine, str) else engine
    if not isinstance(used, Engine):
        message = f"engine is {used!r}, expected an engine or its name"
        hint = f"names are {', '.join(ENGINES)}"
        raise SettingsError(message, code="settings/unknown-engine", hint=hint)
    # The work of the engine is one half of the total, and counting is the other.
    used.watch(progress and (lambda done, total: progress(done, 2 * total)))
    counting = progress and (lambda done, total: progress(total + done, 2 * total))
    evaluations: dict[int, Evaluation] = {}
    try:
        for number, response in enumerate(responses):
            try:
                evaluations[number] = score_table(
                    *(used, key, response),
                    metrics=metrics,
                    settings=settings,
                    progress=counting,
                )
            except (CorefkitError, OSError) as error:
                if refusals is None:
                    raise
                relation = _open_side(used, key, "key", attributes=False)
                _list_documents(used, relation, relation)  # raises errors in the key
                refusals[number] = convert_error(error)
    finally:
        used.watch(None)
        if isinstance(engine, str):
            used.close()
    return evaluations


@dataclass(frozen=True, slots=True)
class Tables:
    """Two tables in an engine, their documents paired."""

    engine: Engine
    relations: tuple[Relation, Relation]  # with the columns that are scored
    sources: tuple[EngineSource, EngineSource]  # their documents
    pairs: Sequence[Pair]
    mapping: Mapping[str, Relation]  # names documents; empty if that is not required

    @property
    def named(self) -> Mapping[str, Relation]:
        key, response = self.relations
        return {"key_rows": key, "response_rows": response, **self.mapping}


@dataclass(frozen=True)
class EngineSource(Source):
    """The documents of a table, whose mentions stay in the engine."""

    relation: Relation
    name: str
    ids: Sequence[str]
    sizes: Sequence[int]
    cells: Sequence[str | int]  # the ids as the table has them
    rows: Sequence[int]  # the number of rows of each document
    first: Sequence[int | None]  # the place of the first; None if rows have no order
    may_have_words = False

    def format_place(self, number: int) -> str:
        first, where = self.first[number], self.relation.where
        return self.name if first is None or where is None else where(first)

    def read_columns(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None = None
    ) -> NoReturn:
        raise NotImplementedError

    def read_document(self, number: int) -> NoReturn:
        raise NotImplementedError


def score_table(
    engine: Engine,
    key: object,
    response: object,
    *,
    metrics: tuple[Metric, ...],
    settings: Settings,
    progress: Progress | None = None,
) -> Evaluation:
    """Score a table of mentions against another."""
    attributes = any(metric.needs for metric in metrics)
    key_side, response_side = (
        _open_side(engine, side, role, attributes=attributes)
        for role, side in (("key", key), ("response", response))
    )
    _check_kinds(key_side, response_side)
    sources = _list_documents(engine, key_side, response_side)
    tally = Tally((key_side.name, response_side.name))
    pairs = pair_documents(*sources, settings, tally)
    run = make_run(*sources, pairs, tally, settings=settings)
    if settings.skips_missing:
        pairs = [pair for pair in pairs if pair.response is not None]
    mapping = _map_documents(engine, sources, pairs, settings)
    tables = Tables(engine, (key_side, response_side), sources, pairs, mapping)
    scopes = {"document": False, "topic": False, "corpus": True}
    if select_by(settings, "scope", scopes):
        count_corpus(tables, run, metrics)
    else:
        count_documents(tables, run, metrics, progress)
    return evaluate(tally, metrics, settings, _explain_mismatch(tables, run))


def _open_side(
    engine: Engine, side: object, role: str, *, attributes: bool
) -> Relation:
    """Open a side with the columns that are scored, or all columns (`attributes`)."""
    relation = engine.open(side, role)
    names = list(relation.columns)
    fault, roles = describe_column_fault(names), find_roles(names)
    if fault is not None or roles is None:
        raise FormatError(
            fault or "found no columns of mentions",
            code="input/invalid-columns",
            place=relation.name,
            hint="rename the columns of the table",
        )
    columns = {sql.COLUMNS[role]: names[at] for role, at in roles.items()}
    if not attributes:
        columns.pop("attributes", None)
    else:
        names = [name for name in names if name not in columns.values()]
        columns |= {f"other_{number}": name for number, name in enumerate(names)}
    column = columns["document"]
    if relation.columns[column] == OTHER:
        message = f"column {quoted(column)} has neither texts nor whole numbers"
        hint = "documents are compared by their names: make them text"
        code = "engine/unsupported-column"
        raise FormatError(message, code=code, place=relation.name, hint=hint)
    return replace(engine.project(relation, columns), titles=columns)


def _check_kinds(key: Relation, response: Relation) -> None:
    """Raise an error for a column of texts on one side and numbers on the other."""
    for column, what in (("document", "documents"), ("mention", "mentions")):
        kinds = [side.columns.get(column) for side in (key, response)]
        if None not in kinds and kinds[0] != kinds[1]:
            key_kind, response_kind = (_KINDS[str(kind)] for kind in kinds)
            message = f"{what} are {response_kind}, and {key_kind} in {key.name}"
            hint = "give the column the same type on both sides"
            code = "pairing/different-columns"
            raise PairingError(message, code=code, place=response.name, hint=hint)


def _list_documents(
    engine: Engine, key: Relation, response: Relation
) -> tuple[EngineSource, EngineSource]:
    """List the documents of both sides, in the order of the table or of their ids."""
    relations = {"key_rows": key, "response_rows": response}
    rows = [
        row
        for batch in engine.query(sql.list_documents(key, response), relations)
        for row in batch.to_pylist()
    ]
    sources = []
    for role, relation in (("key", key), ("response", response)):
        documents = [
            (row[f"{role}_place"], row["document"], row[f"{role}_rows"])
            for row in rows
            if row[f"{role}_rows"]
        ]
        if not documents:
            message, hint = "the table has no row", "check that it is the right table"
            code = NO_DOCUMENT.code
            raise FormatError(message, code=code, place=relation.name, hint=hint)
        by = 1 if relation.where is None else 0
        documents.sort(key=lambda row: (row[by] is not None, row[by]))
        firsts, cells, counts = zip(*documents, strict=True)
        ids = [format_cell(cell) for cell in cells]
        sizes = [number * _ROW_BYTES for number in counts]
        source = EngineSource(
            relation, relation.name, ids, sizes, cells, counts, firsts
        )
        if "" in ids:
            place = source.format_place(ids.index(""))
            message = "the row has no document"
            raise FormatError(message, code=INVALID_RECORD.code, place=place)
        sources.append(source)
    return sources[0], sources[1]


def _map_documents(
    engine: Engine,
    sources: tuple[EngineSource, EngineSource],
    pairs: Sequence[Pair],
    settings: Settings,
) -> Mapping[str, Relation]:
    """Make the relations for `mapped` statements; empty if they are not required.

    They are not required if both sides have the same ids. Counting by documents skips a
    document that one side lacks; across documents it must be skipped before.
    """
    key, response = sources
    scopes = {"document": "", "topic": "topic", "corpus": "corpus"}
    scope = select_by(settings, "scope", scopes)
    same_ids = all(
        pair.response is None or key.cells[pair.key] == response.cells[pair.response]
        for pair in pairs
    )
    paired = [pair for pair in pairs if pair.response is not None]
    complete = len(pairs) == len(key.ids) and len(paired) == len(response.ids)
    if same_ids and scope != "topic" and (complete or not scope):
        return {}
    names = groups = [key.ids[pair.key] for pair in pairs]
    if scope == "topic":
        groups = [
            get_topic(name, key.format_place(pair.key), pattern=settings.topic_pattern)
            for name, pair in zip(names, pairs, strict=True)
        ]
    rows = list(zip(pairs, names, groups, strict=True))
    key_rows = [
        (key.cells[pair.key], name, group, pair.key) for pair, name, group in rows
    ]
    response_rows = [
        (response.cells[pair.response], name, group, pair.key)
        for pair, name, group in rows
        if pair.response is not None
    ]
    return {
        "key_documents": _hold_documents(engine, key_rows),
        "response_documents": _hold_documents(engine, response_rows),
    }


def _hold_documents(
    engine: Engine, rows: Sequence[tuple[str | int, str, str, int]]
) -> Relation:
    arrow = import_pyarrow("documents")
    document = "int64" if rows and isinstance(rows[0][0], int) else "string"
    types = {
        "document": document,
        "called": "string",
        "together": "string",
        "position": "int64",
    }
    columns = {
        name: arrow.array([row[at] for row in rows], types[name])
        for at, name in enumerate(types)
    }
    return engine.hold(arrow.table(columns), "documents")


def _explain_mismatch(tables: Tables, run: Run) -> tuple[str, ...]:
    """Return warnings if few mentions match; the reason is computed from a sample."""
    if not needs_warning(run.tally):
        return ()
    sample = _choose_sample(tables)
    if not sample:
        return list_warnings(run)
    key, response = _read_sample(tables, sample)
    settings = replace(run.settings, scope="document", missing="empty")
    numbers = {name: number for number, name in enumerate(response.ids)}
    pairs = [Pair(key.ids.index(name), numbers.get(name)) for name in sample]
    sampled = make_run(key, response, pairs, run.tally, settings=settings)
    return list_warnings(sampled, documents=len(tables.pairs))


def _choose_sample(tables: Tables) -> dict[str, Pair]:
    key, response = tables.sources
    sample: dict[str, Pair] = {}
    rows = 0
    for pair in tables.pairs:
        if pair.response is None:
            continue
        rows += key.rows[pair.key] + response.rows[pair.response]
        if sample and (rows > _SAMPLE_ROWS or len(sample) >= _SAMPLE_DOCUMENTS):
            break
        sample[key.ids[pair.key]] = pair
    return sample


def _read_sample(
    tables: Tables, sample: Mapping[str, Pair]
) -> tuple[TableSource, TableSource]:
    arrow, (key_source, response_source) = import_pyarrow("sample"), tables.sources
    sides: Sequence[tuple[str, Sequence[str | int]]] = [
        ("key", [key_source.cells[pair.key] for pair in sample.values()]),
        (
            "response",
            [response_source.cells[pair.response or 0] for pair in sample.values()],
        ),
    ]
    mapping = {
        f"{role}_documents": _hold_documents(
            tables.engine, list(zip(cells, sample, sample, count(), strict=False))
        )
        for role, cells in sides
    }
    statement = sql.tag_rows(*tables.relations, mapped=True, placed=False)
    batches = tables.engine.query(statement, {**tables.named, **mapping})
    frames = split_sides(arrow.Table.from_batches(list(batches)), tables.relations)
    key, response = (TableSource(frame) for frame in frames)
    share_names({0: key, 1: response})
    return key, response


def list_parquet_files(path: str) -> list[str]:
    """List the Parquet files of a path, a folder or a glob, in order."""
    if "://" in path:
        return [path]
    if Path(path).is_dir():
        files = sorted(
            str(file)
            for file in Path(path).rglob("*.parquet")
            if file.is_file()
            # Parts of unfinished files, as in `_temporary`, are ignored.
            and not any(
                part.startswith(("_", ".")) for part in file.relative_to(path).parts
            )
        )
        if not files:
            message = "the folder has no file that ends in .parquet"
            hint, code = "name the files by a glob", "format/empty-folder"
            raise FormatError(message, code=code, place=path, hint=hint)
        return files
    if Path(path).exists():
        return [path]
    files = sorted(glob.glob(path, recursive=True))  # noqa: PTH207
    if not files:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return files


@dataclass(frozen=True, slots=True)
class FileRows:
    """Places of the rows of files: the file, and the row in it, counted from 1."""

    files: tuple[str, ...]
    rows: ClassVar[int] = 1 << 40  # more than any file has

    def __call__(self, place: int) -> str:
        file, row = divmod(place, self.rows)
        return f"{self.files[file]}:{row + 1}"
