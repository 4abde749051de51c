"""Tests of a difference: p-values.

A p-value is the share of chance outcomes that are at least as far from 0 as what was
seen. Those that are as far within 1e-9 count: sums of the same numbers in another order
differ in the last bits, and two equal systems must have a p of 1.
"""

from __future__ import annotations

import math
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.analysis.compare.intervals import margin
from corefkit.analysis.compare.resampling import (
    all_swaps,
    sums,
    swapped_differences,
    swaps,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.alignment.pipeline import Progress
    from corefkit.analysis.compare.sample import Measure, Sample
    from corefkit.columns import Flags, Floats

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


def far_out(values: Floats, observed: float, alternative: str) -> int:
    """Count the values that are at least as far out as what was observed.

    >>> values = np.array([-0.3, 0.1, 0.2, 0.3])
    >>> [far_out(values, 0.2, side) for side in ("two-sided", "greater", "less")]
    [3, 2, 3]
    """
    if alternative == "two-sided":
        values, observed = np.abs(values), abs(observed)
    elif alternative == "less":
        values, observed = -values, -observed
    return int(np.count_nonzero(values >= observed - NEAR))


def differing(sample: Sample, measure: Measure, first: int, second: int) -> Flags:
    """Flag the units whose counts differ between two systems, for one measure."""
    one, other = (sample.counts[at][:, measure.columns] for at in (first, second))
    scale = np.maximum(1.0, np.abs(one))
    apart = np.abs(one - other) > NEAR * scale
    flags: Flags = np.any(apart, axis=1)
    return flags


def randomized(
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
        flags = differing(sample, measure, question.first, question.second)
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
    moved = (one - other).T @ all_swaps(len(one))
    differences = swapped_differences(measure, moved, first, second)
    seen = _observed(measure, first, second)
    # Whoever swaps the other units instead gets the opposite difference.
    count = sum(
        far_out(half, seen, question.alternative)
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
    for kept in sums(sample, swaps(sample.units, seed=seed, samples=samples)):
        for (first, second), group in groupby(by_pair, key=_pair):
            moved = kept[first] - kept[second]
            for question in group:
                measure = sample.measures[question.measure]
                differences = swapped_differences(
                    measure, moved[measure.columns], *totals[question]
                )
                counts[question] += far_out(
                    differences, seen[question], question.alternative
                )
        done += kept.shape[2]
        if progress is not None:
            progress(done, samples)
    return counts


def _pair(question: Question) -> tuple[int, int]:
    return question.first, question.second


def bootstrap_p(draws: Floats, observed: float, alternative: str) -> float:
    """Test a difference by its draws, shifted so that their centre is 0.

        p = (1 + #{|d* - d| >= |d|}) / (draws + 1)

    This is not exact, and too small if units are few.

    Source: Berg-Kirkpatrick et al. 2012.

    >>> bootstrap_p(np.array([0.1, 0.2, 0.3, 0.5]), 0.2, "two-sided")
    0.4
    """
    count = far_out(draws - observed, observed, alternative)
    return (1 + count) / (len(draws) + 1)


def not_better(draws: Floats, observed: float) -> float:
    """Compute the share of draws in which the better system is not better.

    Many papers call this p. It is 1 where neither is better.

    >>> not_better(np.array([0.1, 0.0, -0.1, 0.2]), 0.05)
    0.5
    """
    if abs(observed) <= NEAR:
        return 1.0
    return float(np.mean(math.copysign(1, observed) * draws <= NEAR))


def paired_t(differences: Floats, alternative: str = "two-sided") -> float:
    """Test whether differences of documents have a mean of 0, by Student's t.

    Where all differences are equal there is no t: p is 1 if they are 0, and otherwise
    NaN.

    Source: Cai and Strube 2010.

    >>> round(paired_t(np.array([0.1, 0.2, 0.0, 0.3])), 4)
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


def least_detectable(
    deviation: float, *, units: int, alpha: float, strata: int = 1, pairs: int = 1
) -> float:
    """Compute the difference that would be found in four of five samples like this one.

        (t(1 - alpha / (2 pairs), n - 1) + 0.84) SE,   SE = deviation sqrt(n / (n - 1))

    where the deviation is that of the draws, and n the number of units. For m pairs the
    level of each is the smallest that a correction may ask for. NaN for one unit.

    Source: Card et al. 2020, on why to say it.

    >>> round(least_detectable(0.01, units=10, alpha=0.05), 4)
    0.0327
    """
    if units <= strata:
        return math.nan
    error = deviation * math.sqrt(units / (units - strata))
    t_errors = float(margin(deviation, alpha / 2 / pairs, units=units, strata=strata))
    return t_errors + _POWER * error
