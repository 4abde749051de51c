"""Responses that were left out, each with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report.names import names_of
from corefkit.report.page import Item, Items

if TYPE_CHECKING:
    from collections.abc import Mapping


def refusals(refused: Mapping[str, str], title: str, why: str) -> list[Items]:
    """List responses that were left out; nothing if there are none.

    Args:
        refused: the reasons, by what the user called the responses.
        title: what stands before the list, as in "Not compared".
        why: what cannot be done with them, as in "scored".

    >>> refusals({"x/a.conll": "x/a.conll: is empty"}, "Not compared", "scored")[0].text
    '1 submission that cannot be scored'
    """
    if not refused:
        return []
    items = map(Item, refused.values(), names_of([*refused]))
    count = f"{len(refused):,} submission{'' if len(refused) == 1 else 's'}"
    return [Items(tuple(items), title, f"{count} that cannot be {why}")]
