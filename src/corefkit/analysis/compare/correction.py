"""Many tests at once: p-values that hold for all of them.

With m tests at 0.05 something is found by chance more often than in 5 % of studies.
Adjusted p-values are compared with the level as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corefkit.columns import Floats, Ints


def holm(p: Floats) -> Floats:
    """Adjust by Holm (1979): the smallest p times m, the next times m - 1, and so on.

    None is smaller than one that comes before it. This holds however the tests depend
    on each other.

    >>> holm(np.array([0.04, 0.01, 0.03])).round(4).tolist()
    [0.06, 0.03, 0.06]
    """
    order, factors = _steps(p)
    return _put_back(np.maximum.accumulate(factors * p[order]), order)


def hochberg(p: Floats) -> Floats:
    """Adjust by Hochberg (1988): the same factors, from the largest p to the smallest.

    None is larger than one that comes after it. This finds more than Holm, but holds
    only for tests that depend on each other in a positive way, which pairs of systems
    do not promise.

    >>> hochberg(np.array([0.04, 0.01, 0.03])).round(4).tolist()
    [0.04, 0.03, 0.04]
    """
    order, factors = _steps(p)
    steps = (factors * p[order])[::-1]
    return _put_back(np.minimum.accumulate(steps)[::-1], order)


def bonferroni(p: Floats) -> Floats:
    """Adjust by Bonferroni: every p times m.

    >>> bonferroni(np.array([0.04, 0.5])).tolist()
    [0.08, 1.0]
    """
    return np.minimum(p * len(p), 1.0)


def none(p: Floats) -> Floats:
    """Leave the p-values as they are.

    >>> none(np.array([0.04, 0.5])).tolist()
    [0.04, 0.5]
    """
    return p


CORRECTED: Mapping[str, Callable[[Floats], Floats]] = {
    "holm": holm,
    "hochberg": hochberg,
    "bonferroni": bonferroni,
    "none": none,
}


def adjusted(p: Sequence[float], correction: str) -> list[float]:
    """Adjust the p-values of one family of tests.

    A test that could not be made has NaN for its p: it counts as one of the family, and
    stays NaN.

    >>> adjusted([0.04, 0.01, 0.03], "bonferroni")
    [0.12, 0.03, 0.09]
    """
    raw = np.array(p, float)
    missing = np.isnan(raw)
    found = CORRECTED[correction](np.where(missing, 1.0, raw))
    made: list[float] = np.where(missing, np.nan, found).tolist()
    return made


def smallest_adjusted(p: float, number: int, correction: str) -> float:
    """Compute what p is at least after correction, however the others come out.

    >>> smallest_adjusted(0.01, 6, "holm"), smallest_adjusted(0.01, 6, "hochberg")
    (0.06, 0.01)
    """
    # By Hochberg, if all others are as small.
    times = number if correction in ("holm", "bonferroni") else 1
    return min(1.0, p * times)


def _steps(p: Floats) -> tuple[Ints, Ints]:
    order = np.argsort(p, kind="stable")
    return order, np.arange(len(p), 0, -1)


def _put_back(values: Floats, order: Ints) -> Floats:
    found = np.empty(len(values))
    found[order] = np.minimum(values, 1.0)
    return found
