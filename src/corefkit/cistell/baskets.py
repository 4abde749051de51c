"""Baskets: entities that grow, and collect what their mentions tell.

"Cistell" is Catalan for basket. A basket starts empty; each mention that is put into it
adds to what is known of its entity.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corefkit.cistell.facts import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.cistell.profiles import Profile
    from corefkit.model import Mention


@dataclass(slots=True)
class Basket:
    """An entity, as far as the text has mentioned it.

    Attributes:
        mentions: its mentions, in the order of the text.
        names: the texts of those that are proper nouns.
        heads: the heads of the others that are not pronouns.
        types: how often each entity type was seen.
        genders: the genders that all mentions allow, as bits.
        numbers: how often it was singular (1) and plural (2).
    """

    mentions: list[Mention] = field(default_factory=list)
    names: dict[str, None] = field(default_factory=dict)
    heads: dict[str, None] = field(default_factory=dict)
    types: Counter[str] = field(default_factory=Counter)
    genders: int = UNKNOWN
    numbers: Counter[int] = field(default_factory=Counter)

    def grow(self, profile: Profile) -> None:
        """Add a mention to the basket, with what it tells."""
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


def filled(profiles: Sequence[Profile], numbers: Iterable[int]) -> list[Basket]:
    """Put mentions into baskets by their numbers, one after the other."""
    baskets: dict[int, Basket] = {}
    for profile, number in zip(profiles, numbers, strict=True):
        baskets.setdefault(number, Basket()).grow(profile)
    return list(baskets.values())
