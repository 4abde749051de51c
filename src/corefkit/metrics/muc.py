"""MUC: how many links of a spanning tree over each entity the other side keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.metrics.base import counted

if TYPE_CHECKING:
    from corefkit.alignment.table import Overlap
    from corefkit.columns import Counts, Floats, Ints


def muc(table: Overlap) -> Counts:
    """Count MUC for each document.

    The response parts a key entity into the pieces that lie in one response entity
    each; a mention that the response lacks is a piece of its own.

        recall = sum over k of (|k| - pieces of k)
                 divided by   sum over k of (|k| - 1)

    A piece of n shared mentions keeps n - 1 links, a missing mention keeps none, so
    both numerators are the sum of (shared - 1) over the cells of the table. Precision
    swaps key and response. Singletons have no links: where all entities are singletons
    the score is undefined.

    Source: Vilain et al. 1995; predicted mentions as in Pradhan et al. 2014, section
    4.1.

    >>> from corefkit import METRICS, overlap
    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> muc(table).tolist()
    [[2, 5, 2, 5]]
    """
    key, response = table.key, table.response
    kept = tree_links(table.shared), table.document
    return counted(
        table,
        kept,
        (tree_links(key.size), key.document),
        kept,
        (tree_links(response.size), response.document),
    )


def tree_links(size: Floats | Ints) -> Floats | Ints:
    """Count the links of a tree that spans some mentions."""
    return size - 1
