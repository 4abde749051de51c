"""Draws and swaps of units, and p-values and intervals based on them.

This is the only module of the project that resamples. All systems, metrics and pairs
share the same draws and the same swaps. They come in blocks, units by samples, with a
number for each unit and sample: how often it was drawn, or 1 if a system keeps its own
unit and 0 if it takes that of the other.

A p-value is the share of chance outcomes that are at least as far from 0 as the
observed one. Outcomes that are equal within 1e-9 count: sums of the same numbers in
another order differ in the last bits, and two equal systems must have a p of 1.

An interval shows how far a number would move with other texts of the same kind. With
few units the plain percentile interval is too narrow; the expanded one makes up for
that (Hesterberg 2015).
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import NamedTuple

import numpy as np

from corefkit.alignment.pipeline import Progress
from corefkit.analysis.compare.comparison import Interval
from corefkit.analysis.compare.procedure import CHOICES
from corefkit.analysis.compare.sample import Measure, Sample
from corefkit.arrays.columns import Flags, Floats, Ints

TOLERANCE = 1e-9
MAX_ENUMERATED = 16  # units that differ, of which all swaps are enumerated
_BLOCK_SAMPLES = 1000
_BLOCK_CELLS = 2_000_000  # limits the memory of a block with many units
_POWER_QUANTILE = 0.84  # the normal quantile of 0.8


class SystemPair(NamedTuple):
    """Two systems by number, and the alternative of the first to the second."""

    first: int
    second: int
    alternative: str = "two-sided"


class PairTest(NamedTuple):
    """The p-value of a test, and its evidence."""

    p: float
    is_exact: bool = False  # all swaps were enumerated
    samples: int = 0  # the number of swaps or draws; 0 for a t-test


def draw_units(
    units: Sequence[str],
    stratum: Sequence[int] | Ints = (),
    *,
    seed: int,
    samples: int,
) -> Iterator[Floats]:
    """Draw as many units as there are, with replacement, in blocks of samples.

    Units are drawn within their strata, if any. A draw depends on the seed and the
    names of the units, not on their order.
    """
    order = np.array(sorted(range(len(units)), key=lambda unit: units[unit]), np.int64)
    numbers = np.zeros(len(units), np.int64) if len(stratum) == 0 else stratum
    sorted_numbers = np.asarray(numbers)[order]
    parts = [order[sorted_numbers == number] for number in np.unique(sorted_numbers)]
    # Other units get other draws, so that they are never paired by accident.
    names = ["\n".join(units[unit] for unit in part.tolist()) for part in parts]
    generators = [
        np.random.default_rng([seed, zlib.crc32(_encode(name))]) for name in names
    ]
    for rows in _iter_block_sizes(len(units), samples):
        block = np.empty((len(units), rows))
        for part, generator in zip(parts, generators, strict=True):
            size = len(part)
            chances = np.full(size, 1 / size)
            block[part] = generator.multinomial(size, chances, size=rows).T
        yield block


def toss_swaps(units: Sequence[str], *, seed: int, samples: int) -> Iterator[Floats]:
    """Toss a coin for each unit, in blocks of samples.

    The coins of a unit depend only on the seed and its name, not on the other units.
    """
    size = -(-samples // 8)
    coins = b"".join(_toss_coins(unit, seed, size) for unit in units)
    packed = np.frombuffer(coins, np.uint8).reshape(len(units), size)
    first = 0
    for rows in _iter_block_sizes(len(units), samples):
        last = first + -(-rows // 8)
        bits = np.unpackbits(packed[:, first:last], axis=1, count=rows)
        yield bits.astype(np.float64)
        first = last


def _toss_coins(unit: str, seed: int, size: int) -> bytes:
    # Units with the same hash would always be swapped together: use eight bytes.
    number = int.from_bytes(blake2b(_encode(unit), digest_size=8).digest(), "big")
    return np.random.default_rng([seed, number]).bytes(size)


def _encode(name: str) -> bytes:
    # File names may have lone surrogates.
    return name.encode("utf-8", "surrogatepass")


def enumerate_swaps(units: int) -> Floats:
    """Enumerate half of all swaps; the others exchange the two systems."""
    if units == 0:
        return np.empty((0, 1))
    number = np.arange(2 ** (units - 1))
    # The first unit is never swapped.
    bits = [np.ones_like(number), *(~number >> bit & 1 for bit in range(units - 1))]
    return np.array(bits, np.float64)


def _iter_block_sizes(units: int, samples: int) -> Iterator[int]:
    """Split samples into blocks of full bytes, smaller if there are many units."""
    rows = max(8, min(_BLOCK_SAMPLES, _BLOCK_CELLS // max(units, 1)) // 8 * 8)
    for first in range(0, samples, rows):
        yield min(rows, samples - first)


def add_blocks(sample: Sample, blocks: Iterable[Floats]) -> Iterator[Floats]:
    """Add up counts of units by the weights of blocks: runs by columns by samples.

    Each column is contiguous in memory, so that rows of columns are fast to score.
    """
    # A single product takes half the time of one product for each run.
    columns = np.concatenate(sample.counts, axis=1).T.copy()
    parts = _split_columns(columns, sample)
    for block in blocks:
        totals = np.zeros((len(columns), block.shape[1]))
        for rows, units, counts in parts:
            totals[rows] = counts @ block[units]
        yield totals.reshape(len(sample.counts), -1, block.shape[1])


def _split_columns(
    columns: Floats, sample: Sample
) -> list[tuple[Ints | slice, Ints | slice, Floats]]:
    """Split columns by strata if each column has counts of one stratum only.

    A part is the indexes of columns and units, and the counts of these.
    """
    strata = [np.flatnonzero(sample.stratum == i) for i in range(len(sample.strata))]
    filled = [np.flatnonzero(columns[:, units].any(axis=1)) for units in strata]
    if len(strata) == 1 or sum(map(len, filled)) > len(columns):
        return [(slice(None), slice(None), columns)]
    return [
        (rows, units, columns[np.ix_(rows, units)])
        for rows, units in zip(filled, strata, strict=True)
    ]


def score_draws(
    sample: Sample, *, seed: int, samples: int, progress: Progress | None = None
) -> tuple[Floats, Floats]:
    """Compute the score of every draw: measures by systems by draws.

    If a system has several runs, each draw also draws from these: one fewer than there
    are, which gives the mean the variance of its standard error.

    Also returns, for each measure and system, the share of draws with a ratio that has
    no denominator.
    """
    shape = len(sample.measures), len(sample.counts)
    scores, undefined = np.empty((*shape, samples)), np.zeros(shape)
    first = 0
    if progress is not None:
        progress(first, samples)  # restarts the progress bar
    blocks = draw_units(sample.units, sample.stratum, seed=seed, samples=samples)
    for block in add_blocks(sample, blocks):
        last = first + block.shape[2]
        for run, counts in enumerate(block):
            for number, measure in enumerate(sample.measures):
                rows = counts[measure.columns].T
                scores[number, run, first:last] = measure.score(rows)
                undefined[number, run] += measure.flag_undefined(rows).sum()
        first = last
        if progress is not None:
            progress(first, samples)
    undefined /= max(samples, 1)
    if not sample.has_runs:
        return scores, undefined
    shares = [sample.average_runs(row) for row in undefined]
    return _draw_runs(sample, scores, seed=seed), np.array(shares)


def _draw_runs(sample: Sample, scores: Floats, *, seed: int) -> Floats:
    """Average drawn runs of each system in each draw: measures by systems by draws."""
    means, first = [], 0
    for name, size in zip(sample.systems, sample.runs, strict=True):
        runs = scores[:, first : first + size]
        first += size
        if size == 1:
            means.append(runs[:, 0])
            continue
        generator = np.random.default_rng([seed, zlib.crc32(_encode(name)), size])
        chances = np.full(size, 1 / size)
        drawn = generator.multinomial(size - 1, chances, size=scores.shape[2])
        means.append(np.einsum("mrd,dr->md", runs, drawn) / (size - 1))
    return np.stack(means, axis=1)


def score_swaps(
    measure: Measure, moved: Floats, first: Floats, second: Floats
) -> Floats:
    """Compute the difference of two systems after swaps, from their sums.

    For each column of the measure and each swap, `moved` has the counts of the units
    that the first system kept, less those of the second for these units.
    """
    swapped_first = _clear_rounding(second[:, None] + moved)
    swapped_second = _clear_rounding(first[:, None] - moved)
    scores = measure.score(swapped_first.T)
    difference: Floats = scores - measure.score(swapped_second.T)
    return difference


def _clear_rounding(counts: Floats) -> Floats:
    """Set counts to 0 that are 0 except for rounding, as these have no ratio."""
    if counts.min(initial=1.0) < TOLERANCE:
        counts[np.abs(counts) < TOLERANCE] = 0.0
    return counts


def leave_one_out(sample: Sample, measure: Measure) -> Floats:
    """Compute the score of each system without each unit: the jackknife."""
    scores = [
        measure.score(_clear_rounding(counts.sum(axis=0) - counts)[:, measure.columns])
        for counts in sample.counts
    ]
    return sample.average_runs(np.array(scores))


def compute_intervals(
    draws: Floats, observed: float, jackknife: Floats, *, alpha: float, strata: int = 1
) -> tuple[dict[str, Interval], bool]:
    """Compute intervals of every kind, which cover all but `alpha`.

        percentile  the quantiles of the draws at alpha/2 and 1 - alpha/2
        expanded    those at a' and 1 - a', with
                    a' = Phi(-sqrt(n / (n-1)) t(1 - alpha/2, n-1))
        bca         those corrected for bias and skew (Efron 1987); if that fails, those
                    of `percentile`, and the flag that is returned is True
        t           the number and t(1 - alpha/2, n-1) standard errors to both sides

    n is the number of units; the number of strata takes the place of the 1. A single
    unit, or strata of one unit, do not vary: the ends are NaN.

    Source: Hesterberg 2015, What teachers should know about the bootstrap.
    """
    units = len(jackknife)
    if units <= strata:
        return dict.fromkeys(CHOICES["interval"], Interval(math.nan, math.nan)), False
    tail = alpha / 2
    wide_tail = expand_tail(tail, units=units, strata=strata)
    bca_tails = _compute_bca_tails(draws, observed, jackknife, tail)
    low, high = bca_tails or (tail, 1 - tail)
    tails = [wide_tail, 1 - wide_tail, tail, 1 - tail, low, high]
    ends = np.quantile(draws, tails).tolist()
    margin = float(compute_margin(draws.std(), tail, units=units, strata=strata))
    intervals = {
        "expanded": Interval(*ends[:2]),
        "percentile": Interval(*ends[2:4]),
        "bca": Interval(*ends[4:]),
        "t": Interval(observed - margin, observed + margin),
    }
    return intervals, bca_tails is None and bool(np.ptp(draws) > TOLERANCE)


def expand_tail(tail: float, *, units: int, strata: int = 1) -> float:
    """Compute the smaller tail that makes up for few units."""
    from scipy import special

    return float(special.ndtr(-compute_margin(1.0, tail, units=units, strata=strata)))


def compute_margin(
    deviation: float | Floats, tail: float, *, units: int, strata: int = 1
) -> Floats:
    """Compute the half width of an interval from the standard deviation of draws.

    It is Student's t times the standard error, with as many degrees of freedom as units
    less strata. Draws vary less than the number by the square root of n / (n - 1).
    """
    from scipy import special

    degrees = units - strata
    t = -special.stdtrit(degrees, tail)
    return np.asarray(t * deviation * math.sqrt(units / degrees))


def _compute_bca_tails(
    draws: Floats, observed: float, jackknife: Floats, tail: float
) -> tuple[float, float] | None:
    """Correct both tails for bias and skew; None if that is not possible.

    The bias z0 is the normal quantile of the share of draws below the number, half of
    those equal to it included. The skew is that of the jackknife.
    """
    from scipy import special

    offsets = draws - observed
    below = np.count_nonzero(offsets < -TOLERANCE)
    equal = np.count_nonzero(np.abs(offsets) <= TOLERANCE)
    bias = float(special.ndtri((below + equal / 2) / len(draws)))
    if not math.isfinite(bias) or np.ptp(jackknife) <= TOLERANCE:
        return None
    deviations = jackknife.mean() - jackknife
    skew = float((deviations**3).sum() / (6 * (deviations**2).sum() ** 1.5))
    quantiles = [bias + float(special.ndtri(end)) for end in (tail, 1 - tail)]
    if any(1 - skew * quantile <= 0 for quantile in quantiles):
        return None
    low, high = (
        float(special.ndtr(bias + quantile / (1 - skew * quantile)))
        for quantile in quantiles
    )
    return low, high


def count_extreme(values: Floats, observed: float, alternative: str) -> int:
    """Count the values that are at least as extreme as the observed one."""
    if alternative == "two-sided":
        values, observed = np.abs(values), abs(observed)
    elif alternative == "less":
        values, observed = -values, -observed
    return int(np.count_nonzero(values >= observed - TOLERANCE))


def flag_differing_units(
    sample: Sample, measure: Measure, first: int, second: int
) -> Flags:
    """Return whether the counts of each unit differ between runs of two systems."""
    ends = np.cumsum(sample.runs)
    first_counts, *others = [
        sample.counts[run][:, measure.columns]
        for system in (first, second)
        for run in range(ends[system] - sample.runs[system], ends[system])
    ]
    scale = np.maximum(1.0, np.abs(first_counts))
    flags: Flags = np.zeros(len(first_counts), bool)
    for counts in others:
        flags |= np.any(np.abs(first_counts - counts) > TOLERANCE * scale, axis=1)
    return flags


def randomize(
    sample: Sample,
    questions: Sequence[tuple[int, SystemPair]],
    *,
    seed: int,
    samples: int,
    max_enumerated: int = MAX_ENUMERATED,
    progress: Progress | None = None,
) -> dict[tuple[int, SystemPair], PairTest]:
    """Test differences by approximate randomization (Noreen 1989).

    Under the null hypothesis, the outputs of any unit can be swapped between the
    systems. The p-value is the share of all ways to swap units that give a difference
    at least as extreme as the observed one, in sums over all units. Only units that
    differ matter: if there are few, all ways are enumerated; otherwise `samples` are
    drawn, and the observed outcome is counted as one more:

        p = (count + 1) / (samples + 1)

    Each question is a pair and the index of a measure.
    """
    outcomes: dict[tuple[int, SystemPair], PairTest] = {}
    remaining = []
    for number, pair in questions:
        flags = flag_differing_units(
            sample, sample.measures[number], pair.first, pair.second
        )
        differing = int(np.count_nonzero(flags))
        if differing <= max_enumerated:
            p = _enumerate_p(sample, number, pair, flags)
            outcomes[number, pair] = PairTest(p, True, 2**differing)
        else:
            remaining.append((number, pair))
    counts: dict[tuple[int, SystemPair], int] = {}
    if remaining:
        counts = _count_extreme_swaps(
            sample, remaining, seed=seed, samples=samples, progress=progress
        )
    return outcomes | {
        question: PairTest((count + 1) / (samples + 1), False, samples)
        for question, count in counts.items()
    }


def _observe(
    sample: Sample, number: int, pair: SystemPair
) -> tuple[Floats, Floats, float]:
    """Return the sums of two systems for a measure, and their difference."""
    measure = sample.measures[number]
    first, second = (
        sample.counts[system].sum(axis=0)[measure.columns]
        for system in (pair.first, pair.second)
    )
    first_score, second_score = measure.score(first[None]), measure.score(second[None])
    return first, second, float(first_score[0] - second_score[0])


def _enumerate_p(sample: Sample, number: int, pair: SystemPair, flags: Flags) -> float:
    """Compute p from all swaps of the units that differ."""
    measure = sample.measures[number]
    first, second, observed = _observe(sample, number, pair)
    first_units, second_units = (
        sample.counts[system][flags][:, measure.columns]
        for system in (pair.first, pair.second)
    )
    moved = (first_units - second_units).T @ enumerate_swaps(len(first_units))
    differences = score_swaps(measure, moved, first, second)
    # Swapping the other units instead gives the opposite difference.
    count = sum(
        count_extreme(half, observed, pair.alternative)
        for half in (differences, -differences)
    )
    return count / (2 * len(differences))


def _count_extreme_swaps(
    sample: Sample,
    questions: Sequence[tuple[int, SystemPair]],
    *,
    seed: int,
    samples: int,
    progress: Progress | None,
) -> dict[tuple[int, SystemPair], int]:
    """Count the swaps that are at least as extreme, for all questions at once."""
    observations = {question: _observe(sample, *question) for question in questions}
    counts = dict.fromkeys(questions, 0)

    def get_systems(question: tuple[int, SystemPair]) -> tuple[int, int]:
        return question[1].first, question[1].second

    by_pair = sorted(questions, key=get_systems)
    done = 0
    if progress is not None:
        progress(done, samples)  # restarts the progress bar
    blocks = toss_swaps(sample.units, seed=seed, samples=samples)
    for block in add_blocks(sample, blocks):
        for (first, second), group in groupby(by_pair, key=get_systems):
            moved = block[first] - block[second]
            for question in group:
                number, pair = question
                measure = sample.measures[number]
                *totals, observed = observations[question]
                differences = score_swaps(measure, moved[measure.columns], *totals)
                counts[question] += count_extreme(
                    differences, observed, pair.alternative
                )
        done += block.shape[2]
        if progress is not None:
            progress(done, samples)
    return counts


def compute_bootstrap_p(draws: Floats, observed: float, alternative: str) -> float:
    """Compute p from the draws of a difference, shifted so that their centre is 0.

        p = (1 + #{|d* - d| >= |d|}) / (draws + 1)

    This is not exact, and too small with few units.

    Source: Berg-Kirkpatrick et al. 2012.
    """
    count = count_extreme(draws - observed, observed, alternative)
    return (1 + count) / (len(draws) + 1)


def compute_not_better(draws: Floats, observed: float) -> float:
    """Compute the share of draws in which the better system is not better.

    Many papers call this p. It is 1 for equal systems.
    """
    if abs(observed) <= TOLERANCE:
        return 1.0
    return float(np.mean(math.copysign(1, observed) * draws <= TOLERANCE))


def compute_paired_t(differences: Floats, alternative: str = "two-sided") -> float:
    """Compute p by Student's t: do differences of documents have a mean of 0?

    If all differences are equal, there is no t: p is 1 if they are 0, otherwise NaN.

    Source: Cai and Strube 2010.
    """
    from scipy import special

    number, mean = len(differences), float(np.mean(differences))
    if np.ptp(differences) <= TOLERANCE:
        return 1.0 if abs(mean) <= TOLERANCE else math.nan
    error = float(np.std(differences, ddof=1)) / math.sqrt(number)
    t = mean / error
    tails: Mapping[str, tuple[int, float]] = {
        "two-sided": (2, -abs(t)),
        "greater": (1, -t),
        "less": (1, t),
    }
    factor, end = tails[alternative]
    return float(factor * special.stdtr(number - 1, end))


def compute_least_detectable(
    deviation: float, *, units: int, alpha: float, strata: int = 1, pairs: int = 1
) -> float:
    """Compute the difference that is detected in four of five samples like this one.

        (t(1 - alpha / (2 pairs), n - 1) + 0.84) SE,   SE = deviation sqrt(n / (n - 1))

    `deviation` is that of the draws, and n the number of units. For m pairs the level
    of each is the smallest that a correction may require. NaN for a single unit.

    Source: Card et al. 2020.
    """
    if units <= strata:
        return math.nan
    error = deviation * math.sqrt(units / (units - strata))
    margin = compute_margin(deviation, alpha / 2 / pairs, units=units, strata=strata)
    return float(margin) + _POWER_QUANTILE * error
