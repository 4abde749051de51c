"""Every metric against its slow, obvious version, on partitions at random."""

from __future__ import annotations

import pytest
from builders import COUNTS, FIELDS, close_to, corpora, counts, pairs, scores
from hypothesis import given
from slow_metrics import SLOW_COUNTS, blanc, blanc_score, blanc_total, score, total

import corefkit

NAMES = (*SLOW_COUNTS, "blanc")
RULES = ("key", "both", "links")


def test_every_metric_has_a_slow_version():
    assert sorted(NAMES) == sorted((*corefkit.METRICS, *corefkit.VARIANTS))


@given(pairs(16))
def test_counts_equal_the_slow_versions(pair):
    result = corefkit.score(*pair, metrics=NAMES)
    assert counts(result, NAMES) == close_to(slow_counts(*pair))


@given(pairs(16))
@pytest.mark.parametrize("rule", RULES)
def test_scores_equal_the_slow_versions(rule, pair):
    result = corefkit.score(*pair, metrics=NAMES, blanc_rule=rule)
    expected = {name: score(count(*pair)) for name, count in SLOW_COUNTS.items()}
    expected["blanc"] = blanc_score(blanc(*pair), rule=rule)
    assert scores(result, NAMES) == close_to(slow_scores(expected))


@pytest.mark.slow
@given(corpora())
@pytest.mark.parametrize("rule", RULES)
def test_corpus_scores_equal_the_slow_versions(rule, corpus):
    key, response = corpus
    documents = [(key[document], response[document]) for document in key]
    result = corefkit.score(key, response, metrics=NAMES, blanc_rule=rule)
    expected = {
        name: score(total(count(*document) for document in documents))
        for name, count in SLOW_COUNTS.items()
    }
    links = blanc_total([blanc(*document) for document in documents])
    expected["blanc"] = blanc_score(links, rule=rule)
    assert scores(result, NAMES) == close_to(slow_scores(expected))


def slow_counts(key, response) -> dict[str, object]:
    rows = {name: count(key, response) for name, count in SLOW_COUNTS.items()}
    links = blanc(key, response)
    rows["blanc coreference"] = links.coreference
    rows["blanc non_coreference"] = links.non_coreference
    return {
        f"{name} {field}": getattr(row, field)
        for name, row in rows.items()
        for field in COUNTS
    }


def slow_scores(rows) -> dict[str, object]:
    return {
        f"{name} {field}": getattr(row, field)
        for name, row in rows.items()
        for field in FIELDS
    }
