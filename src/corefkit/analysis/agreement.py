"""Krippendorff's α of two or more annotators.

The units are the mentions of all annotators. With tables for each pair of annotators,
`corefkit.metrics.alpha` counts the agreement over the mentions of the two. A mention
that only others have is a set by itself for both: they agree on it, and it shares
nothing with any other set. So such mentions are added to the counts by their number.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.matching import compute_positions, encode_positions
from corefkit.alignment.overlap import build_overlap
from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs
from corefkit.exceptions import SettingsError
from corefkit.metrics.alpha import alpha, alpha_masi
from corefkit.settings import Settings, check_known

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefkit.alignment.overlap import Overlap
    from corefkit.arrays.columns import Columns, Floats
    from corefkit.formats import Input

_METRICS = {"alpha": alpha, "alpha_masi": alpha_masi}
_MIN_DISTANCE = 1e-9  # below this share of all pairs, rounding makes the distance


class Agreement(NamedTuple):
    """The agreement of annotators.

    Attributes:
        value: Krippendorff's α; None if all values are the same set.
        observed: the mean agreement of two annotators on a mention.
        expected: the mean agreement of any two values, which is chance.
        mentions: the number of mentions that some annotator has.
        annotators: the number of annotators.

    >>> found = measure_agreement([["ab", "cd"], ["ab", "c", "d"], ["abc"]])
    >>> found.mentions, found.annotators
    (4, 3)
    """

    value: float | None
    observed: float
    expected: float
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

    Raises:
        PairingError: annotators have different documents or texts.

    >>> found = measure_agreement([["ab", "cd"], ["ab", "c", "d"], ["abc"]])
    >>> round(found.value, 4), round(found.observed, 4), round(found.expected, 4)
    (0.5299, 0.7222, 0.4091)
    """
    message = f"unknown value {metric!r} for 'metric'"
    check_known(metric, _METRICS, message)
    if len(annotators) < 2:
        message = f"found {len(annotators)} annotators, expected two or more"
        raise SettingsError(message, code="settings/missing-value")
    totals = _Totals(len(annotators), _METRICS[metric])
    settings = Settings(missing="error")
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
                totals.add(sides)
                sides = []
    return totals.compute()


class _Totals:
    """The counts of the documents so far."""

    def __init__(self, annotators: int, count: Callable[[Overlap], Floats]) -> None:
        self.annotators, self.count = annotators, count
        self.mentions = 0
        self.agreed = 0.0  # by two annotators on one mention
        self.matches = 0.0  # the agreement of all values, each with each

    def add(self, sides: Sequence[Columns]) -> None:
        """Count a block of documents, as each annotator has it."""
        codes = np.concatenate(encode_positions(*compute_positions(*sides)))
        mentions = len(np.unique(codes))
        self.mentions += mentions
        for pair in combinations(sides, 2):
            agreed, units, matches = self._count(*pair)
            missing = mentions - units
            self.agreed += agreed + missing
            # Each value of the two with itself, and those of the two in either order.
            self.matches += matches + 4 * missing
        for side in sides:
            # A pair contains the matches inside of both, which count once in all.
            _, units, matches = self._count(side, side)
            own = matches / 4 + mentions - units
            self.matches -= (self.annotators - 2) * own

    def _count(self, first: Columns, second: Columns) -> tuple[float, int, float]:
        agreed, units, _, _, matches = self.count(build_overlap(first, second)).sum(0)
        return float(agreed), round(units), float(matches)

    def compute(self) -> Agreement:
        pairs = self.annotators * (self.annotators - 1) // 2 * self.mentions
        values = self.annotators * self.mentions
        distance = values * values - self.matches
        observed = self.agreed / pairs if pairs else 0.0
        if distance <= _MIN_DISTANCE * values * values:
            return Agreement(None, observed, 1.0, self.mentions, self.annotators)
        expected = 1 - distance / (values * (values - 1))
        value = 1 - (1 - observed) / (1 - expected)
        return Agreement(value, observed, expected, self.mentions, self.annotators)
