"""Mention detection: mentions that both sides contain, in whatever entities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.metrics.metric import add_by_document

if TYPE_CHECKING:
    from corefkit.alignment.overlap import Overlap
    from corefkit.arrays.columns import Counts


def mentions(table: Overlap) -> Counts:
    """Count the mentions that both sides contain, for each document.

        recall = mentions in both / mentions of the key

    Precision divides by the mentions of the response. A side without mentions makes
    its ratio undefined.

    Source: Pradhan et al. 2014, section 3.

    >>> from corefkit import METRICS, overlap
    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> mentions(table).tolist()
    [[6, 7, 6, 8]]
    """
    key, response = table.key, table.response
    shared = table.shared, table.document
    return add_by_document(
        table,
        shared,
        (key.size, key.document),
        shared,
        (response.size, response.document),
    )
