"""The score of zeros: is each zero anaphor linked to the right mention?"""

from __future__ import annotations

import pytest
from slow_matching import document

import corefkit

# Words a, b, c; nodes 1 behind a, 3 behind b, 5 behind c.
TEXT = "a _ b _ c _"


def zero_counts(key, response, **options):
    """Score; gives resolved, all anaphors of the key, and what precision divides by."""
    score = corefkit.score(key, response, metrics=["zeros"], **options)["zeros"]
    assert score.precision_numerator == score.recall_numerator
    return (
        score.recall_numerator,
        score.recall_denominator,
        score.precision_denominator,
    )


# Entities of key and response; resolved, anaphors, resolved + wrong + spurious.
CASES = {
    "resolved": (["0@0 1@1"], ["0@0 1@1"], (1, 1, 1)),
    # The zero is there, and linked to b, which is not a.
    "linked to another": (["0@0 3@3", "2@2"], ["2@2 3@3", "0@0"], (0, 1, 1)),
    "missing": (["0@0 1@1"], ["0@0 2@2"], (0, 1, 0)),
    # It is there but first of its entity: no anaphor, so nothing to be precise about.
    "first of its entity in the response": (["0@0 1@1"], ["1@1 2@2"], (0, 1, 0)),
    "alone in the response": (["0@0 1@1"], ["0@0", "1@1"], (0, 1, 0)),
    "first of its entity in the key": (["1@1 2@2"], ["1@1 2@2"], (0, 0, 0)),
    # In the key it comes first, so the response's anaphor is spurious.
    "anaphor in the response only": (["1@1 2@2"], ["0@0 1@1"], (0, 0, 1)),
    "spurious": (["0@0 2@2"], ["0@0 1@1"], (0, 0, 1)),
    "words do not count": (["0@0 2@2"], ["0@0 4@4"], (0, 0, 0)),
    # The second zero follows a zero, and any earlier mention will do: 3 after 1.
    "after a zero": (["0@0 1@1 3@3"], ["1@1 3@3"], (1, 2, 1)),
    # a is the one before, but the response links it to b, which is of the key's entity.
    "not the nearest": (["2@2 4@4 5@5"], ["2@2 5@5"], (1, 1, 1)),
    # The response's entity mixes a with b; the key's b comes before its zero.
    "mixed entity": (["0@0", "2@2 3@3"], ["0@0 2@2 3@3"], (1, 1, 1)),
    # The partner of c, which comes later, does not count: the zero is linked to wrong.
    "linked to a later one": (["0@0 3@3 4@4"], ["2@2 3@3 4@4"], (0, 1, 1)),
    "both sides have none": (["0@0 2@2"], ["0@0 2@2"], (0, 0, 0)),
    "no response": (["0@0 1@1"], [], (0, 1, 0)),
    # 1 is resolved, 3 is linked to a in place of b, 5 is spurious.
    "one of each kind": (
        ["0@0 1@1", "2@2 3@3"],
        ["0@0 1@1 3@3 5@5", "2@2"],
        (1, 2, 3),
    ),
}


@pytest.mark.parametrize(("key", "response", "expected"), CASES.values(), ids=CASES)
def test_cases(key, response, expected):
    assert zero_counts(document(TEXT, *key), document(TEXT, *response)) == expected


def test_order_is_that_of_the_text_not_of_the_file():
    # The zero is named first in both, but a stands before it.
    key = document(TEXT, "1@1 0@0")
    assert zero_counts(key, key) == (1, 1, 1)


def test_without_zeros_both_are_undefined():
    one = document("a b", "0@0 1@1")
    zeros = corefkit.score(one, one, metrics=["zeros"])["zeros"]
    assert zeros.undefined == ("recall", "precision")


def test_mention_with_words_whose_head_is_a_node_is_a_zero():
    key = document(TEXT, "0@0 2-3@3")
    assert zero_counts(key, key) == (1, 1, 1)
    by_word = document(TEXT, "0@0 2-3@2")
    assert zero_counts(by_word, by_word) == (0, 0, 0)


class TestAlignment:
    # The key's zero stands behind a, the response's behind c; both depend on c.
    KEY = document(TEXT, "0@0 1@1", deps={1: "3:nsubj"})
    MOVED = document(TEXT, "0@0 5@5", deps={5: "3:nsubj"})

    @pytest.mark.parametrize(
        ("zeros", "expected"),
        [
            ("position", (0, 1, 1)),  # missing, and one that is spurious
            ("dependency", (1, 1, 1)),
            ("drop", (0, 0, 0)),
        ],
    )
    def test_setting(self, zeros, expected):
        found = zero_counts(self.KEY, self.MOVED, zeros=zeros)
        assert found == expected

    def test_antecedent_may_be_matched_partly(self):
        # a to b with head a against a alone.
        key = document("a b _", "0-1@0 2@2")
        response = document("a b _", "0@0 2@2")
        assert zero_counts(key, response) == (0, 1, 1)
        assert zero_counts(key, response, match="head") == (1, 1, 1)
        assert zero_counts(key, response, match="partial") == (1, 1, 1)

    def test_same_tokens_go_before_dependencies(self):
        # By dependencies the key's zero is that behind c; it stands in the same place
        # as the one behind a, which is linked to b, and that is its partner here.
        key = document(TEXT, "0@0 1@1", deps={1: "3:nsubj"})
        response = document(
            TEXT, "0@0 5@5", "1@1 2@2", deps={5: "3:nsubj", 1: "1:nsubj"}
        )
        # That one is first of its entity: missed. The other zero is nobody's: spurious.
        assert zero_counts(key, response, zeros="dependency") == (0, 1, 1)


def test_documents_add_up():
    key = [document(TEXT, *CASES[name][0], name=name) for name in CASES]
    response = [document(TEXT, *CASES[name][1], name=name) for name in CASES]
    expected = tuple(map(sum, zip(*(case[2] for case in CASES.values()), strict=True)))
    assert zero_counts(key, response) == expected
