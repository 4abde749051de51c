"""How many links are errors, in all and by what they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of some edges are errors."""

    edges: int
    errors: int

    @property
    def rate(self) -> float:
        """Errors as a share of the edges; 0 without any."""
        return self.errors / self.edges if self.edges else 0.0


@dataclass(frozen=True, slots=True)
class Links:
    """The links of one side's spanning trees.

    Attributes:
        edges: how many links there are.
        errors: how many the other side does not have.
        breakdowns: by name (`types`, `pronouns`, `distance`, `entity_size`,
            `relation`, `cause`, `document`, `stratum`), then by class.
    """

    edges: int
    errors: int
    breakdowns: Mapping[str, Mapping[str, Rate]]

    @property
    def rate(self) -> float:
        """Errors as a share of the edges; 0 without any."""
        return Rate(self.edges, self.errors).rate
