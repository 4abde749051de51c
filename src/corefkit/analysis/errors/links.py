"""Links of spanning trees that the other side does not have.

Each mention of an entity but its first gets one antecedent among the earlier mentions
of that entity:

1.  if earlier ones are in the same entity of the other side, the latest of them: the
    link is right;
2.  else the link is an error. By `closest` its antecedent is the latest earlier
    mention. By `accessibility` it is that for pronouns; for others it is the latest
    earlier name, else the latest earlier nominal, else the latest earlier mention.

Recall has the trees of the key's entities, precision those of the response's. So the
edges are the denominators of MUC, the errors what its numerators lack.

Source: Martschat and Strube 2014, "Recall Error Analysis for Coreference Resolution".
Other than there, precision has the same trees as recall: the antecedents that a system
chose stand in no file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corefkit.analysis.errors.analysis import TYPES
from corefkit.exceptions import SettingsError, quoted
from corefkit.strings.nearest import suggest

if TYPE_CHECKING:
    from corefkit.analysis.errors.joined import Joined
    from corefkit.columns import Flags, Ints

ANTECEDENTS = ("accessibility", "closest")
SIDES = ("recall", "precision")
_PRONOUN, _NAME, _NOMINAL = (
    TYPES.index(name) for name in ("pronoun", "name", "nominal")
)


@dataclass(frozen=True, slots=True)
class Edges:
    """The edges of one side's spanning trees, in the order of their anaphors.

    Attributes:
        side: `recall` for the key's trees, `precision` for the response's.
        anaphor: the row of each later mention in the table.
        antecedent: the row of the earlier one.
        wrong: whether the other side does not have the link.
        entity_size: how many mentions their entity has.
    """

    side: str
    anaphor: Ints
    antecedent: Ints
    wrong: Flags
    entity_size: Ints

    def __len__(self) -> int:
        """Count the edges."""
        return len(self.anaphor)


def spanning_trees(
    table: Joined,
    type: Ints,
    *,
    side: str,
    antecedents: str = ANTECEDENTS[0],
) -> Edges:
    """Build the spanning trees of the key's entities, or of the response's.

    Args:
        table: the mentions of both sides.
        type: the type of each mention, by its number in `TYPES`, -1 where not known.
        side: `recall` for the key's entities, `precision` for the response's.
        antecedents: `accessibility` or `closest`.
    """
    if antecedents not in ANTECEDENTS:
        message = f"antecedents {quoted(antecedents)} are not known"
        raise SettingsError(message, hint=suggest(antecedents, ANTECEDENTS))
    own, other = table.key_entity, table.response_entity
    if side == "precision":
        own, other = other, own
    rows = np.flatnonzero(own >= 0)
    rows = rows[np.argsort(own[rows], kind="stable")]
    entity = own[rows]
    place = np.arange(len(rows))
    first = np.searchsorted(entity, entity)  # where each one's entity begins
    size = np.searchsorted(entity, entity, side="right") - first
    kept = _latest_together(entity, other[rows])
    antecedent = place - 1
    if antecedents == "accessibility":
        antecedent = _accessible(type[rows], first)
    antecedent = np.where(kept >= 0, kept, antecedent)
    edges = np.flatnonzero(place > first)
    edges = edges[np.argsort(rows[edges], kind="stable")]
    return Edges(
        side,
        rows[edges],
        rows[antecedent[edges]],
        kept[edges] < 0,
        size[edges],
    )


def _latest_together(entity: Ints, other: Ints) -> Ints:
    """Find the latest earlier mention that is in both entities; -1 if there is none.

    Mentions stand one entity after the other, in the order of the text.
    """
    latest = np.full(len(entity), -1, np.int64)
    order = np.lexsort((other, entity))
    before, after = order[:-1], order[1:]
    same = (entity[before] == entity[after]) & (other[before] == other[after])
    same &= other[after] >= 0
    latest[after[same]] = before[same]
    return latest


def _accessible(type: Ints, first: Ints) -> Ints:
    """Find the antecedent of each mention by accessibility.

    What is found for the first mention of an entity means nothing.
    """
    place = np.arange(len(type))
    found = place - 1
    for wanted in (_NOMINAL, _NAME):
        latest = np.maximum.accumulate(np.where(type == wanted, place, -1))
        latest = np.concatenate((np.full(min(1, len(place)), -1), latest[:-1]))
        found = np.where(latest >= first, latest, found)
    return np.where(type == _PRONOUN, place - 1, found)
