"""Intervals of a score or a difference, made of its draws.

An interval says how far a number would move with other texts of the same kind. With few
units the plain percentile interval is too narrow, since draws vary as if the mean of
the units were known; the expanded one makes up for that (Hesterberg 2015).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.analysis.compare.comparison import Interval
from corefkit.analysis.compare.procedure import INTERVALS

if TYPE_CHECKING:
    from corefkit.columns import Floats

_NEAR = 1e-9
NO_INTERVAL = Interval(math.nan, math.nan)


class Intervals(NamedTuple):
    """The intervals of one number."""

    by_kind: dict[str, Interval]
    # There is no BCa interval, and the percentile interval stands in its place.
    lacks_bca: bool = False


def intervals(
    draws: Floats, observed: float, left_out: Floats, *, alpha: float, strata: int = 1
) -> Intervals:
    """Make intervals of every kind, which cover all but `alpha`.

        percentile  the quantiles of the draws at alpha/2 and 1 - alpha/2
        expanded    those at a' and 1 - a', with
                    a' = Phi(-sqrt(n / (n-1)) t(1 - alpha/2, n-1))
        bca         those corrected for bias and skew (Efron 1987)
        t           the number and t(1 - alpha/2, n-1) standard errors to both sides

    n is the number of units; with several strata, these take the place of the 1. One
    unit, or strata of one, do not vary: the ends are NaN.

    Args:
        draws: the values of all draws.
        observed: the number itself.
        left_out: its values without one unit, for each unit.
        alpha: the share that an interval leaves out.
        strata: within how many strata units were drawn.

    Source: Hesterberg 2015, What teachers should know about the bootstrap.

    >>> draws = np.arange(1001) / 1000
    >>> made = intervals(draws, 0.5, np.array([0.4, 0.5, 0.6]), alpha=0.05)
    >>> made.by_kind["percentile"]
    Interval(low=0.025, high=0.975)
    """
    units = len(left_out)
    if units <= strata:
        return Intervals(dict.fromkeys(INTERVALS, NO_INTERVAL))
    tail = alpha / 2
    wide = expanded_tail(tail, units=units, strata=strata)
    skewed = _bca_tails(draws, observed, left_out, tail)
    low, high = skewed or (tail, 1 - tail)
    tails = [wide, 1 - wide, tail, 1 - tail, low, high]
    ends = np.quantile(draws, tails).tolist()
    far = float(margin(draws.std(), tail, units=units, strata=strata))
    by_kind = {
        "expanded": Interval(*ends[:2]),
        "percentile": Interval(*ends[2:4]),
        "bca": Interval(*ends[4:]),
        "t": Interval(observed - far, observed + far),
    }
    return Intervals(by_kind, skewed is None and bool(np.ptp(draws) > _NEAR))


def percentile(draws: Floats, alpha: float = 0.05) -> Interval:
    """Take the middle of the draws, all but `alpha` of them.

    >>> percentile(np.arange(1001) / 1000)
    Interval(low=0.025, high=0.975)
    """
    low, high = np.quantile(draws, [alpha / 2, 1 - alpha / 2]).tolist()
    return Interval(low, high)


def expanded_tail(tail: float, *, units: int, strata: int = 1) -> float:
    """Compute the smaller tail that makes up for few units.

    >>> round(expanded_tail(0.025, units=10), 6)
    0.008551
    """
    from scipy import special

    return float(special.ndtr(-margin(1.0, tail, units=units, strata=strata)))


def margin(
    deviation: float | Floats, tail: float, *, units: int, strata: int = 1
) -> Floats:
    """Compute how far a number can be off, from the standard deviation of its draws.

    That is Student's t times the standard error, with as many degrees of freedom as
    there are units, less the strata; draws vary less than the number by that much.

    >>> round(float(margin(1.0, 0.025, units=10)), 4)
    2.3845
    """
    from scipy import special

    degrees = units - strata
    bound = -special.stdtrit(degrees, tail)
    return np.asarray(bound * deviation * math.sqrt(units / degrees))


def _bca_tails(
    draws: Floats, observed: float, left_out: Floats, tail: float
) -> tuple[float, float] | None:
    """Correct both tails for bias and skew; None where that cannot be done.

    The bias z0 is the normal quantile of the share of draws below the number, those
    equal to it counting half. The skew is that of the jackknife.
    """
    from scipy import special

    off = draws - observed
    below = np.count_nonzero(off < -_NEAR)
    equal = np.count_nonzero(np.abs(off) <= _NEAR)
    bias = float(special.ndtri((below + equal / 2) / len(draws)))
    if not math.isfinite(bias) or np.ptp(left_out) <= _NEAR:
        return None
    apart = left_out.mean() - left_out
    skew = float((apart**3).sum() / (6 * (apart**2).sum() ** 1.5))
    moved = [bias + float(special.ndtri(end)) for end in (tail, 1 - tail)]
    if any(1 - skew * by <= 0 for by in moved):
        return None
    low, high = (float(special.ndtr(bias + by / (1 - skew * by))) for by in moved)
    return low, high
