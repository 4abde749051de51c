"""Why a comparison may not say what it seems to say."""

from __future__ import annotations

import pytest
from comparisons import TWENTY, made

from corefkit.analysis.compare.judging import collect_warnings

NAMES = [*TWENTY]
SAID = "LEA, MUC: borderline, more --samples could decide otherwise: "


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, []),
        (1, [f"{SAID}{NAMES[0]} and {NAMES[1]}"]),
        (4, [f"{SAID}many pairs"]),
        (9, [f"{SAID}many pairs"]),
    ],
)
def test_borderline_pairs_are_named_if_they_are_few(number, said):
    p = {(NAMES[0], name): 0.05 / 190 for name in NAMES[1 : 1 + number]}
    scores = dict.fromkeys(NAMES, 0.5) | {NAMES[0]: 0.501}
    comparison = made(scores, metrics=["lea", "muc"], p=p)
    assert collect_warnings(comparison.metrics) == said
