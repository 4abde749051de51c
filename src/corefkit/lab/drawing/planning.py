"""The plan of a figure: how large it is and where its parts stand, in points.

Texts are measured in the font that they are drawn in, so that all of them fit.
"""

from __future__ import annotations

from math import ceil, sqrt
from typing import TYPE_CHECKING, NamedTuple

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from corefkit.metrics import label_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.lab.figures import Figure

# Sizes of type, and the distance of two lines of type.
TITLE, PANEL_TITLE, TEXT = 9, 8, 7
LEADING = 1.3
LABEL_LINE = 9.5

# The sample of a curve before its label, and the line that leads there from its end.
SAMPLE, LEADER = 24, 12

# The widths of a column and of a page of a paper; how much of them the numbers of the
# vertical axis take.
_COLUMN, _PAGE = 246, 500
_NUMBERS, _MARGIN = 34, 4
# Up to this many curves are drawn in a column, and this many panels in a row.
_COLUMN_CURVES, _ROW_PANELS = 9, 3
_LEAST_PANEL = 110


class Plan(NamedTuple):
    """Where the parts of a figure stand, counted from its left and lower edge.

    Attributes:
        width: of the figure.
        height: of the figure.
        title: its title, cut into lines.
        panels: left and lower edge of each panel.
        panel_width: of each panel.
        panel_height: of each panel.
        panel_titles: their titles, cut into lines.
        x_label: what the horizontal axis says, cut into lines.
        x_label_top: upper edge of that.
        is_turned: whether the labels of the ticks are turned.
        legend: left edge and middle of each curve's sample in a legend below; empty
            where the curves are labelled at their ends.
    """

    width: float
    height: float
    title: str
    panels: list[tuple[float, float]]
    panel_width: float
    panel_height: float
    panel_titles: list[str]
    x_label: str
    x_label_top: float
    is_turned: bool
    legend: dict[str, tuple[float, float]]


def planned(figure: Figure) -> Plan:
    """Plan a figure, from below: legend, horizontal axis, panels, title."""
    names = names_in(figure)
    across = _across(figure, names)
    legend = {} if across.labels else _legend(names, across.width)
    label = _wrapped(figure.x_label, TEXT, across.width - _NUMBERS)
    label_top = _MARGIN + _height(label)
    if legend:
        label_top += max(y for _, y in legend.values()) + LABEL_LINE
    pitch = across.panel / len(figure.ticks)
    is_turned = not figure.ordered and pitch < _widest(figure.ticks) + 4
    # A text turned by 45 degrees is the diagonal of a square.
    below = 8 + TEXT + (_widest(figure.ticks) / sqrt(2) if is_turned else 0)
    titles = [
        _wrapped(panel.title, PANEL_TITLE, across.panel + across.labels)
        for panel in figure.panels
    ]
    panel_height = _panel_height(figure, has_labels=bool(across.labels))
    row = below + panel_height + max(_height(text, PANEL_TITLE) for text in titles) + 9
    rows = ceil(len(figure.panels) / across.columns)
    title = _wrapped(figure.title, TITLE, across.width - 2 * _MARGIN, bold=True)
    return Plan(
        width=across.width,
        height=label_top + rows * row + _height(title, TITLE) + _MARGIN,
        title=title,
        panels=[
            (
                across.left(number % across.columns),
                label_top + (rows - 1 - number // across.columns) * row + below,
            )
            for number in range(len(figure.panels))
        ],
        panel_width=across.panel,
        panel_height=panel_height,
        panel_titles=titles,
        x_label=label,
        x_label_top=label_top,
        is_turned=is_turned,
        legend=legend,
    )


def names_in(figure: Figure) -> list[str]:
    """List the curves of all panels, each once."""
    return list(dict.fromkeys(name for panel in figure.panels for name in panel.curves))


class _Across(NamedTuple):
    """How the width of a figure is used: panels, each with labels at its right."""

    columns: int
    panel: float
    labels: float
    gap: float

    @property
    def width(self) -> float:
        return self.left(self.columns) - self.gap + _MARGIN

    def left(self, column: int) -> float:
        return _NUMBERS + column * (self.panel + self.labels + self.gap)


def _across(figure: Figure, names: Sequence[str]) -> _Across:
    """Use the width of a column if that is enough, else of a page.

    Up to two panels have room for labels at the ends of their curves.
    """
    count = len(figure.panels)
    columns = min(count, _ROW_PANELS)
    labels, gap = 0.0, 12
    if count <= 2:
        labels, gap = LEADER + SAMPLE + 4 + _widest(map(label_of, names)), 24
    free = (_COLUMN if _fits_column(figure) else _PAGE) - _NUMBERS - _MARGIN
    panel = (free - gap * (columns - 1)) / columns - labels
    return _Across(columns, max(panel, _LEAST_PANEL), labels, gap)


def _panel_height(figure: Figure, *, has_labels: bool) -> float:
    """Make panels of a handy shape, and high enough for their labels."""
    curves = max(len(panel.curves) for panel in figure.panels)
    usual = 120.0 if _fits_column(figure) else 150.0
    return max(usual, curves * LABEL_LINE) if has_labels else usual


def _fits_column(figure: Figure) -> bool:
    is_one = len(figure.panels) == 1 and figure.ordered
    return is_one and len(figure.panels[0].curves) <= _COLUMN_CURVES


def _legend(names: Sequence[str], width: float) -> dict[str, tuple[float, float]]:
    """Place the samples in columns, each read from above."""
    pitch = SAMPLE + 14 + _widest(map(label_of, names))
    rows = ceil(len(names) / max((width - _NUMBERS) // pitch, 1))
    return {
        name: (
            _NUMBERS + number // rows * pitch,
            _MARGIN + (rows - 1 - number % rows + 0.5) * LABEL_LINE,
        )
        for number, name in enumerate(names)
    }


def _wrapped(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """Cut a text into lines that are not wider than that, where words allow it."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold=bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return "\n".join(lines)


def _height(text: str, size: float = TEXT) -> float:
    return len(text.splitlines()) * size * LEADING


def _widest(texts: Iterable[str]) -> float:
    return max(text_width(text, TEXT) for text in texts)


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Measure a text in the font that matplotlib brings along.

    >>> 20 < text_width("CEAFe", 7) < 30
    True
    """
    weight = "bold" if bold else "normal"
    font = FontProperties(family="DejaVu Sans", weight=weight, size=size)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, False)
    return float(width)
