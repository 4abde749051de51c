"""The registry: rows that name what there is, and pages that follow from them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from kept import check_section, markdown_table

import corefkit
from corefkit.metrics.metric import LazyImport, Metric, score_ratios
from corefkit.metrics.registry import (
    METRICS,
    SUPPLEMENTS,
    VARIANTS,
    find_metrics,
    get_label,
    iter_metrics,
    list_default_metrics,
    list_metric_names,
)

PAGE = Path(__file__).resolve().parents[2] / "docs" / "metrics.md"
ROWS = {metric.name: metric for metric in iter_metrics()}

each_metric = pytest.mark.parametrize("metric", ROWS.values(), ids=ROWS)


def table_of_metrics() -> str:
    rows = []
    for name, metric in METRICS.items():
        aliases = ", ".join(f"`{alias}`" for alias in metric.aliases)
        default = "yes" if metric.default else "no"
        rows.append([f"`{name}`", metric.label, aliases, default])
    mean = "yes: the mean F1 of `muc`, `b_cubed`, `ceaf_e`"
    rows.append(["`conll`", get_label("conll"), "", mean])
    head = ["name", "label", "aliases that are read", "in the default set"]
    return markdown_table(head, rows)


@pytest.mark.kept
def test_table_of_the_page_is_generated_from_the_rows():
    check_section(PAGE, "metrics", table_of_metrics())


@each_metric
def test_names_of_functions_lead_somewhere(metric):
    columns = metric.count, metric.score, metric.walk, metric.reference, metric.split
    for column in columns:
        if isinstance(column, LazyImport):
            assert column.value is not None
        else:
            assert callable(column) or column is None or column.strip()


@each_metric
def test_row_says_where_the_metric_comes_from(metric):
    assert metric.source
    assert metric.label


def test_tables_hold_what_their_names_say():
    assert [metric.name for metric in iter_metrics() if metric.needs] == [*SUPPLEMENTS]
    assert list_metric_names() == [*METRICS, "conll", *VARIANTS, *SUPPLEMENTS]
    assert set(list_default_metrics()) <= set(METRICS)


def test_names_and_aliases_are_told_apart():
    words = [word for row in ROWS.values() for word in (row.name, *row.aliases)]
    assert len(set(words)) == len(words)
    for metric in ROWS.values():
        for word in (metric.name, *metric.aliases):
            assert find_metrics([word]) == (metric,)


def test_metric_of_your_own_needs_a_name_a_label_and_a_function():
    own = Metric("own", "Own", METRICS["muc"].count)
    assert own == Metric("own", "Own", METRICS["muc"].count, score_ratios, ())
    result = corefkit.score(["abc"], ["ab"], metrics=[own, "muc"])
    assert result["own"] == result["muc"]


def test_scoring_imports_only_the_metrics_that_are_asked_for():
    code = """
import sys, corefkit
corefkit.score(["ab"], ["ab"], metrics=["muc"])["muc"]
print(*sys.modules)
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "corefkit.metrics.standard" in loaded
    others = ("ace", "corefud", "reference", "split", "variants", "weighted")
    assert not loaded & {f"corefkit.metrics.{name}" for name in others}
