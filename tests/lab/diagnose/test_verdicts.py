"""Verdicts in words."""

from __future__ import annotations

import pytest

from corefkit.lab.diagnosis import Verdict


@pytest.mark.parametrize(
    ("verdict", "sentence"),
    [
        (
            Verdict("less_precise_a", "b_cubed", "f1", 0.6052, 0.6221),
            "B³: F1 rose by 1.69 points (60.52 to 62.21) although nothing right "
            "was added.",
        ),
        (
            Verdict("more_precise", "blanc", "recall", 0.5746, 0.536),
            "BLANC: recall fell by 3.86 points (57.46 to 53.60) although nothing "
            "right was taken away.",
        ),
        (
            Verdict("less_precise_b", "conll", "f1", 0.5, 0.50001),
            "CoNLL: F1 rose by less than 0.01 points (50.00 to 50.00) although "
            "nothing right was added.",
        ),
        (
            Verdict("all_singletons", "ceaf_e", "precision", 0.0, 0.0499),
            "CEAFe: precision is 4.99 although there is no link at all.",
        ),
        (
            Verdict("all_singletons", "b_cubed_sys", "recall", 0.2, 0.25),
            "B³sys: recall is 25.00, 20.00 of it for key singletons although there "
            "is no link at all.",
        ),
        (
            Verdict("one_entity", "muc", "f1", 0.726, 0.8791),
            "MUC: F1 rose by 15.31 points (72.60 to 87.91) when all mentions of a "
            "document became one entity.",
        ),
    ],
    ids=lambda one: f"{one.version} {one.field}" if isinstance(one, Verdict) else "",
)
def test_verdict_says_what_is_wrong(verdict, sentence):
    assert verdict.sentence == sentence
