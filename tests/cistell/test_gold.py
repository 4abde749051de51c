from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from cistell.lexica import context
from cistell.trees import parsed

import corefkit
from corefkit.cistell.gold import annotated, annotated_table
from corefkit.model import Document, Entity, Mention

SAMPLE = (
    Path(__file__).resolve().parents[3]
    / "shared/data/formats/corefud/es_ancora-one-sentence.conllu"
)
WORDS = (("Ann", "or", "Bob", "or", "Eve"),)


def document(*entities):
    return Document("d", WORDS, entities)


def test_mentions_have_the_number_of_their_entity():
    found = annotated(
        document(
            Entity("b", (Mention(2, 2), Mention(0, 0))), Entity("e", (Mention(4, 4),))
        )
    )
    assert found == {Mention(2, 2): 0, Mention(0, 0): 0, Mention(4, 4): 1}


def test_mention_of_two_entities_is_of_the_first():
    twice = Mention(0, 0)
    found = annotated(
        document(Entity("a", (twice, Mention(2, 2))), Entity("b", (twice,)))
    )
    assert found == {twice: 0, Mention(2, 2): 0}


def test_mentions_that_do_not_refer_are_alone():
    it_rains = Entity("x", (Mention(0, 0), Mention(2, 2)), referring=False)
    found = annotated(document(it_rains))
    assert len({*found.values()}) == 2


def test_entities_of_the_same_name_are_two():
    alone = [Entity("NOCOREF", (Mention(at, at),)) for at in (0, 2)]
    assert len({*annotated(document(*alone)).values()}) == 2


def test_table_numbers_entities_in_the_order_of_the_text():
    text = parsed(
        "[ Ann/PROPN/2/nsubj ]a saw/VERB/0//A=B [ Bob/PROPN/2/obj ]b",
        "[ She/2 ]a slept/VERB/0/root",
    )
    turned = replace(text, entities=text.entities[::-1])
    table, entity = annotated_table(turned, context())
    assert [one.mention.start for one in table.profiles] == [0, 2, 3]
    assert entity.tolist() == [0, 1, 0]


def test_document_without_mentions():
    table, entity = annotated_table(parsed("so/ADV/0//A=B"), context())
    assert (len(table), entity.tolist()) == (0, [])


@pytest.mark.skipif(not SAMPLE.exists(), reason="the samples are not here")
def test_mentions_that_ancora_calls_alone_are_not_joined():
    (text,) = corefkit.read(SAMPLE)
    names = [text.text(mention) for mention in annotated(text)]
    assert len(names) == 3
    assert len({*annotated(text).values()}) == 3
    _, entity = annotated_table(text, context("es"))
    assert entity.tolist() == [0, 1, 2]
