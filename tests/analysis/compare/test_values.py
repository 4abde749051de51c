"""A comparison as plain values: the JSON of the contract, and rows of data frames."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from analysis.compare.known import answers, responses, side

import corefkit
from corefkit.analysis.compare.comparison import Interval

SYSTEM = ["score", "interval", "intervals", "rank", "letters"]
PAIR = [
    "a",
    "b",
    "difference",
    "interval",
    "p",
    "p_adjusted",
    "exact",
    "units_that_differ",
    "won",
    "tied",
    "lost",
    "p_bootstrap",
    "not_better",
    "least_detectable",
]


@pytest.fixture(scope="module")
def comparison():
    data = answers("two-systems")
    return corefkit.compare(side(data, "key"), responses(data), samples=200)


def test_shape_of_the_contract(comparison):
    values = comparison.to_dict()
    assert [*values] == [
        "corefkit",
        "signature",
        "key",
        "units",
        "systems",
        "warnings",
        "notes",
        "metrics",
    ]
    assert values["corefkit"] == corefkit.__version__
    assert values["signature"] == comparison.signature
    assert (values["key"], values["units"]) == ("key", 10)
    assert values["systems"] == ["A", "B"]
    metric = values["metrics"]["muc"]
    assert metric["statistic"] == "f1"
    assert [*metric["systems"]] == ["A", "B"]
    assert [*metric["systems"]["A"]] == SYSTEM
    (pair,) = metric["pairs"]
    assert set(pair) == {*PAIR, "intervals", "samples", "significant", "borderline"}
    assert metric["family"] == {"pairs": 1, "correction": "holm", "alpha": 0.05}
    assert (metric["strata"], metric["warnings"]) == ([], [])
    assert "conll" in values["metrics"]


def test_numbers_of_the_contract(comparison):
    (pair,) = comparison.to_dict()["metrics"]["muc"]["pairs"]
    assert pair["difference"] == pytest.approx(0.0547, abs=5e-5)
    assert (pair["p"], pair["p_adjusted"]) == (0.140625, 0.140625)
    assert (pair["exact"], pair["units_that_differ"]) == (True, 9)
    assert pair["won"] + pair["tied"] + pair["lost"] == 10


def test_interval_is_the_one_asked_for(comparison):
    for kind in ("expanded", "percentile", "bca", "t"):
        other = replace(
            comparison, procedure=replace(comparison.procedure, interval=kind)
        )
        metric = other.to_dict()["metrics"]["lea"]
        for found in (*metric["systems"].values(), *metric["pairs"]):
            assert found["interval"] == found["intervals"][kind]
            assert [*found["intervals"]] == ["expanded", "percentile", "bca", "t"]


def test_it_is_json(comparison):
    values = comparison.to_dict()
    assert json.loads(json.dumps(values, allow_nan=False)) == values


def test_what_cannot_be_computed_is_null(comparison):
    lea = comparison["lea"]
    nothing = Interval(float("nan"), float("inf"))
    pair = replace(lea.pairs[0], p=float("nan"), intervals={"expanded": nothing})
    metrics = {"lea": replace(lea, pairs=(pair,))}
    (found,) = replace(comparison, metrics=metrics).to_dict()["metrics"]["lea"]["pairs"]
    assert (found["p"], found["interval"]) == (None, None)


def test_one_document_has_json_too():
    found = corefkit.compare(["ab"], {"A": ["ab"], "B": ["a"]}, samples=10)
    json.dumps(found.to_dict(), allow_nan=False)


def test_records_of_systems_and_of_pairs(comparison):
    records = comparison.to_records()
    assert len(records) == 2 * len(comparison.metrics)
    first = records[0]
    assert [*first] == [
        "metric",
        "statistic",
        "system",
        "score",
        "low",
        "high",
        "rank",
        "letters",
        "signature",
    ]
    interval = comparison["mentions"].systems[0].intervals["expanded"]
    assert (first["low"], first["high"]) == interval
    pairs = comparison.to_records(pairs=True)
    assert len(pairs) == len(comparison.metrics)
    assert {*PAIR} - {"interval"} | {"low", "high", "metric"} <= {*pairs[0]}
    assert all(
        not isinstance(one, dict | list) for row in pairs for one in row.values()
    )


def test_metrics_are_found_by_name_and_alias(comparison):
    assert comparison["bcub"] is comparison["b_cubed"]
    assert "muc" in comparison
    assert "ceaf_phi1" not in comparison
    assert list(comparison) == list(comparison.metrics)


def test_representation_names_systems_and_signature(comparison):
    assert repr(comparison) == f"<Comparison of A, B: {comparison.signature}>"
