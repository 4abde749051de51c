"""One list of spans for all sides of a document.

Sides share a span where their mentions have the same tokens, matched or not. A span
stands in the list more than once only where one side has several mentions there, as
mentions with other tokens can have in the key's text.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.analysis.errors.layers import Layers, Place

# A place, and how many others there have the same.
Spot: TypeAlias = "tuple[Place, int]"


@dataclass(frozen=True, slots=True)
class Spots:
    """Where the rows of a system's layers stand.

    Attributes:
        key: the spot of each row that the key has.
        response: the spot of each row that the response has.
        apart: rows of the response that stand where the key has a mention too, but are
            matched with none.
    """

    key: Mapping[int, Spot] = field(default_factory=dict)
    response: Mapping[int, Spot] = field(default_factory=dict)
    apart: Sequence[int] = ()

    def of(self, row: int) -> Spot:
        """Find where a row stands: where the key has it, if it has."""
        return self.key[row] if row in self.key else self.response[row]


def spots_of(layers: Layers) -> Spots:
    """Give the rows of a system's layers their spots.

    >>> from corefkit.analysis.errors.layers import Layers
    >>> one, two = ((0, 1),), ((0, 2),)
    >>> spots_of(Layers([one, two], [0, -1], [0, 1])).response[1]
    (((0, 2),), 0)
    >>> matched = Layers([one, two], [0, -1], [0, 1], own={0: two})
    >>> spots_of(matched).response
    {0: (((0, 2),), 0), 1: (((0, 2),), 1)}
    """
    key = _in_order(layers)
    there = [row for row, entity in enumerate(layers.response) if entity >= 0]
    response = {row: key[row] for row in there if row in key and row not in layers.own}
    taken, of_key, apart = {*response.values()}, {*key.values()}, []
    for row in there:
        if row not in response:
            place, copy = layers.own.get(row, layers.places[row]), 0
            while (place, copy) in taken:
                copy += 1
            response[row] = place, copy
            taken.add((place, copy))
            if row not in key and (place, copy) in of_key:
                apart.append(row)
    return Spots(key, response, apart)


def _in_order(layers: Layers) -> dict[int, Spot]:
    """Give the key's rows their spots."""
    used: Counter[Place] = Counter()
    spots: dict[int, Spot] = {}
    for row, entity in enumerate(layers.key):
        if entity >= 0:
            place = layers.places[row]
            spots[row] = place, used[place]
            used[place] += 1
    return spots
