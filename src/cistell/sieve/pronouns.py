"""Passes for pronouns: who "I" and "you" are, and what the others refer to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cistell.facts import NEUTER, PLURAL
from cistell.sieve.agreement import (
    agree,
    are_of_one_verb,
    is_inside_phrase,
)
from cistell.sieve.names import letters
from cistell.sieve.scene import NOBODY

if TYPE_CHECKING:
    from cistell.sieve.scene import Scene

_ENGLISH_TIMES = """
afternoon april august autumn century day decade december evening february friday hour
january july june march may midnight minute moment monday month morning night noon
november october saturday season second september spring summer sunday thursday time
today tomorrow tonight tuesday wednesday week weekend winter year yesterday
"""
_RESOLVED = (
    *("personal_pronouns", "possessive_pronouns", "reflexive_pronouns"),
    "zero_pronouns",
)
# Kinds that pronouns do not refer to.
_NOT_REFERRED_TO = (
    *("relative_pronouns", "other_pronouns", "clauses", "numerals", "others"),
)
# Nouns that no pronoun refers to, also where WordNet is missing.
_TIMES = frozenset(_ENGLISH_TIMES.split())
_SENTENCES = 3  # how many sentences before its own a pronoun looks at


def speaker(scene: Scene, mention: int) -> int:
    """Find the same pronoun of the same voice; or who "I" is, or "you".

    "I" is the speaker of a quotation, or a name that is that of the document's speaker.
    "You" is the other one, if a document names two.
    """
    profile = scene.profiles[mention]
    if profile.kind not in _RESOLVED or profile.person not in (1, 2):
        return NOBODY
    voice = scene.voices.of[mention]
    row = scene.by_voice[voice, profile.person, profile.number == PLURAL]
    if row[0] != mention:
        return row[0]
    if profile.number == PLURAL:
        return NOBODY
    if profile.person == 1:
        name = letters(scene.voices.names.get(voice, ""))
        named = scene.by_letters.get(name, [NOBODY])[0] if name else NOBODY
        return scene.voices.mentions.get(voice, named)
    others = [at for at in scene.voices.names if at != voice]
    if len(others) != 1 or voice not in scene.voices.names:
        return NOBODY
    return next(iter(scene.by_voice.get((others[0], 1, False), ())), NOBODY)


def pronoun(scene: Scene, mention: int) -> int:
    """Find the first mention, in the papers' order, that a pronoun agrees with.

    "She" looks first among those that are known to be persons, and only if there is
    none among what may be one.
    """
    profile = scene.profiles[mention]
    if (
        profile.kind not in _RESOLVED
        or profile.person in (1, 2)
        or scene.syntax.kinds[profile.head] == "expl"
    ):
        return NOBODY
    candidates = [
        other
        for sentence in range(profile.sentence, profile.sentence - _SENTENCES - 1, -1)
        for other in scene.before(mention, sentence)
        if _may_be(scene, mention, other)
    ]
    if not profile.gender & NEUTER:
        persons = (at for at in candidates if not scene.entities[at].gender & NEUTER)
        return next(persons, candidates[0] if candidates else NOBODY)
    return candidates[0] if candidates else NOBODY


def _may_be(scene: Scene, mention: int, other: int) -> bool:
    """Return whether a pronoun may refer to a mention."""
    entity, candidate = scene.entities[other], scene.profiles[other]
    if candidate.kind in _NOT_REFERRED_TO or entity is scene.entities[mention]:
        return False
    if candidate.supertype == "time" or scene.clues[other].head in _TIMES:
        return False
    # "She" is not who says it, and nobody but "I" or "you" is all that is known.
    if entity.speaks and (
        not entity.nominal or scene.voices.of[mention] in entity.speaks
    ):
        return False
    return (
        agree(scene, mention, other)
        and not are_of_one_verb(scene, mention, other)
        and not is_inside_phrase(scene, mention, other)
    )
