"""MUC: the links of a spanning tree over each entity that the other side contains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.metrics.metric import add_by_document

if TYPE_CHECKING:
    from corefkit.alignment.overlap import Overlap
    from corefkit.arrays.columns import Counts, Floats, Ints


def muc(table: Overlap) -> Counts:
    """Count MUC for each document.

    The response partitions a key entity into the pieces that lie in one response entity
    each; a mention that the response lacks is a piece by itself.

        recall = sum over k of (|k| - pieces of k)
                 divided by   sum over k of (|k| - 1)

    A piece of n shared mentions keeps n - 1 links, a missing mention keeps none, so
    both numerators are the sum of (shared - 1) over the cells of the table. Precision
    swaps key and response. Singletons have no links: if all entities are singletons,
    the score is undefined.

    Source: Vilain et al. 1995; predicted mentions as in Pradhan et al. 2014, section
    4.1.

    >>> from corefkit import METRICS, overlap
    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> muc(table).tolist()
    [[2, 5, 2, 5]]
    """
    key, response = table.key, table.response
    links = count_tree_links(table.shared), table.document
    return add_by_document(
        table,
        links,
        (count_tree_links(key.size), key.document),
        links,
        (count_tree_links(response.size), response.document),
    )


def count_tree_links(size: Floats | Ints) -> Floats | Ints:
    """Count the links of a tree that spans the mentions."""
    return size - 1
