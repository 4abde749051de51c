"""Columns that tell what two mentions have in common, and how far apart they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cistell.features.base import Pairs, same
from cistell.features.semantics import is_a_match, supertype_match
from cistell.linking.certainty import likely_types, type_shares
from cistell.linking.codes import capped, in_steps, shared_values
from corefkit.arrays.hashing import count_bits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cistell.learners.base import Codes
    from cistell.linking.traits import Traits
    from corefkit.arrays.columns import Flags, Ints

UNORDERED = (
    *("speakers", "quotations", "heads", "numerals", "name_ends", "genders", "numbers"),
    *("types", "governors", "clauses", "above", "governs", "predicate", "apposition"),
    *("supertypes", "is_a"),
)
_TYPE_UNKNOWN = 0


def pair_columns(traits: Traits, first: Ints, second: Ints) -> dict[str, Codes]:
    """Compare mentions in pairs."""
    groups = (_distance, _strings, _names, _likeness, _agreement, _syntax, _meaning)
    return {
        name: capped(values)
        for group in groups
        for name, values in group(traits, first, second).items()
    }


def _distance(traits: Traits, first: Ints, second: Ints) -> dict[str, Ints | Codes]:
    table = traits.table
    speakers = table.speaker[first], table.speaker[second]
    quotes = traits.quotation[first], traits.quotation[second]
    return {
        "sentences": np.minimum(table.sentence[second] - table.sentence[first], 60),
        "mentions": in_steps(second - first),
        "words": in_steps(table.start[second] - table.end[first]),
        "inside": (table.end[second] <= table.end[first]).astype(np.int64),
        "turns": np.minimum(traits.turn[second] - traits.turn[first], 30),
        "speakers": _both(*speakers, unknown=-1),
        "quotations": _both(*quotes, unknown=-1),
        "later_head": (traits.next_head[first] < second).astype(np.int64),
    }


def _both(one: Ints, other: Ints, *, unknown: int) -> Ints:
    """Tell whether two values are the same, others, one of them known, or none."""
    found: Ints = np.select(
        [
            (one == unknown) & (other == unknown),
            one == other,
            (one != unknown) & (other != unknown),
            one != unknown,
        ],
        [0, 1, 2, 3],
        default=4,
    )
    return found


def _strings(traits: Traits, first: Ints, second: Ints) -> dict[str, Ints]:
    table = traits.table
    nouns = ~(table.pronoun[first] | table.pronoun[second])
    forms = same(table.head_form[first], table.head_form[second]).astype(np.int64)
    texts = same(table.text[first], table.text[second]).astype(np.int64)
    pronouns = same(table.pronoun_form[first], table.pronoun_form[second])
    contents = shared_values(traits.contents[first], traits.contents[second]) * nouns
    modifiers = shared_values(traits.modifiers[first], traits.modifiers[second]) * nouns
    return {
        "heads": 2 * forms + same(table.head_lemma[first], table.head_lemma[second]),
        "texts": texts + same(traits.whole[first], traits.whole[second]),
        "pronouns": pronouns.astype(np.int64),
        "contents": contents,
        "contents_only_first": traits.content_count[first] - contents,
        "contents_only_second": traits.content_count[second] - contents,
        "modifiers": modifiers,
        "modifiers_only_first": traits.modifier_count[first] - modifiers,
        "modifiers_only_second": traits.modifier_count[second] - modifiers,
        "numerals": _both(traits.numbers[first], traits.numbers[second], unknown=-1),
    }


def _names(traits: Traits, first: Ints, second: Ints) -> dict[str, Ints]:
    shared = shared_values(traits.name[first], traits.name[second])
    counts = traits.name_count[first], traits.name_count[second]
    begins = same(traits.name_first[first], traits.name_first[second])
    ends = same(traits.name_last[first], traits.name_last[second])
    own, initials = traits.table.letters
    acronym = same(own[first], initials[second]) | same(own[second], initials[first])
    return {
        "names": shared,
        "names_only_first": counts[0] - shared,
        "names_only_second": counts[1] - shared,
        "name_ends": np.where(
            (counts[0] > 0) & (counts[1] > 0), 1 + begins + 2 * ends.astype(np.int64), 0
        ),
        "acronym": acronym.astype(np.int64),
    }


def _likeness(traits: Traits, first: Ints, second: Ints) -> dict[str, Ints]:
    """Compare the groups of three letters of texts and of heads."""
    return _alike("letters", traits.letters, first, second) | _alike(
        "head_letters", traits.head_letters, first, second
    )


def _alike(
    name: str, letters: NDArray[np.uint64], first: Ints, second: Ints
) -> dict[str, Ints]:
    counts = count_bits(letters).sum(axis=1).astype(np.int64)
    common = count_bits(letters[first] & letters[second]).sum(axis=1)
    shared = common.astype(np.int64)
    return {
        name: 40 * shared // np.maximum(counts[first] + counts[second], 1),
        f"{name}_of_first": 20 * shared // np.maximum(counts[first], 1),
        f"{name}_of_second": 20 * shared // np.maximum(counts[second], 1),
    }


def _agreement(traits: Traits, first: Ints, second: Ints) -> dict[str, Ints]:
    table = traits.table
    numbers = table.number[first], table.number[second]
    types = table.entity_type[first], table.entity_type[second]
    agree = (numbers[0] == numbers[1]).astype(np.int64)
    return {
        "genders": table.gender[first] & table.gender[second],
        "numbers": np.where((numbers[0] == 0) | (numbers[1] == 0), 2, agree),
        "types": _both(*types, unknown=_TYPE_UNKNOWN),
        "likely_types": likely_types(type_shares(table), first, second),
    }


def _syntax(traits: Traits, first: Ints, second: Ints) -> dict[str, Ints]:
    """Tell how two mentions stand to each other in the tree of a sentence."""
    table = traits.table
    together = table.sentence[first] == table.sentence[second]
    governors = traits.governor[first], traits.governor[second]
    clauses = traits.clause[first], traits.clause[second]
    heads = table.head[first], table.head[second]

    def sides(one: Flags, other: Flags) -> Ints:
        both: Ints = one.astype(np.int64) + 2 * other
        return both

    above = 1 + sides(governors[0] == clauses[1], governors[1] == clauses[0])
    verbs = same(traits.governor_lemma[first], traits.governor_lemma[second])
    relations = same(traits.relation[first], traits.relation[second])
    return {
        "governors": np.where(together, 1 + (governors[0] == governors[1]), 0),
        "clauses": np.where(together, 1 + (clauses[0] == clauses[1]), 0),
        "above": np.where(together, above, 0),
        "governs": sides(governors[1] == heads[0], governors[0] == heads[1]),
        "predicate": sides(
            table.subject[second] == heads[0], table.subject[first] == heads[1]
        ),
        "apposition": sides(
            table.apposed[second] == heads[0], table.apposed[first] == heads[1]
        ),
        "relations": relations.astype(np.int64),
        "verbs": verbs.astype(np.int64),
    }


def _meaning(traits: Traits, first: Ints, second: Ints) -> dict[str, Ints | Flags]:
    pairs = Pairs(traits.table, first, second)
    return {
        "supertypes": supertype_match.indices(pairs),
        "is_a": is_a_match.indices(pairs),
    }
