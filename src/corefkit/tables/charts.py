"""Charts as inline SVG, which use the colours of the page and scale with its width.

Horizontal positions are percentages, so that letters stay as large as they are if the
page is narrow. Series differ by shape as well as by colour.
"""

from __future__ import annotations

import base64
import math
import re
from itertools import count
from typing import TYPE_CHECKING

from corefkit.strings import escape_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.tables.model import (
        Bars,
        Figure,
        Point,
        Range,
        Ranges,
        Scatter,
        Share,
    )

_ROW = 15  # pixels per number
_PAD = 7  # above and below the numbers of a row
_SHAPES = ("circle", "square", "triangle")
_SIDE = 360  # of a scatter plot, in pixels
_LEFT, _BOTTOM, _TOP, _RIGHT = 46, 40, 8, 12
_MAX_TAB_STOPS = 40  # points that the tab key visits
_MIN_RADIUS, _MAX_RADIUS = 4.5, 15.0  # radius
_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))  # the golden angle
_SPREAD = 7.0  # pixels between points at one position
_MAX_STEPS = 6  # between the numbers of an axis


def draw_ranges(part: Ranges) -> str:
    """Draw numbers with their intervals, a row for each label."""
    ends = [
        end
        for _, ranges in part.rows
        for number in ranges
        for end in (number.value, number.low, number.high)
        if end is not None
    ]
    if not ends:
        return ""
    low, high, step = _choose_scale(min(ends), max(ends))
    ticks = [*range(low, high + 1, step)]
    rows = "\n".join(
        f'<p class="bar"><span>{escape_html(label)}</span>'
        f"{_draw_row(ranges, low, high, ticks)}</p>"
        for label, ranges in part.rows
    )
    numbers = "".join(
        f'<text x="{_format_position(tick, low, high)}" y="12">{tick}</text>'
        for tick in ticks
    )
    title = escape_html(part.title)
    return (
        f'<figure class="chart ranges"><figcaption>{title}</figcaption>\n'
        f'<div role="img" aria-label="{title}">\n'
        f"{_draw_series_key(part.series)}{rows}\n"
        f'<p class="bar axis"><span></span><svg height="18">{numbers}</svg></p>\n'
        "</div></figure>"
    )


def _choose_scale(low: float, high: float) -> tuple[int, int, int]:
    """Choose the ends of an axis and the step between its numbers.

    >>> _choose_scale(47.2, 91.0), _choose_scale(61.2, 64.9)
    ((40, 100, 10), (61, 65, 1))
    >>> _choose_scale(100, 100)  # the maximum of scores
    (99, 100, 1)
    >>> _choose_scale(0, 731), _choose_scale(0, 29_103)
    ((0, 800, 200), (0, 30000, 5000))
    """
    width = max(high - low, 1.0)
    steps = (digit * 10**zeros for zeros in count() for digit in (1, 2, 5))
    step = next(step for step in steps if width / step <= _MAX_STEPS)
    first, last = math.floor(low / step) * step, math.ceil(high / step) * step
    if first == last:
        first, last = (first - step, last) if high == 100 else (first, first + step)
    return first, last, step


def _format_position(value: float, low: float, high: float) -> str:
    return f"{100 * (value - low) / (high - low):.2f}%"


def _draw_row(
    ranges: Sequence[Range], low: float, high: float, ticks: Sequence[int]
) -> str:
    height = _ROW * len(ranges) + 2 * _PAD
    lines = "".join(
        f'<line class="tick" x1="{at}" x2="{at}" y1="0" y2="100%"/>'
        for at in (_format_position(tick, low, high) for tick in ticks)
    )
    marks = "".join(
        _draw_range(value, low, high, _PAD + _ROW * (number + 0.5))
        for number, value in enumerate(ranges)
    )
    return f'<svg height="{height}">{lines}{marks}</svg>'


def _draw_range(value: Range, low: float, high: float, y: float) -> str:
    kind = f"series{value.series % len(_SHAPES)}"
    whisker = ""
    if value.low is not None and value.high is not None:
        left, right = (
            _format_position(end, low, high) for end in (value.low, value.high)
        )
        whisker = f'<line class="{kind}" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>'
    shape = _draw_shape(value.series)
    return (
        f'{whisker}<svg x="{_format_position(value.value, low, high)}" y="{y}" '
        f'class="{kind}">{shape}</svg>'
    )


def _draw_shape(series: int) -> str:
    """Draw the marker of a series around the origin."""
    match _SHAPES[series % len(_SHAPES)]:
        case "square":
            return '<rect x="-4.5" y="-4.5" width="9" height="9"/>'
        case "triangle":
            return '<path d="M0-5.5 5.5 4.5-5.5 4.5Z"/>'
        case _:
            return '<circle r="5"/>'


def _draw_series_key(names: Sequence[str]) -> str:
    if len(names) < 2:
        return ""
    signs = [
        f'<span><svg class="sign series{number % len(_SHAPES)}" viewBox="-6 -6 12 12">'
        f"{_draw_shape(number)}</svg>{escape_html(name)}</span>"
        for number, name in enumerate(names)
    ]
    return f'<p class="colours">{" ".join(signs)}</p>\n'


def draw_scatter(part: Scatter) -> str:
    """Draw points with links, the largest first, so that none is hidden."""
    if not part.points:
        return ""
    across, up = _choose_axes(part)
    largest = max(point.size for point in part.points) or 1.0
    stops = "" if len(part.points) <= _MAX_TAB_STOPS else ' tabindex="-1"'
    points = sorted(part.points, key=lambda point: -point.size)
    positions = _spread_positions(
        [(_locate(point.x, across), _locate(point.y, up)) for point in points]
    )
    dots = "\n".join(
        _draw_point(point, *position, largest, stops)
        for point, position in zip(points, positions, strict=True)
    )
    about = escape_html(". ".join(filter(None, [part.title, part.about])))
    width, height = _LEFT + _SIDE + _RIGHT, _TOP + _SIDE + _BOTTOM
    diagonal = (
        f'<line class="diagonal" x1="{_LEFT}" y1="{_TOP + _SIDE}" '
        f'x2="{_LEFT + _SIDE}" y2="{_TOP}"/>'
        if part.is_square
        else ""
    )
    return (
        '<figure class="chart scatter">'
        f"<figcaption>{escape_html(part.title)}</figcaption>"
        f'\n<svg viewBox="0 0 {width} {height}" width="{width}" role="group" '
        f'aria-label="{about}">\n{"".join(_draw_frame(part, across, up))}{diagonal}\n'
        f"{dots}\n</svg></figure>"
    )


def _spread_positions(
    positions: Sequence[tuple[float, float]],
) -> list[tuple[float, float]]:
    """Move points apart that are at the same position, in a spiral.

    >>> [
    ...     round(x)
    ...     for x, _ in _spread_positions([(20.0, 5.0), (90.0, 9.0), (20.0, 5.0)])
    ... ]
    [20, 90, 15]
    """
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


def _choose_axes(part: Scatter) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Choose the ends and steps of both axes, which are equal in a square plot."""
    xs = [point.x for point in part.points]
    ys = [point.y for point in part.points]
    if part.is_square:
        axis = _choose_scale(min(xs + ys), max(xs + ys))
        return axis, axis
    return _choose_scale(0, max(xs)), _choose_scale(min(ys), max(ys))


def _locate(value: float, axis: tuple[int, int, int]) -> float:
    return _SIDE * (value - axis[0]) / (axis[1] - axis[0])


def _draw_frame(
    part: Scatter, across: tuple[int, int, int], up: tuple[int, int, int]
) -> Iterator[str]:
    """Draw the grid lines, the numbers and the labels of the axes."""
    bottom = _TOP + _SIDE
    for tick in range(across[0], across[1] + 1, across[2]):
        x = round(_LEFT + _locate(tick, across), 2)
        yield f'<line class="tick" x1="{x}" x2="{x}" y1="{_TOP}" y2="{bottom}"/>'
        yield f'<text x="{x}" y="{bottom + 16}">{tick:,}</text>'
    for tick in range(up[0], up[1] + 1, up[2]):
        y = round(bottom - _locate(tick, up), 2)
        right = _LEFT + _SIDE
        yield f'<line class="tick" x1="{_LEFT}" x2="{right}" y1="{y}" y2="{y}"/>'
        yield f'<text class="end" x="{_LEFT - 6}" y="{y + 4}">{tick:,}</text>'
    middle = _LEFT + _SIDE / 2
    place = f'x="{middle}" y="{bottom + 34}"'
    yield f'<text class="axis" {place}>{escape_html(part.across)}</text>'
    turned = f"translate(12 {_TOP + _SIDE / 2}) rotate(-90)"
    yield f'<text class="axis" transform="{turned}">{escape_html(part.up)}</text>'


def _draw_point(point: Point, x: float, y: float, largest: float, stops: str) -> str:
    """Draw a point, whose area shows its size."""
    share = math.sqrt(max(point.size, 0) / largest)
    radius = _MIN_RADIUS + (_MAX_RADIUS - _MIN_RADIUS) * share
    label = escape_html(point.label)
    return (
        f'<a href="{escape_html(point.address)}" aria-label="{label}"{stops}>'
        f'<circle cx="{_LEFT + x:.1f}" cy="{_TOP + _SIDE - y:.1f}" r="{radius:.1f}">'
        f"<title>{label}</title></circle></a>"
    )


_ENLARGED = 1.3  # the scale of figures, which are made for paper
_PIXELS = 96 / 72  # of a point
_MIN_WITH_TEXT = 5  # percent of a bar


def embed_figure(part: Figure) -> str:
    """Embed the drawing of a figure, if there is one."""
    if part.drawing is None:
        return ""
    drawing = part.drawing.read_bytes()
    data = base64.b64encode(drawing).decode("ascii")
    about = escape_html(". ".join(filter(None, [part.title, part.about])))
    return (
        f'<figure><img alt="{about}"{_format_width(drawing)} '
        f'src="data:image/svg+xml;base64,{data}"></figure>'
    )


def _format_width(drawing: bytes) -> str:
    """Return the width attribute of an SVG, enlarged by the same factor for all."""
    points = re.search(rb'width="([\d.]+)pt"', drawing)
    if points is None:
        return ""
    return f' width="{_ENLARGED * _PIXELS * float(points[1]):.0f}"'


def draw_bars(part: Bars) -> str:
    """Draw bars and the legend of their colours; a table has the numbers.

    Bars with a title are a figure. Bars without a title repeat adjacent numbers, and
    are hidden from screen readers.
    """
    lines = [
        f'<p class="bar"><span>{escape_html(name)}</span>'
        f"<svg>{''.join(_draw_segments(shares, part.full_size))}</svg></p>"
        for name, shares in part.bars
    ]
    labels = {share.kind: share.label for _, shares in part.bars for share in shares}
    lines.append(_draw_colour_key(labels))
    inner = "\n".join(lines)
    if not part.title:
        return f'<div class="bars" aria-hidden="true">\n{inner}\n</div>'
    title = escape_html(part.title)
    return (
        f'<figure class="chart bars"><figcaption>{title}</figcaption>\n'
        f'<div role="img" aria-label="{title}">\n{inner}\n</div></figure>'
    )


def _draw_colour_key(labels: Mapping[str, str]) -> str:
    """Draw the legend of colours, with a label for each kind."""
    colours = [
        f'<span><svg class="sign"><rect class="{kind}" width="100%" height="100%"/>'
        f"</svg>{escape_html(label)}</span>"
        for kind, label in labels.items()
    ]
    return f'<p class="colours">{" ".join(colours)}</p>'


def _draw_segments(shares: Iterable[Share], full_size: float | None) -> Iterator[str]:
    """Draw the segments of a bar as shares of its width.

    A negative segment goes back: it is an outline, over which the next one begins.
    """
    shares = [share for share in shares if share.size]
    total = full_size or sum(share.size for share in shares)
    start = 0.0
    for share in shares:
        end = start + share.size
        fall = " falls" if share.size < 0 else ""
        size = 100 * abs(share.size) / total
        title = escape_html(f"{share.label}: {_format_size(share.size)}")
        yield (
            f'<rect class="{share.kind}{fall}" '
            f'x="{100 * min(start, end) / total:.3f}%" '
            f'width="{size:.3f}%" height="100%"><title>{title}</title></rect>'
        )
        if full_size and size > _MIN_WITH_TEXT:
            middle = 50 * (start + end) / total
            yield f'<text x="{middle:.3f}%" y="50%">{_format_size(share.size)}</text>'
        start = end


def _format_size(size: float) -> str:
    return f"{size:.1f}" if isinstance(size, float) else f"{size:,}"
