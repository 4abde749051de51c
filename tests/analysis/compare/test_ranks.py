"""Ranks and letters: Table 5 of the LEA paper, and what must hold for any systems."""

from __future__ import annotations

from itertools import combinations

import pytest
from analysis.compare.known import known, needs_known
from hypothesis import given
from hypothesis import strategies as st

from corefkit.analysis.compare.judging import assign_letters, rank_systems

CASES = known("ranks") or []


def significant_pairs(case):
    names = list(case["scores"])
    alike = {frozenset(pair) for pair in case["not_significant"]}
    return {
        (names.index(a), names.index(b))
        for a, b in combinations(names, 2)
        if frozenset((a, b)) not in alike
    }


@needs_known
@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
class TestKnownAnswers:
    def test_ranks(self, case):
        scores = [*case["scores"].values()]
        ranks, is_inverted = rank_systems(scores, significant_pairs(case))
        assert dict(zip(case["scores"], ranks, strict=True)) == case["rank"]
        inverted = {
            name for name, flag in zip(case["scores"], is_inverted, strict=True) if flag
        }
        assert inverted == {below for _, below in case["rank_inversions"]}

    def test_letters(self, case):
        found = assign_letters([*case["scores"].values()], significant_pairs(case))
        assert dict(zip(case["scores"], found, strict=True)) == case["letters"]


@st.composite
def judged(draw):
    """Draw scores, and which pairs differ."""
    scores = draw(st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.4]), max_size=7))
    pairs = [
        (a, b) for a, b in combinations(range(len(scores)), 2) if scores[a] != scores[b]
    ]
    chosen = st.sets(st.sampled_from(pairs)) if pairs else st.just(set())
    return scores, draw(chosen)


@given(judged())
def test_two_systems_share_a_letter_unless_they_differ(case):
    scores, significant = case
    found = assign_letters(scores, significant)
    for a, b in combinations(range(len(scores)), 2):
        assert bool(set(found[a]) & set(found[b])) == ((a, b) not in significant)


@given(judged())
def test_every_letter_stands_for_a_largest_set(case):
    scores, significant = case
    found = assign_letters(scores, significant)
    for letter in set("".join(found)):
        members = {at for at, own in enumerate(found) if letter in own}
        for other in set(range(len(scores))) - members:
            assert any(
                (min(pair), max(pair)) in significant
                for pair in ((other, member) for member in members)
            )


@given(judged())
def test_letters_go_by_the_best_scores(case):
    scores, significant = case
    found = assign_letters(scores, significant)
    order = sorted(range(len(scores)), key=lambda at: -scores[at])
    sets = [
        [place for place, at in enumerate(order) if letter in found[at]]
        for letter in sorted(set("".join(found)))
    ]
    assert sets == sorted(sets)


@given(judged())
def test_somebody_is_first_and_ranks_count_the_better_ones(case):
    scores, significant = case
    ranks, is_inverted = rank_systems(scores, significant)
    if scores:
        assert ranks[scores.index(max(scores))] == 1
    for at, rank in enumerate(ranks):
        better = [b for b, score in enumerate(scores) if score > scores[at]]
        differ = [b for b in better if (min(at, b), max(at, b)) in significant]
        assert rank == 1 + len(differ)
        assert is_inverted[at] == any(ranks[b] > rank for b in better)


def test_26_systems_have_letters_and_27_have_none():
    every = set(combinations(range(27), 2))
    first = {(a, b) for a, b in every if b < 26}
    assert assign_letters([-at for at in range(26)], first)[-1] == "z"
    assert assign_letters([-at for at in range(27)], every) is None


def test_too_many_sets_have_no_letters():
    # Ten pairs that differ: whoever takes one of each makes a set, of which are 1,024.
    significant = {(2 * at, 2 * at + 1) for at in range(10)}
    scores = [1 - at / 100 for at in range(20)]
    assert assign_letters(scores, significant) is None
    few = {(2 * at, 2 * at + 1) for at in range(4)}
    assert len(set("".join(assign_letters(scores, few)))) == 16
