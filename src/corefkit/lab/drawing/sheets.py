"""Figures on paper, by matplotlib.

Everything stands where the plan puts it, so that nothing depends on a screen, on the
user's own style, or on what else was drawn.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from matplotlib import style
from matplotlib.figure import Figure as Sheet

from corefkit.formats.placing import replacing
from corefkit.lab.drawing.looks import looks_of
from corefkit.lab.drawing.places import (
    marked_ticks,
    scale_of,
    shown_ticks,
    spread,
    stretches_of,
)
from corefkit.lab.drawing.planning import (
    LABEL_LINE,
    LEADER,
    LEADING,
    PANEL_TITLE,
    SAMPLE,
    TEXT,
    TITLE,
    names_in,
    planned,
    text_width,
)
from corefkit.metrics import label_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from matplotlib.axes import Axes

    from corefkit.lab.drawing.looks import Look
    from corefkit.lab.drawing.places import Scale
    from corefkit.lab.drawing.planning import Plan
    from corefkit.lab.figures import Figure, Panel

_INCH = 72
_INK, _AXIS, _GRID = "#222222", "#666666", "#E0E0E0"

# Points between the first or last value and the edge of its panel.
_INSET = 5
_LINE, _FINE_LINE = 1.3, 0.6
_MARKER = 4.2
# So that all shapes look equally large.
_MARKER_SIZES = {"*": 1.45, "D": 0.85, "s": 0.9, "X": 1.1, "P": 1.1}
# The length of a stripe where curves run along each other.
_STRIPE = 5.0
# Points between markers of the same tick.
_BESIDE = 6.5

STYLE = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", "sans-serif"],
    "font.size": TEXT,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "lines.scale_dashes": False,
    "lines.dash_capstyle": "butt",
    # Texts stay texts: they can be found, copied and read out.
    "svg.fonttype": "none",
}


def draw(figure: Figure, folder: Path) -> list[Path]:
    """Draw a figure, and write it as SVG and as PNG."""
    vector, raster = (folder / f"{figure.name}.{ending}" for ending in ("svg", "png"))
    with style.context(["default", {**STYLE, "svg.hashsalt": figure.name}]):
        sheet = drawn(figure)
        about = {"Title": figure.title}
        # What matplotlib says of itself and of the time would change the bytes.
        with replacing(vector) as path:
            sheet.savefig(path, metadata={**about, "Creator": None, "Date": None})
        with replacing(raster) as path:
            sheet.savefig(path, dpi=200, metadata={**about, "Software": None})
    return [vector, raster]


class _Canvas(NamedTuple):
    """What all parts of a figure are drawn with.

    Attributes:
        figure: what is shown.
        plan: where.
        scale: the range of the vertical axis.
        looks: what the curves look like.
        page: axes over the whole sheet, in points.
    """

    figure: Figure
    plan: Plan
    scale: Scale
    looks: Mapping[str, Look]
    page: Axes

    @property
    def per_point(self) -> float:
        """How many % of the vertical axis go on a point."""
        used = self.plan.panel_height - 2 * _INSET
        return (self.scale.high - self.scale.low) / used

    def height_of(self, percent: float) -> float:
        """Say how far above the lower edge of its panel a value stands."""
        return _INSET + (percent - self.scale.low) / self.per_point


def drawn(figure: Figure) -> Sheet:
    """Draw a figure on a sheet of its own."""
    plan = planned(figure)
    sheet = Sheet(figsize=(plan.width / _INCH, plan.height / _INCH))
    values = [
        value
        for panel in figure.panels
        for curve in panel.curves.values()
        for value in curve
    ]
    page = _axes(sheet, plan, (0, 0, plan.width, plan.height))
    page.set_axis_off()
    page.set(xlim=(0, plan.width), ylim=(0, plan.height))
    canvas = _Canvas(figure, plan, scale_of(values), looks_of(names_in(figure)), page)
    _draw_texts(canvas)
    for panel, corner in zip(figure.panels, plan.panels, strict=True):
        axes = _axes(sheet, plan, (*corner, plan.panel_width, plan.panel_height))
        # Where labels stand between panels, the numbers are too far to the left.
        is_numbered = not plan.legend or corner[0] == plan.panels[0][0]
        _draw_scale(canvas, axes, is_numbered=is_numbered)
        _draw_ticks(canvas, axes)
        draw_curves = _draw_lines if figure.ordered else _draw_points
        draw_curves(canvas, axes, panel)
        if not plan.legend:
            _draw_labels(canvas, panel, corner)
    for name, (x, y) in plan.legend.items():
        _draw_sample(canvas, name, x, y)
    return sheet


def _axes(sheet: Sheet, plan: Plan, box: tuple[float, float, float, float]) -> Axes:
    x, y, width, height = box
    return sheet.add_axes(
        (x / plan.width, y / plan.height, width / plan.width, height / plan.height)
    )


def _draw_texts(canvas: _Canvas) -> None:
    """Write the title, the titles of panels, and what the axes say."""
    plan = canvas.plan
    text = partial(canvas.page.text, linespacing=LEADING)
    text(4, plan.height - 4, plan.title, size=TITLE, weight="bold", va="top")
    left = plan.panels[0][0]
    text(left, plan.x_label_top, plan.x_label, va="top")
    y_label = f"{canvas.figure.y_label} (%)"
    if canvas.scale.is_zoomed:
        y_label += f", axis from {canvas.scale.low}"
    for (x, y), title in zip(plan.panels, plan.panel_titles, strict=True):
        top = y + plan.panel_height + 4
        text(x, top, title, size=PANEL_TITLE, va="bottom")
        if x == left:
            middle = y + plan.panel_height / 2
            text(4, middle, y_label, rotation=90, ha="left", va="center")


def _draw_scale(canvas: _Canvas, axes: Axes, *, is_numbered: bool) -> None:
    """Draw the vertical axis: lines of a grid, and their numbers."""
    scale = canvas.scale
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, pad=3)
    axes.set_axisbelow(True)
    margin = _INSET * canvas.per_point
    axes.set_ylim(scale.low - margin, scale.high + margin)
    axes.set_yticks(scale.ticks, [str(tick) for tick in scale.ticks])
    axes.tick_params(labelleft=is_numbered)
    axes.grid(axis="y", color=_GRID, linewidth=_FINE_LINE)
    # A base line means 0; an axis without 0 has none.
    if not scale.is_zoomed:
        axes.axhline(0, color=_AXIS, linewidth=_FINE_LINE, zorder=1)


def _draw_ticks(canvas: _Canvas, axes: Axes) -> None:
    """Label the ticks: as many as there is room for, or all, if need be turned."""
    ticks, plan = canvas.figure.ticks, canvas.plan
    last = len(ticks) - 1
    if canvas.figure.ordered:
        room = plan.panel_width - 2 * _INSET
        margin = _INSET * max(last, 1) / room
        axes.set_xlim(-margin, last + margin)
        shown = shown_ticks([text_width(tick, TEXT) for tick in ticks], room=room)
        axes.set_xticks(shown, [ticks[tick] for tick in shown])
        return
    axes.set_xlim(-0.5, last + 0.5)
    axes.set_xticks(range(last + 1), ticks)
    for tick in range(last):
        axes.axvline(tick + 0.5, color=_GRID, linewidth=_FINE_LINE)
    if plan.is_turned:
        for text in axes.get_xticklabels():
            text.set(rotation=45, ha="right", rotation_mode="anchor")


def _draw_lines(canvas: _Canvas, axes: Axes, panel: Panel) -> None:
    """Draw curves; where several run along each other they share the line in stripes.

    Of markers on the same place, each tick shows another one.
    """
    percent = _percent(panel)
    tolerance = _LINE * canvas.per_point
    stretches = stretches_of(percent, tolerance=tolerance)
    marked = marked_ticks(percent, tolerance=tolerance)
    for name, values in percent.items():
        look = canvas.looks[name]
        for first, last, together in stretches[name]:
            ticks = range(first, last + 1)
            stroke = _stroke(look)
            if len(together) > 1:
                stroke["linestyle"] = _stripes(together.index(name), len(together))
            axes.plot(ticks, values[first : last + 1], **stroke)
        points = [values[tick] for tick in marked[name]]
        axes.plot(marked[name], points, "none", **_marker(look))


def _draw_points(canvas: _Canvas, axes: Axes, panel: Panel) -> None:
    """Draw points, those of a tick side by side, and faint lines to follow them."""
    pitch = canvas.plan.panel_width / len(canvas.figure.ticks)
    beside = min(_BESIDE, 0.75 * pitch / len(panel.curves)) / pitch
    for number, (name, values) in enumerate(_percent(panel).items()):
        look = canvas.looks[name]
        shift = beside * (number - (len(panel.curves) - 1) / 2)
        places = [tick + shift for tick in range(len(values))]
        axes.plot(places, values, color=look.colour, linewidth=_FINE_LINE, alpha=0.35)
        axes.plot(places, values, "none", **_marker(look))


def _draw_labels(canvas: _Canvas, panel: Panel, corner: tuple[float, float]) -> None:
    """Write the labels of a panel at the ends of its curves, in their order there."""
    x, bottom = corner[0] + canvas.plan.panel_width, corner[1]
    percent = _percent(panel)
    # From below; curves that end together stand in the order in which they come there,
    # and those that are one in that of the panel.
    names = sorted(
        reversed(percent),
        key=lambda name: [round(value, 6) for value in reversed(percent[name])],
    )
    heights = [canvas.height_of(percent[name][-1]) for name in names]
    places = spread(heights, gap=LABEL_LINE, top=canvas.plan.panel_height)
    for name, height, place in zip(names, heights, places, strict=True):
        colour = canvas.looks[name].colour
        leader = [bottom + height, bottom + place]
        canvas.page.plot(
            [x, x + LEADER - 2], leader, color=colour, linewidth=_FINE_LINE, alpha=0.7
        )
        _draw_sample(canvas, name, x + LEADER, bottom + place)


def _draw_sample(canvas: _Canvas, name: str, x: float, y: float) -> None:
    look = canvas.looks[name]
    canvas.page.plot([x, x + SAMPLE], [y, y], **_stroke(look))
    canvas.page.plot([x + SAMPLE / 2], [y], "none", **_marker(look))
    canvas.page.text(x + SAMPLE + 4, y, label_of(name), va="center_baseline")


def _percent(panel: Panel) -> dict[str, list[float]]:
    return {
        name: [100 * value for value in values] for name, values in panel.curves.items()
    }


def _stroke(look: Look) -> dict[str, Any]:
    return {
        "color": look.colour,
        "linewidth": _LINE,
        "linestyle": (0, look.dash) if look.dash else "solid",
    }


def _stripes(number: int, count: int) -> tuple[float, tuple[float, float]]:
    """Give one of several curves its stripes of the line that they share."""
    offset = _STRIPE * ((count - number) % count)
    return offset, (_STRIPE, _STRIPE * (count - 1))


def _marker(look: Look) -> dict[str, Any]:
    is_empty = look.fill == "none"
    return {
        "marker": look.marker,
        "markersize": _MARKER * _MARKER_SIZES.get(look.marker, 1),
        # An empty marker is white, for the line not to run through it.
        "fillstyle": "full" if is_empty else look.fill,
        "markerfacecolor": "white" if is_empty else look.colour,
        "markerfacecoloralt": "white",
        "markeredgecolor": look.colour,
        "markeredgewidth": 0.8,
        "zorder": 3,
    }
