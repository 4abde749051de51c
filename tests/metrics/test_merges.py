"""Merges and splits with any costs, against a search for the cheapest way."""

from __future__ import annotations

import heapq
import math
from itertools import combinations

import pytest
from builders import pairs
from hypothesis import given, settings
from hypothesis import strategies as st

import corefkit


def entropy(x, y):
    """Cost as much as the entropy of the parts, times their size."""
    return grown(x + y) - grown(x) - grown(y)


def grown(size):
    return size * math.log(size)


COSTS = {
    "one": lambda _x, _y: 1.0,
    "pairs": lambda x, y: float(x * y),
    "entropy": entropy,
    "free": lambda _x, _y: 0.0,
}
cost_names = st.sampled_from(sorted(COSTS))


def counted(key, response, merge, split=None):
    metric = corefkit.merges_with(merge, split=split, name="own")
    return corefkit.score(key, response, metrics=[metric])["own"]


def distance(score):
    missing = score.recall_denominator - score.recall_numerator
    return missing + score.precision_denominator - score.precision_numerator


def cheapest(start, end, merge, split):
    """Search all splits and merges for the cheapest way between two partitions."""
    goal = frozenset(map(frozenset, end))
    queue, done, number = [(0.0, 0, frozenset(map(frozenset, start)))], set(), 0
    while queue:
        cost, _, here = heapq.heappop(queue)
        if here == goal:
            return cost
        if here in done:
            continue
        done.add(here)
        for more, there in steps(here, merge, split):
            number += 1
            heapq.heappush(queue, (cost + more, number, there))
    raise AssertionError


def steps(here, merge, split):
    for one, two in combinations(here, 2):
        yield merge(len(one), len(two)), here - {one, two} | {one | two}
    for entity in here:
        first, *others = sorted(entity)
        for size in range(len(others)):
            for chosen in combinations(others, size):
                part = frozenset({first, *chosen})
                rest = entity - part
                cost = split(len(part), len(rest))
                yield cost, here - {entity} | {part, rest}


def same_mentions(side, other):
    """Give a side the mentions that only the other has, each alone."""
    mine = {mention for entity in side for mention in entity}
    theirs = {mention for entity in other for mention in entity}
    return [*side, *({mention} for mention in theirs - mine)]


@settings(max_examples=60)
@given(pairs(5), cost_names, cost_names)
def test_what_is_missing_is_the_cheapest_way(pair, merge, split):
    key, response = pair
    ends = same_mentions(response, key), same_mentions(key, response)
    found = distance(counted(key, response, COSTS[merge], COSTS[split]))
    expected = cheapest(*ends, COSTS[merge], COSTS[split])
    assert found == pytest.approx(expected, abs=1e-9)


@given(pairs(16))
def test_cost_of_one_is_muc(pair):
    result = corefkit.score(*pair, metrics=["muc"])
    assert counted(*pair, COSTS["one"]) == result["muc"]


@given(pairs(16))
def test_cost_of_pairs_is_that_of_coreference_links(pair):
    links = corefkit.score(*pair, metrics=["blanc"])["blanc"].coreference
    assert counted(*pair, COSTS["pairs"]) == links


@given(pairs(16))
def test_cost_of_entropy_is_the_variation_of_information(pair):
    key, response = pair
    response = same_mentions(response, key)
    key = same_mentions(key, response)
    shared = [len({*k} & {*r}) for k in key for r in response]
    sides = [len(entity) for entity in (*key, *response)]
    expected = sum(map(grown, sides)) - 2 * sum(grown(n) for n in shared if n)
    assert distance(counted(key, response, entropy)) == pytest.approx(
        expected, abs=1e-9
    )


def test_costs_of_documents_add_up():
    key = {"a": ["abc"], "b": ["de", "f"]}
    response = {"a": ["ab", "c"], "b": ["def"]}
    score = counted(key, response, COSTS["pairs"])
    assert distance(score) == 2 + 2
    assert score.f1 == pytest.approx(2 * (2 / 4) * (2 / 4) / (2 / 4 + 2 / 4))


@pytest.mark.parametrize("cost", [max, lambda x, _y: x, lambda x, y: x * y * y])
def test_costs_that_depend_on_the_order_are_refused(cost):
    with pytest.raises(corefkit.SettingsError, match="expected the same in any order"):
        corefkit.merges_with(cost)
    with pytest.raises(corefkit.SettingsError, match="expected the same in any order"):
        corefkit.merges_with(COSTS["one"], split=cost)


@pytest.mark.parametrize("cost", [-1.0, math.nan, math.inf])
def test_costs_that_are_none_are_refused(cost):
    with pytest.raises(corefkit.SettingsError, match="a cost gave"):
        corefkit.merges_with(lambda _x, _y: cost)
