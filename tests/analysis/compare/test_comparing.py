"""Whole comparisons of samples: known answers, and what any comparison must keep."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from analysis.compare.known import NAMES, known, known_sample, needs_known, split
from analysis.compare.samples import QUICK, counts_of, made, random_systems, systems
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from corefkit.analysis.compare.judging import compare_sample, list_pairs
from corefkit.analysis.compare.procedure import Procedure
from corefkit.exceptions import SettingsError
from corefkit.settings import Settings

EXACT = Procedure(samples=1_000)


def by_name(sample, procedure=QUICK):
    return {metric.name: metric for metric in compare_sample(sample, procedure)}


def only(sample, procedure=QUICK):
    (metric,) = compare_sample(sample, procedure)
    return metric


def pair_of(metric, *names):
    (pair,) = (pair for pair in metric.pairs if {pair.a, pair.b} == set(names))
    return pair


@needs_known
class TestKnownAnswers:
    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize("statistic", ["f1", "recall", "precision"])
    def test_scores_and_p(self, name, statistic):
        answers = known(name)
        found = by_name(
            known_sample(name, statistic), replace(EXACT, statistic=statistic)
        )
        for which, pairs in answers["exact_permutation"].items():
            for key, expected in pairs.items():
                if split(key)[1] != statistic:
                    continue
                pair = pair_of(found[split(key)[0]], *which.split("-"))
                assert (pair.p, pair.is_exact) == (expected["p"], True)
                assert pair.difference == pytest.approx(
                    expected["difference"], abs=1e-9
                )
        for system, scores in answers["scores"].items():
            for key, expected in scores.items():
                metric, which = split(key)
                if which == statistic:
                    at = answers["systems"].index(system)
                    score = found[metric].systems[at].score
                    assert score == pytest.approx(expected, abs=1e-12)

    def test_adjusted_p_ranks_and_letters(self):
        answers = known("three-systems")
        for correction in ("holm", "hochberg", "bonferroni"):
            procedure = replace(EXACT, correction=correction)
            found = by_name(known_sample("three-systems"), procedure)
            for key, expected in answers["adjusted"].items():
                pairs = found[split(key)[0]].pairs
                adjusted = {f"{pair.a}-{pair.b}": pair.p_adjusted for pair in pairs}
                assert adjusted == expected[correction]
        for key, expected in answers["ranks_at_0.05"].items():
            systems = found[split(key)[0]].systems
            assert {one.name: one.rank for one in systems} == expected["rank"]
            assert {one.name: one.letters for one in systems} == expected["letters"]

    def test_t_test_decides(self):
        answers = known("two-systems")["paired_t_test_of_document_scores"]["A-B"]
        found = by_name(known_sample("two-systems"), replace(EXACT, test="t"))
        for key, expected in answers.items():
            (pair,) = found[split(key)[0]].pairs
            assert pair.p == pytest.approx(expected["p"], rel=1e-9)
            assert (pair.is_exact, pair.samples) == (False, 0)

    def test_bootstrap_decides(self):
        found = by_name(known_sample("two-systems"), replace(EXACT, test="bootstrap"))
        for metric in found.values():
            assert metric.pairs[0].p == metric.pairs[0].p_bootstrap
            assert metric.pairs[0].samples == 1_000

    def test_interval_of_few_texts_agrees_with_the_test(self):
        lea = by_name(known_sample("two-systems"), replace(EXACT, samples=10_000))[
            "lea"
        ]
        (pair,) = lea.pairs
        assert pair.p == 0.125
        assert pair.intervals["percentile"].low > 0 > pair.intervals["expanded"].low


@st.composite
def two_systems(draw):
    return draw(systems(names="AB", min_units=2))


class TestProperties:
    @given(two_systems())
    def test_order_of_systems_makes_no_difference(self, counts):
        one = only(made(counts)).pairs[0]
        other = only(made({name: counts[name] for name in "BA"})).pairs[0]
        assert (other.p, other.p_bootstrap) == (one.p, one.p_bootstrap)
        assert other.difference == -one.difference
        assert (other.won, other.tied, other.lost) == (one.lost, one.tied, one.won)
        assert other.not_better == one.not_better
        assert other.least_detectable == pytest.approx(one.least_detectable)
        low, high = one.intervals["expanded"]
        assert other.intervals["expanded"] == pytest.approx((-high, -low), abs=1e-12)

    @given(two_systems(), st.randoms(use_true_random=False))
    def test_order_of_documents_makes_no_difference(self, counts, random):
        units = [f"text {at}" for at in range(len(counts["A"]))]
        order = [*range(len(units))]
        random.shuffle(order)
        moved = {name: rows[order] for name, rows in counts.items()}
        one = only(made(counts, units=units))
        other = only(made(moved, units=[units[at] for at in order]))
        assert other == one

    @given(systems(names="ABC", min_units=2))
    def test_third_system_changes_no_other_p(self, counts):
        three = only(made(counts))
        two = only(made({name: counts[name] for name in "AB"}))
        pair, same = pair_of(three, "A", "B"), two.pairs[0]
        assert (pair.p, pair.p_bootstrap) == (same.p, same.p_bootstrap)
        assert pair.intervals == same.intervals

    def test_third_system_changes_no_sampled_p(self):
        counts = random_systems(np.random.default_rng(1), names="ABC", units=30)
        three = only(made(counts))
        assert not three.pairs[0].is_exact
        for a, b in combinations("ABC", 2):
            two = only(made({a: counts[a], b: counts[b]}))
            assert two.pairs[0].p == pair_of(three, a, b).p

    @pytest.mark.parametrize("units", [8, 30])
    @pytest.mark.parametrize("more", [1, 20])
    def test_documents_in_which_both_agree_change_no_p_of_recall(self, units, more):
        """Of recall alone: its denominator is the key's, so that T* is linear."""
        counts = random_systems(np.random.default_rng(units), units=units)
        same = counts_of(*np.full((3, more), 7))
        longer = {name: np.concatenate([same, rows]) for name, rows in counts.items()}
        names = [f"text {at}" for at in range(units)]
        others = [f"agreed {at}" for at in range(more)]
        procedure = replace(QUICK, statistic="recall")
        one = only(made(counts, units=names, statistic="recall"), procedure)
        other = only(made(longer, units=others + names, statistic="recall"), procedure)
        assert other.pairs[0].p == one.pairs[0].p
        assert other.pairs[0].units_that_differ == one.pairs[0].units_that_differ
        assert other.pairs[0].tied == one.pairs[0].tied + more

    @given(systems(names="A", min_units=1))
    @settings(max_examples=20)
    def test_same_output_twice(self, counts):
        metric = only(made({"A": counts["A"], "B": counts["A"]}))
        (pair,) = metric.pairs
        assert (pair.difference, pair.p, pair.p_adjusted) == (0, 1, 1)
        assert [one.rank for one in metric.systems] == [1, 1]
        assert [one.letters for one in metric.systems] == ["a", "a"]
        assert pair.units_that_differ == pair.won == pair.lost == 0
        assert not pair.is_significant
        if len(counts["A"]) > 1:
            assert set(pair.intervals.values()) == {(0.0, 0.0)}
            assert (pair.p_bootstrap, pair.not_better) == (1, 1)

    @given(two_systems())
    def test_doubled_counts_change_nothing(self, counts):
        one = only(made(counts)).pairs[0]
        double = {name: 2 * rows for name, rows in counts.items()}
        assert only(made(double)).pairs[0] == one

    @given(
        st.lists(
            st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=8
        )
    )
    def test_macro_and_micro_agree_where_documents_are_of_one_size(self, found):
        first, second = np.array(found).T
        size = np.full(len(found), 6)
        counts = {"A": counts_of(first, size, size), "B": counts_of(second, size, size)}
        micro = only(made(counts)).pairs[0]
        macro = only(made(counts, settings=Settings(average="macro"))).pairs[0]
        assert macro.p == micro.p
        assert macro.p_bootstrap == micro.p_bootstrap
        assert macro.difference == pytest.approx(micro.difference, abs=1e-12)

    @given(two_systems())
    @settings(max_examples=20)
    def test_one_stratum_is_none(self, counts):
        units = [f"text {at}" for at in range(len(counts["A"]))]
        strata = dict.fromkeys(units, "news")
        assert only(made(counts, units=units, stratum_of=strata)) == only(made(counts))

    @given(systems(names="ABCD", min_units=5), st.sampled_from(["f1", "recall"]))
    @settings(max_examples=30)
    def test_ranks_letters_and_p_belong_together(self, counts, statistic):
        procedure = replace(QUICK, statistic=statistic, alpha=0.3, correction="holm")
        metric = only(made(counts, statistic=statistic), procedure)
        letters = {one.name: set(one.letters) for one in metric.systems}
        assert min(one.rank for one in metric.systems) == 1
        for pair in metric.pairs:
            assert pair.p_adjusted >= pair.p
            assert pair.is_significant == (pair.p_adjusted <= 0.3)
            assert pair.is_significant == (not letters[pair.a] & letters[pair.b])
            assert pair.can_be_significant >= pair.is_significant


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_exact_p_is_that_of_scipy(alternative):
    counts = random_systems(np.random.default_rng(2), units=9)
    rows = np.concatenate([counts["A"], counts["B"]])

    def difference(one, other, axis):
        sums = [rows[which.astype(int)].sum(axis=axis - 1) for which in (one, other)]
        return np.subtract(*[2 * s[..., 0] / (s[..., 1] + s[..., 3]) for s in sums])

    theirs = stats.permutation_test(
        (np.arange(9), np.arange(9, 18)),
        difference,
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
        alternative=alternative,
        axis=-1,
    )
    procedure = replace(QUICK, baseline="B", alternative=alternative)
    (ours,) = only(made(counts), procedure).pairs
    assert ours.is_exact
    assert ours.difference == pytest.approx(theirs.statistic)
    assert ours.p == pytest.approx(theirs.pvalue)


class TestPairs:
    def test_all_in_the_order_of_input(self):
        assert [pair[:2] for pair in list_pairs("BAC", QUICK)] == [
            (0, 1),
            (0, 2),
            (1, 2),
        ]

    def test_baseline_has_only_its_own(self):
        counts = random_systems(np.random.default_rng(0), names="ABCD", units=8)
        every = only(made(counts))
        some = only(made(counts), replace(QUICK, baseline="B"))
        assert [(pair.a, pair.b) for pair in some.pairs] == [
            ("A", "B"),
            ("B", "C"),
            ("B", "D"),
        ]
        for pair in some.pairs:
            assert pair.p == pair_of(every, pair.a, pair.b).p
            assert pair.p_adjusted <= pair_of(every, pair.a, pair.b).p_adjusted
        assert {one.letters for one in some.systems} == {""}
        assert some.warnings == ()

    def test_two_systems_with_a_baseline_have_letters(self):
        counts = random_systems(np.random.default_rng(0), units=8)
        metric = only(made(counts), replace(QUICK, baseline="B"))
        assert all(one.letters for one in metric.systems)

    @pytest.mark.parametrize("test", ["randomization", "bootstrap", "t"])
    @pytest.mark.parametrize("units", [9, 30])
    def test_alternative_is_that_of_the_system_to_the_baseline(self, test, units):
        counts = random_systems(np.random.default_rng(4), units=units)
        counts["A"][:, [0, 2]] = np.maximum(counts["A"][:, [0, 2]] - 3, 0)
        assert only(made(counts)).pairs[0].difference < 0

        def p(baseline, alternative):
            procedure = replace(
                QUICK, test=test, baseline=baseline, alternative=alternative
            )
            return only(made(counts), procedure).pairs[0].p

        # A is worse: B is greater than the baseline A, and A less than the baseline B.
        assert p("A", "greater") == p("B", "less") < 0.5 < p("A", "less")
        assert p("B", "greater") == p("A", "less")


@pytest.mark.parametrize("samples", [10**12, 10**30])
def test_more_samples_than_memory_holds_are_refused(samples):
    sample = made(random_systems(np.random.default_rng(0)))
    with pytest.raises(SettingsError, match="expected at most 190476190 here"):
        compare_sample(sample, replace(QUICK, samples=samples))


def test_the_smallest_level_has_intervals():
    sample = made(random_systems(np.random.default_rng(0), units=8))
    metric = only(sample, replace(QUICK, alpha=1e-12))
    ends = [*metric.systems[0].intervals.values(), *metric.pairs[0].intervals.values()]
    assert np.isfinite(ends).all()
