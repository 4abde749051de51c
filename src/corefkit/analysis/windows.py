"""Scores inside disjoint windows of tokens, as for books.

A window has the mentions whose first token is in it; matched mentions are in the window
of the key mention. An entity that continues in another window is a new entity there, as
if the document were split into files. The counts of a document are the sums over its
windows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.overlap import Entities, Overlap
from corefkit.analysis.errors.mention_facts import has_tokens
from corefkit.analysis.errors.mentions import join_mentions
from corefkit.exceptions import SettingsError
from corefkit.metrics.standard import add_by_group

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.alignment.pipeline import Run
    from corefkit.alignment.scored_mentions import AlignedBlock
    from corefkit.arrays.columns import Counts, Flags, Ints
    from corefkit.metrics.metric import Metric


def count_windows(
    run: Run, block: AlignedBlock, metrics: Iterable[Metric], window: int
) -> dict[str, Counts]:
    """Count metrics in each window, and add up the counts of each document."""
    has_copies = (block.key.copies + block.response.copies).any()
    if run.settings.counts_copies and has_copies:
        message = (
            "duplicate mentions counted as the reference scorer does belong to no "
        )
        message += "window"
        hint = "--repeated first scores the first of them"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    table, document = split_windows(run, block, window)
    counts: dict[str, Counts] = {}
    for metric in metrics:
        rows = metric.count(table)
        columns = [
            add_by_group(column, document, block.table.documents) for column in rows.T
        ]
        counts[metric.name] = np.stack(columns, axis=1)
    return counts


def split_windows(run: Run, block: AlignedBlock, window: int) -> tuple[Overlap, Ints]:
    """Return the overlap table of the windows of a block, and their documents."""
    mentions = join_mentions(block)
    if not has_tokens(run, mentions):
        message = "mentions are names, expected tokens, which windows require"
        hint = "use a format with tokens, or mentions (first token, last token)"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    width = int(mentions.start.max(initial=0)) // window + 1
    codes, place = np.unique(
        mentions.document * width + mentions.start // window, return_inverse=True
    )
    sides, labels = [], []
    for role, entity in (
        ("key", mentions.key_entity),
        ("response", mentions.response_entity),
    ):
        label, side = _split_entities(
            entity, place, drops_singletons=role in run.settings.without_singletons
        )
        labels.append(label)
        sides.append(side)
    key, response = labels
    is_shared = (key >= 0) & (response >= 0)
    size = max(len(sides[1]), 1)
    cells, shared = np.unique(
        key[is_shared] * size + response[is_shared], return_counts=True
    )
    key_entity, response_entity = np.divmod(cells, size)
    table = Overlap(len(codes), sides[0], sides[1], key_entity, response_entity, shared)
    return table, codes // width


def _split_entities(
    entity: Ints, place: Ints, *, drops_singletons: bool
) -> tuple[Ints, Entities]:
    """Number the entities of a side by window; return them by row, -1 for none."""
    rows = np.flatnonzero(entity >= 0)
    if drops_singletons:
        rows = rows[_mark_non_singletons(entity[rows], place[rows])]
    count = int(entity.max(initial=0)) + 1
    parts, label, size = np.unique(
        place[rows] * count + entity[rows], return_inverse=True, return_counts=True
    )
    labels = np.full(len(entity), -1, np.int64)
    labels[rows] = label
    return labels, Entities(parts // count, size)


def _mark_non_singletons(entity: Ints, place: Ints) -> Flags:
    count = int(entity.max(initial=0)) + 1
    _, label, size = np.unique(
        place * count + entity, return_inverse=True, return_counts=True
    )
    flags: Flags = size[label] > 1
    return flags
