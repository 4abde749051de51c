"""Tables for papers: superscripts, bold, write_caption."""

from __future__ import annotations

import re

import pytest
from comparisons import FIVE, HOSTILE, MANY, SHAPES, made

from corefkit.analysis.compare.comparison_text import (
    build_paper_table,
    render_latex_comparison,
    render_markdown_comparison,
    write_caption,
)
from corefkit.tables.model import Emphasis

each_shape = pytest.mark.parametrize("comparison", SHAPES.values(), ids=SHAPES)


def cells(comparison, column):
    grid = build_paper_table(comparison)
    number = [head.head for head in grid.columns].index(column)
    return [row[number] for row in grid.rows]


def test_letters_name_the_rows_that_are_beaten():
    comparison = made(FIVE, metrics=["lea"])
    assert [cell.text for cell in cells(comparison, "")] == [*"abcde"]
    assert [cell.above for cell in cells(comparison, "LEA")] == [
        "de",
        "de",
        "e",
        "",
        "",
    ]


def test_rows_are_those_of_the_first_metric_whatever_the_others_say():
    scores = {"a": 0.6, "b": 0.5, "c": 0.4}
    comparison = made(scores, metrics=["muc", "lea"])
    swapped = made({"a": 0.5, "b": 0.6, "c": 0.4}, metrics=["muc", "lea"])
    mixed = dict(comparison.metrics) | {"lea": swapped.metrics["lea"]}
    object.__setattr__(comparison, "metrics", mixed)
    assert [cell.above for cell in cells(comparison, "MUC")] == ["bc", "c", ""]
    assert [cell.above for cell in cells(comparison, "LEA")] == ["c", "ac", ""]
    bold = [cell.emphasis is Emphasis.BEST for cell in cells(comparison, "LEA")]
    assert bold == [False, True, False]


def test_all_that_show_the_best_number_are_bold():
    comparison = made({"a": 0.5, "b": 0.5, "c": 0.4}, metrics=["lea"])
    bold = [cell.emphasis is Emphasis.BEST for cell in cells(comparison, "LEA")]
    assert bold == [True, True, False]


def test_more_than_26_systems_have_numbers():
    comparison = made(MANY, metrics=["lea"])
    assert cells(comparison, "")[26].text == "27"
    assert cells(comparison, "LEA")[0].above.endswith("-27")
    assert ". Numbers above a score" in write_caption(comparison)


@each_shape
def test_caption_names_the_test(comparison):
    text, procedure = write_caption(comparison), comparison.procedure
    assert f"{comparison.units} {procedure.unit}" in text
    if len(comparison.systems) > 1:
        assert "paired" in text
        assert f"alpha {procedure.alpha:g}" in text
        assert f"seed {procedure.seed}" in text
    if len(comparison.systems) > 2:
        pairs = len(next(iter(comparison.metrics.values())).pairs)
        assert f"{pairs} pairs" in text


def test_caption_says_where_nothing_is_significant():
    assert "No difference between systems is significant." in write_caption(
        SHAPES["five-few"]
    )
    assert "Letters above" not in write_caption(SHAPES["five-few"])
    assert "No difference" not in write_caption(SHAPES["five"])


def test_two_systems_have_their_differences():
    table = build_paper_table(SHAPES["two-lea"])
    assert [cell.text for cell in table.rows[0]] == [
        *("LEA", "61.43", "54.88", "+6.55", "[5.35, 7.75]", "0.2000", "20/12/0")
    ]
    assert "No significant difference" in write_caption(SHAPES["two-lea"])
    assert "* significant: p at most 0.05" in write_caption(SHAPES["two"])


@pytest.mark.parametrize(
    ("comparison", "heads"),
    [
        (made(FIVE, metrics=["lea"]), ["LEA", "95% interval", "Rank"]),
        (
            made(FIVE, metrics=["lea"], baseline="base.conll", alpha=0.1),
            ["LEA", "90% interval"],
        ),
        (made(FIVE, metrics=["lea", "muc"]), ["LEA", "MUC"]),
    ],
)
def test_one_metric_has_intervals(comparison, heads):
    assert [
        column.head for column in build_paper_table(comparison).columns[2:]
    ] == heads


@each_shape
def test_every_row_of_latex_has_as_many_cells(comparison):
    text = render_latex_comparison(comparison)
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    numbers = {len(re.findall(r"(?<!\\)&", line)) for line in rows}
    (aligns,) = re.findall(r"\\begin\{tabular\}\{(\w+)\}", text)
    assert numbers == {len(aligns) - 1}


@each_shape
def test_latex_is_balanced(comparison):
    text = render_latex_comparison(comparison)
    plain = re.sub(r"(?m)^%.*$", "", text).replace(r"\\", "")
    plain = re.sub(r"\\[{}$]", "", plain)
    assert plain.count("{") == plain.count("}")
    assert plain.count("$") % 2 == 0
    for name in ("table", "tabular"):
        assert text.count(rf"\begin{{{name}}}") == text.count(rf"\end{{{name}}}") == 1
    assert text.count(r"\caption{") == 1


def test_latex_takes_no_name_for_a_command():
    text = render_latex_comparison(made(HOSTILE, metrics=["lea"]))
    assert r"[b]\&\%\$\textless{}x\textgreater{}\textbar{}y" in text
    assert "\x1b" not in text


@each_shape
def test_every_row_of_markdown_has_as_many_cells(comparison):
    lines = render_markdown_comparison(comparison).splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1
    assert lines[-1] == f"`{comparison.signature}`"


def test_markdown_of_hostile_names():
    text = render_markdown_comparison(made(HOSTILE, metrics=["lea"]))
    assert r"\[b\]&%\$&lt;x&gt;\|y" in text
    assert "\x1b" not in text
    assert "<sup>" in text
