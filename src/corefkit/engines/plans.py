"""The statements that engines run: plain SQL, the same text for all of them.

Relations stand in braces. Those of mentions have the columns below, as far as their
tables have them. No name is hashed: rows meet by the values themselves.

    document     the document of the mention
    entity       its entity
    start_at     its first token
    end_at       its last token
    mention      its name
    head         a token of it
    gaps         spans inside it that do not belong to it
    attributes   names and values
    other_0 ...  columns without a meaning of their own
    place        the number of the row, where rows have an order

Where documents are `mapped`, two more relations say which of them are scored, and under
which name they meet: `{key_documents}` and `{response_documents}`, with the columns
`document`, as the table has it, `called`, `together`, and `position`, its number in the
key. Other documents are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.engines.base import INTEGER, OTHER, PLACE, TEXT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.engines.base import Relation

# The columns of relations, by the roles of `corefkit.formats.tables.tables.ROLES`.
COLUMNS = {
    "document": "document",
    "entity": "entity",
    "start": "start_at",
    "end": "end_at",
    "mention": "mention",
    "head": "head",
    "gaps": "gaps",
    "attributes": "attributes",
}
KEY, RESPONSE = 0, 1  # in the column `side`
_TYPES = {INTEGER: "bigint", TEXT: "string", OTHER: "string"}
_NO_PLACE = f"cast(null as bigint) as {PLACE}"


def documents(key: Relation, response: Relation) -> str:
    """List the documents of both sides: how many rows each has, and the first place."""
    sides = [
        f"select document, {side} as side, "
        f"{PLACE if relation.where else _NO_PLACE} from {{{rows}}}"
        for side, relation, rows in _sides(key, response)
    ]
    columns = [
        f"count(case when side = {side} then 1 end) as {name}_rows, "
        f"min(case when side = {side} then {PLACE} end) as {name}_place"
        for side, name in ((KEY, "key"), (RESPONSE, "response"))
    ]
    return (
        f"select document, {', '.join(columns)} "
        f"from ({' union all '.join(sides)}) as tagged group by document"
    )


def tagged(
    key: Relation, response: Relation, *, mapped: bool = False, placed: bool = False
) -> str:
    """Set the rows of both sides behind one another; `side` tells them apart.

    Where `mapped`, `document` is the name that it is called by, and two more columns
    are `together` and `position`; where `placed`, rows have their places.
    """
    names = shared_columns(key, response)
    parts = []
    for side, relation, rows in _sides(key, response):
        columns = [_column(name, relation, key, response) for name in names]
        columns.append(f"cast({side} as tinyint) as side")
        if placed:
            columns.append(PLACE if relation.where else _NO_PLACE)
        if mapped:
            table = rows.replace("_rows", "_documents")
            parts.append(
                f"select together, position, called as document, {', '.join(columns)} "
                f"from {{{rows}}} as mentions join {{{table}}} as documents "
                "on mentions.document = documents.document"
            )
        else:
            parts.append(f"select document, {', '.join(columns)} from {{{rows}}}")
    return " union all ".join(parts)


def rows_of(relation: Relation) -> str:
    """Take the rows of some documents, those in `{wanted}`."""
    columns = ", ".join(f"mentions.{name}" for name in relation.columns)
    place = f", mentions.{PLACE}" if relation.where else ""
    return (
        f"select {columns}{place} from {{rows}} as mentions "
        "join {wanted} as wanted on mentions.document = wanted.document"
    )


def shared_columns(key: Relation, response: Relation) -> list[str]:
    """List the columns that either side has, beside the document."""
    both = dict.fromkeys([*key.columns, *response.columns])
    return [name for name in both if name != "document"]


def _sides(key: Relation, response: Relation) -> Sequence[tuple[int, Relation, str]]:
    return [(KEY, key, "key_rows"), (RESPONSE, response, "response_rows")]


def _column(name: str, relation: Relation, key: Relation, response: Relation) -> str:
    """Take a column as the other side has it; entities of the two never meet."""
    kinds = {side.columns[name] for side in (key, response) if name in side.columns}
    if name not in relation.columns:
        return f"cast(null as {_TYPES[min(kinds)]}) as {name}"
    return f"cast({name} as string) as {name}" if len(kinds) > 1 else name
