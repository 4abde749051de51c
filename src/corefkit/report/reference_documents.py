"""What the reference scorer v8.01 prints of each document, if it is asked to.

It prints what it read of key and response, repeated mentions, the mentions that were
found, and the counts of the metric.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from corefkit.formats.conll.listing import Listing
from corefkit.metrics.reference import repetition_messages
from corefkit.metrics.reference.listed import Listing as Listed
from corefkit.report.reference_text import ratio_lines, shown_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.evaluation import Evaluation
    from corefkit.formats.source import Source

_NOTHING = Listing()


@dataclass(frozen=True, slots=True)
class Side:
    """A document as one side has it; a side that lacks it has neither name."""

    name: str = ""
    listing: Listing = _NOTHING

    def lines(self) -> Iterator[str]:
        """Write what was read."""
        yield f"====> {self.name}:"
        for text in self.listing.discarded:
            yield f"Discarded {text}"
        yield f"File {self.name}:"
        for number, entity in enumerate(self.listing.entities):
            spans = "".join(f" ({start},{end})" for start, end in entity)
            yield f"Entity {number}:{spans}"


def side_of(source: Source, number: int | None) -> Side:
    """Read a document as the reference scorer lists it.

    Of other formats than its own, it would be given what they hold as CoNLL-2012.
    """
    if number is None:
        return Side()
    name = shown_name(source.ids[number])
    listing = getattr(source, "listing", None)
    if listing is not None:
        return Side(name, listing(number))
    entities = tuple(
        tuple((mention.start, mention.end) for mention in entity.mentions)
        for entity in source.document(number).entities
    )
    return Side(name, Listing(entities))


@dataclass(frozen=True, slots=True)
class Pair:
    """A document of the key, and of the response."""

    key: Side
    response: Side

    @property
    def repeated(self) -> list[str]:
        """The lines about repeated mentions."""
        return repeated_lines(self.key.listing, self.response.listing)


def repeated_lines(key: Listing, response: Listing) -> list[str]:
    """Write the lines about repeated mentions, those of the key first.

    >>> one, both = Listing((((0, 1), (3, 3)),)), Listing((((3, 3),), ((3, 3),)))
    >>> repeated_lines(one, both)
    ['Repeated mention in the response: 3, 3 11']
    """
    numbers: dict[tuple[int, int], int] = {}
    sides = []
    for entities, _ in (key, response):
        mentions = [
            numbers.setdefault(span, len(numbers))
            for span in chain.from_iterable(entities)
        ]
        entity = np.repeat(np.arange(len(entities)), [*map(len, entities)])
        sides.append(Listed(entity, np.array(mentions, np.int64)))
    spans = np.array([*numbers], np.int64).reshape(-1, 2)
    return repetition_messages(sides[0], sides[1], spans)


def count_lines(evaluation: Evaluation, row: int, name: str, key: Side) -> list[str]:
    """Write the counts of a document: mentions, then a metric if it is no BLANC."""
    found, expected, _, returned = map(int, evaluation.counts["mentions"][row].tolist())
    # An id that is given again is one more that was invented.
    again = sum(map(len, key.listing.entities)) - expected
    lines = [
        f"Total key mentions: {expected}",
        f"Total response mentions: {returned}",
        f"Strictly correct identified mentions: {found}",
        "Partially correct identified mentions: 0",
        f"No identified: {expected - found}",
        f"Invented: {again + returned - found}",
    ]
    if name != "blanc":
        lines += ratio_lines("", evaluation.per_document[row][name])
    return lines
