"""Pages as Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest

from corefkit.settings import VERSION
from corefkit.tables.markdown import render_markdown, render_markdown_page
from corefkit.tables.model import (
    Bars,
    Bullet,
    Bullets,
    Cell,
    Column,
    Drawing,
    Emphasis,
    Heading,
    Note,
    Page,
    Paragraph,
    Table,
    make_columns,
    make_rows,
)


@pytest.mark.parametrize(
    ("part", "written"),
    [
        (Heading(2, "b_cubed", "b"), r"## b\_cubed"),
        (Paragraph("`b` of a_b"), r"`b` of a\_b"),
        (Paragraph("`b` [a]", is_literal=True), r"\`b\` \[a\]"),
        (Note("a|b", is_code=True), "`a|b`"),
        (Note("a|b"), r"a\|b"),
        (
            Bullets((Bullet("text", "word", ("more",), see=("A-1",)),)),
            "- **word** text: A-1  \n  more",
        ),
        (
            Bullets((Bullet("one"), Bullet("two")), "Title", "Text.", "End."),
            "**Title**: Text.\n\n- one\n- two\n\nEnd.",
        ),
        (Drawing("A figure", Path("folder/a.svg")), "![A figure](a.svg)"),
        (Drawing("A figure", None), ""),
        (Bars(()), ""),
    ],
)
def test_parts(part, written):
    assert render_markdown([part]) == written


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        (Cell("a|b"), r"a\|b"),
        (Cell("1", "*"), r"1\*"),
        (Cell("1", "t"), "1 t"),
        (Cell("  1"), "\N{NO-BREAK SPACE}\N{NO-BREAK SPACE}1"),
        (Cell("1", "*", emphasis=Emphasis.BEST), r"**1**\*"),
        (Cell("1", emphasis=Emphasis.BEST, above="b|c"), r"**1**<sup>b\|c</sup>"),
        (
            Cell("1", "E", emphasis=Emphasis.STRUCK, correction="2", see="A-1"),
            "~~1~~ 2 A-1",
        ),
        (Cell("1", "?", "differs", Emphasis.WRONG), "**1 differs**"),
    ],
)
def test_cells(cell, written):
    last = render_markdown(
        [Table(make_columns(["", ""]), ((Cell("x"), cell),))]
    ).splitlines()[-1]
    assert last == f"| x | {written} |"


def test_grid_has_caption_groups_and_notes():
    heads = (Column("", "left"), Column("R", group="a"), Column("F1", group="a"))
    grid = Table(heads, make_rows([["x", "1", "2"]]), "Scores", ("one note",))
    assert render_markdown([grid]).splitlines() == [
        "Scores:",
        "",
        "|  | a R | a F1 |",
        "| --- | ---: | ---: |",
        "| x | 1 | 2 |",
        "",
        "one note",
    ]


def test_page_has_a_title_and_says_who_made_it():
    page = Page("A_page", (Paragraph("intro"),), (Paragraph("text"),), "corefkit x")
    assert render_markdown_page(page) == (
        "# A\\_page\n\nintro\n\ntext\n\n"
        f"Computed by corefkit {VERSION}, `corefkit x`.\n"
    )
