"""SQL statements, shared by all engines.

Statements contain the names of relations in braces. Relations of mentions have those
of `COLUMNS` that their tables contain, other columns as `other_0` and so on, and
`place`, the number of the row, if rows have an order. Rows are joined by values, not by
hashes.

If documents are `mapped`, two more relations specify the scored documents and their
common names: `{key_documents}` and `{response_documents}`, with the columns `document`
(its value in the table), `called`, `together`, and `position`, its number in the key.
Other documents are ignored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.engines import INTEGER, OTHER, PLACE, TEXT
from corefkit.formats.in_memory import TOKEN_LIMIT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.engines import Relation

# The columns of relations, by the roles of `corefkit.formats.tables.ROLES`.
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

# The supported notations of spans, without their digits.
PLAIN_FORMS = ("", "-")
BRACKET_FORMS = ("[,]", "[, ]", "(,)", "(, )")
_DIGITS = "0123456789"


def list_documents(key: Relation, response: Relation) -> str:
    """List the documents of both sides, with the number of rows and the first place."""
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


def tag_rows(key: Relation, response: Relation, *, mapped: bool, placed: bool) -> str:
    """Concatenate the rows of both sides, which differ in the column `side`.

    If `mapped`, `document` is the common name, and two more columns are `together` and
    `position`; if `placed`, rows have their places.
    """
    names = dict.fromkeys([*key.columns, *response.columns])
    parts = []
    for side, relation, rows in _sides(key, response):
        columns = [
            _cast_column(name, relation, key, response)
            for name in names
            if name != "document"
        ]
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


def _sides(key: Relation, response: Relation) -> Sequence[tuple[int, Relation, str]]:
    return [(KEY, key, "key_rows"), (RESPONSE, response, "response_rows")]


def _cast_column(
    name: str, relation: Relation, key: Relation, response: Relation
) -> str:
    """Convert a column to the type of the other side, if the types differ."""
    kinds = {side.columns[name] for side in (key, response) if name in side.columns}
    if name not in relation.columns:
        return f"cast(null as {_TYPES[min(kinds)]}) as {name}"
    return f"cast({name} as string) as {name}" if len(kinds) > 1 else name


def group_mentions(key: Relation, response: Relation, *, mapped: bool) -> str:
    """Count mentions by their two entities, null if a side lacks the mention.

    Columns are key_entity, response_entity, mentions, and repeated, the number of those
    mentions of which a side has duplicates.
    """
    names = ", ".join(("document", *list_mention_columns(key, response)))
    sides = [
        f"select {names}, {entities} from "
        f"({_select_mentions(key, response, role, mapped=mapped)}) as {role}_side"
        for role, entities in (
            ("key", "entity as key_entity, null as response_entity"),
            ("response", "null as key_entity, entity as response_entity"),
        )
    ]
    return (
        "select key_entity, response_entity, count(*) as mentions, "
        "sum(repeated) as repeated from "
        "(select min(key_entity) as key_entity, "
        "min(response_entity) as response_entity, "
        "case when count(key_entity) > 1 or count(response_entity) > 1 "
        "then 1 else 0 end as repeated "
        f"from ({' union all '.join(sides)}) as mentions group by {names}) as grouped "
        "group by key_entity, response_entity"
    )


def count_repeats(key: Relation, response: Relation, role: str, *, mapped: bool) -> str:
    """Count the copies and unsettled mentions (in several entities) of a side."""
    names = ", ".join(("document", *list_mention_columns(key, response)))
    rows = _select_mentions(key, response, role, mapped=mapped)
    return (
        "select sum(number - 1) as copies, "
        "count(case when lowest <> highest then 1 end) as unsettled from "
        "(select count(*) as number, min(entity) as lowest, max(entity) as highest "
        f"from ({rows}) as mentions group by {names} having count(*) > 1) as copies"
    )


def find_wrong_row(relation: Relation, role: str) -> str:
    """Select the first row that is incomplete or contains an invalid token."""
    wrong = [_is_missing("entity", relation), _has_no_mention(relation)]
    if "start_at" in relation.columns:
        start, end = (_is_missing(name, relation) for name in ("start_at", "end_at"))
        wrong += [
            f"({start}) <> ({end})",
            "start_at < 0 or end_at < start_at",
            f"start_at >= {TOKEN_LIMIT} or end_at >= {TOKEN_LIMIT}",
        ]
        if "head" in relation.columns:
            head = "try_cast(head as double)"
            wrong.append(f"{head} < start_at or {head} > end_at")
            wrong.append(f"{head} is null and not {_is_missing('head', relation)}")
    place = f" order by {PLACE}" if relation.where else ""
    return (
        f"select * from {{{role}_rows}} where {_has_something(relation)} "
        f"and ({' or '.join(wrong)}){place} limit 1"
    )


def count_gaps(relation: Relation, role: str) -> str:
    """Count the rows whose mentions have gaps."""
    present = f"not {_is_missing('gaps', relation)}"
    return f"select count(*) as mentions from {{{role}_rows}} where {present}"


def count_span_forms(role: str) -> str:
    """Count the names that are spans, and those of single tokens, by their notation."""
    form = f"translate(mention, '{_DIGITS}', '')"
    forms = ", ".join(f"'{each}'" for each in (*PLAIN_FORMS, *BRACKET_FORMS))
    begins = ", ".join(f"'{each}'" for each in (*_DIGITS, "[", "("))
    same = "split_part(mention, '-', 1) = split_part(mention, '-', 2)"
    return (
        f"select {form} as form, count(*) as mentions, "
        f"count(case when {same} then 1 end) as single from {{{role}_rows}} "
        f"where substr(mention, 1, 1) in ({begins}) and {form} in ({forms}) "
        f"group by {form}"
    )


def list_mention_columns(key: Relation, response: Relation) -> list[str]:
    """List the columns that specify a mention, if either side contains them."""
    columns = {*key.columns, *response.columns}
    return [name for name in ("start_at", "end_at", "mention") if name in columns]


def _select_mentions(
    key: Relation, response: Relation, role: str, *, mapped: bool
) -> str:
    relation = key if role == "key" else response
    names = list_mention_columns(key, response)
    mixed = len(names) == 3
    columns = [f"{_select_name(name, relation, mixed)} as {name}" for name in names]
    source, document = f"{{{role}_rows}} as mentions", "mentions.document"
    if mapped:
        source += (
            f" join {{{role}_documents}} as documents "
            "on mentions.document = documents.document"
        )
        document = "documents.called"
    return (
        f"select {document} as document, entity, {', '.join(columns)} "
        f"from {source} where {_has_something(relation)}"
    )


def _select_name(name: str, relation: Relation, mixed: bool) -> str:
    """Select a column that specifies mentions; null becomes an invalid value."""
    if name == "mention" and mixed:
        value = "cast(mention as string)" if name in relation.columns else "null"
        return f"coalesce({value}, '')"
    return f"coalesce(cast({name} as bigint), -1)" if mixed else name


def _is_missing(name: str, relation: Relation) -> str:
    kind = relation.columns.get(name)
    if kind is None:
        return "1 = 1"
    return f"({name} is null or {name} = '')" if kind == TEXT else f"{name} is null"


def _has_no_mention(relation: Relation) -> str:
    """Select rows without a mention; a name counts if there are no tokens."""
    names = ["mention"]
    if "start_at" in relation.columns:
        names = ["start_at", "end_at", *names]
    return f"({' and '.join(_is_missing(name, relation) for name in names)})"


def _has_something(relation: Relation) -> str:
    """Select rows with an entity or a mention; others only name a document."""
    no_entity = _is_missing("entity", relation)
    return f"not ({no_entity} and {_has_no_mention(relation)})"
