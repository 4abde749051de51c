"""Corpus scope: the engine builds the overlap table, and the metrics count it.

Mentions stay in the engine; only cells and the sizes of entities are returned.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.alignment.assignment import choose_dominant
from corefkit.alignment.overlap import Entities, Overlap
from corefkit.engines import INTEGER, TEXT, sql
from corefkit.engines.documents import GatheredFrame
from corefkit.exceptions import FormatError, PairingError, SettingsError, quoted
from corefkit.formats.frames import arrow_cells, import_pyarrow
from corefkit.formats.problems import REPEATED_MENTION
from corefkit.formats.tables import TableSource
from corefkit.metrics.standard import ceaf
from corefkit.settings import select_by
from corefkit.tally import SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow as pa

    from corefkit.alignment.pipeline import Run
    from corefkit.arrays.columns import Counts, Flags, Ints
    from corefkit.engines import Relation
    from corefkit.engines.table_scoring import Tables
    from corefkit.metrics.metric import Metric
    from corefkit.settings import Settings

MAX_CELLS = 20_000_000  # aligned without looking at them
MAX_REMAINING_CELLS = 2_000_000  # aligned after one round


def count_corpus(tables: Tables, run: Run, metrics: tuple[Metric, ...]) -> None:
    """Count all documents as one, into the tally of the run."""
    check_mentions(tables, run.settings)
    key, response, mentions = _query_overlap(tables, run)
    sizes = [  # the number of mentions of each entity; -1 is none
        np.bincount(side + 1, mentions).astype(np.int64)[1:] for side in (key, response)
    ]
    table = make_overlap(key, response, mentions, sizes, run.settings)
    tally = run.tally
    tally.totals["paired"] = 1
    tally.totals["mentions/matched"] = int(table.shared.sum())
    for role, side, size in zip(SIDES, (table.key, table.response), sizes, strict=True):
        scored = int(side.size.sum())
        tally.totals[f"mentions/{role}"] = scored
        tally.totals[f"dropped/{role}"] = int(size.sum()) - scored
    counts: dict[str, Counts] = {}
    for metric in metrics:
        try:
            _check_cells(metric, table)
            counts[metric.name] = metric.count(table)
        except SettingsError as error:
            message = f"{metric.name}: {error.message}"
            hint = "across documents, an engine returns counts and not mentions"
            raise SettingsError(
                message, code=error.code, hint=error.hint or hint
            ) from error
    tally.documents += run.documents
    tally.counts.append(counts)
    # The number of mentions before duplicates are dropped; tokens have no hash here.
    read = tally.totals["repeated/key"] + int(sizes[0].sum())
    tally.prints.append(np.array([[0, 0, 0, 0, read, len(sizes[0])]], np.uint64))


def _query_overlap(tables: Tables, run: Run) -> tuple[Ints, Ints, Ints]:
    """Query the key entity, response entity (-1 is none) and mentions of each cell."""
    mapped = bool(tables.mapping)
    rows = _query(tables, sql.group_mentions(*tables.relations, mapped=mapped))
    if not rows.num_rows:
        return (np.empty(0, np.int64),) * 3
    if rows.column("repeated").to_numpy().sum():
        _note_repeats(tables, run)
    key, response = (_encode_entities(rows.column(f"{side}_entity")) for side in SIDES)
    return key, response, rows.column("mentions").to_numpy()


def _query(tables: Tables, statement: str) -> pa.Table:
    arrow = import_pyarrow("overlap")
    batches = list(tables.engine.query(statement, tables.named))
    if not batches:
        return arrow.table({})
    return arrow.Table.from_batches(batches).combine_chunks()


def _encode_entities(column: Any) -> Ints:
    """Encode the entities of a side as integers; null is -1."""
    try:
        encoded = column.combine_chunks().dictionary_encode()
    except NotImplementedError as error:
        message = f"entities are of type {column.type}, which is not compared"
        hint = "give entities numbers or names"
        raise FormatError(
            message, code="engine/unsupported-column", hint=hint
        ) from error
    if hasattr(encoded, "combine_chunks"):
        encoded = encoded.unify_dictionaries().combine_chunks()
    codes: Ints = encoded.indices.fill_null(-1).to_numpy().astype(np.int64)
    return codes


def _note_repeats(tables: Tables, run: Run) -> None:
    """Note duplicate mentions; reject those whose entity depends on the row order."""
    sources = run.key, run.response
    for role, source in zip(SIDES, sources, strict=True):
        mapped = bool(tables.mapping)
        statement = sql.count_repeats(*tables.relations, role, mapped=mapped)
        (row,) = _query(tables, statement).to_pylist()
        copies, unsettled = int(row["copies"] or 0), int(row["unsettled"])
        if not copies:
            continue
        duplicated = f"{_count(copies)} duplicated"
        problems = {
            "first": unsettled and f"{_count(unsettled)} in several entities",
            "error": duplicated,
            "reference": duplicated,
        }
        problem = select_by(run.settings, "repeated", problems)
        if problem:
            message = f"{problem}, expected every mention in one entity"
            hint = "an engine has no order of rows: remove the duplicates before"
            raise FormatError(
                message, code=REPEATED_MENTION.code, place=source.name, hint=hint
            )
        run.tally.totals[f"repeated/{role}"] = copies
        place = source.ids[0], source.format_place(0)
        run.tally.firsts[f"repeated/{role}"] = place


def _count(mentions: int) -> str:
    return "1 mention is" if mentions == 1 else f"{mentions} mentions are"


def make_overlap(
    key: Ints,
    response: Ints,
    mentions: Ints,
    sizes: Sequence[Ints],
    settings: Settings,
) -> Overlap:
    """Make the overlap table of one document; the settings may drop singletons."""
    scored: list[Flags] = [
        size > 1 if role in settings.without_singletons else size > 0
        for role, size in zip(SIDES, sizes, strict=True)
    ]
    number = [np.cumsum(flags) - 1 for flags in scored]
    shared = (key >= 0) & (response >= 0)
    shared[shared] &= scored[0][key[shared]]
    shared[shared] &= scored[1][response[shared]]
    key_entity, response_entity = number[0][key[shared]], number[1][response[shared]]
    order = np.lexsort((response_entity, key_entity))
    key_side, response_side = (
        Entities(np.zeros(int(flags.sum()), np.int64), size[flags])
        for flags, size in zip(scored, sizes, strict=True)
    )
    return Overlap(
        1,
        key_side,
        response_side,
        key_entity[order],
        response_entity[order],
        mentions[shared][order],
    )


def _check_cells(metric: Metric, table: Overlap) -> None:
    """Raise an error for a CEAF alignment that is too large for one machine.

    In real tables most cells belong to an optimal map after one iteration. The other
    ones may be a single large component.
    """
    count = metric.count
    if not isinstance(count, partial) or count.func is not ceaf:
        return
    if len(table.shared) <= MAX_CELLS:
        return
    similarity = count.keywords["similarity"]
    weight = similarity(table.shared, table.key_size, table.response_size)
    cells = np.flatnonzero(weight > 0)
    row, column = table.key_entity[cells], table.response_entity[cells]
    remaining = len(choose_dominant(row, column, weight[cells])[1])
    if remaining > MAX_REMAINING_CELLS:
        message = (
            f"of {len(cells):,} pairs of entities, {remaining:,} are left to align "
            f"after the first round, more than {MAX_REMAINING_CELLS:,}"
        )
        hint = f"choose other metrics than {metric.name}"
        raise SettingsError(message, code="engine/too-large", hint=hint)


def check_mentions(tables: Tables, settings: Settings) -> None:
    """Raise an error for mentions or settings that require more than equal values."""
    if settings.selects_mentions:
        message = "a selection of mentions is made from documents"
        hint = "across documents, an engine scores all: leave out --only and --mentions"
        raise SettingsError(message, code="engine/unsupported-setting", hint=hint)
    if not settings.is_exact:
        message = f"match {settings.match!r} looks at mentions one by one"
        hint = "across documents, an engine matches them by match 'exact'"
        raise SettingsError(message, code="engine/unsupported-setting", hint=hint)
    key, response = tables.relations
    if ("start_at" in key.columns) != ("start_at" in response.columns):
        message = f"has other columns for mentions than {key.name}"
        hint = "give both sides start and end, or both mention"
        raise PairingError(
            message, code="pairing/different-columns", place=response.name, hint=hint
        )
    forms: dict[str, int] = {}
    for role, relation in zip(SIDES, tables.relations, strict=True):
        for name in ("start_at", "end_at"):
            if relation.columns.get(name, INTEGER) != INTEGER:
                column = quoted(relation.titles[name])
                message = f"column {column} has no whole numbers, expected tokens"
                hint = "write it as integers: an engine compares them as they are"
                code = "engine/unsupported-column"
                raise FormatError(message, code=code, place=relation.name, hint=hint)
        _check_rows(tables, relation, role)
        if relation.columns.get("mention") == TEXT:
            for row in _query(tables, sql.count_span_forms(role)).to_pylist():
                form = row["form"]
                forms[form] = forms.get(form, 0) + row["mentions"]
                if form == "-" and row["single"]:
                    forms["single"] = forms.get("single", 0) + row["single"]
    _check_forms(tables, forms)


def _check_rows(tables: Tables, relation: Relation, role: str) -> None:
    rows, place = _query(tables, sql.find_wrong_row(relation, role)), relation.name
    if rows.num_rows:
        # The reader of tables raises the error for the row.
        cells = {
            name: arrow_cells(rows.column(name), place) for name in relation.columns
        }
        TableSource(GatheredFrame(relation, rows, cells, np.arange(rows.num_rows)))
        message = "a row contains a mention that an engine does not support"
        raise FormatError(message, code="engine/unsupported-mention", place=place)
    if "gaps" in relation.columns:
        (row,) = _query(tables, sql.count_gaps(relation, role)).to_pylist()
        if row["mentions"]:
            count = row["mentions"]
            message = f"{count} rows have gaps, and an engine compares start and end"
            hint = "--scope document compares them one document at a time"
            code = "engine/unsupported-mention"
            raise FormatError(message, code=code, place=place, hint=hint)


def _check_forms(tables: Tables, forms: Mapping[str, int]) -> None:
    """Raise an error for spans in two notations, since they are compared as texts."""
    brackets = [form for form in sql.BRACKET_FORMS if form in forms]
    plain = [form for form in sql.PLAIN_FORMS if form in forms]
    differ = (
        len(brackets) > 1 or (brackets and plain) or ("single" in forms and "" in forms)
    )
    mixed = len(sql.list_mention_columns(*tables.relations)) == 3
    if not differ and not (mixed and (brackets or plain)):
        return
    examples = {"": "3", "-": "3-5", "[, ]": "[3, 5]"}
    listing = " and ".join(
        quoted(examples.get(form, form.replace(",", "3,5")))
        for form in (*plain, *brackets)
    )
    columns = " in addition to start and end" if mixed else ""
    message = f"spans are written as {listing}{columns}"
    hint = "write them in one way: across documents, an engine compares them as texts"
    place = tables.relations[1].name
    raise FormatError(
        message, code="engine/unsupported-mention", place=place, hint=hint
    )
