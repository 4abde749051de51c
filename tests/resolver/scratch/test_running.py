"""A whole training from scratch, on very little."""

from __future__ import annotations

import pytest
from resolver.stories import written_stories

from cistell.loading import context_for
from cistell.scratch import Options, train_from_scratch

pytestmark = pytest.mark.slow
pytest.importorskip("lightgbm")
pytest.importorskip("ufal.udpipe")


def options(**more):
    context = context_for("en", entity_types="all", wordnet="none")
    return Options(context, epochs=1, small=True, **more)


@pytest.fixture
def tales(tmp_path):
    for part, count in (("train", 16), ("dev", 3), ("test", 3)):
        written_stories(tmp_path / f"tales-{part}.conllu", count, seed=count)
    return tmp_path


def test_same_seed_same_bytes_for_any_number_of_processes(tales):
    bodies = []
    for jobs in (1, 2):
        outcome = train_from_scratch(tales, options(jobs=jobs))
        outcome.resolver.save(tales / "m.model")
        bodies.append((tales / "m.model").read_bytes())
    assert bodies[0] == bodies[1]
    names = {(one.stage, one.name) for one in outcome.scores}
    assert {("raw text", "CoNLL"), ("raw text, sieve", "CoNLL")} <= names
    assert next(iter(outcome.resolver.card.scores)) == "raw text: tokens F1"
    assert outcome.resolver("Ann sold the mill. She missed the mill.").entities


def test_thresholds_do_without_a_development_part_and_scores_without_a_test(tales):
    for part in ("dev", "test"):
        (tales / f"tales-{part}.conllu").unlink()
    shown = []
    outcome = train_from_scratch(tales, options(), show=shown.append)
    assert outcome.scores == ()
    assert {*outcome.resolver.model.biases} == {"gold", "found"}
    assert outcome.resolver.model.training["documents"] == 16
    done = [one.done for one in shown]
    assert done == sorted(done)
    assert shown[-1].done <= 1
