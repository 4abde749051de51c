"""Drawings of a page as values; HTML draws them, and grids have the same numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Share(NamedTuple):
    """A piece of a bar."""

    kind: str
    label: str
    size: float  # below 0, the bar goes back


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars of shares, by name; only HTML draws them, a grid has the numbers.

    Attributes:
        bars: the shares of each bar.
        title: what it shows; empty where the text beside it says so.
        whole: how much a bar of the whole width is; its shares' sum if not given.
    """

    bars: tuple[tuple[str, tuple[Share, ...]], ...]
    title: str = ""
    whole: float | None = None


class Range(NamedTuple):
    """A number with its interval, both ends of which are None where there is none."""

    series: int  # the number of what it belongs to
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Ranges:
    """Numbers with their intervals on one scale, a row for each label.

    Attributes:
        title: what it shows.
        rows: what stands in each row, from the top.
        series: the names of the series; a single one needs no key.
    """

    title: str
    rows: tuple[tuple[str, tuple[Range, ...]], ...]
    series: tuple[str, ...] = ()


class Point(NamedTuple):
    """A point of a scatter plot, which leads somewhere."""

    x: float
    y: float
    size: float
    label: str
    address: str


@dataclass(frozen=True, slots=True)
class Scatter:
    """Points by two numbers.

    Attributes:
        title: what it shows.
        across: what x is.
        up: what y is.
        points: the points.
        is_square: whether both axes go from 0 to 100, with a diagonal.
        about: where people find the same who cannot see it.
    """

    title: str
    across: str
    up: str
    points: tuple[Point, ...]
    is_square: bool = True
    about: str = ""
