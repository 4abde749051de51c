from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cistell.taggers.choosing import Thresholds, best_thresholds, chosen
from cistell.taggers.spans import Spans


def spans_of(*rows):
    table = np.array(rows, np.intp).reshape(-1, 3)
    return Spans(*table.T, origin=np.zeros(len(rows), np.intp))


@pytest.mark.parametrize(("threshold", "number"), [(0.5, 1), (0.51, 0)])
def test_mention_passes_from_the_threshold_on(threshold, number):
    found = chosen(spans_of((0, 0, 0)), np.array([0.5]), Thresholds(threshold, 0.9))
    assert len(found) == number


@pytest.mark.parametrize(("further", "expected"), [(0.6, [1, 0]), (0.61, [0])])
def test_further_mention_of_a_head_has_a_threshold_of_its_own(further, expected):
    spans = spans_of((1, 1, 1), (1, 0, 3))
    found = chosen(spans, np.array([0.9, 0.6]), Thresholds(0.3, further))
    assert found == expected


def test_likelier_of_two_that_cross_is_chosen():
    spans = spans_of((0, 0, 2), (2, 1, 3))
    assert chosen(spans, np.array([0.5, 0.6]), Thresholds(0.4, 0.4)) == [1]
    assert chosen(spans, np.array([0.6, 0.5]), Thresholds(0.4, 0.4)) == [0]


def test_nested_mentions_are_both_chosen_the_longer_first():
    spans = spans_of((2, 2, 2), (0, 0, 2), (1, 0, 1))
    assert chosen(spans, np.full(3, 0.9), Thresholds(0.4, 0.4)) == [1, 2, 0]


def test_span_of_two_heads_is_one_mention_of_the_likelier():
    spans = spans_of((0, 0, 1), (1, 0, 1))
    assert chosen(spans, np.array([0.5, 0.7]), Thresholds(0.4, 0.4)) == [1]


def test_nothing_is_chosen_of_nothing():
    assert chosen(spans_of(), np.zeros(0), Thresholds(0.4, 0.4)) == []


ROWS = st.lists(
    st.tuples(*[st.integers(0, 9)] * 3).map(lambda row: (row[1], *sorted(row)[::2]))
)


@given(ROWS, st.randoms(use_true_random=False))
def test_chosen_mentions_do_not_cross_and_none_could_be_added(rows, chance):
    spans = spans_of(*rows)
    odds = np.array([chance.random() for _ in rows])
    found = chosen(spans, odds, Thresholds(0.3, 0.3))
    taken = [rows[number][1:] for number in found]
    assert taken == sorted({*taken}, key=lambda span: (span[0], -span[1]))
    assert not any(crossing(*pair) for pair in combinations(taken, 2))
    for number, (_, *span) in enumerate(rows):
        if number not in found and odds[number] >= 0.3:
            likelier = [
                rows[other][1:] for other in found if odds[other] >= odds[number]
            ]
            assert tuple(span) in likelier or any(
                crossing(other, span) for other in likelier
            )


def crossing(one, other):
    (start, end), (first, last) = sorted([tuple(one), tuple(other)])
    return start < first <= end < last


def test_best_thresholds_have_the_best_f1():
    # Mentions are those from 0.5 on; a further one of a head from 0.8 on.
    spans = spans_of((0, 0, 0), (1, 1, 1), (2, 2, 2), (3, 3, 3), (3, 3, 4), (5, 5, 6))
    odds = np.array([0.51, 0.55, 0.45, 0.95, 0.7, 0.49])
    key = {(0, 0), (1, 1), (3, 3)}
    found = best_thresholds([(spans, odds, key)])
    assert 0.49 < found.first <= 0.51
    assert found.further > 0.7


def test_thresholds_of_nothing_are_found():
    assert best_thresholds([]).first > 0
