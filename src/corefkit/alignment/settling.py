"""What of a side is scored: entities that refer, each mention in one of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.exceptions import FormatError, quoted
from corefkit.settings import by_choice

if TYPE_CHECKING:
    from corefkit.alignment.blocks import Numbers
    from corefkit.columns import Columns, Flags, Ints
    from corefkit.formats.source import Source
    from corefkit.model import Mention
    from corefkit.settings import Settings


class Scored(NamedTuple):
    """Mentions that are scored, and their order by position where that is known."""

    columns: Columns
    order: Ints | None

    def keep(self, mentions: Flags) -> Scored:
        """Keep only the flagged mentions."""
        order = self.order
        if order is not None:
            order = (np.cumsum(mentions) - 1)[order[mentions[order]]]
        return Scored(self.columns.keep(mentions), order)


def referring(columns: Columns) -> Columns:
    """Leave out entities that do not refer."""
    if columns.details is None or columns.details.referring.all():
        return columns
    return columns.keep(columns.details.referring[columns.entity])


def in_larger_entities(columns: Columns) -> Flags:
    """Flag the mentions that are not alone in their entities."""
    size = np.bincount(columns.entity, minlength=len(columns.entity_document))
    flags: Flags = size[columns.entity] > 1
    return flags


def entity_lists(columns: Columns, document: int) -> list[list[Mention]]:
    """List the entities of a document of a block as spans, repeated ones and all.

    Those that do not refer are left out.
    """
    columns = referring(columns)
    entities: dict[int, list[Mention]] = {}
    for mention in np.flatnonzero(columns.document == document).tolist():
        members = entities.setdefault(int(columns.entity[mention]), [])
        members.append(columns.mention(mention))
    return list(entities.values())


@dataclass(slots=True)
class Repeats:
    """How many mentions of a side repeat an earlier one, and the place of the first."""

    count: int = 0
    place: str = ""

    def note(
        self,
        source: Source,
        numbers: Numbers,
        columns: Columns,
        repeated: Flags,
        *,
        refuse: bool,
    ) -> None:
        """Count the repeated mentions of some documents."""
        self.count += int(repeated.sum())
        if self.place:
            return
        mention = int(np.flatnonzero(repeated)[0])
        number = numbers[int(columns.document[mention])] or 0
        self.place = place_of_mention(source, number, columns, mention)
        if refuse:
            message = (
                f"a mention of document {quoted(source.ids[number])} stands here more "
                "than once, expected every mention in one entity"
            )
            hint = "--repeated first keeps it in the first of its entities"
            raise FormatError(message, place=self.place, hint=hint)

    def in_words(self, name: str, settings: Settings) -> str:
        """Say what a side repeats, and what was done about it."""
        plural, whose = ("s", "their") if self.count > 1 else ("", "its")
        kept = {
            "first": f"kept in the first of {whose} entities",
            "reference": "counted as the reference scorer does",
        }
        done = by_choice(settings, "repeated", kept)
        found = f"{self.count} repeated mention{plural}, {done}"
        return f"{name}: {found}: see {self.place}"


def place_of_mention(
    source: Source, number: int, columns: Columns, mention: int
) -> str:
    """Say where a mention begins; one of an empty node, at the word behind it."""
    start, document = int(columns.start[mention]), columns.document[mention]
    if columns.details is not None and columns.details.empties is not None:
        empties = columns.details.empties
        here = empties.token[empties.document == document]
        start -= int((here < start).sum())
    word = next(islice(source.words(number), start, None), None)
    return word.place if word else source.place(number)
