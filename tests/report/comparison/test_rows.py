"""Comparisons for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
from itertools import combinations

import pytest
from comparisons import FIVE, SHAPES, STRATA, made

from corefkit.analysis.compare.comparison_text import COMPARISON_WRITERS


def rows(comparison):
    return [*csv.DictReader(io.StringIO(COMPARISON_WRITERS["csv"](comparison)))]


@pytest.mark.parametrize("comparison", SHAPES.values(), ids=SHAPES)
def test_every_system_pair_and_stratum_has_a_row(comparison):
    found = rows(comparison)
    metrics = comparison.metrics.values()
    for kind, count in {
        "system": sum(len(metric.systems) for metric in metrics),
        "pair": sum(len(metric.pairs) for metric in metrics),
        "stratum": sum(
            len(stratum.scores) for metric in metrics for stratum in metric.strata
        ),
        "refused": len(comparison.refused),
    }.items():
        assert sum(row["kind"] == kind for row in found) == count
    assert {row["signature"] for row in found} == {comparison.signature}


def test_numbers_are_those_of_the_comparison():
    comparison = SHAPES["two-lea"]
    (metric,) = comparison.metrics.values()
    first, _, pair = rows(comparison)
    assert float(first["value"]) == metric.systems[0].score
    assert float(first["low"]) == metric.systems[0].intervals["expanded"].low
    assert first["p"] == first["against"] == ""
    (of_pair,) = metric.pairs
    assert (pair["system"], pair["against"]) == (of_pair.a, of_pair.b)
    assert float(pair["value"]) == of_pair.difference
    assert float(pair["p_adjusted"]) == of_pair.p_adjusted
    assert (pair["significant"], pair["won"]) == ("FALSE", str(of_pair.won))


def test_columns_that_nobody_fills_are_left_out():
    assert not {"stratum", "reason"} & {*rows(SHAPES["two"])[0]}
    assert "stratum" in rows(SHAPES["strata"])[0]
    assert "reason" in rows(SHAPES["five-refused"])[0]


def test_names_are_no_formulas():
    names = {row["system"] for row in rows(SHAPES["hostile"])}
    assert {"'=cmd()", r"'=x\x1b"} <= names


@pytest.mark.parametrize("comparison", SHAPES.values(), ids=SHAPES)
def test_json_is_that_of_the_comparison(comparison):
    text = COMPARISON_WRITERS["json"](comparison)
    assert json.loads(text) == json.loads(json.dumps(comparison.to_dict()))
    assert "\x1b" not in text
    assert "NaN" not in text


def test_rows_are_sorted_within_each_metric():
    comparison = made(FIVE, metrics=["muc", "lea"], strata=STRATA).sorted_by("name")
    found = rows(comparison)
    names = [f"{name}.conll" for name in sorted(x.removesuffix(".conll") for x in FIVE)]
    systems = [row["system"] for row in found if row["kind"] == "system"]
    assert systems == names * 2
    pairs = [row for row in found if row["kind"] == "pair"]
    ends = [{row["system"], row["against"]} for row in pairs if row["metric"] == "lea"]
    assert ends == [{*pair} for pair in combinations(names, 2)]
    strata = [row["system"] for row in found if row["kind"] == "stratum"]
    assert strata == names * 2 * len(STRATA)


def test_pairs_that_are_sorted_are_the_same():
    comparison = made(FIVE, metrics=["lea"])
    after = rows(comparison.sorted_by("name"))
    assert sorted(map(str, after)) == sorted(map(str, rows(comparison)))
    assert after != rows(comparison)
