"""Which pairs of mentions a classifier learns from.

Most mentions are singletons and most pairs are negative, so the choice matters more
than the features: Soon's pairs have no singleton as second mention, and a classifier
that remembers them finds antecedents for singletons that have none.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.exceptions import SettingsError
from corefkit.strings.nearest import suggest

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
    """How pairs to learn from are chosen.

    Attributes:
        scheme: one of `SCHEMES`.
        positives: how many antecedents of a mention `every` takes at most.
        negatives: how many other earlier mentions it takes at most.
        seed: of the random choice.
    """

    scheme: str = "every"
    positives: int = 3
    negatives: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse an unknown scheme and negative numbers."""
        if self.scheme not in SCHEMES:
            message = f"there is no scheme of training pairs {self.scheme!r}"
            raise SettingsError(message, hint=suggest(self.scheme, SCHEMES))
        for name in ("positives", "negatives", "seed"):
            if getattr(self, name) < 0:
                message = f"{name} cannot be {getattr(self, name)}"
                raise SettingsError(message, hint="give 0 or more")

    def to_dict(self) -> dict[str, str | int]:
        """Return the values by their names, for JSON."""
        return asdict(self)


def every(
    table: MentionTable, entity: Ints, *, sampling: Sampling, random: Generator
) -> Sample:
    """Pair every mention with some antecedents and some other earlier mentions.

    They are drawn at random. Unlike in Soon's scheme, singletons are second mentions.
    """
    del table
    first: list[Ints] = []
    for second in range(len(entity)):
        coreferent = entity[:second] == entity[second]
        for mentions, most in (
            (np.flatnonzero(coreferent), sampling.positives),
            (np.flatnonzero(~coreferent), sampling.negatives),
        ):
            few = len(mentions) <= most
            chosen = mentions if few else random.choice(mentions, most, replace=False)
            first.append(np.sort(chosen))
    return _sample(first, [second for second in range(len(entity)) for _ in range(2)])


def soon(
    table: MentionTable, entity: Ints, *, sampling: Sampling, random: Generator
) -> Sample:
    """Pair with the closest antecedent and all mentions between (Soon et al. 2001)."""
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
    """Pair nouns with the closest antecedent that is a noun (Ng and Cardie 2002).

    Pronouns have the closest antecedent of any kind; the mentions between are the
    negatives, as in Soon's scheme.
    """
    del sampling, random
    first, seconds = [], []
    for second in range(len(entity)):
        coreferent = entity[:second] == entity[second]
        allowed = table.pronoun[second] | ~table.pronoun[:second]
        antecedents = np.flatnonzero(coreferent & allowed)
        if len(antecedents):
            between = np.arange(antecedents[-1] + 1, second)
            negatives = between[~coreferent[between]]
            first.append(np.concatenate([antecedents[-1:], negatives]))
            seconds.append(second)
    return _sample(first, seconds)


def _sample(first: list[Ints], seconds: list[int]) -> Sample:
    if not first:
        return Sample(np.zeros(0, np.int64), np.zeros(0, np.int64))
    sizes = list(map(len, first))
    return Sample(np.concatenate(first), np.repeat(np.array(seconds, np.int64), sizes))


SCHEMES: Mapping[str, Callable[..., Sample]] = {
    "every": every,
    "soon": soon,
    "ng-cardie": ng_cardie,
}


def positives(sample: Sample, entity: Ints) -> Flags:
    """Return which pairs are coreferent."""
    coreferent: Flags = entity[sample.first] == entity[sample.second]
    return coreferent
