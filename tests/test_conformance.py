"""The conformance table, row by row, for every metric and variant of the registry.

Rewriting adds the column of a new metric, computed by its slow version. The numbers of
other columns are never rewritten.
"""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest
from builders import FIELDS, close_to, letters
from kept import is_rewriting
from slow_metrics import SLOW_COUNTS, blanc, blanc_score, ratio, score

import corefkit

PATH = Path(__file__).with_name("conformance.toml")
TEXT_COLUMNS = {"id", "key", "response", "source", "note"}
BLANC_RULES = {"blanc": "key", "blanc_both": "both"}
PLAIN_METRICS = tuple(
    name for name in (*corefkit.METRICS, *corefkit.VARIANTS) if name not in BLANC_RULES
)


def add_columns(text: str) -> str:
    """Add the columns of metrics that the table lacks, each after the last column."""
    header, *blocks = re.split(r"(?m)^(?=\[\[example\]\])", text)
    return "".join([header, *map(_add_cells, blocks)])


def _add_cells(block: str) -> str:
    (example,) = tomllib.loads(block)["example"]
    key, response = letters(example["key"]), letters(example["response"])
    cells = ""
    for name in PLAIN_METRICS:
        if name not in example:
            recall, precision, _ = score(SLOW_COUNTS[name](key, response))
            cells += f'{name} = {{ recall = "{recall}", precision = "{precision}" }}\n'
    end = re.search(r"(?s).*^\w+ = [^\n]*\n", block, re.MULTILINE).end()
    return block[:end] + cells + block[end:]


if is_rewriting():
    PATH.write_text(add_columns(PATH.read_text("utf-8")), "utf-8")
EXAMPLES = tomllib.loads(PATH.read_text("utf-8"))["example"]

each_example = pytest.mark.parametrize(
    "example", EXAMPLES, ids=[example["id"] for example in EXAMPLES]
)


def stated(cell: dict[str, str]) -> dict[str, Fraction]:
    """Read a cell of the table; F1 is the harmonic mean where it is not stated."""
    values = {field: Fraction(text) for field, text in cell.items()}
    recall, precision = values["recall"], values["precision"]
    harmonic_mean = ratio(2 * recall * precision, recall + precision)
    return {"f1": harmonic_mean, **values}


def fields(metric_score: object) -> dict[str, float]:
    return {field: getattr(metric_score, field) for field in FIELDS}


@each_example
@pytest.mark.parametrize("metric", PLAIN_METRICS)
def test_score_equals_the_table(example, metric):
    result = corefkit.score(
        letters(example["key"]), letters(example["response"]), metrics=[metric]
    )
    assert fields(result[metric]) == close_to(stated(example[metric]))


@each_example
@pytest.mark.parametrize("column", BLANC_RULES)
def test_blanc_equals_the_table_under_both_rules(example, column):
    result = corefkit.score(
        letters(example["key"]),
        letters(example["response"]),
        metrics=["blanc"],
        blanc_rule=BLANC_RULES[column],
    )
    assert fields(result["blanc"]) == close_to(stated(example[column]))


@each_example
def test_conll_is_the_mean_of_three_f1(example):
    result = corefkit.score(letters(example["key"]), letters(example["response"]))
    parts = [stated(example[metric])["f1"] for metric in ("muc", "b_cubed", "ceaf_e")]
    assert result.conll == pytest.approx(float(sum(parts) / 3), rel=1e-9)


@each_example
def test_table_equals_the_slow_versions_exactly(example):
    key, response = letters(example["key"]), letters(example["response"])
    slow = {name: score(count(key, response)) for name, count in SLOW_COUNTS.items()}
    slow |= {
        column: blanc_score(blanc(key, response), rule=rule)
        for column, rule in BLANC_RULES.items()
    }
    assert {name: stated(example[name]) for name in slow} == {
        name: value._asdict() for name, value in slow.items()
    }


@pytest.mark.kept
@each_example
def test_every_row_states_every_metric(example):
    assert set(example) - TEXT_COLUMNS == {*PLAIN_METRICS, *BLANC_RULES}
    assert set(example) >= TEXT_COLUMNS - {"note"}


def test_no_row_stands_twice():
    names = [example["id"] for example in EXAMPLES]
    partitions = [(example["key"], example["response"]) for example in EXAMPLES]
    assert len(set(names)) == len(set(partitions)) == len(EXAMPLES)
