from __future__ import annotations

from dataclasses import replace

import pytest
from resolver.lexica import context
from resolver.trees import every_mention, parsed
from shared_files import DATA

import corefkit
from cistell.mentions.lexicon import load_lexicon
from cistell.mentions.profiles import (
    _TYPES,
    ENTITY_TYPES,
    FEMININE,
    MASCULINE,
    NEUTER,
    PERSON,
    PLURAL,
    TYPE_SUPERTYPES,
    UNKNOWN,
    Context,
    describe_mentions,
    get_entity_type,
)
from corefkit.model import Document, Mention

SAMPLES = DATA / "formats" / "corefud"


def profiles(*lines, language="en", **options):
    document = parsed(*lines)
    return describe_mentions(
        document, every_mention(document), context(language, **options)
    )


def profile(*lines, **options):
    (found,) = profiles(*lines, **options)
    return found


def test_mentions_come_in_the_order_of_the_text_the_longer_first():
    line = "[ [ Ann/PROPN/3/nmod:poss 's/1 ] mill/NOUN/0/root of/5 [ it/3/nmod ] ]"
    found = describe_mentions(
        parsed(line), [*reversed(every_mention(parsed(line)))], context()
    )
    spans = [(one.mention.start, one.mention.end) for one in found]
    assert spans == [(0, 4), (0, 1), (4, 4)]


def test_everything_that_a_name_tells():
    found = profile(
        "# speaker = Eve\n"
        '"/5 [ Mrs./NOUN/3/nmod:desc Ann/PROPN/5/nsubj/Number=Sing Zork/PROPN/3/flat '
        ']a:person slept/VERB/0/root "/5',
    )
    assert found.head == 2
    assert (found.kind, found.gender, found.number) == ("proper_nouns", FEMININE, 1)
    assert (found.entity_type, found.supertype) == ("person", "person")
    assert found.concept == "person"
    assert found.function == "subject"
    assert (found.person, found.pronoun, found.coordinated) == (0, False, False)
    assert (found.head_forms, found.head_lemmas) == (("ann",), ("ann",))
    assert found.text == "mrs. ann zork"
    assert found.contents == {"mrs.", "ann", "zork"}
    assert (found.initials, found.acronym) == ("MAZ", "")
    assert (found.speaker, found.quoted, found.sentence) == ("Eve", True, 0)
    assert (found.subject, found.apposed) == (-1, -1)


def test_noun_means_its_lemma_and_a_pronoun_nothing():
    mill, it = profiles(
        "[ the/2 Mills/NOUN/0//Number=Plur/mill ]", "[ it/2 ] fell/VERB/0/root"
    )
    assert (mill.concept, mill.supertype, mill.head_lemmas) == (
        "mill",
        "artifact",
        ("mill",),
    )
    assert mill.head_forms == ("mills",)
    assert (it.concept, it.supertype) == ("", "")


def test_coordination_has_all_heads_and_no_gender():
    found = profile("[ Ann/PROPN/0/root and/3 Bob/PROPN/1/conj ] slept/VERB/1/x/A=B")
    assert found.coordinated
    assert found.head_forms == ("ann", "bob")
    assert (found.gender, found.number) == (UNKNOWN, PLURAL)


def test_reflexive_pronouns_are_a_kind_of_their_own():
    assert profile("saw/VERB/0/root [ herself/1 ]").kind == "reflexive_pronouns"


def test_person_is_asked_of_pronouns_alone():
    assert profile("[ I/2 ] slept/VERB/0/root").person == 1
    verb = profile("[ sleeps/VERB/0//Person=3 ] ,/1")
    assert (verb.kind, verb.person) == ("clauses", 0)


@pytest.mark.parametrize(
    ("shown", "name", "noun"),
    [
        ("names", "person", "none"),
        ("all", "person", "person"),
        ("none", "none", "none"),
    ],
)
def test_entity_types_are_shown_on_those_that_are_asked_for(shown, name, noun):
    found = profiles(
        "[ Ann/PROPN/2/nsubj ]a:person slept/VERB/0/root",
        "[ the/2 miller/NOUN/3/nsubj/Number=Sing ]a:person slept/VERB/0/root",
        entity_types=shown,
    )
    assert [one.entity_type for one in found] == [name, noun]


def test_head_is_the_tree_s_whatever_the_file_names():
    document = parsed("[ her/2 mill/NOUN/3/nsubj ]a burned/VERB/0/root")
    (mention,) = every_mention(document)
    plain = describe_mentions(document, [mention], context())
    named = describe_mentions(document, [replace(mention, head=0)], context())
    assert [one.head for one in named] == [1]
    assert named == plain


def test_without_wordnet_nouns_have_no_supertype():
    noun = "[ the/2 mill/NOUN/0/root ]"
    assert profile(noun, wordnet=False).supertype == ""
    assert profile(noun, wordnet=True).supertype == "artifact"
    name = "[ Ann/PROPN/0//Number=Sing ]a:person"
    assert profile(name, wordnet=False).supertype == "person"


def test_zero_subject_is_a_pronoun_with_number_and_person():
    found = profile(
        "[ */1:nsubj ] Durmieron/VERB/0//Number=Plur|Person=3", language="es"
    )
    assert (found.kind, found.pronoun) == ("zero_pronouns", True)
    assert (found.number, found.person, found.gender) == (PLURAL, 3, UNKNOWN)
    assert found.function == "subject"


def test_document_without_mentions_has_no_profiles():
    assert profiles("so/ADV/0//A=B") == []
    assert describe_mentions(Document("d", (), ()), (), context()) == []


def test_document_without_tree_is_refused():
    document = Document("d", (("Ann",),), ())
    with pytest.raises(corefkit.FormatError, match="no tags and trees"):
        describe_mentions(document, [Mention(0, 0)], context())


def in_sample(name, language):
    path = SAMPLES / name
    if not path.exists():
        pytest.skip("the samples beside the project are not here")
    known = Context(load_lexicon(language), "all")
    for document in corefkit.read(path):
        if len(document.tokens) > 1:
            for one in describe_mentions(document, every_mention(document), known):
                yield document.text(one.mention), one


def test_profiles_of_ancora():
    found = dict(in_sample("es_ancora-one-sentence.conllu", "es"))
    court = found["el Tribunal Supremo de Justicia ( TSJ )"]
    assert (court.kind, court.entity_type) == ("definite_nps", "organization")
    assert (court.gender, court.head_forms) == (MASCULINE, ("tribunal",))
    assert (court.function, court.supertype) == ("subject", "group")
    short = found["( TSJ )"]
    assert (short.acronym, short.gender) == ("TSJ", UNKNOWN)
    assert found["el 28 de mayo"].entity_type == "time"


def test_profiles_of_french_democrat():
    found = dict(in_sample("fr-democrat-dev-sample.conllu", "fr"))
    fund = found["La Caisse d' Allocations familiales de le Territoire de Belfort"]
    assert (fund.kind, fund.gender, fund.number) == ("definite_nps", FEMININE, 1)
    # "ses" is masculine and plural as what it owns; the owner is one.
    owner = found["ses"]
    assert (owner.kind, owner.gender, owner.number) == (
        "possessive_pronouns",
        UNKNOWN,
        1,
    )
    assert (owner.person, owner.function) == (3, "other")
    members = found["ses allocataires"]
    assert (members.kind, members.gender, members.number) == (
        "possessive_nps",
        MASCULINE,
        PLURAL,
    )


def test_english_genders_are_those_of_things():
    ann, mill, somebody = profiles(
        "[ Ann/PROPN/0//Number=Sing ]",
        "[ the/2 mill/NOUN/0/root ]",
        "[ the/2 miller/NOUN/0/root ]",
    )
    assert (ann.gender, mill.gender, somebody.gender) == (FEMININE, NEUTER, PERSON)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("person", "person"),
        ("PER", "person"),
        ("Organisation", "organization"),
        ("GPE", "place"),
        ("FAC", "place"),
        ("WORK_OF_ART", "object"),
        ("date", "time"),
        ("MONEY", "abstract"),
        ("zork", "other"),
        ("", "none"),
        (None, "none"),
    ],
)
def test_entity_types_of_corpora_are_one_inventory(given, expected):
    attributes = {} if given is None else {"type": given}
    assert get_entity_type(Mention(0, 0, attributes=attributes)) == expected


def test_every_type_is_in_the_inventory():
    assert {*_TYPES.values()} == {*ENTITY_TYPES}
    assert {*TYPE_SUPERTYPES} <= {*ENTITY_TYPES}
