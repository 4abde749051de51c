"""Noun phrases of constituent trees: the longest of each head."""

from __future__ import annotations

import pytest

from corefkit import Document, FormatError
from corefkit.cistell.corpora.noun_phrases import noun_phrases, phrase_mentions

# "Her mill by the sea and the barn burned"
WORDS = ("Her", "mill", "by", "the", "sea", "and", "the", "barn", "burned")
LAYERS = {
    "xpos": ("PRP$", "NN", "IN", "DT", "NN", "CC", "DT", "NN", "VBD"),
    "head": ("2", "9", "5", "5", "2", "8", "8", "2", "0"),
    "deprel": (
        "nmod:poss",
        "nsubj",
        "case",
        "det",
        "nmod",
        "cc",
        "det",
        "conj",
        "root",
    ),
    "parse": (
        "(TOP(S(NP-SBJ(NP(NP*",
        "*)",
        "(PP*",
        "(NP*",
        "*)))",
        "*",
        "(NP*",
        "*))",
        "(VP*)))",
    ),
}


def document(**layers):
    return Document("d", (WORDS,), (), layers={**LAYERS, **layers})


def test_longest_of_each_head_and_possessive_pronouns():
    found = [(*mention, mention.head) for mention in phrase_mentions(document())]
    assert found == [(0, 7, 1), (3, 4, 4), (6, 7, 7), (0, 0, 0)]


@pytest.mark.parametrize(
    ("kind", "counts"),
    [("NP", True), ("NP-SBJ", True), ("NP=2", True), ("NPX", False), ("WHNP", False)],
)
def test_functions_do_not_matter(kind, counts):
    assert bool(noun_phrases([f"({kind}*)"])) is counts


def test_brackets_that_do_not_fit_are_passed_over():
    assert noun_phrases(["*)", "(NP*", "(NP*)", "*"]) == [(2, 2)]


@pytest.mark.parametrize(
    ("lost", "what"), [("parse", "constituent tree"), ("head", "dependency tree")]
)
def test_documents_without_trees_are_refused(lost, what):
    layers = {name: row for name, row in LAYERS.items() if name != lost}
    plain = Document("d", (WORDS,), (), layers=layers)
    with pytest.raises(FormatError, match=what) as refused:
        list(phrase_mentions(plain))
    assert refused.value.hint
