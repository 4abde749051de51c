"""Schemes as views of one corpus, and what each of them drops and adds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from formats.reading import DATA, needs_data

import corefkit
from cistell.studies.corpora.loss import REPEATED, Loss
from cistell.studies.corpora.parts import is_masked, parts_of
from cistell.studies.corpora.schemes import (
    NO_NOUN_PHRASE,
    NOUN_PHRASE,
    OTHER_TYPE,
    SCHEMES,
    in_scheme,
    noun_phrases,
    phrase_mentions,
    scheme_named,
)
from cistell.studies.preparing import with_trees
from corefkit import Bridge, Document, Entity, FormatError, Mention, SettingsError

# "Ann sold her mill . This hurt ."


def mention(start, end, type_=""):
    return Mention(start, end, attributes={"type": type_} if type_ else {})


STORY = Document(
    "d",
    (("Ann", "sold", "her", "mill", "."), ("This", "hurt", ".")),
    (
        Entity("ann", (mention(0, 0, "person"), mention(2, 2, "person"))),
        Entity("mill", (mention(2, 3, "place"),), split=("ann", "sale")),
        Entity("sale", (mention(1, 3, "event"), mention(5, 5, "event"))),
        Entity("again", (mention(2, 3, "place"),)),
    ),
    bridges=(
        Bridge(Mention(2, 3), "ann", Mention(0, 0)),
        Bridge(Mention(2, 3), "sale"),
        Bridge(Mention(5, 5), "ann"),
    ),
    layers={
        "xpos": ("NNP", "VBD", "PRP$", "NN", ".", "DT", "VBD", "."),
        "head": ("2", "0", "4", "2", "2", "2", "0", "2"),
        "deprel": ("nsubj", "root", "nmod:poss", "obj", "punct", "nsubj", "root", "p"),
        "parse": (
            "(TOP(S(NP*)",
            "(VP*",
            "(NP*",
            "*))",
            "*))",
            "(TOP(S(NP*)",
            "(VP*)",
            "*))",
        ),
    },
)


def mapped(document, name):
    ((found, loss),) = in_scheme([document], name)
    return {one.id: [tuple(span) for span in one] for one in found}, loss


@pytest.mark.parametrize("name", ["gum", "ontogum"])
def test_as_it_is_but_for_repeated_spans(name):
    found, loss = mapped(STORY, name)
    assert found == {
        "ann": [(0, 0), (2, 2)],
        "mill": [(2, 3)],
        "sale": [(1, 3), (5, 5)],
    }
    assert loss == Loss(6, 5, 4, 3, dropped={REPEATED: 1})


def test_noun_phrases_have_no_verbs_for_heads():
    found, loss = mapped(STORY, "gum-nps")
    assert found == {"ann": [(0, 0), (2, 2)], "mill": [(2, 3)], "sale": [(5, 5)]}
    assert loss.dropped == {NO_NOUN_PHRASE: 1, REPEATED: 1}


def test_head_is_that_of_the_tree_whatever_the_file_names():
    entity = Entity("sale", (Mention(1, 3, head=3),))
    found, _ = mapped(replace(STORY, entities=(entity,), bridges=()), "gum-nps")
    assert found == {}


def test_ace_has_people_organizations_and_places():
    found, loss = mapped(STORY, "ace")
    assert found == {"ann": [(0, 0), (2, 2)], "mill": [(2, 3)]}
    assert loss.dropped == {OTHER_TYPE: 2, REPEATED: 1}


def test_links_to_what_is_dropped_are_dropped():
    ((found, _),) = in_scheme([STORY], "ace")
    assert found.bridges == STORY.bridges[:1]
    assert found.entities[1].split == ("ann",)


def test_other_noun_phrases_are_singletons():
    only = replace(STORY, entities=STORY.entities[:1], bridges=())
    found, loss = mapped(only, "ontogum-nps")
    assert found == {
        "ann": [(0, 0), (2, 2)],
        "np-2-3": [(2, 3)],
        "np-5-5": [(5, 5)],
    }
    assert loss == Loss(2, 4, 1, 3, added={NOUN_PHRASE: 2})


def test_noun_phrases_with_the_head_of_a_mention_are_not_added():
    mill = Entity("mill", (Mention(3, 3),))
    found, _ = mapped(replace(STORY, entities=(mill,), bridges=()), "ontogum-nps")
    assert [*found] == ["np-0-0", "np-2-2", "mill", "np-5-5"]


@pytest.mark.parametrize("name", ["gum-nps", "ace", "ontogum-nps"])
def test_documents_without_tags_are_refused(name):
    with pytest.raises(FormatError, match="has no tags") as refused:
        mapped(replace(STORY, layers={}), name)
    assert refused.value.hint


def test_unknown_scheme_is_refused_with_the_nearest():
    with pytest.raises(SettingsError, match="unknown scheme 'ontogums'") as refused:
        scheme_named("ontogums")
    assert "'ontogum'" in refused.value.hint


def test_every_scheme_is_described():
    for name, scheme in SCHEMES.items():
        assert scheme.name == name
        assert scheme.corpus in ("gum", "ontogum")
        assert scheme.about


@pytest.fixture(scope="module")
def corpora():
    """Return the test parts of both corpora, OntoGUM with its constituent trees."""
    trees = corefkit.read(DATA / "ontogum/conll2012/ontogum-test.v4_gold_conll")
    gum = corefkit.read(DATA / "gum/gum-test.conllu")
    ontogum = corefkit.read(DATA / "ontogum/ontogum-test.conllu")
    readable = (text for text in ontogum if not is_masked(text))
    return {
        "gum": [text for text in gum if not is_masked(text)],
        "ontogum": list(with_trees(readable, trees)),
    }


# Documents with mentions, mentions, entities and singletons of parts of 300 words.
COUNTS = {
    "gum": (114, 7927, 4898, 3700),
    "gum-nps": (114, 7727, 4839, 3732),
    "ace": (113, 3568, 1670, 1118),
    "ontogum": (113, 3581, 1298, 385),
    "ontogum-nps": (114, 7829, 5625, 4777),
}


@needs_data
@pytest.mark.parametrize("name", SCHEMES)
@pytest.mark.slow
def test_counts_of_the_corpora(corpora, name):
    documents = [one.document for one in in_scheme(corpora[SCHEMES[name].corpus], name)]
    parts = [part for text in documents for part in parts_of(text, 300).documents]
    counts = corefkit.statistics_of(parts)
    assert (
        sum(bool(part.entities) for part in parts),
        counts.mentions,
        counts.entities,
        counts.singleton_entities,
    ) == COUNTS[name]


# "Her mill by the sea and the barn burned"
WORDS = ("Her", "mill", "by", "the", "sea", "and", "the", "barn", "burned")
LAYERS = {
    "xpos": ("PRP$", "NN", "IN", "DT", "NN", "CC", "DT", "NN", "VBD"),
    "head": ("2", "9", "5", "5", "2", "8", "8", "2", "0"),
    "deprel": (
        "nmod:poss",
        "nsubj",
        "case",
        "det",
        "nmod",
        "cc",
        "det",
        "conj",
        "root",
    ),
    "parse": (
        "(TOP(S(NP-SBJ(NP(NP*",
        "*)",
        "(PP*",
        "(NP*",
        "*)))",
        "*",
        "(NP*",
        "*))",
        "(VP*)))",
    ),
}


def document(**layers):
    return Document("d", (WORDS,), (), layers={**LAYERS, **layers})


def test_longest_of_each_head_and_possessive_pronouns():
    found = [(*mention, mention.head) for mention in phrase_mentions(document())]
    assert found == [(0, 7, 1), (3, 4, 4), (6, 7, 7), (0, 0, 0)]


@pytest.mark.parametrize(
    ("kind", "counts"),
    [("NP", True), ("NP-SBJ", True), ("NP=2", True), ("NPX", False), ("WHNP", False)],
)
def test_functions_do_not_matter(kind, counts):
    assert bool(noun_phrases([f"({kind}*)"])) is counts


def test_brackets_that_do_not_fit_are_passed_over():
    assert noun_phrases(["*)", "(NP*", "(NP*)", "*"]) == [(2, 2)]


@pytest.mark.parametrize(
    ("lost", "what"), [("parse", "constituent tree"), ("head", "dependency tree")]
)
def test_documents_without_trees_are_refused(lost, what):
    layers = {name: row for name, row in LAYERS.items() if name != lost}
    plain = Document("d", (WORDS,), (), layers=layers)
    with pytest.raises(FormatError, match=what) as refused:
        list(phrase_mentions(plain))
    assert refused.value.hint
