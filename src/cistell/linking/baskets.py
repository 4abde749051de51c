"""Columns that tell what the sieve makes of a pair, and of the candidate's entity.

The paper meant baskets for this: a decision sees all that is known of an entity, and
not one mention of it alone. The entities are those of the sieve, which are there before
anything is ranked; so all mentions can still be ranked at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cistell.facts import UNKNOWN
from cistell.linking.codes import capped, in_steps
from cistell.sieve import PASSES, stages

if TYPE_CHECKING:
    from cistell.learners.base import Codes
    from cistell.linking.traits import Traits
    from cistell.table import MentionTable
    from corefkit.arrays.columns import Flags, Ints

# Stages of the sieve: strings and constructs, then heads, then pronouns.
_STAGES = (5, 10, len(PASSES))


class Baskets(NamedTuple):
    """The entities that the sieve finds."""

    surest: Ints  # the number of each mention's entity after the surest passes
    headed: Ints  # the same after the passes for heads
    all: Ints  # the same after all passes


def baskets_of(table: MentionTable) -> Baskets:
    """Let the sieve find entities."""
    return Baskets(*stages(table, _STAGES))


def sieved_columns(baskets: Baskets) -> dict[str, Codes]:
    """Tell of each mention whether the sieve finds antecedents, and how surely."""
    number = len(baskets.all)
    linked = np.zeros(number, np.int64)
    for entity in baskets:
        _, first = np.unique(entity, return_index=True)
        linked += ~np.isin(np.arange(number), first)
    return {"sieved": capped(linked), "basket": in_steps(_sizes(baskets.all))}


def basket_columns(
    traits: Traits, baskets: Baskets, first: Ints, second: Ints
) -> dict[str, Codes]:
    """Compare mentions with the entities of their candidates."""
    table, entity = traits.table, baskets.all
    pronoun = table.pronoun
    genders = _common(entity, np.where(table.coordinated, UNKNOWN, table.gender))
    numbers = _common(entity, np.where(table.number == 0, 3, table.number))
    own = np.where(table.number[second] == 0, 3, table.number[second])
    together = sum((one[first] == one[second]).astype(np.int64) for one in baskets)
    columns = {
        "together": together,
        "basket_size": in_steps(_sizes(entity)[first]),
        "basket_nouns": in_steps(_counts(entity, ~pronoun)[first]),
        "basket_genders": genders[first] & table.gender[second],
        "basket_numbers": numbers[first] & own,
        "basket_heads": _having(entity, table.head_form, first, second),
        "basket_texts": _having(entity, table.text, first, second),
        "basket_types": _having(entity, table.entity_type, first, second),
        "basket_latest": in_steps(second - _latest(entity, first, second)),
    }
    return {name: capped(values) for name, values in columns.items()}


def _sizes(entity: Ints) -> Ints:
    return _counts(entity, np.ones(len(entity), np.bool_))


def _counts(entity: Ints, flags: Flags) -> Ints:
    """Count for each mention how many mentions of its entity have a flag."""
    if not len(entity):
        return entity
    return np.bincount(entity, weights=flags)[entity].astype(np.int64)


def _common(entity: Ints, bits: Ints) -> Ints:
    """Return the bits that all mentions of an entity have, for each mention."""
    found = np.full(len(entity), UNKNOWN, np.int64)
    np.bitwise_and.at(found, entity, bits)
    return found[entity]


def _having(entity: Ints, values: Ints, first: Ints, second: Ints) -> Ints:
    """Count the mentions of the first's entity that have the second's value.

    The second itself does not count; a value below 0 is none.
    """
    width = int(values.max(initial=0)) + 1
    keys, counts = np.unique(entity * width + values, return_counts=True)
    asked = entity[first] * width + values[second]
    at = np.minimum(np.searchsorted(keys, asked), max(len(keys) - 1, 0))
    found = np.where(keys[at] == asked, counts[at], 0) if len(keys) else asked
    found = found - (entity[first] == entity[second])
    return np.where(values[second] < 0, 0, found)


def _latest(entity: Ints, first: Ints, second: Ints) -> Ints:
    """Find the latest mention of the first's entity that comes before the second."""
    order = np.argsort(entity, kind="stable")
    number = len(entity)
    keys = entity[order] * number + order
    at = np.searchsorted(keys, entity[first] * number + second) - 1
    return order[np.maximum(at, 0)]
