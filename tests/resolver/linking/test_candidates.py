"""Candidates: recent mentions, and those that share a word."""

from __future__ import annotations

import pytest
from hypothesis import given
from resolver.lexica import table_of
from resolver.random_documents import documents
from resolver.trees import parsed

from cistell.linking.candidates import bound, candidates_of
from cistell.linking.traits import traits_of

MILLS = "[ the/2 mill/NOUN/0/root ]m"
SHE = "[ she/0//root ]s"


def pairs(*lines, **bounds):
    first, second = candidates_of(traits_of(table_of(parsed(*lines))), **bounds)
    return list(zip(first.tolist(), second.tolist(), strict=True))


def test_recent_mentions_are_candidates():
    lines = [f"[ a/2 {word}/NOUN/0/root ]{word}" for word in ("mill", "boat", "farm")]
    assert pairs(*lines, recent=1) == [(0, 1), (1, 2)]
    assert pairs(*lines, recent=5) == [(0, 1), (0, 2), (1, 2)]


def test_mentions_that_share_a_word_are_candidates_however_far():
    lines = [MILLS, *["[ a/2 boat/NOUN/0/root ]b"] * 3, MILLS]
    assert (0, 4) in pairs(*lines, recent=1)
    assert (0, 4) not in pairs(*lines, recent=1, sharing=0)


def test_only_the_latest_that_share_a_word_are_candidates():
    found = pairs(*[MILLS] * 6, recent=0, sharing=2)
    assert [first for first, second in found if second == 5] == [3, 4]


def test_pronouns_of_the_same_form_share_it():
    assert pairs(SHE, MILLS, SHE, recent=0) == [(0, 2)]


def test_name_shares_its_words():
    lines = (
        "[ Ann/PROPN/0/root Brown/PROPN/1/flat ]a",
        MILLS,
        "[ Brown/PROPN/0/root ]a",
    )
    assert pairs(*lines, recent=0) == [(0, 2)]


def test_acronym_is_a_candidate_of_what_it_stands_for():
    lines = (
        "[ Royal/PROPN/2/compound Mills/PROPN/0/root ]r",
        MILLS,
        "[ RM/PROPN/0/root ]r",
    )
    assert (0, 2) in pairs(*lines, recent=0)


@given(documents())
def test_pairs_are_ordered_and_each_is_there_once(document):
    first, second = candidates_of(traits_of(table_of(document)), recent=2, sharing=1)
    found = list(zip(second.tolist(), first.tolist(), strict=True))
    assert found == sorted({*found})
    assert (first < second).all()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[ it/2/nsubj ]a is/AUX/0/root [ late/ADJ/2/csubj ]a", [False]),
        ("[ Ann/PROPN/2/nsubj ]a saw/VERB/0/root [ her/2/obj ]b", [True]),
        (
            "[ Ann/PROPN/2/nsubj ]a saw/VERB/0/root [ herself/2/obj/Reflex=Yes ]a",
            [False],
        ),
        (
            "[ Ann/PROPN/2/nsubj ]a saw/VERB/0/root [ her/4/nmod:poss ]a hat/2/obj",
            [False],
        ),
    ],
)
def test_subject_and_object_of_a_verb_are_kept_apart(line, expected):
    traits = traits_of(table_of(parsed(line)))
    assert bound(traits, *candidates_of(traits)).tolist() == expected
