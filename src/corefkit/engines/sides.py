"""The columns of two tables, taken by what they mean, and what does not go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.engines.base import INTEGER, OTHER, TEXT
from corefkit.engines.frames import Layout
from corefkit.engines.plans import COLUMNS
from corefkit.exceptions import FormatError, PairingError, quoted
from corefkit.formats.tables.tables import column_fault, roles_of

if TYPE_CHECKING:
    from corefkit.engines.base import Engine, Relation

_RENAME = "rename the columns of the table"
_WORDS = {INTEGER: "whole numbers", TEXT: "texts", OTHER: "of another kind"}


def opened(
    engine: Engine, side: object, role: str, *, attributes: bool
) -> tuple[Relation, Layout]:
    """Open a side with the columns that are scored, by the names of plans.

    With `attributes`, its other columns come along.
    """
    relation = engine.open(side, role)
    names = list(relation.columns)
    wrong = column_fault(names)
    roles = roles_of(names)
    if wrong is not None or roles is None:
        message = wrong or "found no columns of mentions"
        raise FormatError(message, place=relation.name, hint=_RENAME)
    taken = {COLUMNS[role]: names[at] for role, at in roles.items()}
    if not attributes:
        taken.pop("attributes", None)
    else:
        rest = [name for name in names if name not in taken.values()]
        taken |= {f"other_{number}": name for number, name in enumerate(rest)}
    kind = relation.columns[taken["document"]]
    if kind == OTHER:
        message = (
            f"column {quoted(taken['document'])} has neither texts nor whole numbers"
        )
        hint = "documents are compared by their names: make them text"
        raise FormatError(message, place=relation.name, hint=hint)
    layout = Layout(relation.name, taken, relation.where)
    return engine.project(relation, taken), layout


def check_kinds(key: Relation, response: Relation) -> None:
    """Refuse names that are texts on one side and numbers on the other."""
    for column, what in (("document", "documents"), ("mention", "mentions")):
        kinds = [side.columns.get(column) for side in (key, response)]
        if None not in kinds and kinds[0] != kinds[1]:
            ours, theirs = (_WORDS[str(kind)] for kind in kinds)
            message = f"{what} are {theirs}, and {ours} in {key.name}"
            hint = "give the column the same type on both sides"
            raise PairingError(message, place=response.name, hint=hint)
