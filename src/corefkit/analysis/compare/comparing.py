"""From a sample to results: what is drawn and tested for all metrics at once."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from corefkit.analysis.compare.judging import Facts, Pair, judged
from corefkit.analysis.compare.resampling import drawn_scores, left_out
from corefkit.analysis.compare.tests import (
    Question,
    Tested,
    bootstrap_p,
    paired_t,
    randomized,
)
from corefkit.evaluation import added_up
from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.alignment.pipeline import Progress
    from corefkit.analysis.compare.comparison import MetricComparison
    from corefkit.analysis.compare.procedure import Procedure
    from corefkit.analysis.compare.sample import Measure, Sample
    from corefkit.columns import Floats

_MOST_BYTES = 4 * 10**9  # that samples may take
_FLIPPED = {"greater": "less", "less": "greater", "two-sided": "two-sided"}


def compared(
    sample: Sample, procedure: Procedure, *, progress: Progress | None = None
) -> tuple[MetricComparison, ...]:
    """Compare the systems of a sample on all its measures.

    Draws and swaps are the same for all of them. With a baseline only its own pairs are
    tested; one system has intervals, and no pair. `progress` is called with the draws
    that were made and all of them, then with the swaps.

    >>> import corefkit
    >>> from corefkit.analysis.compare.measures import sample_of
    >>> from corefkit.analysis.compare.procedure import Procedure
    >>> key = {name: ["abc", "de"] for name in "123456"}
    >>> good = corefkit.score(key, key, metrics=["lea"])
    >>> bad = corefkit.score(key, {name: ["ab", "cd"] for name in key}, metrics=["lea"])
    >>> sample = sample_of(
    ...     {"good": good.counts, "bad": bad.counts},
    ...     metrics=good.metrics,
    ...     settings=good.settings,
    ...     unit_of=good.documents,
    ... )
    >>> (lea,) = compared(sample, Procedure(samples=100))
    >>> lea.pairs[0].p, lea.pairs[0].is_exact, [one.rank for one in lea.systems]
    (0.03125, True, [1, 2])
    """
    pairs = pairs_of(sample.systems, procedure)
    _check_samples(sample, procedure.samples)
    draws, undefined = drawn_scores(
        sample, seed=procedure.seed, samples=procedure.samples, progress=progress
    )
    scores = [_scores(sample, measure) for measure in sample.measures]
    tested = _tested(sample, procedure, pairs, scores, draws, progress=progress)
    return tuple(
        judged(
            Facts(
                sample=sample,
                procedure=procedure,
                measure=measure,
                pairs=pairs,
                scores=scores[at],
                draws=draws[at],
                left_out=left_out(sample, measure),
                undefined=undefined[at],
                tested=tested[at],
            )
        )
        for at, measure in enumerate(sample.measures)
    )


def pairs_of(systems: Sequence[str], procedure: Procedure) -> list[Pair]:
    """List the pairs to test, in the order of input.

    An alternative is that of a system to the baseline, so it is turned round where the
    baseline comes first.

    >>> from corefkit.analysis.compare.procedure import Procedure
    >>> pairs_of("abc", Procedure(baseline="b", alternative="greater"))
    [Pair(first=0, second=1, alternative='greater'), \
Pair(first=1, second=2, alternative='less')]
    """
    baseline, alternative = procedure.baseline, procedure.alternative
    every = combinations(range(len(systems)), 2)
    if baseline is None:
        return [Pair(*pair) for pair in every]
    if baseline not in systems:
        message = f"the baseline {baseline!r} is none of the systems"
        raise SettingsError(message, hint=f"these are {', '.join(systems)}")
    base = list(systems).index(baseline)
    return [
        Pair(*pair, _FLIPPED[alternative] if pair[0] == base else alternative)
        for pair in every
        if base in pair
    ]


def _check_samples(sample: Sample, samples: int) -> None:
    """Refuse more samples than memory holds: the scores of all draws, and the swaps."""
    scores = 8 * len(sample.measures) * len(sample.systems)
    swapped = -(-len(sample.units) // 8)
    most = _MOST_BYTES // (scores + swapped)
    if samples > most:
        message = f"found {samples} for 'samples', expected at most {most} here"
        hint = "of fewer metrics or systems at once, more samples can be made"
        raise SettingsError(message, hint=hint)


def _scores(sample: Sample, measure: Measure) -> Floats:
    totals = np.array([added_up(counts) for counts in sample.counts])
    return measure.score(totals[:, measure.columns])


def _tested(
    sample: Sample,
    procedure: Procedure,
    pairs: Sequence[Pair],
    scores: Sequence[Floats],
    draws: Floats,
    *,
    progress: Progress | None,
) -> list[list[Tested]]:
    """Test all pairs on all measures, by the test that decides."""
    measures = range(len(sample.measures))
    if procedure.test == "randomization":
        questions = [[Question(at, *pair) for pair in pairs] for at in measures]
        every = [question for own in questions for question in own]
        found = randomized(
            sample,
            every,
            seed=procedure.seed,
            samples=procedure.samples,
            progress=progress,
        )
        return [[found[question] for question in own] for own in questions]
    if procedure.test == "t":
        return [
            [_t_tested(values, pair) for pair in pairs]
            for values in (sample.by_document[one.name] for one in sample.measures)
        ]
    if len(sample.units) <= len(sample.strata):
        # One unit does not vary: its draws tell nothing.
        return [[Tested(math.nan) for _ in pairs] for _ in measures]
    return [
        [_bootstrapped(scores[at], draws[at], pair) for pair in pairs]
        for at in measures
    ]


def _t_tested(values: Floats, pair: Pair) -> Tested:
    differences = values[pair.first] - values[pair.second]
    return Tested(paired_t(differences, pair.alternative))


def _bootstrapped(scores: Floats, draws: Floats, pair: Pair) -> Tested:
    difference = float(scores[pair.first] - scores[pair.second])
    between = draws[pair.first] - draws[pair.second]
    p = bootstrap_p(between, difference, pair.alternative)
    return Tested(p, samples=len(between))
