"""Pairs as rows of codes: all that the linker's trees see of them.

A column is *ordered* if its codes count or measure something; the codes of others stand
for words or kinds. Columns come in groups: what a mention tells (of both), what the
pair tells, and how a candidate stands among the others. A mention also has a row for
"no antecedent", with what it tells itself and 0 elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cistell.linking.baskets import (
    basket_columns,
    baskets_of,
    sieved_columns,
)
from cistell.linking.comparing import UNORDERED as UNORDERED_PAIRS
from cistell.linking.comparing import pair_columns
from cistell.linking.mentions import UNORDERED as UNORDERED_MENTIONS
from cistell.linking.mentions import mention_columns, place_columns
from cistell.linking.rivals import rival_columns
from cistell.needs import LEMMAS, MORPHOLOGY, TYPES, WORDNET

if TYPE_CHECKING:
    from cistell.learners.base import Codes
    from cistell.linking.traits import Traits
    from cistell.linking.vocabulary import Vocabulary
    from corefkit.arrays.columns import Flags, Ints

# What the columns need of documents beside words and trees.
NEEDS = (TYPES, LEMMAS, MORPHOLOGY, WORDNET)


class Rows(NamedTuple):
    """The pairs of a document as rows."""

    columns: tuple[str, ...]  # the names of the columns
    pairs: Codes  # a row for each pair
    alone: Codes  # a row for each mention, for "no antecedent"


def rows_of(traits: Traits, first: Ints, second: Ints, vocabulary: Vocabulary) -> Rows:
    """Describe pairs, which are ordered by the second mention and then the first."""
    own = mention_columns(traits, vocabulary)
    baskets = baskets_of(traits.table)
    place = place_columns(traits) | sieved_columns(baskets)
    compared = pair_columns(traits, first, second)
    rivals, supply = rival_columns(traits, first, second, compared)
    nothing = np.zeros(len(traits.rows), np.uint8)
    table = [("alone", np.zeros(len(first), np.uint8), nothing + np.uint8(1))]
    for name, codes in own.items():
        table.append((f"{name}_second", codes[second], codes))
        table.append((f"{name}_first", codes[first], nothing))
    for name, codes in (place | supply).items():
        table.append((name, codes[second], codes))
    found = basket_columns(traits, baskets, first, second)
    for name, codes in (compared | rivals | found).items():
        table.append((name, codes, nothing))
    return Rows(
        tuple(name for name, _, _ in table),
        np.stack(
            [codes for _, codes, _ in table], axis=1, dtype=np.uint8, casting="unsafe"
        ),
        np.stack(
            [codes for _, _, codes in table], axis=1, dtype=np.uint8, casting="unsafe"
        ),
    )


def ordered(columns: tuple[str, ...]) -> Flags:
    """Return which columns are ordered."""
    unordered = {*UNORDERED_PAIRS, "basket_genders", "basket_numbers"}
    for name in UNORDERED_MENTIONS:
        unordered |= {f"{name}_first", f"{name}_second"}
    return np.array([name not in unordered for name in columns], np.bool_)
