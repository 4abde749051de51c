"""What an engine cannot compare across documents: told before anything is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.engines import corpus_plans
from corefkit.engines.base import INTEGER, TEXT
from corefkit.engines.frames import GatheredFrame, coded_cells
from corefkit.exceptions import FormatError, PairingError, SettingsError, quoted
from corefkit.formats.tables.frames import pyarrow
from corefkit.formats.tables.source import TableSource

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow as pa

    from corefkit.engines.base import Relation
    from corefkit.engines.frames import Layout
    from corefkit.engines.scoring import Tables
    from corefkit.settings import Settings

_SIDES = ("key", "response")
_DOCUMENTS = "--scope document compares them one document at a time"


def check_mentions(tables: Tables, settings: Settings) -> None:
    """Refuse what is not compared by values alone."""
    if not settings.is_exact:
        message = f"match {settings.match!r} looks at mentions one by one"
        hint = "across documents, an engine matches them by match 'exact'"
        raise SettingsError(message, hint=hint)
    key, response = tables.relations
    if ("start_at" in key.columns) != ("start_at" in response.columns):
        message = f"has other columns for mentions than {key.name}"
        hint = "give both sides start and end, or both mention"
        raise PairingError(message, place=response.name, hint=hint)
    forms: dict[str, int] = {}
    for role, relation, layout in zip(
        _SIDES, tables.relations, tables.layouts, strict=True
    ):
        _check_kinds(relation, layout)
        _check_rows(tables, relation, role, layout)
        if relation.columns.get("mention") == TEXT:
            _count_forms(tables, relation, role, forms)
    _check_forms(tables, forms)


def _check_kinds(relation: Relation, layout: Layout) -> None:
    for name in ("start_at", "end_at"):
        if relation.columns.get(name, INTEGER) != INTEGER:
            column = quoted(layout.columns[name])
            message = f"column {column} has no whole numbers, expected tokens"
            hint = "write it as integers: an engine compares them as they are"
            raise FormatError(message, place=relation.name, hint=hint)


def _check_rows(tables: Tables, relation: Relation, role: str, layout: Layout) -> None:
    arrow = pyarrow(relation.name)
    named = {f"{role}_rows": relation}
    plan = corpus_plans.wrong_rows(relation, role)
    batches = list(tables.engine.query(plan, named))
    rows = arrow.Table.from_batches(batches) if batches else None
    if rows is not None and rows.num_rows:
        _tell(rows, layout)
    if "gaps" in relation.columns:
        plan = corpus_plans.gapped_rows(relation, role)
        (found,) = [
            row
            for batch in tables.engine.query(plan, named)
            for row in batch.to_pylist()
        ]
        if found["mentions"]:
            count = found["mentions"]
            message = f"{count} rows have gaps, and an engine compares start and end"
            raise FormatError(message, place=relation.name, hint=_DOCUMENTS)


def _tell(rows: pa.Table, layout: Layout) -> None:
    """Let the reader of tables say what is wrong with a row."""
    cells = {
        name: coded_cells(rows.column(name), layout.name) for name in layout.columns
    }
    TableSource(GatheredFrame(layout, rows, cells, np.arange(rows.num_rows)))
    message = "a row has no mention that an engine can compare"
    raise FormatError(message, place=layout.name)


def _count_forms(
    tables: Tables, relation: Relation, role: str, forms: dict[str, int]
) -> None:
    plan = corpus_plans.span_forms(role)
    for batch in tables.engine.query(plan, {f"{role}_rows": relation}):
        for row in batch.to_pylist():
            form = row["form"]
            forms[form] = forms.get(form, 0) + row["mentions"]
            if form == "-" and row["single"]:
                forms["single"] = forms.get("single", 0) + row["single"]


def _check_forms(tables: Tables, forms: Mapping[str, int]) -> None:
    """Refuse spans that are written in two ways: they are compared as they stand."""
    brackets = [form for form in corpus_plans.BRACKET_FORMS if form in forms]
    plain = [form for form in corpus_plans.PLAIN_FORMS if form in forms]
    twice = (
        len(brackets) > 1 or (brackets and plain) or ("single" in forms and "" in forms)
    )
    mixed = len(corpus_plans.mention_columns(*tables.relations)) == 3
    if not twice and not (mixed and (brackets or plain)):
        return
    written: Sequence[str] = [
        {"": "3", "-": "3-5", "[,]": "[3,5]", "[, ]": "[3, 5]"}.get(
            form, form.replace(",", "3,5")
        )
        for form in (*plain, *brackets)
    ]
    shown = " and ".join(quoted(form) for form in written)
    message = f"spans are written as {shown}" + (
        " beside start and end" if mixed else ""
    )
    hint = "write them in one way: across documents, an engine compares them as texts"
    raise FormatError(message, place=tables.relations[1].name, hint=hint)
