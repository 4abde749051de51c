"""Losses add up, and are laid out for people."""

from __future__ import annotations

from dataclasses import replace

import pytest
from formats.reading import DATA, needs_data

import corefkit
from cistell.studies.corpora.loss import NO_NODE, Loss, loss_between, onto_trees
from cistell.studies.corpora.parts import is_masked
from corefkit import Document, Entity, FormatError, Mention


def test_losses_add_up():
    one = Loss(5, 4, 2, 2, dropped={"is long": 2}, added={"is short": 1})
    two = Loss(3, 2, 1, 1, dropped={"is long": 1, "is odd": 1})
    assert one + two == Loss(
        8, 6, 3, 3, dropped={"is long": 3, "is odd": 1}, added={"is short": 1}
    )
    assert one + Loss() == one


def test_table_has_a_row_for_each_reason():
    loss = Loss(1200, 1001, 7, 6, dropped={"is long": 200}, added={"is short": 1})
    assert [line.split("  ")[0] for line in str(loss).splitlines()[1:]] == [
        "before",
        "dropped: is long",
        "added: is short",
        "after",
    ]
    assert "1,200" in str(loss)


def test_entities_without_mentions_and_empty_reasons_do_not_count():
    before = Document("d", (), (Entity("1", (Mention(0, 0),)), Entity("2", ())))
    loss = loss_between(before, [before], dropped={"is long": 0})
    assert loss == Loss(1, 1, 1, 1)


# "by the old mill of Ann , which burned"
STORY = Document(
    "d",
    (("by", "the", "old", "mill", "of", "Ann", ",", "which", "burned"),),
    (),
    layers={
        "upos": ("ADP", "DET", "ADJ", "NOUN", "ADP", "PROPN", "PUNCT", "PRON", "VERB"),
        "feats": ("_", "Definite=Def", *"_______"),
        "head": ("4", "4", "4", "0", "6", "4", "9", "9", "4"),
        "deprel": (
            "case",
            "det",
            "amod",
            "root",
            "case",
            "nmod",
            "punct",
            "nsubj",
            "acl",
        ),
    },
)
NODES = {
    "whole": (0, 8),
    "without preposition": (1, 8),
    "without clause": (1, 5),
    "bare": (1, 3),
    "head": (3, 3),
    "other head": (5, 5),
    "other phrase": (4, 5),
}
NO_NODES = {
    "two heads": (3, 4),
    "words of two phrases": (5, 6),
    "cut inside a dependent": (1, 7),
    "without head": (1, 2),
}


def onto(mention, document=STORY):
    return onto_trees(replace(document, entities=(Entity("1", (mention,)),)))


@pytest.mark.parametrize("span", NODES.values(), ids=NODES)
def test_mention_with_a_node_is_kept_without_its_head(span):
    found, loss = onto(Mention(*span, head=span[0], attributes={"type": "place"}))
    assert loss.dropped == {}
    ((mention,),) = found
    assert repr(mention) == repr(Mention(*span, attributes={"type": "place"}))


@pytest.mark.parametrize("span", NO_NODES.values(), ids=NO_NODES)
def test_mention_without_a_node_is_dropped(span):
    found, loss = onto(Mention(*span))
    assert (len(found), loss.dropped) == (0, {NO_NODE: 1})


def test_gaps_may_leave_a_dependent_out():
    assert len(onto(Mention.of([1, 3])).document) == 1


def test_empty_nodes_are_nodes():
    layers = {name: (row[0], "_", *row[1:]) for name, row in STORY.layers.items()}
    words = (STORY.tokens[0], "_", *STORY.tokens[1:])
    document = replace(STORY, sentences=(words,), empty=(1,), layers=layers)
    assert len(onto(Mention(1, 1), document).document) == 1
    assert len(onto(Mention(0, 9), document).document) == 1


def test_sentences_of_one_word_are_trees():
    layers = {"xpos": ("UH", "NNP"), "head": ("0", "0"), "deprel": ("root", "root")}
    document = Document("d", (("Hey",), ("Ann",)), (), layers=layers)
    assert len(onto(Mention(1, 1), document).document) == 1
    assert len(onto(Mention(0, 1), document).document) == 0


def test_documents_without_trees_are_refused():
    with pytest.raises(FormatError, match="has no tags and trees to map"):
        onto_trees(replace(STORY, layers={}))


@needs_data
def test_most_mentions_of_gum_have_nodes_in_its_own_trees():
    documents = [
        text
        for text in corefkit.read(DATA / "gum/gum-test.conllu")
        if not is_masked(text)
    ]
    losses = [onto_trees(document).loss for document in documents]
    dropped = sum(loss.dropped.get(NO_NODE, 0) for loss in losses)
    assert dropped == 188
