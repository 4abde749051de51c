"""Pairs that might match, and the tokens that mentions share."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slow_matching import candidates, document, document_pairs, listed, overlaps

from corefkit.alignment.candidates import (
    count_shared_tokens,
    find_head_positions,
    pair_by_anchor,
    pair_by_core,
    pair_overlapping,
)
from corefkit.alignment.matching import compute_positions
from corefkit.arrays.building import build_columns
from corefkit.arrays.columns import expand_runs

WORDS = "a b c d e f"


def placed(key, response):
    return compute_positions(build_columns([key]), build_columns([response]))


def free(key, response):
    """Leave all mentions of two documents free."""
    return tuple(np.ones(len(listed(side)), np.bool_) for side in (key, response))


def weighed(pairs):
    """Give pairs as a mapping to their weights, each pair once."""
    found = {
        (i, j): Fraction(weight).limit_denominator(99)
        for i, j, weight in zip(*(one.tolist() for one in pairs), strict=True)
    }
    assert len(found) == len(pairs.key)
    return found


def fast_candidates(key, response, match):
    sides = placed(key, response)
    flags = free(key, response)
    if match == "head":
        heads = find_head_positions(sides[0]), find_head_positions(sides[1])
        return weighed(pair_by_anchor(*sides, flags, heads))
    return weighed(pair_by_core(*sides, flags, minimum=match == "min"))


class TestByHand:
    def test_within_and_around_weighs_by_the_key(self):
        # Of a to e with head c: b c d has 3/5, c 1/5; d e lacks c, b to f goes beyond.
        key = document(WORDS, "0-4@2")
        response = document(WORDS, "1-3", "2", "3-4", "1-5")
        assert fast_candidates(key, response, "partial") == {
            (0, 0): Fraction(3, 5),
            (0, 1): Fraction(1, 5),
        }

    def test_same_head_may_go_beyond(self):
        # b to f has 4 of the 5 tokens a to e; the one with head f is no candidate.
        key, response = document(WORDS, "0-4@2"), document(WORDS, "1-5@2", "2-5@5")
        assert fast_candidates(key, response, "head") == {(0, 0): Fraction(4, 5)}

    def test_free_says_which_mentions_to_look_at(self):
        key = response = document(WORDS, "0-4@2", "1-3@2")
        sides = placed(key, response)
        flags = np.array([True, False]), np.array([False, True])
        found = pair_by_core(*sides, flags, minimum=False)
        assert weighed(found) == {(0, 1): Fraction(3, 5)}
        heads = find_head_positions(sides[0]), find_head_positions(sides[1])
        assert weighed(pair_by_anchor(*sides, flags, heads)) == {(0, 1): Fraction(3, 5)}

    def test_anchors_below_zero_are_none(self):
        key = response = document(WORDS, "0-1", "0-2")
        anchors = np.array([-1, 4]), np.array([-1, 4])
        found = pair_by_anchor(*placed(key, response), free(key, response), anchors)
        assert weighed(found) == {(1, 1): Fraction(1)}

    def test_same_anchor_in_another_document_is_another(self):
        # Anchors 3 and 8 in documents of 5: 0 * width + 8 must not be 1 * width + 3.
        one = build_columns([document(WORDS, "0"), document(WORDS, "0")])
        anchors = np.array([8, 3]), np.array([3, 8])
        flags = np.ones(2, np.bool_), np.ones(2, np.bool_)
        assert not weighed(pair_by_anchor(*compute_positions(one, one), flags, anchors))

    def test_pairs_without_common_token_are_no_candidates(self):
        # The same anchor may come from a tree; a and c share nothing.
        key, response = document(WORDS, "0"), document(WORDS, "2")
        anchors = np.array([7]), np.array([7])
        sides = placed(key, response)
        assert not weighed(pair_by_anchor(*sides, free(key, response), anchors))

    def test_unknown_heads_match_nothing(self):
        key, response = document(WORDS, "0-1"), document(WORDS, "0")
        for match in ("head", "partial", "min"):
            assert fast_candidates(key, response, match) == {}

    @pytest.mark.parametrize(
        ("texts", "spans", "shared"),
        [
            ((WORDS, WORDS), ("0-3", "2-5"), 2),  # c d
            ((WORDS, WORDS), ("0,2,4", "1-4"), 2),  # c e
            (("a _ b c", "a b c"), ("0-3", "0-2"), 3),  # a b c, not the node
            (("a _ b c", "a _ b c"), ("0-1", "1-2"), 1),  # the node
            (("a _ b c", "a _ b c"), ("1", "0-3"), 1),  # the node
            # The node lies between words of the key's mention, which lacks it.
            (("a b c", "a _ b c"), ("0-2", "1"), 0),
            (("a _ b c", "a b c"), ("1", "0-2"), 0),
            (("a _ _ b", "a _ b"), ("2", "1"), 0),  # the second node and the first
            (("a _ / b", "a / _ b"), ("1", "1"), 0),  # of the first and second sentence
            # The nodes that begin two sentences lie as far apart as words do.
            (("_ a / _ b", "_ a / b"), ("0,2", "0"), 1),
        ],
    )
    def test_shared_tokens(self, texts, spans, shared):
        sides = placed(*map(document, texts, spans))
        only = np.zeros(1, np.int64)
        assert count_shared_tokens(*sides, only, only).tolist() == [shared]


class TestAgainstTheSlowVersion:
    @given(document_pairs(heads=False))
    def test_candidates(self, pair):
        for match in ("head", "partial", "min"):
            assert fast_candidates(*pair, match) == candidates(*pair, match)

    @given(document_pairs(heads=False))
    def test_overlapping_mentions(self, pair):
        found = pair_overlapping(*placed(*pair))
        assert weighed(found) == overlaps(*pair)
        assert np.all(np.diff(found.key) >= 0)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9))))
def test_ranges_are_concatenated(ranges):
    first, size = (np.array([row[column] for row in ranges], int) for column in (0, 1))
    assert expand_runs(first, size).tolist() == [
        number for start, length in ranges for number in range(start, start + length)
    ]
