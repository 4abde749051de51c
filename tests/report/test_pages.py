"""Pages as HTML: escaped, and nothing beside them."""

from __future__ import annotations

import re

import pytest

from corefkit.report.reader_data import Reader
from corefkit.tables.html import render_html_page
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
    Share,
    Table,
    make_columns,
    make_rows,
)

HOSTILE = "<script>\"&'"


def body(*parts, intro=()):
    page = render_html_page(Page("Title", tuple(intro), parts, "corefkit x"))
    return page.partition("<body>")[2]


@pytest.mark.parametrize(
    "part",
    [
        Heading(2, HOSTILE, "anchor", HOSTILE),
        Paragraph(HOSTILE),
        Paragraph(HOSTILE, is_literal=True),
        Note(HOSTILE),
        Note(HOSTILE, is_code=True),
        Bullets((Bullet(HOSTILE, HOSTILE, (HOSTILE,)),), HOSTILE, HOSTILE, HOSTILE),
        Table(
            (Column(HOSTILE, "left"), Column(HOSTILE, group=HOSTILE)),
            (
                (
                    Cell(HOSTILE),
                    Cell(HOSTILE, HOSTILE, HOSTILE, correction=HOSTILE),
                ),
            ),
            HOSTILE,
            (HOSTILE,),
        ),
        Bars(((HOSTILE, (Share("exact", HOSTILE, 1),)),)),
    ],
    ids=lambda part: type(part).__name__,
)
def test_no_text_is_taken_for_markup(part):
    text = body(part)
    assert text.count("<script") == 1  # its own
    assert "&lt;script&gt;" in text


def test_links_lead_to_sections_by_their_short_names():
    text = body(
        Heading(2, "A long name", "a", "A"), Paragraph("p"), Heading(2, "B", "b")
    )
    assert re.findall(r'<a href="#(\w)">(\w)</a>', text) == [
        ("a", "A"),
        ("b", "B"),
        ("b", "B"),
    ]
    assert text.count("<section>") == text.count("</section>") == 2


def test_code_is_marked_except_in_literal_text():
    text = body(Paragraph("a `b`"), Paragraph("a `c`", is_literal=True))
    assert "<p>a <code>b</code></p>" in text
    assert "<p>a `c`</p>" in text


def test_rows_without_a_first_cell_belong_to_the_one_above():
    rows = make_rows([["a", "1"], ["", "2"], ["b", "3"]])
    text = body(Table(make_columns(["", "F1"]), rows))
    assert re.findall(r'rowspan="(\d)">(\w)', text) == [("2", "a"), ("1", "b")]


def test_names_stand_above_their_columns():
    heads = (Column("", "left"), Column("R", group="a"), Column("P", group="a"))
    text = body(Table(heads, make_rows([["x", "1", "2"]])))
    assert '<th scope="colgroup" colspan="2">a</th>' in text


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        (Cell("1", "*", "undefined"), '<td>1<abbr title="undefined">*</abbr></td>'),
        (Cell("1", "*"), "<td>1<abbr>*</abbr></td>"),
        (Cell("1", emphasis=Emphasis.BEST), "<td><b>1</b></td>"),
        (Cell("1", above="<a>"), "<td>1<sup>&lt;a&gt;</sup></td>"),
        (
            Cell("1", "E", emphasis=Emphasis.STRUCK, correction="2", see="A-1"),
            '<td><s>1</s> 2 <a class="see" href="#a-1">A-1</a></td>',
        ),
        (
            Cell("1", "?", "differs", Emphasis.WRONG, kind="differs"),
            '<td class="differs">1 differs</td>',
        ),
    ],
)
def test_cells_stand_out(cell, written):
    assert written in body(Table(make_columns(["", ""]), ((Cell("x"), cell),)))


def test_columns_of_words_are_aligned_left():
    heads = (*make_columns(["a", "b"]), Column("c", "left"))
    text = body(Table(heads, make_rows([["x", "1", "word"]])))
    assert '<th scope="col">b</th><th scope="col" class="left">c</th>' in text
    assert '<td>1</td><td class="left">word</td>' in text


def test_figures_are_inside_the_page(tmp_path):
    drawing = tmp_path / "a.svg"
    drawing.write_text('<svg width="120pt" height="60pt"></svg>', "utf-8")
    text = body(Drawing("A figure", drawing, "See the table."))
    assert 'alt="A figure. See the table."' in text
    assert 'width="208" src="data:image/svg+xml;base64,' in text
    assert "<figure>" not in body(Drawing("A figure", None))


def test_shares_of_nothing_are_not_drawn():
    shares = (Share("exact", "exact", 3), Share("differs", "differ", 0))
    text = body(Bars((("a", shares),)))
    assert '<rect class="exact" x="0.000%" width="100.000%"' in text
    assert '<rect class="differs" x=' not in text
    assert '<rect class="differs" width="100%" height="100%"/></svg>differ' in text


def test_pieces_of_a_bar_stand_side_by_side():
    shares = (Share("exact", "exact", 1), Share("differs", "differ", 3))
    text = body(Bars((("a", shares),)))
    assert re.findall(r'x="([\d.]+)%" width="([\d.]+)%"', text) == [
        ("0.000", "25.000"),
        ("25.000", "75.000"),
    ]


def test_no_element_has_what_the_policy_forbids(tmp_path):
    drawing = tmp_path / "a.svg"
    drawing.write_text('<svg width="120pt" height="60pt"></svg>', "utf-8")
    shares = (Share("exact", "exact", 3),)
    grid = Table(make_columns(["", "F1"]), make_rows([["a", "1"]]))
    text = body(grid, Drawing("A figure", drawing), Bars((("a", shares),)))
    markup, _, _ = text.partition("<script")
    assert not re.search(r"\s(style|on\w+)=", markup)


def test_the_first_link_of_a_page_with_texts_leads_to_them():
    heading = Heading(2, "Read the texts", "texts")
    with_texts = body(Heading(2, "Scores", "scores"), heading, Reader("key", (), ()))
    assert with_texts.lstrip().startswith(
        '<a class="skip" href="#texts">Skip to the texts</a>'
    )
    assert 'class="skip"' not in body(heading)
