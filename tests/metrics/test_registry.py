"""The registry: rows that name what there is, and pages that follow from them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import corefkit
from corefkit.metrics import (
    METRICS,
    SUPPLEMENTS,
    VARIANTS,
    chosen_metrics,
    default_names,
    known_metrics,
    label_of,
    metric_names,
)
from corefkit.metrics.base import Metric, Named, ratios

PAGE = Path(__file__).resolve().parents[2] / "docs" / "metrics.md"
# Set this in the environment to write the table of the page anew.
REWRITE = "COREFKIT_REWRITE"
_TABLE = re.compile(r"\| name \| label \| aliases.*?\n(?=\n)", re.DOTALL)
ROWS = {metric.name: metric for metric in known_metrics()}

each_metric = pytest.mark.parametrize("metric", ROWS.values(), ids=ROWS)


def table_of_metrics() -> str:
    lines = [
        "| name | label | aliases that are read | in the default set |",
        "|---|---|---|---|",
    ]
    for name, metric in METRICS.items():
        aliases = ", ".join(f"`{alias}`" for alias in metric.aliases)
        cells = f"`{name}`", metric.label, aliases, "yes" if metric.default else "no"
        lines.append("| " + " | ".join(cells) + " |")
    mean = "yes: the mean F1 of `muc`, `b_cubed`, `ceaf_e`"
    lines.append(f"| `conll` | {label_of('conll')} | | {mean} |")
    return re.sub(r"\|  \|", "| |", "\n".join(lines)) + "\n"


def test_table_of_the_page_is_made_of_the_rows():
    page = PAGE.read_text("utf-8")
    if REWRITE in os.environ:
        PAGE.write_text(
            _TABLE.sub(lambda _: table_of_metrics(), page, count=1), "utf-8"
        )
        page = PAGE.read_text("utf-8")
    assert _TABLE.search(page)[0] == table_of_metrics()


@each_metric
def test_names_of_functions_lead_somewhere(metric):
    columns = metric.count, metric.score, metric.walk, metric.reference, metric.split
    for column in columns:
        if isinstance(column, Named):
            assert column.value is not None
        else:
            assert callable(column) or column is None or column.strip()


@each_metric
def test_row_says_where_the_metric_comes_from(metric):
    assert metric.source
    assert metric.label


def test_tables_hold_what_their_names_say():
    assert [metric.name for metric in known_metrics() if metric.needs] == [*SUPPLEMENTS]
    assert metric_names() == [*METRICS, "conll", *VARIANTS, *SUPPLEMENTS]
    assert set(default_names()) <= set(METRICS)


def test_names_and_aliases_are_told_apart():
    words = [word for row in ROWS.values() for word in (row.name, *row.aliases)]
    assert len(set(words)) == len(words)
    for metric in ROWS.values():
        for word in (metric.name, *metric.aliases):
            assert chosen_metrics([word]) == (metric,)


def test_metric_of_your_own_needs_a_name_a_label_and_a_function():
    own = Metric("own", "Own", METRICS["muc"].count)
    assert own == Metric("own", "Own", METRICS["muc"].count, ratios, ())
    result = corefkit.score(["abc"], ["ab"], metrics=[own, "muc"])
    assert result["own"] == result["muc"]


def test_scoring_imports_only_the_metrics_that_are_asked_for():
    code = """
import sys, corefkit
corefkit.score(["ab"], ["ab"], metrics=["muc"])
print(*sys.modules)
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "corefkit.metrics.muc" in loaded
    others = ("b_cubed", "ceaf", "blanc", "lea", "ace", "zeros", "variants")
    assert not loaded & {f"corefkit.metrics.{name}" for name in others}
