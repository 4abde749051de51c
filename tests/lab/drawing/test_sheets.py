"""Figures on paper: nothing overlaps, nothing is cut off, and all is to be seen."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from matplotlib import style
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex

from corefkit.lab.drawing.looks import looks_of
from corefkit.lab.drawing.sheets import STYLE, drawn
from corefkit.lab.figures import Figure, Panel
from corefkit.metrics import METRICS, VARIANTS

STEPS = [str(10 * step) for step in range(11)]
FALLING = {
    name: [1 - step * (number + 1) / 200 for step in range(11)]
    for number, name in enumerate([*METRICS, *VARIANTS])
}
NINE = dict(list(FALLING.items())[:9])
RISING = [0.1 * step for step in range(11)]
SAME = {"b_cubed": RISING, "ceaf_m": RISING, "lea": RISING}
LONG = "a title so long that it must be cut into lines, of which there are three then"
FIGURES = {
    "nine": Figure("", "Nine", "left out (%)", STEPS, [Panel("", NINE)]),
    "all in one": Figure("", LONG, LONG, STEPS, [Panel("all", FALLING)]),
    "two panels": Figure("", LONG, "steps", STEPS, [Panel(LONG, NINE)] * 2),
    "three panels": Figure("", "Three", "steps", STEPS, [Panel("one", FALLING)] * 3),
    "five panels": Figure("", "Five", "steps", STEPS, [Panel("one", NINE)] * 5),
    "same": Figure("", "Same", "steps", STEPS, [Panel("", SAME)]),
    "one tick": Figure("", "One", "step", ["0"], [Panel("", {"lea": [0.5]})]),
    "points": Figure(
        "", "Points", "sizes", [f"{n}-{n}" for n in STEPS], [Panel("", NINE)], False
    ),
    "turned": Figure(
        "", "Turned", "", [f"of size {n}" for n in STEPS], [Panel("", NINE)], False
    ),
    "long names": Figure("", "Own", "steps", STEPS, [Panel("", {LONG: [1] * 11})]),
}
EACH = pytest.mark.parametrize("name", FIGURES)


def each_without(name):
    return pytest.mark.parametrize("name", [one for one in FIGURES if one != name])


@cache
def sheet(name):
    return sheet_of(FIGURES[name])


def sheet_of(figure):
    with style.context(["default", STYLE]):
        sheet = drawn(figure)
        FigureCanvasAgg(sheet).draw()
    return sheet


def text_boxes(sheet):
    """Give the box around each text of a sheet."""
    texts = [
        text
        for axes in sheet.axes
        for text in [*axes.texts, *(tick_labels(axes) if axes.axison else [])]
        if text.get_text() and text.get_visible()
    ]
    return [(text.get_text(), text.get_window_extent()) for text in texts]


def tick_labels(axes):
    return [*axes.get_xticklabels(), *axes.get_yticklabels()]


@EACH
def test_no_text_is_cut_off(name):
    whole = sheet(name).bbox
    for text, box in text_boxes(sheet(name)):
        assert box.x0 >= 0, text
        assert box.y0 >= 0, text
        assert box.x1 <= whole.x1, text
        assert box.y1 <= whole.y1, text


# Boxes around turned texts overlap, though the texts do not.
@each_without("turned")
def test_no_text_covers_another(name):
    for (one, box), (other, other_box) in combinations(text_boxes(sheet(name)), 2):
        assert not box.overlaps(other_box), (one, other)


@each_without("long names")
def test_sheet_is_as_wide_as_a_column_or_a_page(name):
    fits_column = name in ("nine", "same", "one tick")
    width = 246 if fits_column else 500
    assert sheet(name).get_figwidth() == pytest.approx(width / 72)


def test_long_names_make_the_sheet_wider_not_the_panel_smaller():
    assert sheet("long names").axes[1].get_window_extent().width > 100


def coloured_pixels(drawing, colour):
    """Count the pixels of the first panel that have a colour."""
    box = drawing.axes[1].get_window_extent()
    pixels = np.asarray(drawing.canvas.buffer_rgba())[::-1]
    inside = pixels[int(box.y0) : int(box.y1), int(box.x0) : int(box.x1)]
    wanted = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    return int((np.abs(inside[..., :3].astype(int) - wanted).max(axis=-1) < 30).sum())


def test_curves_that_coincide_are_all_seen():
    colours = [look.colour for look in looks_of(SAME).values()]
    counts = [coloured_pixels(sheet("same"), colour) for colour in colours]
    assert min(counts) > 0.2 * sum(counts)


@EACH
def test_panels_share_their_vertical_axis(name):
    _, *panels = sheet(name).axes
    assert len(panels) == len(FIGURES[name].panels)
    assert len({axes.get_ylim() for axes in panels}) == 1


@pytest.mark.parametrize(
    ("lowest", "label"), [(0.3, "F1 (%)"), (0.87, "F1 (%), axis from 85")]
)
def test_axis_without_zero_says_so(lowest, label):
    panel = Panel("", {"lea": [1, lowest]})
    figure = Figure("", "", "", ["0", "1"], [panel], y_label="F1")
    page, axes = sheet_of(figure).axes
    assert label in [text.get_text() for text in page.texts]
    # The base line, and none where there is no 0.
    level = [line for line in axes.lines if set(line.get_ydata()) == {0}]
    assert len(level) == (lowest < 0.5)


def test_points_of_a_tick_stand_side_by_side():
    panel = Panel("", {name: [0.5, 0.6] for name in METRICS})
    _, axes = sheet_of(Figure("", "", "", ["a", "b"], [panel], ordered=False)).axes
    markers = [line for line in axes.lines if line.get_marker() not in ("None", "")]
    places = [place for line in markers for place in line.get_xdata()]
    assert len(markers) == len(METRICS)
    assert len(set(places)) == len(places)
    assert {round(place) for place in places} == {0, 1}


def test_labels_stand_in_the_order_of_the_ends():
    curves = {"muc": [1, 0.2], "lea": [1, 0.5], "blanc": [1, 0.5], "mentions": [1, 0.9]}
    page, _ = sheet_of(Figure("", "", "", ["0", "1"], [Panel("", curves)])).axes
    labels = {text.get_text(): text.get_position()[1] for text in page.texts}
    order = sorted(("Mentions", "LEA", "BLANC", "MUC"), key=labels.get, reverse=True)
    assert order == ["Mentions", "LEA", "BLANC", "MUC"]


def test_lines_have_the_looks_of_their_metrics():
    lines = sheet("nine").axes[1].lines
    drawn_with = {to_hex(line.get_color()).upper() for line in lines}
    assert {look.colour for look in looks_of(NINE).values()} <= drawn_with


def test_labels_of_curves_that_end_together_stand_as_they_come_there():
    curves = {"muc": [0, 0.2, 1], "lea": [0, 0.5, 1], "blanc": [0, 0.4, 1]}
    page, _ = sheet_of(Figure("", "", "", ["0", "1", "2"], [Panel("", curves)])).axes
    labels = {text.get_text(): text.get_position()[1] for text in page.texts}
    assert labels["LEA"] > labels["BLANC"] > labels["MUC"]
