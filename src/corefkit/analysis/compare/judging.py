"""From draws to results: ranks, letters, corrected p-values and warnings.

With m tests at 0.05 something is found by chance in more than 5 % of studies. Adjusted
p-values are compared with the level as they are.

A rank is 1 plus the number of systems that are significantly better. Not to differ is
not transitive: two systems can both be indistinguishable from a third, and differ from
each other. Letters show that: systems that share a letter do not differ, those that
share none do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations, islice
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.analysis.compare.comparison import (
    MetricComparison,
    PairResult,
    StratumResult,
    SystemResult,
)
from corefkit.analysis.compare.resampling import (
    NEAR,
    Intervals,
    Question,
    Tested,
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
from corefkit.evaluation import add_rows
from corefkit.exceptions import SettingsError
from corefkit.strings import join_words

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from corefkit.alignment.pipeline import Progress
    from corefkit.analysis.compare.procedure import Procedure
    from corefkit.analysis.compare.sample import Measure, Sample
    from corefkit.arrays.columns import Floats, Ints

# A system's letters are shown beside it: more of them, nobody reads.
MOST_LETTERS = len(ascii_lowercase)


class Ranks(NamedTuple):
    """The ranks of systems, in their order."""

    rank: list[int]
    # Which have a better rank than a system with a better score.
    is_inverted: list[bool]


def rank_systems(
    scores: Sequence[float], significant: Collection[tuple[int, int]]
) -> Ranks:
    """Rank systems: 1 and the number of systems that are significantly better.

    Better is who has the higher score and differs significantly. `significant` has
    these pairs, by the numbers of the systems, in any order.

    The third of these differs from nobody, so that its rank is better than that of the
    second, whose score is better:

    >>> rank_systems([60.0, 58.0, 57.0], {(0, 1)})
    Ranks(rank=[1, 2, 1], is_inverted=[False, False, True])
    """
    differ = _both_ways(significant)
    systems = range(len(scores))
    rank = [
        1 + sum(scores[b] > scores[a] and (a, b) in differ for b in systems)
        for a in systems
    ]
    is_inverted = [
        any(scores[b] > scores[a] and rank[b] > rank[a] for b in systems)
        for a in systems
    ]
    return Ranks(rank, is_inverted)


def assign_letters(
    scores: Sequence[float], significant: Collection[tuple[int, int]]
) -> list[str] | None:
    """Give letters to systems: two share one if they do not differ significantly.

    A letter stands for a largest set of systems that do not differ: one to which no
    other can be added. Letters go by the best score in a set, then by the next best; of
    equal scores the first is the better one. None where there are more than 26 systems
    or sets.

    Source: Piepho 2004, An algorithm for a letter-based representation of all-pairwise
    comparisons.

    >>> assign_letters([60.0, 59.0, 58.0], {(0, 2)})
    ['a', 'ab', 'b']
    """
    if len(scores) > MOST_LETTERS:
        return None
    order = sorted(range(len(scores)), key=lambda system: -scores[system])
    differ = _both_ways(significant)
    # From here on, a system is its place in the order of scores.
    alike = [
        {b for b, j in enumerate(order) if i != j and (i, j) not in differ}
        for i in order
    ]
    found = [*islice(_largest_sets(alike), MOST_LETTERS + 1)]
    if len(found) > MOST_LETTERS:
        return None
    sets = sorted(sorted(members) for members in found)
    given = ["" for _ in scores]
    for letter, members in zip(ascii_lowercase, sets, strict=False):
        for place in members:
            given[order[place]] += letter
    return given


def _both_ways(pairs: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    return {way for a, b in pairs for way in ((a, b), (b, a))}


def _largest_sets(alike: Sequence[set[int]]) -> Iterator[set[int]]:
    """Go through the maximal cliques of a graph, as Bron and Kerbosch (1973) do."""

    def grown(
        members: set[int], candidates: set[int], done: set[int]
    ) -> Iterator[set[int]]:
        if not candidates and not done:
            yield members
            return
        # What is alike to the pivot is found in the sets of the pivot.
        pivot = max(candidates | done, key=lambda one: len(alike[one] & candidates))
        for one in sorted(candidates - alike[pivot]):
            yield from grown(
                members | {one}, candidates & alike[one], done & alike[one]
            )
            candidates = candidates - {one}
            done = done | {one}

    yield from grown(set(), set(range(len(alike))), set())


def holm(p: Floats) -> Floats:
    """Adjust by Holm (1979): the smallest p times m, the next times m - 1, and so on.

    None is smaller than one that comes before it. This holds however the tests depend
    on each other.

    >>> holm(np.array([0.04, 0.01, 0.03])).round(4).tolist()
    [0.06, 0.03, 0.06]
    """
    order, factors = _steps(p)
    return _put_back(np.maximum.accumulate(factors * p[order]), order)


def hochberg(p: Floats) -> Floats:
    """Adjust by Hochberg (1988): the same factors, from the largest p to the smallest.

    None is larger than one that comes after it. This finds more than Holm, but holds
    only for tests that depend on each other in a positive way, which pairs of systems
    do not promise.

    >>> hochberg(np.array([0.04, 0.01, 0.03])).round(4).tolist()
    [0.04, 0.03, 0.04]
    """
    order, factors = _steps(p)
    steps = (factors * p[order])[::-1]
    return _put_back(np.minimum.accumulate(steps)[::-1], order)


def bonferroni(p: Floats) -> Floats:
    """Adjust by Bonferroni: every p times m.

    >>> bonferroni(np.array([0.04, 0.5])).tolist()
    [0.08, 1.0]
    """
    return np.minimum(p * len(p), 1.0)


def none(p: Floats) -> Floats:
    """Leave the p-values as they are.

    >>> none(np.array([0.04, 0.5])).tolist()
    [0.04, 0.5]
    """
    return p


CORRECTED: Mapping[str, Callable[[Floats], Floats]] = {
    "holm": holm,
    "hochberg": hochberg,
    "bonferroni": bonferroni,
    "none": none,
}


def adjust_p_values(p: Sequence[float], correction: str) -> list[float]:
    """Adjust the p-values of one family of tests.

    A test that could not be made has NaN for its p: it counts as one of the family, and
    stays NaN.

    >>> adjust_p_values([0.04, 0.01, 0.03], "bonferroni")
    [0.12, 0.03, 0.09]
    """
    raw = np.array(p, float)
    missing = np.isnan(raw)
    found = CORRECTED[correction](np.where(missing, 1.0, raw))
    made: list[float] = np.where(missing, np.nan, found).tolist()
    return made


def compute_least_adjusted(p: float, number: int, correction: str) -> float:
    """Compute what p is at least after correction, however the others come out.

    >>> (
    ...     compute_least_adjusted(0.01, 6, "holm"),
    ...     compute_least_adjusted(0.01, 6, "hochberg"),
    ... )
    (0.06, 0.01)
    """
    # By Hochberg, if all others are as small.
    times = number if correction in ("holm", "bonferroni") else 1
    return min(1.0, p * times)


def _steps(p: Floats) -> tuple[Ints, Ints]:
    order = np.argsort(p, kind="stable")
    return order, np.arange(len(p), 0, -1)


def _put_back(values: Floats, order: Ints) -> Floats:
    found = np.empty(len(values))
    found[order] = np.minimum(values, 1.0)
    return found


_FEW_UNITS = 20
_MOST_NAMES = 3  # that a sentence lists


def few_units(units: int, procedure: Procedure) -> list[str]:
    """Warn of intervals and tests that rest on few units.

    >>> from corefkit.analysis.compare.procedure import Procedure
    >>> few_units(2, Procedure(unit="document"))
    ['intervals and tests rest on few documents: 2']
    """
    if units >= _FEW_UNITS:
        return []
    if units == 1:
        return [f"one {procedure.unit} does not vary: it has no intervals, and no test"]
    return [f"intervals and tests rest on few {procedure.unit}s: {units}"]


def tested(metrics: Mapping[str, MetricComparison], procedure: Procedure) -> list[str]:
    """Say how many tests there were, and what was corrected for."""
    many = len(metrics)
    pairs = max((len(metric.pairs) for metric in metrics.values()), default=0)
    if not pairs:
        return []
    notes = []
    if many > 1:
        notes.append(f"{many} metrics were tested; p is not corrected across metrics")
    if pairs > 1 and procedure.correction == "none":
        notes.append(f"{pairs} pairs were tested, and p is not corrected for that")
    return notes


def collect_warnings(metrics: Mapping[str, MetricComparison]) -> list[str]:
    """Put the warnings of all metrics together, and add what is borderline."""
    said: dict[str, list[str]] = {}
    for metric in metrics.values():
        for warning in metric.warnings:
            said.setdefault(warning, []).append(metric.label)
        close = [
            f"{pair.a} and {pair.b}" for pair in metric.pairs if pair.is_borderline
        ]
        if close:
            # The tables count them; a list of many would be long and of no use.
            which = ", ".join(close) if len(close) <= _MOST_NAMES else "many pairs"
            warning = f"borderline, more --samples could decide otherwise: {which}"
            said.setdefault(warning, []).append(metric.label)
    return [f"{_list_names(labels)}: {warning}" for warning, labels in said.items()]


def _list_names(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMES
    listed = ", ".join(names[:_MOST_NAMES])
    return f"{listed} and {more} more" if more > 0 else listed


_MANY_UNDEFINED = 0.01
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Remarked:
    """What remarks are made on.

    Attributes:
        procedure: how systems were compared.
        systems: the systems as judged.
        pairs: the pairs as judged.
        lacking_bca: the systems and differences that have no BCa interval.
        turned: pairs that differ, but not in the direction of their scores.
    """

    procedure: Procedure
    systems: tuple[SystemResult, ...]
    pairs: tuple[PairResult, ...]
    lacking_bca: tuple[str, ...] = ()
    turned: tuple[PairResult, ...] = ()


def remarks(found: Remarked) -> tuple[str, ...]:
    """Make all remarks on one metric."""
    makers = _undefined, _too_few, _without_t, _turned, _without_bca, _without_letters
    return tuple(remark for maker in makers for remark in maker(found))


def _undefined(found: Remarked) -> Iterator[str]:
    many = [system for system in found.systems if system.undefined > _MANY_UNDEFINED]
    if many:
        shares = _list_few(
            [f"{100 * one.undefined:.1f} % of the draws of {one.name}" for one in many]
        )
        jump = any(one.undefined < 1 for one in many)
        end = ": scores jump there" if jump else ""
        yield f"a ratio has no denominator in {shares}{end}"


def _too_few(found: Remarked) -> Iterator[str]:
    """Say which pairs could not have been significant, identical ones aside."""
    procedure = found.procedure
    hopeless = [
        pair
        for pair in found.pairs
        if not pair.can_be_significant
        and pair.units_that_differ
        and not math.isnan(pair.p)
    ]
    exact = [pair for pair in hopeless if pair.is_exact]
    sampled = [pair for pair in hopeless if not pair.is_exact]
    number, correction = len(found.pairs), procedure.correction
    sides = 1 if procedure.alternative == "two-sided" else 0
    if exact:
        most = max(pair.units_that_differ for pair in exact)
        least = compute_least_adjusted(2.0 ** (sides - most), number, correction)
        units = f"{procedure.unit}s" if most != 1 else procedure.unit
        yield (
            f"{_listed_pairs(exact)} differ in {'at most ' if len(exact) > 1 else ''}"
            f"{most} {units}: {_p(number)} cannot be less than {least:.4g}"
        )
    if sampled:
        least = compute_least_adjusted(1 / (procedure.samples + 1), number, correction)
        yield (
            f"with {procedure.samples:,} samples {_p(number)} cannot be less than "
            f"{least:.4g}: take more"
        )


def _p(pairs: int) -> str:
    return "p" if pairs == 1 else "adjusted p"


def _without_t(found: Remarked) -> Iterator[str]:
    without = [pair for pair in found.pairs if math.isnan(pair.p)]
    if without and found.procedure.test == "t":
        yield (
            f"{_listed_pairs(without)} differ by the same in every document: there is "
            "no t-test"
        )


def _turned(found: Remarked) -> Iterator[str]:
    if found.turned:
        yield (
            f"{_listed_pairs(found.turned)} differ in their means over documents, "
            "which are tested, but their scores do not differ in the same direction"
        )


def _without_bca(found: Remarked) -> Iterator[str]:
    if found.lacking_bca:
        yield (
            f"{_list_few(found.lacking_bca)} cannot have a BCa interval: it is the "
            "percentile interval"
        )


def _without_letters(found: Remarked) -> Iterator[str]:
    systems = len(found.systems)
    if systems < 2 or len(found.pairs) < systems * (systems - 1) // 2:
        return
    if any(not system.letters for system in found.systems):
        reason = (
            f"{systems} systems are more than {MOST_LETTERS}"
            if systems > MOST_LETTERS
            else f"they fall into more than {MOST_LETTERS} sets that do not differ"
        )
        yield f"systems have no letters: {reason}"


def _listed_pairs(pairs: Sequence[PairResult]) -> str:
    """List a few pairs, with nothing but commas between them."""
    names = [f"{pair.a} and {pair.b}" for pair in pairs[:_MOST_NAMED]]
    left = len(pairs) - _MOST_NAMED
    return ", ".join(names + [f"{left} more pairs"] * (left > 0))


def _list_few(names: Sequence[str]) -> str:
    """List a few names, and count the others."""
    shown, left = list(names[:_MOST_NAMED]), len(names) - _MOST_NAMED
    if left > 0:
        shown.append(f"{left} more")
    return join_words(shown)


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

    def compute_intervals(
        self, draws: Floats, observed: float, left: Floats
    ) -> Intervals:
        """Make the intervals of a score, or of a difference."""
        return compute_intervals(
            draws,
            observed,
            left,
            alpha=self.procedure.alpha,
            strata=len(self.sample.strata),
        )


def judged(facts: Facts) -> MetricComparison:
    """Judge the systems and pairs of one measure."""
    p_adjusted = adjust_p_values(
        [one.p for one in facts.tested], facts.procedure.correction
    )
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
        turned=tuple(_find_turned(facts, pairs)),
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
    differ = int(np.count_nonzero(flag_differing_units(sample, measure, first, second)))
    # Counts that are equal but for rounding make no difference at all.
    draws, scores, left = (
        values[first] - values[second] if differ else np.zeros_like(values[first])
        for values in (facts.draws, facts.scores, facts.left_out)
    )
    difference = float(scores)
    made = facts.compute_intervals(draws, difference, left)
    won, tied, lost = _texts(facts, pair)
    p_bootstrap = compute_bootstrap_p(draws, difference, alternative)
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
        not_better=compute_not_better(draws, difference) if facts.varies else math.nan,
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
    return compute_least_detectable(
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
    return (
        compute_least_adjusted(least, len(facts.pairs), correction) <= alpha + _ROUNDING
    )


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
    rank, is_inverted = rank_systems(scores, significant)
    # Letters speak of all pairs: there are none where some were not tested.
    every = len(names) > 1 and len(pairs) == len(names) * (len(names) - 1) // 2
    given = assign_letters(scores, significant) if every else None
    made = [
        facts.compute_intervals(facts.draws[at], float(score), facts.left_out[at])
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


def _find_turned(facts: Facts, pairs: Sequence[PairResult]) -> list[PairResult]:
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
        totals = np.array([add_rows(rows[inside]) for rows in sample.counts])
        scores = measure.score(totals[:, measure.columns]).tolist()
        by_system = dict(zip(sample.systems, scores, strict=True))
        found.append(StratumResult(name, int(np.count_nonzero(inside)), by_system))
    return tuple(found)


_MOST_BYTES = 4 * 10**9  # that samples may take
_FLIPPED = {"greater": "less", "less": "greater", "two-sided": "two-sided"}


def compare_sample(
    sample: Sample, procedure: Procedure, *, progress: Progress | None = None
) -> tuple[MetricComparison, ...]:
    """Compare the systems of a sample on all its measures.

    Draws and swaps are the same for all of them. With a baseline only its own pairs are
    tested; one system has intervals, and no pair. `progress` is called with the draws
    that were made and all of them, then with the swaps.

    >>> import corefkit
    >>> from corefkit.analysis.compare.sample import make_sample
    >>> from corefkit.analysis.compare.procedure import Procedure
    >>> key = {name: ["abc", "de"] for name in "123456"}
    >>> good = corefkit.score(key, key, metrics=["lea"])
    >>> bad = corefkit.score(key, {name: ["ab", "cd"] for name in key}, metrics=["lea"])
    >>> sample = make_sample(
    ...     {"good": good.counts, "bad": bad.counts},
    ...     metrics=good.metrics,
    ...     settings=good.settings,
    ...     unit_of=good.documents,
    ... )
    >>> (lea,) = compare_sample(sample, Procedure(samples=100))
    >>> lea.pairs[0].p, lea.pairs[0].is_exact, [one.rank for one in lea.systems]
    (0.03125, True, [1, 2])
    """
    pairs = list_pairs(sample.systems, procedure)
    _check_samples(sample, procedure.samples)
    draws, undefined = score_draws(
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
                left_out=leave_one_out(sample, measure),
                undefined=undefined[at],
                tested=tested[at],
            )
        )
        for at, measure in enumerate(sample.measures)
    )


def list_pairs(systems: Sequence[str], procedure: Procedure) -> list[Pair]:
    """List the pairs to test, in the order of input.

    An alternative is that of a system to the baseline, so it is turned round where the
    baseline comes first.

    >>> from corefkit.analysis.compare.procedure import Procedure
    >>> list_pairs("abc", Procedure(baseline="b", alternative="greater"))
    [Pair(first=0, second=1, alternative='greater'), \
Pair(first=1, second=2, alternative='less')]
    """
    baseline, alternative = procedure.baseline, procedure.alternative
    every = combinations(range(len(systems)), 2)
    if baseline is None:
        return [Pair(*pair) for pair in every]
    if baseline not in systems:
        message = f"the baseline {baseline!r} is none of the systems"
        raise SettingsError(
            message,
            code="settings/unknown-value",
            hint=f"these are {', '.join(systems)}",
        )
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
        raise SettingsError(message, code="settings/invalid-value", hint=hint)


def _scores(sample: Sample, measure: Measure) -> Floats:
    totals = np.array([add_rows(counts) for counts in sample.counts])
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
        found = randomize(
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
    return Tested(compute_paired_t(differences, pair.alternative))


def _bootstrapped(scores: Floats, draws: Floats, pair: Pair) -> Tested:
    difference = float(scores[pair.first] - scores[pair.second])
    between = draws[pair.first] - draws[pair.second]
    p = compute_bootstrap_p(between, difference, pair.alternative)
    return Tested(p, samples=len(between))
