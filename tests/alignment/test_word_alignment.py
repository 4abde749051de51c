"""Words of two versions of a text: what corresponds, and how much work that takes."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.alignment import word_alignment
from corefkit.alignment.word_alignment import MAX_GAP, align_words

WORDS = st.lists(st.sampled_from(["a", "b", "the", "dog", "'s", ",", "Ann"]))


def spans(key, response):
    alignment = align_words(key.split(), response.split())
    return list(zip(alignment.first, alignment.last, strict=True))


def counts(key, response):
    return align_words(key.split(), response.split())[2:]


@given(WORDS)
def test_same_words_correspond_in_their_order(words):
    numbers = list(range(len(words)))
    assert align_words(words, words) == (numbers, numbers, 0, 0, 0, 0)


@given(WORDS, st.lists(st.tuples(st.integers(0, 20), st.sampled_from(["x1", "?!"]))))
def test_added_words_change_nothing(words, additions):
    response = list(enumerate(words))
    for place, word in additions:
        response.insert(min(place, len(response)), (-1, word))
    alignment = align_words(words, [word for _, word in response])
    assert alignment.first == alignment.last == [number for number, _ in response]
    assert alignment[2:] == (0, len(additions), 0, 0)


@pytest.mark.parametrize(
    ("key", "response"),
    [
        ("Die STRASSE", "die Straße"),
        ("``No ,'' he said", "“No,” he said"),
        ("well-known", "well‑known"),  # noqa: RUF001
        ("it 's", "it ’s"),  # noqa: RUF001
        ("caf\u00e9 \uff11\uff12", "cafe\u0301 12"),
        ("New_York", "new_york"),
        ("so\u00adft", "soft"),
        (
            "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
            "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
        ),
        ("東京 駅", "東京 駅"),
    ],
)
def test_spelling_is_folded(key, response):
    lost, added, changed, _ = counts(key, response)
    assert (lost, added, changed) == (0, 0, 0)


def test_other_tokens_of_the_same_text_correspond():
    assert spans("Ann 's dog , John .", "Ann's dog, John.") == [(0, 1), (2, 3), (4, 5)]
    assert spans("Ann's dog, John.", "Ann 's dog , John .") == [
        *[(0, 0)] * 2,
        *[(1, 1)] * 2,
        *[(2, 2)] * 2,
    ]


def test_similar_and_replaced_words_correspond():
    assert spans("the colour of it", "the color of it") == [(n, n) for n in range(4)]
    assert spans("the dog ran off", "the hound ran off") == [(n, n) for n in range(4)]
    assert counts("the dog ran off", "the hound ran off") == (0, 0, 1, 0)


def test_lost_words_are_counted():
    assert spans("a b c d e f", "a b d e f") == [(n, n) for n in (0, 1, 3, 4, 5)]
    assert counts("a b c d e f", "a b d e f") == (1, 0, 0, 0)


def test_sentence_before_the_text_is_added():
    key = "The dog barked at the cat and the cat left ."
    response = f"Here is the annotated text of the dog : {key}"
    assert counts(key, response)[:3] == (0, 9, 0)
    assert spans(key, response)[9:] == [(n, n) for n in range(11)]


def test_repeated_words_are_matched_from_both_ends():
    key = ["la", "la", "hey"] * 30_000
    response = key[:500] + key[501:]
    assert align_words(key, response)[2:] == (1, 0, 0, 0)


def make_text(size):
    random = Random(size)
    return [f"w{int(random.paretovariate(0.6))}" for _ in range(size)]


ADVERSARIAL = {
    "other words": lambda n: ([f"a{i}" for i in range(n)], [f"b{i}" for i in range(n)]),
    "one word": lambda n: (["a"] * n, ["a"] * (n - n // 9)),
    "two words": lambda n: (["a", "b"] * (n // 2), ["b", "b", "a"] * (n // 3)),
    "three words": lambda n: (
        Random(1).choices("abc", k=n),
        Random(2).choices("abc", k=n),
    ),
    "empty": lambda n: (["a"] * n, []),
    "reversed": lambda n: (make_text(n), make_text(n)[::-1]),
    "shuffled": lambda n: (make_text(n), Random(3).sample(make_text(n), n)),
    "drifted": lambda n: (
        make_text(n),
        [word for word in make_text(n) if Random(word).random() > 0.02],
    ),
}


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_work_is_linear(name, monkeypatch):
    """Counted are atoms in which anchors are searched, and cells of gaps."""
    work = {"atoms": 0, "cells": 0}
    find_anchors, find_pairs = (
        word_alignment._find_anchors,
        word_alignment._find_best_pairs,
    )

    def count_atoms(key, response, level):
        work["atoms"] += len(key) + len(response)
        return find_anchors(key, response, level)

    def count_cells(key, response):
        work["cells"] += len(key) * len(response)
        return find_pairs(key, response)

    monkeypatch.setattr(word_alignment, "_find_anchors", count_atoms)
    monkeypatch.setattr(word_alignment, "_find_best_pairs", count_cells)
    key, response = ADVERSARIAL[name](20_000)
    align_words(key, response)
    size = len(key) + len(response)
    assert work["atoms"] <= 4 * size
    assert work["cells"] <= MAX_GAP * size


@given(WORDS, WORDS)
def test_counterparts_never_cross(key, response):
    alignment = align_words(key, response)
    pairs = zip(alignment.first, alignment.last, strict=True)
    bounds = [bound for pair in pairs for bound in pair if bound >= 0]
    assert bounds == sorted(bounds)
    matched = {word for word in bounds}
    assert len(key) - alignment.lost >= len(matched)
    assert 0 <= alignment.changed <= len(key) - alignment.lost
