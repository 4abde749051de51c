"""Models and thresholds from annotated documents, some of them held out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from resolver.stories import stories

from cistell import fitting
from cistell.features import chosen_features
from cistell.fitting import UNCHECKED, Trials, fit, fit_links, recipe_for
from cistell.loading import context_for
from cistell.modelfile import FOUND, GOLD, RANKING
from cistell.models import LINKINGS
from corefkit.exceptions import SettingsError

CONTEXT = context_for("en", wordnet="none")
FEATURES = chosen_features("en", without=["is_a_match", "supertype_match"])


def recipe(**options):
    return recipe_for(CONTEXT, FEATURES, **{"learner": "ib1", **options})


def test_defaults_are_the_best_and_the_paper_is_one_word_away():
    best, paper = recipe(learner=None), recipe(learner=None, paper=True)
    assert (best.learner, best.tagger, best.tuned) == (RANKING, True, True)
    assert (paper.learner, paper.tagger, paper.tuned) == ("timbl", False, False)
    assert paper.linking == LINKINGS["best"]
    assert recipe(learner=None, link="weak").learner == "boosting"
    with pytest.raises(SettingsError, match="'moon'"):
        recipe(link="moon")


def test_thresholds_are_picked_for_given_and_for_found_mentions():
    model = fit(stories(12), recipe())
    assert {*model.linkings} == {GOLD, FOUND}
    for linking in model.linkings.values():
        assert replace(linking, threshold=None) == UNCHECKED
        assert linking.threshold is not None
    assert {*model.training["thresholds"]} == {*LINKINGS}
    assert model.tagger is not None


@pytest.fixture
def learned(monkeypatch):
    """Collect how many documents each training has."""
    counts = []
    plain = fitting._trained

    def counted(documents, *rest, **options):
        counts.append(len(documents))
        return plain(documents, *rest, **options)

    monkeypatch.setattr(fitting, "_trained", counted)
    return counts


def test_a_tenth_is_held_out_and_then_learned_from(learned):
    model = fit(stories(20), recipe(tagger=False))
    assert learned == [18, 20]
    assert model.training["documents"] == 20


def test_nothing_is_held_out_of_what_is_given_beside(learned):
    fit(stories(12), recipe(tagger=False), heldout=stories(3, seed=8))
    assert learned == [12]


def test_hardly_any_documents_are_all_learned_from(learned):
    model = fit(stories(3), recipe(tagger=False))
    assert learned == [3]
    assert model.linkings == {GOLD: UNCHECKED, FOUND: UNCHECKED}


def test_without_trials_there_is_no_threshold():
    model = fit_links(stories(6), recipe(), trials=Trials())
    assert model.linkings == {GOLD: UNCHECKED, FOUND: UNCHECKED}
    assert "thresholds" not in model.training


def split(document):
    """Make an entity of every mention."""
    return replace(
        document,
        entities=tuple(
            replace(entity, id=f"{entity.id}-{number}", mentions=(mention,))
            for entity in document
            for number, mention in enumerate(entity)
        ),
    )


def test_found_mentions_are_judged_by_the_key():
    """Where the key has no coreference, fewer decisions should count."""
    documents, judged = stories(12), stories(4, seed=8)
    thresholds = [
        fit_links(documents, recipe(), trials=Trials(key, judged)).linkings[FOUND]
        for key in (list(map(split, judged)), judged)
    ]
    assert thresholds[0].threshold < thresholds[1].threshold
