"""Mentions, links and errors of documents as pages draw them.

Each row index of a `MentionTable` is relative to the first row of its document.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from corefkit.alignment.scored_mentions import AlignedBlock
from corefkit.analysis.errors.kinds import ErrorRows
from corefkit.analysis.errors.links import TreeEdges
from corefkit.analysis.errors.mentions import (
    Gaps,
    MentionTable,
    compute_key_spans,
    list_response_names,
)
from corefkit.arrays.columns import Ints
from corefkit.model import Mention

# The parts of a mention, first and last token of each; or the name of a mention.
Place: TypeAlias = "Hashable"


@dataclass(frozen=True, slots=True)
class Layers:
    """The mentions of one document on both sides, and the rows of its errors."""

    places: Sequence[Place]  # by row, in the tokens of the key's text
    key: Sequence[int]  # the entity of each row; -1 if the key lacks it
    response: Sequence[int]
    # By row, mentions of the response that are aligned with key mentions elsewhere.
    response_places: Mapping[int, Place] = field(default_factory=dict)
    errors: Sequence[ErrorRows] = ()  # the rows of each of `DocumentErrors.errors`
    # The anaphor and antecedent of each of `recall_links`, then of `precision_links`.
    links: Sequence[tuple[int, int]] = ()
    is_named: bool = False  # mentions are names instead of tokens
    is_missing: bool = False  # the response lacks the document
    number: int = 0  # of the document in the key


def iter_layers(
    block: AlignedBlock,
    table: MentionTable,
    errors: Sequence[Sequence[ErrorRows]],
    trees: Sequence[TreeEdges],
) -> Iterator[Layers]:
    """Iterate over the layers of documents, given the rows of errors and both trees."""
    places: Sequence[Place] = table.names or ()
    if table.names is None:
        places = _list_parts(table.start, table.end, table.gaps)
    differences = _find_response_places(block, table, places)
    bounds = np.searchsorted(table.document, np.arange(table.documents + 1)).tolist()
    links: list[list[tuple[int, int]]] = [[] for _ in range(table.documents)]
    for edges in trees:
        wrong = np.flatnonzero(edges.is_wrong)
        rows = edges.anaphor[wrong].tolist(), edges.antecedent[wrong].tolist()
        for anaphor, antecedent in zip(*rows, strict=True):
            document = int(table.document[anaphor])
            first = bounds[document]
            links[document].append((anaphor - first, antecedent - first))
    for number, error_rows in enumerate(errors):
        first, last = bounds[number], bounds[number + 1]
        yield Layers(
            places[first:last],
            table.key_entity[first:last].tolist(),
            table.response_entity[first:last].tolist(),
            {
                row - first: differences[row]
                for row in range(first, last)
                if row in differences
            },
            [
                ErrorRows(tuple([row - first for row in rows]), entity)
                for rows, entity in error_rows
            ],
            links[number],
            table.names is not None,
            block.response.numbers[number] is None,
            block.key.numbers[number] or 0,
        )


def _list_parts(start: Ints, end: Ints, gaps: Mapping[int, Gaps]) -> list[Place]:
    bounds = zip(start.tolist(), end.tolist(), strict=True)
    places: list[Place] = [(bound,) for bound in bounds]
    for row, row_gaps in gaps.items():
        places[row] = Mention(int(start[row]), int(end[row]), row_gaps).parts
    return places


def _find_response_places(
    block: AlignedBlock, table: MentionTable, places: Sequence[Place]
) -> dict[int, Place]:
    """Return the response's mentions at other places than the aligned key mentions."""
    paired = np.flatnonzero((table.key_mention >= 0) & (table.response_mention >= 0))
    number = table.response_mention[paired]
    if table.names is not None:
        response_places: Sequence[Place] = list_response_names(block, number)
    else:
        absent = np.full(len(paired), -1, np.int64)
        document = table.document[paired]
        response_places = _list_parts(
            *compute_key_spans(block, document, absent, number)
        )
    return {
        row: place
        for row, place in zip(paired.tolist(), response_places, strict=True)
        if place != places[row]
    }
