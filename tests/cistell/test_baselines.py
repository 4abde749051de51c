from __future__ import annotations

import pytest
from cistell.lexica import table_of
from cistell.random_documents import documents
from cistell.trees import parsed
from hypothesis import given
from hypothesis import strategies as st

from corefkit.cistell.baselines import BASELINES

ANN = "[ Ann/PROPN/0//Number=Sing ]"
BOB = "[ Bob/PROPN/0//Number=Sing ]"
MILL = "[ the/2 mill/NOUN/0//Number=Sing ]"
SHE = "[ she/2 ] slept/VERB/0/root"
IT = "[ it/2 ] fell/VERB/0/root"


def entities(name, *lines, language="en", **options):
    """Return the entities that a baseline finds: the words of their mentions."""
    document = parsed(*lines)
    table = table_of(document, language)
    found = {}
    for profile, number in zip(
        table.profiles, BASELINES[name](table, **options).tolist(), strict=True
    ):
        found.setdefault(number, []).append(document.text(profile.mention))
    return [*found.values()]


def test_all_singletons():
    assert entities("all_singletons", ANN, ANN, SHE) == [["Ann"], ["Ann"], ["she"]]


def test_heads_match_in_lower_case():
    lines = MILL, "[ a/3 burned/ADJ/3/amod Mill/NOUN/0/root ]", ANN
    assert entities("head_match", *lines) == [["the mill", "a burned Mill"], ["Ann"]]


def test_forms_are_compared_unless_lemmas_are_wanted():
    lines = MILL, "[ mills/NOUN/0//Number=Plur/mill ]"
    for name in ("head_match", "head_match_pron"):
        assert entities(name, *lines) == [["the mill"], ["mills"]]
        assert entities(name, *lines, lemmas=True) == [["the mill", "mills"]]


def test_pronouns_do_not_match_as_heads():
    assert entities("head_match", SHE, SHE) == [["she"], ["she"]]


def test_coordination_matches_with_all_its_heads_alone():
    both = "[ Ann/PROPN/0//Number=Sing and/3 Bob/PROPN/1/conj ]"
    other = "[ Ann/PROPN/0/root and/3 Eve/PROPN/1/conj ]"
    assert entities("head_match", both, ANN, other, both, BOB) == [
        ["Ann and Bob", "Ann and Bob"],
        ["Ann"],
        ["Ann and Eve"],
        ["Bob"],
    ]


def test_pronoun_goes_to_the_closest_noun_before_it():
    eve = "[ Eve/PROPN/0//Number=Sing ]:person"
    assert entities("head_match_pron", ANN, eve, SHE) == [["Ann"], ["Eve", "she"]]


def test_pronoun_goes_to_the_closest_that_agrees():
    assert entities("head_match_pron", ANN, BOB, MILL, SHE, IT) == [
        ["Ann", "she"],
        ["Bob"],
        ["the mill", "it"],
    ]


def test_number_must_agree():
    mills = "[ the/2 mills/NOUN/0//Number=Plur/mill ]"
    assert entities("head_match_pron", MILL, mills, IT) == [
        ["the mill", "it"],
        ["the mills"],
    ]


def test_what_is_unknown_agrees_with_everything():
    zork = "[ Zork/PROPN/0/root ]"
    assert entities("head_match_pron", ANN, zork, SHE) == [["Ann"], ["Zork", "she"]]


def test_pronoun_joins_the_whole_entity_of_its_noun():
    assert entities("head_match_pron", ANN, BOB, ANN, SHE) == [
        ["Ann", "Ann", "she"],
        ["Bob"],
    ]


def test_pronoun_is_not_linked_to_what_holds_it():
    assert entities("head_match_pron", "[ [ her/2 ] zork/NOUN/0/root ]") == [
        ["her zork"],
        ["her"],
    ]
    inside = "[ the/2 zork/NOUN/0/root who/4 saw/VERB/2/acl:relcl [ herself/4 ] ]"
    assert len(entities("head_match_pron", inside)) == 2


def test_pronoun_does_not_look_ahead():
    assert entities("head_match_pron", SHE, ANN) == [["she"], ["Ann"]]


def test_pronoun_that_finds_nothing_is_alone():
    assert entities("head_match_pron", BOB, SHE, SHE) == [["Bob"], ["she"], ["she"]]


@pytest.mark.parametrize(
    ("line", "linked"),
    [
        ("[ her/2 ] boat/NOUN/0/root", True),
        ("saw/VERB/0/root [ herself/1 ]", True),
        ("[ who/2 ] slept/VERB/0/root", False),
        ("[ that/2 ] slept/VERB/0/root", False),
        ("[ somebody/2 ] slept/VERB/0/root", False),
    ],
    ids=["possessive", "reflexive", "relative", "demonstrative", "other"],
)
def test_personal_and_possessive_pronouns_are_linked(line, linked):
    assert len(entities("head_match_pron", ANN, line)) == 2 - linked


def test_zero_subjects_are_personal_pronouns():
    lines = (
        "[ Ana/PROPN/0//Number=Sing ]",
        "[ las/DET/2/det gatas/NOUN/0//Gender=Fem|Number=Plur ]",
        "[ */1:nsubj ] Durmió/VERB/0//Number=Sing|Person=3",
        "[ */1:nsubj ] Durmieron/VERB/0//Number=Plur|Person=3",
    )
    found = entities("head_match_pron", *lines, language="es")
    assert found == [["Ana", "_"], ["las gatas", "_"]]
    assert len(entities("head_match", *lines, language="es")) == 4


def test_grammatical_gender_agrees_in_french():
    lines = (
        "[ la/2 lune/NOUN/0//Gender=Fem|Number=Sing ]",
        "[ le/2 moulin/NOUN/0//Gender=Masc|Number=Sing ]",
        "[ elle/2 ] brille/VERB/0/root",
    )
    found = entities("head_match_pron", *lines, language="fr")
    assert found == [["la lune", "elle"], ["le moulin"]]


@given(documents(), st.booleans())
def test_heads_match_as_they_do_pair_by_pair(document, lemmas):
    table = table_of(document)
    found = BASELINES["head_match"](table, lemmas=lemmas).tolist()
    for second, later in enumerate(table.profiles):
        for first, earlier in enumerate(table.profiles[:second]):
            heads = (
                (earlier.head_lemmas, later.head_lemmas)
                if lemmas
                else (earlier.head_forms, later.head_forms)
            )
            alike = heads[0] == heads[1] and not (earlier.pronoun or later.pronoun)
            assert (found[first] == found[second]) == alike


@given(documents())
def test_pronouns_are_all_that_the_third_baseline_adds(document):
    table = table_of(document)
    plain = BASELINES["head_match"](table).tolist()
    more = BASELINES["head_match_pron"](table).tolist()
    for profile, before, after in zip(table.profiles, plain, more, strict=True):
        assert profile.pronoun or before == after


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize(("line", "count"), [("so/ADV/0//A=B", 0), (ANN, 1)])
def test_no_mention_and_one(name, line, count):
    assert len(entities(name, line)) == count
