"""MUC step by step: the parts of each entity, and the links they keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.explain.layout import listed
from corefkit.analysis.explain.listing import left_out_lines, written_entities
from corefkit.analysis.explain.names import MENTIONS
from corefkit.analysis.explain.numbers import (
    Lost,
    Quotient,
    Term,
    added,
    exactly,
    total,
)
from corefkit.analysis.explain.scene import parts
from corefkit.analysis.explain.walks import Steps, Walk
from corefkit.metrics.muc import tree_links
from corefkit.report.walk.values import Line, Rows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from corefkit.analysis.explain.scene import Part, Partition, Scene
    from corefkit.report.walk.values import Text

_INTRODUCTION = (
    "The response entities part each key entity K into p(K), the key entities each "
    "response entity R into p'(R); a mention that the other side lacks is a part by "
    "itself. An entity of n mentions in m parts keeps n-m of its n-1 links; singletons "
    "have none and are left out."
)


def muc_steps(scene: Scene) -> Steps:
    """Walk through MUC, with the partitions of Figure 1 of Pradhan et al. 2014."""
    cells, left_out, quotients = [], [], []
    for side, other in scene.both_ways:
        chosen = written_entities(side, other, smallest=2)
        pieces = [parts(side, other, entity) for entity in range(len(side.entities))]
        cells += [_row(scene, side, entity, pieces[entity]) for entity in chosen]
        left_out += left_out_lines(side, other, chosen, smallest=2)
        quotients.append(_quotient(side, other, pieces, chosen))
    return Steps(
        [
            Line(_INTRODUCTION),
            Rows(cells, ("parts of", "links", "the parts")),
            *left_out,
        ],
        tuple(quotients),
    )


WALK = Walk(
    muc_steps,
    in_words=(
        "MUC counts links. An entity of n mentions is held together by n-1 links, like "
        "beads on a string. The response cuts the string of a key entity into pieces; "
        "each cut is a link that it lacks.",
        "Recall falls where a key entity lies in several response entities, or where "
        "the response lacks its mentions.",
        "Precision falls where a response entity puts mentions of several key entities "
        "together, or has mentions that the key lacks.",
        "To merge two entities costs one link, however large they are: MUC is mild to "
        "a response that links too much. Entities of one mention have no link and do "
        "not count.",
    ),
)


def _row(
    scene: Scene, side: Partition, entity: int, pieces: Sequence[Part]
) -> tuple[Text, Text, Text]:
    size, count = len(side.entities[entity]), len(pieces)
    kept = pieces[:MENTIONS]
    sets = [scene.names.braced(part.mentions) for part in kept]
    return (
        (f"{_partition(side.letter)}(", side.name(entity), ")"),
        f"keeps {size}-{count} = {_kept(pieces)}",
        listed(sets, left_out=count - len(kept), between=" "),
    )


def _quotient(
    side: Partition,
    other: Partition,
    pieces: Sequence[Sequence[Part]],
    chosen: Sequence[int],
) -> Quotient:
    linked = [
        entity for entity, mentions in enumerate(side.entities) if len(mentions) > 1
    ]
    written = [row for row, entity in enumerate(linked) if entity in set(chosen)]
    sizes = [len(side.entities[entity]) for entity in linked]
    kept = [
        Term(
            _kept(pieces[entity]), side.term(entity, f"({size}-{len(pieces[entity])})")
        )
        for entity, size in zip(linked, sizes, strict=True)
    ]
    needed = [
        Term(exactly(tree_links, size), side.term(entity, f"({size}-1)"))
        for entity, size in zip(linked, sizes, strict=True)
    ]
    lost = [
        exactly(tree_links, len(mentions)) - _kept(pieces[entity])
        for entity, mentions in enumerate(side.entities)
    ]
    letter = side.letter
    formula = f"sum of (|{letter}|-|{_partition(letter)}({letter})|)"
    return Quotient(
        added(kept, written),
        added(needed, written),
        f"{formula} / sum of (|{letter}|-1)",
        lost=Lost(side, other, lost),
    )


def _kept(pieces: Sequence[Part]) -> Fraction:
    """Add up the links that the parts keep; a mention on its own keeps none."""
    return total(exactly(tree_links, len(part.mentions)) for part in pieces)


def _partition(letter: str) -> str:
    return "p" if letter == "K" else "p'"
