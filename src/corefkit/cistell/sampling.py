"""Which pairs of mentions a classifier learns from, by the names of the schemes.

Most mentions are singletons and most pairs are negative, so the choice matters more
than the features: Soon's pairs have no singleton as second mention, and a memory of
them finds antecedents for singletons that have none.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.exceptions import SettingsError
from corefkit.settings import suggest

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


@dataclass(frozen=True, slots=True)
class Sampling:
    """Which pairs are learned from.

    Attributes:
        scheme: one of `SCHEMES`.
        positives: how many antecedents `every` takes of a mention at most.
        negatives: how many others before it that are none.
        seed: of what is chosen by chance.
    """

    scheme: str = "every"
    positives: int = 3
    negatives: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be drawn."""
        if self.scheme not in SCHEMES:
            message = f"there is no scheme of training pairs {self.scheme!r}"
            raise SettingsError(message, hint=suggest(self.scheme, SCHEMES))
        for name in ("positives", "negatives", "seed"):
            if getattr(self, name) < 0:
                message = f"{name} cannot be {getattr(self, name)}"
                raise SettingsError(message, hint="give 0 or more")

    def to_dict(self) -> dict[str, str | int]:
        """Give the values by their names."""
        return asdict(self)


def every(
    table: MentionTable, entity: Ints, *, sampling: Sampling, random: Generator
) -> Sample:
    """Take of every mention some antecedents and some others before it, by chance.

    Singletons are second mentions too, which Soon's scheme lacks.
    """
    del table
    first: list[Ints] = []
    for second in range(len(entity)):
        coreferent = entity[:second] == entity[second]
        for places, most in (
            (np.flatnonzero(coreferent), sampling.positives),
            (np.flatnonzero(~coreferent), sampling.negatives),
        ):
            few = len(places) <= most
            chosen = places if few else random.choice(places, most, replace=False)
            first.append(np.sort(chosen))
    return _sample(first, [second for second in range(len(entity)) for _ in range(2)])


def soon(
    table: MentionTable, entity: Ints, *, sampling: Sampling, random: Generator
) -> Sample:
    """Take the closest antecedent, and all mentions between (Soon et al. 2001)."""
    del table, sampling, random
    first, seconds = [], []
    for second in range(len(entity)):
        antecedents = np.flatnonzero(entity[:second] == entity[second])
        if len(antecedents):
            first.append(np.arange(antecedents[-1], second))
            seconds.append(second)
    return _sample(first, seconds)


def ng_cardie(
    table: MentionTable, entity: Ints, *, sampling: Sampling, random: Generator
) -> Sample:
    """Take, of a noun, the closest antecedent that is no pronoun (Ng and Cardie 2002).

    Pronouns have the closest antecedent of any kind; the mentions between are the
    negatives, as in Soon's scheme.
    """
    del sampling, random
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
