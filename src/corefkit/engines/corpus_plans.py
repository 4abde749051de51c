"""The statements for entities across documents: overlap, sizes and repeats at once.

They are plain SQL over the relations that `corefkit.engines.plans` describes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.engines.base import PLACE, TEXT
from corefkit.formats.tables.cells import FAR

if TYPE_CHECKING:
    from corefkit.engines.base import Relation

_DIGITS = "0123456789"
# How spans may be written, without their digits.
PLAIN_FORMS = ("", "-")
BRACKET_FORMS = ("[,]", "[, ]", "(,)", "(, )")


def overlap(
    key: Relation, response: Relation, *, mapped: bool = False, once: bool = False
) -> str:
    """Count mentions by their two entities, null where a side lacks the mention.

    Rows are key_entity, response_entity, mentions and repeated. One row counts, in
    `repeated`, the mentions that one side alone has, and more than once; those that
    both sides have are seen by their number, since copies meet several times. Where
    `once`, equal rows are one.
    """
    names = mention_columns(key, response)
    sides = [
        _mentions(side, role, names, mapped=mapped, once=once)
        for side, role in ((key, "key"), (response, "response"))
    ]
    meet = " and ".join(f"k.{name} = r.{name}" for name in ("document", *names))
    either = ", ".join(
        f"coalesce(k.{name}, r.{name}) as {name}" for name in ("document", *names)
    )
    grouped = ", ".join(("document", *names))
    return (
        f"with joined as (select {either}, k.entity as key_entity, "
        "r.entity as response_entity, "
        "case when k.document is null or r.document is null then 1 else 0 end as lone "
        f"from ({sides[0]}) as k full join ({sides[1]}) as r on {meet}) "
        "select key_entity, response_entity, count(*) as mentions, "
        "cast(0 as bigint) as repeated from joined "
        "group by key_entity, response_entity union all "
        "select null, null, cast(0 as bigint), count(*) from "
        f"(select 1 as one from joined where lone = 1 group by {grouped} "
        "having count(*) > 1) as copies"
    )


def repeats(key: Relation, response: Relation, role: str, *, mapped: bool) -> str:
    """Count how often mentions of a side repeat an earlier one, and in many entities.

    Rows are copies, and mentions in several entities.
    """
    side = key if role == "key" else response
    names = mention_columns(key, response)
    grouped = ", ".join(("document", *names))
    rows = _mentions(side, role, names, mapped=mapped)
    return (
        "select sum(number - 1) as copies, "
        "count(case when lowest <> highest then 1 end) as unsettled from "
        "(select count(*) as number, min(entity) as lowest, max(entity) as highest "
        f"from ({rows}) as mentions group by {grouped} having count(*) > 1) as copies"
    )


def count_mentions(
    key: Relation, response: Relation, role: str, *, mapped: bool
) -> str:
    """Count the mentions of a side."""
    side = key if role == "key" else response
    rows = _mentions(side, role, mention_columns(key, response), mapped=mapped)
    return f"select count(*) as mentions from ({rows}) as mentions"


def wrong_rows(relation: Relation, role: str) -> str:
    """Take rows in which something is missing, or no number of a token."""
    place = f" order by {PLACE}" if relation.where else ""
    return f"select * from {{{role}_rows}} where {_wrong(relation)}{place} limit 1"


def gapped_rows(relation: Relation, role: str) -> str:
    """Count the rows whose mentions have gaps."""
    present = f"not {_missing('gaps', relation)}"
    return f"select count(*) as mentions from {{{role}_rows}} where {present}"


def span_forms(role: str) -> str:
    """Count the names that are spans of tokens, by the way in which they are written.

    Rows are form, mentions, and how many of these begin and end with the same token.
    """
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


def mention_columns(key: Relation, response: Relation) -> list[str]:
    """List the columns that name a mention, as far as either side has them."""
    both = {*key.columns, *response.columns}
    return [name for name in ("start_at", "end_at", "mention") if name in both]


def _mentions(
    relation: Relation,
    role: str,
    names: list[str],
    *,
    mapped: bool,
    once: bool = False,
) -> str:
    """Take the mentions of a side: what names them, and their entities."""
    mixed = len(names) == 3
    columns = [f"{_value(name, relation, mixed=mixed)} as {name}" for name in names]
    source, document = f"{{{role}_rows}} as mentions", "mentions.document"
    if mapped:
        source += (
            f" join {{{role}_documents}} as documents "
            "on mentions.document = documents.document"
        )
        document = "documents.called"
    return (
        f"select {'distinct ' if once else ''}{document} as document, entity, "
        f"{', '.join(columns)} from {source} where {_there(relation)}"
    )


def _value(name: str, relation: Relation, *, mixed: bool) -> str:
    """Take what names a mention; where nothing does, a value that no mention has."""
    if name == "mention" and mixed:
        there = "cast(mention as string)" if name in relation.columns else "null"
        return f"coalesce({there}, '')"
    return f"coalesce(cast({name} as bigint), -1)" if mixed else name


def _missing(name: str, relation: Relation) -> str:
    kind = relation.columns.get(name)
    if kind is None:
        return "1 = 1"
    return f"({name} is null or {name} = '')" if kind == TEXT else f"{name} is null"


def _no_mention(relation: Relation) -> str:
    """Tell rows without a mention; a name counts where there are no tokens."""
    named = _missing("mention", relation)
    if "start_at" not in relation.columns:
        return named
    start, end = _missing("start_at", relation), _missing("end_at", relation)
    return f"({start} and {end} and {named})"


def _there(relation: Relation) -> str:
    """Tell rows that have a mention; others only say that there is a document."""
    return f"not ({_missing('entity', relation)} and {_no_mention(relation)})"


def _wrong(relation: Relation) -> str:
    checks = [_missing("entity", relation), _no_mention(relation)]
    if "start_at" in relation.columns:
        checks += [
            f"({_missing('start_at', relation)}) <> ({_missing('end_at', relation)})",
            "start_at < 0 or end_at < start_at",
            f"start_at >= {FAR} or end_at >= {FAR}",
        ]
        if "head" in relation.columns:
            head = "try_cast(head as double)"
            checks.append(f"{head} < start_at or {head} > end_at")
            checks.append(f"{head} is null and not {_missing('head', relation)}")
    return f"{_there(relation)} and ({' or '.join(checks)})"
