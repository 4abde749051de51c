"""Charts as SVG inside the page: they follow its colours, and scale with its width.

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

_ROW = 15  # pixels of a range
_PAD = 7  # above and below the ranges of a row
_SHAPES = ("circle", "square", "triangle")
_SIDE = 360  # of a scatter plot, in pixels
_LEFT, _BOTTOM, _TOP, _RIGHT = 46, 40, 8, 12
_MOST_STOPS = 40  # points that the tab key goes to
_LEAST_DOT, _MOST_DOT = 4.5, 15.0  # radius
_TURN = math.pi * (3 - math.sqrt(5))  # the golden angle
_SPREAD = 7.0  # pixels between points at one position
_MOST_STEPS = 6  # between the numbers of an axis


def ranges_html(part: Ranges) -> str:
    """Draw numbers with their intervals, a row for each label."""
    ends = [
        end
        for _, ranges in part.rows
        for one in ranges
        for end in (one.value, one.low, one.high)
        if end is not None
    ]
    if not ends:
        return ""
    low, high, step = _scale(min(ends), max(ends))
    ticks = [*range(low, high + 1, step)]
    rows = "\n".join(
        f'<p class="bar"><span>{escape_html(label)}</span>'
        f"{_row_svg(ranges, low, high, ticks)}</p>"
        for label, ranges in part.rows
    )
    numbers = "".join(
        f'<text x="{_percent(tick, low, high)}" y="12">{tick}</text>' for tick in ticks
    )
    title = escape_html(part.title)
    return (
        f'<figure class="chart ranges"><figcaption>{title}</figcaption>\n'
        f'<div role="img" aria-label="{title}">\n{_series_key(part.series)}{rows}\n'
        f'<p class="bar axis"><span></span><svg height="18">{numbers}</svg></p>\n'
        "</div></figure>"
    )


def _scale(low: float, high: float) -> tuple[int, int, int]:
    """Choose the ends of an axis and the step between its numbers.

    >>> _scale(47.2, 91.0), _scale(0, 100), _scale(61.2, 64.9)
    ((40, 100, 10), (0, 100, 20), (61, 65, 1))
    >>> _scale(100, 100)  # no score is beyond it
    (99, 100, 1)
    >>> _scale(0, 731), _scale(0, 29_103)
    ((0, 800, 200), (0, 30000, 5000))
    """
    width = max(high - low, 1.0)
    steps = (digit * 10**zeros for zeros in count() for digit in (1, 2, 5))
    step = next(step for step in steps if width / step <= _MOST_STEPS)
    first, last = math.floor(low / step) * step, math.ceil(high / step) * step
    if first == last:
        first, last = (first - step, last) if high == 100 else (first, first + step)
    return first, last, step


def _percent(value: float, low: float, high: float) -> str:
    return f"{100 * (value - low) / (high - low):.2f}%"


def _row_svg(
    ranges: Sequence[Range], low: float, high: float, ticks: Sequence[int]
) -> str:
    height = _ROW * len(ranges) + 2 * _PAD
    lines = "".join(
        f'<line class="tick" x1="{at}" x2="{at}" y1="0" y2="100%"/>'
        for at in (_percent(tick, low, high) for tick in ticks)
    )
    marks = "".join(
        _range_svg(one, low, high, _PAD + _ROW * (number + 0.5))
        for number, one in enumerate(ranges)
    )
    return f'<svg height="{height}">{lines}{marks}</svg>'


def _range_svg(one: Range, low: float, high: float, y: float) -> str:
    kind = f"series{one.series % len(_SHAPES)}"
    whisker = ""
    if one.low is not None and one.high is not None:
        left, right = (_percent(end, low, high) for end in (one.low, one.high))
        whisker = f'<line class="{kind}" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>'
    shape = _shape(one.series)
    return (
        f'{whisker}<svg x="{_percent(one.value, low, high)}" y="{y}" '
        f'class="{kind}">{shape}</svg>'
    )


def _shape(series: int) -> str:
    """Draw the sign of a series around the origin."""
    match _SHAPES[series % len(_SHAPES)]:
        case "square":
            return '<rect x="-4.5" y="-4.5" width="9" height="9"/>'
        case "triangle":
            return '<path d="M0-5.5 5.5 4.5-5.5 4.5Z"/>'
        case _:
            return '<circle r="5"/>'


def _series_key(names: Sequence[str]) -> str:
    if len(names) < 2:
        return ""
    signs = [
        f'<span><svg class="sign series{number % len(_SHAPES)}" viewBox="-6 -6 12 12">'
        f"{_shape(number)}</svg>{escape_html(name)}</span>"
        for number, name in enumerate(names)
    ]
    return f'<p class="colours">{" ".join(signs)}</p>\n'


def scatter_html(part: Scatter) -> str:
    """Draw points that lead somewhere; the largest first, so that none is hidden."""
    if not part.points:
        return ""
    across, up = _axes(part)
    largest = max(point.size for point in part.points) or 1.0
    stops = "" if len(part.points) <= _MOST_STOPS else ' tabindex="-1"'
    points = sorted(part.points, key=lambda point: -point.size)
    positions = _spread_positions(
        [(_place(point.x, across), _place(point.y, up)) for point in points]
    )
    dots = "\n".join(
        _dot(point, *position, largest, stops)
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
        f'aria-label="{about}">\n{"".join(_frame(part, across, up))}{diagonal}\n'
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
        radius, angle = _SPREAD * math.sqrt(number), number * _TURN
        x, y = x + radius * math.cos(angle), y + radius * math.sin(angle)
        spread.append((min(max(x, 0.0), _SIDE), min(max(y, 0.0), _SIDE)))
    return spread


def _axes(part: Scatter) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Choose the ends and steps of both axes; those of a square one are alike."""
    xs = [point.x for point in part.points]
    ys = [point.y for point in part.points]
    if part.is_square:
        both = _scale(min(xs + ys), max(xs + ys))
        return both, both
    return _scale(0, max(xs)), _scale(min(ys), max(ys))


def _place(value: float, axis: tuple[int, int, int]) -> float:
    return _SIDE * (value - axis[0]) / (axis[1] - axis[0])


def _frame(
    part: Scatter, across: tuple[int, int, int], up: tuple[int, int, int]
) -> Iterator[str]:
    """Draw the lines and numbers behind the points, and what the axes are."""
    bottom = _TOP + _SIDE
    for tick in range(across[0], across[1] + 1, across[2]):
        x = round(_LEFT + _place(tick, across), 2)
        yield f'<line class="tick" x1="{x}" x2="{x}" y1="{_TOP}" y2="{bottom}"/>'
        yield f'<text x="{x}" y="{bottom + 16}">{tick:,}</text>'
    for tick in range(up[0], up[1] + 1, up[2]):
        y = round(bottom - _place(tick, up), 2)
        right = _LEFT + _SIDE
        yield f'<line class="tick" x1="{_LEFT}" x2="{right}" y1="{y}" y2="{y}"/>'
        yield f'<text class="end" x="{_LEFT - 6}" y="{y + 4}">{tick:,}</text>'
    middle = _LEFT + _SIDE / 2
    place = f'x="{middle}" y="{bottom + 34}"'
    yield f'<text class="axis" {place}>{escape_html(part.across)}</text>'
    turned = f"translate(12 {_TOP + _SIDE / 2}) rotate(-90)"
    yield f'<text class="axis" transform="{turned}">{escape_html(part.up)}</text>'


def _dot(point: Point, x: float, y: float, largest: float, stops: str) -> str:
    """Draw a point as large as its area says."""
    share = math.sqrt(max(point.size, 0) / largest)
    radius = _LEAST_DOT + (_MOST_DOT - _LEAST_DOT) * share
    label = escape_html(point.label)
    return (
        f'<a href="{escape_html(point.address)}" aria-label="{label}"{stops}>'
        f'<circle cx="{_LEFT + x:.1f}" cy="{_TOP + _SIDE - y:.1f}" r="{radius:.1f}">'
        f"<title>{label}</title></circle></a>"
    )


_ENLARGED = 1.3  # figures, which are made for paper
_PIXELS = 96 / 72  # of a point
_LEAST_WITH_TEXT = 5  # percent of a bar


def figure_html(part: Figure) -> str:
    """Put the drawing of a figure into the page, if there is one."""
    if part.drawing is None:
        return ""
    drawing = part.drawing.read_bytes()
    data = base64.b64encode(drawing).decode("ascii")
    about = escape_html(". ".join(filter(None, [part.title, part.about])))
    return (
        f'<figure><img alt="{about}"{_width(drawing)} '
        f'src="data:image/svg+xml;base64,{data}"></figure>'
    )


def _width(drawing: bytes) -> str:
    """Say how wide to show an SVG: larger than on paper, all alike."""
    points = re.search(rb'width="([\d.]+)pt"', drawing)
    if points is None:
        return ""
    return f' width="{_ENLARGED * _PIXELS * float(points[1]):.0f}"'


def bars_html(part: Bars) -> str:
    """Draw bars, and what their colours mean; a grid says it in digits.

    A bar with a title is a figure of its own; without one, it repeats what stands
    beside it, and is hidden from those who cannot see it.
    """
    lines = [
        f'<p class="bar"><span>{escape_html(name)}</span>'
        f"<svg>{''.join(_pieces(shares, part.whole))}</svg></p>"
        for name, shares in part.bars
    ]
    labels = {share.kind: share.label for _, shares in part.bars for share in shares}
    lines.append(key_html(labels))
    inner = "\n".join(lines)
    if not part.title:
        return f'<div class="bars" aria-hidden="true">\n{inner}\n</div>'
    title = escape_html(part.title)
    return (
        f'<figure class="chart bars"><figcaption>{title}</figcaption>\n'
        f'<div role="img" aria-label="{title}">\n{inner}\n</div></figure>'
    )


def key_html(labels: Mapping[str, str]) -> str:
    """Say what colours mean: labels by kind."""
    colours = [
        f'<span><svg class="sign"><rect class="{kind}" width="100%" height="100%"/>'
        f"</svg>{escape_html(label)}</span>"
        for kind, label in labels.items()
    ]
    return f'<p class="colours">{" ".join(colours)}</p>'


def _pieces(shares: Iterable[Share], whole: float | None) -> Iterator[str]:
    """Draw the pieces of a bar one after the other, as shares of its width.

    A piece below 0 goes back: it is an outline, over which the next piece begins.
    """
    shares = [share for share in shares if share.size]
    total = whole or sum(share.size for share in shares)
    before = 0.0
    for share in shares:
        after = before + share.size
        fall = " falls" if share.size < 0 else ""
        size = 100 * abs(share.size) / total
        title = escape_html(f"{share.label}: {_number(share.size)}")
        yield (
            f'<rect class="{share.kind}{fall}" '
            f'x="{100 * min(before, after) / total:.3f}%" '
            f'width="{size:.3f}%" height="100%"><title>{title}</title></rect>'
        )
        if whole and size > _LEAST_WITH_TEXT:
            middle = 50 * (before + after) / total
            yield f'<text x="{middle:.3f}%" y="50%">{_number(share.size)}</text>'
        before = after


def _number(size: float) -> str:
    return f"{size:.1f}" if isinstance(size, float) else f"{size:,}"
