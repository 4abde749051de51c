"""What keeps two mentions apart, or their entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cistell.sieve.scene import Scene

_STEPS = 100
_SUBJECTS_AND_OBJECTS = {"nsubj", "obj", "iobj"}
_ARGUMENTS = {"nsubj", "obj", "iobj", "obl"}


def is_inside(scene: Scene, mention: int, other: int) -> bool:
    """Return whether a mention contains one of another's entity, or lies inside it.

    Then they are not coreferent ("i within i"): "her" in "her dog" is not the dog.
    """
    entity = scene.entities[other]
    return any(scene.entities[at] is entity for at in scene.nested[mention])


def is_inside_phrase(scene: Scene, mention: int, other: int) -> bool:
    """Do as `is_inside`, but let a relative clause speak of what it modifies.

    "workers who like their jobs": "their" are the workers.
    """
    entity = scene.entities[other]
    return any(
        scene.entities[at] is entity and not _is_in_clause_of(scene, mention, at)
        for at in scene.nested[mention]
    )


def _is_in_clause_of(scene: Scene, mention: int, around: int) -> bool:
    syntax = scene.syntax
    at, head = scene.profiles[mention].head, scene.profiles[around].head
    for _ in range(_STEPS):
        if at < 0 or at == head:
            return False
        if syntax.parents[at] == head:
            return syntax.kinds[at] == "acl"
        at = syntax.parents[at]
    return False


def agree(scene: Scene, mention: int, other: int) -> bool:
    """Return whether the entities of two mentions agree in gender and number.

    Gender tells persons from things too: what is neuter is not animate.
    """
    own, theirs = scene.entities[mention], scene.entities[other]
    return bool(own.gender & theirs.gender) and bool(own.numbers & theirs.numbers)


def do_owners_clash(
    scene: Scene, mention: int, other: int, *, same_words: bool = False
) -> bool:
    """Return whether somebody else owns the second mention, or nobody does.

    With the same words ("his hat" and "his hat"), only "my" and "your" of different
    people clash.
    """
    own, theirs = (scene.clues[at].owner for at in (mention, other))
    if own < 0 or (theirs < 0 and same_words):
        return False
    owners = [scene.by_token.get(token, ()) for token in (own, theirs)]
    if theirs < 0 or not all(owners):
        return theirs < 0
    mine, yours = (found[0] for found in owners)
    if scene.entities[mine] is scene.entities[yours]:
        return False
    return not same_words or scene.profiles[mine].person in (1, 2)


def are_of_one_verb(scene: Scene, mention: int, other: int) -> bool:
    """Return whether two are arguments of one verb, which a reflexive pronoun may be.

    "Ann saw her": she saw somebody else.
    """
    syntax, profile = scene.syntax, scene.profiles[mention]
    own, theirs = profile.head, scene.profiles[other].head
    return (
        profile.kind not in ("possessive_pronouns", "reflexive_pronouns")
        and syntax.parents[own] == syntax.parents[theirs] >= 0
        and syntax.kinds[theirs] in _SUBJECTS_AND_OBJECTS
        and syntax.kinds[own] in _ARGUMENTS
    )
