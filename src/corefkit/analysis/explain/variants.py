"""The system-mention variants step by step: both sides altered, then a plain metric."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from corefkit.analysis.explain.b_cubed import IN_WORDS as B_CUBED_WORDS
from corefkit.analysis.explain.b_cubed import b_cubed_steps
from corefkit.analysis.explain.ceaf import PHI3, PHI4, ceaf_in_words, ceaf_steps
from corefkit.analysis.explain.listing import entity_lines, twinless_lines
from corefkit.analysis.explain.scene import partition_of, twinless
from corefkit.analysis.explain.walks import Steps, Walk
from corefkit.metrics.variants import RECIPES, Alteration
from corefkit.report.walk.values import Line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.analysis.explain.scene import Partition, Scene
    from corefkit.metrics.variants import Recipe
    from corefkit.report.walk.values import Text, Told

_NOTHING = "Both sides have the same mentions: nothing is altered."
_IN_WORDS = (
    "This variant of {0} is from a time when it was not agreed what to do with "
    "mentions that only one side has, called twinless. It first drops some of them, "
    "and adds some to the other side as entities of their own; then it is {0}."
)
_TWINLESS = "Mentions that the other side lacks are twinless:"

# What each alteration is for.
_PURPOSE: Mapping[Alteration, str] = {
    Alteration.DROP_LONE: "What is linked to nothing is no wrong link.",
    Alteration.DROP_TWINLESS: "Only the key's mentions are scored.",
    Alteration.ADD_TO_KEY: "Every link to one of them then is a wrong one.",
    Alteration.ADD_TO_RESPONSE: "Each then counts as found, but linked to nothing.",
}


class PlainSteps(Protocol):
    """The walk-through of a plain metric, for one side or for both."""

    def __call__(self, scene: Scene, *, sides: str = ...) -> Steps:
        """Walk through the metric."""
        ...


def variant_steps(scene: Scene, *, recipe: Recipe, plain: PlainSteps) -> Steps:
    """Walk through a variant: the altered sides, and the plain metric on them."""
    if scene.key.where.keys() == scene.response.where.keys():
        steps = plain(scene)
        return Steps([_NOTHING, "", *steps.told], steps.quotients)
    if recipe.recall == recipe.precision:
        walked = [_walked(scene, "recall and precision", recipe.recall, plain)]
    else:
        walked = [
            _walked(scene, "recall", recipe.recall, plain, sides="K"),
            _walked(scene, "precision", recipe.precision, plain, sides="R"),
        ]
    told = [_TWINLESS, *twinless_lines(scene, ("of the key", "of the response"))]
    for steps in walked:
        told += ["", *steps.told]
    return Steps(told, tuple(count for steps in walked for count in steps.quotients))


B_CUBED_0, B_CUBED_ALL, B_CUBED_RN, B_CUBED_SYS = (
    Walk(
        partial(variant_steps, recipe=RECIPES[name], plain=b_cubed_steps),
        in_words=(_IN_WORDS.format("B³"), *B_CUBED_WORDS),
    )
    for name in ("b_cubed_0", "b_cubed_all", "b_cubed_rn", "b_cubed_sys")
)
CEAF_M_RN, CEAF_M_SYS, CEAF_E_RN, CEAF_E_SYS = (
    Walk(
        partial(
            variant_steps,
            recipe=RECIPES[name],
            plain=partial(ceaf_steps, similarity=similarity),
        ),
        in_words=(_IN_WORDS.format("CEAF"), *ceaf_in_words(similarity)),
    )
    for name, similarity in (
        ("ceaf_m_rn", PHI3),
        ("ceaf_m_sys", PHI3),
        ("ceaf_e_rn", PHI4),
        ("ceaf_e_sys", PHI4),
    )
)


def altered_scenes(scene: Scene, alterations: Sequence[Alteration]) -> list[Scene]:
    """List the scene as it is, and as it is after each of the alterations.

    Entities keep their names; the names of added ones go on from those of the scene.
    """
    scenes = [scene]
    for alteration in alterations:
        scenes.append(_altered(scenes[-1], alteration, as_read=scene))
    return scenes


def _altered(scene: Scene, alteration: Alteration, *, as_read: Scene) -> Scene:
    mentions = _concerned(scene, alteration)
    if alteration is Alteration.ADD_TO_KEY:
        return replace(scene, key=_with_lone(scene.key, mentions, as_read.key))
    if alteration is Alteration.ADD_TO_RESPONSE:
        response = _with_lone(scene.response, mentions, as_read.response)
        return replace(scene, response=response)
    return replace(scene, response=_without(scene.response, set(mentions)))


def _concerned(scene: Scene, alteration: Alteration) -> list[int]:
    """List the mentions that an alteration drops or adds."""
    if alteration is Alteration.ADD_TO_RESPONSE:
        return twinless(scene.key, scene.response)
    mentions = twinless(scene.response, scene.key)
    if alteration is Alteration.DROP_LONE:
        lone = {entity[0] for entity in scene.response.entities if len(entity) == 1}
        return [mention for mention in mentions if mention in lone]
    return mentions


def _without(side: Partition, dropped: set[int]) -> Partition:
    entities = [
        [mention for mention in entity if mention not in dropped]
        for entity in side.entities
    ]
    left = [row for row, entity in enumerate(entities) if entity]
    return partition_of(
        side.letter,
        [entities[row] for row in left],
        [side.numbers[row] for row in left],
        last_read=side.last_read,
    )


def _with_lone(
    side: Partition, mentions: Sequence[int], as_read: Partition
) -> Partition:
    first = max(as_read.numbers, default=0) + 1
    return partition_of(
        side.letter,
        [*side.entities, *([mention] for mention in mentions)],
        [*side.numbers, *range(first, first + len(mentions))],
        last_read=side.last_read,
    )


def _walked(
    scene: Scene,
    purpose: str,
    alterations: Sequence[Alteration],
    plain: PlainSteps,
    *,
    sides: str = "KR",
) -> Steps:
    """Describe the alterations, list the result, and walk through the plain metric."""
    *before, altered = altered_scenes(scene, alterations)
    told: list[Told] = [f"For {purpose}:"]
    for number, (unaltered, alteration) in enumerate(
        zip(before, alterations, strict=True), start=1
    ):
        text = _worded(unaltered, alteration)
        told.append(Line(text, f"{number}. ", indent="  "))
    steps = plain(altered, sides=sides)
    told += ["Key and response then are:", *entity_lines(altered), "", *steps.told]
    return Steps(told, steps.quotients)


def _worded(scene: Scene, alteration: Alteration) -> Text:
    mentions = _concerned(scene, alteration)
    words = alteration.value[0].upper() + alteration.value[1:]
    if not mentions:
        return f"{words}: none."
    return f"{words}: ", scene.names.listing(mentions), f". {_PURPOSE[alteration]}"
