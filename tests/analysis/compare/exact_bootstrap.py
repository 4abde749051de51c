"""All samples that can be drawn from a few units, with their probabilities."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import factorial

import numpy as np
from analysis.compare.known import known_sample, number


@cache
def every_draw(units):
    """List all multisets of n draws from n units: units by multisets, and chances."""
    chosen = [*combinations_with_replacement(range(units), units)]
    drawn = np.zeros((len(chosen), units))
    np.add.at(drawn, (np.arange(len(chosen))[:, None], np.array(chosen)), 1)
    factorials = np.array([factorial(times) for times in range(units + 1)], float)
    ways = factorial(units) / factorials[drawn.astype(int)].prod(axis=1)
    return drawn.T, ways / units**units


@cache
def exact_values(name, metric, statistic):
    """Score all multisets: systems by multisets, and their probabilities."""
    sample = known_sample(name, statistic)
    drawn, chances = every_draw(len(sample.units))
    measure = sample.measures[number(sample, metric)]
    scores = [
        measure.score((counts.T @ drawn)[measure.columns].T) for counts in sample.counts
    ]
    return np.array(scores), chances


def quantile(values, chances, level):
    """Find the smallest value whose cumulated probability reaches a level."""
    order = np.argsort(values)
    reached = np.searchsorted(np.cumsum(chances[order]), level)
    return values[order][min(reached, len(values) - 1)]
