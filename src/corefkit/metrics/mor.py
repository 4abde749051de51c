"""Mentions, whatever their entity: how well do they overlap?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.assignment import best_map
from corefkit.alignment.matching import equal
from corefkit.alignment.matching.candidates import overlapping_mentions
from corefkit.alignment.matching.positions import positions
from corefkit.metrics.base import rows
from corefkit.settings import DEFAULT_SETTINGS

if TYPE_CHECKING:
    from corefkit.alignment.matching.positions import Positions
    from corefkit.alignment.table import Overlap
    from corefkit.columns import Columns, Counts, Ints


def mor(table: Overlap) -> Counts:
    """Count the tokens that mentions share, for each document.

    With g the one-to-one map of key to response mentions of the largest total,

        recall = sum over k of |k and g(k)|   divided by   sum over k of |k|

    in tokens; precision divides by the sum over r of |r|. The map is not the alignment
    that other metrics use, so the way of matching does not matter. Mentions that are
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
    key, response = positions(table.mentions.key, table.mentions.response)
    document = key.columns.document
    # Equal mentions belong together: k and r have no fewer tokens in common than what k
    # shares with another r' and r with another k', less what k' and r' share.
    same = equal(key.columns, response.columns, DEFAULT_SETTINGS)
    rest = positions(_without(key, same.key), _without(response, same.response))
    row, column, shared = overlapping_mentions(*rest)
    chosen = best_map(row, column, shared)
    total = table.by_document(key.size()[same.key], document[same.key])
    tokens = shared[chosen].astype(np.int64)
    total += table.by_document(tokens, rest[0].columns.document[row[chosen]])
    return rows(
        total,
        table.by_document(key.size(), document),
        total,
        table.by_document(response.size(), response.columns.document),
    )


def _without(side: Positions, mentions: Ints) -> Columns:
    others = np.ones(len(side.start), np.bool_)
    others[mentions] = False
    return side.columns.keep(others)
