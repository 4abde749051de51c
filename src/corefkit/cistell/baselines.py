"""The baselines of Recasens and Hovy 2010, section 3.2: no classifier, no training."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.cistell.needs import LEMMAS, MORPHOLOGY, WORDNET
from corefkit.cistell.table import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from corefkit.cistell.table import MentionTable
    from corefkit.columns import Ints

# Spanish zero subjects are personal pronouns that are left out.
_LINKED = [
    KINDS.index(kind)
    for kind in (
        "personal_pronouns",
        "reflexive_pronouns",
        "possessive_pronouns",
        "zero_pronouns",
    )
]


def all_singletons(table: MentionTable, *, lemmas: bool = False) -> Ints:
    """Put every mention into a basket of its own."""
    del lemmas
    return np.arange(len(table))


def head_match(table: MentionTable, *, lemmas: bool = False) -> Ints:
    """Put mentions with the same head together, and pronouns into baskets of their own.

    Heads are compared in lower case, or by their lemmas; a coordination has the heads
    of all its parts.
    """
    heads = table.head_lemma if lemmas else table.head_form
    own = np.arange(len(table))
    nouns = np.flatnonzero(~table.pronoun)
    _, first, inverse = np.unique(heads[nouns], return_index=True, return_inverse=True)
    own[nouns] = nouns[first[inverse]]
    return own


def head_match_pron(table: MentionTable, *, lemmas: bool = False) -> Ints:
    """Match heads, and link personal and possessive pronouns to the closest noun.

    That is the closest earlier mention that is not a pronoun, agrees in gender and
    number as far as these are known, and does not contain the pronoun.
    """
    basket = head_match(table, lemmas=lemmas)
    for pronoun in np.flatnonzero(np.isin(table.kind, _LINKED)).tolist():
        before = slice(0, pronoun)
        numbers = table.number[before], table.number[pronoun]
        agreeing = (
            ~table.pronoun[before]
            & ((table.gender[before] & table.gender[pronoun]) > 0)
            & ((numbers[0] == 0) | (numbers[1] == 0) | (numbers[0] == numbers[1]))
            & (table.end[before] < table.start[pronoun])
        )
        if agreeing.any():
            basket[pronoun] = basket[np.flatnonzero(agreeing)[-1]]
    return basket


def baseline_needs(name: str, *, lemmas: bool = False) -> set[str]:
    """Return what a baseline needs beside words and trees, as `needs` names it."""
    compared = {LEMMAS} if lemmas and name != "all_singletons" else set[str]()
    agreeing = {MORPHOLOGY, WORDNET} if name == "head_match_pron" else set[str]()
    return compared | agreeing


BASELINES: Mapping[str, Callable[..., Ints]] = {
    "all_singletons": all_singletons,
    "head_match": head_match,
    "head_match_pron": head_match_pron,
}
