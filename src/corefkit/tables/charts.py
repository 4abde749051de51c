"""Charts as inline SVG, which use the colours of the page and scale with its width.

Horizontal positions are percentages, so that letters stay as large as they are if the
page is narrow. Series differ by shape as well as by colour. Each function returns the
arguments of a macro in `templates/charts.html`, or None if there is nothing to draw.
"""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Sequence
from itertools import count
from typing import Any, NamedTuple

from corefkit.tables.model import Bars, Drawing, Ranges, Scatter, Share

_SIDE = 360  # of a scatter plot, in pixels
_LEFT, _BOTTOM, _TOP, _RIGHT = 46, 40, 8, 12
_FRAME = {
    "width": _LEFT + _SIDE + _RIGHT,
    "height": _TOP + _SIDE + _BOTTOM,
    "left": _LEFT,
    "right": _LEFT + _SIDE,
    "top": _TOP,
    "bottom": _TOP + _SIDE,
}
_MAX_TAB_STOPS = 40  # points that the tab key visits
_MIN_RADIUS, _MAX_RADIUS = 4.5, 15.0
_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
_SPREAD = 7.0  # pixels between points at one position
_MAX_STEPS = 6  # between the numbers of an axis
_FIGURE_SCALE = 1.3 * 96 / 72  # pixels of a point; figures are made for paper


class Axis(NamedTuple):
    """The ends of an axis, and the step between its numbers."""

    low: int
    high: int
    step: int

    @property
    def ticks(self) -> range:
        return range(self.low, self.high + 1, self.step)

    def locate(self, value: float) -> float:
        """Return the position of a number, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)


def choose_axis(low: float, high: float) -> Axis:
    """Choose the ends of an axis and the step between its numbers.

    >>> tuple(choose_axis(47.2, 91.0)), tuple(choose_axis(61.2, 64.9))
    ((40, 100, 10), (61, 65, 1))
    >>> tuple(choose_axis(100, 100))  # the maximum of scores
    (99, 100, 1)
    >>> tuple(choose_axis(0, 731)), tuple(choose_axis(0, 29_103))
    ((0, 800, 200), (0, 30000, 5000))
    """
    width = max(high - low, 1.0)
    steps = (digit * 10**zeros for zeros in count() for digit in (1, 2, 5))
    step = next(step for step in steps if width / step <= _MAX_STEPS)
    first, last = math.floor(low / step) * step, math.ceil(high / step) * step
    if first == last:
        first, last = (first - step, last) if high == 100 else (first, first + step)
    return Axis(first, last, step)


def draw_ranges(part: Ranges) -> tuple[Any, ...] | None:
    """Compute the layout of numbers with their intervals, a row for each label."""
    ends = [
        end
        for _, ranges in part.rows
        for number in ranges
        for end in (number.value, number.low, number.high)
        if end is not None
    ]
    if not ends:
        return None
    axis = choose_axis(min(ends), max(ends))
    return part, axis, lambda value: f"{100 * axis.locate(value):.2f}%"


def draw_scatter(part: Scatter) -> tuple[Any, ...] | None:
    """Compute the layout of points, the largest first, so that none is hidden."""
    if not part.points:
        return None
    points = sorted(part.points, key=lambda point: -point.size)
    xs, ys = [point.x for point in points], [point.y for point in points]
    across, up = choose_axis(0, max(xs)), choose_axis(min(ys), max(ys))
    if part.is_square:
        across = up = choose_axis(min(xs + ys), max(xs + ys))
    positions = _spread_positions(
        [(_SIDE * across.locate(p.x), _SIDE * up.locate(p.y)) for p in points]
    )
    largest = points[0].size or 1.0
    dots = []
    for point, (x, y) in zip(points, positions, strict=True):
        share = math.sqrt(max(point.size, 0) / largest)  # the area shows the size
        radius = _MIN_RADIUS + (_MAX_RADIUS - _MIN_RADIUS) * share
        dots.append((point, _LEFT + x, _TOP + _SIDE - y, radius))
    ticks_across = [
        (round(_LEFT + _SIDE * across.locate(tick), 2), f"{tick:,}")
        for tick in across.ticks
    ]
    ticks_up = [
        (round(_TOP + _SIDE - _SIDE * up.locate(tick), 2), f"{tick:,}")
        for tick in up.ticks
    ]
    is_skipped = len(points) > _MAX_TAB_STOPS
    return part, _FRAME, ticks_across, ticks_up, dots, is_skipped


def _spread_positions(
    positions: Sequence[tuple[float, float]],
) -> list[tuple[float, float]]:
    """Move points apart that are at the same position, in a spiral."""
    counts: dict[tuple[int, int], int] = {}
    spread = []
    for x, y in positions:
        cell = round(x / _SPREAD), round(y / _SPREAD)
        number = counts.get(cell, 0)
        counts[cell] = number + 1
        radius, angle = _SPREAD * math.sqrt(number), number * _GOLDEN_ANGLE
        x, y = x + radius * math.cos(angle), y + radius * math.sin(angle)
        spread.append((min(max(x, 0.0), _SIDE), min(max(y, 0.0), _SIDE)))
    return spread


def embed_figure(part: Drawing) -> tuple[Any, ...] | None:
    """Encode the drawing of a figure, if there is one; all by the same factor."""
    if part.drawing is None:
        return None
    drawing = part.drawing.read_bytes()
    points = re.search(rb'width="([\d.]+)pt"', drawing)
    width = f"{_FIGURE_SCALE * float(points[1]):.0f}" if points else ""
    return part, width, base64.b64encode(drawing).decode("ascii")


def draw_bars(part: Bars) -> tuple[Any, ...]:
    """Draw bars and the legend of their colours; a table has the numbers.

    Bars with a title are a figure. Bars without a title repeat adjacent numbers, and
    are hidden from screen readers.
    """
    rows = [
        (name, _place_segments(shares, part.full_size)) for name, shares in part.bars
    ]
    labels = {share.kind: share.label for _, shares in part.bars for share in shares}
    return part, rows, labels.items()


def _place_segments(
    shares: Sequence[Share], full_size: float | None
) -> list[tuple[Share, float, float, str]]:
    """Return each segment with its start, width and number, in percent of the bar.

    A negative segment goes back: it is an outline, over which the next one begins.
    """
    total = full_size or sum(share.size for share in shares)
    segments = []
    start = 0.0
    for share in shares:
        if share.size:
            end = start + share.size
            first, size = 100 * min(start, end) / total, 100 * abs(share.size) / total
            is_real = isinstance(share.size, float)
            number = f"{share.size:.1f}" if is_real else f"{share.size:,}"
            segments.append((share, first, size, number))
            start = end
    return segments
