"""LEA step by step: importance, links, resolved links of each entity."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.explain.layout import listed
from corefkit.analysis.explain.listing import left_out_lines, written_entities
from corefkit.analysis.explain.names import MENTIONS
from corefkit.analysis.explain.numbers import (
    Lost,
    Quotient,
    Term,
    added,
    exactly,
    formatted,
)
from corefkit.analysis.explain.scene import parts
from corefkit.analysis.explain.walks import Steps, Walk
from corefkit.metrics.base import links, shared_links
from corefkit.report.walk.values import Line, Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.analysis.explain.scene import Part, Partition, Scene
    from corefkit.report.walk.values import Text

_INTRODUCTION = (
    "The importance of an entity is its size n; of its n(n-1)/2 links those are "
    "resolved that lie in one entity of the other side. A singleton has one link, to "
    "itself, resolved where the other side has the same singleton."
)


class Resolution(NamedTuple):
    """The links of an entity, and the parts of it that keep any."""

    importance: int  # the size of the entity
    links: Fraction  # how many it has
    resolved: Fraction  # how many of them are
    keeping: list[Part]  # the parts that keep links

    @property
    def share(self) -> Fraction:
        """The resolution score: the share of the links that is resolved."""
        return self.resolved / self.links


def lea_steps(scene: Scene) -> Steps:
    """Walk through LEA, entity by entity."""
    cells, left_out, quotients = [], [], []
    for side, other in scene.both_ways:
        entities = range(len(side.entities))
        resolutions = [_resolution(side, other, entity) for entity in entities]
        chosen = written_entities(side, other)
        cells += [
            (side.name(entity), *_cells(scene, other, resolutions[entity]))
            for entity in chosen
        ]
        left_out += left_out_lines(side, other, chosen)
        quotients.append(_quotient(side, other, resolutions, chosen))
    return Steps(
        [
            Line(_INTRODUCTION),
            Rows(cells, ("entity", "weight", "links", "share", "which")),
            *left_out,
        ],
        tuple(quotients),
    )


WALK = Walk(
    lea_steps,
    in_words=(
        "LEA counts links. Every two mentions of an entity are a link, so an entity of "
        "n mentions has n(n-1)/2. For each entity LEA takes the share of its links "
        "that the other side has too, and weighs it by the size of the entity.",
        "Recall falls where mentions of one key entity are not together in one "
        "response entity: all links between them are lost. It also falls where the "
        "response lacks mentions.",
        "Precision falls where a response entity has mentions of several key entities, "
        "or mentions that the key lacks: its links to them are wrong.",
        "A mention that is found but is linked to nothing right scores nothing. An "
        "entity of one mention scores only where the other side has it alone too.",
    ),
)


def _resolution(side: Partition, other: Partition, entity: int) -> Resolution:
    size, resolved = len(side.entities[entity]), Fraction(0)
    keeping: list[Part] = []
    for part in parts(side, other, entity):
        if part.other is not None:
            sizes = size, len(other.entities[part.other])
            kept = exactly(shared_links, len(part.mentions), *sizes)
            resolved += kept
            keeping += [part] if kept else []
    return Resolution(size, exactly(links, size), resolved, keeping)


def _cells(
    scene: Scene, other: Partition, entity: Resolution
) -> tuple[Text, Text, Text, Text]:
    kept = entity.keeping[:MENTIONS]
    sets = [
        (scene.names.braced(part.mentions), " in ", other.name(part.other or 0))
        for part in kept
    ]
    return (
        f"importance {entity.importance}",
        f"{entity.resolved} of {_links(entity.links)} resolved",
        f"resolution {formatted(entity.share)}",
        listed(sets, left_out=len(entity.keeping) - len(kept)),
    )


def _links(count: Fraction) -> str:
    return "1 link" if count == 1 else f"{count} links"


def _quotient(
    side: Partition,
    other: Partition,
    resolutions: Sequence[Resolution],
    chosen: Sequence[int],
) -> Quotient:
    resolved = [
        Term(
            one.importance * one.share,
            side.term(entity, f"{one.importance}·{formatted(one.share)}"),
        )
        for entity, one in enumerate(resolutions)
    ]
    weights = [
        Term(Fraction(one.importance), side.term(entity, str(one.importance)))
        for entity, one in enumerate(resolutions)
    ]
    letter = side.letter
    return Quotient(
        added(resolved, chosen),
        added(weights, chosen),
        f"sum of |{letter}|·resolution({letter}) / sum of |{letter}|",
        lost=Lost(
            side, other, [one.importance * (1 - one.share) for one in resolutions]
        ),
    )
