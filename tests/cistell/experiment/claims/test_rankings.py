"""Claims on rankings, judged on made-up scores."""

from __future__ import annotations

import pytest
from cistell.experiment.made import even, facts_of, results_of, setting_of

from corefkit.cistell.experiment.claims.base import Verdict
from corefkit.cistell.experiment.claims.rankings import ranking_findings
from corefkit.cistell.experiment.systems import PICKED


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
