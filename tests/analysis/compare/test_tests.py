"""P-values: known answers digit for digit, samples within their error."""

from __future__ import annotations

import math

import numpy as np
import pytest
from analysis.compare.known import cases, known, known_sample, number, split
from analysis.compare.samples import counts_of, made
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from corefkit import SUPPLEMENTS
from corefkit.analysis.compare.resampling import (
    SystemPair,
    compute_bootstrap_p,
    compute_least_detectable,
    compute_not_better,
    compute_paired_t,
    count_extreme,
    flag_differing_units,
    randomize,
    score_swaps,
)


def asked(name, pair, statistic, average="micro"):
    """Give the sample and the question of a known answer."""
    metric, which = split(statistic)
    sample = known_sample(name, which, average)
    systems = [sample.systems.index(system) for system in pair.split("-")]
    return sample, (number(sample, metric), SystemPair(*systems))


def answer(sample, question, **options):
    options = {"seed": 0, "samples": 10_000, **options}
    return randomize(sample, [question], **options)[question]


class TestKnownAnswers:
    @pytest.mark.parametrize(("name", "pair", "statistic"), cases("exact_permutation"))
    def test_exact_p_is_the_same_digit_for_digit(self, name, pair, statistic):
        sample, question = asked(name, pair, statistic)
        expected = known(name)["exact_permutation"][pair][statistic]
        found = answer(sample, question)
        assert found.is_exact
        assert found.p == expected["p"]
        side = "greater" if expected["difference"] >= 0 else "less"
        one_sided = answer(
            sample, (question[0], question[1]._replace(alternative=side))
        )
        assert one_sided.p == expected["p_one_sided"]

    @pytest.mark.parametrize(
        ("name", "pair", "statistic"), cases("exact_permutation_macro")
    )
    def test_exact_p_of_macro_averages(self, name, pair, statistic):
        sample, question = asked(name, pair, statistic, "macro")
        expected = known(name)["exact_permutation_macro"][pair][statistic]
        assert answer(sample, question).p == expected["p"]

    @pytest.mark.parametrize(("name", "pair", "statistic"), cases("exact_permutation"))
    @pytest.mark.slow
    def test_sampled_p_is_within_four_errors(self, name, pair, statistic):
        sample, question = asked(name, pair, statistic)
        expected = known(name)["exact_permutation"][pair][statistic]["p"]
        found = answer(sample, question, samples=4_000, max_enumerated=-1)
        assert (found.is_exact, found.samples) == (False, 4_000)
        error = math.sqrt(expected * (1 - expected) / 4_000)
        assert found.p == pytest.approx(expected, abs=4 * error + 1 / 4_001)

    @pytest.mark.parametrize(("name", "pair", "statistic"), cases("units_that_differ"))
    def test_units_that_differ(self, name, pair, statistic):
        sample, question = asked(name, pair, statistic)
        flags = flag_differing_units(
            sample, sample.measures[question[0]], *question[1][:2]
        )
        assert flags.sum() == known(name)["units_that_differ"][pair][statistic]

    @pytest.mark.parametrize(
        ("name", "pair", "statistic"), cases("paired_t_test_of_document_scores")
    )
    def test_paired_t(self, name, pair, statistic):
        sample, question = asked(name, pair, statistic)
        expected = known(name)["paired_t_test_of_document_scores"][pair][statistic]
        values = sample.by_document[split(statistic)[0]]
        differences = values[question[1].first] - values[question[1].second]
        assert len(differences) == expected["n"]
        assert differences.mean() == pytest.approx(
            expected["mean_difference"], abs=1e-12
        )
        assert compute_paired_t(differences) == pytest.approx(expected["p"], rel=1e-9)


@pytest.mark.parametrize(("units", "is_exact"), [(16, True), (17, False)])
def test_up_to_16_units_that_differ_are_enumerated(units, is_exact):
    """Eight more units in which both agree do not count."""
    found, size = np.arange(units + 8) % 7 + 1, np.full(units + 8, 9)
    other = np.where(np.arange(units + 8) < units, found + 1, found)
    sample = made(
        {"A": counts_of(found, size, size), "B": counts_of(other, size, size)}
    )
    tested = answer(sample, (0, SystemPair(0, 1)), samples=50)
    assert tested.is_exact == is_exact
    assert tested.samples == (2**16 if is_exact else 50)
    assert tested.p == (2 / 2**16 if is_exact else 1 / 51)


def test_what_rounding_leaves_of_nothing_is_nothing():
    """Fractions cancel out but for their last bits, which have no ratio."""
    size = np.random.default_rng(0).random(8)
    system, nothing = (
        np.stack([found, size, found, returned], axis=1)
        for found, returned in ((0.7 * size, 1.1 * size), (0 * size, 0 * size))
    )
    sample = made({"A": system, "B": nothing}, metric=SUPPLEMENTS["lea_weighted"])
    found = answer(sample, (0, SystemPair(0, 1)))
    assert found.p == 2 / 2**8
    totals = sample.counts[0].sum(axis=0)[:, None]
    moved = np.nextafter(totals, 0)
    values = score_swaps(sample.measures[0], moved, totals[:, 0], 0 * totals[:, 0])
    assert values.tolist() == pytest.approx([2 / (1 / 0.7 + 1.1 / 0.7)])


class TestFarOut:
    def test_what_is_as_far_within_rounding_counts(self):
        values = np.array([0.3, -0.1 - 0.2, 0.3 - 1e-8])
        assert count_extreme(values, 0.1 + 0.2, "two-sided") == 2

    @given(st.lists(st.floats(-1, 1), max_size=20), st.floats(-1, 1))
    def test_sides_mirror_each_other(self, values, observed):
        drawn = np.array(values)
        assert count_extreme(drawn, observed, "less") == count_extreme(
            -drawn, -observed, "greater"
        )
        assert count_extreme(drawn, observed, "two-sided") == count_extreme(
            -drawn, -observed, "two-sided"
        )


class TestBootstrap:
    def test_p_counts_draws_far_from_the_difference(self):
        draws = np.array([0.1, 0.2, 0.41, 0.0, -0.01])
        assert compute_bootstrap_p(draws, 0.2, "two-sided") == (1 + 3) / 6
        assert compute_bootstrap_p(draws, 0.2, "greater") == (1 + 1) / 6
        assert compute_bootstrap_p(draws, 0.2, "less") == (1 + 4) / 6

    def test_equal_systems_have_p_1(self):
        assert compute_bootstrap_p(np.zeros(9), 0.0, "two-sided") == 1
        assert compute_not_better(np.zeros(9), 0.0) == 1

    def test_not_better_counts_ties(self):
        draws = np.array([0.2, 0.0, -0.3, 0.1])
        assert compute_not_better(draws, 0.1) == 0.5
        assert compute_not_better(draws, -0.1) == 0.75
        assert compute_not_better(draws, 0.0) == 1


class TestPairedT:
    @given(st.lists(st.floats(-1, 1), min_size=2, max_size=15))
    def test_it_is_that_of_scipy(self, values):
        differences = np.array(values)
        if np.ptp(differences) < 1e-6:
            return
        for alternative in ("two-sided", "greater", "less"):
            expected = stats.ttest_1samp(differences, 0, alternative=alternative)
            found = compute_paired_t(differences, alternative)
            assert found == pytest.approx(expected.pvalue, rel=1e-9, abs=1e-15)

    def test_equal_differences_have_no_t(self):
        assert compute_paired_t(np.zeros(5)) == 1
        assert compute_paired_t(np.zeros(1)) == 1
        assert math.isnan(compute_paired_t(np.full(5, 0.1)))
        assert math.isnan(compute_paired_t(np.array([0.1])))


def test_least_detectable_difference_is_larger_for_many_pairs():
    error = 0.01 * math.sqrt(10 / 9)
    expected = (stats.t.ppf(0.975, 9) + 0.84) * error
    assert compute_least_detectable(0.01, units=10, alpha=0.05) == pytest.approx(
        expected
    )
    expected = (stats.t.ppf(1 - 0.025 / 45, 9) + 0.84) * error
    assert compute_least_detectable(
        0.01, units=10, alpha=0.05, pairs=45
    ) == pytest.approx(expected)
    assert math.isnan(compute_least_detectable(0.01, units=1, alpha=0.05))
