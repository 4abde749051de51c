from __future__ import annotations

import pytest
from resolver.features.pair_values import cases, lacking, value_of

from cistell.mentions.profiles import ENTITY_TYPES

ZORK = "[ Zork/PROPN/0//Number=Sing ]z"
ANN = "[ Ann/PROPN/0//Number=Sing ]a:person"
BOB = "[ Bob/PROPN/0//Number=Sing ]b:PER"
OSLO = "[ Oslo/PROPN/0//Number=Sing ]o:GPE"
SHE = "[ she/2 ]a fell/VERB/0/root"


def noun(word):
    return f"[ the/2 {word}/NOUN/0//Number=Sing ]n"


EXAMPLES = {
    "entity_type_first": {
        name: (f"[ Zork/PROPN/0//Number=Sing ]z:{name}", ANN) for name in ENTITY_TYPES
    },
    "entity_type_match": {
        "no": (ANN, OSLO),
        "yes": (ANN, BOB),
        "one_unknown": (ZORK, ANN),
        "unknown": (ZORK, noun("mill")),
    },
    "is_a_match": {
        "none": (noun("mill"), noun("woman")),
        "same": (noun("mill"), noun("mill")),
        "synonym": (noun("building"), noun("edifice")),
        "first_is_second": (noun("mill"), noun("building")),
        "second_is_first": (noun("artifact"), noun("mill")),
        "unknown": (noun("mill"), noun("gizmo")),
        "pronoun": (ANN, SHE),
    },
    "supertype_match": {
        "no": (noun("mill"), SHE),
        "yes": (noun("woman"), SHE),
        "unknown": (noun("gizmo"), noun("mill")),
    },
}


@pytest.mark.parametrize(("name", "value", "lines"), cases(EXAMPLES))
def test_feature_has_its_value(name, value, lines):
    assert value_of(name, *lines) == value


def test_every_feature_and_value_has_an_example():
    assert not lacking("semantics", EXAMPLES)


MORE = {
    "a name is of its type": ("is_a_match", "second_is_first", (ANN, noun("woman"))),
    "a name of a place is a place": (
        "is_a_match",
        "second_is_first",
        (OSLO, noun("village")),
    ),
    "names of one type": ("is_a_match", "same", (ANN, BOB)),
    "a name of no type": ("is_a_match", "unknown", (ZORK, noun("woman"))),
    "a type that means nothing": (
        "is_a_match",
        "unknown",
        ("[ May/PROPN/0//Number=Sing ]t:time", noun("mill")),
    ),
    "a word that nobody knows is not even itself": (
        "is_a_match",
        "unknown",
        (noun("gizmo"), noun("gizmo")),
    ),
    "a sense that is not the first": (
        "is_a_match",
        "synonym",
        (noun("mill"), noun("bank")),
    ),
    "the supertype is of the first sense": (
        "supertype_match",
        "no",
        (noun("mill"), noun("bank")),
    ),
    "a name and a noun": ("supertype_match", "yes", (OSLO, noun("village"))),
    "two unknown ones": ("supertype_match", "unknown", (ZORK, ZORK)),
}


@pytest.mark.parametrize(("name", "value", "lines"), MORE.values(), ids=MORE)
def test_meanings_are_compared(name, value, lines):
    assert value_of(name, *lines) == value


@pytest.mark.parametrize(
    ("language", "special", "general"),
    [("es", "molino", "edificio"), ("fr", "moulin", "bâtiment")],
)
def test_spanish_and_french_words_have_english_meanings(language, special, general):
    pair = noun(special), noun(general)
    assert value_of("is_a_match", *pair, language=language) == "first_is_second"
    assert value_of("supertype_match", *pair, language=language) == "yes"


@pytest.mark.parametrize(("language", "woman"), [("es", "mujer"), ("fr", "femme")])
def test_names_have_types_in_every_language(language, woman):
    pair = ANN, noun(woman)
    assert value_of("is_a_match", *pair, language=language) == "second_is_first"
    assert value_of("supertype_match", *pair, language=language) == "yes"


def test_pronouns_have_no_supertype_where_gender_is_of_nouns():
    pair = "[ ella/2 ]a durmió/VERB/0/root", noun("mujer")
    assert value_of("supertype_match", *pair, language="es") == "unknown"


def test_types_of_nouns_count_where_they_are_shown():
    pair = ANN, "[ the/2 miller/NOUN/0//Number=Sing ]a:person"
    assert value_of("entity_type_match", *pair) == "one_unknown"
    assert value_of("entity_type_match", *pair, entity_types="all") == "yes"
    assert value_of("entity_type_match", *pair, entity_types="none") == "unknown"


def test_without_wordnet_every_meaning_is_unknown():
    pair = noun("mill"), noun("mill")
    assert value_of("is_a_match", *pair, wordnet=False) == "unknown"
    assert value_of("supertype_match", *pair, wordnet=False) == "unknown"
