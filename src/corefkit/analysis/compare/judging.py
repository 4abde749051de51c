"""Ranks, letters, corrected p-values and warnings from draws and swaps.

With many tests at a level of 0.05, some differences are significant by chance. Adjusted
p-values are compared with the level as it is.

A rank is 1 plus the number of systems that are significantly better. Not to differ is
not transitive: two systems can both be indistinguishable from a third, and still differ
from each other. Letters show this: systems that share a letter do not differ, those
that share none do.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from string import ascii_lowercase

import numpy as np

from corefkit.alignment.pipeline import Progress
from corefkit.analysis.compare.comparison import (
    Interval,
    MetricComparison,
    PairResult,
    StratumResult,
    SystemResult,
)
from corefkit.analysis.compare.procedure import Procedure
from corefkit.analysis.compare.resampling import (
    TOLERANCE,
    PairTest,
    SystemPair,
    compute_bootstrap_p,
    compute_intervals,
    compute_least_detectable,
    compute_not_better,
    compute_paired_t,
    flag_differing_units,
    leave_one_out,
    randomize,
    score_draws,
)
from corefkit.analysis.compare.sample import Measure, Sample
from corefkit.arrays.columns import Floats
from corefkit.evaluation import add_rows
from corefkit.exceptions import SettingsError
from corefkit.results.score_table import MAX_LISTED, list_names
from corefkit.strings import format_count, join_words

MAX_LETTERS = len(ascii_lowercase)
_MAX_BYTES = 4 * 10**9  # of samples in memory
_MIN_UNITS = 20  # fewer cause a warning
_MAX_UNDEFINED = 0.01  # the share of draws that needs no warning
_ROUNDING = 1e-12  # of products of p-values and numbers of tests
_OPPOSITE = {"greater": "less", "less": "greater", "two-sided": "two-sided"}


def rank_systems(
    scores: Sequence[float], significant: Collection[tuple[int, int]]
) -> tuple[list[int], list[bool]]:
    """Rank systems: 1 and the number of systems that are significantly better.

    Also returns whether each rank is inverted: better than that of a system with a
    better score. `significant` contains the pairs that differ, by index.
    """
    differing = {frozenset(pair) for pair in significant}
    systems = range(len(scores))
    ranks = [
        1
        + sum(scores[b] > scores[a] and frozenset((a, b)) in differing for b in systems)
        for a in systems
    ]
    is_inverted = [
        any(scores[b] > scores[a] and ranks[b] > ranks[a] for b in systems)
        for a in systems
    ]
    return ranks, is_inverted


def assign_letters(
    scores: Sequence[float], significant: Collection[tuple[int, int]]
) -> list[str] | None:
    """Return letters so that two systems share one if they do not differ.

    A letter is a maximal set of systems that do not differ. Letters are sorted by the
    best score in a set, then by the next best. None if there are more than 26 systems
    or sets.

    Source: Piepho 2004, An algorithm for a letter-based representation of all-pairwise
    comparisons.
    """
    if len(scores) > MAX_LETTERS:
        return None
    order = sorted(range(len(scores)), key=lambda system: -scores[system])
    differing = {frozenset(pair) for pair in significant}
    # From here on, a system is its position in the order of scores.
    neighbours = [
        {
            b
            for b, j in enumerate(order)
            if i != j and frozenset((i, j)) not in differing
        }
        for i in order
    ]
    cliques = [*islice(_iter_cliques(neighbours), MAX_LETTERS + 1)]
    if len(cliques) > MAX_LETTERS:
        return None
    letters = ["" for _ in scores]
    sets = sorted(sorted(members) for members in cliques)
    for letter, members in zip(ascii_lowercase, sets, strict=False):
        for position in members:
            letters[order[position]] += letter
    return letters


def _iter_cliques(neighbours: Sequence[set[int]]) -> Iterator[set[int]]:
    """Yield the maximal cliques of a graph (Bron and Kerbosch 1973)."""

    def extend(
        members: set[int], candidates: set[int], excluded: set[int]
    ) -> Iterator[set[int]]:
        if not candidates and not excluded:
            yield members
            return
        pivot = max(
            candidates | excluded, key=lambda node: len(neighbours[node] & candidates)
        )
        for node in sorted(candidates - neighbours[pivot]):
            yield from extend(
                members | {node},
                candidates & neighbours[node],
                excluded & neighbours[node],
            )
            candidates = candidates - {node}
            excluded = excluded | {node}

    yield from extend(set(), set(range(len(neighbours))), set())


def adjust_p_values(p: Sequence[float], correction: str) -> list[float]:
    """Adjust the p-values of a family of m tests; NaN counts as a test and stays NaN.

        bonferroni  every p times m
        holm        the smallest p times m, the next times m - 1, and so on; adjusted
                    values do not decrease (Holm 1979)
        hochberg    the same factors, from the largest p to the smallest (Hochberg 1988)

    Hochberg rejects more than Holm, but requires tests that depend on each other
    positively, which pairs of systems do not guarantee.
    """
    raw = np.array(p, float)
    values = np.where(np.isnan(raw), 1.0, raw)
    order = np.argsort(values, kind="stable")
    adjusted = values.copy()
    steps = np.arange(len(values), 0, -1) * values[order]
    if correction == "bonferroni":
        adjusted = values * len(values)
    elif correction == "holm":
        adjusted[order] = np.maximum.accumulate(steps)
    elif correction == "hochberg":
        adjusted[order] = np.minimum.accumulate(steps[::-1])[::-1]
    adjusted = np.where(np.isnan(raw), np.nan, np.minimum(adjusted, 1.0))
    return [*map(float, adjusted)]


def compute_least_adjusted(p: float, tests: int, correction: str) -> float:
    """Compute the least value of a p after correction, whatever the other p-values."""
    # By Hochberg, all the others may be as small.
    factor = tests if correction in ("holm", "bonferroni") else 1
    return min(1.0, p * factor)


def _compute_least_p(units: int, procedure: Procedure, *, is_exact: bool) -> float:
    """Compute the least p of a test, whatever the scores.

    With n units that differ there are 2^n ways to swap them, and two of these are as
    extreme as the most extreme. With N samples, p is at least 1 / (N + 1).
    """
    if not is_exact:
        return 1 / (procedure.samples + 1)
    sides = 1 if procedure.alternative == "two-sided" else 0
    return min(1.0, 2.0 ** (sides - units))


def format_p_bound(
    pairs: Sequence[PairResult], procedure: Procedure, *, tests: int
) -> str:
    """Explain why pairs of a family of tests cannot be significant."""
    if math.isnan(pairs[0].p):
        return "there is no p, as nothing varies"
    units = sorted({pair.units_that_differ for pair in pairs})
    is_exact = pairs[0].is_exact
    least_p = _compute_least_p(units[-1], procedure, is_exact=is_exact)
    adjusted = compute_least_adjusted(least_p, tests, procedure.correction)
    p = "p" if tests == 1 or adjusted == least_p else "adjusted p"
    bound = f"so {p} is at least {adjusted:.4g}"
    if not is_exact:
        sample = "draw" if procedure.test == "bootstrap" else "shuffle"
        samples = format_count(procedure.samples, sample)
        return f"there are only {samples}, {bound}: take more --samples"
    number = " to ".join(map(str, dict.fromkeys([units[0], units[-1]])))
    differ = "s differ" if units[-1] > 1 else " differs"
    return f"only {number} {procedure.unit}{differ}, {bound}"


def warn_few_units(units: int, procedure: Procedure) -> list[str]:
    """Warn if intervals and tests are based on few units."""
    if units >= _MIN_UNITS:
        return []
    if units == 1:
        return [f"one {procedure.unit} does not vary: it has no intervals, and no test"]
    return [f"intervals and tests rest on few {procedure.unit}s: {units}"]


def note_corrections(
    metrics: Mapping[str, MetricComparison], procedure: Procedure
) -> list[str]:
    """Return notes on tests that p-values are not corrected for."""
    pairs = max((len(metric.pairs) for metric in metrics.values()), default=0)
    if not pairs:
        return []
    notes = []
    if len(metrics) > 1:
        notes.append(
            f"{len(metrics)} metrics were tested; p is not corrected across metrics"
        )
    if pairs > 1 and procedure.correction == "none":
        notes.append(f"{pairs} pairs were tested, and p is not corrected for that")
    return notes


def collect_warnings(metrics: Mapping[str, MetricComparison]) -> list[str]:
    """Merge the warnings of all metrics, and add those of borderline pairs."""
    labels: dict[str, list[str]] = {}
    for metric in metrics.values():
        for warning in metric.warnings:
            labels.setdefault(warning, []).append(metric.label)
        borderline = [
            f"{pair.a} and {pair.b}" for pair in metric.pairs if pair.is_borderline
        ]
        if borderline:
            # The tables have them all.
            pairs = ", ".join(borderline)
            if len(borderline) > MAX_LISTED:
                pairs = "many pairs"
            warning = f"borderline, more --samples could decide otherwise: {pairs}"
            labels.setdefault(warning, []).append(metric.label)
    return [f"{list_names(names)}: {warning}" for warning, names in labels.items()]


def _list_some(names: Sequence[str]) -> str:
    return list_names(names) if len(names) > MAX_LISTED else join_words(names)


def _list_pairs(pairs: Sequence[PairResult]) -> str:
    names = [f"{pair.a} and {pair.b}" for pair in pairs[:MAX_LISTED]]
    hidden = len(pairs) - MAX_LISTED
    return ", ".join(names + [f"{hidden} more pairs"] * (hidden > 0))


@dataclass(frozen=True, slots=True)
class MeasureResult:
    """One measure of a sample, with its draws and tests, before judging."""

    sample: Sample
    procedure: Procedure  # the options of the comparison
    measure: Measure  # one of the sample's measures
    pairs: Sequence[SystemPair]  # the pairs that were tested
    scores: Floats  # the score of each system
    run_scores: Floats  # the score of each run of all systems
    draws: Floats  # for each system, the scores of all draws
    jackknife: Floats  # for each system and unit, the score without the unit
    undefined: Floats  # for each system, the share of draws without a denominator
    without_bca: list[str]  # names of scores and differences without this interval
    outcomes: Sequence[PairTest]  # the p-value of each pair
    tests: int  # the number of tests that p-values are corrected for

    @property
    def varies(self) -> bool:
        """Whether draws vary: those of one unit, or of strata of one, do not."""
        return len(self.sample.units) > len(self.sample.strata)

    @property
    def sign(self) -> int:
        """1 if more is better; -1 for errors."""
        return -1 if self.measure.statistic == "count" else 1

    @property
    def ranking(self) -> Floats:
        """The values that systems are ranked by, those that were tested."""
        if self.procedure.test == "t":
            means: Floats = self.sample.by_document[self.measure.name].mean(axis=1)
            return self.sign * means
        return self.sign * self.scores

    def make_intervals(
        self, name: str, draws: Floats, observed: float, jackknife: Floats
    ) -> dict[str, Interval]:
        intervals, lacks_bca = compute_intervals(
            draws,
            observed,
            jackknife,
            alpha=self.procedure.alpha,
            strata=len(self.sample.strata),
        )
        if lacks_bca:
            self.without_bca.append(name)
        return intervals


def judge_family(results: Sequence[MeasureResult]) -> list[MetricComparison]:
    """Judge results, such as those of classes, whose tests are one family."""
    outcomes = [outcome.p for result in results for outcome in result.outcomes]
    p_adjusted = iter(adjust_p_values(outcomes, results[0].procedure.correction))
    return [
        judge_measure(
            replace(result, tests=len(outcomes)),
            [next(p_adjusted) for _ in result.outcomes],
        )
        for result in results
    ]


def judge_measure(
    result: MeasureResult, p_adjusted: Sequence[float]
) -> MetricComparison:
    """Compute the results of systems and pairs on one measure."""
    numbers = zip(result.draws, result.scores.tolist(), result.jackknife, strict=True)
    intervals = [
        result.make_intervals(name, *values)
        for name, values in zip(result.sample.systems, numbers, strict=True)
    ]
    pairs = tuple(
        _judge_pair(result, pair, outcome, p)
        for pair, outcome, p in zip(
            result.pairs, result.outcomes, p_adjusted, strict=True
        )
    )
    systems = _judge_systems(result, pairs, intervals)
    return MetricComparison(
        name=result.measure.name,
        label=result.measure.label,
        statistic=result.measure.statistic,
        systems=systems,
        pairs=pairs,
        strata=_score_strata(result.sample, result.measure),
        warnings=(
            *_warn_undefined(systems),
            *_warn_about_pairs(result, pairs),
            *_warn_missing(systems, pairs, result.without_bca),
        ),
        tests=result.tests,
    )


def _warn_undefined(systems: Sequence[SystemResult]) -> Iterator[str]:
    affected = [system for system in systems if system.undefined > _MAX_UNDEFINED]
    if affected:
        shares = [
            f"{100 * system.undefined:.1f} % of the draws of {system.name}"
            for system in affected
        ]
        varies = any(system.undefined < 1 for system in affected)
        end = ": scores jump there" if varies else ""
        yield f"a ratio has no denominator in {_list_some(shares)}{end}"


def _warn_about_pairs(
    result: MeasureResult, pairs: Sequence[PairResult]
) -> Iterator[str]:
    procedure, values = result.procedure, result.ranking
    untested = [pair for pair in pairs if math.isnan(pair.p)]
    for is_exact in (True, False):
        hopeless = [
            pair
            for pair in pairs
            if pair.is_hopeless and pair.is_exact == is_exact and pair not in untested
        ]
        if hopeless:
            reason = format_p_bound(hopeless, procedure, tests=result.tests)
            yield f"{_list_pairs(hopeless)} cannot be significant: {reason}"
    if untested and procedure.test == "t":
        yield (
            f"{_list_pairs(untested)} differ by the same in every document: there is "
            "no t-test"
        )
    opposite = [
        judged
        for pair, judged in zip(result.pairs, pairs, strict=True)
        if judged.is_significant
        and (values[pair.first] - values[pair.second]) * result.sign * judged.difference
        <= 0
    ]
    if opposite:
        yield (
            f"{_list_pairs(opposite)} differ in their means over documents, which are "
            "tested, but their scores do not differ in the same direction"
        )


def _warn_missing(
    systems: Sequence[SystemResult],
    pairs: Sequence[PairResult],
    without_bca: Sequence[str],
) -> Iterator[str]:
    """Warn of missing BCa intervals, and of missing letters if all pairs are tested."""
    if without_bca:
        yield (
            f"{_list_some(without_bca)} cannot have a BCa interval: it is the "
            "percentile interval"
        )
    number = len(systems)
    is_complete = number > 1 and len(pairs) == number * (number - 1) // 2
    if is_complete and not all(system.letters for system in systems):
        reason = (
            f"{number} systems are more than {MAX_LETTERS}"
            if number > MAX_LETTERS
            else f"they fall into more than {MAX_LETTERS} sets that do not differ"
        )
        yield f"systems have no letters: {reason}"


def _judge_pair(
    result: MeasureResult, pair: SystemPair, outcome: PairTest, p_adjusted: float
) -> PairResult:
    sample, procedure, measure = result.sample, result.procedure, result.measure
    first, second, alternative = pair
    differing = flag_differing_units(sample, measure, first, second)
    units_that_differ = int(np.count_nonzero(differing))
    # Counts that are equal except for rounding do not differ.
    draws, scores, jackknife = (
        values[first] - values[second]
        if units_that_differ
        else np.zeros_like(values[first])
        for values in (result.draws, result.scores, result.jackknife)
    )
    difference = float(scores)
    name = f"{sample.systems[first]} - {sample.systems[second]}"
    by_unit = sample.by_unit[measure.name]
    leads = result.sign * (by_unit[first] - by_unit[second])
    won, lost = int(np.sum(leads > TOLERANCE)), int(np.sum(leads < -TOLERANCE))
    p_bootstrap = compute_bootstrap_p(draws, difference, alternative)
    not_better = compute_not_better(draws, difference)
    return PairResult(
        a=sample.systems[first],
        b=sample.systems[second],
        difference=difference,
        intervals=result.make_intervals(name, draws, difference, jackknife),
        p=outcome.p,
        p_adjusted=p_adjusted,
        is_exact=outcome.is_exact,
        samples=outcome.samples,
        units_that_differ=units_that_differ,
        won=won,
        tied=len(leads) - won - lost,
        lost=lost,
        p_bootstrap=p_bootstrap if result.varies else math.nan,
        not_better=not_better if result.varies else math.nan,
        least_detectable=compute_least_detectable(
            float(draws.std()),
            units=len(sample.units),
            alpha=(1 if alternative == "two-sided" else 2) * procedure.alpha,
            strata=len(sample.strata),
            pairs=1 if procedure.correction == "none" else result.tests,
        ),
        is_significant=p_adjusted <= procedure.alpha + _ROUNDING,
        is_borderline=_is_borderline(outcome, p_adjusted, procedure),
        can_be_significant=_can_be_significant(result, outcome, units_that_differ),
    )


def _is_borderline(outcome: PairTest, p_adjusted: float, procedure: Procedure) -> bool:
    """Return whether other samples might move the adjusted p across alpha.

    The smallest possible p is never borderline: otherwise, of many pairs, all clear
    differences would be.
    """
    if outcome.is_exact or not outcome.samples or not outcome.p > 0:
        return False
    is_smallest = outcome.p < 1.5 / (outcome.samples + 1)
    if is_smallest and p_adjusted <= procedure.alpha:
        return False
    error = math.sqrt(outcome.p * (1 - outcome.p) / outcome.samples)
    # The factor of p applies to its error, too.
    error *= p_adjusted / outcome.p
    return abs(p_adjusted - procedure.alpha) <= 2 * error


def _can_be_significant(result: MeasureResult, outcome: PairTest, units: int) -> bool:
    """Return whether the least possible adjusted p is at most alpha."""
    if math.isnan(outcome.p):
        return False
    if not outcome.is_exact and not outcome.samples:
        return True
    procedure = result.procedure
    least_p = _compute_least_p(units, procedure, is_exact=outcome.is_exact)
    adjusted = compute_least_adjusted(least_p, result.tests, procedure.correction)
    return adjusted <= procedure.alpha + _ROUNDING


def _judge_systems(
    result: MeasureResult,
    pairs: Sequence[PairResult],
    intervals: Sequence[Mapping[str, Interval]],
) -> tuple[SystemResult, ...]:
    names = result.sample.systems
    values = result.ranking.tolist()
    significant = [
        (pair.first, pair.second)
        for pair, judged in zip(result.pairs, pairs, strict=True)
        if judged.is_significant
    ]
    ranks, is_inverted = rank_systems(values, significant)
    # Letters require that all pairs were tested.
    is_complete = len(names) > 1 and len(pairs) == len(names) * (len(names) - 1) // 2
    letters = assign_letters(values, significant) if is_complete else None
    ends = np.cumsum(result.sample.runs)
    runs = [part.tolist() for part in np.split(result.run_scores, ends[:-1])]
    return tuple(
        SystemResult(
            name=name,
            score=float(result.scores[number]),
            intervals=intervals[number],
            rank=ranks[number],
            letters=letters[number] if letters else "",
            is_inverted=is_complete and is_inverted[number],
            undefined=float(result.undefined[number]),
            runs=tuple(runs[number]) if len(runs[number]) > 1 else (),
        )
        for number, name in enumerate(names)
    )


def _score_strata(sample: Sample, measure: Measure) -> tuple[StratumResult, ...]:
    """Compute the scores of each stratum, if there are several."""
    if len(sample.strata) < 2:
        return ()
    strata = []
    for number, name in enumerate(sample.strata):
        rows = sample.stratum == number
        totals = np.array([add_rows(counts[rows]) for counts in sample.counts])
        scores = sample.average_runs(measure.score(totals[:, measure.columns]))
        by_system = dict(zip(sample.systems, scores.tolist(), strict=True))
        strata.append(StratumResult(name, int(np.count_nonzero(rows)), by_system))
    return tuple(strata)


def compare_sample(
    sample: Sample, procedure: Procedure, *, progress: Progress | None = None
) -> tuple[MetricComparison, ...]:
    """Compare the systems of a sample on all its measures.

    All measures share the same draws and swaps. With a baseline, only its pairs are
    tested; a single system has intervals only.
    """
    results = measure_sample(sample, procedure, progress=progress)
    return tuple(judge_family([result])[0] for result in results)


def measure_sample(
    sample: Sample, procedure: Procedure, *, progress: Progress | None = None
) -> list[MeasureResult]:
    """Draw samples and test pairs on all measures, before judging."""
    pairs = list_pairs(sample.systems, procedure)
    # The scores of all draws, and a bit for each unit and swap, are in memory.
    draw_bytes = 8 * len(sample.measures) * len(sample.counts)
    max_samples = _MAX_BYTES // (draw_bytes + -(-len(sample.units) // 8))
    if procedure.samples > max_samples:
        message = f"found {procedure.samples} for 'samples'"
        message += f", expected at most {max_samples} here"
        hint = "compare fewer metrics or systems at once"
        raise SettingsError(message, code="settings/invalid-value", hint=hint)
    draws, undefined = score_draws(
        sample, seed=procedure.seed, samples=procedure.samples, progress=progress
    )
    totals = np.array([add_rows(counts) for counts in sample.counts])
    by_run = [measure.score(totals[:, measure.columns]) for measure in sample.measures]
    scores = [*map(sample.average_runs, by_run)]
    outcomes = _test_pairs(sample, procedure, pairs, scores, draws, progress=progress)
    return [
        MeasureResult(
            sample=sample,
            procedure=procedure,
            measure=measure,
            pairs=pairs,
            scores=scores[number],
            run_scores=by_run[number],
            draws=draws[number],
            jackknife=leave_one_out(sample, measure),
            undefined=undefined[number],
            outcomes=outcomes[number],
            without_bca=[],
            tests=len(pairs),
        )
        for number, measure in enumerate(sample.measures)
    ]


def list_pairs(systems: Sequence[str], procedure: Procedure) -> list[SystemPair]:
    """Return the pairs to test, in the order of input.

    An alternative is that of a system to the baseline, so it is reversed if the
    baseline comes first.
    """
    baseline, alternative = procedure.baseline, procedure.alternative
    all_pairs = combinations(range(len(systems)), 2)
    if baseline is None:
        return [SystemPair(*pair) for pair in all_pairs]
    base = list(systems).index(baseline)
    return [
        SystemPair(*pair, _OPPOSITE[alternative] if pair[0] == base else alternative)
        for pair in all_pairs
        if base in pair
    ]


def _test_pairs(
    sample: Sample,
    procedure: Procedure,
    pairs: Sequence[SystemPair],
    scores: Sequence[Floats],
    draws: Floats,
    *,
    progress: Progress | None,
) -> list[list[PairTest]]:
    """Compute the p-values of all pairs on all measures."""
    measures = range(len(sample.measures))
    if procedure.test == "randomization":
        outcomes = randomize(
            sample,
            [(measure, pair) for measure in measures for pair in pairs],
            seed=procedure.seed,
            samples=procedure.samples,
            progress=progress,
        )
        return [[outcomes[measure, pair] for pair in pairs] for measure in measures]

    def test_pair(number: int, pair: SystemPair) -> PairTest:
        first, second, alternative = pair
        if procedure.test == "t":
            values = sample.by_document[sample.measures[number].name]
            return PairTest(
                compute_paired_t(values[first] - values[second], alternative)
            )
        if len(sample.units) <= len(sample.strata):
            return PairTest(math.nan)  # the draws of a single unit do not vary
        difference = float(scores[number][first] - scores[number][second])
        drawn = draws[number, first] - draws[number, second]
        p = compute_bootstrap_p(drawn, difference, alternative)
        return PairTest(p, samples=len(drawn))

    return [[test_pair(measure, pair) for pair in pairs] for measure in measures]
