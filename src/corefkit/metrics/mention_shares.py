"""The shares of single mentions in the counts of metrics that are sums over mentions.

The shares of all mentions add up to the counts of the metric:

    mentions   1 for each mention, in the numerators if both sides contain it
    muc        the link of each mention to the preceding one: 1 for each mention but the
               first of its entity, in the numerators for each but the first that a key
               and a response entity share
    b_cubed    the share of its entity that the other side keeps with the mention
    lea        the share of its links that the other side has

Mentions are in the order of the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.metrics.standard import count_links, count_shared_links

if TYPE_CHECKING:
    from corefkit.alignment.overlap import Overlap
    from corefkit.arrays.columns import Counts, Ints


class MentionOrder(NamedTuple):
    """The mentions of an overlap table in the order of the text."""

    cell: Ints  # of each pair of aligned mentions
    key_entity: Ints  # of each mention of the key
    response_entity: Ints  # of each mention of the response


class Shares(NamedTuple):
    """The shares of mentions in the counts of a metric, in the same order."""

    recall: Counts  # of each pair, in the numerator
    key: Counts  # of each mention of the key, in the denominator
    precision: Counts  # of each pair
    response: Counts  # of each mention of the response


def share_mentions(table: Overlap, order: MentionOrder) -> Shares:
    """Share mention detection among mentions."""
    del table
    pair, key, response = (np.ones(len(group), np.int64) for group in order)
    return Shares(pair, key, pair, response)


def share_muc(table: Overlap, order: MentionOrder) -> Shares:
    """Share MUC among anaphors."""
    del table
    pair, key, response = (_mark_followers(group) for group in order)
    return Shares(pair, key, pair, response)


def _mark_followers(group: Ints) -> Ints:
    """Return 1 for each member of a group but the first."""
    follows = np.ones(len(group), np.int64)
    follows[np.unique(group, return_index=True)[1]] = 0
    return follows


def share_b_cubed(table: Overlap, order: MentionOrder) -> Shares:
    """Share B³ among mentions."""
    return _share_cells(
        order, table.shared / table.key_size, table.shared / table.response_size
    )


def share_lea(table: Overlap, order: MentionOrder) -> Shares:
    """Share LEA among mentions."""
    resolved = count_shared_links(table.shared, table.key_size, table.response_size)

    def share(size: Counts) -> Counts:
        shares: Counts = size * resolved / (count_links(size) * table.shared)
        return shares

    return _share_cells(order, share(table.key_size), share(table.response_size))


def _share_cells(order: MentionOrder, recall: Counts, precision: Counts) -> Shares:
    """Give each pair the share of its cell, and each mention 1 in the denominators."""
    return Shares(
        recall[order.cell],
        np.ones(len(order.key_entity)),
        precision[order.cell],
        np.ones(len(order.response_entity)),
    )
