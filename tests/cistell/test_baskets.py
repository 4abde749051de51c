from __future__ import annotations

import pytest
from cistell.lexica import table_of
from cistell.random_documents import documents
from cistell.trees import parsed
from hypothesis import given

from corefkit.cistell.baskets import Basket, filled
from corefkit.cistell.facts import FEMININE, PERSON, UNKNOWN

ZORK = "[ Zork/PROPN/0/root ]"
MILLER = "[ the/2 miller/NOUN/0//Number=Sing ]"
SHE = "[ she/2 ] slept/VERB/0/root"
HE = "[ he/2 ] slept/VERB/0/root"
IT = "[ it/2 ] slept/VERB/0/root"


def basket_of(*lines, **options):
    found = Basket()
    for profile in table_of(parsed(*lines), **options).profiles:
        found.grow(profile)
    return found


def test_empty_basket_knows_nothing():
    assert Basket().attributes() == {}
    assert (Basket().type, Basket().genders) == (None, UNKNOWN)


def test_basket_gathers_what_its_mentions_tell():
    lines = (
        "[ Zork/PROPN/0//A=B ]z:person",
        MILLER,
        "[ Mrs/NOUN/2/nmod:desc Zork/PROPN/0/root ]z:person",
        "[ a/3 old/ADJ/3/amod woman/NOUN/0//Number=Sing ]",
        SHE,
    )
    assert basket_of(*lines).attributes() == {
        "names": "zork, mrs zork",
        "heads": "miller, woman",
        "type": "person",
        "gender": "feminine",
        "number": "singular",
    }


def test_attributes_grow_with_each_mention():
    profiles = table_of(parsed(f"{ZORK} so/ADV/1/x/A=B", MILLER, SHE)).profiles
    basket = Basket()
    known = []
    for profile in profiles:
        basket.grow(profile)
        known.append((basket.genders, len(basket.mentions)))
    assert known == [(UNKNOWN, 1), (PERSON, 2), (FEMININE, 3)]


@pytest.mark.parametrize(
    ("lines", "gender"),
    [
        ((SHE, HE), "feminine"),
        ((HE, SHE, SHE), "masculine"),
        ((MILLER, IT, SHE), "feminine"),
        ((IT, MILLER), "neuter"),
    ],
)
def test_gender_that_contradicts_all_before_is_not_believed(lines, gender):
    assert basket_of(*lines).attributes()["gender"] == gender


def test_gender_that_is_not_known_to_be_one_is_not_said():
    assert "gender" not in basket_of(MILLER).attributes()


def test_number_and_type_are_those_seen_most_often():
    they = "[ they/2 ] slept/VERB/0/root"
    assert basket_of(they, SHE, SHE).attributes()["number"] == "singular"
    assert basket_of(they, SHE).attributes()["number"] == "plural"
    name = "[ Zork/PROPN/0//A=B ]z:{}"
    types = [name.format(one) for one in ("place", "person", "person")]
    assert basket_of(*types).type == "person"
    assert basket_of(*types[:2]).type == "place"


def test_coordination_is_one_head():
    lines = ("[ mills/NOUN/0//A=B and/3 boats/NOUN/1/conj ]",)
    assert basket_of(*lines).attributes()["heads"] == "mills boats"


def test_mentions_are_put_into_baskets_by_number():
    profiles = table_of(parsed(SHE, MILLER, HE)).profiles
    one, other = filled(profiles, [7, 2, 7])
    assert [mention.start for mention in one.mentions] == [0, 4]
    assert [mention.start for mention in other.mentions] == [2]
    assert filled([], []) == []


@given(documents())
def test_gender_of_a_basket_is_never_impossible(document):
    basket = Basket()
    for profile in table_of(document).profiles:
        basket.grow(profile)
        assert 0 < basket.genders <= UNKNOWN
    assert len(basket.mentions) == len(table_of(document))
