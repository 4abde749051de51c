"""B³: for each mention, the share of its entity that the other side keeps with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.metrics.base import counted

if TYPE_CHECKING:
    from corefkit.alignment.table import Overlap
    from corefkit.columns import Floats, Ints


def b_cubed(table: Overlap, together: Floats | Ints | None = None) -> Floats:
    """Count B³ for each document.

    Each mention scores the share of its own entity that the other side keeps with it.

        recall = sum over k, r of |k & r|^2 / |k|   divided by   sum over k of |k|

    Precision swaps key and response. Mentions of one side only add nothing to the
    numerator and stay in the denominator. A side without mentions makes its ratio
    undefined. Each shared mention is together with |k & r| mentions, unless `together`
    has another number for the mentions of each cell.

    Source: Bagga and Baldwin 1998; predicted mentions as in Pradhan et al. 2014,
    section 4.2.

    >>> from corefkit import METRICS, overlap
    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> score = METRICS["b_cubed"].score(b_cubed(table)[0])
    >>> round(score.recall, 4), round(score.precision, 4), round(score.f1, 4)
    (0.4167, 0.5, 0.4545)
    """
    key, response, shared = table.key, table.response, table.shared
    together = shared if together is None else together
    return counted(
        table,
        (credit(shared, together, table.key_size), table.document),
        (key.size, key.document),
        (credit(shared, together, table.response_size), table.document),
        (response.size, response.document),
    )


def credit(
    shared: Floats | Ints, together: Floats | Ints, size: Floats | Ints
) -> Floats:
    """Credit each shared mention with its share of an entity of this size."""
    return shared * together / size
