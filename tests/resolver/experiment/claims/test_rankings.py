"""Claims on rankings, judged on made-up scores."""

from __future__ import annotations

import numpy as np
import pytest
from resolver.experiment.made import even, facts_of, results_of, setting_of

from cistell.studies.claims.base import PAPER_METRICS, Verdict
from cistell.studies.claims.rankings import contradiction, ranking_findings
from cistell.studies.systems import PICKED, SEVEN


def finding(results, claim):
    found = [one for one in ranking_findings(results) if one.claim == claim]
    return found[0] if found else None


def test_clear_lead_holds():
    found = finding(results_of(even(weak={"muc": 0.6})), "muc-weak")
    assert found.verdict is Verdict.HOLDS
    assert found.value == pytest.approx(10)
    assert found.interval == pytest.approx((10, 10))
    assert found.printed is None


def test_clear_lag_does_not_hold():
    found = finding(results_of(even(weak={"muc": 0.4})), "muc-weak")
    assert found.verdict is Verdict.FAILS
    assert found.value == pytest.approx(-10)


def test_lead_in_some_texts_only_is_noise():
    scores = even(weak={"muc": [0.9, 0.3, 0.3, 0.9, 0.3, 0.4]})
    found = finding(results_of(scores), "muc-weak")
    assert found.verdict is Verdict.NOISE
    assert found.interval.low < 0 < found.interval.high


def test_rival_is_the_best_other_of_each_draw():
    # Each of two rivals is ahead in half of the texts: WEAK is ahead of each alone.
    scores = even(
        weak={"muc": 0.6},
        strong={"muc": [0.9, 0.9, 0.9, 0.1, 0.1, 0.1]},
        best={"muc": [0.1, 0.1, 0.1, 0.9, 0.9, 0.9]},
    )
    found = finding(results_of(scores), "muc-weak")
    assert found.value == pytest.approx(10)
    assert found.verdict is Verdict.NOISE


def test_what_the_papers_table_does_not_show_is_not_asked():
    scores = even(all_singletons={"b_cubed": 0.9})
    onto = results_of(scores, setting=setting_of(paper="table-5-ontonotes"))
    ace = results_of(scores, setting=setting_of(paper="table-5-ace"))
    assert finding(onto, "b3-singletons").printed == pytest.approx(84.18 - 81.97)
    assert finding(onto, "b3-singletons").verdict is Verdict.HOLDS
    assert finding(ace, "b3-singletons") is None


@pytest.mark.parametrize(
    ("paper", "model", "says"),
    [
        ("table-3-ontonotes", PICKED, "CEAF prefers SUPER STRONG or BEST"),
        ("table-5-ace", "strong", "CEAF prefers STRONG or BEST"),
        ("table-7-ace", "head_match_pron", "CEAF prefers HEAD MATCH + PRON"),
        ("", "best", "CEAF prefers SUPER STRONG or BEST"),
    ],
)
def test_ceaf_prefers_what_the_paper_says_of_the_dataset(paper, model, says):
    scores = even(**{model: {"ceaf_m": 0.7}})
    found = finding(results_of(scores, setting=setting_of(paper=paper)), "ceaf-divided")
    assert (found.says, found.verdict) == (says, Verdict.HOLDS)
    scores = even(weak={"ceaf_m": 0.7})
    found = finding(results_of(scores, setting=setting_of(paper=paper)), "ceaf-divided")
    assert found.verdict is Verdict.FAILS


@pytest.mark.parametrize(
    ("claim", "metric"), [("b3-weak", "b_cubed"), ("ceaf-weak", "ceaf_m")]
)
def test_weak_is_compared_with_the_worst_other_model(claim, metric):
    low = even(weak={metric: 0.3}, strong={metric: 0.4})
    assert finding(results_of(low), claim).value == pytest.approx(10)
    # A baseline is no model.
    low["head_match"][metric] = 0.1
    assert finding(results_of(low), claim).verdict is Verdict.HOLDS
    low["strong"][metric] = 0.2
    assert finding(results_of(low), claim).verdict is Verdict.FAILS


def test_links_fall_from_weak_to_best():
    links = {"weak": 30, "strong": 20, "best": 15}
    found = finding(results_of(even(), links=links), "links")
    assert (found.verdict, found.value) == (Verdict.HOLDS, 30)
    assert "WEAK 180, STRONG 120, BEST 90" in found.evidence[0]
    links["best"] = 25
    found = finding(results_of(even(), links=links), "links")
    assert found.verdict is Verdict.FAILS


def test_links_of_the_paper_stand_beside():
    results = results_of(even(), setting=setting_of(paper="table-3-ontonotes"))
    found = finding(results, "links")
    assert found.printed == 162
    assert "WEAK 946, STRONG 778, BEST 616" in found.evidence[1]


def test_modern_learner_must_be_ahead_on_every_metric():
    ahead = {"best": {"muc": 0.7, "b_cubed": 0.7, "ceaf_m": 0.7, "lea": 0.6}}
    found = finding(results_of(even(), modern=ahead), "modern")
    assert (found.verdict, found.where) == (Verdict.HOLDS, "")
    assert found.value == pytest.approx(10)
    ahead["best"]["lea"] = 0.4
    assert finding(results_of(even(), modern=ahead), "modern").verdict is Verdict.FAILS
    assert finding(results_of(even()), "modern") is None


def test_reasons_are_counted_from_the_corpus():
    scores = even(head_match_pron={"muc": 0.6})
    results = results_of(
        scores,
        setting=setting_of(paper="table-3-ontonotes"),
        test=facts_of(pronouns=24, singletons=77),
    )
    reasons = finding(results, "muc-weak").reasons
    assert "24.0 % of the mentions are pronouns" in reasons[1]
    assert "(in the paper 17.6 %)" in reasons[1]
    (line,) = finding(results, "b3-singletons").reasons
    assert line == "77.0 % of the entities are singletons (in the paper 82.5 %)"


def test_literal_threshold_is_told_where_super_strong_is_the_rival():
    scores = even(**{PICKED: {"muc": 0.6}}, weak={"muc": 0.55})
    scores["super_strong"] = {"muc": 0.45}
    reasons = finding(results_of(scores), "muc-weak").reasons
    assert "0.09 SUPER STRONG has 45.00" in reasons[-1]


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
