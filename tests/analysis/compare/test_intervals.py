"""Intervals: the exact distributions of small samples, and corner cases."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from analysis.compare.exact_bootstrap import exact_values, quantile
from analysis.compare.known import NAMES, known, known_sample, number, split
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from corefkit.analysis.compare.comparison import Interval
from corefkit.analysis.compare.procedure import CHOICES
from corefkit.analysis.compare.resampling import (
    compute_bootstrap_p,
    compute_intervals,
    compute_margin,
    compute_not_better,
    expand_tail,
    leave_one_out,
    score_draws,
)

SAMPLES = 10_000


def cases():
    """List file, system or pair, and statistic of all exact distributions."""
    return [
        (name, who, statistic)
        for name in NAMES
        for kind in known(name).get("exact_bootstrap", {}).values()
        for who, found in kind.items()
        for statistic in found
    ]


@cache
def drawn(name, statistic):
    return score_draws(known_sample(name, statistic), seed=0, samples=SAMPLES)[0]


def combined(sample, who, rows):
    """Take the row of a system, or the difference of the rows of a pair."""
    first, *second = (sample.systems.index(system) for system in who.split("-"))
    return rows[first] - rows[second[0]] if second else rows[first]


@pytest.mark.parametrize(("name", "who", "statistic"), cases())
class TestKnownAnswers:
    @pytest.fixture
    def expected(self, name, who, statistic):
        answers = known(name)["exact_bootstrap"]
        return answers["pairs" if "-" in who else "systems"][who][statistic]

    @pytest.fixture
    def observed(self, expected):
        return expected["difference" if "difference" in expected else "score"]

    @pytest.fixture
    def exact(self, name, who, statistic):
        values, chances = exact_values(name, *split(statistic))
        return combined(known_sample(name, split(statistic)[1]), who, values), chances

    @pytest.fixture
    def draws(self, name, who, statistic):
        metric, which = split(statistic)
        sample = known_sample(name, which)
        return combined(sample, who, drawn(name, which)[number(sample, metric)])

    def test_exact_distribution_is_the_known_one(self, exact, expected):
        values, chances = exact
        assert (values * chances).sum() == pytest.approx(expected["mean"], abs=1e-9)
        for level, end in zip((0.025, 0.975), expected["percentile"], strict=True):
            assert quantile(values, chances, level) == pytest.approx(end, abs=1e-9)

    def test_mean_and_deviation_of_draws(self, exact, expected, draws):
        values, chances = exact
        mean, deviation = expected["mean"], expected["sd"]
        assert draws.mean() == pytest.approx(
            mean, abs=4 * deviation / math.sqrt(SAMPLES) + 1e-12
        )
        fourth = (chances * (values - mean) ** 4).sum()
        spread = math.sqrt(max(fourth - deviation**4, 0) / SAMPLES)
        assert draws.var() == pytest.approx(deviation**2, abs=4 * spread + 1e-12)

    def test_ends_lie_at_their_levels(
        self, name, who, statistic, exact, expected, observed, draws
    ):
        metric, which = split(statistic)
        sample = known_sample(name, which)
        left = leave_one_out(sample, sample.measures[number(sample, metric)])
        made, lacks_bca = compute_intervals(
            draws, observed, combined(sample, who, left), alpha=0.05
        )
        tail = expected["expanded_tail"]
        assert expand_tail(0.025, units=len(sample.units)) == pytest.approx(tail)
        for kind, at in (("percentile", 0.025), ("expanded", tail)):
            for level, end in zip((at, 1 - at), made[kind], strict=True):
                low, high = (quantile(*exact, level + by) for by in (-0.005, 0.005))
                assert low - 1e-9 <= end <= high + 1e-9
        width = expected["percentile"][1] - expected["percentile"][0]
        ends = pytest.approx(expected["bca"], abs=0.05 * width + 1e-9)
        assert made["bca"] == ends
        assert not lacks_bca

    def test_p_of_the_shifted_draws(self, expected, observed, draws):
        if "p_shift_two_sided" not in expected:
            return
        p = min(expected["p_shift_two_sided"], 1.0)
        error = 4 * math.sqrt(p * (1 - p) / SAMPLES) + 1 / (SAMPLES + 1)
        assert compute_bootstrap_p(draws, observed, "two-sided") == pytest.approx(
            p, abs=error
        )
        share = min(expected["p_not_better"], 1.0)
        error = 4 * math.sqrt(share * (1 - share) / SAMPLES) + 1e-12
        assert compute_not_better(draws, observed) == pytest.approx(share, abs=error)


class TestKinds:
    DRAWS = np.random.default_rng(0).normal(0.5, 0.1, 2_000)
    LEFT = np.array([0.48, 0.49, 0.5, 0.52, 0.53])

    def test_every_kind_is_there(self):
        made, lacks_bca = compute_intervals(self.DRAWS, 0.5, self.LEFT, alpha=0.05)
        assert tuple(made) == CHOICES["interval"]
        assert not lacks_bca

    def test_t_interval_has_the_standard_error(self):
        made, _lacks_bca = compute_intervals(self.DRAWS, 0.5, self.LEFT, alpha=0.1)
        far = stats.t.ppf(0.95, 4) * self.DRAWS.std() * math.sqrt(5 / 4)
        assert made["t"] == pytest.approx((0.5 - far, 0.5 + far))

    def test_expanded_is_wider_and_comes_near_for_many_units(self):
        for units, share in ((5, 0.1), (50, 0.9), (5_000, 0.999)):
            tail = expand_tail(0.025, units=units)
            assert 0.025 * share - 0.005 < tail < 0.025

    def test_alpha_sets_the_level(self):
        made, _lacks_bca = compute_intervals(self.DRAWS, 0.5, self.LEFT, alpha=0.2)
        assert made["percentile"] == tuple(np.quantile(self.DRAWS, [0.1, 0.9]))
        inside = (made["percentile"].low < self.DRAWS).mean()
        assert inside == pytest.approx(0.9, abs=0.01)

    def test_strata_cost_degrees_of_freedom(self):
        far = compute_margin(1.0, 0.025, units=10, strata=3)
        assert far == pytest.approx(stats.t.ppf(0.975, 7) * math.sqrt(10 / 7))
        assert expand_tail(0.025, units=10, strata=3) < expand_tail(0.025, units=10)

    @pytest.mark.parametrize(("units", "strata"), [(1, 1), (2, 2)])
    def test_what_does_not_vary_has_no_interval(self, units, strata):
        left = np.full(units, 0.5)
        made, lacks_bca = compute_intervals(
            self.DRAWS, 0.5, left, alpha=0.05, strata=strata
        )
        assert all(math.isnan(end) for ends in made.values() for end in ends)
        assert not lacks_bca

    def test_nothing_but_0_has_an_interval_of_0(self):
        made, lacks_bca = compute_intervals(np.zeros(50), 0.0, np.zeros(5), alpha=0.05)
        assert set(made.values()) == {Interval(0.0, 0.0)}
        assert not lacks_bca


class TestBca:
    def test_score_beyond_all_draws_falls_back(self):
        draws = np.linspace(0.1, 0.2, 50)
        made, lacks_bca = compute_intervals(draws, 0.5, TestKinds.LEFT, alpha=0.05)
        assert lacks_bca
        assert made["bca"] == made["percentile"]

    def test_equal_jackknife_values_fall_back(self):
        draws = np.linspace(0.1, 0.9, 50)
        made, lacks_bca = compute_intervals(draws, 0.5, np.full(5, 0.5), alpha=0.05)
        assert lacks_bca
        assert made["bca"] == made["percentile"]

    def test_draws_equal_to_the_score_count_half(self):
        """A quarter below, a half equal, a quarter above: there is no bias."""
        draws = np.repeat([0.4, 0.5, 0.6], [500, 1_000, 500])
        left = np.array([0.45, 0.5, 0.55])  # without skew
        draws = np.concatenate(
            [draws, np.linspace(0, 0.3, 200), np.linspace(0.7, 1, 200)]
        )
        draws[draws == 0.5] -= 1e-12  # equal but for rounding
        made, _lacks_bca = compute_intervals(draws, 0.5, left, alpha=0.05)
        assert made["bca"] == pytest.approx(made["percentile"])

    def test_it_is_that_of_scipy(self):
        """The mean of a skewed sample, by our formula and by scipy's."""
        values = np.array([1.0, 1.2, 1.3, 2.0, 2.2, 4.5, 9.0, 1.1])
        drawn = np.random.default_rng(3).integers(0, 8, (20_000, 8))
        draws = values[drawn].mean(axis=1)
        left = (values.sum() - values) / 7
        made, _lacks_bca = compute_intervals(draws, values.mean(), left, alpha=0.05)
        # Not `rng`, which came with scipy 1.15.
        theirs = stats.bootstrap(
            (values,), np.mean, n_resamples=20_000, method="BCa", random_state=1
        ).confidence_interval
        assert made["bca"] == pytest.approx(tuple(theirs), abs=0.06)
        plain = made["percentile"]
        assert made["bca"].low > plain.low + 0.05

    @given(st.floats(-0.2, 0.2), st.floats(0.3, 0.7))
    def test_negated_draws_have_the_negated_interval(self, shift, observed):
        draws = TestKinds.DRAWS + shift
        made, _lacks_bca = compute_intervals(
            draws, observed, TestKinds.LEFT, alpha=0.05
        )
        other, _ = compute_intervals(-draws, -observed, -TestKinds.LEFT, alpha=0.05)
        for kind in CHOICES["interval"]:
            low, high = made[kind]
            assert other[kind] == pytest.approx((-high, -low), abs=1e-9)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_percentile_lies_inside_what_was_drawn(values):
    draws = np.array(values)
    made, _ = compute_intervals(draws, values[0], TestKinds.LEFT, alpha=0.05)
    assert min(values) <= made["percentile"].low <= made["percentile"].high
    assert made["percentile"].high <= max(values)
