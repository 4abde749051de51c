"""Columns that tell how a candidate stands among the others of its mention.

For several kinds of candidates, such as those that agree in gender and number, a row
has how many of them are closer than this one, and how many there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cistell.facts import FUNCTIONS
from cistell.linking.codes import capped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cistell.learners.base import Codes
    from cistell.linking.traits import Traits
    from corefkit.arrays.columns import Flags, Ints

_SUBJECT = FUNCTIONS.index("subject")
_MOST = 60


def rival_columns(
    traits: Traits, first: Ints, second: Ints, compared: Mapping[str, Codes]
) -> tuple[dict[str, Codes], dict[str, Codes]]:
    """Count rivals.

    Returns:
        For each pair, how many candidates of a kind are closer; for each mention, how
        many candidates of a kind it has.
    """
    closer, supply = {}, {}
    starts = np.flatnonzero(np.diff(second, prepend=-1))
    sizes = np.diff(starts, append=len(second))
    for name, flags in _kinds(traits, first, compared).items():
        total = np.cumsum(flags)
        whole = np.append(total, 0)[starts + sizes - 1]
        closer[f"closer_{name}"] = capped(np.repeat(whole, sizes) - total, _MOST)
        counts = np.zeros(len(traits.rows), np.int64)
        counts[second[starts]] = np.diff(whole, prepend=0)
        supply[f"all_{name}"] = capped(counts, _MOST)
    return closer, supply


def _kinds(
    traits: Traits, first: Ints, compared: Mapping[str, Codes]
) -> dict[str, Flags]:
    """Return which pairs are of which kind."""
    pronoun = traits.table.pronoun[first]
    agreeing = (compared["genders"] > 0) & (compared["numbers"] != 0)
    return {
        "agreeing": agreeing,
        "agreeing_nouns": agreeing & ~pronoun,
        "same_pronouns": agreeing & pronoun & (compared["pronouns"] > 0),
        "subjects": agreeing & (traits.table.function[first] == _SUBJECT),
        "same_heads": compared["heads"] > 0,
        "same_texts": compared["texts"] > 0,
        "same_words": compared["contents"] > 0,
        "same_names": compared["names"] > 0,
    }
