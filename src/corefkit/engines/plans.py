"""The statements that engines run: plain SQL, the same text for all of them.

Relations stand in braces and have the columns below, those of them that their tables
have. No name is hashed: rows meet by the values themselves.

    document   the document of the mention
    entity     the entity of the mention
    start_at   its first token
    end_at     its last token
    mention    its name, where it has no tokens
    head       a token of it
    gaps       spans inside it that do not belong to it
    place      the number of the row, where rows have an order
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.engines.base import Relation

# The columns of relations, by the roles of `corefkit.formats.tables.tables.ROLES`.
NAMES = {
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
# What gathers rows: the first column has what belongs together.
TOGETHER = ("together", "side")


def documents(key: Relation, response: Relation) -> str:
    """List the documents of both sides, with their rows and where they begin."""
    raise NotImplementedError


def tagged(key: Relation, response: Relation, *, mapped: bool) -> str:
    """Set the rows of both sides behind one another, and tell which side each is of.

    Where `mapped`, documents are named and gathered as `{key_documents}` and
    `{response_documents}` say, whose columns are document, called and together; rows of
    other documents are left out.
    """
    raise NotImplementedError


def cells(key: Relation, response: Relation, *, mapped: bool) -> str:
    """Count the mentions of both sides by their two entities, over all documents.

    An entity is null where a side lacks the mention.
    """
    raise NotImplementedError


def statement_relations(
    key: Relation, response: Relation, **more: Relation
) -> Mapping[str, Relation]:
    """Name the relations of a statement."""
    return {"key_rows": key, "response_rows": response, **more}
