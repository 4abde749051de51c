"""Kinds of errors: the laws of their counts, and sets that find the same."""

from __future__ import annotations

import numpy as np
import slow_errors
from error_cases import Pair, pairs, shifted
from hypothesis import given
from hypothesis import strategies as st
from known_errors import list_errors, plain_kinds

from corefkit.analysis.errors.error_analysis import KINDS
from corefkit.analysis.errors.kinds import OPERATIONS


def of_pair(pair):
    return plain_kinds({"d": pair.key}, {"d": pair.response}, pair.pronouns)


def counts(pair):
    kinds = of_pair(pair)
    return dict(zip(KINDS, kinds.counts[0].tolist(), strict=True))


@given(pairs())
def test_arrays_find_what_sets_find(pair):
    kinds = of_pair(pair)
    key, response = slow_errors.sets(pair.key), slow_errors.sets(pair.response)
    wanted = [
        (kind, tuple(sorted(mentions)), tuple(sorted(entity)))
        for kind, mentions, entity in slow_errors.errors(key, response, pair.pronouns)
    ]
    (errors,) = list_errors(kinds, ["d"])
    assert [(e.kind, e.mentions, e.entity) for e in errors] == wanted
    found = dict(zip(OPERATIONS, kinds.operations[0].tolist(), strict=True))
    assert found == slow_errors.operations(key, response)
    many = [sum(kind == error[0] for error in wanted) for kind in KINDS]
    assert kinds.counts[0].tolist() == many


@given(pairs())
def test_swapping_sides_swaps_kinds(pair):
    one, other = counts(pair), counts(pair._replace(key=pair[1], response=pair[0]))
    swapped = {
        "conflated": "divided",
        "extra_mention": "missing_mention",
        "extra_entity": "missing_entity",
    }
    for kind, twin in swapped.items():
        assert (one[kind], one[twin]) == (other[twin], other[kind])


@given(pairs())
def test_there_are_no_errors_if_and_only_if_the_sides_are_equal(pair):
    same = {*map(frozenset, pair.key)} == {*map(frozenset, pair.response)}
    assert (sum(counts(pair).values()) == 0) == same


@given(pairs(), st.randoms(use_true_random=False))
def test_the_order_of_entities_and_mentions_makes_no_difference(pair, random):
    sides = [
        [
            random.sample(entity, len(entity))
            for entity in random.sample(side, len(side))
        ]
        for side in pair[:2]
    ]
    kinds = of_pair(pair)
    other = of_pair(Pair(*sides, pair.pronouns))
    assert list_errors(kinds, ["d"]) == list_errors(other, ["d"])


@given(pairs(), pairs())
def test_independent_parts_add_up(first, second):
    one, other = shifted(first, 0, 2), shifted(second, 1, 2)
    whole = Pair(
        one.key + other.key,
        one.response + other.response,
        one.pronouns | other.pronouns,
    )
    found = counts(whole)
    parts = counts(first), counts(second)
    assert found == {kind: parts[0][kind] + parts[1][kind] for kind in KINDS}


@given(st.lists(pairs(), min_size=1, max_size=4))
def test_documents_are_counted_one_by_one(several):
    pronouns = set.intersection(*(pair.pronouns for pair in several))
    together = plain_kinds(
        {str(n): pair.key for n, pair in enumerate(several)},
        {str(n): pair.response for n, pair in enumerate(several)},
        pronouns,
    )
    apart = [of_pair(p._replace(pronouns=pronouns)) for p in several]
    rows = np.concatenate([kinds.counts for kinds in apart])
    assert together.counts.tolist() == rows.tolist()
    rows = np.concatenate([kinds.operations for kinds in apart])
    assert together.operations.tolist() == rows.tolist()


def test_an_extra_anchor_is_no_error_but_what_hangs_on_it_is():
    # x is the earliest that is no pronoun; what it was joined with is conflated.
    found = counts(Pair([[1, 2]], [[0, 1, 2]], set()))
    assert {kind: many for kind, many in found.items() if many} == {"conflated": 1}


def test_every_piece_is_divided_where_the_anchor_is_missing():
    assert counts(Pair([[0, 1, 2]], [[1, 2]], set()))["divided"] == 1
    assert counts(Pair([[0, 1, 2]], [[1], [2]], set()))["divided"] == 2


def test_pronouns_are_conflated_beside_an_extra_entity():
    found = counts(Pair([[0, 9]], [[0, 1, 2], [9]], {0}))
    assert (found["extra_entity"], found["conflated"], found["divided"]) == (1, 1, 1)


def test_no_mention_at_all_is_no_error():
    assert sum(counts(Pair([], [], set())).values()) == 0
