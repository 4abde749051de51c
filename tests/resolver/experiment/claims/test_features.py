"""Claims on features, judged on made-up gain ratios."""

from __future__ import annotations

from resolver.experiment.made import even, pairs_of, results_of, setting_of

from cistell.studies.claims.base import Verdict
from cistell.studies.claims.features import (
    apposition,
    feature_findings,
    overlap,
)
from cistell.studies.study import Variant

BEST = ["head_match", "is_a_match", "pronoun_second", "entity_type_match"]
OTHERS = [f"other_{number}" for number in range(20)]


def features(names, paper="", **options):
    results = results_of(
        even(), setting=setting_of(paper=paper), pairs=pairs_of(names, **options)
    )
    return {one.claim: one for one in feature_findings(results)}


def test_features_that_are_first_are_among_the_best():
    found = features([*BEST, *OTHERS], "table-3-ancora")["features"]
    assert found.verdict is Verdict.HOLDS
    assert "head match 1, is-a match 2, pronoun second 3 of 24" in found.evidence[0]


def test_one_that_is_late_is_not():
    late = ["head_match", "is_a_match", *OTHERS, "entity_type_match"]
    assert features(late, "table-5-ace")["features"].verdict is Verdict.FAILS


def test_feature_that_is_not_there_is_told():
    found = features(["head_match", "entity_type_match", *OTHERS])["features"]
    assert found.verdict is Verdict.HOLDS
    assert found.evidence[-1] == "left out: is-a match"


def test_better_of_two_on_one_thing_counts():
    names = [*BEST, *OTHERS, "pronoun_first"]
    assert features(names, "table-3-ancora")["features"].verdict is Verdict.HOLDS


def test_syntax_is_asked_of_automatic_trees():
    names = ["apposition", *BEST, *OTHERS]
    assert "features-syntax" not in features(names, "table-5-ace")
    found = features(names, "table-7-ace")["features-syntax"]
    assert found.verdict is Verdict.FAILS
    found = features([*BEST, *OTHERS, "apposition"], "table-7-ace")
    assert found["features-syntax"].verdict is Verdict.HOLDS


def told(coreferent, pairs=200):
    answers = {"apposition": {"pairs": pairs, "coreferent": coreferent}}
    names = ["apposition", "nominal_predicate"]
    return results_of(even(), pairs=pairs_of(names, answers=answers))


def test_apposition_has_opposite_effects():
    # A tenth of all pairs is coreferent.
    found = apposition(told(150), told(2))
    assert found.verdict is Verdict.HOLDS
    assert "75.0 % of the 200 training pairs in apposition" in found.evidence[0]
    assert apposition(told(150), told(150)).verdict is Verdict.FAILS
    assert apposition(told(2), told(2)).verdict is Verdict.FAILS
    assert apposition(told(150), told(1, pairs=8)).verdict is Verdict.NOISE
    assert apposition(told(150), told(0, pairs=0)).verdict is Verdict.NOISE


def test_overlap_counts_the_ten_first():
    one = results_of(even(), pairs=pairs_of([*BEST, *OTHERS]))
    same = overlap(one, one)
    assert (same.verdict, same.value) == (Verdict.HOLDS, 10)
    other = results_of(even(), pairs=pairs_of([*BEST, *OTHERS[::-1]]))
    found = overlap(one, other)
    assert (found.verdict, found.value) == (Verdict.FAILS, 4)


def test_rank_of_types_on_all_mentions_is_told():
    variant = Variant("all-types", "with all types", entity_types="all")
    results = results_of(
        even(),
        setting=setting_of(variants=(variant,)),
        pairs=pairs_of([*OTHERS, "entity_type_match"]),
        variant_pairs={"all-types": pairs_of(["head_match", "entity_type_match"])},
    )
    (found,) = feature_findings(results)
    assert found.reasons == (
        "entity types are looked at on names",
        "on all mentions, entity type match has rank 2",
    )
