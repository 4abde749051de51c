"""Linking models, baselines and baskets (section 3.2): from decisions to entities.

The four models of the paper are rows of `LINKINGS`. They differ in which earlier
mention they look for, in whether the entire basket of that mention must agree, and in
how sure a decision must be. The other values are decisions that the paper leaves
open.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from cistell.mentions.profiles import ENTITY_TYPES, KINDS, UNKNOWN
from corefkit import Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cistell.mentions.profiles import Flags, Ints, MentionTable, Profile
    from cistell.paper.memory import Decisions

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
    # the distance. `top` is the best of all earlier mentions, and counts only if it
    # is coreferent.
    search: str
    # Whether the mention must be coreferent with the entire `basket` of that mention;
    # `basket-or-next` goes on to the next if it is not.
    check: str = "basket-or-next"
    # The distance below which a decision counts; None for all.
    threshold: float | None = None
    # Whether all baskets that a mention is coreferent with become one.
    merge: bool = False
    # Whether a decision counts only if the contents of the basket agree with the
    # mention in gender, number and entity type.
    consult: bool = False


LINKINGS: Mapping[str, Linking] = {
    "strong": Linking("first"),
    "super_strong": Linking("first", threshold=0.09),
    "best": Linking("best", check="basket"),
    "weak": Linking("first", check="none"),
}
# The paper says that the contents of baskets allow richer comparisons: the models with
# decisions that consult them.
CONSULTING: Mapping[str, Linking] = {
    f"{name}_consulting": replace(linking, consult=True)
    for name, linking in LINKINGS.items()
}


class Linker:
    """The baskets of a document as they grow, mention after mention.

    >>> from cistell.paper.memory import Decisions
    >>> linker = Linker(LINKINGS["weak"], 3)
    >>> for row in ([], [True], [True, False]):
    ...     positive = np.array(row, bool)
    ...     linker.attach(Decisions(positive, np.zeros(len(row)), positive * 1.0))
    >>> linker.baskets.tolist()
    [0, 0, 0]
    """

    def __init__(
        self, linking: Linking, mentions: int, table: MentionTable | None = None
    ) -> None:
        self._linking = linking
        self._contents = None
        if linking.consult:
            assert table is not None
            self._contents = _BasketContents(table)
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
        if self._contents is not None:
            agreeing = self._contents.agree_with(at)[: self._count]
            positive = positive & agreeing[basket]
        antecedent = self._find(positive, decisions, basket)
        if antecedent < 0:
            self._basket[at] = self._count
            self._count += 1
        else:
            self._basket[at] = basket[antecedent]
            if self._linking.merge:
                self._merge(np.unique(basket[positive]), int(basket[antecedent]))
        self._sizes[self._basket[at]] += 1
        if self._contents is not None:
            self._contents.add(at, int(self._basket[at]))
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
            best = int(np.argmax(candidates))
        elif linking.search == "closest":
            best = len(candidates) - 1 - int(np.argmax(candidates[::-1]))
        else:
            if linking.search == "top":
                candidates = np.ones_like(candidates)
            likeliest = linking.search == "likeliest"
            best = _find_surest(
                np.flatnonzero(candidates), decisions, likeliest=likeliest
            )
        return best if agreed[best] else -1

    def _merge(self, joined: Ints, into: int) -> None:
        done = self._basket[: self._done]
        done[np.isin(done, joined)] = into
        self._sizes[into] = self._sizes[joined].sum()


class _BasketContents:
    """Gender, number and entity type of the mentions in each basket."""

    def __init__(self, table: MentionTable) -> None:
        self._table = table
        self._genders = np.full(len(table), UNKNOWN)
        self._numbers = np.zeros((len(table), 3), np.int64)
        self._types = np.zeros((len(table), len(ENTITY_TYPES)), np.int64)

    def agree_with(self, mention: int) -> Flags:
        """Return which baskets agree with a mention; unknown values agree."""
        table = self._table
        agreeing: Flags = (self._genders & table.gender[mention]) > 0
        number, kind = table.number[mention], table.entity_type[mention]
        if number:
            agreeing &= self._numbers[:, number] >= self._numbers[:, 3 - number]
        if kind:
            agreeing &= self._types[:, kind] >= self._types.max(axis=1)
        return agreeing

    def add(self, mention: int, basket: int) -> None:
        """Add a mention; a gender that contradicts all earlier ones is ignored."""
        table = self._table
        common = self._genders[basket] & table.gender[mention]
        self._genders[basket] = common or self._genders[basket]
        if number := table.number[mention]:
            self._numbers[basket, number] += 1
        if kind := table.entity_type[mention]:
            self._types[basket, kind] += 1


def _find_surest(among: Ints, decisions: Decisions, *, likeliest: bool) -> int:
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


def keep_apart(table: MentionTable, *, lemmas: bool = False) -> Ints:
    """Put every mention into a separate basket."""
    del lemmas
    return np.arange(len(table))


def match_heads(table: MentionTable, *, lemmas: bool = False) -> Ints:
    """Put mentions with the same head together, and each pronoun alone.

    Heads are compared in lower case, or by their lemmas; a coordination has the heads
    of all its parts.
    """
    heads = table.head_lemma if lemmas else table.head_form
    basket = np.arange(len(table))
    nouns = np.flatnonzero(~table.pronoun)
    _, first, inverse = np.unique(heads[nouns], return_index=True, return_inverse=True)
    basket[nouns] = nouns[first[inverse]]
    return basket


def match_heads_and_pronouns(table: MentionTable, *, lemmas: bool = False) -> Ints:
    """Match heads, and link personal and possessive pronouns to the closest noun.

    That is the closest earlier mention that is not a pronoun, agrees in gender and
    number as far as these are known, and does not contain the pronoun.
    """
    basket = match_heads(table, lemmas=lemmas)
    for pronoun in np.flatnonzero(np.isin(table.kind, _LINKED)).tolist():
        earlier = slice(0, pronoun)
        numbers = table.number[earlier], table.number[pronoun]
        agreeing = (
            ~table.pronoun[earlier]
            & ((table.gender[earlier] & table.gender[pronoun]) > 0)
            & ((numbers[0] == 0) | (numbers[1] == 0) | (numbers[0] == numbers[1]))
            & (table.end[earlier] < table.start[pronoun])
        )
        if agreeing.any():
            basket[pronoun] = basket[np.flatnonzero(agreeing)[-1]]
    return basket


BASELINES: Mapping[str, Callable[..., Ints]] = {
    "all_singletons": keep_apart,
    "head_match": match_heads,
    "head_match_pron": match_heads_and_pronouns,
}


# The seven rows of the paper's tables.
MODELS = (*BASELINES, *LINKINGS)


@dataclass(frozen=True, slots=True)
class Resolution:
    """A document with the entities that were found.

    Attributes:
        document: the document; a mention has the type of its basket, if one is known.
        baskets: the entities, with the properties of their mentions.
        refused: how many decisions for coreference a threshold has rejected.
    """

    document: Document
    baskets: tuple[Basket, ...]
    refused: int = 0

    def _repr_html_(self) -> str:
        return self.document._repr_html_()

    @property
    def links(self) -> int:
        """How many links there are: mentions less entities."""
        return sum(len(basket.mentions) - 1 for basket in self.baskets)


def make_resolution(
    table: MentionTable, numbers: Ints, *, refused: int = 0
) -> Resolution:
    """Make entities from the number of each mention's basket."""
    baskets = fill_baskets(table.profiles, numbers.tolist())
    entities = tuple(
        Entity(
            f"e{at}", tuple(_add_type(mention, basket) for mention in basket.mentions)
        )
        for at, basket in enumerate(baskets, 1)
    )
    document = replace(table.document, entities=entities, bridges=())
    return Resolution(document, tuple(baskets), refused)


def _add_type(mention: Mention, basket: Basket) -> Mention:
    """Keep the tokens of a mention, and give it the type of its basket."""
    attributes = {"type": basket.type} if basket.type else {}
    return Mention(
        mention.start, mention.end, mention.gaps, mention.head, attributes=attributes
    )


@dataclass(slots=True)
class Basket:
    """An entity as far as the text mentions it; "cistell" is Catalan for basket."""

    mentions: list[Mention] = field(default_factory=list)
    # The texts of those that are proper nouns.
    names: dict[str, None] = field(default_factory=dict)
    # The heads of the others that are not pronouns.
    heads: dict[str, None] = field(default_factory=dict)
    # How often each entity type was seen.
    types: Counter[str] = field(default_factory=Counter)
    genders: int = UNKNOWN  # the genders that all mentions allow, as bits
    # How often it was singular (1) and plural (2).
    numbers: Counter[int] = field(default_factory=Counter)

    def grow(self, profile: Profile) -> None:
        """Add a mention and its properties."""
        self.mentions.append(profile.mention)
        if profile.kind == "proper_nouns":
            self.names[profile.text] = None
        elif not profile.pronoun:
            self.heads[" ".join(profile.head_forms)] = None
        if profile.entity_type != "none":
            self.types[profile.entity_type] += 1
        # A gender that contradicts all before it is ignored.
        self.genders = self.genders & profile.gender or self.genders
        if profile.number:
            self.numbers[profile.number] += 1

    @property
    def type(self) -> str | None:
        """The type seen most often, the first of equals."""
        return self.types.most_common(1)[0][0] if self.types else None


def fill_baskets(profiles: Sequence[Profile], numbers: Iterable[int]) -> list[Basket]:
    """Put mentions into baskets by their numbers, one after the other."""
    baskets: dict[int, Basket] = {}
    for profile, number in zip(profiles, numbers, strict=True):
        baskets.setdefault(number, Basket()).grow(profile)
    return list(baskets.values())
