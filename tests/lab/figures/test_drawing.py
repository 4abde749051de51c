"""Drawn figures: no text overlaps another, none is cut off, every curve is seen."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import style
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex

from corefkit.lab.drawing import (
    STYLE,
    _choose_scale,
    choose_looks,
    make_sheet,
)
from corefkit.lab.figures import Figure, Panel
from corefkit.metrics.registry import METRICS, VARIANTS, get_label

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
        "",
        "Turned",
        "",
        [f"an entity of {n} mentions" for n in STEPS],
        [Panel("", NINE)],
        False,
    ),
    "long names": Figure("", "Own", "steps", STEPS, [Panel("", {LONG: [1] * 11})]),
    "many steps": Figure(
        "",
        LONG,
        LONG,
        [f"{number / 100:.0%}" for number in range(101)],
        [Panel("", {"lea": [1 - number / 100 for number in range(101)]})],
    ),
}
EACH = pytest.mark.parametrize("name", FIGURES)


def each_without(name):
    return pytest.mark.parametrize(
        "name", [other for other in FIGURES if other != name]
    )


@cache
def sheet(name):
    return sheet_of(FIGURES[name])


def sheet_of(figure):
    with style.context(["default", STYLE]):
        sheet = make_sheet(figure)
        FigureCanvasAgg(sheet).draw()
    return sheet


def panel_of(curves, *, ordered=True, y_label="F1"):
    """Draw curves in one panel, and return its axes."""
    ticks = [str(number) for number in range(len(next(iter(curves.values()))))]
    figure = Figure("", "", "", ticks, [Panel("", curves)], ordered, y_label)
    return sheet_of(figure).axes[0]


@cache
def text_boxes(sheet):
    """List every visible text of a sheet, and the box around it."""
    texts = [sheet._suptitle]
    for axes in sheet.axes:
        texts += [axes.title, axes._left_title, axes.xaxis.label, axes.yaxis.label]
        texts += [*shown_ticks(axes), *axes.get_legend().get_texts()]
    return [
        (text.get_text(), text.get_window_extent()) for text in texts if text.get_text()
    ]


def shown_ticks(axes):
    """List the labels of the ticks, without those beyond the ends of an axis."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    labels = axes.get_xticklabels(), axes.get_yticklabels()
    across = [text for text in labels[0] if left <= text.get_position()[0] <= right]
    return across + [
        text for text in labels[1] if low <= text.get_position()[1] <= high
    ]


def legend_labels(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


@EACH
@pytest.mark.slow
def test_no_text_is_cut_off(name):
    whole = sheet(name).bbox
    for text, box in text_boxes(sheet(name)):
        assert box.x0 >= 0, text
        assert box.y0 >= 0, text
        assert box.x1 <= whole.x1, text
        assert box.y1 <= whole.y1, text


# Boxes around turned texts overlap, though the texts do not.
@each_without("turned")
@pytest.mark.slow
def test_no_text_covers_another(name):
    for (one, box), (other, other_box) in combinations(text_boxes(sheet(name)), 2):
        assert not box.overlaps(other_box), (one, other)


@EACH
def test_no_legend_covers_a_panel(name):
    drawing = sheet(name)
    for panel in drawing.axes:
        for other in drawing.axes:
            legend = other.get_legend().get_window_extent()
            assert not legend.overlaps(panel.get_window_extent())


@EACH
def test_panels_are_large_enough_and_equally_large(name):
    boxes = [axes.get_window_extent() for axes in sheet(name).axes]
    assert min(box.width for box in boxes) > 100
    assert min(box.height for box in boxes) > 120
    assert max(box.width for box in boxes) - min(box.width for box in boxes) < 1


@EACH
def test_sheet_is_as_wide_as_a_column_or_a_page(name):
    columns = ("nine", "same", "one tick", "long names", "many steps")
    width = 246 if name in columns else 500
    assert sheet(name).get_figwidth() == pytest.approx(width / 72)


@pytest.mark.parametrize(
    ("name", "columns", "rows"),
    [
        ("nine", 1, 1),
        ("two panels", 2, 1),
        ("three panels", 2, 2),
        ("five panels", 2, 3),
    ],
)
def test_panels_stand_in_rows_of_two(name, columns, rows):
    corners = [axes.get_window_extent().min.round() for axes in sheet(name).axes]
    assert len(corners) == len(FIGURES[name].panels)
    assert len({x for x, _ in corners}) == columns
    assert len({y for _, y in corners}) == rows


@EACH
def test_panels_share_their_vertical_axis(name):
    assert len({axes.get_ylim() for axes in sheet(name).axes}) == 1


def test_title_is_cut_into_lines():
    title = sheet("many steps")._suptitle.get_text()
    assert len(title.splitlines()) > 1
    assert title.split() == LONG.split()


@pytest.mark.parametrize("name", ["points", "turned"])
def test_only_labels_that_would_overlap_are_turned(name):
    axes = sheet(name).axes[0]
    angles = {text.get_rotation() for text in axes.get_xticklabels()}
    assert angles == {45 if name == "turned" else 0}


@pytest.mark.parametrize(("name", "labels"), [("nine", 11), ("many steps", 101)])
def test_labels_of_steps_are_those_of_the_figure(name, labels):
    axes = sheet(name).axes[0]
    shown = {
        text.get_position()[0]: text.get_text()
        for text in axes.get_xticklabels()
        if text.get_text()
    }
    assert 3 <= len(shown) <= labels
    assert 0 in shown
    for tick, label in shown.items():
        assert label == FIGURES[name].ticks[int(tick)]


class TestScale:
    def scale(self, values):
        figure = Figure("", "", "", ["0"] * len(values), [Panel("", {"lea": values})])
        ticks = _choose_scale(figure)
        return ticks[0], ticks[-1], len(ticks)

    @given(st.lists(st.floats(-3, 1), min_size=1))
    def test_all_values_are_on_it(self, values):
        low, high, _ = self.scale(values)
        assert low <= 100 * min(values) + 1e-6
        assert high >= 100 * max(values) - 1e-6

    @given(st.lists(st.floats(0, 1), min_size=1))
    def test_it_has_a_few_ticks(self, values):
        assert 3 <= self.scale(values)[2] <= 7

    @pytest.mark.parametrize(
        ("values", "low", "high"),
        [
            ([0, 1], 0, 100),
            ([0.55, 1], 0, 100),
            ([0.64, 1], 60, 100),
            ([0.9, 1], 90, 100),
            ([0.96, 0.99], 95, 100),
            ([1, 1], 95, 100),
            ([0, 0.38], 0, 40),
            ([0, 0], 0, 5),
            ([-0.3, 0.2], -50, 100),
            ([-1e-17, 1 + 1e-15], 0, 100),
        ],
    )
    def test_it_leaves_out_what_has_no_values(self, values, low, high):
        assert self.scale(values)[:2] == (low, high)

    @pytest.mark.parametrize(
        ("lowest", "label"), [(0.3, "F1 (%)"), (0.87, "F1 (%), axis from 85")]
    )
    def test_axis_without_zero_says_so(self, lowest, label):
        axes = panel_of({"lea": [1, lowest]})
        assert axes.get_ylabel() == label
        # The base line, and none where there is no 0.
        level = [line for line in axes.lines if set(line.get_ydata()) == {0}]
        assert len(level) == (lowest < 0.5)


class TestCurvesTogether:
    def test_curves_that_coincide_share_a_line_and_a_label(self):
        axes = sheet("same").axes[0]
        assert len(drawn_curves(axes)) == 1
        (label,) = legend_labels(axes)
        assert " ".join(label.split()) == "B³, CEAFm (φ3), LEA"

    def test_curves_that_meet_at_one_end_are_drawn_apart(self):
        axes = panel_of({"lea": [0, 1], "muc": [0, 0.9], "blanc": [0, 0.9]})
        assert len(drawn_curves(axes)) == 2
        assert legend_labels(axes) == ["LEA", "MUC, BLANC"]

    def test_curves_within_a_line_width_coincide(self):
        assert len(drawn_curves(panel_of({"lea": [0, 1], "muc": [0, 0.997]}))) == 1
        assert len(drawn_curves(panel_of({"lea": [0, 1], "muc": [0, 0.99]}))) == 2

    def test_points_of_cases_are_never_shared(self):
        axes = panel_of({"lea": [0, 1], "muc": [0, 1]}, ordered=False)
        assert legend_labels(axes) == ["LEA", "MUC"]

    def test_curves_that_only_cross_are_drawn_whole(self):
        axes = panel_of({"lea": [0, 1, 0.5], "muc": [1, 0, 0.2]})
        assert len(drawn_curves(axes)) == 2


def drawn_curves(axes):
    return [line for line in axes.lines if line.get_marker() not in ("None", "")]


def test_points_of_a_case_stand_side_by_side():
    axes = panel_of({name: [0.5, 0.6] for name in METRICS}, ordered=False)
    markers = drawn_curves(axes)
    places = [place for line in markers for place in line.get_xdata()]
    assert len(markers) == len(METRICS)
    assert len(set(places)) == len(places)
    assert {round(place) for place in places} == {0, 1}


def test_lines_have_the_looks_of_their_metrics():
    lines = sheet("nine").axes[0].lines
    colours = {to_hex(line.get_color()).upper() for line in lines}
    assert {look["color"] for look in choose_looks(NINE).values()} <= colours


class TestLegend:
    def test_it_stands_in_the_order_of_the_ends(self):
        curves = {
            "muc": [1, 0.2],
            "lea": [1, 0.5],
            "blanc": [0.9, 0.5],
            "mentions": [1, 0.9],
        }
        assert legend_labels(panel_of(curves)) == ["Mentions", "LEA", "BLANC", "MUC"]

    def test_curves_that_end_together_stand_as_they_come_there(self):
        curves = {"muc": [0, 0.2, 1], "lea": [0, 0.5, 1], "blanc": [0, 0.4, 1]}
        assert legend_labels(panel_of(curves)) == ["LEA", "BLANC", "MUC"]

    @EACH
    def test_it_names_every_curve_of_its_panel(self, name):
        for axes, panel in zip(sheet(name).axes, FIGURES[name].panels, strict=True):
            labels = ", ".join(" ".join(text.split()) for text in legend_labels(axes))
            for curve in panel.curves:
                assert get_label(curve) in labels
