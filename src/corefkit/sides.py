"""One side of a scoring: documents read in blocks, repeats and singletons settled.

The overlap table presumes that a mention stands in one entity of a side. What a side
repeats is settled here by the policy of the settings, and noted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from corefkit import matching
from corefkit.columns import empty_columns
from corefkit.exceptions import FormatError
from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.columns import Columns, Flags, Ints
    from corefkit.formats.source import Source
    from corefkit.settings import Settings


@dataclass(frozen=True, slots=True)
class Block:
    """A block of one side: as read, and with repeated mentions and such settled."""

    read: Columns
    settled: Columns
    repeats: Flags  # for each document, whether it repeats a mention
    numbers: Sequence[int | None]


@dataclass(slots=True)
class Side:
    """One side's source, and what was found repeated in it so far."""

    source: Source
    repeated: int = 0
    first_place: str = ""

    def read(self, numbers: Sequence[int | None], settings: Settings) -> Block:
        """Read some documents, None for an empty one, and settle them."""
        present = [number for number in numbers if number is not None]
        columns = self.source.columns(present)
        if len(present) < len(numbers):
            columns = _spread(columns, numbers)
        if settings.singletons == "drop" and settings.repeated == "reference":
            # The reference scorer would be given a file without singletons.
            columns = _without_singletons(columns)
        flags = matching.repeated(columns)
        repeats = np.zeros(len(numbers), np.bool_)
        settled = columns
        if flags.any():
            repeats[columns.document[flags]] = True
            self._note(columns, flags, numbers, settings)
            settled = columns.keep(~flags)
        if settings.singletons == "drop":
            settled = _without_singletons(settled)
        return Block(columns, settled, repeats, numbers)

    def _note(
        self,
        columns: Columns,
        flags: Flags,
        numbers: Sequence[int | None],
        settings: Settings,
    ) -> None:
        self.repeated += int(flags.sum())
        if self.first_place:
            return
        mention = int(np.flatnonzero(flags)[0])
        number = numbers[int(columns.document[mention])] or 0
        start = int(columns.start[mention])
        word = next(islice(self.source.words(number), start, None), None)
        self.first_place = word.place if word else self.source.place(number)
        if settings.repeated == "error":
            document = self.source.ids[number]
            message = (
                f"a mention of document {document!r} stands here more than once, "
                "expected every mention in one entity"
            )
            hint = "--repeated first keeps it in the first of its entities"
            raise FormatError(message, place=self.first_place, hint=hint)

    def notes(self, settings: Settings) -> list[str]:
        """Word what was found repeated."""
        if not self.repeated:
            return []
        mentions = f"{self.repeated} repeated mention{'s' if self.repeated > 1 else ''}"
        done = {
            "first": "kept in the first of their entities",
            "reference": "counted as the reference scorer does",
        }[settings.repeated]
        return [f"{self.source.name}: {mentions}, {done}: see {self.first_place}"]


def entity_lists(columns: Columns, document: int) -> list[list[Mention]]:
    """Give the entities of a document of a block as lists of spans, repeats and all."""
    entities: dict[int, list[Mention]] = {}
    for mention in np.flatnonzero(columns.document == document).tolist():
        span = Mention(int(columns.start[mention]), int(columns.end[mention]))
        entities.setdefault(int(columns.entity[mention]), []).append(span)
    return list(entities.values())


def _spread(columns: Columns, numbers: Sequence[int | None]) -> Columns:
    """Put empty documents where a number is missing."""
    there = np.flatnonzero([number is not None for number in numbers])
    spread = empty_columns(len(numbers))
    tokens, prints = spread.tokens, spread.fingerprint
    tokens[there], prints[there] = columns.tokens, columns.fingerprint
    return replace(
        columns,
        entity_document=there[columns.entity_document],
        tokens=tokens,
        fingerprint=prints,
    )


def _without_singletons(columns: Columns) -> Columns:
    size: Ints = np.bincount(columns.entity, minlength=len(columns.entity_document))
    return columns.keep(size[columns.entity] > 1)
