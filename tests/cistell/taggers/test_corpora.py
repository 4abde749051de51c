"""Taggers on real corpora: at least as good as the trials that they go back to."""

from __future__ import annotations

import pytest
from shared_files import DATA

import corefkit
from corefkit.cistell.taggers import (
    MentionFilter,
    best_threshold,
    tagged,
    tagger_scores,
    zero_subjects,
)
from corefkit.cistell.taggers.filtering import DEFAULT_THRESHOLD

pytestmark = pytest.mark.skipif(
    not DATA.exists(), reason="the corpora beside the project are not here"
)


def gum(part):
    """Read a part of GUM, without the documents whose words are masked."""
    documents = corefkit.read(DATA / "gum" / f"gum-{part}.conllu")
    return [one for one in documents if not one.id.startswith("GUM_reddit")]


@pytest.fixture(scope="module")
def key():
    return gum("test")


def test_rules_find_nearly_all_mentions_of_gum(key):
    scores = tagger_scores(key, map(tagged, key))
    assert scores.documents == 30
    assert scores.spans.recall > 0.9107
    assert scores.spans.precision > 0.7675
    assert scores.heads.recall > 0.965
    assert scores.heads.precision > 0.86


def test_rules_find_mentions_of_french_texts():
    path = DATA / "democrat-fr" / "dem1921_sg.dev.conll"
    key = list(corefkit.read(path, format="democrat"))[:10]
    scores = tagger_scores(key, map(tagged, key))
    assert scores.spans.f1 > 0.65
    assert scores.heads.recall > 0.9


def test_spanish_verbs_without_subject_are_common():
    documents = list(corefkit.read(DATA / "ancora-es" / "es_ancora-ud-test.conllu"))
    verbs = [verb for document in documents for verb in zero_subjects(document)]
    tokens = sum(len(document.tokens) for document in documents)
    assert 0.01 < len(verbs) / tokens < 0.04


@pytest.mark.slow
def test_filter_trained_on_gum_is_better_than_the_rules(key):
    learned = MentionFilter.learn(gum("train"))
    scores = tagger_scores(key, (tagged(one, tagger=learned) for one in key))
    assert scores.spans.f1 > 0.8593
    assert scores.spans.precision > 0.8403
    assert scores.spans.recall > 0.87
    # F1 hardly changes around it.
    assert best_threshold(learned, gum("dev")) == pytest.approx(
        DEFAULT_THRESHOLD, abs=0.05
    )
