from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from cistell.lexica import context, lexicon
from cistell.trees import parsed

import corefkit
from corefkit.cistell.features import FEATURES, chosen_features, codes_of
from corefkit.cistell.features.base import Pairs
from corefkit.cistell.lexicon import Missing
from corefkit.cistell.sampling import Sampling
from corefkit.cistell.table import annotated_table
from corefkit.cistell.training import train, training_pairs, usable_features
from corefkit.model import Document

STORY = parsed(
    "[ Ann/PROPN/2/nsubj/Number=Sing ]a:person bought/VERB/0/root "
    "[ the/4 mill/NOUN/2/obj/Number=Sing ]m",
    "[ She/2 ]a sold/VERB/0/root [ it/2/obj ]m",
    "[ A/2 boat/NOUN/3/nsubj/Number=Sing ] came/VERB/0/root",
)
ENGLISH = chosen_features("en")
WORDNET = Missing("WordNet 3.0", ("is_a_match", "supertype_match"), "install it")
SPANISH = Missing("spa.tab", ("is_a_match", "supertype_match"), "put it there")
LISTS = Missing("male.list", ("gender_match", "number_match"), "put lists there")


def usable(*arguments, **options):
    notes = []
    return usable_features(*arguments, note=notes.append, **options), notes


def pairs(*documents, features=ENGLISH, **sampling):
    return training_pairs(documents, features, context(), sampling=Sampling(**sampling))


def test_pairs_are_described_and_labelled():
    found = pairs(STORY)
    # Five mentions: all ten pairs, of which two are coreferent.
    assert found.rows.shape == (10, 29)
    assert found.rows.dtype == np.uint8
    assert found.positive.sum() == 2
    assert [one.name for one in found.columns] == [one.name for one in ENGLISH]
    assert [one.values for one in found.columns] == [one.values for one in ENGLISH]


def test_rows_are_those_of_the_pairs():
    found = pairs(STORY, scheme="soon")
    table, _ = annotated_table(STORY, context())
    first, second = np.array([0, 1, 1, 2]), np.array([2, 2, 3, 3])
    expected = codes_of(Pairs(table, first, second), ENGLISH)
    assert (found.rows == expected).all()
    assert found.positive.tolist() == [True, False, True, False]


def test_documents_follow_each_other():
    twice = pairs(STORY, Document("empty", (), ()), STORY)
    once = pairs(STORY)
    assert (twice.rows == np.concatenate([once.rows, once.rows])).all()
    assert twice.positive.sum() == 2 * once.positive.sum()


@pytest.mark.parametrize("scheme", ["every", "soon", "ng-cardie"])
def test_every_scheme_gives_pairs_of_both_kinds(scheme):
    found = pairs(STORY, scheme=scheme)
    assert found.positive.any()
    assert not found.positive.all()


def test_caps_are_those_asked_for():
    found = pairs(STORY, positives=1, negatives=1)
    # Of five mentions four have others before them, and two an antecedent.
    assert (len(found.positive), found.positive.sum()) == (6, 2)


def test_same_seed_is_the_same_sample():
    names = " ".join(f"[ Ann{at % 3}/PROPN/0//A=B ]a{at % 3}" for at in range(30))
    text = parsed(names)
    one, same, other = (pairs(text, seed=seed) for seed in (1, 1, 2))
    assert (one.rows == same.rows).all()
    assert (one.positive == same.positive).all()
    assert not (len(one.rows) == len(other.rows) and (one.rows == other.rows).all())


NOTHING = {
    "no documents": [],
    "no mentions": [parsed("so/ADV/0//A=B")],
    "one mention": [parsed("[ Ann/PROPN/0//A=B ]a")],
    "only singletons": [parsed("[ Ann/PROPN/0//A=B ] [ Bob/PROPN/1/x ]")],
}


@pytest.mark.parametrize("documents", NOTHING.values(), ids=NOTHING)
def test_nothing_to_learn_from_is_said(documents):
    with pytest.raises(corefkit.CorefkitError, match="nothing to learn from") as error:
        pairs(*documents)
    assert "no pair of mentions is coreferent" in error.value.message
    assert "two mentions or more" in error.value.hint


def test_one_entity_alone_is_nothing_to_learn_from():
    with pytest.raises(corefkit.CorefkitError, match="is not coreferent"):
        pairs(parsed("[ Ann/PROPN/0//A=B ]a [ she/1/x ]a"))


def test_unknown_scheme_is_refused():
    with pytest.raises(corefkit.SettingsError, match="training pairs 'son'") as error:
        pairs(STORY, scheme="son")
    assert "soon" in error.value.hint


def test_document_without_tree_is_refused():
    bare = replace(STORY, layers={})
    with pytest.raises(corefkit.FormatError, match="no tags and trees"):
        pairs(STORY, bare)


def test_all_features_are_usable_where_nothing_is_missing():
    features, notes = usable(lexicon("en"))
    assert (features, notes) == (ENGLISH, [])


@pytest.mark.parametrize(
    ("language", "missing"),
    [("en", (WORDNET,)), ("en", (LISTS, WORDNET)), ("es", (WORDNET, SPANISH))],
    ids=["WordNet", "lists too", "Spanish words too"],
)
def test_features_without_wordnet_are_left_out_with_one_note(language, missing):
    features, (note,) = usable(lexicon(language, wordnet=False, missing=missing))
    gone = {*chosen_features(language)} - {*features}
    assert {one.name for one in gone} == {"is_a_match", "supertype_match"}
    assert "is_a_match and supertype_match are left out" in note
    for one in missing:
        assert (one.resource in note) == (one is not LISTS)
        assert (one.hint in note) == (one is not LISTS)


def test_lists_that_are_missing_leave_nothing_out():
    features, notes = usable(lexicon("en", missing=(LISTS,)))
    assert (features, notes) == (ENGLISH, [])


def test_feature_that_is_not_wanted_is_not_noted():
    words = lexicon("en", wordnet=False, missing=(WORDNET,))
    features, notes = usable(words, only=["strings"])
    assert ({one.group for one in features}, notes) == ({"strings"}, [])
    _, notes = usable(words, without=["semantics"])
    assert notes == []
    _, (note,) = usable(words, without=["is_a_match"])
    assert "supertype_match is left out" in note
    assert "is_a_match" not in note


def test_wishes_are_kept_beside_what_is_missing():
    words = lexicon("en", wordnet=False, missing=(WORDNET,))
    features, (note,) = usable(words, only=["semantics"], without=["acronym"])
    assert [one.name for one in features] == ["entity_type_first", "entity_type_match"]
    assert note


def test_progress_counts_documents():
    seen = []
    training_pairs(
        [STORY, STORY],
        (FEATURES["head_match"],),
        context(),
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(0, 2), (1, 2)]


def test_trained_model_says_what_it_was_trained_on():
    model = train(
        [STORY, STORY],
        context=context(entity_types="all"),
        features=(FEATURES["head_match"], FEATURES["number_match"]),
        learner="ib1",
        sampling=Sampling(seed=5),
    )
    assert (model.language, model.learner) == ("en", "ib1")
    assert [one.name for one in model.columns] == ["head_match", "number_match"]
    assert model.training["documents"] == 2
    assert model.training["pairs"] == 20
    assert model.training["coreferent_pairs"] == 4
    assert model.training["entity_types"] == "all"
    assert model.training["missing"] == []
    assert model.training["sampling"] == {
        "scheme": "every",
        "positives": 3,
        "negatives": 5,
        "seed": 5,
    }
    assert model.tagger is None
    assert model.corpus


def test_trained_model_decides_as_it_was_taught():
    model = train([STORY], context=context(), features=ENGLISH, learner="ib1")
    instances = pairs(STORY)
    decisions = model.classifier.decide(instances.rows)
    assert (decisions.positive == instances.positive).all()
    assert decisions.distance.max() == 0


def test_same_training_is_the_same_model():
    models = [
        train([STORY], context=context(), features=ENGLISH, learner="ib1")
        for _ in range(2)
    ]
    files = [model.classifier.files() for model in models]
    assert files[0] == files[1]
