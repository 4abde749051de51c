"""What the curve of a metric looks like, the same in all figures.

Each family of metrics has a colour and a marker: B³ and its variants are blue circles.
Within a family, the dashes of the line and the filling of the markers tell the plain
metric from its variants, so no two metrics differ by colour alone. The colours differ
for colour-blind people too, and are dark enough on white paper.
"""

from __future__ import annotations

from itertools import cycle, product
from typing import TYPE_CHECKING, Any, TypeAlias

from corefkit.metrics.registry import iter_metrics

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


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

# So that all shapes look equally large.
_MARKER_SIZES = {"*": 6, "D": 3.6, "s": 3.8, "X": 4.6, "P": 4.6}
# The shapes that no family has.
_SPARE_MARKERS = ("h", "<", ">", "d", "8")


def looks_of(names: Iterable[str]) -> dict[str, Look]:
    """Choose the look of each curve; curves that are no metrics get spare looks.

    >>> looks = looks_of(["lea", "my own"])
    >>> looks["lea"]["color"], looks["lea"]["marker"], looks["my own"]["marker"]
    ('#C0280C', '*', 'h')
    """
    colours = [colour for colour, _ in _FAMILIES.values()][::-1]
    members = dict.fromkeys(_MEMBERS.values())
    spare = [
        _look(colours[number % len(colours)], marker, *member)
        for number, (member, marker) in enumerate(product(members, _SPARE_MARKERS))
    ]
    # From behind: the plainest of the spare looks are for curves that are no metrics.
    families = {metric.name: metric.family or metric.name for metric in iter_metrics()}
    metrics = {
        name: _family_look(name, family) or spare.pop()
        for name, family in (families | {"conll": "conll"}).items()
    }
    others = cycle(spare)
    return {name: metrics.get(name) or next(others) for name in dict.fromkeys(names)}


def _family_look(name: str, family: str) -> Look | None:
    member = _MEMBERS.get(name.removeprefix(family).strip("_"))
    if member is None or family not in _FAMILIES:
        return None
    return _look(*_FAMILIES[family], *member)


def _look(colour: str, marker: str, fill: str, dash: tuple[float, ...]) -> Look:
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
