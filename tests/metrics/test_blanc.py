"""What is particular to BLANC: two kinds of links, and the rules for a missing kind."""

import re

import pytest
from builders import letters

import corefkit

CORNERS = {
    "key without non-coreference links": ("abcd", "ab cd", 1 / 2, 1 / 4),
    "response without non-coreference links": ("ab cd", "abcd", 1 / 4, 1 / 4),
    "key without coreference links": ("a b c", "ab c", 4 / 5, 2 / 5),
    "response without coreference links": ("ab c", "a b c", 2 / 5, 2 / 5),
    "no non-coreference links": ("abc", "ab", 1 / 2, 1 / 2),
    "no coreference links": ("a b c", "a b", 1 / 2, 1 / 2),
    "same single mention": ("a", "a", 0, 1, 0),
    "other single mention": ("a", "b", 0, 0),
    "single mention in the key": ("a", "ab", 0, 0),
    "single mention in the response": ("ab", "a", 0, 0),
    "empty response": ("ab c", "", 0, 0),
    "empty key": ("", "ab c", 0, 0),
    "both empty": ("", "", 0, 0),
}
# Where nothing else is said, rule `links` gives what `both` does.
CORNERS = {
    name: row if len(row) > 4 else (*row, row[3]) for name, row in CORNERS.items()
}


def blanc(key, response, rule="key"):
    return corefkit.score(key, response, metrics=["blanc"], blanc_rule=rule)["blanc"]


@pytest.mark.parametrize(
    ("key", "response", "by_key", "by_both", "by_links"), CORNERS.values(), ids=CORNERS
)
def test_blanc_follows_the_corner_rule(key, response, by_key, by_both, by_links):
    partitions = letters(key), letters(response)
    assert blanc(*partitions, rule="key").f1 == pytest.approx(by_key, rel=1e-9)
    assert blanc(*partitions, rule="both").f1 == pytest.approx(by_both, rel=1e-9)
    assert blanc(*partitions, rule="links").f1 == pytest.approx(by_links, rel=1e-9)


@pytest.mark.parametrize("rule", ["key", "both", "links"])
@pytest.mark.parametrize(("key", "response"), [("", ""), ("a", "b"), ("a", "")])
def test_blanc_without_any_link_is_marked_as_undefined(rule, key, response):
    score = blanc(letters(key), letters(response), rule=rule)
    assert (score.recall, score.precision, score.f1) == (0, 0, 0)
    assert score.undefined == ("recall", "precision")


def test_blanc_of_the_same_single_mention_is_defined_under_both_only():
    assert blanc(letters("a"), letters("a"), rule="both").undefined == ()
    undefined = blanc(letters("a"), letters("a"), rule="links").undefined
    assert undefined == ("recall", "precision")


@pytest.mark.parametrize(
    "preset", [name for name in corefkit.PRESETS if re.match("crac|ua", name)]
)
@pytest.mark.parametrize(("key", "response"), [("a", "b"), ("a", "a"), ("", "")])
def test_a_task_preset_gives_no_points_where_no_link_is_left(preset, key, response):
    # The CorefUD and the Universal Anaphora scorer give 0 there.
    result = corefkit.score(letters(key), letters(response), preset=preset)
    assert result["blanc"].f1 == 0
    assert result["blanc"].undefined == ("recall", "precision")


@pytest.mark.parametrize("rule", ["key", "both", "links"])
def test_an_empty_document_adds_nothing_to_the_macro_average(rule):
    key = {"empty": [], "full": letters("ab cd")}
    score = corefkit.score(key, key, blanc_rule=rule, average="macro")["blanc"]
    assert (score.recall, score.precision, score.f1) == (0.5, 0.5, 0.5)


def test_blanc_follows_the_key_rule_by_default():
    result = corefkit.score(["abcd"], ["ab", "cd"], metrics=["blanc"])
    assert result["blanc"].f1 == pytest.approx(1 / 2)


def test_blanc_f1_is_the_mean_over_kinds_and_not_the_harmonic_mean():
    # Pradhan et al. 2014, section 4.5.
    score = blanc(letters("abc defg"), letters("ab cd fghi"))
    assert score.recall == pytest.approx(4 / 9, rel=1e-9)
    assert score.precision == pytest.approx(13 / 40, rel=1e-9)
    assert score.f1 == pytest.approx(25 / 68, rel=1e-9)


def test_blanc_counts_links_of_both_kinds():
    score = blanc(letters("abc defg"), letters("ab cd fghi"))
    inside, across = score.coreference, score.non_coreference
    assert (inside.recall_numerator, inside.recall_denominator) == (2, 9)
    assert (inside.precision_numerator, inside.precision_denominator) == (2, 8)
    assert (across.recall_numerator, across.recall_denominator) == (8, 12)
    assert (across.precision_numerator, across.precision_denominator) == (8, 20)


@pytest.mark.parametrize("rule", ["key", "both"])
def test_blanc_applies_the_rule_to_the_corpus_and_not_to_documents(rule):
    # The first document has no non-coreference link, the corpus has one.
    key = {"whole": letters("abc"), "apart": letters("d e")}
    response = {"whole": letters("ab"), "apart": letters("d e")}
    inside, across = 1 / 2, 1
    assert blanc(key, response, rule=rule).f1 == pytest.approx((inside + across) / 2)


def test_blanc_links_do_not_cross_documents():
    corpus = {"one": letters("ab"), "two": letters("cd")}
    score = blanc(corpus, corpus)
    assert score.coreference.recall_denominator == 2
    assert score.non_coreference.recall_denominator == 0


def test_blanc_counts_more_links_than_32_bits_hold():
    size = 70_000
    key = [range(size), range(size, 2 * size)]
    score = blanc(key, key)
    assert score.coreference.recall_numerator == size * (size - 1)
    assert score.non_coreference.recall_numerator == size * size
    assert score.f1 == 1


def test_mentions_of_all_documents_must_be_the_same_to_be_perfect_without_links():
    # No document has a link, and one side lacks the mention of the second.
    both, first = {"x": ["a"], "y": ["b"]}, {"x": ["a"], "y": []}
    for key, response in ((both, first), (first, both)):
        score = corefkit.score(key, response, blanc_rule="both")["blanc"]
        assert (score.f1, score.undefined) == (0, ("recall", "precision"))
    assert corefkit.score(both, both, blanc_rule="both")["blanc"].f1 == 1
