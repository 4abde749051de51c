"""Where things stand in a figure: the range of its axis, its labels, shared stretches.

All of it is arithmetic; `sheets` brings it to paper.
"""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Values above this share fill an axis that does not start at 0, values below the other
# one that does not go up to 100.
_HIGH, _LOW = 60, 50
_MOST_TICKS = 5

# Between the labels of two ticks.
_TICK_GAP = 4


class Scale(NamedTuple):
    """The range of the vertical axis in %, and the distance of its ticks."""

    low: int
    high: int
    step: int

    @property
    def is_zoomed(self) -> bool:
        """Whether the axis leaves out 0."""
        return self.low > 0

    @property
    def ticks(self) -> range:
        """The values that have a line of the grid."""
        return range(self.low, self.high + 1, self.step)


def scale_of(values: Sequence[float]) -> Scale:
    """Choose the range: 0 to 100, or less where all values are high, or all low.

    >>> scale_of([0.2, 0.9])
    Scale(low=0, high=100, step=20)
    >>> scale_of([0.86, 1.0]), scale_of([0.02, 0.17])
    (Scale(low=85, high=100, step=5), Scale(low=0, high=20, step=5))
    """
    # Rounded, for what is 0 or 1 but for the last digit.
    least, most = round(100 * min(values), 6), round(100 * max(values), 6)
    if least >= _HIGH:
        step = _step(100 - min(least, 95))
        return Scale(floor(min(least, 95) / step) * step, 100, step)
    if least >= 0 and most <= _LOW:
        step = _step(max(most, 5))
        return Scale(0, ceil(max(most, 5) / step) * step, step)
    step = _step(100 - min(least, 0))
    return Scale(floor(min(least, 0) / step) * step, 100, step)


def _step(span: float) -> int:
    steps = (1, 2, 5, 10, 20, 50, 100, 200, 500)
    return next((step for step in steps if span <= step * _MOST_TICKS), 1000)


def spread(wanted: Sequence[float], *, gap: float, top: float) -> list[float]:
    """Move labels apart that would overlap, as little as can be.

    Labels next to each other that are too close become a block, centred on where its
    labels wanted to be; blocks that then touch are joined.

    Args:
        wanted: where each label would stand best.
        gap: how far apart two labels must be.
        top: where the highest label may stand; the lowest may stand at 0.

    >>> spread([10, 45, 45, 48], gap=10, top=60)
    [10.0, 36.0, 46.0, 56.0]
    """
    order = sorted(range(len(wanted)), key=lambda number: wanted[number])
    # Of each block: how many labels it has, and where they would have it begin, added.
    blocks: list[tuple[int, float]] = []

    def begin(block: tuple[int, float]) -> float:
        size, total = block
        return max(min(total / size, top - gap * (size - 1)), 0)

    for number in order:
        block = (1, float(wanted[number]))
        while blocks and begin(blocks[-1]) + gap * blocks[-1][0] > begin(block):
            below, total = blocks.pop()
            block = (below + block[0], total + block[1] - gap * below * block[0])
        blocks.append(block)
    places = [
        begin(block) + gap * number for block in blocks for number in range(block[0])
    ]
    found = dict(zip(order, places, strict=True))
    return [found[number] for number in range(len(wanted))]


class Stretch(NamedTuple):
    """A part of a curve from one tick to another, and the curves that run along it."""

    first: int
    last: int
    together: tuple[str, ...]


def stretches_of(
    curves: Mapping[str, Sequence[float]], *, tolerance: float
) -> dict[str, list[Stretch]]:
    """Cut curves where others join or leave them.

    >>> curves = {"one": [1, 1, 0], "two": [1, 1, 0.5]}
    >>> for stretch in stretches_of(curves, tolerance=0.01)["one"]:
    ...     print(*stretch)
    0 1 ('one', 'two')
    1 2 ('one',)
    """
    length = len(next(iter(curves.values())))
    found: dict[str, list[Stretch]] = {name: [] for name in curves}
    for tick in range(length - 1):
        for together in _groups(curves, slice(tick, tick + 2), tolerance):
            for name in together:
                before = found[name][-1] if found[name] else None
                if before and before.together == together:
                    found[name][-1] = before._replace(last=tick + 1)
                else:
                    found[name].append(Stretch(tick, tick + 1, together))
    return found


def marked_ticks(
    curves: Mapping[str, Sequence[float]], *, tolerance: float
) -> dict[str, list[int]]:
    """Choose the ticks where each curve has its marker: in turn where several meet.

    >>> marked_ticks({"one": [1, 1, 0], "two": [1, 1, 0.5]}, tolerance=0.01)
    {'one': [0, 2], 'two': [1, 2]}
    """
    length = len(next(iter(curves.values())))
    found: dict[str, list[int]] = {name: [] for name in curves}
    for tick in range(length):
        for together in _groups(curves, slice(tick, tick + 1), tolerance):
            found[together[tick % len(together)]].append(tick)
    return found


def _groups(
    curves: Mapping[str, Sequence[float]], ticks: slice, tolerance: float
) -> list[tuple[str, ...]]:
    """Put curves together that have nearly the same values at some ticks."""
    groups: list[list[str]] = []
    for name, values in curves.items():
        for group in groups:
            pairs = zip(values[ticks], curves[group[0]][ticks], strict=True)
            if all(abs(one - other) <= tolerance for one, other in pairs):
                group.append(name)
                break
        else:
            groups.append([name])
    return [tuple(group) for group in groups]


def shown_ticks(widths: Sequence[float], *, room: float) -> list[int]:
    """Choose ticks whose labels do not overlap: all, every second, every third, ...

    The first is always among them, and the last where steps stay equal and many.

    Args:
        widths: how wide the label of each tick is.
        room: how wide the axis is from the first tick to the last.

    >>> shown_ticks([10] * 5, room=100), shown_ticks([30] * 5, room=100)
    ([0, 1, 2, 3, 4], [0, 2, 4])
    """
    last = len(widths) - 1
    fitting = [
        stride
        for stride in range(1, last + 1)
        if stride * room >= last * (max(widths) + _TICK_GAP)
    ] or [last + 1]
    # A few labels less are worth it if the last is then among them.
    even = [stride for stride in fitting if last % stride == 0]
    stride = min((one for one in even if one <= 2 * fitting[0]), default=fitting[0])
    return list(range(0, last + 1, stride))
