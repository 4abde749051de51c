"""Mention detection, and the mention overlap ratio against a slow version."""

from __future__ import annotations

import pytest
from builders import letters, pairs, scores
from hypothesis import given, settings
from slow_matching import corpus_pairs, document, document_pairs, mention_overlap
from slow_metrics import mentions_of

import corefkit

WORDS = "a b c d e f g"


def counted(key, response, **options):
    """Score two sides; gives shared tokens, those of the key, those of the response."""
    score = corefkit.score(key, response, metrics=["mor"], **options)["mor"]
    assert score.precision_numerator == score.recall_numerator
    return (
        score.recall_numerator,
        score.recall_denominator,
        score.precision_denominator,
    )


CASES = {
    "the same": ((WORDS, "0-3 5"), (WORDS, "0-3 5"), (5, 5, 5)),
    "other entities": ((WORDS, "0-3 5"), (WORDS, "0-3", "5"), (5, 5, 5)),
    "crossing": ((WORDS, "0-3"), (WORDS, "2-5"), (2, 4, 4)),  # c d
    "inside": ((WORDS, "0-5"), (WORDS, "2-3"), (2, 6, 2)),
    "beside": ((WORDS, "0-2"), (WORDS, "3-5"), (0, 3, 3)),
    # One to one: a to d takes a b or c d, and the other is left.
    "two in one": ((WORDS, "0-3"), (WORDS, "0-1", "2-3"), (2, 4, 4)),
    # a to d with c to g (2) leaves c d nothing; so c d takes it (2), or a to d: 2.
    "one in two": ((WORDS, "0-3", "2-3"), (WORDS, "2-6"), (2, 6, 5)),
    # a to c with a b is 2 and b c with b c 2: not a to c with b c and b c with none.
    "best map": ((WORDS, "0-2", "1-2"), (WORDS, "1-2", "0-1"), (4, 5, 4)),
    "gaps": ((WORDS, "0-1,4-5"), (WORDS, "1-4"), (2, 4, 4)),  # b and e
    "inside a gap": ((WORDS, "0,4"), (WORDS, "1-3"), (0, 2, 3)),
    # The node is a token of the mention like others, and no word shares it.
    "nodes": (("a _ b c", "0-2"), ("a _ b c", "1-3"), (2, 3, 3)),
    "node of the key": (("a _ b c", "0-2"), ("a b c", "0-1"), (2, 3, 2)),
    "node of the response between words": (
        ("a b c", "0-2"),
        ("a _ b c", "1"),
        (0, 3, 1),
    ),
    "nothing in the response": ((WORDS, "0-3"), (WORDS,), (0, 4, 0)),
    "nothing in the key": ((WORDS,), (WORDS, "0-3"), (0, 0, 4)),
}


@pytest.mark.parametrize(("key", "response", "expected"), CASES.values(), ids=CASES)
def test_cases(key, response, expected):
    assert counted(document(*key), document(*response)) == expected


@pytest.mark.parametrize("match", ["exact", "head", "partial", "min"])
def test_way_of_matching_does_not_matter(match):
    key, response = document(WORDS, "0-3@1", "5@5"), document(WORDS, "0-1@0 5-6@5")
    assert counted(key, response, match=match) == (3, 5, 4)


def test_dropped_singletons_have_no_tokens():
    key, response = document(WORDS, "0-1 3", "5-6"), document(WORDS, "0-1", "3-4 5-6")
    # Of a b, d, f g and a b, d e, f g; dropped, a b, d are left and d e, f g.
    assert counted(key, response) == (5, 5, 6)
    assert counted(key, response, singletons="drop") == (1, 3, 4)


@given(pairs())
def test_names_have_one_token_each(sides):
    result = corefkit.score(*sides, metrics=["mor", "mentions"])
    assert result.counts["mor"].tolist() == result.counts["mentions"].tolist()


@given(document_pairs())
def test_as_by_the_slow_version(pair):
    found = corefkit.score(*pair, metrics=["mor"]).counts["mor"][0]
    assert found.tolist() == list(map(float, mention_overlap(*pair)))


@settings(max_examples=30)
@given(corpus_pairs())
def test_documents_are_counted_each_by_itself(corpora):
    rows = corefkit.score(*corpora, metrics=["mor"]).counts["mor"].tolist()
    for row, *pair in zip(rows, *corpora, strict=True):
        assert row == corefkit.score(*pair, metrics=["mor"]).counts["mor"][0].tolist()


@settings(max_examples=30)
@given(document_pairs())
def test_swapping_sides_swaps_recall_and_precision(pair):
    one = corefkit.score(*pair, metrics=["mor"])["mor"]
    other = corefkit.score(*reversed(pair), metrics=["mor"])["mor"]
    assert (one.recall, one.precision) == (other.precision, other.recall)


@given(pairs())
def test_mentions_ignores_how_mentions_are_grouped(pair):
    singletons = [[[mention] for mention in mentions_of(side)] for side in pair]
    grouped = corefkit.score(*pair, metrics=["mentions"])
    apart = corefkit.score(*singletons, metrics=["mentions"])
    assert scores(grouped, ["mentions"]) == scores(apart, ["mentions"])


def test_mentions_keeps_the_mentions_of_documents_apart():
    key = {"one": letters("ab"), "two": letters("cd")}
    response = {"one": letters("cd"), "two": letters("ab")}
    result = corefkit.score(key, response, metrics=["mentions"])
    assert result["mentions"].recall_numerator == 0
    assert result["mentions"].recall_denominator == 4
