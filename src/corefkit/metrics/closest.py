"""Closest entity: for each entity, how much it is like the most similar other one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.metrics.base import counted

if TYPE_CHECKING:
    from corefkit.alignment.table import Overlap
    from corefkit.columns import Counts, Floats, Ints


def closest_entity(table: Overlap) -> Floats:
    """Count the similarity of each entity to its closest one, for each document.

        recall = sum over k of the largest |k & r| / |k | r|   divided by   entities k

    Precision swaps key and response. Unlike in CEAF, several entities may have the same
    closest one. An entity that shares no mention with any other scores 0. A side
    without entities makes its ratio undefined.

    Source: Benjelloun et al. 2009; Menestrina et al. 2010, where it is the closest
    cluster F1.

    >>> from corefkit import METRICS, overlap
    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> score = METRICS["closest_entity"].score(closest_entity(table)[0])
    >>> round(score.recall, 4), round(score.precision, 4), round(score.f1, 4)
    (0.5, 0.4167, 0.4545)
    """
    alike = jaccard(table.shared, table.key_size, table.response_size)
    key, response = table.key, table.response
    return counted(
        table,
        (_largest(alike, table.key_entity, len(key)), key.document),
        (np.ones_like(key.size), key.document),
        (_largest(alike, table.response_entity, len(response)), response.document),
        (np.ones_like(response.size), response.document),
    )


def jaccard(shared: Counts, key_size: Ints, response_size: Ints) -> Floats:
    """Compare entities: the mentions that both have over those that either has."""
    alike: Floats = shared / (key_size + response_size - shared)
    return alike


def _largest(alike: Floats, entity: Ints, entities: int) -> Floats:
    """Find the largest similarity of each entity; 0 where it shares no mention."""
    largest = np.zeros(entities)
    np.maximum.at(largest, entity, alike)
    return largest
