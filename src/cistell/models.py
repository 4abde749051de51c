"""Linking models and baselines: from mentions to baskets of them.

The four models of Recasens and Hovy 2010, section 3.2, are rows of `LINKINGS`. They
differ in which earlier mention they look for, in whether the whole basket of that
mention must agree, and in how sure a decision must be. The other values are for what
the paper leaves open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cistell.needs import LEMMAS, MORPHOLOGY, WORDNET
from cistell.sieve import sieve
from cistell.table import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cistell.learners.base import Decisions
    from cistell.table import MentionTable
    from corefkit.arrays.columns import Flags, Ints


SEARCHES = ("first", "closest", "best", "likeliest", "top")
CHECKS = ("basket", "basket-or-next", "none")
# Distances that are the same to so many decimals are equal: they are sums of the same
# weights in another order.
_DECIMALS = 12


@dataclass(frozen=True, slots=True)
class Linking:
    """How a mention finds its basket."""

    # Which of the earlier mentions that it is coreferent with to take: the `first` of
    # the document, the `closest`, or the `best`, which is decided at the smallest
    # distance, the closest of equals; `likeliest` looks at the share of votes before
    # the distance. `top` is the best of all earlier mentions, and counts only where it
    # is coreferent.
    search: str
    # Whether the mention must be coreferent with the whole `basket` of the one found;
    # `basket-or-next` goes on to the next if it is not.
    check: str = "basket-or-next"
    # The distance below which a decision counts; None for all.
    threshold: float | None = None
    # Whether all baskets that a mention is coreferent with become one.
    merge: bool = False


LINKINGS: Mapping[str, Linking] = {
    "strong": Linking("first"),
    "super_strong": Linking("first", threshold=0.09),
    "best": Linking("best", check="basket"),
    "weak": Linking("first", check="none"),
}


class Linker:
    """The baskets of a document as they grow, mention after mention.

    >>> from cistell.learners.base import Decisions
    >>> linker = Linker(LINKINGS["weak"], 3)
    >>> for row in ([], [True], [True, False]):
    ...     positive = np.array(row, bool)
    ...     linker.attach(Decisions(positive, np.zeros(len(row)), positive * 1.0))
    >>> linker.baskets.tolist()
    [0, 0, 0]
    """

    def __init__(self, linking: Linking, mentions: int) -> None:
        self._linking = linking
        self._basket = np.zeros(mentions, np.int64)
        self._sizes = np.zeros(mentions, np.int64)
        self._done = 0
        self._count = 0
        self.refused = 0  # decisions for coreference that the threshold has rejected

    @property
    def baskets(self) -> Ints:
        """The number of each mention's basket, numbered in the order of the text."""
        _, first, inverse = np.unique(
            self._basket[: self._done], return_index=True, return_inverse=True
        )
        order: Ints = np.argsort(np.argsort(first))[inverse]
        return order

    def attach(self, decisions: Decisions) -> None:
        """Put the next mention into a basket, by the decisions on all earlier ones."""
        at, basket = self._done, self._basket[: self._done]
        positive = decisions.positive
        if self._linking.threshold is not None:
            sure = positive & (decisions.distance < self._linking.threshold)
            self.refused += int(positive.sum() - sure.sum())
            positive = sure
        found = self._find(positive, decisions, basket)
        if found < 0:
            self._basket[at] = self._count
            self._count += 1
        else:
            self._basket[at] = basket[found]
            if self._linking.merge:
                self._merge(np.unique(basket[positive]), int(basket[found]))
        self._sizes[self._basket[at]] += 1
        self._done += 1

    def _find(self, positive: Flags, decisions: Decisions, basket: Ints) -> int:
        """Find the mention whose basket the next one goes into; -1 if there is none."""
        linking = self._linking
        if not positive.any():
            return -1
        agreed = positive
        if linking.check != "none":
            votes = np.bincount(basket[positive], minlength=self._count)
            agreed = positive & (votes == self._sizes[: self._count])[basket]
        candidates = agreed if linking.check == "basket-or-next" else positive
        if not candidates.any():
            return -1
        if linking.search == "first":
            found = int(np.argmax(candidates))
        elif linking.search == "closest":
            found = len(candidates) - 1 - int(np.argmax(candidates[::-1]))
        else:
            if linking.search == "top":
                candidates = np.ones_like(candidates)
            likeliest = linking.search == "likeliest"
            found = _surest(np.flatnonzero(candidates), decisions, likeliest=likeliest)
        return found if agreed[found] else -1

    def _merge(self, joined: Ints, into: int) -> None:
        done = self._basket[: self._done]
        done[np.isin(done, joined)] = into
        self._sizes[into] = self._sizes[joined].sum()


def _surest(among: Ints, decisions: Decisions, *, likeliest: bool) -> int:
    """Find the decision at the smallest distance, the closest of equals.

    With `likeliest`, only those with the largest share of votes count.
    """
    if likeliest:
        votes = decisions.probability[among]
        among = among[votes == votes.max()]
    distance = np.round(decisions.distance[among], _DECIMALS)
    return int(among[distance == distance.min()][-1])


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
    agreeing = {
        "head_match_pron": {MORPHOLOGY, WORDNET},
        "sieve": {MORPHOLOGY, WORDNET, LEMMAS},  # lemmas of verbs of saying
    }
    return compared | agreeing.get(name, set())


BASELINES: Mapping[str, Callable[..., Ints]] = {
    "all_singletons": all_singletons,
    "head_match": head_match,
    "head_match_pron": head_match_pron,
    "sieve": sieve,
}
