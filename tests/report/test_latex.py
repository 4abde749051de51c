"""Grids as LaTeX."""

from __future__ import annotations

import re

import pytest

from corefkit.tables.latex import render_latex, render_latex_floats
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


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        (Cell("50%"), r"50\%"),
        (Cell("1", "*"), "1$^*$"),
        (Cell("1", "t"), r"1$^{\mathrm{t}}$"),
        (Cell("B³"), "B$^3$"),
        (Cell("1", emphasis=Emphasis.BEST), r"\textbf{1}"),
        (Cell("1", above="bc"), r"1$^{\mathrm{bc}}$"),
        (Cell("1", "*", above="c-e"), r"1$^{\mathrm{c{-}e}}$$^*$"),
    ],
)
def test_cells(cell, written):
    lines = render_latex(
        [Table(make_columns(["", ""]), ((Cell("x"), cell),))]
    ).splitlines()
    assert lines[4] == rf"x & {written} \\"


def test_names_stand_above_their_columns():
    heads = (
        *make_columns(["Response", "Metric"], words=2),
        Column("R", group="a&b"),
        Column("P", group="a&b"),
    )
    lines = render_latex([Table(heads, make_rows([["x", "y", "1", "2"]]))]).splitlines()
    assert lines[0] == r"\begin{tabular}{llrr}"
    assert lines[2] == r" &  & \multicolumn{2}{c}{a\&b} \\"


def test_captions_and_notes_are_comments():
    grid = Table(
        make_columns(["", ""]), make_rows([["x", "1"]]), "one\ntwo", ("three",)
    )
    lines = render_latex([grid, Note("four\x1b"), Paragraph("not here")]).splitlines()
    comments = [line for line in lines if line.startswith("%")]
    assert comments == ["% one", "% two", "% three", r"% four\x1b"]
    assert "not here" not in lines


def test_headings_are_captions_of_floats():
    grid = Table(make_columns(["", ""]), make_rows([["x", "1"]]))
    parts = [
        Heading(2, "A", "a"),
        Heading(3, "B³", "b"),
        grid,
        Heading(2, "C", "c"),
        grid,
    ]
    lines = render_latex_floats(parts).splitlines()
    captions = [line for line in lines if line.startswith(r"\caption")]
    assert captions == [r"\caption{A. B$^3$}", r"\caption{C}"]
    assert lines.count(r"\begin{table}") == lines.count(r"\end{table}") == 2


@pytest.mark.parametrize("name", ["[best] system", "*system", "system"])
def test_name_is_no_argument_of_the_line_end_before(name):
    text = render_latex(
        [Table(make_columns(["", ""]), make_rows([["a", "1"], [name, "2"]]))]
    )
    assert not re.search(r"\\\\\s*[\[*]", text)
