"""Corpora of settings: mapped, parsed, cut, and what that costs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from formats.reading import DATA, needs_data
from resolver.experiment.made import data_folder, setting_of

import corefkit
from cistell.studies.corpora.loss import NO_NODE
from cistell.studies.corpora.schemes import OTHER_TYPE
from cistell.studies.preparing import (
    PartSummary,
    nothing_to_read,
    prepared,
    with_trees,
    with_types,
)
from cistell.studies.study import PartFiles
from corefkit import Document, Entity, Mention, PairingError
from corefkit.corpus import read_declaration


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return data_folder(tmp_path_factory.mktemp("data"))


def tales(**options):
    files = {
        "train": PartFiles("typed-train.conllu"),
        "test": PartFiles("typed-test.conllu"),
    }
    return setting_of(**(files | options))


def test_documents_are_as_annotated_without_a_scheme(data):
    documents, facts = prepared(tales(), "test", data=data, words=0, parser=None)
    assert len(documents) == facts.texts == facts.statistics.documents == 5
    assert facts.loss.mentions_before == facts.loss.mentions_after
    assert not facts.loss.dropped
    told = read_declaration(documents[0]).to_dict()
    assert told == {
        "scheme": "tales",
        "mentions": "gold",
        "preprocessing": "gold",
        "split": "test",
        "parts": "whole",
    }
    assert facts.corpus.declared == read_declaration(documents[0])


def test_scheme_and_cut_are_counted_as_one_loss(data):
    setting = tales(scheme="ace", train=PartFiles("typed-train.conllu", split="dev"))
    documents, facts = prepared(setting, "train", data=data, words=12, parser=None)
    assert facts.texts == 9
    assert len(documents) > 9
    assert facts.loss.dropped[OTHER_TYPE] > 0
    kept = sum(len(entity) for document in documents for entity in document)
    assert facts.loss.mentions_after == kept == facts.statistics.mentions
    assert facts.loss.mentions_before - kept == sum(facts.loss.dropped.values())
    assert read_declaration(documents[0]).split == "dev"
    assert read_declaration(documents[0]).parts == "12"


class Flat:
    """A parser that hangs every word on the first of its sentence."""

    def parse_document(self, document):
        heads = []
        for sentence in document.sentences:
            heads += ["0", *["1"] * (len(sentence) - 1)]
        return replace(document, layers={**document.layers, "head": tuple(heads)})


def test_mentions_without_a_node_are_dropped(data):
    gold, _ = prepared(tales(), "test", data=data, words=0, parser=None)
    flat, facts = prepared(tales(), "test", data=data, words=0, parser=Flat())
    counts = [sum(len(entity) for one in row for entity in one) for row in (gold, flat)]
    assert facts.loss.dropped == {NO_NODE: counts[0] - counts[1]}
    assert counts[0] > counts[1] > 0


def test_mentions_without_a_node_are_kept_if_wanted(data):
    gold, _ = prepared(tales(), "test", data=data, words=0, parser=None)
    setting = tales(drop_without_node=False)
    flat, facts = prepared(setting, "test", data=data, words=0, parser=Flat())
    assert not facts.loss.dropped
    for one, other in zip(gold, flat, strict=True):
        assert one.entities == other.entities
        assert one.layers["head"] != other.layers["head"]


def test_masked_documents_are_left_out(data, tmp_path):
    first, *others = corefkit.read(data / "typed-test.conllu")
    hidden = tuple(tuple("_" * len(word) for word in row) for row in first.sentences)
    masked = replace(first, sentences=hidden)
    corefkit.write([masked, *others], tmp_path / "some.conllu", format="conllu")
    setting = tales(test=PartFiles("some.conllu"))
    _, facts = prepared(setting, "test", data=tmp_path, words=0, parser=None)
    assert (facts.texts, facts.masked) == (4, 1)


def test_types_are_taken_from_another_file(data, tmp_path):
    documents = list(corefkit.read(data / "typed-test.conllu"))
    plain = [
        replace(
            document,
            entities=tuple(
                replace(
                    entity,
                    mentions=tuple(replace(one, attributes={}) for one in entity),
                )
                for entity in document
            ),
        )
        for document in documents
    ]
    corefkit.write(plain, tmp_path / "plain.conllu", format="conllu")
    corefkit.write(documents, tmp_path / "typed.conllu", format="conllu")
    setting = tales(test=PartFiles("plain.conllu", types="typed.conllu"))
    typed, _ = prepared(setting, "test", data=tmp_path, words=0, parser=None)
    types = {one.attributes.get("type") for entity in typed[0] for one in entity}
    assert types == {"person", "object"}


def test_facts_survive_json(data):
    setting = tales(scheme="ace")
    _, facts = prepared(setting, "test", data=data, words=12, parser=None)
    assert PartSummary.from_dict(facts.to_dict()) == facts


def test_corpus_that_is_not_there_is_told(data, tmp_path):
    gone = tales(test=PartFiles("gone.conllu"))
    assert nothing_to_read(tales(), data) == ""
    assert nothing_to_read(gone, data) == "gone.conllu is not in the folder of data"
    bare = [
        replace(one, entities=()) for one in corefkit.read(data / "typed-test.conllu")
    ]
    corefkit.write(bare, tmp_path / "bare.conllu", format="conllu")
    empty = tales(
        train=PartFiles("bare.conllu"), test=PartFiles("bare.conllu"), optional="get it"
    )
    assert nothing_to_read(empty, tmp_path) == "bare.conllu has no entities"


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
@pytest.mark.slow
def test_ontogum_gets_the_types_of_gum():
    ontogum = corefkit.read(DATA / "ontogum/ontogum-test.conllu")
    gum = corefkit.read(DATA / "gum/gum-test.conllu")
    found = [type_ for one in with_types(ontogum, gum) for type_ in types(one)]
    assert sum(map(bool, found)) > 0.98 * len(found)
