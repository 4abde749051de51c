"""B³: for each mention, the share of its entity that it is with on the other side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.metrics.metric import add_by_document

if TYPE_CHECKING:
    from corefkit.alignment.overlap import Overlap
    from corefkit.arrays.columns import Floats, Ints


def b_cubed(table: Overlap, common: Floats | Ints | None = None) -> Floats:
    """Count B³ for each document.

    Each mention scores the share of its own entity that the other side keeps with it.

        recall = sum over k, r of |k & r|^2 / |k|   divided by   sum over k of |k|

    Precision swaps key and response. Mentions of one side only add nothing to the
    numerator and count in the denominator. A side without mentions makes its ratio
    undefined. Each shared mention has |k & r| mentions in common with its entity,
    unless `common` contains another number for the mentions of each cell.

    Source: Bagga and Baldwin 1998; predicted mentions as in Pradhan et al. 2014,
    section 4.2.

    >>> from corefkit import METRICS, overlap
    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> score = METRICS["b_cubed"].score(b_cubed(table)[0])
    >>> round(score.recall, 4), round(score.precision, 4), round(score.f1, 4)
    (0.4167, 0.5, 0.4545)
    """
    key, response, shared = table.key, table.response, table.shared
    common = shared if common is None else common
    return add_by_document(
        table,
        (compute_credit(shared, common, table.key_size), table.document),
        (key.size, key.document),
        (compute_credit(shared, common, table.response_size), table.document),
        (response.size, response.document),
    )


def compute_credit(
    shared: Floats | Ints, common: Floats | Ints, size: Floats | Ints
) -> Floats:
    """Credit each shared mention with its share of an entity of this size."""
    return shared * common / size
