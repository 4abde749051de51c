"""Figures drawn by matplotlib: its layout, its ticks, its legends.

Nothing depends on a screen or on the user's own matplotlib style.
"""

from __future__ import annotations

from itertools import chain, cycle, pairwise, product
from math import ceil, sqrt
from textwrap import fill
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from matplotlib import style
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as Sheet
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from corefkit.formats.output import replace_file
from corefkit.metrics.registry import get_label, iter_metrics

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from corefkit.arrays.columns import Floats
    from corefkit.lab.figures import Figure


STYLE = "corefkit.lab.paper"

# In inches: a figure is as wide as a column of a paper, or as its page.
_COLUMN, _PAGE = 246 / 72, 500 / 72
_PANEL_HEIGHT, _LINE_HEIGHT = 2.4, 0.14
# A column has room for this many curves, and a row for this many panels.
_COLUMN_CURVES, _ROW_PANELS = 9, 2
# How many letters have room in an inch of a title, and in a label of a curve.
_LETTERS_PER_INCH, _LABEL_LETTERS = 13, 24

# If all values are this high (in %), the vertical axis need not start at 0; if all are
# that low, it need not go up to 100.
_HIGH, _LOW = 60, 50
# Curves that are closer everywhere than this share of the axis, less than the width of
# a line, are drawn once.
_CLOSE = 0.005

_AXIS, _FINE_LINE, _HAIRLINE = "#666666", 0.6, 0.25


def draw_figure(figure: Figure, folder: Path) -> list[Path]:
    """Draw a figure, and write it as SVG and as PNG."""
    vector, raster = (folder / f"{figure.name}.{ending}" for ending in ("svg", "png"))
    # Matplotlib's version and the date would change the bytes.
    about = {"Title": figure.title, "Creator": None, "Date": None}
    with style.context(["default", STYLE, {"svg.hashsalt": figure.name}]):
        sheet = make_sheet(figure)
        svg: Any = FigureCanvasSVG(sheet)
        with replace_file(vector) as path:
            svg.print_svg(path, metadata=about)
        sheet.set_dpi(200)
        png: Any = FigureCanvasAgg(sheet)
        with replace_file(raster) as path:
            png.print_png(path, metadata={"Title": figure.title, "Software": None})
    return [vector, raster]


def make_sheet(figure: Figure) -> Sheet:
    """Draw a figure on a new sheet, with a legend next to each panel."""
    sheet, grid = _create_sheet(figure)
    scale = _choose_scale(figure)
    looks = choose_looks(name for panel in figure.panels for name in panel.curves)
    for panel, axes in zip(figure.panels, sheet.axes, strict=True):
        axes.set_title(fill(panel.title, int(_COLUMN * _LETTERS_PER_INCH)))
        _draw_scale(axes, scale)
        _draw_ticks(axes, figure)
        curves = {name: 100 * np.array(values) for name, values in panel.curves.items()}
        if figure.ordered:
            groups = _group_curves(curves, _CLOSE * (scale[-1] - scale[0]))
            for name, *_ in groups:
                axes.plot(curves[name], **looks[name])
        else:
            groups = [[name] for name in curves]
            _draw_points(axes, curves, looks)
        _draw_legend(axes, curves, groups, looks)
    for axes in grid[:, 0]:
        zoomed = f", axis from {scale[0]:g}" if scale[0] > 0 else ""
        axes.set_ylabel(f"{figure.y_label} (%){zoomed}")
    x_label = fill(figure.x_label, int(sheet.get_figwidth() * _LETTERS_PER_INCH))
    grid[-1, 0].set_xlabel(x_label, loc="left")
    _lay_out(sheet)
    return sheet


def _create_sheet(figure: Figure) -> tuple[Sheet, Any]:
    """Choose the size of a sheet, write its title, and lay out a grid of axes."""
    most_curves = max(len(panel.curves) for panel in figure.panels)
    is_one = len(figure.panels) == 1 and figure.ordered
    width = _COLUMN if is_one and most_curves <= _COLUMN_CURVES else _PAGE
    columns = min(len(figure.panels), _ROW_PANELS)
    rows = ceil(len(figure.panels) / columns)
    title = fill(figure.title, int(width * _LETTERS_PER_INCH))
    height = rows * max(_PANEL_HEIGHT, (most_curves + 5) * _LINE_HEIGHT)
    sheet = Sheet(figsize=(width, height + title.count("\n") * _LINE_HEIGHT))
    sheet.suptitle(title, x=0.01, ha="left")
    grid = sheet.subplots(rows, columns, sharey=True, squeeze=False)
    for axes in grid.flat[len(figure.panels) :]:
        axes.remove()
    return sheet, grid


def _choose_scale(figure: Figure) -> Sequence[float]:
    """Choose the ticks of the vertical axis: 0 to 100, or the range of the values."""
    curves = [curve for panel in figure.panels for curve in panel.curves.values()]
    # Rounded, because 0 and 1 may differ in the last digit.
    low_value, high_value = np.round((100 * np.min(curves), 100 * np.max(curves)), 6)
    low = min(low_value, 95) if low_value >= _HIGH else min(low_value, 0)
    high = max(high_value, 5) if low_value >= 0 and high_value <= _LOW else 100
    return MaxNLocator(5, steps=[1, 2, 5, 10]).tick_values(low, high)


def _draw_scale(axes: Axes, scale: Sequence[float]) -> None:
    margin = 0.04 * (scale[-1] - scale[0])
    axes.set_ylim(scale[0] - margin, scale[-1] + margin)
    axes.set_yticks(scale, [f"{tick:g}" for tick in scale])
    axes.tick_params(labelleft=True)
    axes.grid(axis="y")
    # A base line means 0; an axis without 0 has none.
    if scale[0] <= 0:
        axes.axhline(0, color=_AXIS, linewidth=_FINE_LINE, zorder=1)


def _draw_ticks(axes: Axes, figure: Figure) -> None:
    """Label as many steps as fit, or all cases."""
    ticks = dict(enumerate(figure.ticks))
    if figure.ordered:
        steps = MaxNLocator("auto", steps=[1, 2, 5, 10], integer=True)
        axes.xaxis.set_major_locator(steps)
        axes.xaxis.set_major_formatter(lambda tick, _: ticks.get(int(tick), ""))
    else:
        axes.set_xlim(-0.5, len(ticks) - 0.5)
        axes.set_xticks([*ticks], [*ticks.values()])
        axes.set_xticks(np.arange(1, len(ticks)) - 0.5, minor=True)
        axes.grid(axis="x", which="minor")


def _group_curves(curves: Mapping[str, Floats], close: float) -> list[list[str]]:
    """Group curves that coincide; each group is drawn as its first curve.

    >>> rows = {"one": [1, 0], "two": [1, 0.5], "three": [1, 0]}
    >>> _group_curves({name: np.array(row) for name, row in rows.items()}, close=0.01)
    [['one', 'three'], ['two']]
    """
    groups: list[list[str]] = []
    for name, values in curves.items():
        for group in groups:
            if np.max(np.abs(curves[group[0]] - values)) <= close:
                group.append(name)
                break
        else:
            groups.append([name])
    return groups


def _draw_points(
    axes: Axes, curves: Mapping[str, Floats], looks: Mapping[str, Look]
) -> None:
    """Draw points, those of a case side by side, connected by hairlines."""
    for number, (name, values) in enumerate(curves.items()):
        places = np.arange(len(values)) + 0.7 * ((number + 0.5) / len(curves) - 0.5)
        axes.plot(places, values, **looks[name], linewidth=_HAIRLINE)


def _draw_legend(
    axes: Axes,
    curves: Mapping[str, Floats],
    groups: Sequence[Sequence[str]],
    looks: Mapping[str, Look],
) -> None:
    """Label the curves on the right, the highest end first; a group has one label.

    Curves that end at the same value are sorted by the values before.
    """
    ordered = sorted(
        groups, key=lambda group: curves[group[0]][::-1].round(6).tolist(), reverse=True
    )
    samples = [Line2D([], [], **looks[group[0]]) for group in ordered]
    labels = [
        fill(", ".join(map(get_label, group)), _LABEL_LETTERS) for group in ordered
    ]
    axes.legend(samples, labels, bbox_to_anchor=(1, 0.5))


def _lay_out(sheet: Sheet) -> None:
    """Lay out a sheet; rotate overlapping tick labels and make room for them."""
    sheet.draw_without_rendering()
    ticks = [axes.get_xticklabels() for axes in sheet.axes]
    boxes = [
        [label.get_window_extent() for label in labels if label.get_text()]
        for labels in ticks
    ]
    if any(left.overlaps(right) for row in boxes for left, right in pairwise(row)):
        for label in chain.from_iterable(ticks):
            label.set(rotation=45, ha="right", rotation_mode="anchor")
        longest = max(box.width for row in boxes for box in row) / sheet.dpi
        rows = ceil(len(sheet.axes) / _ROW_PANELS)
        sheet.set_figheight(sheet.get_figheight() + rows * longest / sqrt(2))
        sheet.draw_without_rendering()
    # Each drawing would lay it out again.
    sheet.set_layout_engine("none")


# A look is a set of keywords for lines of matplotlib.
Look: TypeAlias = dict[str, Any]

# Colour and marker, by the family of a metric.
_FAMILIES: Mapping[str, tuple[str, str]] = {
    "mentions": ("#777777", "X"),
    "muc": ("#1A1A1A", "^"),
    "b_cubed": ("#1E88E5", "o"),
    "ceaf_m": ("#B98600", "s"),
    "ceaf_e": ("#004D40", "D"),
    "ceaf_phi": ("#661100", "p"),
    "blanc": ("#AA4499", "v"),
    "lea": ("#C0280C", "*"),
    "conll": ("#332288", "P"),
}

# The filled part of the marker, and the dashes, by the rest of its name.
_MEMBERS: Mapping[str, tuple[str, tuple[float, ...]]] = {
    "": ("full", ()),
    "0": ("bottom", (1, 1.5)),
    "weighted": ("bottom", (1, 1.5)),
    "all": ("top", (7, 1.5)),
    "rn": ("left", (4, 1.5, 1, 1.5)),
    "sys": ("none", (3.5, 2)),
    "links": ("right", (4, 1.5, 1, 1.5, 1, 1.5)),
    "graded": ("top", (7, 1.5)),
    "1": ("full", ()),
    "2": ("none", (3.5, 2)),
}

# All shapes should look equally large.
_MARKER_SIZES = {"*": 6, "D": 3.6, "s": 3.8, "X": 4.6, "P": 4.6}
# Markers that no family uses.
_SPARE_MARKERS = ("h", "<", ">", "d", "8")


def choose_looks(names: Iterable[str]) -> dict[str, Look]:
    """Choose the look of each curve; curves that are not metrics get spare looks.

    >>> looks = choose_looks(["lea", "my own"])
    >>> looks["lea"]["color"], looks["lea"]["marker"], looks["my own"]["marker"]
    ('#C0280C', '*', 'h')
    """
    colours = [colour for colour, _ in _FAMILIES.values()][::-1]
    members = dict.fromkeys(_MEMBERS.values())
    spare = [
        _make_look(colours[number % len(colours)], marker, *member)
        for number, (member, marker) in enumerate(product(members, _SPARE_MARKERS))
    ]
    # From the end: the plainest spare looks are for curves that are not metrics.
    families = {metric.name: metric.family or metric.name for metric in iter_metrics()}
    metrics = {
        name: _find_family_look(name, family) or spare.pop()
        for name, family in (families | {"conll": "conll"}).items()
    }
    spare_looks = cycle(spare)
    return {
        name: metrics.get(name) or next(spare_looks) for name in dict.fromkeys(names)
    }


def _find_family_look(name: str, family: str) -> Look | None:
    member = _MEMBERS.get(name.removeprefix(family).strip("_"))
    if member is None or family not in _FAMILIES:
        return None
    return _make_look(*_FAMILIES[family], *member)


def _make_look(colour: str, marker: str, fill: str, dash: tuple[float, ...]) -> Look:
    # An empty marker is white, so that the line does not run through it.
    is_empty = fill == "none"
    return {
        "color": colour,
        "linestyle": (0, dash) if dash else "solid",
        "marker": marker,
        "markersize": _MARKER_SIZES.get(marker, 4.2),
        "fillstyle": "full" if is_empty else fill,
        "markerfacecolor": "white" if is_empty else colour,
        "markerfacecoloralt": "white",
    }
