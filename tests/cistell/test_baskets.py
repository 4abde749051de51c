from __future__ import annotations

import pytest
from cistell.lexica import table_of
from cistell.random_documents import documents
from cistell.trees import parsed
from hypothesis import given

from corefkit.cistell.baskets import Basket, filled
from corefkit.cistell.facts import (
    FEMININE,
    MASCULINE,
    NEUTER,
    PERSON,
    PLURAL,
    SINGULAR,
    UNKNOWN,
)

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
    assert (Basket().names, Basket().heads, Basket().numbers) == ({}, {}, {})
    assert (Basket().type, Basket().genders) == (None, UNKNOWN)


def test_basket_gathers_what_its_mentions_tell():
    lines = (
        "[ Zork/PROPN/0//A=B ]z:person",
        MILLER,
        "[ Mrs/NOUN/2/nmod:desc Zork/PROPN/0/root ]z:person",
        "[ a/3 old/ADJ/3/amod woman/NOUN/0//Number=Sing ]",
        SHE,
    )
    basket = basket_of(*lines)
    assert list(basket.names) == ["zork", "mrs zork"]
    assert list(basket.heads) == ["miller", "woman"]
    assert (basket.type, basket.genders) == ("person", FEMININE)
    assert basket.numbers == {SINGULAR: 3}


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
        ((SHE, HE), FEMININE),
        ((HE, SHE, SHE), MASCULINE),
        ((MILLER, IT, SHE), FEMININE),
        ((IT, MILLER), NEUTER),
    ],
)
def test_gender_that_contradicts_all_before_is_not_believed(lines, gender):
    assert basket_of(*lines).genders == gender


def test_numbers_are_counted_and_the_type_is_that_seen_most_often():
    they = "[ they/2 ] slept/VERB/0/root"
    assert basket_of(they, SHE, SHE).numbers == {PLURAL: 1, SINGULAR: 2}
    name = "[ Zork/PROPN/0//A=B ]z:{}"
    types = [name.format(one) for one in ("place", "person", "person")]
    assert basket_of(*types).type == "person"
    assert basket_of(*types[:2]).type == "place"


def test_coordination_is_one_head():
    lines = ("[ mills/NOUN/0//A=B and/3 boats/NOUN/1/conj ]",)
    assert list(basket_of(*lines).heads) == ["mills boats"]


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
