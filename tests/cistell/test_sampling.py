from __future__ import annotations

import numpy as np
import pytest
from cistell.lexica import table_of
from cistell.trees import parsed
from hypothesis import given
from hypothesis import strategies as st

from corefkit.cistell.sampling import SCHEMES, Sampling, positives

ENTITIES = st.lists(st.integers(0, 4), max_size=14)


class Mentions:
    """A table of nothing but whether mentions are pronouns."""

    def __init__(self, pronouns):
        self.pronoun = np.array(pronouns, np.bool_)


def sample(scheme, entities, *, pronouns=None, sampling=None, seed=0):
    """Return the pairs that a scheme takes, and which are coreferent."""
    entity = np.array(entities, np.int64)
    table = Mentions(pronouns or [False] * len(entities))
    random = np.random.default_rng(seed)
    found = SCHEMES[scheme](
        table, entity, sampling=sampling or Sampling(), random=random
    )
    pairs = [*zip(found.first.tolist(), found.second.tolist(), strict=True)]
    return pairs, positives(found, entity).tolist()


@pytest.mark.parametrize("scheme", SCHEMES)
@given(ENTITIES, st.data())
def test_pairs_are_in_order_and_each_is_there_once(scheme, entities, data):
    size = len(entities)
    pronouns = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    pairs, coreferent = sample(scheme, entities, pronouns=pronouns)
    assert len({*pairs}) == len(pairs) == len(coreferent)
    assert all(first < second for first, second in pairs)
    assert [second for _, second in pairs] == sorted(second for _, second in pairs)
    assert coreferent == [
        entities[first] == entities[second] for first, second in pairs
    ]


@given(ENTITIES, st.integers(0, 4), st.integers(0, 4))
def test_every_takes_as_many_as_there_are_up_to_the_caps(entities, most, others):
    pairs, coreferent = sample(
        "every", entities, sampling=Sampling(positives=most, negatives=others)
    )
    for second, entity in enumerate(entities):
        before = entities[:second]
        own = [
            flag
            for (_, at), flag in zip(pairs, coreferent, strict=True)
            if at == second
        ]
        assert sum(own) == min(most, before.count(entity))
        assert len(own) - sum(own) == min(others, len(before) - before.count(entity))


@given(ENTITIES)
def test_every_with_room_for_all_takes_all(entities):
    size = len(entities)
    pairs, _ = sample(
        "every", entities, sampling=Sampling(positives=size, negatives=size)
    )
    every = [(first, second) for second in range(size) for first in range(second)]
    assert sorted(pairs) == sorted(every)


def test_every_has_singletons_as_second_mentions():
    pairs, coreferent = sample("every", [0, 1, 2])
    assert pairs == [(0, 1), (0, 2), (1, 2)]
    assert coreferent == [False] * 3


def test_every_takes_three_and_five_unless_told():
    assert (Sampling().positives, Sampling().negatives) == (3, 5)
    pairs, coreferent = sample("every", [0, 1] * 10 + [0])
    last = [flag for (_, at), flag in zip(pairs, coreferent, strict=True) if at == 20]
    assert (len(last), sum(last)) == (8, 3)


def test_same_seed_is_the_same_sample():
    entities = [number % 3 for number in range(40)]
    one, other = (sample("every", entities, seed=7) for _ in range(2))
    assert one == other
    assert sample("every", entities, seed=8) != one


def test_chance_reaches_every_pair():
    found = set()
    for seed in range(200):
        found |= {
            *sample(
                "every", [0] * 6, sampling=Sampling(positives=1, negatives=0), seed=seed
            )[0]
        }
    assert len(found) == 15


@given(ENTITIES)
def test_soon_takes_the_closest_antecedent_and_all_between(entities):
    expected = []
    for second, entity in enumerate(entities):
        if entity in entities[:second]:
            closest = max(at for at in range(second) if entities[at] == entity)
            expected += [(first, second) for first in range(closest, second)]
    pairs, coreferent = sample("soon", entities)
    assert pairs == expected
    assert sum(coreferent) == len(entities) - len({*entities})


def test_soon_has_no_singleton_as_second_mention():
    pairs, _ = sample("soon", [0, 1, 0])
    assert pairs == [(0, 2), (1, 2)]


@given(ENTITIES, st.data())
def test_ng_and_cardie_take_nouns_to_the_closest_noun(entities, data):
    size = len(entities)
    pronouns = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    expected = []
    for second, entity in enumerate(entities):
        fitting = [
            first
            for first in range(second)
            if entities[first] == entity and (pronouns[second] or not pronouns[first])
        ]
        if fitting:
            expected.append((fitting[-1], second))
            expected += [
                (first, second)
                for first in range(fitting[-1] + 1, second)
                if entities[first] != entity
            ]
    assert sample("ng-cardie", entities, pronouns=pronouns)[0] == expected


def test_ng_and_cardie_pass_over_a_pronoun():
    # A noun, another, a pronoun for the first, and the first again as a noun.
    pronouns = [False, False, True, False]
    pairs, coreferent = sample("ng-cardie", [0, 1, 0, 0], pronouns=pronouns)
    assert pairs == [(0, 2), (1, 2), (0, 3), (1, 3)]
    assert coreferent == [True, False, True, False]


def test_schemes_know_pronouns_by_the_table():
    document = parsed(
        "[ Ann/PROPN/0//A=B ]a",
        "[ she/2 ]a slept/VERB/0/root",
        "[ Ann/PROPN/0/root ]a",
    )
    entity = np.zeros(3, np.int64)
    random = np.random.default_rng(0)
    table = table_of(document)
    found = SCHEMES["ng-cardie"](table, entity, sampling=Sampling(), random=random)
    assert [*zip(found.first, found.second, strict=True)] == [(0, 1), (0, 2)]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("entities", [[], [0]], ids=["none", "one"])
def test_documents_without_pairs_have_none(scheme, entities):
    assert sample(scheme, entities) == ([], [])
