"""Mention overlap: the tokens that mentions share, in whatever entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.assignment import solve_assignment
from corefkit.alignment.candidates import pair_overlapping
from corefkit.alignment.matching import align_equal, compute_positions
from corefkit.metrics.standard import to_rows
from corefkit.settings import DEFAULT_SETTINGS

if TYPE_CHECKING:
    from corefkit.alignment.matching import Positions
    from corefkit.alignment.overlap import Overlap
    from corefkit.arrays.columns import Columns, Counts, Ints


def mor(table: Overlap) -> Counts:
    """Count the tokens that mentions share, for each document.

    With g the one-to-one map of key to response mentions of the largest total,

        recall = sum over k of |k and g(k)|   divided by   sum over k of |k|

    in tokens; precision divides by the sum over r of |r|. The map is not the alignment
    that other metrics use, so the setting `match` has no effect. Mentions that are
    names have one token each.

    Source: Žabokrtský et al. 2022, section 4.2 (MOR).

    >>> import corefkit
    >>> def document(*entities):
    ...     mentions = (
    ...         [corefkit.Mention(*span) for span in spans] for spans in entities
    ...     )
    ...     return corefkit.Document(
    ...         "d", (), tuple(map(corefkit.Entity, "12", map(tuple, mentions)))
    ...     )
    >>> key, response = document([(0, 3)], [(5, 5)]), document([(0, 1), (5, 6)])
    >>> score = corefkit.score(key, response, metrics=["mor"])["mor"]
    >>> score.recall_numerator, score.recall_denominator, score.precision_denominator
    (3.0, 5.0, 4.0)
    """
    key, response = compute_positions(table.mentions.key, table.mentions.response)
    document = key.columns.document
    # A best map contains the pairs of equal mentions: k and r have at least as many
    # tokens in common as k shares with another r' and r with another k', less those
    # that k' and r' share.
    equal = align_equal(key.columns, response.columns, DEFAULT_SETTINGS)
    unequal = compute_positions(
        _drop_mentions(key, equal.key), _drop_mentions(response, equal.response)
    )
    pairs = pair_overlapping(*unequal)
    cells = solve_assignment(pairs.key, pairs.response, pairs.weight)
    total = table.by_document(key.size()[equal.key], document[equal.key])
    tokens = pairs.weight[cells].astype(np.int64)
    total += table.by_document(tokens, unequal[0].columns.document[pairs.key[cells]])
    return to_rows(
        total,
        table.by_document(key.size(), document),
        total,
        table.by_document(response.size(), response.columns.document),
    )


def _drop_mentions(side: Positions, mentions: Ints) -> Columns:
    flags = np.ones(len(side.start), np.bool_)
    flags[mentions] = False
    return side.columns.keep(flags)
