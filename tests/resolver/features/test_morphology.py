from __future__ import annotations

import pytest
from resolver.features.pair_values import cases, lacking, languages_with, value_of

BOAT = "[ a/2 boat/NOUN/0//Number=Sing ]b"
MILL = "[ the/2 mill/NOUN/0//Number=Sing ]m"
MILLS = "[ the/2 mills/NOUN/0//Number=Plur/mill ]m"
ZORK = "[ Zork/PROPN/0/root ]z"
ANN = "[ Ann/PROPN/0//Number=Sing ]a"
BOB = "[ Bob/PROPN/0//Number=Sing ]b"
BOTH = "[ Ann/PROPN/0//Number=Sing and/3 Bob/PROPN/1/conj ]c"
MILLER = "[ the/2 miller/NOUN/0//Number=Sing ]a"
I_SAY = "[ I/2 ]i spoke/VERB/0/root"
YOU = "[ you/2 ]i spoke/VERB/0/root"
SHE = "[ she/2 ]a fell/VERB/0/root"
HE = "[ he/2 ]b fell/VERB/0/root"
IT = "[ it/2 ]m fell/VERB/0/root"
ZERO = "[ */1:nsubj ]m Ardió/VERB/0//Number=Sing|Person=3"
MOLINO = "[ el/2 molino/NOUN/0//Gender=Masc|Number=Sing ]m"
MOLINERA = "[ la/2 molinera/NOUN/0//Gender=Fem|Number=Sing ]a"
MUJER = "[ una/DET/2/det mujer/NOUN/0//Gender=Fem|Number=Sing ]a"
TESTIGO = "[ el/2 testigo/NOUN/0//Gender=Com|Number=Sing ]t"
ELLA = "[ ella/2 ]a durmió/VERB/0/root"
EL = "[ él/2 ]b durmió/VERB/0/root"
YO = "[ yo/2 ]i dormí/VERB/0/root"

# A mention of each kind.
KINDS = {
    "personal_pronouns": SHE,
    "zero_pronouns": ZERO,
    "possessive_pronouns": "[ her/2 ]a boat/NOUN/0/root",
    "demonstrative_pronouns": "[ that/2 ]m fell/VERB/0/root",
    "relative_pronouns": "people/NOUN/0/root [ who/3 ]a fell/VERB/1/acl:relcl",
    "reflexive_pronouns": "saw/VERB/0/root [ herself/1 ]a",
    "other_pronouns": "[ somebody/2 ]a fell/VERB/0/root",
    "definite_nps": MILL,
    "possessive_nps": "[ her/2 mill/NOUN/0/root ]m",
    "indefinite_nps": BOAT,
    "demonstrative_nps": "[ this/2 mill/NOUN/0/root ]m",
    "bare_nps": "[ flour/NOUN/0//Number=Sing ]f",
    "proper_nouns": ANN,
    "numerals": "[ 1912/NUM/0//NumType=Card ]y",
    "clauses": "[ falling/VERB/0//VerbForm=Ger ]v",
    "others": "[ which/2 mill/NOUN/0/root ]m",
}
PRONOUNS = {kind: line for kind, line in KINDS.items() if kind.endswith("_pronouns")}


def said_by(speaker, line):
    return f"# speaker = {speaker}\n{line}"


EXAMPLES = {
    "mention_type_first": {kind: (line, BOAT) for kind, line in KINDS.items()},
    "mention_type_second": {kind: (MILL, line) for kind, line in KINDS.items()},
    "pronoun_first": {"no": (MILL, IT), "yes": (IT, MILL)},
    "pronoun_second": {"no": (IT, MILL), "yes": (MILL, IT)},
    "pronoun_type_second": {
        "none": (ELLA, MOLINERA),
        **{kind: (MOLINERA, line) for kind, line in PRONOUNS.items()},
    },
    "coordination": {
        "neither": (ANN, BOB),
        "first": (BOTH, ANN),
        "second": (ANN, BOTH),
        "both": (BOTH, BOTH),
    },
    "possessive_phrase": {
        "no": (SHE, BOAT),
        "yes": (BOAT, "[ Ann/PROPN/3/nmod:poss 's/1 ]a boat/NOUN/0/root"),
    },
    "gender_match": {
        "no": (ANN, HE),
        "yes": (ANN, SHE),
        "compatible": (MILLER, SHE),
        "unknown": (ZORK, SHE),
    },
    "gender_match_pronoun": {
        "no": (MOLINERA, EL),
        "yes": (MOLINERA, ELLA),
        "compatible": (MOLINERA, YO),
        "unknown": (MOLINO, ZERO),
        "no_pronoun": (MOLINERA, MOLINO),
    },
    "gender_match_noun": {
        "no": (MOLINERA, MOLINO),
        "yes": (MOLINERA, MUJER),
        "compatible": (MOLINERA, TESTIGO),
        "not_both_nouns": (MOLINERA, ELLA),
    },
    "gender_match_person": {
        "no": (MOLINERA, EL),
        "yes": (MOLINERA, MUJER),
        "compatible": (YO, MOLINERA),
        "unknown": (MOLINERA, ZORK),
        "no_person": (MOLINO, TESTIGO),
    },
    "number_match": {"no": (MILLS, IT), "yes": (MILL, IT), "unknown": (ZORK, IT)},
    "person_match": {
        "no_pronoun": (MILL, BOAT),
        "first_or_second_and_noun": (ANN, YOU),
        "third_and_noun": (SHE, ANN),
        "both_third": (SHE, IT),
        "third_and_other": (I_SAY, SHE),
        "both_first_same_speaker": (said_by("Eve", I_SAY), said_by("Eve", I_SAY)),
        "both_first_other_speaker": (said_by("Eve", I_SAY), said_by("Udo", I_SAY)),
        "both_second_same_speaker": (said_by("Eve", YOU), said_by("Eve", YOU)),
        "both_second_other_speaker": (said_by("Eve", YOU), said_by("Udo", YOU)),
        "first_and_second_same_speaker": (said_by("Eve", I_SAY), said_by("Eve", YOU)),
        "first_and_second_other_speaker": (said_by("Eve", YOU), said_by("Udo", I_SAY)),
    },
    "zero_first": {"no": (MOLINO, ZERO), "yes": (ZERO, MOLINO)},
    "zero_second": {"no": (ZERO, MOLINO), "yes": (MOLINO, ZERO)},
}


@pytest.mark.parametrize(("name", "value", "lines"), cases(EXAMPLES))
def test_feature_has_its_value(name, value, lines):
    assert value_of(name, *lines) == value


def test_every_feature_and_value_has_an_example():
    assert not lacking("morphology", EXAMPLES)


MORE = {
    "a thing is not a woman": ("gender_match", "no", "en", (MILL, SHE)),
    "a thing is a thing": ("gender_match", "yes", "en", (MILL, IT)),
    "they may be anybody": (
        "gender_match",
        "unknown",
        "en",
        (ANN, "[ they/2 ]t fell/VERB/0/root"),
    ),
    "a Spanish mill is masculine": ("gender_match", "yes", "es", (MOLINO, EL)),
    "a zero subject tells no gender": ("gender_match", "unknown", "es", (ELLA, ZERO)),
    "a zero subject has its verb's number": (
        "number_match",
        "yes",
        "es",
        (MOLINO, ZERO),
    ),
    "a zero subject has its verb's person": (
        "person_match",
        "both_third",
        "es",
        (ELLA, ZERO),
    ),
    "a Spanish owner is not inflected as what is owned": (
        "number_match",
        "unknown",
        "es",
        (MOLINERA, "[ sus/2 ]a gatas/NOUN/0//Gender=Fem|Number=Plur"),
    ),
    "a French moon is feminine": (
        "gender_match",
        "yes",
        "fr",
        ("[ la/2 lune/NOUN/0//Gender=Fem ]l", "[ elle/2 ]l brille/VERB/0/root"),
    ),
    "a French owner is not inflected as what is owned": (
        "gender_match_pronoun",
        "unknown",
        "fr",
        (
            "[ la/2 meunière/NOUN/0//Gender=Fem|Number=Sing ]a",
            "[ ses/2 ]a chats/NOUN/0//Gender=Masc|Number=Plur",
        ),
    ),
    "a French owner is one": (
        "number_match",
        "yes",
        "fr",
        (
            "[ la/2 meunière/NOUN/0//Gender=Fem|Number=Sing ]a",
            "[ ses/2 ]a chats/NOUN/0//Gender=Masc|Number=Plur",
        ),
    ),
    "a noun whose gender is unknown is not asked": (
        "gender_match_noun",
        "not_both_nouns",
        "fr",
        ("[ la/2 lune/NOUN/0//Gender=Fem ]l", ZORK),
    ),
    "several are plural": (
        "number_match",
        "yes",
        "en",
        (BOTH, "[ they/2 ]c fell/VERB/0/root"),
    ),
    "who speaks is not known": (
        "person_match",
        "both_first_same_speaker",
        "en",
        (I_SAY, I_SAY),
    ),
    "one who says nothing known is another": (
        "person_match",
        "both_first_other_speaker",
        "en",
        (said_by("Eve", I_SAY), I_SAY),
    ),
    "an article is no pronoun": (
        "pronoun_first",
        "no",
        "fr",
        ("[ la/2 lune/NOUN/0//Gender=Fem ]l", ELLA),
    ),
    "a possessive phrase without its mark": (
        "possessive_phrase",
        "yes",
        "en",
        (BOAT, "[ the/2 mill/NOUN/4/nmod:poss ]m 's/2 wheel/NOUN/0/root"),
    ),
}


@pytest.mark.parametrize(
    ("name", "value", "language", "lines"), MORE.values(), ids=MORE
)
def test_inflection_is_compared(name, value, language, lines):
    assert language in languages_with(name)
    assert value_of(name, *lines, language=language) == value


def test_agreement_does_not_depend_on_the_order():
    for name in ("gender_match", "number_match", "gender_match_person"):
        for one, other in ((ANN, HE), (ANN, SHE), (MILLS, IT), (ZORK, SHE)):
            assert value_of(name, one, other) == value_of(name, other, one)
