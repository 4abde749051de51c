"""Draws and swaps: what they depend on, and what they do not."""

from __future__ import annotations

import numpy as np
import pytest
from analysis.compare.samples import made, random_systems
from hypothesis import given
from hypothesis import strategies as st

from corefkit.analysis.compare import resampling
from corefkit.analysis.compare.resampling import (
    draw_units,
    enumerate_swaps,
    leave_one_out,
    score_draws,
    toss_swaps,
)

UNITS = ["b", "a", "d", "c"]


def joined(blocks):
    return np.concatenate([*blocks], axis=1)


class TestDraws:
    def test_as_many_are_drawn_as_there_are(self):
        found = joined(draw_units(UNITS, seed=3, samples=50))
        assert found.shape == (4, 50)
        assert (found.sum(axis=0) == 4).all()
        assert len({tuple(column) for column in found.T.tolist()}) > 10

    def test_order_of_units_makes_no_difference(self):
        one = joined(draw_units(UNITS, seed=0, samples=20))
        other = joined(draw_units(sorted(UNITS), seed=0, samples=20))
        assert (one[[1, 0, 3, 2]] == other).all()

    def test_seed_and_names_make_a_difference(self):
        one = joined(draw_units(UNITS, seed=0, samples=20))
        assert (one == joined(draw_units(UNITS, seed=0, samples=20))).all()
        assert (one != joined(draw_units(UNITS, seed=1, samples=20))).any()
        assert (one != joined(draw_units("wxyz", seed=0, samples=20))).any()

    def test_blocks_are_no_part_of_the_result(self, monkeypatch):
        whole = joined(draw_units(UNITS, seed=0, samples=100))
        monkeypatch.setattr(resampling, "_BLOCK_SAMPLES", 16)
        blocks = [*draw_units(UNITS, seed=0, samples=100)]
        assert [block.shape[1] for block in blocks] == [16] * 6 + [4]
        assert (joined(blocks) == whole).all()

    def test_blocks_of_many_units_are_small(self):
        units = [str(at) for at in range(100_000)]
        block = next(draw_units(units, seed=0, samples=1_000))
        assert block.nbytes < 40 << 20

    def test_strata_keep_their_sizes(self):
        found = joined(draw_units(UNITS, np.array([0, 1, 0, 1]), seed=0, samples=50))
        assert (found[[0, 2]].sum(axis=0) == 2).all()
        assert (found[[1, 3]].sum(axis=0) == 2).all()
        assert (found[0] != found[1]).any()

    def test_one_stratum_is_none(self):
        plain = joined(draw_units(UNITS, seed=0, samples=50))
        assert (
            joined(draw_units(UNITS, np.zeros(4), seed=0, samples=50)) == plain
        ).all()

    def test_every_unit_is_drawn_once_on_average(self):
        found = joined(draw_units(UNITS, seed=0, samples=10_000))
        assert found.mean(axis=1) == pytest.approx([1] * 4, abs=0.04)
        assert found.var(axis=1) == pytest.approx([0.75] * 4, abs=0.06)


class TestSwaps:
    def test_half_of_all_units_are_swapped(self):
        found = joined(toss_swaps(UNITS, seed=0, samples=10_000))
        assert set(found.ravel().tolist()) == {0.0, 1.0}
        assert found.mean(axis=1) == pytest.approx([0.5] * 4, abs=0.02)
        together = np.corrcoef(found) - np.eye(4)
        assert np.abs(together).max() < 0.04

    @given(st.permutations(UNITS), st.sets(st.sampled_from("wxyz")))
    def test_coins_of_a_unit_depend_on_its_name_alone(self, order, others):
        one = dict(
            zip(UNITS, joined(toss_swaps(UNITS, seed=0, samples=30)), strict=True)
        )
        units = [*others, *order]
        other = dict(
            zip(units, joined(toss_swaps(units, seed=0, samples=30)), strict=True)
        )
        assert all((one[unit] == other[unit]).all() for unit in UNITS)

    def test_seed_makes_a_difference(self):
        one = joined(toss_swaps(UNITS, seed=0, samples=30))
        assert (one != joined(toss_swaps(UNITS, seed=1, samples=30))).any()

    @pytest.mark.parametrize("samples", [1, 7, 8, 100, 101])
    def test_blocks_are_no_part_of_the_result(self, samples, monkeypatch):
        whole = joined(toss_swaps(UNITS, seed=0, samples=samples))
        assert whole.shape == (4, samples)
        monkeypatch.setattr(resampling, "_BLOCK_SAMPLES", 16)
        assert (joined(toss_swaps(UNITS, seed=0, samples=samples)) == whole).all()

    @pytest.mark.parametrize("units", [0, 1, 2, 5])
    def test_all_swaps_are_half_of_the_subsets(self, units):
        found = enumerate_swaps(units).T.astype(int).tolist()
        opposite = [[1 - coin for coin in row] for row in found]
        every = {tuple(row) for row in found + opposite}
        assert len(every) == 2**units
        assert len(found) == max(1, 2 ** (units - 1))


class TestScores:
    def test_draws_are_scored_system_by_system(self):
        sample = made(random_systems(np.random.default_rng(0), names="ABC", units=6))
        found, undefined = score_draws(sample, seed=0, samples=40)
        assert found.shape == (1, 3, 40)
        assert undefined.tolist() == [[0, 0, 0]]
        block = joined(draw_units(sample.units, seed=0, samples=40))
        rows = block.T @ sample.counts[1]
        assert found[0, 1] == pytest.approx(2 * rows[:, 0] / (rows[:, 1] + rows[:, 3]))

    def test_share_of_draws_without_denominator(self):
        empty = [0.0, 1.0, 0.0, 0.0]
        sample = made({"A": [empty, [1.0, 1.0, 1.0, 1.0]]})
        _, undefined = score_draws(sample, seed=0, samples=10_000)
        assert undefined[0, 0] == pytest.approx(1 / 4, abs=0.02)

    def test_left_out_is_the_score_without_a_unit(self):
        counts = random_systems(np.random.default_rng(0), units=5)
        sample = made(counts)
        found = leave_one_out(sample, sample.measures[0])
        without = np.delete(counts["B"], 2, axis=0).sum(axis=0)
        expected = 2 * without[0] / (without[1] + without[3])
        assert found[1, 2] == pytest.approx(expected)
