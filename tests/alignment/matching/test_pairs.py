"""One-to-one alignments: the best of weighed pairs, and their bookkeeping."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slow_matching import best_maps, document

from corefkit.alignment import candidates as pairs_module
from corefkit.alignment.candidates import Alignment, MentionPairs, choose_pairs
from corefkit.alignment.matching import compute_positions
from corefkit.arrays.building import build_columns

# Weights as matching has them: shares of a few tokens, ties among them.
shares = st.sampled_from([Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), Fraction(1)])
tables = st.dictionaries(
    st.tuples(st.integers(0, 4), st.integers(0, 4)), shares, max_size=14
)


def pairs_of(weights):
    keys, responses = zip(*weights, strict=True) if weights else ((), ())
    return MentionPairs(
        np.array(keys, np.int64),
        np.array(responses, np.int64),
        np.array([float(weight) for weight in weights.values()]),
    )


def sides(starts=range(5)):
    """Make two sides of mentions of one word, at these tokens."""
    one = document(" ".join("abcdefgh"), *map(str, starts))
    return compute_positions(build_columns([one]), build_columns([one]))


def chosen(weights, starts=range(5)):
    pairs = pairs_of(weights)
    free = np.zeros((2, 5), np.bool_)
    free[0][pairs.key], free[1][pairs.response] = True, True
    found = choose_pairs(pairs, *sides(starts), tuple(free))
    return frozenset(zip(found.key.tolist(), found.response.tolist(), strict=True))


class TestBestPairs:
    @pytest.mark.parametrize("cells", [None, 0], ids=["dense", "sparse"])
    @given(weights=tables)
    def test_best_of_all_maps(self, cells, weights):
        with pytest.MonkeyPatch.context() as patch:
            if cells is not None:
                patch.setattr(pairs_module, "_MAX_DENSE", cells)
            assert chosen(weights) in best_maps(weights)[1]

    def test_nothing_to_choose_from(self):
        assert chosen({}) == frozenset()

    def test_pairs_alone_are_all_taken(self):
        weights = {(0, 3): Fraction(1, 9), (2, 1): Fraction(1)}
        assert chosen(weights) == {(0, 3), (2, 1)}

    def test_two_small_ones_may_outweigh_a_large_one(self):
        # 0-0 alone is 1; 0-1 and 1-0 are 6/10 each, together 12/10.
        weights = {(0, 0): 1.0, (0, 1): 0.6, (1, 0): 0.6}
        assert chosen(weights) == {(0, 1), (1, 0)}

    def test_large_one_may_outweigh_two_small_ones(self):
        weights = {(0, 0): 1.0, (0, 1): 0.4, (1, 0): 0.4}
        assert chosen(weights) == {(0, 0)}

    def test_groups_are_chosen_apart(self):
        weights = {(0, 0): 0.5, (0, 1): 1.0, (3, 3): 1.0, (4, 3): 0.5}
        assert chosen(weights) == {(0, 1), (3, 3)}

    @pytest.mark.parametrize("starts", [range(5), [4, 3, 2, 1, 0], [2, 0, 4, 1, 3]])
    def test_of_equal_ones_the_earlier_in_the_text_is_taken(self, starts):
        # Mention numbers are those of entities; the text decides.
        starts = list(starts)
        first = starts.index(0)
        one_key = {(0, column): 0.5 for column in range(5)}
        one_response = {(row, 0): 0.5 for row in range(5)}
        assert chosen(one_key, starts) == {(0, first)}
        assert chosen(one_response, starts) == {(first, 0)}

    @pytest.mark.parametrize("size", [2, 3, 4, 5])
    def test_of_equal_maps_the_one_in_the_order_of_the_text_is_taken(self, size):
        every = {(row, column): 0.5 for row in range(size) for column in range(size)}
        assert chosen(every) == {(row, row) for row in range(size)}

    def test_order_of_pairs_does_not_matter(self):
        every = [(row, column) for row in range(3) for column in range(4)]
        one = chosen(dict.fromkeys(every, 0.5))
        assert one == chosen(dict.fromkeys(reversed(every), 0.5))


class TestBookkeeping:
    def test_joined_keeps_both(self):
        one = Alignment(np.array([3]), np.array([4]))
        both = one.join(Alignment(np.array([1, 2]), np.array([0, 1])))
        assert (both.key.tolist(), both.response.tolist()) == ([3, 1, 2], [4, 0, 1])
        assert one.join(Alignment.empty()).key.tolist() == [3]

    def test_pairs_only_and_joined(self):
        pairs = pairs_of({(0, 1): 0.5, (1, 2): 0.25, (2, 0): 1.0})
        few = pairs.take(np.array([2, 0]))
        assert [one.tolist() for one in few] == [[2, 0], [0, 1], [1.0, 0.5]]
        both = few.join(pairs_of({(4, 4): 0.75}))
        assert [one.tolist() for one in both] == [[2, 0, 4], [0, 1, 4], [1, 0.5, 0.75]]
