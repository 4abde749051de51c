"""Figures as values, and their files."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import pytest

import corefkit
from corefkit.exceptions import SettingsError
from corefkit.lab.figures import Figure, Panel, can_draw, write_figure
from corefkit.metrics.registry import METRICS, VARIANTS

SOURCE = Path(corefkit.__file__).parents[1]
TICKS = ["0", "10", "20", "30"]
CURVES = {"lea": [1, 0.8, 0.6, 0.4], "b_cubed_rn": [1, 0.9, 0.8, 0.7]}
FIGURE = Figure("two", "Two of <them> & more", "step", TICKS, [Panel("", CURVES)])


def texts(file):
    """List the texts of an SVG, each as a reader sees it."""
    root = ElementTree.parse(file).getroot()
    return [
        "".join(node.itertext()) for node in root.iter() if node.tag.endswith("text")
    ]


def test_figure_is_written_as_svg_and_png(tmp_path):
    paths = write_figure(FIGURE, tmp_path / "new" / "folder")
    assert paths == [
        tmp_path / "new" / "folder" / f"two.{end}" for end in ("svg", "png")
    ]
    assert paths[0].read_text("utf-8").startswith("<?xml")
    assert paths[1].read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("panels", "ordered"), [(1, True), (2, False), (3, True)])
@pytest.mark.slow
def test_svg_has_every_label_as_text(tmp_path, panels, ordered):
    metrics = {**METRICS, **VARIANTS}
    curves = {name: (1, 0.8, 0.6, number / 50) for number, name in enumerate(metrics)}
    titles = [f"panel {number}" for number in range(panels)]
    figure = replace(
        FIGURE,
        panels=[Panel(title, curves) for title in titles],
        ordered=ordered,
        y_label="F1",
    )
    found = texts(write_figure(figure, tmp_path)[0])
    for metric in metrics.values():
        assert found.count(metric.label) == panels
    assert {figure.title, "step", "F1 (%)", *titles} <= set(found)
    for tick in TICKS:
        assert found.count(tick) >= panels


def test_svg_has_a_title_for_screen_readers(tmp_path):
    root = ElementTree.parse(write_figure(FIGURE, tmp_path)[0]).getroot()
    assert root[0].tag.endswith("title")
    assert root[0].text == FIGURE.title


def test_same_figure_gives_the_same_bytes(tmp_path):
    for one, other in zip(
        write_figure(FIGURE, tmp_path / "one"),
        write_figure(FIGURE, tmp_path / "other"),
        strict=True,
    ):
        assert one.read_bytes() == other.read_bytes()


@pytest.mark.slow
def test_own_style_is_neither_used_nor_changed(tmp_path):
    plain = [path.read_bytes() for path in write_figure(FIGURE, tmp_path / "plain")]
    own = {"font.size": 30, "savefig.dpi": 20, "axes.grid": True, "svg.hashsalt": "me"}
    with mpl.rc_context(own):
        before = dict(mpl.rcParams)
        styled = [path.read_bytes() for path in write_figure(FIGURE, tmp_path / "own")]
        assert dict(mpl.rcParams) == before
    assert styled == plain


@pytest.mark.slow
def test_drawing_leaves_pyplot_alone(tmp_path):
    run(
        "import sys; from corefkit.lab.figures import Figure, Panel, write_figure;"
        "panel = Panel('', {'lea': [1]});"
        "write_figure(Figure('a', 'b', 'c', ['1'], [panel]), sys.argv[1]);"
        "assert 'matplotlib' in sys.modules;"
        "assert 'matplotlib.pyplot' not in sys.modules",
        str(tmp_path),
    )


def test_matplotlib_is_imported_for_drawing_only():
    run(
        "import sys, corefkit.lab.figures, corefkit.cli.lab;"
        "assert 'matplotlib' not in sys.modules"
    )


def run(code, *arguments):
    """Run some code in a Python of its own."""
    subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={"PYTHONPATH": str(SOURCE)},
        check=True,
    )


def test_without_matplotlib_the_message_says_how_to_get_it(tmp_path, monkeypatch):
    assert can_draw()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert not can_draw()
    with pytest.raises(SettingsError) as caught:
        write_figure(FIGURE, tmp_path / "folder")
    assert str(caught.value) == (
        "figures are drawn by matplotlib, which is not installed\n\n"
        'hint: install it with pip install "corefkit[plots]"'
    )
    assert not (tmp_path / "folder").exists()


@pytest.mark.parametrize(
    ("curves", "message"),
    [
        ({"lea": [1, 1]}, "curve 'lea' of figure 'two': 2 values for 4 ticks"),
        (
            {"lea": [1, 1, 1, 97.5]},
            "curve 'lea' of figure 'two': 97.5 is not a score between 0 and 1",
        ),
        (
            {"lea": [1, 1, 1, float("nan")]},
            "curve 'lea' of figure 'two': nan is not a score between 0 and 1",
        ),
        ({}, "figure 'two' has nothing to draw"),
    ],
    ids=["length", "percentage", "nan", "empty"],
)
def test_curves_that_cannot_be_drawn_are_refused(tmp_path, curves, message):
    with pytest.raises(SettingsError) as caught:
        write_figure(replace(FIGURE, panels=[Panel("", curves)]), tmp_path)
    assert str(caught.value).splitlines()[0] == message


@pytest.mark.parametrize("figure", [{"ticks": []}, {"panels": []}], ids=str)
def test_figures_without_content_are_refused(tmp_path, figure):
    with pytest.raises(SettingsError, match="nothing to draw"):
        write_figure(replace(FIGURE, **figure), tmp_path)
