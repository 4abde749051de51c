from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from resolver.lexica import context, lexicon, table_of
from resolver.trees import parsed

import corefkit
from cistell.mentions.lexicon import MissingResource
from cistell.mentions.profiles import make_annotated_table
from cistell.paper.features import (
    FEATURES,
    Pairs,
    choose_features,
    choose_usable_features,
    encode_pairs,
)
from cistell.paper.pairs import (
    SCHEMES,
    Sampling,
    encode_training_pairs,
)
from corefkit.model import Document

STORY = parsed(
    "[ Ann/PROPN/2/nsubj/Number=Sing ]a:person bought/VERB/0/root "
    "[ the/4 mill/NOUN/2/obj/Number=Sing ]m",
    "[ She/2 ]a sold/VERB/0/root [ it/2/obj ]m",
    "[ A/2 boat/NOUN/3/nsubj/Number=Sing ] came/VERB/0/root",
)
ENGLISH = choose_features("en")
WORDNET = MissingResource(
    "WordNet 3.0", ("is_a_match", "supertype_match"), "install it"
)
SPANISH = MissingResource("spa.tab", ("is_a_match", "supertype_match"), "put it there")
LISTS = MissingResource(
    "male.list", ("gender_match", "number_match"), "put lists there"
)


def positives(sample, entity):
    first, second = sample
    return entity[first] == entity[second]


def usable(*arguments, **options):
    notes = []
    return choose_usable_features(*arguments, note=notes.append, **options), notes


def pairs(*documents, features=ENGLISH, **sampling):
    return encode_training_pairs(
        documents, features, context(), sampling=Sampling(**sampling)
    )


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
    table, _ = make_annotated_table(STORY, context())
    first, second = np.array([0, 1, 1, 2]), np.array([2, 2, 3, 3])
    expected = encode_pairs(Pairs(table, first, second), ENGLISH)
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


def test_lists_that_are_missing_leave_nothing_out():
    features, notes = usable(lexicon("en", missing=(LISTS,)))
    assert (features, notes) == (ENGLISH, [])


def test_wishes_are_kept_beside_what_is_missing():
    words = lexicon("en", wordnet=False, missing=(WORDNET,))
    features, (note,) = usable(words, only=["semantics"], without=["acronym"])
    assert [one.name for one in features] == ["entity_type_first", "entity_type_match"]
    assert note


def test_progress_counts_documents():
    seen = []
    encode_training_pairs(
        [STORY, STORY],
        (FEATURES["head_match"],),
        context(),
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(0, 2), (1, 2)]


ENTITIES = st.lists(st.integers(0, 4), max_size=14)


class Mentions:
    """A table of nothing but whether mentions are pronouns."""

    def __init__(self, pronouns):
        self.pronoun = np.array(pronouns, np.bool_)


def sample(scheme, entities, *, pronouns=None, sampling=None, seed=0):
    """Return the pairs that a scheme takes, and which are coreferent."""
    entity = np.array(entities, np.int64)
    table = Mentions(pronouns or [False] * len(entities))
    random = np.random.default_rng(seed)
    found = SCHEMES[scheme](
        table, entity, sampling=sampling or Sampling(), random=random
    )
    pairs = [*zip(*(part.tolist() for part in found), strict=True)]
    return pairs, positives(found, entity).tolist()


@pytest.mark.parametrize("scheme", SCHEMES)
@given(ENTITIES, st.data())
def test_pairs_are_in_order_and_each_is_there_once(scheme, entities, data):
    size = len(entities)
    pronouns = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    pairs, coreferent = sample(scheme, entities, pronouns=pronouns)
    assert len({*pairs}) == len(pairs) == len(coreferent)
    assert all(first < second for first, second in pairs)
    assert [second for _, second in pairs] == sorted(second for _, second in pairs)
    assert coreferent == [
        entities[first] == entities[second] for first, second in pairs
    ]


@given(ENTITIES, st.integers(0, 4), st.integers(0, 4))
def test_every_takes_as_many_as_there_are_up_to_the_caps(entities, most, others):
    pairs, coreferent = sample(
        "every", entities, sampling=Sampling(positives=most, negatives=others)
    )
    for second, entity in enumerate(entities):
        before = entities[:second]
        own = [
            flag
            for (_, at), flag in zip(pairs, coreferent, strict=True)
            if at == second
        ]
        assert sum(own) == min(most, before.count(entity))
        assert len(own) - sum(own) == min(others, len(before) - before.count(entity))


@given(ENTITIES)
def test_every_with_room_for_all_takes_all(entities):
    size = len(entities)
    pairs, _ = sample(
        "every", entities, sampling=Sampling(positives=size, negatives=size)
    )
    every = [(first, second) for second in range(size) for first in range(second)]
    assert sorted(pairs) == sorted(every)


def test_every_has_singletons_as_second_mentions():
    pairs, coreferent = sample("every", [0, 1, 2])
    assert pairs == [(0, 1), (0, 2), (1, 2)]
    assert coreferent == [False] * 3


def test_every_takes_three_and_five_unless_told():
    assert (Sampling().positives, Sampling().negatives) == (3, 5)
    pairs, coreferent = sample("every", [0, 1] * 10 + [0])
    last = [flag for (_, at), flag in zip(pairs, coreferent, strict=True) if at == 20]
    assert (len(last), sum(last)) == (8, 3)


def test_same_seed_draws_the_same_pairs():
    entities = [number % 3 for number in range(40)]
    one, other = (sample("every", entities, seed=7) for _ in range(2))
    assert one == other
    assert sample("every", entities, seed=8) != one


def test_chance_reaches_every_pair():
    found = set()
    for seed in range(200):
        found |= {
            *sample(
                "every", [0] * 6, sampling=Sampling(positives=1, negatives=0), seed=seed
            )[0]
        }
    assert len(found) == 15


@given(ENTITIES)
def test_soon_takes_the_closest_antecedent_and_all_between(entities):
    expected = []
    for second, entity in enumerate(entities):
        if entity in entities[:second]:
            closest = max(at for at in range(second) if entities[at] == entity)
            expected += [(first, second) for first in range(closest, second)]
    pairs, coreferent = sample("soon", entities)
    assert pairs == expected
    assert sum(coreferent) == len(entities) - len({*entities})


def test_soon_has_no_singleton_as_second_mention():
    pairs, _ = sample("soon", [0, 1, 0])
    assert pairs == [(0, 2), (1, 2)]


@given(ENTITIES, st.data())
def test_ng_and_cardie_take_nouns_to_the_closest_noun(entities, data):
    size = len(entities)
    pronouns = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    expected = []
    for second, entity in enumerate(entities):
        fitting = [
            first
            for first in range(second)
            if entities[first] == entity and (pronouns[second] or not pronouns[first])
        ]
        if fitting:
            expected.append((fitting[-1], second))
            expected += [
                (first, second)
                for first in range(fitting[-1] + 1, second)
                if entities[first] != entity
            ]
    assert sample("ng-cardie", entities, pronouns=pronouns)[0] == expected


def test_ng_and_cardie_pass_over_a_pronoun():
    # A noun, another, a pronoun for the first, and the first again as a noun.
    pronouns = [False, False, True, False]
    pairs, coreferent = sample("ng-cardie", [0, 1, 0, 0], pronouns=pronouns)
    assert pairs == [(0, 2), (1, 2), (0, 3), (1, 3)]
    assert coreferent == [True, False, True, False]


def test_schemes_know_pronouns_by_the_table():
    document = parsed(
        "[ Ann/PROPN/0//A=B ]a",
        "[ she/2 ]a slept/VERB/0/root",
        "[ Ann/PROPN/0/root ]a",
    )
    entity = np.zeros(3, np.int64)
    random = np.random.default_rng(0)
    table = table_of(document)
    found = SCHEMES["ng-cardie"](table, entity, sampling=Sampling(), random=random)
    assert [*zip(*found, strict=True)] == [(0, 1), (0, 2)]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("entities", [[], [0]], ids=["none", "one"])
def test_documents_without_pairs_have_none(scheme, entities):
    assert sample(scheme, entities) == ([], [])
