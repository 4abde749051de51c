"""Tables as LaTeX."""

from __future__ import annotations

import re

import pytest

from corefkit.tables.latex import render_latex
from corefkit.tables.model import (
    Cell,
    Column,
    Emphasis,
    Heading,
    Note,
    Paragraph,
    Table,
    make_columns,
    make_rows,
)


def render_rows(*rows, heads=("", "")):
    text = render_latex([Table(make_columns(heads), rows)])
    return text.partition("\\midrule\n")[2].partition("\n\\bottomrule")[0].split("\n")


@pytest.mark.parametrize(
    ("cell", "latex"),
    [
        (Cell("50%"), r"50\%"),
        (Cell("1", "*"), "1$^*$"),
        (Cell("1", "t"), r"1$^{\mathrm{t}}$"),
        (Cell("1", "°"), r"1$^\circ$"),
        (Cell("α MASI"), r"$\alpha$ MASI"),
        (Cell("B³"), "B$^3$"),
        (Cell("1", emphasis=Emphasis.BEST), r"\textbf{1}"),
        (Cell("1", above="bc"), r"1$^{\mathrm{bc}}$"),
        (Cell("1", "*", above="c-e"), r"1$^{\mathrm{c{-}e}}$$^*$"),
        (Cell("-1.25"), "$-$1.25"),
        (Cell("[-1.25, 2.00]"), "[$-$1.25, 2.00]"),
        (Cell("-"), "-"),
        (Cell("a \N{MINUS SIGN} b"), "a $-$ b"),
    ],
)
def test_cell(cell, latex):
    assert render_rows((Cell("x"), cell)) == [rf"x & {latex} \\"]


def test_hyphen_of_a_name_is_not_a_minus():
    assert render_rows((Cell("run -1"), Cell("1"))) == [r"run -1 & 1 \\"]


def test_table_is_a_float_with_its_caption_and_notes():
    table = Table(
        make_columns(["", ""]), make_rows([["x", "1"]]), "one\ntwo", ("three",)
    )
    lines = render_latex([table, Note("four\x1b"), Paragraph("not here")]).splitlines()
    assert lines[:2] == [r"% \usepackage{booktabs}", r"\begin{table}"]
    assert lines[-4:] == [
        r"\caption{one, two}",
        r"\end{table}",
        "% three",
        r"% four\x1b",
    ]


def test_groups_span_their_columns():
    heads = (
        *make_columns(["Response", "Metric"], words=2),
        Column("R", group="a&b"),
        Column("P", group="a&b"),
    )
    text = render_latex([Table(heads, make_rows([["x", "y", "1", "2"]]))])
    assert r"\begin{tabular}{llrr}" in text
    assert " &  & \\multicolumn{2}{c}{a\\&b} \\\\\n\\cmidrule(lr){3-4}\n" in text


def test_headings_are_captions():
    table = Table(make_columns(["", ""]), make_rows([["x", "1"]]))
    parts = [
        Heading(2, "A", "a"),
        Heading(3, "B³", "b"),
        table,
        Heading(2, "C", "c"),
        table,
    ]
    lines = render_latex(parts).splitlines()
    captions = [line for line in lines if line.startswith(r"\caption")]
    assert captions == [r"\caption{A. B$^3$}", r"\caption{C}"]
    assert lines.count(r"\begin{table}") == lines.count(r"\end{table}") == 2


def test_wide_table_has_short_heads_and_is_scaled_to_the_page():
    heads = [Column("", "left"), *[Column("Precision", short="P")] * 20]
    text = render_latex([Table(tuple(heads), make_rows([["x", *["100.00"] * 20]]))])
    assert text.startswith("% \\usepackage{booktabs, graphicx}\n")
    assert text.count(r"\resizebox{\textwidth}{!}{%") == 1
    assert "Precision" not in text


def test_text_without_tables_needs_no_package():
    assert render_latex([Note("four")]) == "% four"


@pytest.mark.parametrize("name", ["[best] system", "*system", "system"])
def test_name_is_not_an_argument_of_the_line_end_before(name):
    text = "\n".join(render_rows(*make_rows([["a", "1"], [name, "2"]])))
    assert not re.search(r"\\\\\s*[\[*]", text)
