"""What the reference scorer lists of a document before it scores it.

The rules are those in `corefkit.formats.conll.conll`, with its way of reading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.formats.conll.reference import double_antecedents
from corefkit.formats.conll.rows import listed_entities, token_rows
from corefkit.formats.faults import Faults

if TYPE_CHECKING:
    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.conll.extents import ConllExtent

Span: TypeAlias = tuple[int, int]


class Listing(NamedTuple):
    """The entities of a document, and the double antecedents that were discarded.

    An entity none of whose mentions closes is empty.
    """

    entities: tuple[tuple[Span, ...], ...] = ()
    discarded: tuple[str, ...] = ()


def listing_of(file: ByteFile, extent: ConllExtent) -> Listing:
    """List entities in the order of their first brackets, mentions as they close."""
    tokens = list(token_rows(file, extent, reference=True))
    found = listed_entities(file, extent, tokens, Faults(file), reference=True)
    entities = [
        tuple((mention.start, mention.end) for mention in mentions)
        for mentions in found.values()
    ]
    while entities and not entities[-1]:
        entities.pop()
    lines = file.read(extent.body, extent.end).split(b"\n")
    discarded = [
        text for line in lines if b"+" in line for text in double_antecedents(line)
    ]
    return Listing(tuple(entities), tuple(discarded))
