"""Tokenization loses no character, and windows represent every word once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from neural.random_models import VOCABULARY
from shared_files import DATA

import corefkit
from cistell.neural.tokenization import Tokenizer, cut_windows, write_text

TOKENIZER = Tokenizer(VOCABULARY)
GUM = DATA / "gum" / "gum-dev.conllu"
# Letters, marks, punctuation, controls, symbols, ideographs and white space.
CHARACTERS = st.sampled_from(
    "aÉs.'” \n\t\r\u0301\u200d\u0000\u00ad€$©漢😀क\u093f\u00a0"
)


def show_words(text):
    tokens = TOKENIZER.tokenize(text)
    return [text[i:j] for i, j in zip(tokens.starts, tokens.ends, strict=True)]


@given(st.text(CHARACTERS | st.characters(), max_size=60))
def test_no_character_is_lost(text):
    tokens = TOKENIZER.tokenize(text)
    inside = np.zeros(len(text), int)
    for start, end in zip(tokens.starts, tokens.ends, strict=True):
        inside[start:end] += 1
    assert all(
        count == 1 or (count == 0 and character.isspace())
        for count, character in zip(inside, text, strict=True)
    )
    assert len(tokens.pieces) == tokens.bounds[-1]
    assert (np.diff(tokens.bounds) > 0).all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Mrs. Marsh's zoo", ["Mrs", ".", "Marsh", "'", "s", "zoo"]),
        ("caf\u0065\u0301 x", ["caf\u0065\u0301", "x"]),
        ("a\u00adb", ["a\u00adb"]),
        ("\u0301a", ["\u0301", "a"]),
        ("漢字 €5", ["漢", "字", "€5"]),
        ("", []),
    ],
)
def test_words_are_letters_or_single_marks(text, words):
    assert show_words(text) == words


def test_vocabulary_sees_words_without_accents_and_capitals():
    assert TOKENIZER.tokenize("HELE\u0301N Hélén\u200d").words == ("helen", "helen")


def test_words_are_split_into_the_longest_subwords():
    pieces = TOKENIZER.tokenize("keepers keeps unknown").pieces
    assert [VOCABULARY[piece] for piece in pieces] == [
        *("keeper", "##s", "k", "##ee", "##p", "##s", "[UNK]")
    ]


def test_case_can_be_kept():
    tokens = Tokenizer(["[UNK]", "Tom", "tom"], lowercase=False).tokenize("Tom tom TOM")
    assert tokens.pieces.tolist() == [1, 2, 0]


def test_blank_lines_begin_paragraphs():
    tokens = TOKENIZER.tokenize("He met\nher. \r\n \r\nShe met\r\nhim.")
    assert tokens.paragraphs.tolist() == [0] * 4 + [1] * 4


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Mr. Marsh left. She ran.", [0, 0, 0, 0, 0, 1, 1, 1]),
        ("“Stop!” he said. He ran", [0, 0, 0, 0, 0, 0, 0, 1, 1]),
        ("No. 5 of J. Lee", [0] * 7),
        ("a\n\nb", [0, 1]),
    ],
)
def test_sentences(text, sentences):
    assert TOKENIZER.tokenize(text).sentences.tolist() == sentences


@given(st.lists(st.integers(1, 5), max_size=80), st.integers(20, 40), st.integers(0, 6))
def test_windows_represent_every_word_once(lengths, size, margin):
    bounds = np.cumsum([0, *lengths])
    windows = cut_windows(bounds, size=size, margin=margin)
    assert [w for window in windows for w in range(window.first, window.last)] == [
        *range(len(lengths))
    ]
    for window in windows:
        assert window.start <= window.first < window.last <= window.end
        context = bounds[window.first] - bounds[window.start]
        assert context <= margin
        assert window.start == 0 or context > margin - 5
        # Edges between words are not always where the sizes would have them.
        assert bounds[window.end] - bounds[window.start] <= size + 5


@pytest.mark.skipif(not GUM.exists(), reason=f"{GUM} is missing")
def test_text_of_a_document_has_its_spaces_and_paragraphs():
    for document in corefkit.read(GUM):
        text, spans = write_text(document)
        assert [text[i:j] for i, j in spans] == list(document.tokens)
        sentences = [
            comment.removeprefix("text = ")
            for comments in document.comments
            for comment in comments
            if comment.startswith("text = ")
        ]
        assert text.split() == " ".join(sentences).split()
