"""Results of one metric: corner cases, ranks that turn, and what is remarked."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from analysis.compare.samples import QUICK, counts_of, made, random_systems

from corefkit import METRICS
from corefkit.analysis.compare.judging import compare_sample
from corefkit.analysis.compare.sample import make_sample
from corefkit.metrics.metric import Metric, Score
from corefkit.settings import Settings

KEY = np.full(8, 6)
BETTER = counts_of(np.full(8, 6), KEY, KEY)
WORSE = counts_of(np.array([3, 4, 5, 4, 3, 5, 4, 2]), KEY, KEY)


def only(sample, procedure=QUICK):
    (metric,) = compare_sample(sample, procedure)
    return metric


def random_counts(**options):
    return random_systems(np.random.default_rng(0), **options)


class TestFewSystemsAndUnits:
    def test_one_system_has_intervals_only(self):
        metric = only(made(random_counts(names="A")))
        (system,) = metric.systems
        low, high = system.intervals["expanded"]
        assert low < system.score < high
        assert (metric.pairs, metric.warnings) == ((), ())
        assert (system.rank, system.letters) == (1, "")

    @pytest.mark.parametrize("test", ["randomization", "bootstrap", "t"])
    def test_one_unit_has_no_interval_and_no_p_that_says_anything(self, test):
        sample = made({"A": BETTER[:1], "B": WORSE[:1]})
        metric = only(sample, replace(QUICK, test=test))
        ends = [
            end
            for one in metric.systems
            for ends in one.intervals.values()
            for end in ends
        ]
        assert len(ends) == 16
        assert all(map(math.isnan, ends))
        (pair,) = metric.pairs
        assert math.isnan(pair.p_bootstrap)
        assert math.isnan(pair.not_better)
        assert math.isnan(pair.least_detectable)
        assert pair.p == 1 if test == "randomization" else math.isnan(pair.p)
        assert not pair.is_significant
        assert not pair.can_be_significant
        assert [one.rank for one in metric.systems] == [1, 1]

    def test_system_without_mentions(self):
        nothing = counts_of(np.zeros(8), KEY, np.zeros(8))
        metric = only(made({"A": BETTER, "B": nothing}))
        assert metric.systems[1].score == 0
        assert metric.systems[1].undefined == 1
        assert metric.pairs[0].p == 2 / 2**8
        assert metric.warnings == (
            "a ratio has no denominator in 100.0 % of the draws of B",
        )

    def test_27_systems_have_no_letters(self):
        counts = random_counts(names=[f"system {at}" for at in range(27)], units=6)
        metric = only(made(counts), replace(QUICK, samples=8))
        assert {one.letters for one in metric.systems} == {""}
        assert len(metric.pairs) == 27 * 26 // 2
        assert "systems have no letters: 27 systems are more than 26" in metric.warnings
        del counts["system 26"]
        metric = only(made(counts), replace(QUICK, samples=8))
        assert all(one.letters for one in metric.systems)


class TestPairs:
    def test_texts_won_tied_and_lost(self):
        first = counts_of(np.array([6, 4, 5, 3]), KEY[:4], KEY[:4])
        second = counts_of(np.array([5, 4, 4, 4]), KEY[:4], KEY[:4])
        (pair,) = only(made({"A": first, "B": second})).pairs
        assert (pair.won, pair.tied, pair.lost) == (2, 1, 1)
        assert pair.units_that_differ == 3

    def test_counts_that_are_equal_but_for_rounding_make_no_difference(self):
        third = random_counts(names="A", units=12)["A"] / 3
        again = np.nextafter(third, 100) * [1, 1, 1, 1 - 1e-15]
        metric = only(made({"A": third, "B": again}))
        (pair,) = metric.pairs
        assert metric.systems[0].score != metric.systems[1].score
        assert (str(pair.difference), pair.p, pair.p_bootstrap) == ("0.0", 1, 1)
        assert {str(end) for ends in pair.intervals.values() for end in ends} == {"0.0"}
        assert (pair.units_that_differ, pair.tied) == (0, 12)

    def test_least_detectable_is_larger_for_more_pairs(self):
        counts = random_counts(names="ABC")
        three = only(made(counts)).pairs[0].least_detectable
        two = only(made({name: counts[name] for name in "AB"})).pairs[0]
        none = only(made(counts), replace(QUICK, correction="none")).pairs[0]
        assert 0 < two.least_detectable < three
        assert none.least_detectable == pytest.approx(two.least_detectable)

    def test_borderline_is_what_more_samples_could_change(self):
        counts = random_counts(names="ABC", units=40)
        counts["A"][:, [0, 2]] -= 2 * (counts["A"][:, [0, 2]] > 20)
        procedure = replace(QUICK, correction="bonferroni")

        def pair(alpha):
            return only(made(counts), replace(procedure, alpha=alpha)).pairs[1]

        seen = pair(0.05)
        assert seen.p_adjusted == 3 * seen.p < 1
        # The error of the adjusted p is three times that of p.
        error = 3 * math.sqrt(seen.p * (1 - seen.p) / 64)
        assert pair(seen.p_adjusted).is_borderline
        assert pair(seen.p_adjusted + 1.9 * error).is_borderline
        assert not pair(seen.p_adjusted + 2.1 * error).is_borderline

    def test_what_no_shuffle_reaches_is_not_borderline(self):
        counts = random_counts(names="AB", units=40)
        for name, less in (("B", 5), ("C", 5)):
            counts[name] = counts["A"].copy()
            counts[name][:, [0, 2]] -= less * (counts[name][:, [0, 2]] > 9)
        procedure = replace(QUICK, correction="bonferroni", alpha=3 / 65 + 0.001)
        pair = only(made(counts), procedure).pairs[0]
        assert (pair.p, pair.is_significant) == (1 / 65, True)
        assert not pair.is_borderline

    def test_exact_p_is_never_borderline(self):
        sample = made({"A": BETTER, "B": WORSE})
        (pair,) = only(sample, replace(QUICK, alpha=2 / 2**8)).pairs
        assert (pair.p, pair.is_borderline, pair.is_significant) == (
            2 / 2**8,
            False,
            True,
        )


class TestWhatCannotBeSignificant:
    def test_five_units_never_can(self):
        sample = made({"A": BETTER[:5], "B": WORSE[:5]})
        metric = only(sample)
        (pair,) = metric.pairs
        assert (pair.p, pair.can_be_significant) == (1 / 16, False)
        assert metric.warnings == (
            "A and B cannot be significant: only 5 texts differ, so p is at least "
            "0.0625",
        )
        assert only(sample, replace(QUICK, alpha=0.07)).pairs[0].is_significant
        one_sided = replace(QUICK, baseline="B", alternative="greater")
        assert only(sample, one_sided).pairs[0].is_significant

    def test_many_pairs_need_more_units(self):
        counts = {"A": BETTER[:6], "B": WORSE[:6], "C": WORSE[:6] - [1, 0, 1, 0]}
        metric = only(made(counts))
        assert not any(pair.can_be_significant for pair in metric.pairs)
        (warning,) = metric.warnings
        assert warning == (
            "A and B, A and C, B and C cannot be significant: only 6 texts differ, so "
            "adjusted p is at least 0.09375"
        )
        free = only(made(counts), replace(QUICK, correction="none"))
        assert all(pair.is_significant for pair in free.pairs)

    def test_few_samples_are_told(self):
        counts = random_counts(names="ABC", units=30)
        metric = only(made(counts), replace(QUICK, samples=20))
        assert not any(pair.can_be_significant for pair in metric.pairs)
        assert metric.warnings == (
            "A and B, A and C, B and C cannot be significant: there are only 20 "
            "shuffles, so adjusted p is at least 0.1429: take more --samples",
        )

    def test_equal_systems_are_no_reason_to_warn(self):
        metric = only(made({"A": BETTER, "B": BETTER}))
        assert not metric.pairs[0].can_be_significant
        assert metric.warnings == ()


class TestErrors:
    @pytest.fixture
    def metric(self):
        sample = make_sample(
            {"A": {"errors.x": np.full(8, 1)}, "B": {"errors.x": np.full(8, 3)}},
            metrics=[],
            settings=Settings(),
            unit_of=[*"abcdefgh"],
            errors={"errors.x": "X"},
        )
        return only(sample)

    def test_fewer_are_better(self, metric):
        assert [one.score for one in metric.systems] == [8, 24]
        assert [one.rank for one in metric.systems] == [1, 2]
        assert [one.letters for one in metric.systems] == ["a", "b"]
        assert [one.name for one in metric.ranked] == ["A", "B"]

    def test_texts_with_fewer_are_won(self, metric):
        (pair,) = metric.pairs
        assert (pair.difference, pair.p) == (-16, 2 / 2**8)
        assert (pair.won, pair.tied, pair.lost) == (8, 0, 0)
        assert (metric.statistic, metric.is_count) == ("count", True)


class TestOtherMetrics:
    def test_metric_of_ones_own_is_compared_row_by_row(self):
        def own_score(counts, settings):
            del settings
            return Score(0, 0, 0, value=(counts[0] - counts[1]) / counts[1])

        own = Metric("own", "Own", METRICS["muc"].count, own_score)
        metric = only(made({"A": BETTER, "B": WORSE}, metric=own))
        assert metric.systems[1].score == pytest.approx(30 / 48 - 1)
        assert metric.pairs[0].p == 2 / 2**8

    def test_undefined_share_is_told_above_1_percent(self):
        empty = np.zeros((1, 4))
        few = {"A": np.concatenate([empty] * 2 + [BETTER[:2]])}
        metric = only(made(few), replace(QUICK, samples=2_000))
        share = metric.systems[0].undefined
        assert share == pytest.approx(1 / 2**4, abs=0.03)
        assert metric.warnings[0] == (
            f"a ratio has no denominator in {100 * share:.1f} % of the draws of A: "
            "scores jump there"
        )
        more = {"A": np.concatenate([empty, BETTER[:7]])}
        assert only(made(more)).warnings == ()

    def test_links_of_blanc_that_a_draw_lacks_are_told(self):
        """A class is left out of draws that lack it, and the score jumps."""
        alone = [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 2.0, 2.0, 2.0]
        both = [1.0, 1.0, 1.0, 1.0, 0.0, 2.0, 0.0, 2.0, 3.0, 3.0, 3.0]
        metric = only(made({"A": [alone, alone, both]}, metric="blanc"))
        assert metric.systems[0].score == 0.5
        assert metric.systems[0].undefined == pytest.approx((2 / 3) ** 3, abs=0.2)
        assert metric.systems[0].intervals["percentile"] == (0.5, 1.0)
        assert "no denominator" in metric.warnings[0]


class TestT:
    def test_means_over_documents_decide_who_is_better(self):
        """A wins every small document, and loses the large one by more."""
        size = np.array([4] * 9 + [1_000])
        first = counts_of(np.array([4] * 9 + [600]), size, size)
        second = counts_of(np.array([2, 3, 2, 2, 3, 2, 2, 3, 2, 700]), size, size)
        metric = only(made({"A": first, "B": second}), replace(QUICK, test="t"))
        (pair,) = metric.pairs
        assert pair.difference < 0
        assert pair.is_significant
        assert [one.rank for one in metric.systems] == [1, 2]
        assert metric.warnings == (
            "A and B differ in their means over documents, which are tested, but their "
            "scores do not differ in the same direction",
        )

    def test_equal_differences_have_no_t(self):
        worse = counts_of(np.full(8, 3), KEY, KEY)
        metric = only(made({"A": BETTER, "B": worse}), replace(QUICK, test="t"))
        assert math.isnan(metric.pairs[0].p)
        assert math.isnan(metric.pairs[0].p_adjusted)
        assert not metric.pairs[0].is_significant
        assert metric.warnings == (
            "A and B differ by the same in every document: there is no t-test",
        )

    def test_documents_are_tested_not_texts(self):
        sample = made({"A": BETTER, "B": WORSE}, units=["a", "a", "b", "b", *"cdef"])
        (whole,) = only(made({"A": BETTER, "B": WORSE}), replace(QUICK, test="t")).pairs
        (parts,) = only(sample, replace(QUICK, test="t")).pairs
        assert parts.p == whole.p
        assert parts.won == 6


class TestStrata:
    UNITS = (*"abcdefgh",)

    def test_scores_of_strata(self):
        strata = dict(zip(self.UNITS, ["news"] * 3 + ["talk"] * 5, strict=True))
        counts = {"A": BETTER, "B": WORSE}
        sample = made(counts, units=[*self.UNITS], stratum_of=strata)
        metric = only(sample)
        assert [(one.name, one.units) for one in metric.strata] == [
            ("news", 3),
            ("talk", 5),
        ]
        assert metric.strata[0].scores == {"A": 1.0, "B": pytest.approx(12 / 18)}
        assert metric.strata[1].scores["B"] == pytest.approx(18 / 30)

    def test_fixed_mix_makes_intervals_narrower(self):
        easy = [6, 6, 6, 6, 1, 1, 1, 1]
        counts = {"A": counts_of(np.array(easy), KEY, KEY)}
        strata = dict(zip(self.UNITS, ["easy"] * 4 + ["hard"] * 4, strict=True))
        plain = only(made(counts, units=[*self.UNITS])).systems[0]
        fixed = only(made(counts, units=[*self.UNITS], stratum_of=strata)).systems[0]
        assert fixed.intervals["percentile"] == pytest.approx((7 / 12, 7 / 12))
        assert plain.intervals["percentile"].high > 7 / 12 + 0.1

    def test_swaps_do_not_know_strata(self):
        counts = random_counts(units=30)
        units = [f"text {at}" for at in range(30)]
        strata = {unit: str(at % 2) for at, unit in enumerate(units)}
        plain, fixed = (
            only(made(counts, units=units, stratum_of=one)) for one in (None, strata)
        )
        assert fixed.pairs[0].p == plain.pairs[0].p
        assert fixed.pairs[0].p_bootstrap != plain.pairs[0].p_bootstrap


def test_missing_bca_is_told():
    """Without any one of these the score is 1, as it is in most draws."""
    sample = made({"A": np.concatenate([np.zeros((2, 4)), BETTER[:2]])})
    metric = only(sample)
    told = "A cannot have a BCa interval: it is the percentile interval"
    assert told in metric.warnings
    ends = metric.systems[0].intervals
    assert ends["bca"] == ends["percentile"]
