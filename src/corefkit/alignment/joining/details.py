"""What is known of mentions beside spans, moved to where their documents now stand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import places_in_runs
from corefkit.columns.details import shifted

if TYPE_CHECKING:
    from corefkit.columns import Columns, Flags, Ints
    from corefkit.columns.details import Details, Empties

_SENTENCES = 1 << 32  # no document has that many


def joined_details(
    details: Details, joined: Columns, entity: Ints, shift: Ints
) -> Details:
    """Move the details of mentions, and let entities with the same id be one.

    Args:
        details: those of the mentions in the order of `joined`, with the entities of
            their documents.
        joined: the mentions where they stand now.
        entity: the number in `joined` of each entity of a document.
        shift: by how many tokens each mention was moved.
    """
    gaps = shift[details.gap]
    first = np.unique(entity, return_index=True)[1]
    moved = replace(
        details,
        head=shifted(details.head, shift),
        minimum_start=shifted(details.minimum_start, shift),
        minimum_end=shifted(details.minimum_end, shift),
        gap_start=details.gap_start + gaps,
        gap_end=details.gap_end + gaps,
        referring=details.referring[first],
    )
    if len(details.split):
        moved = replace(moved, split=_joined_splits(entity[details.split]))
    if len(details.bridge):
        earliest = _earliest(joined, moved)
        anaphor, antecedent, named = details.bridge.T
        rows = [
            earliest[anaphor],
            np.where(antecedent < 0, -1, entity[antecedent]),
            np.where(named < 0, -1, earliest[named]),
        ]
        moved = replace(moved, bridge=np.stack(rows, axis=1))
    return moved


def _joined_splits(split: Ints) -> Ints:
    """Order rows by their entities; of those that are the same the first stays."""
    first = np.unique(split, axis=0, return_index=True)[1]
    kept = split[np.sort(first)]
    return kept[np.argsort(kept[:, 0], kind="stable")]


def _earliest(joined: Columns, details: Details) -> Ints:
    """Number the first copy of each mention, which is the one that scoring keeps."""
    shape = np.zeros(len(joined.start), np.int64)
    shapes: dict[tuple[tuple[int, int], ...], int] = {}
    for mention in np.unique(details.gap).tolist():
        first, last = np.searchsorted(details.gap, (mention, mention + 1))
        starts, ends = details.gap_start[first:last], details.gap_end[first:last]
        gaps = tuple(zip(starts.tolist(), ends.tolist(), strict=True))
        shape[mention] = shapes.setdefault(gaps, len(shapes) + 1)
    places = np.stack((joined.document, joined.start, joined.end, shape))
    _, first, copy = np.unique(places, axis=1, return_index=True, return_inverse=True)
    return first[copy.reshape(-1)]


def joined_empties(
    nodes: Empties | None, topic: Ints, offset: Ints, known: Flags
) -> Empties | None:
    """Move the empty nodes of documents; without words of a topic it has none.

    Args:
        nodes: those of the documents, and of others behind them.
        topic: the topic of each document.
        offset: by how many tokens each was moved.
        known: whether the words of each topic are.
    """
    if nodes is None:
        return None
    there = np.flatnonzero(nodes.document < len(topic))
    there = there[known[topic[nodes.document[there]]]]
    there = there[np.argsort(nodes.document[there], kind="stable")]
    if not len(there):
        return None
    number = np.full(len(nodes.document), -1, np.int64)
    number[there] = np.arange(len(there))
    dependent = number[nodes.dependent]
    links = np.flatnonzero(dependent >= 0)
    links = links[np.argsort(dependent[links], kind="stable")]
    document, parent = nodes.document[nodes.dependent[links]], nodes.parent[links]
    # Roots are numbered by sentence, the same on both sides.
    root = parent - places_in_runs(topic)[document] * _SENTENCES
    return replace(
        nodes,
        document=topic[nodes.document[there]],
        token=nodes.token[there] + offset[nodes.document[there]],
        initial=nodes.initial[there],
        dependent=dependent[links],
        parent=np.where(parent < 0, root, parent + offset[document]),
        relation=nodes.relation[links],
    )
