"""Sentences that were cut after an abbreviation."""

from __future__ import annotations

import pytest

from cistell.parsing.sentences import joined_sentences
from corefkit.model import Document


def joined(*sentences, comments=()):
    words = tuple(tuple(sentence.split()) for sentence in sentences)
    found = joined_sentences(Document("d", words, (), comments=comments))
    return [" ".join(sentence) for sentence in found.sentences], found.comments


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (("Ms.", "Brown left ."), ["Ms. Brown left ."]),
        (("Apple Inc.", "announced it ."), ["Apple Inc. announced it ."]),
        (("He saw Dr.", "May .", "So did I ."), ["He saw Dr. May .", "So did I ."]),
        (("It is Apple Inc.", "Ann left ."), ["It is Apple Inc.", "Ann left ."]),
        (("Ms .", "Brown left ."), ["Ms . Brown left ."]),
        (
            ("He lives in Mill St.", "Ann left ."),
            ["He lives in Mill St.", "Ann left ."],
        ),
        (("It rains .", "so what ?"), ["It rains .", "so what ?"]),
        (("3.", "mix it"), ["3.", "mix it"]),
        ((), []),
    ],
)
def test_what_is_surely_cut_is_joined(sentences, expected):
    assert joined(*sentences)[0] == expected


def test_paragraphs_stay_apart():
    comments = (), ("newpar",)
    assert joined("Ms.", "Brown left .", comments=comments)[0] == [
        "Ms.",
        "Brown left .",
    ]


def test_a_joined_sentence_has_one_text():
    comments = ("newpar", "text = Ms."), ("text = Brown left.",)
    assert joined("Ms.", "Brown left .", comments=comments)[1] == (
        ("newpar", "text = Ms. Brown left."),
    )
