"""Scores of many rows: every metric's are those of single rows, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from corefkit import METRICS, SUPPLEMENTS
from corefkit.metrics.metric import Formula, LazyImport, Metric, Score, score_ratios
from corefkit.metrics.registry import iter_metrics
from corefkit.metrics.scores import score_all_rows
from corefkit.settings import Settings

ROWS = {metric.name: metric for metric in iter_metrics()}
WIDTHS = {"blanc": 11, "ace_value": 5, "alpha": 5, "alpha_masi": 5}
RULES = [Settings(blanc_rule=rule) for rule in ("key", "both", "links")]

# Zeros are common, and the fractions are those that metrics make.
NUMBERS = st.one_of(
    st.just(0.0),
    st.integers(0, 4).map(float),
    st.fractions(0, 30, max_denominator=12).map(float),
)


def rows_of(metric):
    width = WIDTHS.get(metric.name, 4)
    return arrays(
        np.float64, st.tuples(st.integers(0, 8), st.just(width)), elements=NUMBERS
    )


def single(metric, row, settings):
    score = metric.score(row, settings)
    return score.recall, score.precision, score.f1, score.value


@pytest.mark.parametrize("metric", ROWS.values(), ids=ROWS)
@settings(max_examples=8)
@given(data=st.data())
def test_rows_score_as_single_ones_do(metric, data):
    rule = data.draw(st.sampled_from(RULES))
    counts = data.draw(rows_of(metric))
    scores = score_all_rows(metric, counts, rule)
    values = [None] * len(counts) if scores.value is None else scores.value.tolist()
    found = zip(
        scores.recall.tolist(),
        scores.precision.tolist(),
        scores.f1.tolist(),
        values,
        strict=True,
    )
    assert list(found) == [single(metric, row, rule) for row in counts]


@pytest.mark.parametrize("metric", ROWS.values(), ids=ROWS)
@settings(max_examples=8)
@given(data=st.data())
def test_rows_and_single_ones_lack_the_same_ratios(metric, data):
    rule = data.draw(st.sampled_from(RULES))
    counts = data.draw(rows_of(metric))
    alone = Metric(metric.name, "", metric.count, lambda *row: metric.score(*row))
    scores, others = (score_all_rows(one, counts, rule) for one in (metric, alone))
    for statistic in ("recall", "precision", "f1"):
        flags = scores.undefined(statistic).tolist()
        assert flags == others.undefined(statistic).tolist()
        assert scores.statistic(statistic).tolist() == (
            pytest.approx(others.statistic(statistic).tolist(), abs=1e-15)
        )


@pytest.mark.parametrize(
    ("rule", "expected"), [("key", 0.0), ("both", 1.0), ("links", 0.0)]
)
def test_corner_rule_of_blanc_is_applied_to_each_row(rule, expected):
    links = [3.0, 3.0, 3.0, 6.0, 0.0, 0.0, 0.0, 0.0, 3.0, 3.0, 4.0]
    lonely = [0.0] * 8 + [1.0, 1.0, 1.0]
    counts = np.array([links, lonely])
    scores = score_all_rows(METRICS["blanc"], counts, Settings(blanc_rule=rule))
    assert scores.f1.tolist() == pytest.approx([2 / 3, expected])
    assert scores.undefined("f1").tolist() == [True, True]


def test_columns_may_lie_together_in_memory():
    counts = np.arange(1.0, 9.0).reshape(2, 4)
    columns = np.asfortranarray(counts)
    expected = score_ratios.score_rows(counts).f1.tolist()
    assert score_ratios.score_rows(columns).f1.tolist() == expected


def test_value_stands_for_f1():
    counts = np.array([[0.5, 1.0, 0.5, 0.8, 0.9], [0.5, 1.0, 0.5, 0.8, 0.2]])
    scores = score_all_rows(SUPPLEMENTS["ace_value"], counts)
    assert scores.statistic("f1").tolist() == pytest.approx([-0.4, 0.3])
    assert scores.statistic("recall").tolist() == [0.5, 0.5]


def test_pairs_that_cost_more_than_they_are_worth():
    metric = SUPPLEMENTS["ace_value"]
    counts = np.array([[-0.5, 1.0, -0.5, 0.8, 0.2], [0.5, 1.0, 0.5, 0.8, 0.2]])
    scores = score_all_rows(metric, counts)
    expected = [metric.score(row) for row in counts]
    assert scores.recall.tolist() == [score.recall for score in expected] == [0.0, 0.5]
    assert scores.precision.tolist() == [score.precision for score in expected]
    assert scores.value.tolist() == [score.value for score in expected] == [-0.7, 0.3]


class TestOwnMetric:
    def test_its_score_is_asked_row_by_row(self):
        def half(counts, settings=None):
            assert settings is not None
            return Score(counts[0] / 2, 0.0, 0.0, undefined=("precision",))

        own = Metric("own", "Own", METRICS["muc"].count, half)
        scores = score_all_rows(own, np.array([[1.0], [3.0]]))
        assert scores.recall.tolist() == [0.5, 1.5]
        assert scores.undefined("recall").tolist() == [False, False]
        assert scores.undefined("f1").tolist() == [True, True]

    def test_its_value_stands_for_f1(self):
        own = Metric(
            "own", "Own", METRICS["muc"].count, lambda c, _: Score(0, 0, 0, value=-c[0])
        )
        scores = score_all_rows(own, np.array([[1.0], [3.0]]))
        assert scores.statistic("f1").tolist() == [-1.0, -3.0]

    def test_without_a_score_of_its_own_it_is_scored_at_once(self):
        own = Metric("own", "Own", METRICS["muc"].count)
        assert own.score is score_ratios
        assert score_all_rows(own, np.array([[1.0, 2.0, 1.0, 1.0]])).f1.shape == (1,)


@pytest.mark.parametrize("metric", ROWS.values(), ids=ROWS)
def test_metrics_score_many_rows_at_once(metric):
    """Row by row, a comparison of a metric of the registry would take minutes."""
    score = metric.score
    scorer = score.value if isinstance(score, LazyImport) else score
    assert isinstance(scorer, Formula)
