"""Krippendorff's α of two or more annotators.

The units are the mentions of all annotators. With tables for each pair of annotators,
`corefkit.metrics.alpha` counts the agreement over the mentions of the two. A mention
that only others have is a set by itself for both: they agree on it, and it shares
nothing with any other set. So such mentions are added to the counts by their number.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.matching import compute_positions, encode_positions
from corefkit.alignment.overlap import build_overlap
from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs
from corefkit.exceptions import SettingsError
from corefkit.metrics.alpha import MIN_DISTANCE, alpha, alpha_masi
from corefkit.settings import Settings, check_known

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefkit.alignment.overlap import Overlap
    from corefkit.arrays.columns import Columns, Floats
    from corefkit.formats import Input

_METRICS = {"alpha": alpha, "alpha_masi": alpha_masi}


class Agreement(NamedTuple):
    """The agreement of annotators: `value` is α, None if all values are one set.

    `observed` is the mean agreement of two annotators on one of the `mentions`.

    >>> measure_agreement([["ab", "cd"], ["ab", "c", "d"], ["abc"]]).mentions
    4
    """

    value: float | None
    observed: float
    mentions: int
    annotators: int


def measure_agreement(
    annotators: Sequence[Input], *, metric: str = "alpha", format: str | None = None
) -> Agreement:
    """Measure the agreement of two or more annotators of the same documents.

    Args:
        annotators: the annotation of each, as for `corefkit.score`.
        metric: `alpha`, or `alpha_masi`.
        format: the format of all files; detected if not given.

    >>> round(measure_agreement([["ab", "cd"], ["ab", "c", "d"], ["abc"]]).value, 4)
    0.5299
    """
    check_known(metric, _METRICS, f"unknown value {metric!r} for 'metric'")
    if len(annotators) < 2:
        message = f"found {len(annotators)} annotators, expected two or more"
        raise SettingsError(message, code="settings/missing-value")
    totals, settings = np.zeros(3), Settings(missing="error")
    first, *others = annotators
    with open_runs(first, others, settings=settings, format=format) as runs:
        sides: list[Columns] = []
        for run, block in iter_aligned_blocks(runs):
            sides += (
                [block.response.scored]
                if sides
                else [
                    block.key.scored,
                    block.response.scored,
                ]
            )
            if run is runs[-1]:
                totals += _count_agreement(sides, _METRICS[metric])
                sides = []
    mentions, agreed, matches = totals.tolist()
    values = len(annotators) * mentions
    observed = agreed / max(values * (len(annotators) - 1) / 2, 1)
    value, distance = None, values * values - matches
    if distance > MIN_DISTANCE * values * values:
        # A value is not paired with itself.
        value = 1 - (1 - observed) * values * (values - 1) / distance
    return Agreement(value, observed, round(mentions), len(annotators))


def _count_agreement(
    sides: Sequence[Columns], count: Callable[[Overlap], Floats]
) -> Floats:
    """Count mentions, agreements of two annotators, and those of all pairs of values.

    The last are counted in either order, and each value with itself.
    """
    codes = np.concatenate(encode_positions(*compute_positions(*sides)))
    mentions = len(np.unique(codes))
    totals = np.array([mentions, 0.0, 0.0])
    for first, second in combinations_with_replacement(range(len(sides)), 2):
        table = build_overlap(sides[first], sides[second])
        agreed, units, _, _, matches = count(table).sum(0).tolist()
        missing = mentions - units  # each a set by itself on both sides
        matches += 4 * missing
        if first == second:
            # Each pair with another annotator contains those of one alone.
            totals[2] -= (len(sides) - 2) * matches / 4
        else:
            totals[1:] += agreed + missing, matches
    return totals
