"""Which pairs of mentions a classifier learns from, by the names of the schemes.

Most mentions are singletons and most pairs are negative, so the choice matters more
than the features: Soon's pairs have no singleton as second mention, and a memory of
them finds antecedents for singletons that have none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.random import Generator

    from corefkit.cistell.table import MentionTable
    from corefkit.columns import Flags, Ints


class Sample(NamedTuple):
    """Pairs of one document to learn from.

    Attributes:
        first: the earlier mention of each pair.
        second: the later one.
    """

    first: Ints
    second: Ints


class Caps(NamedTuple):
    """How many pairs the scheme `every` takes at most of each mention.

    Attributes:
        positives: true antecedents.
        negatives: mentions before it that are none.
    """

    positives: int = 3
    negatives: int = 5


def every(
    table: MentionTable, entity: Ints, *, caps: Caps, random: Generator
) -> Sample:
    """Take of every mention some antecedents and some others before it, by chance.

    Singletons are second mentions too, which Soon's scheme lacks.
    """
    del table
    first: list[Ints] = []
    for second in range(len(entity)):
        coreferent = entity[:second] == entity[second]
        for places, most in (
            (np.flatnonzero(coreferent), caps.positives),
            (np.flatnonzero(~coreferent), caps.negatives),
        ):
            few = len(places) <= most
            chosen = places if few else random.choice(places, most, replace=False)
            first.append(np.sort(chosen))
    return _sample(first, [second for second in range(len(entity)) for _ in range(2)])


def soon(table: MentionTable, entity: Ints, *, caps: Caps, random: Generator) -> Sample:
    """Take the closest antecedent, and all mentions between (Soon et al. 2001)."""
    del table, caps, random
    first, seconds = [], []
    for second in range(len(entity)):
        antecedents = np.flatnonzero(entity[:second] == entity[second])
        if len(antecedents):
            first.append(np.arange(antecedents[-1], second))
            seconds.append(second)
    return _sample(first, seconds)


def ng_cardie(
    table: MentionTable, entity: Ints, *, caps: Caps, random: Generator
) -> Sample:
    """Take, of a noun, the closest antecedent that is no pronoun (Ng and Cardie 2002).

    Pronouns have the closest antecedent of any kind; the mentions between are the
    negatives, as in Soon's scheme.
    """
    del caps, random
    first, seconds = [], []
    for second in range(len(entity)):
        coreferent = entity[:second] == entity[second]
        wanted = coreferent & (table.pronoun[second] | ~table.pronoun[:second])
        antecedents = np.flatnonzero(wanted)
        if len(antecedents):
            between = np.arange(antecedents[-1] + 1, second)
            negatives = between[~coreferent[between]]
            first.append(np.concatenate([antecedents[-1:], negatives]))
            seconds.append(second)
    return _sample(first, seconds)


def _sample(first: list[Ints], seconds: list[int]) -> Sample:
    if not first:
        return Sample(np.zeros(0, np.int64), np.zeros(0, np.int64))
    sizes = [len(one) for one in first]
    return Sample(np.concatenate(first), np.repeat(np.array(seconds, np.int64), sizes))


SCHEMES: Mapping[str, Callable[..., Sample]] = {
    "every": every,
    "soon": soon,
    "ng-cardie": ng_cardie,
}


def positives(sample: Sample, entity: Ints) -> Flags:
    """Say which pairs are coreferent."""
    coreferent: Flags = entity[sample.first] == entity[sample.second]
    return coreferent
