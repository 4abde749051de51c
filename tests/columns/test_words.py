"""Words in bytes, eight at a time, against the obvious version; fingerprints."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.arrays import hashing as words_module
from corefkit.arrays.hashing import Text, compute_text_hash

texts = st.lists(
    st.sampled_from([b"a", b"bc", b" ", b"\n", b"\t  ", "é".encode(), b"x" * 9])
).map(b"".join)
# No blank or control character can stand inside a word of a CoNLL file.
words = st.lists(st.text(st.characters(min_codepoint=33), min_size=1), max_size=5)


def check_places(text):
    """Find words by their places; gives the places, and the hash of each word."""
    places = [match.span() for match in re.finditer(rb"[^ \n\t]+", text)]
    if not places:
        return [], []
    starts, ends = np.array(places).T + Text.front
    padded = Text(text)
    assert padded.word_ends(starts).tolist() == ends.tolist()
    assert padded.word_starts(ends).tolist() == starts.tolist()
    assert padded.skip_blanks(ends[:-1]).tolist() == starts[1:].tolist()
    hashes, found = padded.hashes(starts)
    assert found.tolist() == ends.tolist()
    return places, hashes.tolist()


@given(texts)
def test_words_are_found_where_they_stand(text):
    check_places(text)


@given(texts)
def test_hash_is_that_of_the_word_alone(text):
    for match in re.finditer(rb"[^ \n\t]+", text):
        inside = Text(text).hashes(np.array([match.start() + Text.front]))[0]
        alone = Text(match[0]).hashes(np.array([Text.front]))[0]
        assert inside.tolist() == alone.tolist()


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


long_texts = st.lists(
    st.sampled_from([b"a", b"bc" * 150, b" ", b" " * 290, b"\n", b"x" * 264])
).map(b"".join)


@given(long_texts)
def test_long_words_and_long_blanks_are_found_where_they_stand(text):
    for (first, last), hashed in zip(*check_places(text), strict=True):
        assert hashed == eights_hashed(text[first:last])


def eights_hashed(word):
    """Hash a word eight bytes after eight, in whole numbers."""
    hashed = 0
    for place in range(0, len(word) + 1, 8):
        eight = int.from_bytes(word[place : place + 8], "little")
        hashed = (hashed * 0x9E3779B97F4A7C15 + eight) % (1 << 64)
    return hashed


def test_a_word_longer_than_a_stretch_has_the_hash_of_its_eights():
    word = bytes(range(33, 250)) * 500
    found = Text(word).hashes(np.array([Text.front]))[0]
    assert found.tolist() == [eights_hashed(word)]


def test_one_token_of_a_megabyte_takes_few_steps(monkeypatch):
    calls = []
    flags = words_module._blank_flags
    monkeypatch.setattr(
        words_module, "_blank_flags", lambda loaded: calls.append(1) or flags(loaded)
    )
    text = Text(b"w" * 1_000_000 + b" " * 1_000_000 + b"x")
    start = np.array([Text.front])
    end = text.word_ends(start)
    text.word_starts(end)
    text.hashes(start)
    text.skip_blanks(end)
    assert len(calls) < 200
