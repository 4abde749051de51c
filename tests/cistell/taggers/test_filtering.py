from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from cistell.taggers.sentences import parsed, texts

import corefkit
from corefkit.cistell.taggers import (
    MentionFilter,
    candidate_mentions,
    tagged,
)
from corefkit.cistell.taggers.filtering import DEFAULT_THRESHOLD
from corefkit.model import Document, Mention

# In this corpus goats are mentions, and hay never is.
LINE = "Goats/NOUN/2/nsubj eat/VERB/0/root dry/ADJ/4/amod hay/NOUN/2/obj"
SPANS = [(0, 0)]


def corpus(size=20):
    return [parsed(LINE, mentions=SPANS) for _ in range(size)]


@pytest.fixture(scope="module")
def learned():
    return MentionFilter.learn(corpus())


def test_filter_learns_what_the_corpus_annotates(learned):
    document = parsed(LINE)
    assert texts(document, learned.mentions(document)) == ["Goats"]
    assert texts(document, candidate_mentions(document)) == ["Goats", "dry hay"]


def test_filter_learns_relative_pronouns_where_they_are_annotated():
    line = (
        "the/DET/2/det man/NOUN/0/root who/PRON/4/nsubj/PronType=Rel "
        "slept/VERB/2/acl:relcl"
    )
    documents = [parsed(line, mentions=[(0, 1), (2, 2)]) for _ in range(20)]
    document = parsed(line)
    found = MentionFilter.learn(documents).mentions(document)
    assert texts(document, found) == ["the man", "who"]


def test_same_documents_give_the_same_bytes(learned):
    assert MentionFilter.learn(corpus()).files() == learned.files()


def test_filter_is_the_same_after_saving(learned):
    loaded = MentionFilter.load(learned.files())
    assert loaded == learned
    assert loaded.files() == learned.files()


def test_probability_is_the_logistic_function_of_the_weights():
    document = parsed("Dawn/NOUN/0/root")
    mentions = [Mention(0, 0)]
    weights = {"tag=NOUN": 2.0, "relation=root": -0.5, "tag=VERB": 9.0}
    found = MentionFilter(weights, 0.25).probabilities(document, mentions)
    assert found == pytest.approx([1 / (1 + math.exp(-1.75))], rel=1e-12)


@pytest.mark.parametrize(("threshold", "kept"), [(0.5, 1), (0.51, 0)])
def test_mention_passes_from_the_threshold_on(threshold, kept):
    document = parsed("Dawn/NOUN/0/root")
    even = MentionFilter({}, 0.0, threshold)
    assert len(even.keep(document, [Mention(0, 0)])) == kept


def test_mention_without_head_is_described_by_its_tree():
    document = parsed("the/DET/2/det goat/NOUN/0/root")
    nouns = MentionFilter({"tag=NOUN": 1.0}, 0.0)
    bare, headed = Mention(0, 1), Mention(0, 1, head=1)
    assert np.ptp(nouns.probabilities(document, [bare, headed])) == 0


def test_empty_nodes_pass():
    document = parsed("*/PRON Llegó/VERB/0/root Eva/PROPN/2/obj")
    strict = MentionFilter({}, -9.0)
    assert strict.mentions(document) == [Mention(0, 0)]


def test_document_without_mentions_stays_without(learned):
    empty = Document("d", (), ())
    assert learned.mentions(empty) == []
    assert learned.probabilities(empty, []).shape == (0,)


@pytest.mark.parametrize("mentions", [[], [(0, 0), (2, 3)]], ids=["none", "all"])
def test_nothing_is_learned_where_all_spans_are_alike(mentions):
    with pytest.raises(
        corefkit.CorefkitError, match="a tagger cannot be trained"
    ) as why:
        MentionFilter.learn([parsed(LINE, mentions=mentions)])
    assert "annotated" in why.value.hint


def test_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(corefkit.CorefkitError, match="scikit-learn") as why:
        MentionFilter.learn(corpus())
    assert why.value.hint == "pip install 'corefkit[cistell]'"


def test_applying_takes_no_library(learned, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setitem(sys.modules, "scipy", None)
    assert len(MentionFilter.load(learned.files()).mentions(parsed(LINE))) == 1


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"mention-filter.json": b"{"},
        {"mention-filter.json": b"[]"},
        {"mention-filter.json": b"\xff"},
        {"mention-filter.json": b'{"weights": {"a": "b"}, "intercept": 0}'},
        {"mention-filter.json": b'{"weights": [1], "intercept": 0, "threshold": 0}'},
    ],
)
def test_damaged_filter_is_refused(files):
    with pytest.raises(corefkit.CorefkitError, match="missing or damaged"):
        MentionFilter.load(files)


def test_default_threshold_is_kept(learned):
    assert learned.threshold == DEFAULT_THRESHOLD
    assert MentionFilter.learn(corpus(), threshold=0.7).threshold == 0.7


def test_tagged_document_has_one_entity_for_each_mention(learned):
    document = parsed(LINE, mentions=[(1, 1), (2, 2)])
    by_rule, filtered = tagged(document), tagged(document, tagger=learned)
    assert [entity.id for entity in by_rule] == ["1", "2"]
    assert [entity.mentions for entity in by_rule] == [
        (Mention(0, 0),),
        (Mention(2, 3),),
    ]
    assert [entity.mentions for entity in filtered] == [(Mention(0, 0),)]
    assert by_rule.layers == document.layers
