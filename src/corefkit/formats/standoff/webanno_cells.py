"""WebAnno's layers, as the header names them, and the values in their cells.

The rules are those in `corefkit.formats.standoff.webanno`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

BASE, ROLE = "BT_", "ROLE_"
SPLIT = "aggr"
FIRST_COLUMN = 3  # behind the id, the characters and the word
NOTHING, NONE = "_", "*"
_LAYER = re.compile(r"#T_(SP|RL|CH)=([^|]+)\|?(.*)")
_PIECE = re.compile(r"\\.|\||[^\\|]+|\\", re.DOTALL)
_NUMBERED = re.compile(r"((?:[^\\]|\\.)*)\[([0-9]+)\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(->|[\\\[\]|_;*tn])")
_RESERVED = re.compile(r"->|[\\\[\]|_;*\t\n]")
_CONTROLS = {"t": "\t", "n": "\n"}
_LETTERS = {"\t": "t", "\n": "n"}
_TYPE_FEATURES = ("entity", "type", "value")


class Layer(NamedTuple):
    """A layer of the header: its kind and name, its features, its first column."""

    kind: str
    name: str
    features: tuple[str, ...]
    attributes: tuple[str | None, ...]
    first: int

    @property
    def columns(self) -> slice:
        """The columns of the layer; one without features has one."""
        return slice(self.first, self.first + max(1, len(self.features)))

    @property
    def base(self) -> str:
        """The layer of the spans that relations stand between."""
        last = self.features[-1] if self.features else ""
        return last.removeprefix(BASE) if last.startswith(BASE) else ""


def add_layer(layers: list[Layer], text: str) -> None:
    """Add the layer that a line of the header names; other lines name none."""
    match = _LAYER.fullmatch(text)
    if match is not None:
        features = tuple(name for part in match[3].split("|") if (name := part.strip()))
        first = layers[-1].columns.stop if layers else FIRST_COLUMN
        names = _attribute_names(features)
        layers.append(Layer(match[1], match[2], features, names, first))


def _attribute_names(features: Sequence[str]) -> tuple[str | None, ...]:
    """Name the attributes of features: None for slots, empty where there is none."""
    of_type = [features.index(name) for name in _TYPE_FEATURES if name in features][:1]
    names: list[str | None] = []
    taken = {"type"}
    for number, feature in enumerate(features):
        slot = feature.startswith(ROLE)
        if number in of_type:
            names.append("type")
        elif slot or (number and features[number - 1].startswith(ROLE)):
            names.append(None)
        else:
            names.append(unused(feature, taken))
    return tuple(names) or ("",)


def unused(name: str, taken: set[str]) -> str:
    """Find a name that is not taken yet, and take it."""
    name = f"{name}_{len(taken)}" if name in taken else name
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def cell_items(cell: str) -> list[str]:
    r"""Split a cell at its bars, but not at escaped ones.

    >>> cell_items(r"a\|b|c")
    ['a\\|b', 'c']
    """
    if "\\" not in cell:
        return cell.split("|")
    items: list[list[str]] = [[]]
    for piece in _PIECE.findall(cell):
        if piece == "|":
            items.append([])
        else:
            items[-1].append(piece)
    return ["".join(pieces) for pieces in items]


def numbered(item: str) -> tuple[str, str]:
    """Cut the number off a value: `person[12]`; empty where there is none."""
    match = _NUMBERED.fullmatch(item)
    return (match[1], match[2]) if match else (item, "")


def unescaped(value: str) -> str:
    """Read the escapes of a value."""
    if "\\" not in value:
        return value
    return _ESCAPED.sub(lambda match: _CONTROLS.get(match[1], match[1]), value)


def escaped(value: str) -> str:
    """Escape what a value cannot have."""
    return _RESERVED.sub(lambda match: f"\\{_LETTERS.get(match[0], match[0])}", value)
