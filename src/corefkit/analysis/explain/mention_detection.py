"""Mention detection step by step: which mentions were found, missed, invented."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from corefkit.analysis.explain.numbers import Lost, Quotient, number
from corefkit.analysis.explain.walks import Steps, Walk
from corefkit.report.walk.values import Rows

if TYPE_CHECKING:
    from corefkit.analysis.explain.scene import Partition, Scene


def mention_steps(scene: Scene) -> Steps:
    """Walk through mention detection."""
    key, response = scene.key.where, scene.response.where
    sets = {
        "found": sorted(key.keys() & response.keys()),
        "missing": sorted(key.keys() - response.keys()),
        "spurious": sorted(response.keys() - key.keys()),
    }
    cells = [
        (name, str(len(mentions)), scene.names.braced(mentions))
        for name, mentions in sets.items()
    ]
    found = number(len(sets["found"]))
    return Steps(
        [
            "A mention is found where the response has it too, whatever its entity.",
            Rows(cells, ("mentions", "count", "which")),
        ],
        (
            *(
                Quotient(
                    found,
                    number(len(side.where)),
                    f"found / mentions of the {name}",
                    lost=Lost(side, other, _lost(side, other)),
                )
                for (side, other), name in zip(
                    scene.both_ways, ("key", "response"), strict=True
                )
            ),
        ),
    )


WALK = Walk(
    mention_steps,
    in_words=(
        "Mention detection asks only whether a mention is there, whatever its entity.",
        "Recall falls for each key mention that the response lacks.",
        "Precision falls for each response mention that the key lacks.",
        "A mention with one word too many or too few is lacking on both sides, unless "
        "the matching is looser than exact.",
    ),
)


def _lost(side: Partition, other: Partition) -> list[Fraction]:
    return [
        Fraction(sum(mention not in other.where for mention in entity))
        for entity in side.entities
    ]
