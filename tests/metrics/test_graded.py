"""Graded CEAF: overlapping mentions count in part."""

from __future__ import annotations

import pytest
from builders import pairs
from hypothesis import given, settings
from slow_matching import corpus_pairs, document, document_pairs, graded_ceaf, listed

import corefkit

WORDS = "a b c d e f g h"
NAMES = ("ceaf_m_graded", "ceaf_e_graded")


def counts(result, name):
    return pytest.approx(result.counts[name].sum(axis=0).tolist(), rel=1e-9)


# Key and response entities, then the counts for phi3 and phi4.
CASES = {
    "the same": (["0-1 3", "5"], ["0-1 3", "5"], (3, 3, 3), (2, 2, 2)),
    # a to d with a b: 2 * 2 / (4 + 2) = 2/3; with f: 1. phi4: 2 * 5/3 / (2 + 2).
    "one overlaps": (["0-3 5"], ["0-1 5"], (5 / 3, 2, 2), (5 / 6, 1, 1)),
    "nothing overlaps": (["0-1 3"], ["2 4-5"], (0, 2, 2), (0, 1, 1)),
    # a to d with a b 2/3, with c d 2/3: one of them; phi4 2 * 2/3 / (1 + 2).
    "two in one": (["0-3"], ["0-1 2-3"], (2 / 3, 1, 2), (4 / 9, 1, 1)),
    # Inside the pair of entities: a to c with a b 4/5 and b c with b c 1.
    "best map of mentions": (["0-2 1-2"], ["1-2 0-1"], (9 / 5, 2, 2), (9 / 10, 1, 1)),
    # Entities one to one: {a b, d} with {a, d}: 2/3 + 1 = 5/3, or with {b}: 2/3; {f}
    # with {b}: 0. So 5/3; phi4 2 * 5/3 / 4.
    "best map of entities": (
        ["0-1 3", "5"],
        ["0 3", "1"],
        (5 / 3, 3, 3),
        (5 / 6, 2, 2),
    ),
    # a, c with a b c: 2 * 2 / (2 + 3).
    "gaps": (["0,2"], ["0-2"], (4 / 5, 1, 1), (4 / 5, 1, 1)),
    "no response": (["0-1 3"], [], (0, 2, 0), (0, 1, 0)),
    "no key": ([], ["0-1 3"], (0, 0, 2), (0, 0, 1)),
}


@pytest.mark.parametrize(("key", "response", "phi3", "phi4"), CASES.values(), ids=CASES)
def test_cases(key, response, phi3, phi4):
    sides = document(WORDS, *key), document(WORDS, *response)
    result = corefkit.score(*sides, metrics=NAMES)
    for name, (total, whole, other) in zip(NAMES, (phi3, phi4), strict=True):
        assert counts(result, name) == [total, whole, total, other]


def test_response_node_between_the_words_of_a_mention_is_no_overlap():
    result = corefkit.score(
        document("a b", "0-1"), document("a _ b", "1"), metrics=NAMES
    )
    assert [result[name].recall_numerator for name in NAMES] == [0, 0]


@pytest.mark.parametrize("match", ["exact", "head", "partial"])
def test_way_of_matching_does_not_matter(match):
    sides = document(WORDS, "0-3@1 5@5"), document(WORDS, "0-1@0 5@5")
    result = corefkit.score(*sides, metrics=NAMES, match=match)
    assert counts(result, "ceaf_m_graded") == [5 / 3, 2, 5 / 3, 2]


@given(document_pairs())
def test_identical_sides_give_one(pair):
    key = pair[0]
    result = corefkit.score(key, key, metrics=NAMES)
    expected = float(bool(listed(key)))
    assert [result[name].f1 for name in NAMES] == pytest.approx([expected] * 2)


@given(pairs())
def test_equal_to_ceaf_where_mentions_never_overlap_partly(sides):
    # Names have one token: they are the same or share nothing.
    result = corefkit.score(*sides, metrics=["ceaf_m", "ceaf_e", *NAMES])
    for name in ("ceaf_m", "ceaf_e"):
        plain = result.counts[name].sum(axis=0).tolist()
        assert counts(result, f"{name}_graded") == plain


@given(document_pairs(max_mentions=4))
def test_as_by_the_slow_version(pair):
    result = corefkit.score(*pair, metrics=NAMES)
    for name, by_size in zip(NAMES, (False, True), strict=True):
        expected = [float(one) for one in graded_ceaf(*pair, by_size=by_size)]
        assert counts(result, name) == expected


@given(document_pairs(empties=False))
def test_never_below_ceaf(pair):
    result = corefkit.score(*pair, metrics=["ceaf_m", "ceaf_e", *NAMES])
    for name in ("ceaf_m", "ceaf_e"):
        graded = result[f"{name}_graded"].recall_numerator
        assert graded >= result[name].recall_numerator - 1e-9


@settings(max_examples=30)
@given(corpus_pairs())
def test_documents_are_counted_each_by_itself(corpora):
    result = corefkit.score(*corpora, metrics=NAMES)
    for row, *pair in zip(range(len(corpora[0])), *corpora, strict=True):
        alone = corefkit.score(*pair, metrics=NAMES)
        for name in NAMES:
            assert result.counts[name][row].tolist() == counts(alone, name)
