"""Pieces and lemmas of words, batches and how they are laid out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cistell.network.batches import batches_of
from cistell.network.lemmas import AS_IT_IS, lemma_by, rule_of
from cistell.network.packing import Packed
from cistell.network.pieces import Pieces

words = st.text(min_size=1, max_size=8)
lengths = st.lists(st.integers(0, 30), max_size=40)


@given(st.text("aAbB12+!=İß", min_size=1), st.text("aAbB12+!=", min_size=1))
def test_lemmas_come_back_by_their_rules(form, lemma):
    assert lemma_by(rule_of(form, lemma), form) == (form if lemma == "_" else lemma)


@given(words, words, words)
def test_rules_of_other_words_make_some_lemma(form, lemma, other):
    assert lemma_by(rule_of(form, lemma), other)


@pytest.mark.parametrize(
    ("form", "lemma", "rule"),
    [
        ("mills", "mill", "l1"),
        ("Mills", "Mill", "t1"),
        ("CITIES", "city", "l3y"),
        ("went", "go", "l!go"),
        ("McDonalds", "McDonald", "=1"),
        ("x1", "x2", "l1+2"),
        ("gone", "_", AS_IT_IS),
    ],
)
def test_rule_of_is_short(form, lemma, rule):
    assert rule_of(form, lemma) == rule


@given(st.text(max_size=60))
def test_every_word_has_pieces(form):
    pieces = Pieces(16, {})(form)
    assert pieces
    assert {*pieces} <= {*range(16)}
    assert list(pieces) == sorted({*pieces})


def test_pieces_of_likely_words_are_alike():
    pieces = Pieces(1 << 20, {})
    shared = {*pieces("millers")} & {*pieces("tillers")}
    assert len(shared) > 5


@given(lengths, st.integers(1, 100), st.none() | st.integers(0, 9))
def test_batches_have_each_sentence_once(sizes, most, seed):
    chance = None if seed is None else np.random.default_rng(seed)
    made = batches_of(sizes, words=most, chance=chance)
    numbers = [number for batch in made for number in batch]
    assert sorted(numbers) == [place for place, size in enumerate(sizes) if size]
    for batch in made:
        longest = [sizes[number] for number in batch]
        assert longest == sorted(longest, reverse=True)
        assert len(batch) == 1 or len(batch) * longest[0] <= most


@given(st.lists(st.integers(1, 9), min_size=1, max_size=9))
def test_what_is_laid_out_by_time_comes_back(sizes):
    sizes.sort(reverse=True)
    packed = Packed(sizes)
    rows = [[(place, time) for time in range(size)] for place, size in enumerate(sizes)]
    laid = packed.values(rows)
    assert laid == sorted(laid, key=lambda pair: (pair[1], pair[0]))
    numbers = np.arange(len(laid))
    assert packed.by_time(packed.by_sentence(numbers)).tolist() == numbers.tolist()
    mirrored = [laid[row] for row in packed.mirror]
    assert mirrored == [(place, sizes[place] - 1 - time) for place, time in laid]
    before = [laid[row] for row in packed.before]
    assert before == [(place, time - 1) for place, time in laid if time]
