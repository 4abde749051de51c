"""Slow, obvious versions of every metric, straight from the definitions.

They look at mentions, pairs of mentions and whole alignments, one by one, in exact
fractions, and share no idea with the table versions they are compared with. A partition
is a sequence of entities, an entity a collection of mentions; no mention is repeated.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping

    Entity = Collection[Hashable]
    Partition = Collection[Entity]
    Link = frozenset[Hashable]
    Similarity = Callable[[Entity, Entity], Fraction]


class Counts(NamedTuple):
    """The four sums behind recall and precision."""

    recall_numerator: Fraction
    recall_denominator: Fraction
    precision_numerator: Fraction
    precision_denominator: Fraction


class BlancCounts(NamedTuple):
    """BLANC's counts over both kinds of links; are there mentions, do they agree?"""

    coreference: Counts
    non_coreference: Counts
    any_mention: bool
    same_mentions: bool


class Score(NamedTuple):
    """Recall, precision and F1 as exact fractions."""

    recall: Fraction
    precision: Fraction
    f1: Fraction


def score(counts: Counts) -> Score:
    """Divide the counts; nothing divided by nothing is 0.

    >>> score(muc(["abc", "defg"], ["ab", "cd", "fghi"])).recall
    Fraction(2, 5)
    """
    recall = ratio(counts.recall_numerator, counts.recall_denominator)
    precision = ratio(counts.precision_numerator, counts.precision_denominator)
    return Score(recall, precision, ratio(2 * recall * precision, recall + precision))


def blanc_score(counts: BlancCounts, *, rule: str) -> Score:
    """Average the two kinds of links that the corner rule keeps.

    Rule `key` drops a kind of which the key has no link, rules `both` and `links` one
    of which neither side has a link. With no kind left all say 0; but `both` says 1
    where there are mentions and they agree.
    """
    kinds = [counts.coreference, counts.non_coreference]
    kept = [score(kind) for kind in kinds if not is_dropped(kind, rule=rule)]
    if not kept:
        same = counts.any_mention and counts.same_mentions
        value = Fraction(rule == "both" and same)
        return Score(value, value, value)
    return Score(*(sum(values) / len(kept) for values in zip(*kept, strict=True)))


def is_dropped(kind: Counts, *, rule: str) -> bool:
    """Say whether the corner rule leaves out this kind of links."""
    if rule == "key":
        return kind.recall_denominator == 0
    return kind.recall_denominator == 0 and kind.precision_denominator == 0


def mentions(key: Partition, response: Partition) -> Counts:
    """Count the mentions that both sides have."""
    key_mentions, response_mentions = mentions_of(key), mentions_of(response)
    found = Fraction(len(key_mentions & response_mentions))
    return Counts(
        found, Fraction(len(key_mentions)), found, Fraction(len(response_mentions))
    )


def muc(key: Partition, response: Partition) -> Counts:
    """Partition every entity by the other side, mention by mention."""
    return both_ways(muc_one_way, key, response)


def muc_one_way(entities: Partition, others: Partition) -> tuple[Fraction, Fraction]:
    """Count the links kept and the links needed of each entity's spanning tree."""
    kept = needed = Fraction(0)
    for entity in entities:
        parts = {entity_of(mention, others) or mention for mention in entity}
        kept += len(entity) - len(parts)
        needed += len(entity) - 1
    return kept, needed


def b_cubed(key: Partition, response: Partition) -> Counts:
    """Score every mention by the share of its entity that the other side keeps."""
    return both_ways(b_cubed_one_way, key, response)


def b_cubed_one_way(
    entities: Partition, others: Partition
) -> tuple[Fraction, Fraction]:
    """Sum the shares of all mentions, and count the mentions."""
    shares = [
        Fraction(len(set(entity) & entity_of(mention, others)), len(entity))
        for entity in entities
        for mention in entity
    ]
    return sum(shares, Fraction(0)), Fraction(len(shares))


def ceaf(key: Partition, response: Partition, similarity: Similarity) -> Counts:
    """Align the entities in the best of all one-to-one ways."""
    best = best_alignment(tuple(key), tuple(response), similarity)
    return Counts(
        best,
        sum((similarity(entity, entity) for entity in key), Fraction(0)),
        best,
        sum((similarity(entity, entity) for entity in response), Fraction(0)),
    )


def best_alignment(
    key: tuple[Entity, ...], response: tuple[Entity, ...], similarity: Similarity
) -> Fraction:
    """Try every one-to-one map and return the largest total similarity."""
    rows = [
        {
            column: value
            for column, other in enumerate(response)
            if (value := similarity(entity, other))
        }
        for entity in key
    ]

    @cache
    def best_from(row: int, taken: frozenset[int]) -> Fraction:
        if row == len(rows):
            return Fraction(0)
        totals = [best_from(row + 1, taken)]
        for column, value in rows[row].items():
            if column not in taken:
                totals.append(value + best_from(row + 1, taken | {column}))
        return max(totals)

    return best_from(0, frozenset())


def phi1(key_entity: Entity, response_entity: Entity) -> Fraction:
    """Luo 2005: 1 for equal entities."""
    return Fraction(set(key_entity) == set(response_entity))


def phi2(key_entity: Entity, response_entity: Entity) -> Fraction:
    """Luo 2005: 1 for entities with a mention in common."""
    return Fraction(bool(set(key_entity) & set(response_entity)))


def phi3(key_entity: Entity, response_entity: Entity) -> Fraction:
    """Luo 2005: the number of mentions in common."""
    return Fraction(len(set(key_entity) & set(response_entity)))


def phi4(key_entity: Entity, response_entity: Entity) -> Fraction:
    """Luo 2005: the mentions in common relative to the mean size."""
    return (
        2 * phi3(key_entity, response_entity) / (len(key_entity) + len(response_entity))
    )


def phi3_links(key_entity: Entity, response_entity: Entity) -> Fraction:
    """Moosavi and Strube 2016, section 3.3: the number of links in common."""
    return Fraction(len(lea_links([key_entity]) & lea_links([response_entity])))


def phi4_links(key_entity: Entity, response_entity: Entity) -> Fraction:
    """Moosavi and Strube 2016, section 3.3: the links in common, relative."""
    links_of_both = len(lea_links([key_entity])) + len(lea_links([response_entity]))
    return 2 * phi3_links(key_entity, response_entity) / links_of_both


def b_cubed_0(key: Partition, response: Partition) -> Counts:
    """Cai and Strube 2010, section 2.2.1: twinless response mentions are discarded."""
    return b_cubed(key, restricted(response, mentions_of(key)))


def b_cubed_all(key: Partition, response: Partition) -> Counts:
    """Cai and Strube 2010, section 2.2.1: a twinless mention has its own share."""
    return both_ways(b_cubed_all_one_way, key, response)


def b_cubed_all_one_way(
    entities: Partition, others: Partition
) -> tuple[Fraction, Fraction]:
    """Sum the shares of all mentions, a mention without a twin keeping itself."""
    shares = [
        Fraction(
            len(set(entity) & (entity_of(mention, others) or {mention})), len(entity)
        )
        for entity in entities
        for mention in entity
    ]
    return sum(shares, Fraction(0)), Fraction(len(shares))


def b_cubed_rn(key: Partition, response: Partition) -> Counts:
    """Cai and Strube 2010, section 2.2.1: without twinless singletons, as `all`."""
    return b_cubed_all(key, without_twinless_singletons(key, response))


def ceaf_rn(key: Partition, response: Partition, similarity: Similarity) -> Counts:
    """Cai and Strube 2010, section 2.3.2: without twinless singletons, as it is."""
    return ceaf(key, without_twinless_singletons(key, response), similarity)


def system_mentions(
    key: Partition, response: Partition, plain: Callable[[Partition, Partition], Counts]
) -> Counts:
    """Cai and Strube 2010, Algorithms 1 and 2, line by line."""
    key_mentions, response_mentions = mentions_of(key), mentions_of(response)
    response = without_twinless_singletons(key, response)
    response = [*response, *({one} for one in key_mentions - response_mentions)]
    remaining = mentions_of(response) - key_mentions
    precision = plain([*key, *({one} for one in remaining)], response)
    recall = plain(key, restricted(response, key_mentions))
    return Counts(*recall[:2], *precision[2:])


def without_twinless_singletons(key: Partition, response: Partition) -> Partition:
    """Discard the response entities that are one mention, which the key lacks."""
    key_mentions = mentions_of(key)
    return [one for one in response if len(one) > 1 or key_mentions & set(one)]


def restricted(entities: Partition, some_mentions: set[Hashable]) -> Partition:
    """Discard all mentions but some, and the entities that are left with none."""
    kept = (set(entity) & some_mentions for entity in entities)
    return [entity for entity in kept if entity]


def blanc(key: Partition, response: Partition) -> BlancCounts:
    """Intersect the explicit sets of coreference and non-coreference links."""
    key_inside, response_inside = links_inside(key), links_inside(response)
    key_across = links(mentions_of(key)) - key_inside
    response_across = links(mentions_of(response)) - response_inside
    return BlancCounts(
        shared_links(key_inside, response_inside),
        shared_links(key_across, response_across),
        bool(mentions_of(key)),
        mentions_of(key) == mentions_of(response),
    )


def shared_links(key_links: set[Link], response_links: set[Link]) -> Counts:
    """Count the links of each side and the links of both."""
    shared = Fraction(len(key_links & response_links))
    return Counts(
        shared, Fraction(len(key_links)), shared, Fraction(len(response_links))
    )


def lea(key: Partition, response: Partition) -> Counts:
    """Weigh the share of resolved links of every entity by its size."""
    return both_ways(lea_one_way, key, response)


def lea_one_way(entities: Partition, others: Partition) -> tuple[Fraction, Fraction]:
    """Sum importance times resolution, and importance.

    A singleton's one link is the link to itself, which only the same singleton has.
    """
    other_links = lea_links(others)
    resolved = importance = Fraction(0)
    for entity in entities:
        own_links = lea_links([entity])
        resolution = Fraction(len(own_links & other_links), len(own_links))
        resolved += len(entity) * resolution
        importance += len(entity)
    return resolved, importance


def lea_links(entities: Partition) -> set[Link]:
    """Return all links inside entities, self-links of singletons among them."""
    selves = {frozenset(entity) for entity in entities if len(entity) == 1}
    return links_inside(entities) | selves


def both_ways(
    one_way: Callable[[Partition, Partition], tuple[Fraction, Fraction]],
    key: Partition,
    response: Partition,
) -> Counts:
    """Take recall from the key's side and precision from the response's."""
    return Counts(*one_way(key, response), *one_way(response, key))


def mentions_of(entities: Partition) -> set[Hashable]:
    """Return the mentions of all entities."""
    return {mention for entity in entities for mention in entity}


def entity_of(mention: Hashable, entities: Partition) -> frozenset[Hashable]:
    """Return the entity that holds the mention, empty where none does."""
    for entity in entities:
        if mention in entity:
            return frozenset(entity)
    return frozenset()


def links(some_mentions: Iterable[Hashable]) -> set[Link]:
    """Return all unordered pairs of mentions."""
    return {frozenset(pair) for pair in combinations(some_mentions, 2)}


def links_inside(entities: Partition) -> set[Link]:
    """Return the pairs of mentions that lie in one entity."""
    return {link for entity in entities for link in links(entity)}


def ratio(numerator: Fraction, denominator: Fraction) -> Fraction:
    """Divide, integers too; nothing divided by nothing is 0."""
    return Fraction(numerator) / denominator if denominator else Fraction(0)


def total(rows: Iterable[Counts]) -> Counts:
    """Add the counts of documents."""
    return Counts(*(sum(column, Fraction(0)) for column in zip(*rows, strict=True)))


def blanc_total(rows: Collection[BlancCounts]) -> BlancCounts:
    """Add the link counts of documents."""
    return BlancCounts(
        total(row.coreference for row in rows),
        total(row.non_coreference for row in rows),
        any(row.any_mention for row in rows),
        all(row.same_mentions for row in rows),
    )


SLOW_COUNTS: Mapping[str, Callable[[Partition, Partition], Counts]] = {
    "mentions": mentions,
    "muc": muc,
    "b_cubed": b_cubed,
    "ceaf_m": partial(ceaf, similarity=phi3),
    "ceaf_e": partial(ceaf, similarity=phi4),
    "ceaf_phi1": partial(ceaf, similarity=phi1),
    "ceaf_phi2": partial(ceaf, similarity=phi2),
    "ceaf_m_links": partial(ceaf, similarity=phi3_links),
    "ceaf_e_links": partial(ceaf, similarity=phi4_links),
    "lea": lea,
    "b_cubed_0": b_cubed_0,
    "b_cubed_all": b_cubed_all,
    "b_cubed_rn": b_cubed_rn,
    "b_cubed_sys": partial(system_mentions, plain=b_cubed),
    "ceaf_m_rn": partial(ceaf_rn, similarity=phi3),
    "ceaf_m_sys": partial(system_mentions, plain=partial(ceaf, similarity=phi3)),
    "ceaf_e_rn": partial(ceaf_rn, similarity=phi4),
    "ceaf_e_sys": partial(system_mentions, plain=partial(ceaf, similarity=phi4)),
}
