"""Claims between settings, judged on made-up scores."""

from __future__ import annotations

import pytest
from resolver.experiment.made import even, pairs_of, results_of, setting_of, study_of

from cistell.studies.claims import across_findings, findings
from cistell.studies.claims.base import Verdict
from cistell.studies.study import Variant
from cistell.studies.systems import FOUR, SEVEN

ANSWERS = {"apposition": {"pairs": 200, "coreferent": 150}}
PAIRS = pairs_of(["apposition", "nominal_predicate"], answers=ANSWERS)


def across(*settings):
    return {one.claim: one for one in across_findings(study_of(*settings))}


def level(f1, models=SEVEN, start=None, metrics=("muc", "b_cubed", "ceaf_m")):
    scores = start or even()
    for model in models:
        scores[model] |= dict.fromkeys(metrics, f1)
    return scores


def test_gold_trees_are_set_against_automatic_ones():
    gold = results_of(level(0.6), setting=setting_of("gold", paper="table-5-ace"))
    automatic = results_of(
        level(0.55),
        setting=setting_of("auto", preprocessing="udpipe", paper="table-7-ace"),
    )
    found = across(gold, automatic)["preprocessing"]
    assert found.verdict is Verdict.HOLDS
    assert found.value == pytest.approx(5)
    assert found.settings == ("Gold", "Auto")
    assert found.printed == pytest.approx(3.89, abs=0.01)
    assert "0 test mentions, 0.0 %, have no node" in found.reasons[-1]


def test_automatic_trees_are_as_good_where_the_paper_has_it_so():
    gold = results_of(level(0.6), setting=setting_of("gold", paper="table-5-ontonotes"))
    automatic = results_of(
        level(0.55),
        setting=setting_of("auto", preprocessing="udpipe", paper="table-7-ontonotes"),
    )
    found = across(gold, automatic)["preprocessing"]
    assert found.verdict is Verdict.FAILS
    assert found.value == pytest.approx(-5)
    assert found.says == "automatic preprocessing gives no lower scores than gold"
    assert found.printed == pytest.approx(2.29, abs=0.01)


def test_all_mentions_are_not_what_the_paper_looks_at():
    gold = results_of(level(0.6), setting=setting_of("gold", paper="table-5-ontonotes"))
    automatic = setting_of(
        "auto",
        preprocessing="udpipe",
        paper="table-7-ontonotes",
        drop_without_node=False,
    )
    found = across(gold, results_of(level(0.55), setting=automatic))["preprocessing"]
    assert (found.verdict, found.printed) == (Verdict.HOLDS, None)
    assert found.says == "gold preprocessing gives higher scores than automatic"


def test_other_schemes_are_no_preprocessing():
    gold = results_of(level(0.6), setting=setting_of("gold", scheme="ace"))
    automatic = results_of(
        level(0.5), setting=setting_of("auto", preprocessing="udpipe")
    )
    assert across(gold, automatic) == {}


def test_language_makes_little_difference_or_much():
    english = results_of(level(0.6), setting=setting_of("english"), pairs=PAIRS)
    french = setting_of("french", language="fr")
    near = across(english, results_of(level(0.61), setting=french, pairs=PAIRS))
    assert near["language"].verdict is Verdict.HOLDS
    assert near["language"].value == pytest.approx(-1)
    far = across(english, results_of(level(0.7), setting=french, pairs=PAIRS))
    assert far["language"].verdict is Verdict.FAILS
    assert "features-language" in far


def variant_results(variant, less, **options):
    setting = setting_of(variants=(variant,), **options)
    scores = level(0.6, FOUR)
    scores |= {
        f"{variant.name}:{model}": dict.fromkeys(("muc", "b_cubed", "ceaf_m"), less)
        for model in FOUR
    }
    return results_of(scores, setting=setting)


def test_more_training_data_helps_little_or_much():
    third = Variant("third", "a third", train_share=0.3)
    found = across(variant_results(third, 0.59))["training-data"]
    assert (found.verdict, found.value) == (Verdict.HOLDS, pytest.approx(1))
    assert found.printed == pytest.approx(0.76, abs=0.01)
    found = across(variant_results(third, 0.5))["training-data"]
    assert found.verdict is Verdict.FAILS


def test_feature_left_out_helps_or_not():
    less = Variant("less", "without function", without=("function_first",))
    found = across(variant_results(less, 0.63, preprocessing="udpipe"))["variant-less"]
    assert (found.verdict, found.where) == (Verdict.HOLDS, "section 6")
    assert found.value == pytest.approx(3)
    found = across(variant_results(less, 0.55))["variant-less"]
    assert (found.verdict, found.where) == (Verdict.FAILS, "")


def test_types_on_all_mentions_help_or_not():
    types = Variant("all-types", "with all types", entity_types="all")
    found = across(variant_results(types, 0.63))["variant-all-types"]
    assert (found.verdict, found.where) == (Verdict.HOLDS, "section 6")
    assert found.says == "with all types the four models score higher"


def test_schemes_of_the_same_texts_are_compared():
    onto = results_of(
        level(0.8, ["all_singletons", "head_match"], level(0.5)),
        setting=setting_of("onto", scheme="ontogum-nps", paper="table-5-ontonotes"),
        pairs=PAIRS,
    )
    ace_scores = level(0.6, ["all_singletons"], level(0.5))
    ace_scores["head_match"]["b_cubed"] = 0.75
    for model in FOUR:
        ace_scores[model]["muc"] = 0.6
    ace = results_of(
        ace_scores,
        setting=setting_of("ace", scheme="ace", paper="table-5-ace"),
        pairs=PAIRS,
    )
    found = across(ace, onto)
    assert found["scheme-singletons"].value == pytest.approx(20)
    assert found["scheme-muc"].value == pytest.approx(10)
    assert found["scheme-heads"].value == pytest.approx(15)
    for claim in ("scheme-singletons", "scheme-muc", "scheme-heads"):
        assert found[claim].verdict is Verdict.HOLDS
        assert found[claim].printed > 0
        assert found[claim].settings == ("Onto", "Ace")
    assert found["apposition"].settings == ("Ace", "Onto")


def test_schemes_of_other_texts_are_not():
    onto = setting_of("onto", scheme="ontogum-nps", paper="table-5-ontonotes")
    ace = setting_of("ace", scheme="ace", paper="table-5-ace")
    pair = results_of(even(), setting=onto), results_of(even(), setting=ace, count=5)
    assert across(*pair) == {}


def test_findings_on_one_claim_stand_together():
    settings = (
        results_of(even(weak={"muc": 0.6}), setting=setting_of("one")),
        results_of(even(), setting=setting_of("two", scheme="ace")),
    )
    claims = [one.claim for one in findings(study_of(*settings))]
    assert claims[:2] == ["muc-weak", "muc-weak"]
    assert len(claims) == 2 * len(set(claims))
