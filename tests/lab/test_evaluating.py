"""Labels scored against labels: that scores are those of plain scoring."""

from __future__ import annotations

import numpy as np
import pytest
from builders import corpora, scores
from hypothesis import given

import corefkit
from corefkit.lab.evaluating import (
    evaluated,
    partition_metric_names,
    partition_metrics,
    partition_settings,
    without_dropped_singletons,
)
from corefkit.lab.labels import Labels, read_pair
from corefkit.settings import DEFAULT_SETTINGS, Settings

COUNTED = partition_metric_names()


@given(corpora())
def test_scores_are_those_of_plain_scoring(corpus):
    pair = read_pair(*corpus, settings=DEFAULT_SETTINGS)
    found = evaluated(
        pair.key, pair.response, metrics=partition_metrics(partition_metric_names())
    )
    assert scores(found, partition_metric_names()) == pytest.approx(
        scores(
            corefkit.score(*corpus, metrics=partition_metric_names()),
            partition_metric_names(),
        ),
        rel=1e-9,
    )


@pytest.mark.parametrize(
    "given_settings", [{"average": "macro"}, {"blanc_rule": "both"}], ids=str
)
def test_scores_follow_the_settings(given_settings):
    corpus = {"a": ["ab", "c"], "b": ["xyz"]}, {"a": ["a", "bc"], "b": ["xy"]}
    settings = Settings(**given_settings)
    pair = read_pair(*corpus, settings=settings)
    metrics = partition_metrics(["blanc", "lea"])
    found = evaluated(pair.key, pair.response, metrics=metrics, settings=settings)
    plain = corefkit.score(*corpus, metrics=metrics, **given_settings)
    assert scores(found, ["blanc", "lea"]) == pytest.approx(
        scores(plain, ["blanc", "lea"]), rel=1e-9
    )
    assert found.signature == plain.signature


def test_scores_are_those_of_plain_scoring_beyond_a_block_of_documents():
    many = {str(number): ["ab"] for number in range(4100)}
    pair = read_pair(many, many, settings=DEFAULT_SETTINGS)
    result = evaluated(
        pair.key, pair.response, metrics=partition_metrics(partition_metric_names())
    )
    assert result["muc"].recall_numerator == 4100


@pytest.mark.parametrize("name", corefkit.SUPPLEMENTS)
def test_metrics_that_need_more_than_entities_are_refused(name):
    with pytest.raises(corefkit.SettingsError, match=f"'{name}' needs more than"):
        partition_metrics([name])


def test_own_metrics_are_taken():
    own = corefkit.lea_with(lambda _: 1.0)
    assert partition_metrics(["muc", own]) == (corefkit.METRICS["muc"], own)


def test_split_antecedents_are_refused():
    with pytest.raises(corefkit.SettingsError, match="no split antecedents"):
        partition_settings(corefkit.PRESETS["ua"])


@pytest.mark.parametrize(
    ("singletons", "left"),
    [
        ("keep", [4, 0, 9]),
        ("drop", [4, 9]),
        ("drop-response", [4, 9]),
        ("drop-key", [4, 0, 9]),
    ],
)
def test_singletons_go_where_the_settings_drop_them(singletons, left):
    side = Labels(np.array([4, 0, 9]), np.array([7, 3, 7]), np.zeros(3, int), 1)
    kept = without_dropped_singletons(side, Settings(singletons=singletons))
    assert kept.mention.tolist() == left
