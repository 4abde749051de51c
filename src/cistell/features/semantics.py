"""Features of meaning: types of entities, and WordNet's relations of nouns."""

from __future__ import annotations

import numpy as np

from cistell.features.base import Indices, Pairs, feature
from cistell.needs import LEMMAS, TYPES, WORDNET
from cistell.profiles import ENTITY_TYPES

_NONE = ENTITY_TYPES.index("none")


@feature("semantics", ENTITY_TYPES, needs=(TYPES,))
def entity_type_first(pairs: Pairs) -> Indices:
    """The entity type of the first mention."""
    return pairs.table.entity_type[pairs.first]


@feature("semantics", ("no", "yes", "one_unknown", "unknown"), needs=(TYPES,))
def entity_type_match(pairs: Pairs) -> Indices:
    """Whether the entity types are the same (SEMCLASS of Soon et al. 2001)."""
    kind = pairs.table.entity_type
    first, second = kind[pairs.first], kind[pairs.second]
    return np.select(
        [(first == _NONE) & (second == _NONE), (first == _NONE) | (second == _NONE)],
        [3, 2],
        default=(first == second).astype(np.int64),
    )


@feature(
    "semantics",
    (
        "none",
        "same",
        "synonym",
        "first_is_second",
        "second_is_first",
        "unknown",
        "pronoun",
    ),
    needs=(WORDNET, TYPES, LEMMAS),
)
def is_a_match(pairs: Pairs) -> Indices:
    """Whether one noun is a synonym of the other, or a kind of it.

    The first three senses of each in WordNet count; a name stands for its type.
    """
    table, first, second = pairs.table, pairs.first, pairs.second
    known, synonyms, kinds = table.kinships
    one, other = table.concept[first], table.concept[second]
    meant = (one >= 0) & (other >= 0)
    if not len(known):
        known = np.zeros(1, np.bool_)
    return np.select(
        [
            table.pronoun[first] | table.pronoun[second],
            ~meant | ~known[one] | ~known[other],
            one == other,
            synonyms(one, other) > 0,
            kinds(one, other) > 0,
            kinds(other, one) > 0,
        ],
        [6, 5, 1, 2, 3, 4],
        default=0,
    )


@feature("semantics", ("no", "yes", "unknown"), needs=(WORDNET, TYPES, LEMMAS))
def supertype_match(pairs: Pairs) -> Indices:
    """Whether both are the same kind of thing, as person, place or artifact.

    Of nouns it is WordNet's file of the first sense, of names their entity type.
    """
    supertype = pairs.table.supertype
    first, second = supertype[pairs.first], supertype[pairs.second]
    equal = (first == second).astype(np.int64)
    return np.where((first < 0) | (second < 0), 2, equal)
