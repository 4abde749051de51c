"""Which documents are scored, and under which name: for tables that do not say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.alignment.scope import topic as topic_of
from corefkit.formats.tables.frames import pyarrow
from corefkit.settings import by_choice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.alignment.pairing import Pair
    from corefkit.engines.base import Engine, Relation
    from corefkit.engines.source import EngineSource
    from corefkit.settings import Settings


def mapping_of(
    engine: Engine,
    sources: tuple[EngineSource, EngineSource],
    pairs: Sequence[Pair],
    settings: Settings,
) -> Mapping[str, Relation]:
    """Make the relations that plans call `mapped`; none where tables are enough.

    They are where both sides call their documents alike. A document that one side lacks
    is seen when documents are counted; across documents it must be left out before.
    """
    key, response = sources
    across = {"document": "", "topic": "topic", "corpus": "corpus"}
    scope = by_choice(settings, "scope", across)
    alike = all(
        pair.response is None or key.cells[pair.key] == response.cells[pair.response]
        for pair in pairs
    )
    paired = [pair for pair in pairs if pair.response is not None]
    whole = len(pairs) == len(key.ids) and len(paired) == len(response.ids)
    if alike and scope != "topic" and (whole or not scope):
        return {}
    called = [key.ids[pair.key] for pair in pairs]
    together = called
    if scope == "topic":
        together = [
            topic_of(name, key.place(pair.key))
            for name, pair in zip(called, pairs, strict=True)
        ]
    rows = list(zip(pairs, called, together, strict=True))
    ours = [(key.cells[pair.key], name, topic, pair.key) for pair, name, topic in rows]
    theirs = [
        (response.cells[pair.response], name, topic, pair.key)
        for pair, name, topic in rows
        if pair.response is not None
    ]
    return {
        "key_documents": documents_table(engine, ours),
        "response_documents": documents_table(engine, theirs),
    }


def documents_table(
    engine: Engine, rows: Sequence[tuple[str | int, str, str, int]]
) -> Relation:
    """Make a relation: document, as a table has it, called, together and position."""
    arrow = pyarrow("documents")
    kind = "int64" if rows and isinstance(rows[0][0], int) else "string"
    kinds = {"document": kind, "called": "string", "together": "string"}
    kinds["position"] = "int64"
    table = arrow.table(
        {
            name: arrow.array([row[at] for row in rows], kinds[name])
            for at, name in enumerate(kinds)
        }
    )
    return engine.hold(table, "documents")
