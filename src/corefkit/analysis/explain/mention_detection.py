"""Mention detection step by step: which mentions were found, missed, invented."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.explain.numbers import Quotient, number
from corefkit.analysis.explain.walks import Steps, Walk
from corefkit.report.walk.values import Rows

if TYPE_CHECKING:
    from corefkit.analysis.explain.scene import Scene


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
            Rows(cells),
        ],
        (
            Quotient(found, number(len(key)), "found / mentions of the key"),
            Quotient(found, number(len(response)), "found / mentions of the response"),
        ),
    )


WALK = Walk(mention_steps)
