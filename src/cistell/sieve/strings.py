"""Passes by strings: the same words, or the same words up to the head."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cistell.sieve.agreement import do_owners_clash, is_inside
from cistell.sieve.scene import NOBODY

if TYPE_CHECKING:
    from cistell.sieve.scene import Scene

# Kinds of mentions whose determiner matters: "no mill" is not "the mill".
_DETERMINED = ("indefinite_nps", "others")
# Kinds that many different things share: "one of them", "water".
_COMMON = ("bare_nps", "numerals", "others")


def exact_string(scene: Scene, mention: int) -> int:
    """Find a mention with the same words; determiners and a final 's do not count.

    They do count if one of the two is indefinite: "a week" is not "this week".
    """
    profiles, clues = scene.profiles, scene.clues
    clue = clues[mention]
    if profiles[mention].pronoun:
        return NOBODY
    for other in scene.near(scene.by_text[clue.text], mention):
        if clues[other].whole != clue.whole and (
            profiles[mention].kind in _DETERMINED or profiles[other].kind in _DETERMINED
        ):
            continue
        if not is_inside(scene, mention, other) and not do_owners_clash(
            scene, mention, other, same_words=True
        ):
            return other
    return NOBODY


def relaxed_string(scene: Scene, mention: int) -> int:
    """Find a mention with the same words up to the head, and more words behind it.

    "the mill" is "the mill that burned".
    """
    profile, clue = scene.profiles[mention], scene.clues[mention]
    if profile.pronoun or profile.kind in _COMMON or clue.after:
        return NOBODY
    for other in scene.near(scene.by_opening[clue.opening], mention):
        if not is_inside(scene, mention, other) and not do_owners_clash(
            scene, mention, other
        ):
            return other
    return NOBODY
