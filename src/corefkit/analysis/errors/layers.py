"""What pages draw of documents: where mentions stand, on which sides, in which errors.

Rows are those of a `Joined` table, counted from the first of their document.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.analysis.errors.mentions import key_spans, response_names
from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from corefkit.alignment.scored_mentions import AlignedBlock
    from corefkit.analysis.errors.kinds import Placed
    from corefkit.analysis.errors.links import Edges
    from corefkit.analysis.errors.mentions import Gaps, Joined
    from corefkit.arrays.columns import Ints

# The parts of a span, first and last token of each; or the name of a mention.
Place: TypeAlias = "Hashable"


class Link(NamedTuple):
    """The rows of the two mentions of a link."""

    anaphor: int
    antecedent: int


class AboutEntity(NamedTuple):
    """The rows of the mentions of an error, and its entity."""

    rows: tuple[int, ...]
    entity: int


@dataclass(frozen=True, slots=True)
class Layers:
    """The mentions of one document on both sides, and where its errors stand.

    Attributes:
        places: where the mention of each row stands, in the tokens of the key's text.
        key: the entity of each row in the key; -1 where the key lacks it.
        response: likewise in the response.
        own: where the response's mention stands, by row, if it is matched with a key
            mention that stands elsewhere.
        errors: the rows of each of `DocumentErrors.errors`.
        links: those of `recall_links`, then of `precision_links`.
        is_named: whether mentions are names, and not tokens.
        is_missing: whether the response lacks the document.
        number: which document of the key it is.
    """

    places: Sequence[Place]
    key: Sequence[int]
    response: Sequence[int]
    own: Mapping[int, Place] = field(default_factory=dict)
    errors: Sequence[AboutEntity] = ()
    links: Sequence[Link] = ()
    is_named: bool = False
    is_missing: bool = False
    number: int = 0


def layers_of(
    block: AlignedBlock,
    table: Joined,
    errors: Sequence[Sequence[Placed]],
    trees: Sequence[Edges],
) -> Iterator[Layers]:
    """Take the layers of the documents of a block, one after the other.

    Args:
        block: key and response.
        table: their mentions, joined.
        errors: where the errors of each document stand.
        trees: the spanning trees of both sides.

    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs
    >>> from corefkit.analysis.errors.mentions import joined
    >>> key, response = [[(0, 1), (3, 3)]], [[(0, 1), (5, 6)]]
    >>> with open_runs(key, [response], settings=DEFAULT_SETTINGS) as opened:
    ...     ((_, block),) = iter_aligned_blocks(opened)
    >>> (layers,) = layers_of(block, joined(block), [()], [])
    >>> layers.places, layers.key, layers.response
    ([(0, 1), (3, 3), (5, 6)], [0, 0, -1], [0, -1, 0])
    """
    places = _places(table)
    own = _own_places(block, table, places)
    bounds = np.searchsorted(table.document, np.arange(table.documents + 1)).tolist()
    links = [_links(table, edges) for edges in trees]
    for number, placed in enumerate(errors):
        first, last = bounds[number], bounds[number + 1]
        yield Layers(
            places[first:last],
            table.key_entity[first:last].tolist(),
            table.response_entity[first:last].tolist(),
            {row - first: own[row] for row in range(first, last) if row in own}
            if own
            else {},
            [
                AboutEntity(tuple([row - first for row in one.rows]), one.entity)
                for one in placed
            ],
            [
                Link(anaphor - first, antecedent - first)
                for found in links
                for anaphor, antecedent in found[number]
            ],
            table.names is not None,
            block.response.numbers[number] is None,
            block.key.numbers[number] or 0,
        )


def _places(table: Joined) -> Sequence[Place]:
    if table.names is not None:
        return table.names
    return _parts(table.start, table.end, table.gaps)


def _parts(start: Ints, end: Ints, gaps: Mapping[int, Gaps]) -> list[Place]:
    bounds = zip(start.tolist(), end.tolist(), strict=True)
    places: list[Place] = [(bound,) for bound in bounds]
    for row, inside in gaps.items():
        places[row] = Mention(int(start[row]), int(end[row]), inside).parts
    return places


def _own_places(
    block: AlignedBlock, table: Joined, places: Sequence[Place]
) -> dict[int, Place]:
    """Find the response's mentions that stand elsewhere than those of the key."""
    paired = np.flatnonzero((table.key_mention >= 0) & (table.response_mention >= 0))
    number = table.response_mention[paired]
    if table.names is not None:
        theirs: Sequence[Place] = response_names(block, number)
    else:
        lacking = np.full(len(paired), -1, np.int64)
        theirs = _parts(*key_spans(block, table.document[paired], lacking, number))
    return {
        row: place
        for row, place in zip(paired.tolist(), theirs, strict=True)
        if place != places[row]
    }


def _links(table: Joined, edges: Edges) -> list[list[tuple[int, int]]]:
    """List the rows of the links of each document that are wrong."""
    found: list[list[tuple[int, int]]] = [[] for _ in range(table.documents)]
    wrong = np.flatnonzero(edges.wrong)
    anaphor, antecedent = edges.anaphor[wrong], edges.antecedent[wrong]
    document = table.document[anaphor]
    columns = document.tolist(), anaphor.tolist(), antecedent.tolist()
    for number, one, other in zip(*columns, strict=True):
        found[number].append((one, other))
    return found
