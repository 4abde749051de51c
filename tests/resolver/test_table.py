from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from resolver.lexica import context, table_of
from resolver.trees import parsed

import corefkit
from cistell.mentions.profiles import (
    ENTITY_TYPES,
    FUNCTIONS,
    KINDS,
    MentionTable,
    PairCounts,
    list_annotated,
    make_annotated_table,
)
from corefkit.model import Document, Entity, Mention
from corefkit.syntax.mention_types import MENTION_TYPES

STORY = parsed(
    "[ Ann/PROPN/2/nsubj/Number=Sing ]a:person bought/VERB/0/root "
    "[ the/4 mill/NOUN/2/obj/Number=Sing ]m",
    "[ She/2 ]a sold/VERB/0/root [ [ her/4 ]a mill/NOUN/2/obj/Number=Sing ]m",
    "[ A/2 building/NOUN/3/nsubj/Number=Sing ] fell/VERB/0/root",
)
PROPERTIES = [
    name for name in vars(MentionTable) if hasattr(getattr(MentionTable, name), "func")
]


def test_every_property_is_an_array_of_the_profiles():
    table = table_of(STORY)
    plain = {
        "start": [one.mention.start for one in table.profiles],
        "end": [one.mention.end for one in table.profiles],
        "head": [one.head for one in table.profiles],
        "sentence": [one.sentence for one in table.profiles],
        "pronoun": [one.pronoun for one in table.profiles],
        "gender": [one.gender for one in table.profiles],
        "number": [one.number for one in table.profiles],
        "person": [one.person for one in table.profiles],
        "coordinated": [one.coordinated for one in table.profiles],
        "possessive": [one.possessive for one in table.profiles],
        "relative": [one.relative for one in table.profiles],
        "quoted": [one.quoted for one in table.profiles],
        "subject": [one.subject for one in table.profiles],
        "apposed": [one.apposed for one in table.profiles],
        "content_size": [len(one.contents) for one in table.profiles],
        "human": [one.supertype == "person" for one in table.profiles],
    }
    assert {name: getattr(table, name).tolist() for name in plain} == plain
    assert [KINDS[place] for place in table.kind] == [
        one.kind for one in table.profiles
    ]
    types = [ENTITY_TYPES[place] for place in table.entity_type]
    assert types == [one.entity_type for one in table.profiles]
    functions = [FUNCTIONS[place] for place in table.function]
    assert functions == [one.function for one in table.profiles]


def test_numbers_are_the_same_where_values_are():
    table = table_of(STORY)
    # Ann, the mill, she, her mill, her, a building.
    assert len(table) == 6
    assert table.head_form.tolist() == [0, 1, 2, 1, 3, 4]
    assert table.text.tolist() == [0, 1, 2, 3, 4, 5]
    assert table.frequency.tolist() == [1, 2, 1, 2, 1, 1]
    # She and her are forms of one pronoun.
    assert table.pronoun_form.tolist() == [-1, -1, 0, -1, 0, -1]


def test_value_that_is_not_there_is_minus_one():
    table = table_of(STORY)
    assert table.speaker.tolist() == [-1] * 6
    assert table.concept.tolist() == [0, 1, -1, 1, -1, 2]
    assert table.supertype.tolist() == [0, 1, 0, 1, 0, 1]


def every_pair(counts, size):
    first, second = np.indices((size, size))
    return counts(first.ravel(), second.ravel()).reshape(size, size)


def test_shared_contents_are_counted_for_each_two():
    shared = table_of(STORY).shared_contents
    contents = [one.contents for one in table_of(STORY).profiles]
    expected = [[len(a & b) for b in contents] for a in contents]
    assert every_pair(shared, 6).tolist() == expected


def test_kinships_say_what_is_a_kind_of_what():
    known, synonyms, kinds = table_of(STORY).kinships
    # person, mill, building: a mill is a building, and nothing else is anything.
    assert known.tolist() == [True, True, True]
    assert (
        every_pair(synonyms, 3).astype(bool).tolist() == np.eye(3, dtype=bool).tolist()
    )
    assert np.argwhere(every_pair(kinds, 3)).tolist() == [[1, 2]]


def test_kinships_without_wordnet_know_nothing():
    known, synonyms, kinds = table_of(STORY, wordnet=False).kinships
    assert not known.any()
    assert not every_pair(synonyms, 3).any()
    assert not every_pair(kinds, 3).any()


def test_acronyms_and_initials_have_the_same_numbers():
    table = table_of(
        parsed(
            "[ Royal/ADJ/2/amod Mills/PROPN/0//Number=Sing ]",
            "[ RM/PROPN/0/root ]",
            "[ the/2 mill/NOUN/0/root ]",
        )
    )
    own, initials = table.letters
    assert own.tolist() == [-1, 0, -1]
    assert initials.tolist() == [0, -1, -1]


@pytest.mark.parametrize("name", PROPERTIES)
@pytest.mark.parametrize("line", ["so/ADV/0//A=B", "[ Ann/PROPN/0//A=B ]"])
def test_no_mention_and_one_are_tables_too(line, name):
    table = table_of(parsed(line))
    value = getattr(table, name)
    first = value[0] if isinstance(value, tuple) else value
    if isinstance(first, PairCounts):
        assert first.size == len(table)
        return
    assert len(first) in (len(table), 0)


def test_kinds_are_those_of_the_statistics_pronouns_first():
    leaves = {name for name in MENTION_TYPES if name not in MENTION_TYPES.values()}
    counted = leaves | {"definite_nps", "bare_nps"}
    assert {*KINDS} == counted | {"reflexive_pronouns"}
    flags = [kind.endswith("_pronouns") for kind in KINDS]
    assert flags == sorted(flags, reverse=True)


SAMPLE = (
    Path(__file__).resolve().parents[3]
    / "shared/data/formats/corefud/es_ancora-one-sentence.conllu"
)
WORDS = (("Ann", "or", "Bob", "or", "Eve"),)


def document(*entities):
    return Document("d", WORDS, entities)


def test_mentions_have_the_number_of_their_entity():
    found = list_annotated(
        document(
            Entity("b", (Mention(2, 2), Mention(0, 0))), Entity("e", (Mention(4, 4),))
        )
    )
    assert found == {Mention(2, 2): 0, Mention(0, 0): 0, Mention(4, 4): 1}


def test_mention_of_two_entities_is_of_the_first():
    twice = Mention(0, 0)
    found = list_annotated(
        document(Entity("a", (twice, Mention(2, 2))), Entity("b", (twice,)))
    )
    assert found == {twice: 0, Mention(2, 2): 0}


def test_mentions_that_do_not_refer_are_alone():
    it_rains = Entity("x", (Mention(0, 0), Mention(2, 2)), referring=False)
    found = list_annotated(document(it_rains))
    assert len({*found.values()}) == 2


def test_entities_of_the_same_name_are_two():
    alone = [Entity("NOCOREF", (Mention(at, at),)) for at in (0, 2)]
    assert len({*list_annotated(document(*alone)).values()}) == 2


def test_table_numbers_entities_in_the_order_of_the_text():
    text = parsed(
        "[ Ann/PROPN/2/nsubj ]a saw/VERB/0//A=B [ Bob/PROPN/2/obj ]b",
        "[ She/2 ]a slept/VERB/0/root",
    )
    turned = replace(text, entities=text.entities[::-1])
    table, entity = make_annotated_table(turned, context())
    assert [one.mention.start for one in table.profiles] == [0, 2, 3]
    assert entity.tolist() == [0, 1, 0]


def test_document_without_mentions():
    table, entity = make_annotated_table(parsed("so/ADV/0//A=B"), context())
    assert (len(table), entity.tolist()) == (0, [])


@pytest.mark.skipif(not SAMPLE.exists(), reason="the samples are not here")
def test_mentions_that_ancora_calls_alone_are_not_joined():
    (text,) = corefkit.read(SAMPLE)
    names = [text.text(mention) for mention in list_annotated(text)]
    assert len(names) == 3
    assert len({*list_annotated(text).values()}) == 3
    _, entity = make_annotated_table(text, context("es"))
    assert entity.tolist() == [0, 1, 2]
