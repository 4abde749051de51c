"""Hashes of texts: different for different texts, and as a slow version has them."""

from __future__ import annotations

import pytest
from files import compute_text_hash
from hypothesis import given
from hypothesis import strategies as st

from corefkit.arrays.hashing import hash_encoded_texts

# No blank or control character can stand inside a word of a CoNLL file.
words = st.lists(st.text(st.characters(min_codepoint=33), min_size=1), max_size=5)


@given(words, words)
def test_fingerprints_are_equal_for_equal_words_only(some, others):
    assert (compute_text_hash(some) == compute_text_hash(others)) == (some == others)


@given(words, st.data())
def test_fingerprint_changes_with_one_letter(some, data):
    if not some:
        return
    number = data.draw(st.integers(0, len(some) - 1))
    place = data.draw(st.integers(0, len(some[number]) - 1))
    letter = data.draw(
        st.characters(min_codepoint=33).filter(some[number][place].__ne__)
    )
    changed = some[number][:place] + letter + some[number][place + 1 :]
    assert compute_text_hash(
        [*some[:number], changed, *some[number + 1 :]]
    ) != compute_text_hash(some)


@pytest.mark.parametrize(
    ("some", "others"),
    [
        pytest.param(["a", "b"], ["b", "a"], id="order"),
        pytest.param(["a"], ["a", "a"], id="number"),
        pytest.param(["ab", "c"], ["a", "bc"], id="boundaries"),
        pytest.param(["a"], ["a\u00a0"], id="a blank of more bytes"),
        pytest.param(["x" * 8], ["x" * 9], id="nine bytes"),
        pytest.param(["x" * 8 + "y"], ["x" * 8 + "z"], id="behind eight bytes"),
        pytest.param(["New York"], ["New Jersey"], id="a blank inside a word"),
        pytest.param(["a\tb"], ["a\tc"], id="a tab inside a word"),
    ],
)
def test_fingerprint_tells_apart(some, others):
    assert compute_text_hash(some) != compute_text_hash(others)


def test_fingerprint_of_no_words_is_none():
    assert compute_text_hash([]) == 0


def test_fingerprint_takes_half_a_surrogate_pair():
    assert compute_text_hash(["\ud800"]) != compute_text_hash(["\udfff"])


MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def hash_slowly(words):
    """Hash words eight bytes after eight, in integers."""
    total = 0
    for position, word in enumerate(words):
        value = 0
        for place in range(0, len(word) + 1, 8):
            value = value * STEP + int.from_bytes(word[place : place + 8], "little")
        value = (value + (position + 1) * STEP) & MASK
        value ^= value >> 31
        value = value * 0xBF58476D1CE4E5B9 & MASK
        total += value ^ (value >> 31)
    return total & MASK


encoded_words = st.lists(
    st.sampled_from([b"a", "é".encode(), b"bc" * 150, b"x" * 8, b"x" * 9, b"y" * 264]),
    max_size=6,
)


@given(st.lists(encoded_words, max_size=4))
def test_hash_is_that_of_the_eights_of_each_word(documents):
    expected = list(map(hash_slowly, documents))
    assert hash_encoded_texts(documents).tolist() == expected


def test_hash_of_a_very_long_word_is_that_of_its_eights():
    words = [bytes(range(33, 250)) * 500, b"next"]
    assert hash_encoded_texts([words]).tolist() == [hash_slowly(words)]
