"""Passes by precise constructs: apposition, predicate, relative pronoun, acronym."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cistell.sieve.scene import NOBODY
from corefkit.syntax.dependencies import parse_features

if TYPE_CHECKING:
    from cistell.profiles import Profile
    from cistell.sieve.scene import Scene

_PLACES = ("place", "none")
_STEPS = 100


def construct(scene: Scene, mention: int) -> int:
    """Find what a mention is an apposition, a predicate or a relative pronoun of."""
    profile = scene.profiles[mention]
    if profile.kind == "relative_pronouns":
        return _headed(scene, mention, _modified(scene, profile.head))
    if profile.kind == "clauses":
        return NOBODY
    subject = profile.subject
    if subject >= 0 and _is_relative(scene.syntax.features[subject]):
        subject = _modified(scene, subject)  # "the mill, which is a ruin"
    for token in (profile.apposed, subject):
        found = _headed(scene, mention, token)
        if found != NOBODY and not (
            token == profile.apposed and _is_address(scene, mention, found)
        ):
            return found
    return NOBODY


def _headed(scene: Scene, mention: int, token: int) -> int:
    """Find a mention with a head; it must not be inside the one that is resolved."""
    profile = scene.profiles[mention]
    for other in scene.by_token.get(token, ()):
        candidate = scene.profiles[other]
        if (
            other != mention
            and candidate.coordinated == profile.coordinated
            and not _contains(profile, candidate)
        ):
            return other
    return NOBODY


def _is_relative(features: str) -> bool:
    return "Rel" in parse_features(features)["PronType"]


def _contains(profile: Profile, other: Profile) -> bool:
    own, theirs = profile.mention, other.mention
    return own.start <= theirs.start and theirs.end <= own.end


def _is_address(scene: Scene, mention: int, other: int) -> bool:
    """Return whether two names are a place and what it lies in: "Lahore, Pakistan"."""
    return all(
        scene.clues[at].name and scene.profiles[at].entity_type in _PLACES
        for at in (mention, other)
    )


def _modified(scene: Scene, token: int) -> int:
    """Find the noun that the relative clause around a token modifies; or -1."""
    syntax = scene.syntax
    for _ in range(_STEPS):
        if token < 0:
            break
        if syntax.kinds[token] == "acl":
            return syntax.parents[token]
        token = syntax.parents[token]
    return -1


def acronym(scene: Scene, mention: int) -> int:
    """Find what a mention is the acronym of, or what is its acronym."""
    profile = scene.profiles[mention]
    for own, index in (
        (profile.initials, scene.by_acronym),
        (profile.acronym, scene.by_initials),
    ):
        found = scene.near(index.get(own, ()), mention) if own else ()
        if found:
            return found[0]
    return NOBODY
