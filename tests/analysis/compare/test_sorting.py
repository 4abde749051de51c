"""What tables of a comparison are sorted by."""

from __future__ import annotations

import pytest

import corefkit
from corefkit import SettingsError
from corefkit.analysis.compare import check_order, parse_metric_order
from corefkit.results.score_table import Order

STATISTICS = {"muc": "recall", "ace_value": "value", "errors": "count"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("muc", "muc"),
        ("MUC", "muc"),
        ("muc.recall", "muc"),
        ("ace_value.value", "ace_value"),
        ("errors", "errors"),
        ("name", "name"),
    ],
)
def test_what_is_compared_can_be_sorted_by(text, name):
    assert parse_metric_order(text, STATISTICS) == Order(name)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("muc.f1", "--statistic f1 compares it"),
        ("muc.value", "leave out .value"),
        ("lea", "--metric names others"),
        ("divided", "--metric names others"),
        ("leo", "known are name, muc"),
    ],
)
def test_what_is_not_compared_is_refused(text, hint):
    with pytest.raises(SettingsError) as caught:
        parse_metric_order(text, STATISTICS)
    assert hint in str(caught.value)


@pytest.mark.parametrize("text", ["lea", "conll", "conll.f1", "name", "b3"])
def test_usual_metrics_pass(text):
    check_order(text, None, "f1")


@pytest.mark.parametrize(
    ("text", "metrics"), [("mentions", ["errors"]), ("conll", ["muc"]), ("alpha", None)]
)
def test_what_will_not_be_compared_is_refused_before_scoring(text, metrics):
    with pytest.raises(SettingsError, match="not computed"):
        check_order(text, metrics, "f1")


@pytest.mark.parametrize("text", ["alpha", "alpha.value", "muc", "errors"])
def test_what_passes_before_passes_after(text):
    metrics = ["muc", "alpha", "errors"]
    check_order(text, metrics, "f1")
    key = {"one": ["abc"], "two": ["de"]}
    found = corefkit.compare(key, {"A": key, "B": {"one": ["ab"]}}, metrics=metrics)
    assert found.sorted_by(text).order == Order(text.partition(".")[0])
