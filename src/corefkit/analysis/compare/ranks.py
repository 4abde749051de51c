"""Ranks of systems that tests tell apart, and letters for what ranks cannot show.

A rank is 1 and the number of systems that are significantly better. To be alike is not
transitive: two systems can both be like a third, and differ from each other. Letters
show that: systems that share one do not differ, those that share none do.
"""

from __future__ import annotations

from itertools import islice
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

# A system's letters are shown beside it: more of them, nobody reads.
MOST_LETTERS = len(ascii_lowercase)


class Ranks(NamedTuple):
    """The ranks of systems, in their order."""

    rank: list[int]
    # Which have a better rank than a system with a better score.
    is_inverted: list[bool]


def ranks(scores: Sequence[float], significant: Collection[tuple[int, int]]) -> Ranks:
    """Rank systems: 1 and the number of systems that are significantly better.

    Better is who has the higher score and differs significantly. `significant` has
    these pairs, by the numbers of the systems, in any order.

    The third of these differs from nobody, so that its rank is better than that of the
    second, whose score is better:

    >>> ranks([60.0, 58.0, 57.0], {(0, 1)})
    Ranks(rank=[1, 2, 1], is_inverted=[False, False, True])
    """
    differ = _both_ways(significant)
    systems = range(len(scores))
    rank = [
        1 + sum(scores[b] > scores[a] and (a, b) in differ for b in systems)
        for a in systems
    ]
    is_inverted = [
        any(scores[b] > scores[a] and rank[b] > rank[a] for b in systems)
        for a in systems
    ]
    return Ranks(rank, is_inverted)


def letters(
    scores: Sequence[float], significant: Collection[tuple[int, int]]
) -> list[str] | None:
    """Give letters to systems: two share one if they do not differ significantly.

    A letter stands for a largest set of systems that do not differ: one to which no
    other can be added. Letters go by the best score in a set, then by the next best; of
    equal scores the first is the better one. None where there are more than 26 systems
    or sets.

    Source: Piepho 2004, An algorithm for a letter-based representation of all-pairwise
    comparisons.

    >>> letters([60.0, 59.0, 58.0], {(0, 2)})
    ['a', 'ab', 'b']
    """
    if len(scores) > MOST_LETTERS:
        return None
    order = sorted(range(len(scores)), key=lambda system: -scores[system])
    differ = _both_ways(significant)
    # From here on, a system is its place in the order of scores.
    alike = [
        {b for b, j in enumerate(order) if i != j and (i, j) not in differ}
        for i in order
    ]
    found = [*islice(_largest_sets(alike), MOST_LETTERS + 1)]
    if len(found) > MOST_LETTERS:
        return None
    sets = sorted(sorted(members) for members in found)
    given = ["" for _ in scores]
    for letter, members in zip(ascii_lowercase, sets, strict=False):
        for place in members:
            given[order[place]] += letter
    return given


def _both_ways(pairs: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    return {way for a, b in pairs for way in ((a, b), (b, a))}


def _largest_sets(alike: Sequence[set[int]]) -> Iterator[set[int]]:
    """Go through the maximal cliques of a graph, as Bron and Kerbosch (1973) do."""

    def grown(
        members: set[int], candidates: set[int], done: set[int]
    ) -> Iterator[set[int]]:
        if not candidates and not done:
            yield members
            return
        # What is alike to the pivot is found in the sets of the pivot.
        pivot = max(candidates | done, key=lambda one: len(alike[one] & candidates))
        for one in sorted(candidates - alike[pivot]):
            yield from grown(
                members | {one}, candidates & alike[one], done & alike[one]
            )
            candidates = candidates - {one}
            done = done | {one}

    yield from grown(set(), set(range(len(alike))), set())
