"""Which earlier mentions the linker looks at: recent ones, and those that share a word.

Every mention has so many candidates at most, so the cost grows with the length of a
text and not with its square.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cistell.facts import FUNCTIONS
from cistell.table import KINDS

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from cistell.linking.traits import Traits
    from corefkit.arrays.columns import Flags, Ints

RECENT = 40  # so many mentions before a mention are its candidates
SHARING = 6  # and so many of the latest that share each word with it


def candidates_of(
    traits: Traits, *, recent: int = RECENT, sharing: int = SHARING
) -> tuple[Ints, Ints]:
    """Pair mentions with their candidates.

    Returns:
        The earlier and the later mention of each pair, ordered by the later and then
        by the earlier.
    """
    number = len(traits.rows)
    later = np.arange(number)
    counts = np.minimum(later, recent)
    second = np.repeat(later, counts)
    ends = np.cumsum(counts)
    first = np.repeat(later - counts, counts)
    first += np.arange(len(second)) - np.repeat(ends - counts, counts)
    others = [
        mention * number + earlier for mention, earlier in _sharing(traits, sharing)
    ]
    keys = np.unique(np.concatenate([second * number + first, _ints(others)]))
    return keys % max(number, 1), keys // max(number, 1)


def bound(traits: Traits, first: Ints, second: Ints) -> Flags:
    """Return which pairs grammar keeps apart: subject and object of the same verb.

    "Ann saw her" is about two people; "Ann saw herself" is about one. Source: the
    theory of binding (Chomsky 1981), as far as one clause goes.
    """
    table = traits.table
    argument = table.function != FUNCTIONS.index("other")
    argument &= table.kind != KINDS.index("reflexive_pronouns")
    found: Flags = argument[first] & argument[second]
    # Two subjects are a clause and the "it" that announces it: "it is late to say so".
    found &= table.function[first] != table.function[second]
    found &= traits.governor[first] == traits.governor[second]
    found &= (traits.governor[first] >= 0) & (table.head[first] != table.head[second])
    return found


def _sharing(traits: Traits, most: int) -> Iterator[tuple[int, int]]:
    """Go through mentions and the latest before them that share a word."""
    seen: dict[Hashable, list[int]] = {}
    for mention, profile in enumerate(traits.table.profiles):
        if profile.pronoun:
            keys: set[str] = {f" {traits.rows[mention].form}"}
        else:
            keys = {*profile.contents, *profile.head_lemmas, *traits.rows[mention].name}
            keys |= {*filter(None, (profile.acronym, profile.initials))}
        for key in keys:
            row = seen.setdefault(key, [])
            for earlier in row[len(row) - min(most, len(row)) :]:
                yield mention, earlier
            row.append(mention)


def _ints(values: list[int]) -> Ints:
    return np.array(values, np.int64)
