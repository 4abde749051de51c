"""Rows of the tables: their names, labels and linkings."""

from __future__ import annotations

from corefkit.cistell.experiment.study import Variant
from corefkit.cistell.experiment.systems import (
    FOUR,
    PICKED,
    SEVEN,
    baseline_systems,
    memory_systems,
    modern_systems,
    variant_systems,
)


def test_seven_models_of_the_paper_are_run():
    systems = [*baseline_systems(), *memory_systems("timbl", 0.02)]
    assert {*SEVEN} < {system.model for system in systems}
    assert [system.printed for system in systems if system.model == PICKED] == [
        "super_strong"
    ]
    assert len({system.name for system in systems}) == len(systems) == 8


def test_super_strong_has_both_thresholds():
    found = {one.model: one for one in memory_systems("timbl", 0.0123)}
    assert found["super_strong"].linking.threshold == 0.09
    assert found["super_strong"].label == "SUPER STRONG < 0.09"
    assert found[PICKED].linking.threshold == 0.0123
    assert found[PICKED].label == "SUPER STRONG < 0.0123"


def test_variant_has_the_four_models_and_is_not_the_papers():
    variant = Variant("third", "a third of the documents")
    systems = variant_systems("timbl", 0.02, variant)
    assert [one.model for one in systems] == list(FOUR)
    assert systems[0].label == "STRONG, a third of the documents"
    assert {one.printed for one in systems} == {""}


def test_modern_learners_try_best_without_check():
    systems = modern_systems("boosting")
    assert [one.model for one in systems] == ["strong", "best", "best_unchecked"]
    assert systems[-1].linking.check == "none"
    assert systems[-1].label == "BEST without check, boosting"
