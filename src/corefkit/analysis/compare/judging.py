"""From what was drawn and tested to the results of one metric."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.analysis.compare.comparison import (
    MetricComparison,
    PairResult,
    StratumResult,
    SystemResult,
)
from corefkit.analysis.compare.correction import adjusted, smallest_adjusted
from corefkit.analysis.compare.intervals import Intervals, intervals
from corefkit.analysis.compare.ranks import letters, ranks
from corefkit.analysis.compare.remarks import Remarked, remarks
from corefkit.analysis.compare.tests import (
    NEAR,
    Tested,
    bootstrap_p,
    differing,
    least_detectable,
    not_better,
)
from corefkit.evaluation import added_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.analysis.compare.procedure import Procedure
    from corefkit.analysis.compare.sample import Measure, Sample
    from corefkit.columns import Floats

# Products of p-values and numbers of tests are rounded.
_ROUNDING = 1e-12


class Pair(NamedTuple):
    """Two systems by their numbers, and the alternative of the first to the second."""

    first: int
    second: int
    alternative: str = "two-sided"


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of one measure before its systems are judged.

    Attributes:
        sample: what is compared.
        procedure: how it is compared.
        measure: the one of the sample's measures.
        pairs: which systems were tested with each other.
        scores: the score of each system.
        draws: for each system, the scores of all draws.
        left_out: for each system and unit, the score without the unit.
        undefined: for each system, the share of draws that lack a denominator.
        tested: the p-value of each pair by the test that decides.
    """

    sample: Sample
    procedure: Procedure
    measure: Measure
    pairs: Sequence[Pair]
    scores: Floats
    draws: Floats
    left_out: Floats
    undefined: Floats
    tested: Sequence[Tested]

    @property
    def varies(self) -> bool:
        """Whether draws tell anything: one unit, or strata of one, do not vary."""
        return len(self.sample.units) > len(self.sample.strata)

    @property
    def sign(self) -> int:
        """1 where more is better; errors are better if they are fewer."""
        return -1 if self.measure.statistic == "count" else 1

    @property
    def ranking(self) -> Floats:
        """What systems are ranked by, more being better: what was tested."""
        if self.procedure.test == "t":
            means: Floats = self.sample.by_document[self.measure.name].mean(axis=1)
            return self.sign * means
        return self.sign * self.scores

    def intervals(self, draws: Floats, observed: float, left: Floats) -> Intervals:
        """Make the intervals of a score, or of a difference."""
        return intervals(
            draws,
            observed,
            left,
            alpha=self.procedure.alpha,
            strata=len(self.sample.strata),
        )


def judged(facts: Facts) -> MetricComparison:
    """Judge the systems and pairs of one measure."""
    p_adjusted = adjusted([one.p for one in facts.tested], facts.procedure.correction)
    judged_pairs = [
        _pair(facts, pair, tested, p)
        for pair, tested, p in zip(facts.pairs, facts.tested, p_adjusted, strict=True)
    ]
    pairs = tuple(pair for pair, _ in judged_pairs)
    systems, lacking = _systems(facts, pairs)
    lacking += [f"{pair.a} - {pair.b}" for pair, lacks in judged_pairs if lacks]
    found = Remarked(
        procedure=facts.procedure,
        systems=systems,
        pairs=pairs,
        lacking_bca=tuple(lacking),
        turned=tuple(_turned(facts, pairs)),
    )
    return MetricComparison(
        name=facts.measure.name,
        label=facts.measure.label,
        statistic=facts.measure.statistic,
        systems=systems,
        pairs=pairs,
        strata=_strata(facts.sample, facts.measure),
        warnings=remarks(found),
    )


def _pair(
    facts: Facts, pair: Pair, tested: Tested, p_adjusted: float
) -> tuple[PairResult, bool]:
    """Judge two systems; beside it, whether their difference lacks a BCa interval."""
    sample, procedure, measure = facts.sample, facts.procedure, facts.measure
    first, second, alternative = pair
    differ = int(np.count_nonzero(differing(sample, measure, first, second)))
    # Counts that are equal but for rounding make no difference at all.
    draws, scores, left = (
        values[first] - values[second] if differ else np.zeros_like(values[first])
        for values in (facts.draws, facts.scores, facts.left_out)
    )
    difference = float(scores)
    made = facts.intervals(draws, difference, left)
    won, tied, lost = _texts(facts, pair)
    p_bootstrap = bootstrap_p(draws, difference, alternative)
    result = PairResult(
        a=sample.systems[first],
        b=sample.systems[second],
        difference=difference,
        intervals=made.by_kind,
        p=tested.p,
        p_adjusted=p_adjusted,
        is_exact=tested.is_exact,
        samples=tested.samples,
        units_that_differ=differ,
        won=won,
        tied=tied,
        lost=lost,
        p_bootstrap=p_bootstrap if facts.varies else math.nan,
        not_better=not_better(draws, difference) if facts.varies else math.nan,
        least_detectable=_least_detectable(facts, draws, alternative),
        is_significant=p_adjusted <= procedure.alpha + _ROUNDING,
        is_borderline=_is_borderline(tested, p_adjusted, procedure),
        can_be_significant=_can_be_significant(facts, tested, differ, alternative),
    )
    return result, made.lacks_bca


def _texts(facts: Facts, pair: Pair) -> tuple[int, int, int]:
    """Count the units in which the first is better, neither is, or the second is."""
    values = facts.sample.by_unit[facts.measure.name]
    ahead = facts.sign * (values[pair.first] - values[pair.second])
    won, lost = int(np.sum(ahead > NEAR)), int(np.sum(ahead < -NEAR))
    return won, len(ahead) - won - lost, lost


def _least_detectable(facts: Facts, draws: Floats, alternative: str) -> float:
    procedure = facts.procedure
    sides = 1 if alternative == "two-sided" else 2
    return least_detectable(
        float(draws.std()),
        units=len(facts.sample.units),
        alpha=sides * procedure.alpha,
        strata=len(facts.sample.strata),
        pairs=1 if procedure.correction == "none" else len(facts.pairs),
    )


def _is_borderline(tested: Tested, p_adjusted: float, procedure: Procedure) -> bool:
    """Say whether other samples might well put the adjusted p on the other side.

    The smallest p there is comes of no sample as far out as what was seen. It errs to
    the safe side, or else of many pairs all that differ clearly would be borderline.
    """
    if tested.is_exact or not tested.samples or not tested.p > 0:
        return False
    is_smallest = tested.p < 1.5 / (tested.samples + 1)
    if is_smallest and p_adjusted <= procedure.alpha:
        return False
    error = math.sqrt(tested.p * (1 - tested.p) / tested.samples)
    # What multiplies p multiplies its error.
    error *= p_adjusted / tested.p
    return abs(p_adjusted - procedure.alpha) <= 2 * error


def _can_be_significant(
    facts: Facts, tested: Tested, differ: int, alternative: str
) -> bool:
    """Say whether the least adjusted p to be had is at most alpha."""
    if math.isnan(tested.p):
        return False
    if tested.is_exact:
        least = 2.0 ** ((1 if alternative == "two-sided" else 0) - differ)
    elif tested.samples:
        least = 1 / (tested.samples + 1)
    else:
        return True
    correction, alpha = facts.procedure.correction, facts.procedure.alpha
    return smallest_adjusted(least, len(facts.pairs), correction) <= alpha + _ROUNDING


def _systems(
    facts: Facts, pairs: Sequence[PairResult]
) -> tuple[tuple[SystemResult, ...], list[str]]:
    """Judge every system; beside it, the names of those that lack a BCa interval."""
    names = facts.sample.systems
    scores = facts.ranking.tolist()
    significant = [
        (pair.first, pair.second)
        for pair, result in zip(facts.pairs, pairs, strict=True)
        if result.is_significant
    ]
    rank, is_inverted = ranks(scores, significant)
    # Letters speak of all pairs: there are none where some were not tested.
    every = len(names) > 1 and len(pairs) == len(names) * (len(names) - 1) // 2
    given = letters(scores, significant) if every else None
    made = [
        facts.intervals(facts.draws[at], float(score), facts.left_out[at])
        for at, score in enumerate(facts.scores)
    ]
    systems = tuple(
        SystemResult(
            name=name,
            score=float(facts.scores[at]),
            intervals=made[at].by_kind,
            rank=rank[at],
            letters=given[at] if given else "",
            is_inverted=every and is_inverted[at],
            undefined=float(facts.undefined[at]),
        )
        for at, name in enumerate(names)
    )
    return systems, [
        name for name, one in zip(names, made, strict=True) if one.lacks_bca
    ]


def _turned(facts: Facts, pairs: Sequence[PairResult]) -> list[PairResult]:
    """List pairs that differ significantly, but not as their scores do."""
    ranking = facts.ranking
    return [
        result
        for pair, result in zip(facts.pairs, pairs, strict=True)
        if result.is_significant
        and (ranking[pair.first] - ranking[pair.second])
        * facts.sign
        * result.difference
        <= 0
    ]


def _strata(sample: Sample, measure: Measure) -> tuple[StratumResult, ...]:
    """Score each stratum, where there are several."""
    if len(sample.strata) < 2:
        return ()
    found = []
    for number, name in enumerate(sample.strata):
        inside = sample.stratum == number
        totals = np.array([added_up(rows[inside]) for rows in sample.counts])
        scores = measure.score(totals[:, measure.columns]).tolist()
        by_system = dict(zip(sample.systems, scores, strict=True))
        found.append(StratumResult(name, int(np.count_nonzero(inside)), by_system))
    return tuple(found)
