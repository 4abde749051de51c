"""What the walk-through of a metric gives for one document."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from corefkit.analysis.explain.numbers import Quotient


class Steps(NamedTuple):
    """The lines that lead to the counts, and the counts: recall, then precision.

    BLANC has these two thrice: for coreference links, for the others, for mentions.
    """

    lines: list[str]
    quotients: tuple[Quotient, ...]
