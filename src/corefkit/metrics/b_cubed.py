"""B³: for each mention, the share of its entity that the other side keeps with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.metrics.base import rows

if TYPE_CHECKING:
    from corefkit.alignment.table import Overlap
    from corefkit.columns import Floats


def b_cubed(table: Overlap) -> Floats:
    """Count B³ for each document.

    Each mention scores the share of its own entity that the other side keeps with it.

        recall = sum over k, r of |k & r|^2 / |k|   divided by   sum over k of |k|

    Precision swaps key and response. Mentions of one side only add nothing to the
    numerator and stay in the denominator. A side without mentions makes its ratio
    undefined.

    Source: Bagga and Baldwin 1998; predicted mentions as in Pradhan et al. 2014,
    section 4.2.

    >>> from corefkit import METRICS, overlap
    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> score = METRICS["b_cubed"].score(b_cubed(table)[0])
    >>> round(score.recall, 4), round(score.precision, 4), round(score.f1, 4)
    (0.4167, 0.5, 0.4545)
    """
    squares = table.shared.astype(float) ** 2
    return rows(
        table.by_document(squares / table.key_size, table.document),
        table.by_document(table.key.size, table.key.document),
        table.by_document(squares / table.response_size, table.document),
        table.by_document(table.response.size, table.response.document),
    )
