"""The closest entity step by step: each entity, and the one that is most like it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.explain.listing import left_out_lines, written_entities
from corefkit.analysis.explain.numbers import (
    Lost,
    Quotient,
    Term,
    added,
    exactly,
    number,
)
from corefkit.analysis.explain.scene import parts
from corefkit.analysis.explain.walks import Steps, Walk
from corefkit.metrics.closest import jaccard
from corefkit.report.walk.values import Line, Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.analysis.explain.scene import Part, Partition, Scene
    from corefkit.report.walk.values import Text

_INTRODUCTION = (
    "J(K,R) = |K∩R| / (|K|+|R|-|K∩R|). Of each entity the closest one of the other "
    "side counts; it may be the closest of several."
)


class Closest(NamedTuple):
    """What an entity shares with the closest one, if it shares anything."""

    size: int
    alike: Fraction
    part: Part | None


def closest_steps(scene: Scene) -> Steps:
    """Walk through the entities, each with its closest one."""
    cells, left_out, quotients = [], [], []
    for side, other in scene.both_ways:
        found = [_closest(side, other, entity) for entity in range(len(side.entities))]
        chosen = written_entities(side, other)
        cells += [
            (side.name(entity), *_cells(scene, other, found[entity]))
            for entity in chosen
        ]
        left_out += left_out_lines(side, other, chosen)
        quotients.append(_quotient(side, other, found, chosen))
    rows = Rows(cells, ("entity", "closest", "share", "which"))
    return Steps([Line(_INTRODUCTION), rows, *left_out], tuple(quotients))


WALK = Walk(
    closest_steps,
    in_words=(
        "The closest entity is the one of the other side that is most like an entity: "
        "the mentions that both have, over the mentions that either has. Each entity "
        "counts the same, whatever its size.",
        "Recall falls where key entities are divided, mixed with others or not found.",
        "Precision falls where response entities lack mentions or have too many.",
        "Nothing is aligned: one response entity can be the closest of several key "
        "entities.",
    ),
)


def _closest(side: Partition, other: Partition, entity: int) -> Closest:
    size, best = len(side.entities[entity]), Closest(0, Fraction(0), None)
    for part in parts(side, other, entity):
        if part.other is not None:
            sizes = size, len(other.entities[part.other])
            alike = exactly(jaccard, len(part.mentions), *sizes)
            if alike > best.alike:
                best = Closest(sum(sizes) - len(part.mentions), alike, part)
    return best


def _cells(scene: Scene, other: Partition, closest: Closest) -> tuple[Text, Text, Text]:
    if closest.part is None or closest.part.other is None:
        return "shares no mention", "0", ""
    shared = closest.part.mentions
    return (
        ("closest to ", other.name(closest.part.other)),
        f"{len(shared)}/{closest.size}",
        scene.names.braced(shared),
    )


def _quotient(
    side: Partition, other: Partition, found: Sequence[Closest], chosen: Sequence[int]
) -> Quotient:
    terms = [
        Term(closest.alike, side.term(entity, str(closest.alike)))
        for entity, closest in enumerate(found)
    ]
    letter = side.letter
    return Quotient(
        added(terms, chosen),
        number(len(found)),
        f"sum of the largest J of each {letter} / number of {letter}",
        lost=Lost(side, other, [1 - closest.alike for closest in found]),
    )
