"""Taggers on real corpora: at least as good as the trials that they go back to."""

from __future__ import annotations

from dataclasses import replace

import pytest
from shared_files import DATA

import corefkit
from cistell.evidence import Reading
from cistell.taggers import learn_tagger, tagged
from cistell.taggers.choosing import Thresholds
from cistell.trees import word_tree
from corefkit.model import Mention
from corefkit.syntax.dependencies import find_head

pytestmark = pytest.mark.skipif(
    not DATA.exists(), reason="the corpora beside the project are not here"
)


def gum(part):
    """Read a part of GUM, without the documents whose words are masked."""
    documents = corefkit.read(DATA / "gum" / f"gum-{part}.conllu")
    return [one for one in documents if not one.id.startswith("GUM_reddit")]


def scores(key, response):
    found = corefkit.score(key, list(response), metrics=["mentions"])
    return found["mentions"]


def head_scores(key, response):
    """Return recall and precision of heads, each counted once in a document."""
    both = keys = responses = 0
    for document, other in zip(key, response, strict=True):
        tokens, tree = word_tree(document)
        wanted, found = heads(document, tokens, tree), heads(other, tokens, tree)
        both += len(wanted & found)
        keys += len(wanted)
        responses += len(found)
    return both / keys, both / responses


def heads(document, tokens, tree):
    number = {token: word for word, token in enumerate(tokens)}
    mentions = (mention for entity in document for mention in entity)
    return {
        find_head(Mention.of(map(number.get, mention.tokens)), tree)
        for mention in mentions
    }


@pytest.fixture(scope="module")
def key():
    return gum("test")


@pytest.mark.slow
def test_rules_find_nearly_all_mentions_of_gum(key):
    response = list(map(tagged, key))
    assert len(response) == 30
    assert scores(key, response).recall > 0.9107
    assert scores(key, response).precision > 0.7675
    recall, precision = head_scores(key, response)
    assert recall > 0.965
    assert precision > 0.86


@pytest.mark.slow
def test_rules_find_mentions_of_french_texts():
    path = DATA / "democrat-fr" / "dem1921_sg.dev.conll"
    key = list(corefkit.read(path, format="democrat"))[:10]
    response = list(map(tagged, key))
    assert scores(key, response).f1 > 0.65
    recall, _ = head_scores(key, response)
    assert recall > 0.9


@pytest.mark.slow
def test_tagger_trained_on_gum_is_better_than_the_rules(key):
    learned = learn_tagger(map(Reading, gum("train")), folds=2)
    found = scores(key, (tagged(one, tagger=learned.tagger) for one in key))
    assert found.f1 > 0.865
    assert found.precision > 0.86
    assert found.recall > 0.86
    held_out = gum("dev")
    low, chosen, high = (
        scores(held_out, (tagged(one, tagger=tagger) for one in held_out)).f1
        for tagger in (
            replace(learned.tagger, thresholds=Thresholds(0.2, 0.2)),
            learned.tagger,
            replace(learned.tagger, thresholds=Thresholds(0.7, 0.7)),
        )
    )
    assert chosen > max(low, high)


@pytest.mark.slow
def test_tagger_learns_what_french_texts_annotate():
    path = DATA / "democrat-fr" / "dem1921_sg.dev.conll"
    documents = list(corefkit.read(path, format="democrat"))
    training, key = documents[::2], documents[1::2]
    learned = learn_tagger(map(Reading, training), folds=2)
    by_rule = scores(key, map(tagged, key)).f1
    found = scores(key, (tagged(one, tagger=learned.tagger) for one in key)).f1
    assert found > by_rule + 0.05
