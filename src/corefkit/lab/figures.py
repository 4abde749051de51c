"""Figures of the laboratory as values, and their files, drawn by matplotlib."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Panel:
    """One set of axes: a curve for each metric."""

    title: str
    # The values of each metric, by its name: one between 0 and 1 for each tick. A curve
    # that is not a metric is labelled by its name.
    curves: Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: panels side by side over the same horizontal axis."""

    name: str  # of its files, without the ending
    title: str
    x_label: str
    ticks: Sequence[str]
    panels: Sequence[Panel]
    ordered: bool = True  # joined by lines; else the ticks are separate cases
    y_label: str = "score"  # its unit, %, is added


# Note for users if figures cannot be drawn.
NO_FIGURES = (
    "no figures were drawn, because matplotlib is not installed; "
    'install it with `pip install "corefkit[plots]"`'
)


def can_draw() -> bool:
    """Return whether matplotlib is installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def write_figure(figure: Figure, folder: Path | str) -> list[Path]:
    """Draw a figure into a folder, as NAME.svg and NAME.png, and return the two paths.

    The same figure gives the same bytes. The folder is created if it does not exist.

    >>> from tempfile import TemporaryDirectory
    >>> curves = {"muc": [1, 0.9, 0.8], "lea": [1, 0.7, 0.5]}
    >>> figure = Figure("split", "Split", "step", ["0", "1", "2"], [Panel("", curves)])
    >>> with TemporaryDirectory() as folder:
    ...     [path.name for path in write_figure(figure, folder)]
    ['split.svg', 'split.png']
    """
    _check_figure(figure)
    if not can_draw():
        message = "figures are drawn by matplotlib, which is not installed"
        hint = 'install it with pip install "corefkit[plots]"'
        raise SettingsError(message, code="environment/missing-package", hint=hint)
    from corefkit.lab.drawing import draw_figure

    Path(folder).mkdir(parents=True, exist_ok=True)
    return draw_figure(figure, Path(folder))


def _check_figure(figure: Figure) -> None:
    """Check that curves have one value for each tick: a share, not a percentage."""
    is_full = figure.panels and all(panel.curves for panel in figure.panels)
    if not figure.ticks or not is_full:
        message = f"figure {figure.name!r} has nothing to draw"
        hint = "give it ticks, and each panel a curve"
        raise SettingsError(message, code="settings/invalid-figure", hint=hint)
    for panel in figure.panels:
        for name, values in panel.curves.items():
            place = f"curve {name!r} of figure {figure.name!r}"
            wrong = [value for value in values if not isfinite(value) or value > 1.001]
            if len(values) != len(figure.ticks):
                message = f"{len(values)} values for {len(figure.ticks)} ticks"
            elif wrong:
                message = f"{wrong[0]:g} is not a score between 0 and 1"
            else:
                continue
            raise SettingsError(message, code="settings/invalid-figure", place=place)
