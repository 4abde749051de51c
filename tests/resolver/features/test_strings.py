from __future__ import annotations

import pytest
from resolver.features.pair_values import cases, lacking, value_of

from cistell.paper.features import FEATURES

NOUN = "[ the/2 mill/NOUN/0//Number=Sing ]m"
OLD = "[ the/3 old/ADJ/3/amod mill/NOUN/0//Number=Sing ]m"
BOAT = "[ a/2 boat/NOUN/0//Number=Sing ]b"
IT = "[ it/2 ]m fell/VERB/0/root"
SHE = "[ she/2 ]a fell/VERB/0/root"
PLAIN = "so/ADV/0//A=B"


def others(count):
    """Make mentions with heads of their own, a sentence each."""
    return [f"[ x{number}/NOUN/0/root ]" for number in range(count)]


def frequent(count, *, first):
    """Make two mentions, one of them with as many of its head as said, itself too."""
    more = ["[ the/2 mill/NOUN/0//Number=Sing ]"] * (count - 1)
    return (NOUN, *more, BOAT) if first else (BOAT, NOUN, *more)


def sentences_between(distance):
    if not distance:
        return (f"{NOUN} and/4 [ boat/NOUN/2/conj ]b",)
    return (NOUN, *[PLAIN] * (distance - 1), BOAT)


def words_between(distance):
    return (f"{NOUN} {'so/ADV/2/advmod ' * distance} [ boat/NOUN/2/dep ]b",)


def spans(name):
    """Return the values of a numeric feature, each with its first and last number."""
    for value in FEATURES[name].values:
        first, _, last = value.rstrip("+").partition("-")
        yield value, int(first), 999 if value.endswith("+") else int(last or first)


MAKERS = {
    "frequency_first": lambda count: frequent(count, first=True),
    "frequency_second": lambda count: frequent(count, first=False),
    "sentence_distance": sentences_between,
    "mention_distance": lambda distance: (NOUN, *others(distance - 1), BOAT),
    "word_distance": words_between,
}
EXAMPLES = {
    "head_match": {
        "no": (NOUN, BOAT),
        "yes": (NOUN, "[ this/3 old/ADJ/3/amod Mill/NOUN/0/root ]m"),
        "first_pronoun": (IT, NOUN),
        "second_pronoun": (NOUN, IT),
        "pronouns": (IT, SHE),
        "same_pronoun": (IT, "[ It/2 ]m burned/VERB/0/root"),
    },
    "string_match": {"no": (NOUN, OLD), "yes": (NOUN, "[ a/2 Mill/NOUN/0/root ]m")},
    "substring_match": {
        "none": (NOUN, BOAT),
        "some": (OLD, "[ a/3 new/ADJ/3/amod mill/NOUN/0/root ]m"),
        "subset": (NOUN, OLD),
        "same": (NOUN, "[ mills/NOUN/0//Number=Plur/mill ]m"),
    },
    "acronym": {
        "no": (NOUN, "[ RM/PROPN/0/root ]m"),
        "yes": (
            "[ the/3 Royal/ADJ/3/amod Mills/PROPN/0//Number=Plur ]m",
            "[ R.M./PROPN/0/root ]m",
        ),
    },
    **{
        name: {value: make(first) for value, first, _ in spans(name)}
        for name, make in MAKERS.items()
    },
}


@pytest.mark.parametrize("name", MAKERS)
def test_numbers_fall_where_the_value_says(name):
    ends = -1
    for value, first, last in spans(name):
        assert ends in (-1, first - 1)
        if last < 999:
            assert value_of(name, *MAKERS[name](last)) == value
        ends = last
    assert ends == 999


@pytest.mark.parametrize(("name", "value", "lines"), cases(EXAMPLES))
def test_feature_has_its_value(name, value, lines):
    assert value_of(name, *lines) == value


def test_every_feature_and_value_has_an_example():
    assert not lacking("strings", EXAMPLES)


ANN_AND_BOB = "[ Ann/PROPN/0//Number=Sing and/3 Bob/PROPN/1/conj ]c"
MORE = {
    "a coordination is not its first head": (
        "head_match",
        "no",
        (ANN_AND_BOB, "[ Ann/PROPN/0/root ]a"),
    ),
    "a coordination is all its heads": (
        "head_match",
        "yes",
        (ANN_AND_BOB, "[ Ann/PROPN/0/root ,/3 Bob/PROPN/1/conj ]c"),
    ),
    "forms are compared, not lemmas": (
        "head_match",
        "no",
        (NOUN, "[ mills/NOUN/0//Number=Plur/mill ]m"),
    ),
    "forms of one pronoun": (
        "head_match",
        "same_pronoun",
        (SHE, "[ her/2 ]a boat/NOUN/0/root"),
    ),
    "pronouns without person are forms": (
        "head_match",
        "pronouns",
        ("[ that/2 ]m fell/VERB/0/root", "[ somebody/2 ]a fell/VERB/0/root"),
    ),
    "pronouns match no strings": ("string_match", "no", (IT, IT)),
    "a place and what is of it": (
        "string_match",
        "yes",
        (
            "[ Danish/ADJ/2/amod mills/NOUN/0//A=B ]m",
            "[ Denmark/PROPN/2/compound mills/NOUN/0/root ]m",
        ),
    ),
    "determiners share nothing": (
        "substring_match",
        "none",
        (NOUN, "[ the/2 boat/NOUN/0/root ]b"),
    ),
    "no content words at all are no match": (
        "substring_match",
        "none",
        ("[ this/0/root ]m so/ADV/1/x", IT),
    ),
    "the short form first": (
        "acronym",
        "yes",
        ("[ RM/PROPN/0//A=B ]m", "[ Royal/ADJ/2/amod Mills/PROPN/0/root ]m"),
    ),
    "two acronyms stand for nothing": (
        "acronym",
        "no",
        ("[ RM/PROPN/0//A=B ]m", "[ RM/PROPN/0/root ]m"),
    ),
    "small words do not count in acronyms": (
        "acronym",
        "yes",
        (
            "[ Mills/PROPN/0//A=B of/3 Denmark/PROPN/1/nmod ]m",
            "[ the/2 MD/PROPN/0/root ]m",
        ),
    ),
    "the one inside the other": (
        "word_distance",
        "0",
        ("[ the/2 wheel/NOUN/0//A=B of/5 [ the/5 mill/NOUN/2/nmod ]m ]w",),
    ),
    "neighbours": (
        "word_distance",
        "0",
        ("[ the/2 mill/NOUN/0//A=B ]m [ Ann/PROPN/2/dep ]a",),
    ),
}


def test_mention_over_the_end_of_a_sentence_is_not_after_the_second():
    lines = "[ the/2 [ Ann/PROPN/1/x/A=B ]a", "mill/NOUN/0/root ]m"
    assert value_of("sentence_distance", *lines) == "0"


@pytest.mark.parametrize(("name", "value", "lines"), MORE.values(), ids=MORE)
def test_words_are_compared(name, value, lines):
    assert value_of(name, *lines) == value


def test_spanish_and_french_strings_are_compared_without_determiners():
    spanish = (
        "[ el/2 molino/NOUN/0//Gender=Masc ]m",
        "[ su/2 molino/NOUN/0//Gender=Masc ]m",
    )
    assert value_of("string_match", *spanish, language="es") == "yes"
    french = (
        "[ le/2 moulin/NOUN/0//Gender=Masc ]m",
        "[ le/2 vieux/ADJ/3/amod moulin/NOUN/0//Gender=Masc ]m",
    )
    assert value_of("string_match", *french, language="fr") == "no"
    assert value_of("substring_match", *french, language="fr") == "subset"
    assert value_of("head_match", *french, language="fr") == "yes"


def test_zero_subject_is_a_pronoun_among_heads():
    zero = "[ */1:nsubj ]m Ardió/VERB/0//Number=Sing|Person=3"
    noun = "[ el/2 molino/NOUN/0//Gender=Masc ]m"
    assert value_of("head_match", noun, zero, language="es") == "second_pronoun"
    assert value_of("head_match", zero, zero, language="es") == "same_pronoun"
