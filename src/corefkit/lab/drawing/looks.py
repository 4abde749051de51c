"""What the curve of a metric looks like, in all figures the same.

A family of metrics has a colour and a shape of markers: B³ and its variants are blue
circles. Inside a family, the dashes of the line and the filling of the markers tell the
plain metric from its variants, in each family alike. So no two metrics differ by colour
alone. The colours stay apart under colour-blindness and dark enough on white paper.
"""

from __future__ import annotations

from itertools import cycle, product
from typing import TYPE_CHECKING, NamedTuple

from corefkit.metrics import known_metrics

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Look(NamedTuple):
    """What a curve looks like.

    Attributes:
        colour: of line and markers.
        marker: the shape of its markers, as matplotlib calls it.
        fill: how much of a marker is filled, as matplotlib calls it.
        dash: points drawn, points left out, and so on; empty for a solid line.
    """

    colour: str
    marker: str
    fill: str
    dash: tuple[float, ...]


_SOLID = ("full", ())

# By the family of a metric.
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

# By the rest of its name.
_KINDS: Mapping[str, tuple[str, tuple[float, ...]]] = {
    "": _SOLID,
    "0": ("bottom", (1, 1.5)),
    "all": ("top", (7, 1.5)),
    "rn": ("left", (4, 1.5, 1, 1.5)),
    "sys": ("none", (3.5, 2)),
    "links": ("right", (4, 1.5, 1, 1.5, 1, 1.5)),
    "graded": ("top", (7, 1.5)),
    "1": _SOLID,
    "2": ("none", (3.5, 2)),
}

# For curves of one's own, shapes that no family has.
_SPARE_MARKERS = ("h", "<", ">", "d", "8")


def looks_of(names: Iterable[str]) -> dict[str, Look]:
    """Give each curve its look; those that are no metrics take what is left.

    >>> looks_of(["lea", "my own"])
    {'lea': Look(colour='#C0280C', marker='*', fill='full', dash=()), \
'my own': Look(colour='#332288', marker='h', fill='full', dash=())}
    """
    known = _known_looks()
    spare = cycle(look for look in _spare_looks() if look not in known.values())
    return {name: known.get(name) or next(spare) for name in names}


def _known_looks() -> Mapping[str, Look]:
    families = {metric.name: metric.family or metric.name for metric in known_metrics()}
    families["conll"] = "conll"
    # From behind: the plainest looks are for curves of one's own.
    spare = cycle(reversed(_spare_looks()))
    return {
        name: _family_look(name, family) or next(spare)
        for name, family in families.items()
    }


def _family_look(name: str, family: str) -> Look | None:
    kind = _KINDS.get(name.removeprefix(family).strip("_"))
    if kind is None or family not in _FAMILIES:
        return None
    return Look(*_FAMILIES[family], *kind)


def _spare_looks() -> list[Look]:
    colours = [colour for colour, _ in _FAMILIES.values()][::-1]
    kinds = dict.fromkeys(_KINDS.values())
    return [
        Look(colours[number % len(colours)], marker, *kind)
        for number, (kind, marker) in enumerate(product(kinds, _SPARE_MARKERS))
    ]
