"""Metrics that contradict each other, told from metrics that differ by chance."""

from __future__ import annotations

import numpy as np
import pytest
from cistell.experiment.made import even, results_of

from corefkit.cistell.experiment.claims.base import PAPER_METRICS, Verdict
from corefkit.cistell.experiment.claims.contradiction import contradiction
from corefkit.cistell.experiment.systems import SEVEN

TEXTS = 12


def test_metrics_that_agree_do_not_contradict():
    scores = {
        model: dict.fromkeys(("muc", "b_cubed", "ceaf_m"), f1)
        for f1, model in zip((0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7), even(), strict=True)
    }
    assert contradiction(results_of(scores)).verdict is Verdict.FAILS
    scores["weak"]["b_cubed"] = 0.05
    found = contradiction(results_of(scores))
    assert found.verdict is Verdict.HOLDS
    assert "B³" in found.evidence[0]
    assert "WEAK" in found.evidence[0]


def test_contradiction_of_some_texts_is_noise():
    scores = even(weak={"muc": [0.9, 0.3, 0.3, 0.9, 0.3, 0.4], "b_cubed": 0.4})
    found = contradiction(results_of(scores))
    assert found.verdict is Verdict.NOISE


def test_a_single_text_tells_of_no_contradiction():
    scores = even(weak={"muc": 0.9, "b_cubed": 0.1})
    assert contradiction(results_of(scores)).verdict is Verdict.HOLDS
    found = contradiction(results_of(scores, count=1))
    assert (found.verdict, found.interval) == (Verdict.NOISE, None)


def test_the_surest_swap_is_told_and_not_the_largest():
    # BEST is far above all others under MUC, but in every second text only.
    scores = even(
        weak={"muc": 0.55, "b_cubed": 0.45},
        best={"muc": [1.0, 0.3] * 3, "b_cubed": 0.3},
    )
    found = contradiction(results_of(scores))
    assert found.verdict is Verdict.HOLDS
    assert found.value == pytest.approx(5)
    assert found.interval == pytest.approx((5, 5))
    assert "WEAK" in found.evidence[0]


def test_models_that_are_all_but_equal_are_not_told_where_no_swap_is_sure():
    scores = even(
        weak={"muc": [0.9, 0.3] * 3, "b_cubed": [0.4, 0.3] * 3},
        best={"muc": 0.5, "b_cubed": 0.5},
    )
    found = contradiction(results_of(scores))
    assert found.verdict is Verdict.NOISE
    assert "WEAK" in found.evidence[0]
    assert found.value == pytest.approx(10)


def test_swaps_are_counted_and_those_beyond_noise():
    scores = even(weak={"muc": 0.6, "b_cubed": 0.4})
    found = contradiction(results_of(scores))
    # WEAK against each of the six others, by MUC and B³.
    assert found.evidence[1].startswith(
        "6 of 63 pairs of models and metrics are swapped, 6 beyond noise"
    )


def no_contradiction(random, *, apart):
    """Let models be equal under every metric, or clearly apart under MUC alone."""
    scores = {
        model: {
            metric: random.normal(0.5, 0.03, TEXTS).clip(0, 1)
            for metric in PAPER_METRICS
        }
        for model in SEVEN
    }
    for step, model in enumerate(SEVEN):
        scores[model]["muc"] = scores[model]["muc"] / 2 + apart * step
    return results_of(scores, count=TEXTS)


@pytest.mark.slow
@pytest.mark.parametrize("apart", [0.0, 0.08], ids=["equal", "apart under MUC"])
def test_a_study_without_contradictions_is_said_to_have_one_in_a_fortieth_at_most(
    apart,
):
    # Models that are apart under MUC alone are the harder case: each of the many small
    # differences under the other metrics is by itself a chance of a swap.
    random = np.random.default_rng(11)
    runs = 400
    found = [contradiction(no_contradiction(random, apart=apart)) for _ in range(runs)]
    assert sum(one.verdict is Verdict.HOLDS for one in found) <= runs / 40
