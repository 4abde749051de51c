"""Brackets of many documents, paired with array operations only.

The rules are those in `corefkit.formats.brackets`; which bracket breaks one is found by
reading the document again, bracket by bracket.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.columns import runs, sorting_order
from corefkit.columns.grouping import first_seen

if TYPE_CHECKING:
    from corefkit.columns import Flags, Ints


class Unbalanced(Exception):
    """Some cell or bracket of the block breaks the rules; a slow look tells which."""


class Brackets(NamedTuple):
    """The brackets of many cells, one row each, in the order in which they count."""

    document: Ints  # the document of each bracket, counted in the block
    token: Ints  # the token of each bracket, counted in its document
    entity: Ints  # a number for the entity id, the same for the same id
    opens: Flags  # whether a mention begins here
    closes: Flags  # whether a mention ends here; one of a single token does both


class Paired(NamedTuple):
    """Brackets that are mentions, in the order of their entities."""

    entity: Ints  # the entity of each mention
    begin: Ints  # the number of the bracket that opens it
    finish: Ints  # the number of the bracket that closes it
    entity_document: Ints  # the document of each entity


def paired_brackets(brackets: Brackets, *, may_stay_open: Flags) -> Paired:
    """Pair brackets: last opened, first closed, for each entity of each document.

    In some documents, a bracket that is left open is forgotten (`may_stay_open`).

    Raises:
        Unbalanced: where a bracket has no partner.
    """
    opens, closes = brackets.opens, brackets.closes
    entity, entity_document = first_seen(brackets.document, brackets.entity)
    begin, finish = _pairs(entity, opens, closes, may_stay_open[entity_document])
    # One-token mentions begin and finish in the same bracket.
    single = np.flatnonzero(opens & closes)
    begin = np.concatenate((begin, single))
    finish = np.concatenate((finish, single))
    order = sorting_order(entity[finish] * len(entity) + finish)
    begin, finish = begin[order], finish[order]
    entity = entity[finish]
    if not np.bincount(entity, minlength=len(entity_document)).all():
        # An entity all of whose brackets stayed open has no mention.
        entities, entity = np.unique(entity, return_inverse=True)
        entity_document = entity_document[entities]
    return Paired(entity, begin, finish, entity_document)


def _pairs(
    entity: Ints, opens: Flags, closes: Flags, may_stay_open: Flags
) -> tuple[Ints, Ints]:
    """Pair opening and closing brackets, and return their numbers."""
    wide = np.flatnonzero(opens != closes)
    wide = wide[sorting_order(entity[wide])]
    step = np.where(opens[wide], 1, -1)
    group = entity[wide]
    depth = np.cumsum(step)
    first, size = runs(group)
    depth -= np.repeat(depth[first] - step[first], size)
    level = np.where(step > 0, depth, depth + 1)
    if np.any(level < 1):
        raise Unbalanced
    # Openings and closings of one level of one entity take turns.
    order = sorting_order(group * (int(level.max(initial=0)) + 1) + level)
    wide, step, level, group = wide[order], step[order], level[order], group[order]
    opening = step > 0
    answered = np.zeros(len(wide), np.bool_)
    answered[:-1] = (
        opening[:-1]
        & ~opening[1:]
        & (group[:-1] == group[1:])
        & (level[:-1] == level[1:])
    )
    if not np.all(answered | ~opening | may_stay_open[group]):
        raise Unbalanced
    begin = np.flatnonzero(answered)
    return wide[begin], wide[begin + 1]
