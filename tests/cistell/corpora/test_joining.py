"""Trees and types of other files, joined by the names of documents."""

from __future__ import annotations

from dataclasses import replace

import pytest
from formats.reading import DATA, needs_data

import corefkit
from corefkit import Document, Entity, Mention, PairingError
from corefkit.cistell.corpora.joining import with_trees, with_types

STORY = Document(
    "story",
    (("the", "old", "mill", "burned"),),
    (Entity("1", (Mention(0, 2), Mention(2, 2), Mention(1, 1))),),
    layers={
        "xpos": ("DT", "JJ", "NN", "VBD"),
        "head": ("3", "3", "4", "0"),
        "deprel": ("det", "amod", "nsubj", "root"),
    },
)


def typed(*mentions):
    entities = tuple(
        Entity(str(number), (Mention(start, end, attributes={"type": type_}),))
        for number, (start, end, type_) in enumerate(mentions)
    )
    return replace(STORY, id="(story); part 000", entities=entities, layers={})


def types(document):
    return [one.attributes.get("type") for entity in document for one in entity]


def test_trees_are_added_to_the_layers():
    parse = ("(NP*", "*", "*)", "(VP*)")
    other = Document("(story); part 000", STORY.sentences, (), layers={"parse": parse})
    (found,) = with_trees([STORY], [other])
    assert found == replace(STORY, layers={**STORY.layers, "parse": parse})


def test_types_go_by_words_then_by_the_head_of_the_longest():
    (found,) = with_types([STORY], [typed((2, 2, "object"), (1, 2, "place"))])
    assert types(found) == ["place", "object", None]


def test_types_that_are_known_stay():
    known = replace(
        STORY, entities=(Entity("1", (Mention(0, 2, attributes={"type": "PER"}),)),)
    )
    (found,) = with_types([known], [typed((0, 2, "place"))])
    assert types(found) == ["PER"]


def test_without_a_tree_types_go_by_words_alone():
    plain = replace(STORY, layers={})
    (found,) = with_types([plain], [typed((0, 2, "place"), (1, 2, "object"))])
    assert types(found) == ["place", None, None]


@pytest.mark.parametrize("join", [with_trees, with_types])
def test_other_documents_and_other_words_are_refused(join):
    with pytest.raises(PairingError, match="is not in the other file"):
        list(join([STORY], []))
    other = replace(STORY, sentences=(("the", "old", "mill", "fell"),))
    with pytest.raises(PairingError, match="has other words"):
        list(join([STORY], [other]))


def test_documents_without_trees_are_refused():
    with pytest.raises(PairingError, match="has no constituent tree"):
        list(with_trees([STORY], [STORY]))


@needs_data
def test_ontogum_gets_the_types_of_gum():
    ontogum = corefkit.read(DATA / "ontogum/ontogum-test.conllu")
    gum = corefkit.read(DATA / "gum/gum-test.conllu")
    found = [type_ for one in with_types(ontogum, gum) for type_ in types(one)]
    assert sum(map(bool, found)) > 0.98 * len(found)
