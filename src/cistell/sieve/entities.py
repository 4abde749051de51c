"""Entities as they grow: which mentions are together, and what they tell together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cistell.profiles import Profile
    from cistell.sieve.clues import Clue


@dataclass(slots=True)
class Growing:
    """An entity: its mentions, and what is known of it from all of them."""

    members: list[int]
    first: int  # its first mention in the order of the text
    # The first that is not "I" or "you", which tell nothing of who it is; -1 if none.
    told: int
    gender: int  # the genders that it may have, as bits of `facts`
    numbers: int  # whether it is singular or plural, or may be both, as bits
    nominal: bool  # whether one of them is not a pronoun
    words: set[str]  # the words of those that are not
    speaks: set[int]  # the voices in which it is "I" or "you"

    def take(self, other: Growing) -> None:
        """Take in the mentions of another entity, and what they tell."""
        self.members += other.members
        self.first = min(self.first, other.first)
        told = [at for at in (self.told, other.told) if at >= 0]
        self.told = min(told, default=-1)
        # Where the two contradict each other, the entity may be either.
        self.gender = self.gender & other.gender or self.gender | other.gender
        self.numbers = self.numbers & other.numbers or self.numbers | other.numbers
        self.nominal |= other.nominal
        self.words |= other.words
        self.speaks |= other.speaks


class Entities:
    """The entities of a document as the passes of the sieve merge them."""

    def __init__(
        self, profiles: Sequence[Profile], clues: Sequence[Clue], voices: Sequence[int]
    ) -> None:
        rows = zip(profiles, clues, voices, strict=True)
        self._of = [_alone(at, *row) for at, row in enumerate(rows)]

    def __getitem__(self, mention: int) -> Growing:
        """Give the entity of a mention."""
        return self._of[mention]

    def is_resolved_by(self, mention: int) -> bool:
        """Return whether the passes resolve an entity by this mention."""
        entity = self._of[mention]
        return mention == (entity.first if entity.told < 0 else entity.told)

    def merge(self, one: int, other: int) -> None:
        """Put the entities of two mentions together."""
        large, small = self._of[one], self._of[other]
        if large is small:
            return
        if len(large.members) < len(small.members):
            large, small = small, large
        large.take(small)
        for mention in small.members:
            self._of[mention] = large

    def numbers(self) -> list[int]:
        """Number the entity of each mention, in the order of the text."""
        found: dict[int, int] = {}
        return [found.setdefault(id(entity), len(found)) for entity in self._of]


def _alone(at: int, profile: Profile, clue: Clue, voice: int) -> Growing:
    speaks = profile.pronoun and profile.person in (1, 2)
    return Growing(
        members=[at],
        first=at,
        told=-1 if speaks else at,
        gender=profile.gender,
        numbers=clue.numbers,
        nominal=not profile.pronoun,
        words=set() if profile.pronoun else {*clue.words},
        speaks={voice} if speaks else set(),
    )
