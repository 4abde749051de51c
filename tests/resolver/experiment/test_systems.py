"""Rows of the tables: their names, labels and linkings."""

from __future__ import annotations

from cistell.studies.study import Variant
from cistell.studies.systems import (
    FOUR,
    PICKED,
    SEVEN,
    baseline_systems,
    systems_of,
    trainings,
)


def test_seven_models_of_the_paper_are_run():
    systems = [*baseline_systems(), *systems_of("ib1", threshold=0.02)]
    assert {*SEVEN} < {system.model for system in systems}
    assert [system.printed for system in systems if system.model == PICKED] == [
        "super_strong"
    ]
    assert len({system.name for system in systems}) == len(systems) == 9


def test_sieve_stands_beside_the_papers_baselines():
    (sieve,) = (system for system in baseline_systems() if system.model not in SEVEN)
    assert (sieve.name, sieve.label, sieve.printed) == ("sieve", "SIEVE", "")


def test_super_strong_has_both_thresholds():
    found = {one.model: one for one in systems_of("ib1", threshold=0.0123)}
    assert found["super_strong"].linking.threshold == 0.09
    assert found["super_strong"].label == "SUPER STRONG < 0.09"
    assert found[PICKED].linking.threshold == 0.0123
    assert found[PICKED].label == "SUPER STRONG < 0.0123"


def test_variant_has_the_four_models_and_is_not_the_papers():
    variant = Variant("third", "a third of the documents")
    systems = systems_of("ib1", variant, threshold=0.02)
    assert [one.model for one in systems] == list(FOUR)
    assert systems[0].label == "STRONG, a third of the documents"
    assert {one.printed for one in systems} == {""}


def test_modern_learners_try_best_without_check():
    systems = systems_of("logistic")
    assert [one.model for one in systems] == ["strong", "best", "best_unchecked"]
    assert systems[-1].linking.check == "none"
    assert systems[-1].label == "BEST without check, logistic"


def test_variants_are_trained_by_the_first_learner_before_others():
    variants = (Variant("third", "a third"), Variant("all", "all types"))
    order = list(trainings(("ib1", "logistic"), variants))
    assert order == [
        ("ib1", None),
        ("ib1", variants[0]),
        ("ib1", variants[1]),
        ("logistic", None),
    ]
