"""Passes by heads: from the same head with the same modifiers to a part of a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cistell.sieve.agreement import agree, do_owners_clash, is_inside
from cistell.sieve.scene import NOBODY

if TYPE_CHECKING:
    from collections.abc import Callable

    from cistell.sieve.scene import Scene

# Kinds whose heads many different things share: "water", "one of them".
_COMMON = ("bare_nps", "numerals", "others", "clauses")


def strict_head(*, words: bool, modifiers: bool) -> Callable[[Scene, int], int]:
    """Make a pass that finds a mention with the same head.

    With `words`, the entity found must have all words of the one that is resolved; with
    `modifiers`, the mention found all modifiers of the one that is resolved.
    """

    def find(scene: Scene, mention: int) -> int:
        profile, clue = scene.profiles[mention], scene.clues[mention]
        if profile.pronoun or profile.kind in _COMMON:
            return NOBODY
        own = scene.entities[mention].words
        for other in scene.near(scene.by_head[clue.head], mention):
            if words and not own <= scene.entities[other].words:
                continue
            if modifiers and not clue.modifiers <= scene.clues[other].modifiers:
                continue
            if clue.name and not agree(scene, mention, other):
                continue  # "Mr. Brown" and "Mrs. Brown"
            if not is_inside(scene, mention, other) and not do_owners_clash(
                scene, mention, other
            ):
                return other
        return NOBODY

    return find


def proper_head(scene: Scene, mention: int) -> int:
    """Find a name with the same last word, of which the other is a part.

    "Ms. Brown" is "Ann Brown", and "Ann Brown", if that is a flat name, may follow
    "Brown". Another name, place or number among the modifiers tells two apart: "the
    University of Rome" is not "the University".
    """
    clue = scene.clues[mention]
    if not clue.name:
        return NOBODY
    for other in scene.near(scene.by_head[clue.head], mention):
        candidate = scene.clues[other]
        if not candidate.name or (clue.before | clue.named) - candidate.words:
            continue
        if not (
            {*clue.name} <= {*candidate.name}
            or (clue.flat and len(candidate.name) == 1)
        ):
            continue
        if not is_inside(scene, mention, other) and agree(scene, mention, other):
            return other
    return NOBODY


def relaxed_head(scene: Scene, mention: int) -> int:
    """Find a name that has all words of a mention's name: "Ann" is "Ann Brown"."""
    clue, own = scene.clues[mention], scene.entities[mention].words
    if not clue.name:
        return NOBODY
    for other in scene.near(scene.by_word.get(clue.head, ()), mention):
        if not {*clue.name} <= {*scene.clues[other].name}:
            continue
        if not own <= scene.entities[other].words:
            continue
        if not is_inside(scene, mention, other) and agree(scene, mention, other):
            return other
    return NOBODY
