"""Figures of the laboratory: what is shown, as values; drawing them is matplotlib's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Panel:
    """One set of axes: a curve for each metric.

    Attributes:
        title: what the panel shows.
        curves: for each metric, by name, its values between 0 and 1, one for each tick.
    """

    title: str
    curves: Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: panels side by side over the same horizontal axis.

    Attributes:
        name: the name of its files, without ending.
        title: the line above it.
        x_label: what the horizontal axis says.
        ticks: the labels on that axis.
        panels: what is drawn.
        ordered: whether the ticks are steps of one quantity, and so joined by lines.
    """

    name: str
    title: str
    x_label: str
    ticks: Sequence[str]
    panels: Sequence[Panel]
    ordered: bool = True
