from __future__ import annotations

import pytest
from resolver.lexica import lexicon
from resolver.trees import every_mention, parsed

from cistell.mentions import profiles as facts
from cistell.mentions.lexicon import get_language
from cistell.mentions.profiles import (
    FEMININE,
    MASCULINE,
    NEUTER,
    PERSON,
    PLURAL,
    SINGULAR,
    UNKNOWN,
)
from cistell.mentions.words import read_words
from corefkit.model import Mention
from corefkit.syntax.dependencies import find_head

ENGLISH = {
    "a pronoun": ("[ she/2 ] slept/VERB/0/root", "", FEMININE),
    "a thing": ("[ it/2 ] fell/VERB/0/root", "", NEUTER),
    "the speaker": ("[ I/2 ] slept/VERB/0/root", "person", PERSON),
    "those spoken to": ("[ you/2 ] slept/VERB/0/root", "", PERSON),
    "a plural pronoun": ("[ they/2 ] slept/VERB/0/root", "", UNKNOWN),
    "somebody": ("[ who/2 ] slept/VERB/0/root", "person", PERSON),
    "a given name": ("[ Ann/PROPN/0/root ] ,/1", "", FEMININE),
    "a given name in a longer name": (
        "[ Ann/PROPN/0/root Zork/PROPN/1/flat ] ,/1",
        "person",
        FEMININE,
    ),
    "a title": ("[ Mrs./NOUN/2/nmod:desc Bob/PROPN/0/root ] ,/2", "", FEMININE),
    "a name that nobody knows": ("[ Zork/PROPN/0/root ] ,/1", "", UNKNOWN),
    "a person that nobody knows": ("[ Zork/PROPN/0/root ] ,/1", "person", PERSON),
    "a name of a place": ("[ Ann/PROPN/0/root ] ,/1", "location", NEUTER),
    "a noun for a thing": ("[ the/2 mill/NOUN/0/root ]", "artifact", NEUTER),
    "a noun for a person": ("[ the/2 miller/NOUN/0/root ]", "person", PERSON),
    "a noun that nobody knows": ("[ the/2 zork/NOUN/0/root ]", "", UNKNOWN),
    # Lists of names call many a noun neuter.
    "a noun that a list calls neuter": ("[ the/2 ship/NOUN/0/root ]", "", UNKNOWN),
    "a noun beside a name": (
        "[ the/2 zork/NOUN/0/root Ann/PROPN/2/appos ]",
        "",
        UNKNOWN,
    ),
    "a name joined to another": (
        "[ Zork/PROPN/0/root ] and/3 Ann/PROPN/1/conj",
        "",
        UNKNOWN,
    ),
    "a name owned by another": (
        "[ Ann/PROPN/3/nmod:poss 's/1 Zork/PROPN/0/root ]",
        "",
        UNKNOWN,
    ),
    "a name explained by a noun": (
        "[ Zork/PROPN/0/root ,/4 a/4 Mrs/NOUN/1/appos ]",
        "",
        FEMININE,
    ),
}
SPANISH = {
    "a noun": ("[ la/2 mesa/NOUN/0//Gender=Fem ]", FEMININE),
    "a noun of both": ("[ testigo/NOUN/0//Gender=Com ]", PERSON),
    "a pronoun": ("[ ella/2 ] durmió/VERB/0/root", FEMININE),
    "the speaker": ("[ yo/2 ] duermo/VERB/0/root", PERSON),
    "a zero subject": ("[ */1:nsubj ] Durmió/VERB/0//Person=3", UNKNOWN),
    "a name with its article": ("[ la/2 Haya/PROPN/0/root ]", FEMININE),
    "a name with an adjective": (
        "[ Zork/PROPN/0/root vieja/ADJ/1/amod/Gender=Fem ]",
        FEMININE,
    ),
    "a name with a noun of another gender": (
        "[ el/2 Zork/PROPN/0/root de/5 la/5 ciudad/NOUN/2/nmod/Gender=Fem ]",
        MASCULINE,
    ),
    "a name joined to a noun": (
        "[ Zork/PROPN/0/root ] y/4 la/4 reina/NOUN/1/conj/Gender=Fem",
        UNKNOWN,
    ),
    "a name of the list": ("[ Pedro/PROPN/0/root ] ,/1/punct", MASCULINE),
    "a name that nobody knows": ("[ Zork/PROPN/0/root ] ,/1", UNKNOWN),
    "what is owned says nothing of the owner": (
        "[ su/2 ] amiga/NOUN/0//Gender=Fem",
        UNKNOWN,
    ),
}


def only_mention(line, pronouns=None):
    """Return the mention of a line, its head and the words around it."""
    document = parsed(f"{line} so/ADV/0/advmod/A=B")
    (mention,) = every_mention(document)
    words = read_words(document, pronouns)
    return mention, find_head(mention, words.syntax), words


def gender(line, language, supertype=""):
    known = lexicon(language)
    _, head, words = only_mention(line, known.pronouns)
    return facts.find_gender(
        head,
        words,
        language=get_language(language),
        lexicon=known,
        supertype=supertype,
    )


@pytest.mark.parametrize(("line", "supertype", "bits"), ENGLISH.values(), ids=ENGLISH)
def test_gender_in_english(line, supertype, bits):
    assert gender(line, "en", supertype) == bits


@pytest.mark.parametrize(("line", "bits"), SPANISH.values(), ids=SPANISH)
def test_gender_in_spanish(line, bits):
    assert gender(line, "es") == bits


def test_gender_in_french_does_not_tell_what_a_thing_is():
    lune = "[ la/2 lune/NOUN/0//Gender=Fem ]"
    assert gender(lune, "fr", "object") == FEMININE
    assert gender("[ Zork/PROPN/0/root ] ,/1", "fr", "location") == UNKNOWN


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("[ mills/NOUN/0//Number=Plur ]", PLURAL),
        ("[ mill/NOUN/0//Number=Sing ]", SINGULAR),
        ("[ mill/NOUN/0/root ]", 0),
        ("[ scissors/NOUN/0/root ]", PLURAL),
        ("[ Scissors/NOUN/0//Number=Sing ]", SINGULAR),
        ("[ Ann/PROPN/0//Number=Sing and/3 Bob/PROPN/1/conj ]", PLURAL),
        ("[ Ann/PROPN/0//Number=Sing ] and/3 Bob/PROPN/1/conj", SINGULAR),
        ("[ */1:nsubj ] Duermen/VERB/0//Number=Plur|Person=3", PLURAL),
    ],
)
def test_number(line, number):
    mention, head, words = only_mention(line)
    heads = facts.find_conjuncts(mention, head, words.syntax)
    assert facts.find_number(head, heads, words, lexicon("en")) == number


@pytest.mark.parametrize(
    ("features", "person"),
    [("Person=1", 1), ("Person=2", 2), ("Person=3", 3), ("Person=0", 0), ("A=B", 0)],
)
def test_person(features, person):
    _, head, words = only_mention(f"[ x/PRON/0//{features} ]")
    assert facts.get_person(head, words) == person


def test_every_function_is_in_its_inventory():
    assert {*facts._FUNCTION.values(), "other"} == {*facts.FUNCTIONS}


@pytest.mark.parametrize(
    ("relation", "function"),
    [
        ("nsubj", "subject"),
        ("nsubj:pass", "subject"),
        ("csubj", "subject"),
        ("obj", "object"),
        ("iobj", "object"),
        ("obl:agent", "other"),
        ("nmod:poss", "other"),
        ("root", "other"),
        ("_", "other"),
    ],
)
def test_functions_are_relations_put_together(relation, function):
    _, head, words = only_mention(f"[ mill/NOUN/2/{relation} ] x/X/0/root")
    assert facts.get_function(head, words.syntax) == function


def test_function_of_a_zero_subject_is_that_of_what_is_not_said():
    _, head, words = only_mention("[ */1:nsubj ] Duermen/VERB/0/root")
    assert facts.get_function(head, words.syntax) == "subject"


def test_conjuncts_are_the_heads_inside_the_mention():
    line = "[ Ann/PROPN/0/root ,/3 Bob/PROPN/1/conj ] and/5 Eve/PROPN/1/conj"
    mention, head, words = only_mention(line)
    assert facts.find_conjuncts(mention, head, words.syntax) == (0, 2)


def test_predicate_is_said_of_its_subject():
    _, head, words = only_mention("Ann/PROPN/4/nsubj is/4 [ a/4 miller/NOUN/0/root ]")
    assert facts.find_subject(head, words) == 0
    _, head, words = only_mention("Is/3 [ a/3 miller/NOUN/0/root ]")
    assert facts.find_subject(head, words) == -1
    # A clause with a noun and without copula, as in a headline.
    _, head, words = only_mention("Ann/PROPN/2/nsubj [ miller/NOUN/0/root ]")
    assert facts.find_subject(head, words) == -1


def test_apposition_explains_its_parent():
    _, head, words = only_mention("Ann/PROPN/0/root ,/4 [ a/4 miller/NOUN/1/appos ]")
    assert facts.find_apposed(head, words.syntax) == 0
    _, head, words = only_mention("Ann/PROPN/0/root [ miller/NOUN/1/appos:x ]")
    assert facts.find_apposed(head, words.syntax) == 0
    _, head, words = only_mention("Ann/PROPN/0/root [ miller/NOUN/1/nmod ]")
    assert facts.find_apposed(head, words.syntax) == -1


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[ the/2 mill/NOUN/0/root that/4 burned/VERB/2/acl:relcl ]", True),
        ("[ el/2 molino/NOUN/0/root que/4 ardió/VERB/2/acl ]", True),
        ("[ el/2 molino/NOUN/0/root ardiendo/VERB/2/acl ]", False),
        ("[ the/2 mill/NOUN/0/root ] that/4 burned/VERB/2/acl:relcl", False),
        ("[ the/2 mill/NOUN/0/root old/ADJ/2/amod ]", False),
    ],
    ids=["by its name", "by its pronoun", "participle", "outside", "none"],
)
def test_relative_clause(line, expected):
    assert facts.has_relative_clause(*only_mention(line)) is expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[ the/2 mill/NOUN/4/nmod:poss 's/2 ] wheel/NOUN/0/root", True),
        ("[ the/2 mill/NOUN/4/x ] 's/2 wheel/NOUN/0/root", True),
        ("[ her/2 ] wheel/NOUN/0/root", True),
        ("[ the/2 wheel/NOUN/0/root ] of/5 the/5 mill/NOUN/2/nmod", False),
        # What is owned does not own.
        ("[ the/2 mill/NOUN/4/nmod:poss 's/2 wheel/NOUN/0/root ]", False),
    ],
    ids=["'s inside", "'s behind", "pronoun", "of", "owned"],
)
def test_possessive_phrase(line, expected):
    mention, head, words = only_mention(line)
    assert facts.is_possessive_phrase(mention, head, words.syntax) is expected


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("[ The/3 Old/ADJ/3/amod Mill/NOUN/0/root ]", "old mill"),
        ("[ the/2 mill/NOUN/3/nmod:poss 's/2 ] wheel/NOUN/0/root", "mill"),
        ("[ this/2/obj ] ,/0", "this"),
        ("[ the/3 Danish/ADJ/3/amod mill/NOUN/0/root ]", "denmark mill"),
    ],
    ids=["determiner", "'s", "nothing else", "demonym"],
)
def test_text_is_without_determiners(line, text):
    mention, _, words = only_mention(line)
    assert facts.normalize_text(mention, words.syntax, {"danish": "denmark"}) == text


def test_content_words_are_lemmas():
    line = "[ the/3 old/ADJ/3/amod Mills/NOUN/0//Number=Plur/mill of/5 Ann/PROPN/3 ]"
    mention, _, words = only_mention(line)
    assert facts.list_content_words(mention, words.syntax) == ["old", "mill", "ann"]


@pytest.mark.parametrize(
    ("line", "initials"),
    [
        ("[ Royal/ADJ/2/amod Mills/PROPN/0/root ]", "RM"),
        ("[ Mills/PROPN/0/root of/3 Denmark/PROPN/1/nmod ]", "MD"),
        ("[ Mills/PROPN/0/root ]", ""),
        ("[ The/3 Royal/ADJ/3/amod Mills/PROPN/0/root ]", "RM"),
        ("[ The/2 Mills/PROPN/0/root ]", ""),
    ],
    ids=["two words", "small ones between", "one word", "article", "article and one"],
)
def test_initials_are_of_capitalised_words(line, initials):
    mention, _, words = only_mention(line)
    assert facts.join_initials(mention, words.syntax) == initials


@pytest.mark.parametrize(
    ("line", "acronym"),
    [
        ("[ RM/PROPN/0/root ]", "RM"),
        ("[ R.M./PROPN/0/root ]", "RM"),
        ("[ the/2 RM/PROPN/0/root ]", "RM"),
        ("[ RM/PROPN/3/nmod:poss 's/1 ] wheel/NOUN/0/root", "RM"),
        ("[ R./PROPN/0/root ]", ""),
        ("[ Rm/PROPN/0/root ]", ""),
        ("[ RM/PROPN/2/compound PLC/PROPN/0/root ]", ""),
    ],
    ids=["word", "stops", "article", "'s", "letter", "small", "two words"],
)
def test_acronym_is_one_word_of_capitals(line, acronym):
    mention, _, words = only_mention(line)
    assert facts.find_acronym(mention, words.syntax) == acronym


def test_gaps_do_not_belong_to_a_mention():
    document = parsed("Old/ADJ/3/amod and/2 New/ADJ/0/root Mills/PROPN/1/x/A=B")
    gapped = Mention.of([0, 3])
    words = read_words(document)
    assert facts.join_initials(gapped, words.syntax) == "OM"
    assert facts.normalize_text(gapped, words.syntax) == "old mills"
    assert facts.list_content_words(gapped, words.syntax) == ["old", "mills"]


@pytest.mark.parametrize(
    ("features", "language", "expected"),
    [
        ({"Person": ["1"]}, "es", "person"),
        ({"Person": ["2"]}, "en", "person"),
        ({"Person": ["3"], "Gender": ["Fem"]}, "en", "person"),
        ({"Person": ["3"], "Gender": ["Fem"]}, "fr", ""),
        ({"Person": ["3"], "Gender": ["Neut"]}, "en", ""),
        ({}, "en", ""),
    ],
)
def test_pronouns_that_speak_of_persons(features, language, expected):
    assert facts.find_pronoun_supertype(features, get_language(language)) == expected
