"""Draws and swaps of units, and the p-values and intervals made of them.

This is the only module of the project that resamples. All systems, metrics and pairs
share the same draws and the same swaps. They come in blocks, units by samples, with a
number for each unit and sample: how often it was drawn, or 1 if a system keeps its own
unit and 0 if it takes that of the other.

A p-value is the share of chance outcomes that are at least as far from 0 as the
observed one. Those that are as far within 1e-9 count: sums of the same numbers in
another order differ in the last bits, and two equal systems must have a p of 1.

An interval says how far a number would move with other texts of the same kind. With few
units the plain percentile interval is too narrow, since draws vary as if the mean of
the units were known; the expanded one makes up for that (Hesterberg 2015).
"""

from __future__ import annotations

import math
import zlib
from hashlib import blake2b
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.analysis.compare.comparison import Interval
from corefkit.analysis.compare.procedure import INTERVALS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.random import Generator

    from corefkit.alignment.pipeline import Progress
    from corefkit.analysis.compare.sample import Measure, Sample
    from corefkit.arrays.columns import Flags, Floats, Ints

_ROUNDING = 1e-9
_BLOCK = 1000  # samples at a time
_CELLS = 2_000_000  # of a block, so that a block of many units stays small


def draw_units(
    units: Sequence[str],
    stratum: Sequence[int] | Ints = (),
    *,
    seed: int,
    samples: int,
) -> Iterator[Floats]:
    """Draw as many units as there are, with replacement, in blocks of samples.

    Units are drawn within their strata, where these are given. A draw depends on the
    seed and the names of the units, not on their order.

    >>> [block.sum(axis=0).tolist() for block in draw_units("ab", seed=0, samples=3)]
    [[2.0, 2.0, 2.0]]
    """
    order = np.array(sorted(range(len(units)), key=lambda at: units[at]), np.int64)
    numbers = np.zeros(len(units), np.int64) if len(stratum) == 0 else stratum
    of_sorted = np.asarray(numbers)[order]
    parts = [order[of_sorted == number] for number in np.unique(of_sorted)]
    sources = [_source([units[at] for at in part.tolist()], seed) for part in parts]
    for rows in _blocks(len(units), samples):
        block = np.empty((len(units), rows))
        for part, source in zip(parts, sources, strict=True):
            number = len(part)
            chances = np.full(number, 1 / number)
            block[part] = source.multinomial(number, chances, size=rows).T
        yield block


def _source(units: Sequence[str], seed: int) -> Generator:
    # Other units get other draws: nothing pairs them with these.
    return np.random.default_rng([seed, zlib.crc32(_bytes("\n".join(units)))])


def toss_swaps(units: Sequence[str], *, seed: int, samples: int) -> Iterator[Floats]:
    """Toss a coin for each unit, in blocks of samples.

    The coins of a unit depend on the seed and its name alone: other units that come or
    go change nothing.

    >>> (one,) = toss_swaps(["a", "b"], seed=0, samples=5)
    >>> (other,) = toss_swaps(["c", "b"], seed=0, samples=5)
    >>> one.shape, one[1].tolist() == other[1].tolist()
    ((2, 5), True)
    """
    many = -(-samples // 8)
    coins = b"".join(_coins(unit, seed, many) for unit in units)
    packed = np.frombuffer(coins, np.uint8).reshape(len(units), many)
    first = 0
    for rows in _blocks(len(units), samples):
        last = first + -(-rows // 8)
        bits = np.unpackbits(packed[:, first:last], axis=1, count=rows)
        yield bits.astype(np.float64)
        first = last


def _coins(unit: str, seed: int, many: int) -> bytes:
    # Eight bytes, since names that share their number would always be swapped together.
    number = int.from_bytes(blake2b(_bytes(unit), digest_size=8).digest(), "big")
    return np.random.default_rng([seed, number]).bytes(many)


def _bytes(name: str) -> bytes:
    # A file's name may have letters that cannot be written.
    return name.encode("utf-8", "surrogatepass")


def enumerate_swaps(units: int) -> Floats:
    """List half of all swaps: the others are these with the two systems changed.

    >>> enumerate_swaps(3).astype(int).tolist()
    [[1, 1, 1, 1], [1, 0, 1, 0], [1, 1, 0, 0]]
    """
    if units == 0:
        return np.empty((0, 1))
    number = np.arange(2 ** (units - 1))
    # The first unit is never swapped.
    bits = [np.ones_like(number), *(~number >> at & 1 for at in range(units - 1))]
    return np.array(bits, np.float64)


def _blocks(units: int, samples: int) -> Iterator[int]:
    """Cut samples into blocks of whole bytes, smaller if units are many."""
    rows = max(8, min(_BLOCK, _CELLS // max(units, 1)) // 8 * 8)
    for first in range(0, samples, rows):
        yield min(rows, samples - first)


def sums(sample: Sample, blocks: Iterable[Floats]) -> Iterator[Floats]:
    """Add up the counts of units as often as blocks say: systems by columns by samples.

    Each column lies together in memory, which makes rows of them fast to score.
    """
    # One product for all systems takes half as long as one for each.
    columns = np.concatenate(sample.counts, axis=1).T.copy()
    for block in blocks:
        yield (columns @ block).reshape(len(sample.systems), -1, block.shape[1])


def score_draws(
    sample: Sample, *, seed: int, samples: int, progress: Progress | None = None
) -> tuple[Floats, Floats]:
    """Score every draw: measures by systems by draws.

    Returned beside: for each measure and system, the share of draws that have a ratio
    without denominator.
    """
    shape = len(sample.measures), len(sample.systems)
    scores, undefined = np.empty((*shape, samples)), np.zeros(shape)
    first = 0
    if progress is not None:
        progress(first, samples)  # what was shown before was another work
    blocks = draw_units(sample.units, sample.stratum, seed=seed, samples=samples)
    for block in sums(sample, blocks):
        last = first + block.shape[2]
        for system, counts in enumerate(block):
            for at, measure in enumerate(sample.measures):
                rows = counts[measure.columns].T
                scores[at, system, first:last] = measure.score(rows)
                if measure.undefined is not None:
                    undefined[at, system] += measure.undefined(rows).sum()
        first = last
        if progress is not None:
            progress(first, samples)
    return scores, undefined / max(samples, 1)


def score_swaps(
    measure: Measure, moved: Floats, first: Floats, second: Floats
) -> Floats:
    """Compute the difference of two systems after swaps.

    `moved` has, for each of the measure's columns and each swap, how much the units
    that the first system kept count for it, less what they count for the second.
    `first` and `second` are the sums of both.
    """
    one = _cleared(second[:, None] + moved)
    other = _cleared(first[:, None] - moved)
    difference: Floats = measure.score(one.T) - measure.score(other.T)
    return difference


def _cleared(counts: Floats) -> Floats:
    """Clear what rounding has left of counts that cancel out: it has no ratio."""
    if counts.min(initial=1.0) < _ROUNDING:
        counts[np.abs(counts) < _ROUNDING] = 0.0
    return counts


def leave_one_out(sample: Sample, measure: Measure) -> Floats:
    """Compute the scores without one unit, for each system and unit: the jackknife."""
    return np.array(
        [
            measure.score(_cleared(counts.sum(axis=0) - counts)[:, measure.columns])
            for counts in sample.counts
        ]
    )


_NEAR = 1e-9
NO_INTERVAL = Interval(math.nan, math.nan)


class Intervals(NamedTuple):
    """The intervals of one number."""

    by_kind: dict[str, Interval]
    # There is no BCa interval, and the percentile interval stands in its place.
    lacks_bca: bool = False


def compute_intervals(
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
    >>> made = compute_intervals(draws, 0.5, np.array([0.4, 0.5, 0.6]), alpha=0.05)
    >>> made.by_kind["percentile"]
    Interval(low=0.025, high=0.975)
    """
    units = len(left_out)
    if units <= strata:
        return Intervals(dict.fromkeys(INTERVALS, NO_INTERVAL))
    tail = alpha / 2
    wide = expand_tail(tail, units=units, strata=strata)
    skewed = _bca_tails(draws, observed, left_out, tail)
    low, high = skewed or (tail, 1 - tail)
    tails = [wide, 1 - wide, tail, 1 - tail, low, high]
    ends = np.quantile(draws, tails).tolist()
    far = float(compute_margin(draws.std(), tail, units=units, strata=strata))
    by_kind = {
        "expanded": Interval(*ends[:2]),
        "percentile": Interval(*ends[2:4]),
        "bca": Interval(*ends[4:]),
        "t": Interval(observed - far, observed + far),
    }
    return Intervals(by_kind, skewed is None and bool(np.ptp(draws) > _NEAR))


def compute_percentile(draws: Floats, alpha: float = 0.05) -> Interval:
    """Take the middle of the draws, all but `alpha` of them.

    >>> compute_percentile(np.arange(1001) / 1000)
    Interval(low=0.025, high=0.975)
    """
    low, high = np.quantile(draws, [alpha / 2, 1 - alpha / 2]).tolist()
    return Interval(low, high)


def expand_tail(tail: float, *, units: int, strata: int = 1) -> float:
    """Compute the smaller tail that makes up for few units.

    >>> round(expand_tail(0.025, units=10), 6)
    0.008551
    """
    from scipy import special

    return float(special.ndtr(-compute_margin(1.0, tail, units=units, strata=strata)))


def compute_margin(
    deviation: float | Floats, tail: float, *, units: int, strata: int = 1
) -> Floats:
    """Compute how far a number can be off, from the standard deviation of its draws.

    That is Student's t times the standard error, with as many degrees of freedom as
    there are units, less the strata; draws vary less than the number by that much.

    >>> round(float(compute_margin(1.0, 0.025, units=10)), 4)
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


NEAR = 1e-9
MOST_ENUMERATED = 16  # units that differ, of which all swaps are enumerated
_POWER = 0.84  # the normal quantile of 0.8


class Question(NamedTuple):
    """What a randomization test asks: one measure, two systems, one alternative."""

    measure: int
    first: int
    second: int
    alternative: str = "two-sided"  # of the first to the second


class Tested(NamedTuple):
    """A p-value, and what it rests on."""

    p: float
    is_exact: bool = False  # all swaps were enumerated
    samples: int = 0  # how many swaps or draws were made; 0 for a t-test


def count_extreme(values: Floats, observed: float, alternative: str) -> int:
    """Count the values that are at least as far out as what was observed.

    >>> values = np.array([-0.3, 0.1, 0.2, 0.3])
    >>> [count_extreme(values, 0.2, side) for side in ("two-sided", "greater", "less")]
    [3, 2, 3]
    """
    if alternative == "two-sided":
        values, observed = np.abs(values), abs(observed)
    elif alternative == "less":
        values, observed = -values, -observed
    return int(np.count_nonzero(values >= observed - NEAR))


def flag_differing_units(
    sample: Sample, measure: Measure, first: int, second: int
) -> Flags:
    """Flag the units whose counts differ between two systems, for one measure."""
    one, other = (sample.counts[at][:, measure.columns] for at in (first, second))
    scale = np.maximum(1.0, np.abs(one))
    apart = np.abs(one - other) > NEAR * scale
    flags: Flags = np.any(apart, axis=1)
    return flags


def randomize(
    sample: Sample,
    questions: list[Question],
    *,
    seed: int,
    samples: int,
    most_enumerated: int = MOST_ENUMERATED,
    progress: Progress | None = None,
) -> dict[Question, Tested]:
    """Test differences by approximate randomization (Noreen 1989).

    If it does not matter which system an output comes from, the outputs of any unit can
    be swapped. The p-value is the share of all ways to swap units that give a
    difference at least as large as the one seen, in sums over all units. Only units
    that differ matter: if there are few, all ways are enumerated; otherwise `samples`
    are drawn, and the outcome seen is counted as one more:

        p = (count + 1) / (samples + 1)
    """
    found: dict[Question, Tested] = {}
    left = []
    for question in questions:
        measure = sample.measures[question.measure]
        flags = flag_differing_units(sample, measure, question.first, question.second)
        if np.count_nonzero(flags) <= most_enumerated:
            p = _enumerated(sample, question, flags)
            found[question] = Tested(p, True, 2 ** int(np.count_nonzero(flags)))
        else:
            left.append(question)
    counted: dict[Question, int] = {}
    if left:
        counted = _counted(sample, left, seed=seed, samples=samples, progress=progress)
    return found | {
        question: Tested((count + 1) / (samples + 1), False, samples)
        for question, count in counted.items()
    }


def _totals(sample: Sample, question: Question) -> tuple[Floats, Floats]:
    columns = sample.measures[question.measure].columns
    first, second = (
        sample.counts[at].sum(axis=0)[columns]
        for at in (question.first, question.second)
    )
    return first, second


def _observed(measure: Measure, first: Floats, second: Floats) -> float:
    one, other = (measure.score(total[None, :]) for total in (first, second))
    return float(one[0] - other[0])


def _enumerated(sample: Sample, question: Question, flags: Flags) -> float:
    """Enumerate all swaps of the units that differ."""
    measure = sample.measures[question.measure]
    first, second = _totals(sample, question)
    one, other = (
        sample.counts[at][flags][:, measure.columns]
        for at in (question.first, question.second)
    )
    moved = (one - other).T @ enumerate_swaps(len(one))
    differences = score_swaps(measure, moved, first, second)
    seen = _observed(measure, first, second)
    # Whoever swaps the other units instead gets the opposite difference.
    count = sum(
        count_extreme(half, seen, question.alternative)
        for half in (differences, -differences)
    )
    return count / (2 * len(differences))


def _counted(
    sample: Sample,
    questions: list[Question],
    *,
    seed: int,
    samples: int,
    progress: Progress | None,
) -> dict[Question, int]:
    """Count the swaps that come at least as far out, for all questions at once."""
    totals = {question: _totals(sample, question) for question in questions}
    seen = {
        question: _observed(sample.measures[question.measure], *total)
        for question, total in totals.items()
    }
    counts = dict.fromkeys(questions, 0)
    by_pair = sorted(questions, key=_pair)
    done = 0
    if progress is not None:
        progress(done, samples)  # what was shown before was another work
    for kept in sums(sample, toss_swaps(sample.units, seed=seed, samples=samples)):
        for (first, second), group in groupby(by_pair, key=_pair):
            moved = kept[first] - kept[second]
            for question in group:
                measure = sample.measures[question.measure]
                differences = score_swaps(
                    measure, moved[measure.columns], *totals[question]
                )
                counts[question] += count_extreme(
                    differences, seen[question], question.alternative
                )
        done += kept.shape[2]
        if progress is not None:
            progress(done, samples)
    return counts


def _pair(question: Question) -> tuple[int, int]:
    return question.first, question.second


def compute_bootstrap_p(draws: Floats, observed: float, alternative: str) -> float:
    """Test a difference by its draws, shifted so that their centre is 0.

        p = (1 + #{|d* - d| >= |d|}) / (draws + 1)

    This is not exact, and too small if units are few.

    Source: Berg-Kirkpatrick et al. 2012.

    >>> compute_bootstrap_p(np.array([0.1, 0.2, 0.3, 0.5]), 0.2, "two-sided")
    0.4
    """
    count = count_extreme(draws - observed, observed, alternative)
    return (1 + count) / (len(draws) + 1)


def compute_not_better(draws: Floats, observed: float) -> float:
    """Compute the share of draws in which the better system is not better.

    Many papers call this p. It is 1 where neither is better.

    >>> compute_not_better(np.array([0.1, 0.0, -0.1, 0.2]), 0.05)
    0.5
    """
    if abs(observed) <= NEAR:
        return 1.0
    return float(np.mean(math.copysign(1, observed) * draws <= NEAR))


def compute_paired_t(differences: Floats, alternative: str = "two-sided") -> float:
    """Test whether differences of documents have a mean of 0, by Student's t.

    Where all differences are equal there is no t: p is 1 if they are 0, and otherwise
    NaN.

    Source: Cai and Strube 2010.

    >>> round(compute_paired_t(np.array([0.1, 0.2, 0.0, 0.3])), 4)
    0.1027
    """
    from scipy import special

    number, mean = len(differences), float(np.mean(differences))
    if np.ptp(differences) <= NEAR:
        return 1.0 if abs(mean) <= NEAR else math.nan
    error = float(np.std(differences, ddof=1)) / math.sqrt(number)
    t = mean / error
    tails: Mapping[str, tuple[int, float]] = {
        "two-sided": (2, -abs(t)),
        "greater": (1, -t),
        "less": (1, t),
    }
    times, end = tails[alternative]
    return float(times * special.stdtr(number - 1, end))


def compute_least_detectable(
    deviation: float, *, units: int, alpha: float, strata: int = 1, pairs: int = 1
) -> float:
    """Compute the difference that would be found in four of five samples like this one.

        (t(1 - alpha / (2 pairs), n - 1) + 0.84) SE,   SE = deviation sqrt(n / (n - 1))

    where the deviation is that of the draws, and n the number of units. For m pairs the
    level of each is the smallest that a correction may ask for. NaN for one unit.

    Source: Card et al. 2020, on why to say it.

    >>> round(compute_least_detectable(0.01, units=10, alpha=0.05), 4)
    0.0327
    """
    if units <= strata:
        return math.nan
    error = deviation * math.sqrt(units / (units - strata))
    t_errors = float(
        compute_margin(deviation, alpha / 2 / pairs, units=units, strata=strata)
    )
    return t_errors + _POWER * error
