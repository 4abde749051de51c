"""From two tables in an engine to an `Evaluation`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from corefkit.alignment.pairing import pair_documents
from corefkit.alignment.pipeline import run_of
from corefkit.alignment.seen import Meeting
from corefkit.engines import ENGINES, plans
from corefkit.engines.corpus import counted_corpus
from corefkit.engines.counted import counted_documents
from corefkit.engines.mapping import mapping_of
from corefkit.engines.meeting import warnings
from corefkit.engines.sides import check_kinds, opened
from corefkit.engines.source import engine_sources
from corefkit.exceptions import CorefkitError, FormatError, SettingsError, refusal
from corefkit.settings import by_choice
from corefkit.strings.nearest import suggest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.alignment.pairing import Pair
    from corefkit.alignment.pipeline import Progress
    from corefkit.engines.base import Engine, Relation
    from corefkit.engines.frames import Layout
    from corefkit.engines.source import EngineSource
    from corefkit.evaluation import Evaluation
    from corefkit.metrics.base import Metric
    from corefkit.settings import Settings

_ACROSS_ALL = {"document": False, "topic": False, "corpus": True}


def engine_called(
    name: str,
    *,
    memory: str | None = None,
    temp_directory: str | None = None,
    ceaf_bounds: bool = False,
) -> Engine:
    """Make an engine by its name; what it may be told is that of `DuckDB`.

    >>> engine_called("duckdb", memory="1GB").name
    'duckdb'
    """
    if name == "duckdb":
        from corefkit.engines.duck import DuckDB

        return DuckDB(memory, temp_directory, ceaf_bounds)
    if name == "spark":
        from corefkit.engines.spark import Spark

        return Spark(
            memory=memory, temp_directory=temp_directory, ceaf_bounds=ceaf_bounds
        )
    message = f"unknown engine {name!r}"
    raise SettingsError(message, hint=suggest(name, ENGINES))


def _engine(given: str | Engine) -> Engine:
    if isinstance(given, str):
        return engine_called(given)
    if not hasattr(given, "by_document"):
        message = f"engine is {given!r}, expected an engine or its name"
        raise SettingsError(message, hint=f"names are {', '.join(ENGINES)}")
    return given


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

    Where `refusals` are kept, one that cannot be scored is put there and left out. An
    engine that is named is closed in the end, one that is given stays as it is.
    """
    if format not in (None, "parquet"):
        message = f"an engine reads Parquet, not {format!r}"
        raise SettingsError(message, hint="leave out the format, or the engine")
    used = _engine(engine)
    used.watch(progress and _half(progress, first=True))
    found: dict[int, Evaluation] = {}
    try:
        for number, response in enumerate(responses):
            try:
                found[number] = score_table(
                    *(used, key, response),
                    metrics=metrics,
                    settings=settings,
                    progress=progress and _half(progress, first=False),
                )
            except (CorefkitError, OSError) as error:
                if refusals is None:
                    raise
                _open_key(used, key)  # raises what is wrong with the key
                refusals[number] = refusal(error)
    finally:
        used.watch(None)
        if isinstance(engine, str):
            used.close()
    return found


def _half(progress: Progress, *, first: bool) -> Progress:
    """Take the engine's work for one half of the whole, and counting for the other."""

    def show(done: int, total: int) -> None:
        progress(done if first else total + done, 2 * total)

    return show


def _open_key(engine: Engine, key: object) -> None:
    relation, _ = opened(engine, key, "key", attributes=False)
    _documents(engine, relation, relation)


@dataclass(frozen=True, slots=True)
class Tables:
    """Two tables in an engine, their documents paired.

    Attributes:
        engine: has them.
        relations: key and response, with the columns that are scored.
        layouts: what their tables call these columns.
        sources: the ids of their documents.
        pairs: which of the documents are one.
        mapping: the relations that name documents, where they do not by themselves.
    """

    engine: Engine
    relations: tuple[Relation, Relation]
    layouts: tuple[Layout, Layout]
    sources: tuple[EngineSource, EngineSource]
    pairs: Sequence[Pair]
    mapping: Mapping[str, Relation]

    @property
    def named(self) -> Mapping[str, Relation]:
        """The relations by the names that plans have for them."""
        key, response = self.relations
        return {"key_rows": key, "response_rows": response, **self.mapping}


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
    sides = [
        opened(engine, side, role, attributes=attributes)
        for side, role in ((key, "key"), (response, "response"))
    ]
    (ours, our_layout), (theirs, their_layout) = sides
    check_kinds(ours, theirs)
    sources = _documents(engine, ours, theirs)
    pairs, notes = pair_documents(*sources, settings)
    run = run_of(*sources, pairs, notes, settings=settings)
    if settings.skips_missing:
        pairs = [pair for pair in pairs if pair.response is not None]
    mapping = mapping_of(engine, sources, pairs, settings)
    layouts = our_layout, their_layout
    tables = Tables(engine, (ours, theirs), layouts, sources, pairs, mapping)
    if by_choice(settings, "scope", _ACROSS_ALL):
        tally = counted_corpus(tables, run, metrics, bounds=engine.ceaf_bounds)
    else:
        tally = counted_documents(tables, run, metrics, progress)
    told = warnings(tables, run)
    # What there is to warn of is told already, with a sample of the documents.
    sound = replace(run, meeting=Meeting(key=1, response=1, both=1))
    return replace(tally.evaluation(sound), warnings=told)


def _documents(
    engine: Engine, key: Relation, response: Relation
) -> tuple[EngineSource, EngineSource]:
    named = {"key_rows": key, "response_rows": response}
    rows: list[Mapping[str, Any]] = []
    for batch in engine.query(plans.documents(key, response), named):
        rows += batch.to_pylist()
    for role, relation in (("key", key), ("response", response)):
        there = [row for row in rows if row[f"{role}_rows"]]
        if not there:
            message = "the table has no row"
            raise FormatError(message, place=relation.name, hint="is it the right one?")
        nameless = [row for row in there if row["document"] in (None, "")]
        if nameless:
            first = nameless[0][f"{role}_place"]
            place = relation.name
            if relation.where is not None and isinstance(first, int):
                place = relation.where(first)
            message = "the row has no document"
            raise FormatError(message, place=place)
    return engine_sources(key, response, rows)
