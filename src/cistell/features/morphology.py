"""Features of morphology: kinds of mentions, gender, number and person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cistell.facts import NEUTER, UNKNOWN
from cistell.features.base import (
    AGREEMENT,
    NO_YES,
    OF_BOTH,
    Indices,
    Pairs,
    agreement,
    feature,
    of_both,
)
from cistell.needs import MORPHOLOGY
from cistell.table import KINDS

if TYPE_CHECKING:
    from corefkit.arrays.columns import Flags, Ints

_ZERO = KINDS.index("zero_pronouns")
_NOT_APPLICABLE = len(AGREEMENT)
_PRONOUN_TYPES = ("none", *(kind for kind in KINDS if kind.endswith("_pronouns")))
# By the persons of the two: none, first, second, third; then by the speaker.
_PERSONS = (
    "no_pronoun",
    "first_or_second_and_noun",
    "third_and_noun",
    "both_third",
    "third_and_other",
    "both_first_same_speaker",
    "both_first_other_speaker",
    "both_second_same_speaker",
    "both_second_other_speaker",
    "first_and_second_same_speaker",
    "first_and_second_other_speaker",
)


@feature("morphology", KINDS)
def mention_type_first(pairs: Pairs) -> Indices:
    """The kind of the first mention, as in the paper's table 2."""
    return pairs.table.kind[pairs.first]


@feature("morphology", KINDS)
def mention_type_second(pairs: Pairs) -> Indices:
    """The kind of the second mention (DEF_NP and DEM_NP of Soon et al. 2001)."""
    return pairs.table.kind[pairs.second]


@feature("morphology", NO_YES)
def pronoun_first(pairs: Pairs) -> Indices:
    """Whether the first is a pronoun (I_PRONOUN of Soon et al. 2001)."""
    return pairs.table.pronoun[pairs.first]


@feature("morphology", NO_YES)
def pronoun_second(pairs: Pairs) -> Indices:
    """Whether the second is a pronoun (J_PRONOUN of Soon et al. 2001)."""
    return pairs.table.pronoun[pairs.second]


@feature("morphology", _PRONOUN_TYPES)
def pronoun_type_second(pairs: Pairs) -> Indices:
    """The kind of pronoun that the second is (PRONTYPE of Recasens and Hovy 2009)."""
    kind = pairs.table.kind[pairs.second]
    return np.where(pairs.table.pronoun[pairs.second], kind + 1, 0)


@feature("morphology", OF_BOTH)
def coordination(pairs: Pairs) -> Indices:
    """Which of the two is a coordination, as "Ann and Bob"."""
    joins = pairs.table.coordinated
    return of_both(joins[pairs.first], joins[pairs.second])


@feature("morphology", NO_YES)
def possessive_phrase(pairs: Pairs) -> Indices:
    """Whether the second possesses something, as in "the mill's wheel"."""
    return pairs.table.possessive[pairs.second]


@feature("morphology", AGREEMENT, needs=(MORPHOLOGY,))
def gender_match(pairs: Pairs) -> Indices:
    """Whether the genders agree; `compatible` if they may."""
    gender = pairs.table.gender
    return agreement(gender[pairs.first], gender[pairs.second], UNKNOWN)


@feature("morphology", (*AGREEMENT, "no_pronoun"), needs=(MORPHOLOGY,))
def gender_match_pronoun(pairs: Pairs) -> Indices:
    """Whether the genders agree, if one is a pronoun."""
    pronoun = pairs.table.pronoun
    applies = pronoun[pairs.first] | pronoun[pairs.second]
    return np.where(applies, gender_match.indices(pairs), _NOT_APPLICABLE)


@feature(
    "morphology", ("no", "yes", "compatible", "not_both_nouns"), needs=(MORPHOLOGY,)
)
def gender_match_noun(pairs: Pairs) -> Indices:
    """Whether the genders of two nouns agree that are masculine or feminine."""
    pronoun, gender = pairs.table.pronoun, pairs.table.gender
    applies = ~(pronoun[pairs.first] | pronoun[pairs.second])
    applies &= ((gender[pairs.first] | gender[pairs.second]) & NEUTER) == 0
    return np.where(applies, gender_match.indices(pairs), 3)


@feature("morphology", (*AGREEMENT, "no_person"), needs=(MORPHOLOGY,))
def gender_match_person(pairs: Pairs) -> Indices:
    """Whether the genders agree, if one is known to be a person."""
    human = pairs.table.human
    applies = human[pairs.first] | human[pairs.second]
    return np.where(applies, gender_match.indices(pairs), _NOT_APPLICABLE)


@feature("morphology", ("no", "yes", "unknown"), needs=(MORPHOLOGY,))
def number_match(pairs: Pairs) -> Indices:
    """Whether both are singular, or both plural."""
    number = pairs.table.number
    first, second = number[pairs.first], number[pairs.second]
    equal = (first == second).astype(np.int64)
    return np.where((first == 0) | (second == 0), 2, equal)


@feature("morphology", _PERSONS, needs=(MORPHOLOGY,))
def person_match(pairs: Pairs) -> Indices:
    """The persons of pronouns, and whether the speaker is the same.

    "I" and "I" are the same if the same person speaks, "I" and "you" if another does.
    """
    table, first, second = pairs.table, pairs.first, pairs.second
    persons = table.person[first], table.person[second]
    low, high = np.minimum(*persons), np.maximum(*persons)
    other = (table.speaker[first] != table.speaker[second]).astype(np.int64)
    found: Ints = np.select(
        [
            high == 0,
            (low == 0) & (high == 3),
            low == 0,
            low == 3,
            high == 3,
            high == 1,
            low == 2,
        ],
        [0, 2, 1, 3, 4, 5 + other, 7 + other],
        default=9 + other,
    )
    return found


@feature("morphology", NO_YES)
def zero_first(pairs: Pairs) -> Indices:
    """Whether the first is a subject that is left out (ELLIP)."""
    found: Flags = pairs.table.kind[pairs.first] == _ZERO
    return found


@feature("morphology", NO_YES)
def zero_second(pairs: Pairs) -> Indices:
    """Whether the second is a subject that is left out (ELLIP)."""
    found: Flags = pairs.table.kind[pairs.second] == _ZERO
    return found
