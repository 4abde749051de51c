"""The weights of a network: one long array, of which each part has a name and a shape.

Gradients have the same layout, so that Adam and averages are sums of long arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterator

Array: TypeAlias = NDArray[np.float32]  # or float64, where gradients are checked
Shapes: TypeAlias = Mapping[str, tuple[int, ...]]


class Weights(Mapping[str, Array]):
    """Named arrays that are parts of one.

    >>> weights = Weights.zeros({"a": (2, 3), "b": (4,)})
    >>> weights["b"][:] = 1
    >>> weights.flat.shape, float(weights.flat.sum())
    ((10,), 4.0)
    """

    def __init__(self, flat: Array, shapes: Shapes) -> None:
        self.flat = flat
        self.shapes = dict(shapes)
        self._parts: dict[str, Array] = {}
        first = 0
        for name, shape in self.shapes.items():
            beyond = first + prod(shape)
            self._parts[name] = flat[first:beyond].reshape(shape)
            first = beyond

    @classmethod
    def zeros(cls, shapes: Shapes, *, dtype: type = np.float32) -> Weights:
        """Make weights that are all 0."""
        return cls(np.zeros(sum(map(prod, shapes.values())), dtype), shapes)

    def check(self) -> None:
        """Raise a ValueError if the array is not as long as its parts."""
        expected = sum(map(prod, self.shapes.values()))
        if len(self.flat) != expected:
            message = f"there are {len(self.flat):,} weights, expected {expected:,}"
            raise ValueError(message)

    def like(self) -> Weights:
        """Make zeros of the same names and shapes: a place for gradients."""
        return Weights(np.zeros_like(self.flat), self.shapes)

    def __getitem__(self, name: str) -> Array:
        """Return the part of a name."""
        return self._parts[name]

    def add(self, name: str, values: Array) -> None:
        """Add to the part of a name."""
        part = self._parts[name]
        part += values

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return iter(self._parts)

    def __len__(self) -> int:
        """Count the parts."""
        return len(self._parts)
