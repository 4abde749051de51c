"""Charts inside the page: where marks stand, and who can reach them."""

from __future__ import annotations

import re

import pytest

from corefkit.tables.html import render_html
from corefkit.tables.markdown import render_markdown
from corefkit.tables.model import (
    Bars,
    Beside,
    Folded,
    Paragraph,
    Point,
    Range,
    Ranges,
    Scatter,
    Share,
    Table,
    make_columns,
    make_rows,
)
from corefkit.tables.terminal import render_terminal


def scatter(count=2, **changes):
    points = [Point(10 * n, 5 * n, n, f"d{n}", f"#d=d{n}") for n in range(1, count + 1)]
    return Scatter("Documents", "A", "B", tuple(points), **changes)


def test_ranges_stand_where_their_numbers_say():
    rows = (("MUC", (Range(0, 50, 40, 60), Range(1, 55))),)
    text = render_html([Ranges("F1", rows, ("a", "b"))])
    # The axis goes from 40 to 60.
    assert re.findall(r'x1="([\d.]+)%" x2="([\d.]+)%" y1="14.5"', text) == [
        ("0.00", "100.00")
    ]
    assert re.findall(r'<svg x="([\d.]+)%"', text) == ["50.00", "75.00"]


def test_series_differ_by_shape_too():
    rows = (("MUC", (Range(0, 1), Range(1, 2), Range(2, 3))),)
    text = render_html([Ranges("F1", rows, ("a", "b", "c"))])
    assert text.count("<circle") == text.count('<path d="M') == 2  # and in the key


def test_no_numbers_are_no_chart():
    assert render_html([Ranges("F1", (("MUC", ()),)), scatter(0)]) == ""


def test_points_lead_somewhere_and_the_smallest_is_on_top():
    text = render_html([scatter(3)])
    assert re.findall(r'<a href="#d=(d\d)"', text) == ["d3", "d2", "d1"]
    assert "<title>d1</title>" in text


def test_the_tab_key_does_not_go_through_hundreds_of_points():
    assert "tabindex" not in render_html([scatter(40)])
    assert render_html([scatter(41)]).count('tabindex="-1"') == 41


def test_equal_points_have_an_axis():
    point = Point(50, 50, 0, "d", "#d=d")
    text = render_html([Scatter("Documents", "A", "B", (point, point))])
    assert "nan" not in text
    assert text.count("<circle") == 2


@pytest.mark.parametrize("is_square", [True, False])
def test_only_a_square_has_a_diagonal(is_square):
    text = render_html([scatter(is_square=is_square)])
    assert ('class="diagonal"' in text) == is_square


def test_a_bar_that_falls_goes_back():
    shares = (
        Share("response", "Response", 50.0),
        Share("conflated", "Conflated", -5.0),
    )
    shares += (Share("divided", "Divided", 55.0),)
    text = render_html([Bars((("a", shares),), "Ladder", full_size=100)])
    found = re.findall(r'class="([\w ]+)" x="([\d.]+)%" width="([\d.]+)%"', text)
    assert found == [
        ("response", "0.000", "50.000"),
        ("conflated falls", "45.000", "5.000"),
        ("divided", "45.000", "55.000"),
    ]


def test_what_is_folded_or_beside_is_in_other_outputs_too():
    grid = Table(make_columns(["", "F1"]), make_rows([["MUC", "60.47"]]))
    parts = [Folded("More", (Beside((grid, Paragraph("after"))),))]
    for text in (render_markdown(parts), render_terminal(parts)):
        assert "60.47" in text
        assert "after" in text
    assert render_html(parts).startswith("<details><summary>More</summary>")


@pytest.mark.parametrize("most", [40, 310, 731, 29_103])
def test_points_go_to_the_other_end_of_an_axis_however_long_it_is(most):
    points = (Point(1, 50, 1, "a", "#a"), Point(most, 60, 1, "b", "#b"))
    text = render_html([Scatter("F1", "Mentions", "F1", points, is_square=False)])
    places = [float(x) for x in re.findall(r'cx="([\d.]+)"', text)]
    assert max(places) - min(places) > 200
