"""The plan of a figure."""

from __future__ import annotations

import pytest

from corefkit.lab.drawing.planning import TITLE, planned, text_width
from corefkit.lab.figures import Figure, Panel

CURVES = {"muc": [1, 0.5], "b_cubed": [1, 0.6], "lea": [1, 0.4]}


def plan(*, panels=1, curves=None, title="", ordered=True, ticks=("0", "1")):
    shown = [Panel("a panel", curves or CURVES)] * panels
    return planned(Figure("", title, "step", ticks, shown, ordered))


@pytest.mark.parametrize(
    ("panels", "columns", "rows"),
    [(1, 1, 1), (2, 2, 1), (3, 3, 1), (4, 3, 2), (7, 3, 3)],
)
def test_panels_stand_in_rows_of_at_most_three(panels, columns, rows):
    places = plan(panels=panels).panels
    assert len(set(places)) == panels
    assert len({x for x, _ in places}) == columns
    assert len({y for _, y in places}) == rows
    assert places == sorted(places, key=lambda place: (-place[1], place[0]))


@pytest.mark.parametrize("panels", [1, 2, 3])
def test_legend_is_for_more_than_two_panels(panels):
    assert list(plan(panels=panels).legend) == (list(CURVES) if panels > 2 else [])


def test_legend_is_read_down_its_columns():
    curves = {f"a system of length {number}": [1, 0] for number in range(10)}
    legend = list(plan(panels=3, curves=curves).legend.values())
    assert legend == sorted(legend, key=lambda place: (place[0], -place[1]))
    assert len({x for x, _ in legend}) > 1


def test_title_is_cut_into_lines_that_fit():
    title = "what becomes of the metrics while more and more mentions are left out"
    found = plan(title=title)
    lines = found.title.splitlines()
    assert len(lines) > 1
    assert " ".join(lines) == title
    assert all(text_width(line, TITLE, bold=True) < found.width for line in lines)


def test_longer_titles_make_the_figure_higher():
    assert plan(title="word " * 50).height > plan(title="word").height + 40


def test_more_curves_make_the_panel_higher():
    many = {str(number): [1, 0] for number in range(40)}
    assert plan(curves=many).panel_height > 2 * plan().panel_height


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("word", ["9-2", "entity of nine and two"])
def test_only_long_labels_of_points_are_turned(ordered, word):
    ticks = [word] * 12
    curves = {"lea": [1] * 12}
    found = plan(ticks=ticks, curves=curves, ordered=ordered)
    assert found.is_turned == (not ordered and word != "9-2")
