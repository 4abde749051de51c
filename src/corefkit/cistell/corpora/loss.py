"""What changing a corpus costs: how many mentions are dropped or added, and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corefkit.report.page import Grid, Spacing, cells, columns
from corefkit.report.terminal import terminal_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corefkit.model import Document


@dataclass(frozen=True, slots=True)
class Loss:
    """Mentions and entities before and after a change; those of documents add up.

    Attributes:
        mentions_before: how many mentions there were.
        mentions_after: how many there are now.
        entities_before: how many entities there were.
        entities_after: how many there are now.
        dropped: how many mentions were dropped, by reason.
        added: how many mentions were added, by reason.

    >>> print(Loss(9, 8, 4, 4, dropped={"has a gap": 2}, added={"a pronoun": 1}))
                        Mentions   Entities
    before                     9          4
    dropped: has a gap        -2
    added: a pronoun          +1
    after                      8          4
    """

    mentions_before: int = 0
    mentions_after: int = 0
    entities_before: int = 0
    entities_after: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    added: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: Loss) -> Loss:
        """Add up two losses."""
        return Loss(
            self.mentions_before + other.mentions_before,
            self.mentions_after + other.mentions_after,
            self.entities_before + other.entities_before,
            self.entities_after + other.entities_after,
            Counter(self.dropped) + Counter(other.dropped),
            Counter(self.added) + Counter(other.added),
        )

    def __str__(self) -> str:
        """Format the counts for a terminal."""
        return terminal_text([self.grid()])

    def grid(self) -> Grid:
        """Return the counts as the rows of a grid."""
        changes = [
            (f"dropped: {why}", f"-{n:,}", "") for why, n in self.dropped.items()
        ]
        changes += [(f"added: {why}", f"+{n:,}", "") for why, n in self.added.items()]
        rows = (
            ("before", f"{self.mentions_before:,}", f"{self.entities_before:,}"),
            *changes,
            ("after", f"{self.mentions_after:,}", f"{self.entities_after:,}"),
        )
        heads = columns(["", "Mentions", "Entities"])
        return Grid(heads, cells(rows), spacing=Spacing(marks=1))


def loss_between(
    before: Document,
    after: Iterable[Document],
    *,
    dropped: Mapping[str, int] | None = None,
    added: Mapping[str, int] | None = None,
) -> Loss:
    """Count what one document has, and what the documents made of it have.

    Reasons without mentions are left out.
    """
    now = list(after)
    return Loss(
        _mentions(before),
        sum(map(_mentions, now)),
        _entities(before),
        sum(map(_entities, now)),
        {why: number for why, number in (dropped or {}).items() if number},
        {why: number for why, number in (added or {}).items() if number},
    )


def _mentions(document: Document) -> int:
    return sum(map(len, document.entities))


def _entities(document: Document) -> int:
    return sum(bool(entity.mentions) for entity in document.entities)
